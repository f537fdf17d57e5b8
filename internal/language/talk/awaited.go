package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofAwaited reads a question about supplier orders that were shown (rule R1043): "by how many days" and "на сколько
// опаздывают" as the days by which each is late, "what exactly is missing" and "а что там едет" as the goods that have
// not come. By themselves the words are about the orders of customers, or about stock. It returns nil for any other
// message.
func (t *talk) ofAwaited(m *message) *language.Reading {
	if t.done == nil {
		return nil
	}
	where, late, ok := awaited(t.done)
	owes := owedByUs(t.done)
	if owes {
		where, ok = supplierOf(t.done)
	}
	if !ok {
		return nil
	}
	ts := token.Split(m.task)
	denies := slices.ContainsFunc(ts, func(x token.Token) bool { return notWords[x.Norm] || x.Norm == "missing" })
	q := analysis.Query{Where: slices.Clone(where)}
	isLate := analysis.Condition{Field: "supplier_overdue_days", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}
	first := "supplier_overdue_days"
	switch {
	case wording(aroundAwaited, byDays, lateWords).Is(ts, aroundRows),
		wording(aroundAwaited, lateWords, howMuchLate).Is(ts, aroundRows),
		late && wording(aroundAwaited, byDays).Is(ts, aroundRows):
		if owes {
			return nil
		}
		q.Measures, q.By = []string{first, "open_orders"}, []string{"document", "counterparty"}
		late = true
	case wording(join(aroundAwaited, whenOf), promised, whenOf).Is(ts, aroundRows) && t.done.Query != nil && !owes:
		q.Measures, q.By = []string{"expected_on", "open_orders"}, []string{"document", "counterparty"}
		first = "expected_on"
	case !owes && wording(goodsNouns, whatWords, insideThem).Is(ts, aroundRows),
		wording(join(aroundAwaited, goodsNouns, notWords), whatWords, missingWords).Is(ts, aroundRows) &&
			(!owes || denies):
		q.Measures, q.By = []string{"in_transit", "expected_on"}, []string{"product"}
		if first = "expected_on"; late {
			q.Measures, first = []string{"in_transit", "supplier_overdue_days"}, "supplier_overdue_days"
		}
	default:
		return nil
	}
	if late {
		q.Where = append(slices.Clone(q.Where), isLate)
	} else if q.Measures[0] == "in_transit" {
		q.Where = append(slices.Clone(q.Where), analysis.Condition{Field: "in_transit", Op: analysis.Greater,
			Values: []analysis.Scalar{"0"}})
	}
	if q.By[0] == "document" {
		for i := range q.Where {
			if q.Where[i].Field == "supplier" {
				q.Where[i].Field = "counterparty"
			}
		}
	}
	direction := analysis.Descending
	if first == "expected_on" {
		direction = analysis.Ascending
	}
	q.Order = []analysis.Order{{Field: first, Direction: direction}}
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// supplierOf returns the condition on the one supplier that a debt of ours is to; false if there is none.
func supplierOf(done *language.Reading) ([]analysis.Condition, bool) {
	for _, w := range conditionsOf(done) {
		if (w.Field == "counterparty" || w.Field == "supplier") && w.Op == analysis.In && len(w.Values) == 1 {
			w.Field = "supplier"
			return []analysis.Condition{w}, true
		}
	}
	return nil, false
}

// awaited returns the conditions of an answer about supplier orders that have not come, and whether only late ones
// were meant; false for any other answer, and for conditions that figures of goods do not have.
func awaited(done *language.Reading) (where []analysis.Condition, late, ok bool) {
	if done.Skill == language.Documents {
		var list lookup.Documents
		if !decode(done.Input, &list) || !slices.Equal(list.Kinds, []string{"purchaseorder"}) ||
			!list.NotReceived && !list.Overdue || list.From != "" || list.SumFrom != nil || list.SumTo != nil ||
			list.Limit > 0 || list.Text != "" || len(list.States)+len(list.Employees)+len(list.LegalEntities) > 0 {
			return nil, false, false
		}
		for field, names := range map[string][]string{"supplier": list.Counterparties, "store": list.Stores,
			"product": list.Products} {
			if len(names) > 0 {
				where = append(where, oneOf(field, names))
			}
		}
		return where, list.Overdue, true
	}
	q := done.Query
	if q == nil || q.Limit > 0 || !slices.ContainsFunc(q.Measures, func(m string) bool {
		return m == "open_orders" || m == "supplier_overdue_days" || m == "expected_on"
	}) {
		return nil, false, false
	}
	for _, w := range q.Where {
		switch {
		case w.Field == "supplier_overdue_days" && w.Op == analysis.Greater:
			late = true
			continue
		case w.Field == "open_orders" || w.Field == "in_transit" || w.Field == "expected_on":
			continue
		case w.Op != analysis.In:
			return nil, false, false
		case w.Field == "counterparty":
			w.Field = "supplier"
		}
		where = append(where, w)
	}
	return where, late, true
}

var (
	byDays    = words.Set("дней дня дни день days day")
	lateWords = words.Set("опаздывают опаздывает опаздывали опоздали опоздание опоздания просрочка просрочку " +
		"просрочки просрочены просрочили просрочен задержка задержку задержки задерживают задерживают задержали " +
		"задерживается задерживаются late overdue delayed behind")
	howMuchLate  = words.Set("сколько насколько долго давно сильно какая какое много long much many")
	missingWords = words.Set("едет едут везут идет приедет придет придут приедут прийти ждем ожидаем ожидается " +
		"ожидаются хватает недостает довезли пришло приехало привезли поставили доставили получили получено " +
		"внутри заказано заказали заказывали missing coming outstanding arrive arrived undelivered ordered " +
		"inside expected awaited due received")
	insideThem = words.Set("них нем ней этих them these it")
	promised   = words.Set("обещали обещают обещал планировали планируется придет придут приедет приедут привезут " +
		"доставят ждать ждем ожидать ожидается ожидаются будет будут promised due expected arrive come coming")
	goodsNouns    = words.Set("товар товары товаров позиции позиций goods products items product")
	aroundAwaited = words.Set("насколько долго давно каждый каждая каждому уже еще не дней они него заказ заказы " +
		"заказов поставка поставки поставщик поставщики поставщиков именно конкретно not yet exactly long much many " +
		"still there each order orders supplier suppliers")
)
