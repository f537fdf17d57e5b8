package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofRowsThemselves ranks the rows that were shown where a superlative has no noun but "из них" (rule R1172): "самый
// прибыльный из них" after figures by warehouse is one of the warehouses, and none of their goods.
func ofRowsThemselves(task string, r *language.Reading, in language.Input) {
	rows := in.Rows
	if in.Previous == nil || !complete(r) || !r.Skill.Reads() || !language.NamedRows(rows) || rows.Earlier ||
		!personsOrPlaces[rows.Dimension] || !linked(task, in) {
		return
	}
	q := r.Composed(in.Catalogue).Query
	if q == nil || !slices.Equal(q.By, []string{"product"}) || q.Compare != nil || !slices.ContainsFunc(q.Where,
		func(w analysis.Condition) bool { return w.Field == rows.Dimension && w.Op == analysis.In }) {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if !has(task, superlativeOfRows) || has(task, goodsOrWhat) || s.has("goods", "other name",
		slot(typed.SpanDimension)) {
		return
	}
	changed := *q
	changed.By = []string{rows.Dimension}
	if query.Possible(in.Catalogue, changed) {
		*r = *changedTo(task, languageOf(task, in), &changed)
	}
}

// enoughOfFirst limits "хватит ли на две недели" to the first goods that were shown (rule R1173): by itself the
// question is about everything.
func enoughOfFirst(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || r.Skill != language.Shortages || r.Question != nil || len(conditionsOf(r)) > 0 {
		return
	}
	s := (&talk{in: in}).parts(task, true)
	if !s.asksIfEnough(*r) || s.ofEverything() || len(s.ts) > mostFragment+2 {
		return
	}
	switch {
	case ofMoney(done) || ofFlows(done) || done.Query != nil && slices.Contains(done.Query.Measures, "balance"):
		*r = withoutOptions(notSure(*r, task, done)) // "хватит ли на зарплату"
	case ofCustomerOrders(done):
		alone := in
		alone.Previous, alone.Rows, alone.Earlier = nil, nil, nil
		x := language.Read(r.Language.Pick("хватит ли товара на заказы", "is there enough stock for the orders"), alone)
		if x.FollowUp = true; x.Question != nil || complete(&x) {
			x.Task, *r = task, x
		}
	case isLimited(done) && complete(r) && rowsOf(in.Rows, "product"):
		n := done.Arguments.Limit
		if done.Query != nil {
			n = done.Query.Limit
		}
		if ids := in.Rows.IDs; len(ids) >= n || !in.Rows.More {
			args := argumentsOf(r)
			args.Products = slices.Clone(ids[:min(n, len(ids))])
			r.Arguments, r.Input, r.FollowUp = args, nil, true
		}
	}
}

// whatToDo answers "что с ними делать" with what can be done (rule R1174): a repeated table is no answer. It returns
// nil for any other message.
func (t *talk) whatToDo(m *message) *language.Reading {
	if t.done == nil || !t.done.Skill.Reads() ||
		!wording(aroundAdvice, whatWords, doing).Is(token.Split(m.task), nil) {
		return nil
	}
	l := languageOf(m.task, m.in)
	return &language.Reading{Task: m.task, Language: l, Outside: true, FollowUp: true, Confidence: 1, Refusal: l.Pick(
		"Решать вам: советов не даю, показываю цифры и готовлю черновики.\nНапример: «сколько их осталось», «сделай на "+
			"них скидку 20 %», «закажи их на 2 недели».",
		"That is for you to decide: I show figures and prepare drafts.\nFor example: “how many of them are left”, “put "+
			"a 20% discount on them”, “order them for 2 weeks”.")}
}

var (
	personsOrPlaces   = words.Set("store group counterparty employee supplier sales_channel")
	superlativeOfRows = words.Set("самый самая самое лучший лучшая худший худшая кто most best worst biggest largest")
	goodsOrWhat       = words.Set("товар товары товаров товара что чего позиция позиции goods product " +
		"products item items")
	doing        = words.Set("делать сделать предпринять do")
	aroundAdvice = words.Set("а и с со ними этим этими ним ней нами мне нам теперь можно лучше посоветуешь " +
		"посоветуй советуешь тогда and so should i we with them it this can")
)
