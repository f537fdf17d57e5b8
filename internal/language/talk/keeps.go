package talk

import (
	"maps"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/words"
)

// comparedAgain reads the figure that a comparison already shows, such as "продажи" after "сравни октябрь с сентябрём",
// as that comparison, and "за счёт чего упала прибыль" as one of the same two periods (rule R775). It returns nil for
// any other message.
func (t *talk) comparedAgain(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || t.done.Query == nil || t.done.Query.Compare == nil || t.done.Query.From == "" {
		return nil
	}
	done := t.done.Query
	if q := own.Query; complete(own) && q != nil && q.Explain && q.From == "" && len(q.Where) == 0 {
		explained := *q
		explained.From, explained.To, explained.Compare, explained.Where = done.From, done.To, done.Compare, done.Where
		if query.Possible(t.in.Catalogue, explained) {
			return changedTo(task, own.Language, &explained)
		}
	}
	s := t.parts(task, false)
	if len(s.parts) != 1 || len(s.rest) > 0 || s.parts[0].slots[0] != slot(typed.SpanMeasure) ||
		!slices.Contains(done.Measures, s.parts[0].id) {
		return nil
	}
	return changedTo(task, own.Language, done)
}

// priceAlone reads "сколько стоит" after the stock of goods in a warehouse as their price, which has no warehouse.
func (t *talk) priceAlone(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || !t.done.Skill.Reads() || !says(task, priceWords, aroundPrice) {
		return nil
	}
	q := analysis.Query{Measures: []string{"sale_price"}}
	stored := false
	for _, w := range conditionsOf(t.done) {
		switch {
		case w.Field == "product" && w.Op == analysis.In:
			q.Where = append(q.Where, w)
			if len(w.Values) > 1 {
				q.By = []string{"product"}
			}
		case w.Field == "store":
			stored = true
		default:
			return nil
		}
	}
	if !stored || len(q.Where) == 0 || !query.Possible(t.in.Catalogue, q) {
		return nil
	}
	return changedTo(task, own.Language, &q)
}

var (
	priceWords  = words.Set("стоит стоят цена цены почем ценник price cost")
	aroundPrice = words.Set("а и сколько какая какие это он она они у нее него них продаем его ее их how much " +
		"does it they do is the what what's its")
)

// leftOfShort reads "нет, сколько осталось" after what is short as the stock of the goods and warehouses that were
// named.
func (t *talk) leftOfShort(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || t.done.Skill != language.Shortages || !says(task, leftWords, aroundLeftOf) {
		return nil
	}
	args := argumentsOf(t.done)
	x := language.Reading{Task: task, Language: own.Language, Skill: language.Stock, FollowUp: true, Confidence: 1,
		Arguments: language.Arguments{Stores: args.Stores, Groups: args.Groups, Suppliers: args.Suppliers,
			Products: args.Products}}
	if len(args.Suppliers) > 0 || len(args.Products)+len(args.Groups) == 0 {
		return nil
	}
	return &x
}

var aroundLeftOf = func() map[string]bool {
	set := maps.Clone(aroundLeft)
	set["нет"], set["не"], set["их"], set["него"] = true, true, true, true
	return set
}()

// stillLies reads "давно лежит?" after goods that lie long as the same answer, which says how long.
func (t *talk) stillLies(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || !says(task, lies, aroundLies) {
		return nil
	}
	if t.done.Skill != language.StockAge && (t.done.Query == nil || !slices.ContainsFunc(t.done.Query.Measures,
		func(m string) bool { return m == "days_in_stock" })) {
		return nil
	}
	x := *t.done
	x.Task, x.FollowUp, x.Confidence, x.Question, x.Language = task, true, 1, nil, own.Language
	return &x
}

var (
	lies       = words.Set("лежит лежат висит висят валяется")
	aroundLies = words.Set("а и давно долго сколько дней как уже они это он у нас там")
)

// documentsOfSame reads "а когда платил" after the debts of a customer as the documents of that customer: by
// themselves the words ask for those of all.
func (t *talk) documentsOfSame(m *message) *language.Reading {
	task, own := m.task, &m.own
	var list lookup.Documents
	if t.done == nil || own.Skill != language.Documents || !complete(own) || !continues(task) ||
		!decode(own.Input, &list) || len(list.Counterparties) > 0 || len(list.Kinds) == 0 || list.Number != "" {
		return nil
	}
	s := t.parts(task, true)
	if s.has(nameSlots...) || len(s.ts) > mostFragment || s.ofEverything() || s.asksWhom() {
		return nil
	}
	for _, w := range conditionsOf(t.done) {
		if w.Field != "counterparty" || w.Op != analysis.In {
			continue
		}
		for _, v := range w.Values {
			list.Counterparties = append(list.Counterparties, string(v))
		}
	}
	if len(list.Counterparties) == 0 {
		return nil
	}
	x := *own
	x.Input, x.FollowUp = list, true
	return &x
}

// ofGroup reads "по группе" after goods by a word, such as the stock of coffee, as the same of the group that the word
// names. It returns nil for any other message.
func (t *talk) ofGroup(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || !says(task, oneGroup, aroundGroup) || !ofGoods(t.done) {
		return nil
	}
	for n := len(t.in.Earlier); n > 0; n-- {
		text := language.WithoutTalk(t.in.Earlier[n-1])
		s := t.parts(text, false)
		i := slices.IndexFunc(s.parts, func(p part) bool { return p.slots[0] == "goods" || p.slots[0] == "unknown" })
		if i < 0 {
			continue
		}
		p := s.parts[i]
		said := s.words(0, p.core) + " группы " + s.words(p.core, len(s.ts))
		x := *t.task(said)
		if !complete(&x) || x.Skill != t.done.Skill && t.done.Skill != language.Analyze || slices.ContainsFunc(
			conditionsOf(&x), func(w analysis.Condition) bool { return w.Field == "product" }) || !ofGoods(&x) {
			return nil
		}
		x.Task, x.FollowUp, x.Language = task, true, own.Language
		return &x
	}
	return nil
}

var (
	oneGroup    = words.Set("группе группа группу группы категории категория group category")
	aroundGroup = words.Set("по а всей вся всю в целиком покажи из этой нет лучше давай the whole by of all")
)

// keepStocked keeps the rows of a follow-up of the same kind as those before (rule R953): "кроме кружек" after the
// goods in stock lists no goods without any.
func keepStocked(_ string, r *language.Reading, in language.Input) {
	q, last := r.Query, in.Previous
	if last == nil || last.Skill != language.Stock || !r.FollowUp || q == nil ||
		!slices.Equal(q.By, []string{"product"}) {
		return
	}
	if a := last.Arguments; a.Only != "" || a.At != "" || len(a.Products) > 0 {
		return
	}
	for _, m := range q.Measures {
		if m != "stock" && m != "stock_cost" {
			return
		}
	}
	for _, w := range q.Where {
		if measuresOfStock[w.Field] || w.Field == "product" && w.Op == analysis.In {
			return
		}
	}
	now := *q
	now.Where = append(slices.Clone(q.Where), analysis.Condition{Field: "stock", Op: analysis.Greater,
		Values: []analysis.Scalar{"0"}})
	r.Query = &now
}

// keepRanked keeps the first rows of a ranking where "это" means them and another figure is asked for (rule R958):
// "сколько это в деньгах" after the three goods with most stock is about those three.
func keepRanked(_ string, r *language.Reading, in language.Input) {
	last, q := in.Previous, r.Query
	if last == nil || last.Query == nil || q == nil || !r.FollowUp || last.Query.Limit < 2 ||
		q.Limit != last.Query.Limit || slices.Equal(q.Measures, last.Query.Measures) ||
		!slices.Equal(q.By, last.Query.By) || len(q.By) != 1 || !has(r.Task, rankedRows) ||
		slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == q.By[0] }) {
		return
	}
	if now, ok := ofFirstShown(*q, in.Rows, q.Limit); ok {
		r.Query = &now
	}
}

var rankedRows = words.Set("это этого их них они эти этих them they these it")

var measuresOfStock = words.Set("stock stock_cost")
