package talk

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// carry reads a question that names a figure and does not say what of, such as "хватит на сколько" after the sales of
// salt: it is about the names of the task before, and after a list of documents about its period (rule R350). It
// returns nil for any other message, and where the figure has no such names.
func (t *talk) carry(s *sentence, own language.Reading) *language.Reading {
	if t.chosen() && (s.happened() || s.asksWhom()) && complete(&own) && own.Query != nil && !s.ofEverything() {
		x := notSure(own, own.Task, t.done)
		return &x
	}
	if x := t.carryPartner(s, own); x != nil {
		return x
	}
	dated, card, most := s.has(slot(typed.SpanPeriod)), ofCard[t.done.Skill], mostFragment+1
	if card {
		most = 2 * mostFragment
	}
	figure := s.has(slot(typed.SpanMeasure)) || card && s.has("counting") || s.happened() ||
		own.Skill == language.Shortages && (s.howMuch() || s.saysThere()) ||
		own.Skill == language.StockByStore || own.Skill == language.Forecast || s.asksIfEnough(own) ||
		own.Query != nil && len(own.Query.Define) > 0
	if !complete(&own) || own.Query == nil && !byGoods[own.Skill] && own.Skill != language.Receivables ||
		len(s.ts) > most || s.ofEverything() || !figure ||
		dated && !card && !(s.happened() && ofGoods(t.done)) && !s.asksIfEnough(own) ||
		s.has(append(nameSlots, "other name", slot(typed.SpanNumber))...) ||
		s.has("unknown") && own.Skill != language.Shortages && own.Skill != language.Forecast {
		return nil
	}
	if own.Query == nil && own.Skill == language.SalesTrend && ofGoods(t.done) {
		own = own.Composed(t.in.Catalogue)
		q := *own.Query
		if q.By = nil; len(conditionsOf(t.done)[0].Values) > 1 {
			q.By = []string{"product"}
		}
		own.Query = &q
	}
	if own.Query == nil && (card || own.Skill == language.Receivables) && len(conditionsOf(t.done)) > 0 {
		own = own.Composed(t.in.Catalogue) // the tool of such figures takes no such names
	}
	switch {
	case own.Query == nil && byGoods[own.Skill]:
		return t.carryArguments(own)
	case own.Query == nil:
		return nil
	}
	q := *own.Query
	if len(q.Where) > 0 && !card {
		return nil
	}
	measure := func(of func(*analysis.Measure) bool) bool {
		return !slices.ContainsFunc(measuresOf(&q), func(name string) bool {
			m, ok := t.in.Catalogue.Measure(name)
			return !ok || !of(m)
		})
	}
	carried := false
	for _, w := range conditionsOf(t.done) {
		if w.Field == "counterparty" && s.asksWhom() {
			continue // "кто нам должен" is not about one of them
		}
		if measure(func(m *analysis.Measure) bool { return slices.Contains(m.Over, w.Field) }) {
			q.Where, carried = append(q.Where, w), true
		}
	}
	from, to := periodOf(t.done)
	if (carried || lookUps[t.done.Skill] || s.meansOne()) && from != "" && to != "" && q.From == "" &&
		q.Compare == nil && measure(func(m *analysis.Measure) bool { return !m.Now }) {
		q.From, q.To, carried = from, to, true // the names and the period go together (rule R1282)
	}
	if !carried {
		return nil
	}
	if t.ofSome() { // figures of a whole period are not those of "последние 5 отгрузок"
		x := notSure(own, own.Task, t.done)
		return &x
	}
	own.Query, own.FollowUp = &q, true
	return &own
}

// measuresOf returns the measures of a query, and in place of those of its own what they are made of.
func measuresOf(q *analysis.Query) (list []string) {
	for _, name := range q.Measures {
		i := slices.IndexFunc(q.Define, func(d analysis.Definition) bool { return d.Name == name })
		if i < 0 {
			list = append(list, name)
			continue
		}
		for _, word := range strings.Fields(q.Define[i].Formula) {
			if word != "" && word[0] >= 'a' && word[0] <= 'z' {
				list = append(list, word)
			}
		}
	}
	return list
}

// asksIfEnough reports whether a message asks if goods last, and does not ask which ones: "хватит до конца месяца?".
func (s *sentence) asksIfEnough(own language.Reading) bool {
	return own.Skill == language.Shortages && slices.ContainsFunc(s.ts, func(x token.Token) bool {
		return enoughWords[x.Norm]
	}) && !slices.ContainsFunc(s.ts, func(x token.Token) bool { return asksWhich[x.Norm] })
}

var enoughWords = words.Set("хватит хватает enough last lasts")

// carryPartner limits a list of documents without a partner to the partner of the task before: "когда платил" after
// the debt of one customer (rule R808). It returns nil for any other message.
func (t *talk) carryPartner(s *sentence, own language.Reading) *language.Reading {
	var list lookup.Documents
	if own.Skill != language.Documents || own.FollowUp || !complete(&own) || len(s.ts) > mostFragment ||
		s.ofEverything() ||
		s.has(append(nameSlots, "other name")...) || s.unknownBut(aroundTimes, lastTimes, lastOne) ||
		!decode(own.Input, &list) ||
		len(list.Counterparties) > 0 ||
		!slices.ContainsFunc(s.ts, func(x token.Token) bool { return ofOne[x.Norm] || lastOne[x.Norm] }) {
		return nil
	}
	for _, w := range conditionsOf(t.done) {
		if (w.Field == "counterparty" || w.Field == "supplier") && w.Op == analysis.In {
			for _, v := range w.Values {
				list.Counterparties = append(list.Counterparties, cmp.Or(t.in.NameOf(string(v)),
					string(v)))
			}
			own.Input, own.FollowUp = list, true
			return &own
		}
	}
	return nil
}

// unknownBut reports whether a message has words that are not understood and in none of the sets.
func (s *sentence) unknownBut(sets ...map[string]bool) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		return overlap(p.slots, []slot{"unknown"}) && slices.ContainsFunc(s.ts[p.from:p.to], func(x token.Token) bool {
			return !slices.ContainsFunc(sets, func(set map[string]bool) bool { return set[x.Norm] })
		})
	})
}

// ofOne are verbs without a subject, whose subject was named before.
var ofOne = words.Set("платил платила платили заплатил заплатила оплатил оплатила оплатили покупал покупала " +
	"купил " +
	"купила брал брала заказывал заказывала заказал заказала отгружали отгрузили привозил привозила привез " +
	"привезла возвращал возвращала вернул вернула paid bought ordered")

// chosen reports whether the answer before is a list of documents that no query can be limited to, such as those
// above a sum: figures of all documents would be of other ones (rule R655).
func (t *talk) chosen() bool {
	var list lookup.Documents
	return t.done.Skill == language.Documents && decode(t.done.Input, &list) &&
		(list.SumFrom != nil || list.SumTo != nil || list.Text != "" || list.Posted != nil || len(list.States) > 0)
}

// meansOne reports whether a message means the one that the task before was about: "сколько он заплатил".
func (s *sentence) meansOne() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return refer.IsHe(t.Norm) })
}

// howMuch reports whether a message asks for amounts, or goes on: "how much to order then", "сколько тогда заказать".
func (s *sentence) howMuch() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return howMuchWords[t.Norm] })
}

// saysThere reports whether a message means what was shown by "there": "что там подходит к концу".
func (s *sentence) saysThere() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Norm == "там" || t.Norm == "there" })
}

var howMuchWords = words.Set("сколько тогда much many then")

// happened reports whether a message asks by a verb what was done with the goods that were shown: "сколько продали за
// месяц" leaves them out, where "продажи за месяц" says all it needs.
func (s *sentence) happened() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return doneWith[t.Norm] })
}

var doneWith = words.Set("продали продано продалось ушло купили куплено закупили взяли заказали заказано вернули " +
	"списали списано заработали наторговали принесли принес принесла sold bought ordered returned earned")

// ofGoods reports whether a reading is limited to goods or groups of them.
func ofGoods(r *language.Reading) bool {
	return slices.ContainsFunc(conditionsOf(r), func(w analysis.Condition) bool {
		return (w.Field == "product" || w.Field == "group") && w.Op == analysis.In
	})
}

// asksWhom reports whether a message asks for persons: "кому мы должны".
func (s *sentence) asksWhom() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return whomWords[t.Norm] })
}

var whomWords = words.Set("кто кому кем кого who whom whose")

// ofEverything reports whether a message asks for all there is, and not for what was shown: "сколько всего продали".
func (s *sentence) ofEverything() bool {
	for i, t := range s.ts {
		if everything[t.Norm] || t.Norm == "всего" && s.norm(i-1) == "сколько" {
			return true
		}
	}
	return false
}

var everything = words.Set("общая общий вообще total overall altogether")

// ofCard are the skills that show one thing: what is asked behind them is about that thing (rule R349).
var ofCard = map[language.Skill]bool{language.Product: true, language.Counterparty: true}

// byGoods are the skills of figures whose tools take names of goods, groups and warehouses.
var byGoods = map[language.Skill]bool{language.Stock: true, language.Profitability: true, language.SalesTrend: true,
	language.Shortages: true, language.StockByStore: true, language.Forecast: true}

// carryArguments is carry for a tool of its own. What the tool cannot be limited to is asked about.
func (t *talk) carryArguments(own language.Reading) *language.Reading {
	if len(conditionsOf(&own)) > 0 {
		return nil
	}
	own.Arguments, own.Input = argumentsOf(&own), nil
	a, carried := &own.Arguments, false
	for _, w := range conditionsOf(t.done) {
		list := map[string]*[]string{"product": &a.Products, "group": &a.Groups, "store": &a.Stores}[w.Field]
		if own.Skill == language.Shortages && w.Field == "supplier" {
			list = &a.Suppliers
		}
		if list == nil || w.Op != analysis.In || own.Skill == language.SalesTrend && w.Field != "store" {
			x := notSure(own, own.Task, t.done)
			return &x
		}
		for _, v := range w.Values {
			*list = append(*list, string(v))
		}
		carried = true
	}
	if from, to := periodOf(t.done); a.From == "" && own.Skill != language.Stock &&
		own.Skill != language.StockByStore && own.Skill != language.Shortages && own.Skill != language.Forecast &&
		from != "" && to != "" {
		a.From, a.To, carried = string(from), string(to), true
	}
	if own.Skill == language.Shortages && carried && a.Days == 0 && t.done.Skill == language.Forecast {
		a.Days = argumentsOf(t.done).Days
	}
	if own.FollowUp = carried; !carried {
		return nil
	}
	return &own
}

// conditionsOf returns the conditions on names that a reading has.
func conditionsOf(r *language.Reading) (list []analysis.Condition) {
	if r.Query != nil {
		for _, w := range r.Query.Where {
			if !intervals[w.Field] && (w.Op == analysis.In || w.Op == analysis.NotIn) {
				list = append(list, w)
			}
		}
		return list
	}
	var card struct{ Product, Counterparty string }
	if raw, err := json.Marshal(r.Input); ofCard[r.Skill] && err == nil && json.Unmarshal(raw, &card) == nil {
		for field, name := range map[string]string{"product": card.Product, "counterparty": card.Counterparty} {
			if name != "" {
				list = append(list, analysis.Condition{Field: field, Op: analysis.In,
					Values: []analysis.Scalar{analysis.Scalar(name)}})
			}
		}
		return list
	}
	args := argumentsOf(r)
	for field, of := range fields {
		w := analysis.Condition{Field: field, Op: analysis.In}
		for _, name := range of(&args) {
			w.Values = append(w.Values, analysis.Scalar(name))
		}
		if len(w.Values) > 0 {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b analysis.Condition) int {
		return cmp.Or(len(a.Field)-len(b.Field), strings.Compare(a.Field, b.Field))
	})
	return list
}

// takesNames are the skills whose inputs have the fields of arguments.
var takesNames = map[language.Skill]bool{language.Forecast: true, language.Shortages: true, language.Stock: true,
	language.OverdueOrders: true, language.Documents: true}

// argumentsOf returns the arguments of a reading, also of a look-up, whose input has the same ones.
func argumentsOf(r *language.Reading) language.Arguments {
	args := r.Arguments
	raw, err := json.Marshal(r.Input)
	if !takesNames[r.Skill] || r.Input == nil || err != nil || json.Unmarshal(raw, &args) != nil {
		return r.Arguments
	}
	return args
}

// fields are the arguments of tools that are conditions on names.
var fields = map[string]func(*language.Arguments) []string{
	"product":      func(a *language.Arguments) []string { return a.Products },
	"group":        func(a *language.Arguments) []string { return a.Groups },
	"store":        func(a *language.Arguments) []string { return a.Stores },
	"supplier":     func(a *language.Arguments) []string { return a.Suppliers },
	"counterparty": func(a *language.Arguments) []string { return a.Counterparties },
}

// periodOf returns the period of a reading; empty for none.
func periodOf(r *language.Reading) (from, to tool.Day) {
	var p struct{ From, To tool.Day }
	if raw, err := json.Marshal(r.ToolInput()); err != nil || json.Unmarshal(raw, &p) != nil {
		return "", ""
	}
	return p.From, p.To
}

// oneOf is the condition that a field is one of some names.
func oneOf(field string, names []string) analysis.Condition {
	w := analysis.Condition{Field: field, Op: analysis.In}
	for _, n := range names {
		w.Values = append(w.Values, analysis.Scalar(n))
	}
	return w
}
