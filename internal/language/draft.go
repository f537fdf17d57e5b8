package language

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// drafting reports whether the task orders a draft: a purchase, a transfer or new prices. An order is never answered
// with a report.
func (r *reader) drafting() bool {
	e := r.evidence
	return e.signals[signalBuyOrder] || e.signals[signalCarryOrder] || e.signals[signalRepriceOrder] ||
		r.imperative(conceptMove) &&
			!e.has(conceptProfit, conceptRevenue, conceptMoney, conceptDebt) ||
		r.imperative(conceptCreate) && e.has(conceptPurchaseOrder, conceptMove) || e.has(conceptSetPrice) &&
		e.has(conceptPrice) && r.imperative(conceptSetPrice) ||
		r.imperative(conceptRaise, conceptLower, conceptSetPrice) && r.Percent != ""
}

// buys reports whether the task orders goods: with an imperative, or with "надо заказать 50 штук" that asks nothing.
func (r *reader) buys() bool {
	if r.imperative(conceptBuy) {
		return true
	}
	return r.imperative(conceptToOrder) && !r.questions() && (len(r.mentions) > 0 || r.counts())
}

// questions reports whether the task asks: with a word such as "сколько", or a question mark.
func (r *reader) questions() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Mark && t.Norm == "?" || t.Kind == token.Word && asking[t.Norm]
	})
}

var asking = words.Set("что чего чем какие какой каких какую сколько ли когда кто кому what which how who whom when")

// counts reports whether the task has a number that nothing else has read.
func (r *reader) counts() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Number &&
			t.Use == token.Unused
	})
}

// carries reports whether the task takes goods from a warehouse: one after "с", "из" or "from".
func (r *reader) carries() bool {
	for i := range r.mentions {
		if m := &r.mentions[i]; slices.ContainsFunc(m.meanings, isStore) && r.givesGoods(m) {
			return true
		}
	}
	for _, f := range r.found {
		if f.Meaning != conceptStore {
			continue
		}
		for j := f.At[0] - 1; j >= 0 && j >= f.At[0]-3; j-- {
			if leaving[r.ts[j].Norm] {
				return true
			}
		}
	}
	return false
}

func isStore(n connector.Name) bool { return n.Kind == connector.NameStore }

// leaving are the words before the warehouse that goods come from, entering those before the one they go to.
var (
	leaving  = words.Set("с со из от from off out")
	entering = words.Set("на в во к для по to into onto for at in")
)

// givesGoods reports whether goods come from this warehouse. A preposition may be part of its name ("Склад на
// Лесной"), and a word such as "склада" may come between.
func (r *reader) givesGoods(m *mention) bool {
	name := " " + words.Fold(m.meanings[0].Name) + " "
	for j := m.at[0] - 1; j >= 0 && j >= m.at[0]-4; j-- {
		t := &r.ts[j]
		switch {
		case leaving[t.Norm]:
			return true
		case names.Kind(t.Norm) == connector.NameStore, t.Norm == "the" || t.Norm == "our":
		case entering[t.Norm] && names.Optional(t.Norm) && strings.Contains(name, " "+t.Norm+" ") && j > 0 &&
			names.Kind(r.ts[j-1].Norm) == connector.NameStore:
		default:
			return false
		}
	}
	return false
}

// between reports whether goods move between warehouses in both directions.
func (r *reader) between() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Norm == "между" || t.Norm == "between" ||
			t.Norm == "among"
	})
}

// fillDraft sets the arguments that the propose skills share: how long stock must last, and what counts as short.
func (r *reader) fillDraft(s Skill, a *Arguments) {
	e, q := r.evidence, &r.Quantities
	if s == ProposeSupplierOrders {
		a.Delivery = r.delivery()
		if a.Delivery != "" {
			a.From, a.To = "", ""
		}
	}
	switch below, out := e.has(conceptBelowMinimum), r.runningOut(); {
	case below && !out:
		a.Mode = "below_minimum"
	case out && !below:
		a.Mode = "running_out"
	}
	for _, d := range q.Durations {
		a.Days = d.Days
	}
	if len(q.Periods) > 0 && q.Periods[0].Rolling > 0 && a.Days == 0 && !e.has(conceptSales) { // "for two weeks"
		a.Days, a.From, a.To = q.Periods[0].Rolling, "", ""
	}
}

// runningOut reports whether the task is about goods that will run out; "чего не хватает" is anything that is short.
func (r *reader) runningOut() bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return f.Meaning == conceptRunsOut && (f.At[0] == 0 || r.ts[f.At[0]-1].Norm != "не")
	})
}

// delivery returns the day by which goods are needed: a date after a word of delivery, the next such day that has not
// passed.
func (r *reader) delivery() string {
	for _, p := range r.Periods {
		if p.From.IsZero() || !p.From.Equal(p.To) {
			continue
		}
		near := r.normAt(p.At - 1)
		if near != "к" && near != "до" && near != "by" &&
			!r.startsBefore(p.At, 3, "достав", "постав", "привез", "deliver", "arriv") {
			continue
		}
		d := p.From
		switch {
		case !d.Before(r.today):
		case quantity.IsWeekday(r.normAt(p.At)) || quantity.IsWeekday(r.normAt(p.End-1)):
			for d.Before(r.today) {
				d = d.AddDate(0, 0, 7)
			}
		case !slices.ContainsFunc(r.ts[p.At:min(p.End, len(r.ts))],
			func(t token.Token) bool { return t.Kind == token.Number && len(t.Norm) >= 4 }):
			d = quantity.Shift(words.Year, d, 1) // everywhere else a date without a year is in the past
		}
		if !d.Before(r.today) {
			return iso(d)
		}
	}
	return ""
}

// startsBefore reports whether one of the n tokens before token i begins with one of these.
func (r *reader) startsBefore(i, n int, beginnings ...string) bool {
	for j := max(0, i-n); j < i && j < len(r.ts); j++ {
		for _, b := range beginnings {
			if strings.HasPrefix(r.ts[j].Norm, b) {
				return true
			}
		}
	}
	return false
}

// listed is a number in a list of goods.
type listed struct {
	text    string
	measure bool // in kilograms, boxes and the like, which may not be the unit of the goods
}

// isMeasure reports whether a word is a unit, such as a kilogram or a box, that may not be the unit of the goods.
func isMeasure(word string) bool {
	u, _ := words.UnitOf(word)
	return u.Measure
}

// numbersOfGoods returns the numbers that nothing else has read.
func (r *reader) numbersOfGoods() []listed {
	var out []listed
	for i := range r.ts {
		t := &r.ts[i]
		if t.Use != token.Unused {
			continue
		}
		text := ""
		switch {
		case t.Kind == token.Number:
			text = quantity.PlainNumber(t.Norm)
		case t.Kind == token.Word && quantity.Numeral(t.Norm) > 1:
			text = strconv.Itoa(quantity.Numeral(t.Norm))
		}
		if text != "" {
			out = append(out, listed{text: text, measure: isMeasure(r.normAt(i+1)) && r.ts[i+1].Use == token.Unused})
		}
	}
	return out
}

// finish sets what depends on the names: the warehouse that goods come from, the quantities and prices of a list, and
// whether new prices are for all goods. It asks about what remains unclear.
func (r *reader) finish(out *Reading, s Skill) {
	switch s {
	case ProposeTransfers:
		r.directions(out)
		r.ownQuantity(out)
	case ProposeSupplierOrders:
		r.orderList(out)
	case ProposePriceChange:
		r.newPrices(out)
	}
	if !s.Proposes() || len(out.Matched) > 0 {
		return
	}
	for i := range out.Unknown { // a name that is not found must not make the draft cover all goods
		out.Unknown[i].Named = true
	}
}

// directions moves the warehouses that give goods from stores to from_stores, in the answers to a question as well.
func (r *reader) directions(out *Reading) {
	gives, takes := map[string]bool{}, map[string]bool{}
	for i := range r.mentions {
		m := &r.mentions[i]
		from := r.givesGoods(m)
		for _, n := range m.meanings {
			for _, key := range []string{n.Name, n.ID} {
				gives[key] = gives[key] || from
				takes[key] = takes[key] || !from
			}
		}
	}
	both := len(out.Arguments.Stores) > 1 && r.between()
	split := func(a *Arguments) {
		var to []string
		for _, s := range a.Stores {
			if both || gives[s] {
				a.FromStores = append(a.FromStores, s)
			}
			if both || takes[s] || !gives[s] {
				to = append(to, s)
			}
		}
		a.Stores = to
	}
	split(&out.Arguments)
	r.eachOption(out, ProposeTransfers, func(o *Option) bool { split(&o.Arguments); return true })
}

// ownQuantity reports a quantity in a transfer as ignored: the quantity follows from what is short, and a person can
// change it in the draft.
func (r *reader) ownQuantity(out *Reading) {
	if len(out.Arguments.Products) == 0 {
		return
	}
	for _, n := range r.numbersOfGoods() {
		out.Ignored = append(out.Ignored, Match{Words: n.text})
	}
}

// eachOption changes the answers that call the skill, and drops those for which change returns false.
func (r *reader) eachOption(out *Reading, s Skill, change func(*Option) bool) {
	if out.Question == nil {
		return
	}
	var kept []Option
	for _, o := range out.Question.Options {
		if o.Skill != s || change(&o) {
			kept = append(kept, o)
		}
	}
	out.Question.Options = kept
}

// orderList turns goods with quantities into a list.
func (r *reader) orderList(out *Reading) {
	a := &out.Arguments
	numbers := r.numbersOfGoods()
	if len(numbers) == 0 || a.Mode != "" {
		return
	}
	if len(a.Products) > 0 && slices.ContainsFunc(numbers, func(n listed) bool { return n.measure }) {
		out.Question = &Question{Text: r.language.Pick(
			"Сколько заказать? Напишите количество в единицах, в которых учитывается товар, а не в килограммах или коробках.",
			"How many? Write the quantity in the product's own unit, not in kilograms or boxes.")}
		return
	}
	list := func(a *Arguments) bool {
		if len(a.Products) != len(numbers) {
			return false
		}
		for i, p := range a.Products {
			a.Items = append(a.Items, Item{Product: p, Quantity: numbers[i].text})
			if prices := r.sums(); len(prices) == len(numbers) {
				a.Items[i].Price = prices[i].Text
			}
		}
		a.Products, a.Groups, a.Days, a.From, a.To = nil, nil, 0, "", ""
		if len(a.Stores) == 1 {
			a.Store, a.Stores = a.Stores[0], nil
		}
		return true
	}
	switch {
	case out.Question != nil:
		r.relist(out, ProposeSupplierOrders, list)
	case list(a):
		out.drop(connector.NameGroup)
	case len(a.Products) > 0:
		out.Question = &Question{Text: r.language.Pick(
			"Какое число к какому товару? Напишите их парами: «20 шт первого и 30 шт второго».",
			"Which number belongs to which product? Write them in pairs: “20 of this and 30 of that”.")}
	default:
		for i := range out.Unknown {
			out.Unknown[i].Named = true
		}
	}
}

// relist turns the goods of a question's answers into lists, and drops the answers where that is impossible.
func (r *reader) relist(out *Reading, s Skill, list func(*Arguments) bool) {
	r.eachOption(out, s, func(o *Option) bool {
		a := o.Arguments
		if !list(&a) {
			return false
		}
		o.Text, o.Arguments = r.option(s, a).Text, a
		return true
	})
}

// drop moves the matched names of a kind to the ignored ones.
func (r *Reading) drop(k connector.NameKind) {
	r.Matched = slices.DeleteFunc(r.Matched, func(m Match) bool {
		if m.Kind == k {
			r.Ignored = append(r.Ignored, m)
		}
		return m.Kind == k
	})
}

// sums returns the amounts of money in the task, except zeros.
func (r *reader) sums() []quantity.Amount {
	return slices.DeleteFunc(slices.Clone(r.Amounts),
		func(a quantity.Amount) bool { return strings.Trim(a.Text, "0.") == "" })
}
