package talk

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	bigWords = words.Set("большой большая большое крупный крупная крупное крупнее дорогой дорогая дорогое жирный " +
		"жирная весомый наибольший наибольшая крупнейший крупнейшая максимальный максимальная лучший " +
		"лучшая лучшее biggest largest highest best")
	smallWords = words.Set("маленький маленькая мелкий мелкая дешевый дешевая наименьший наименьшая минимальный " +
		"минимальная скромный худший худшая худшее слабый слабая слабое smallest lowest cheapest worst " +
		"weakest")
	oldWords = words.Set("старый старая старое давний давняя древний древняя ранний ранняя застарелый просроченный " +
		"oldest earliest")
	newWords = words.Set("новый новая свежий свежая последний последняя поздний newest latest")
	// aroundMost stand beside one of these words in a message that asks for one of the rows that were shown.
	aroundMost = words.Set("а и но какой какая какое кто чей самый самая самое у по какого какой-то из них этих " +
		"там покажи дай выведи только на сумму сумме по-моему заказ заказа приемка платеж платежа " +
		"документ отгрузка счет возврат накладная покупка поставка продажа чек должник клиент покупатель " +
		"поставщик долг which what is was the one of them these and who whats s order document payment " +
		"debt customer supplier just only show me ones delivery deliveries receipt shipment invoice " +
		"return sale purchase доставка приход")
	superlative = words.Set("самый самая самое какой какая какое наибольший наибольшая крупнейший крупнейшая " +
		"максимальный максимальная наименьший наименьшая минимальный минимальная худший худшая худшее " +
		"лучший лучшая лучшее biggest largest highest smallest lowest cheapest oldest earliest newest " +
		"latest best worst weakest кто")
)

// says reports whether a message has a word of one set, and beside them only words of another.
func says(task string, key, around map[string]bool) bool {
	return token.Wording{Needs: []map[string]bool{key}, Beside: around}.Is(token.Split(task), nil)
}

// wording is a message that needs a word of each class, among words beside them.
func wording(beside map[string]bool, needs ...map[string]bool) token.Wording {
	return token.Wording{Needs: needs, Beside: beside}
}

// which says what row a message such as "какой самый старый" asks for: the order, and whether it is by date.
func which(task string) (direction analysis.Direction, byDate, ok bool) {
	most := false
	for _, x := range token.Split(task) {
		w := x.Norm
		most = most || superlative[w]
		switch {
		case x.Punctuation():
		case bigWords[w] || smallWords[w] || oldWords[w] || newWords[w]:
			if direction != "" {
				return "", false, false
			}
			direction, byDate = analysis.Descending, oldWords[w] || newWords[w]
			if smallWords[w] || oldWords[w] {
				direction = analysis.Ascending
			}
		case !aroundMost[w]:
			return "", false, false
		}
	}
	return direction, byDate, direction != "" && most
}

// greatest reads "какой самый старый" and "the biggest one" as one of what was shown before: a document of a list, or
// a row of a query (rule R521). It returns nil for any other message.
func (t *talk) greatest(m *message) *language.Reading {
	task, in := m.task, m.in
	direction, byDate, ok := which(task)
	if !ok || t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	x := &language.Reading{Task: task, Language: languageOf(task, in),
		Skill: language.Analyze, FollowUp: true, Confidence: 1}
	switch t.done.Skill {
	case language.OverdueOrders:
		q := analysis.Query{Measures: []string{"overdue_days"}, By: []string{"document", "counterparty"},
			Where: conditionsOf(t.done), Limit: 1}
		field := "overdue_days"
		switch {
		case byDate: // the oldest has waited longest
			direction = opposite(direction)
		case says(task, worstWords, aroundMost):
			direction = analysis.Descending
		default:
			q.Measures, field = []string{"orders_sum", "overdue_days"}, "orders_sum"
			q.From, q.To = t.years()
			q.Where = append(q.Where, analysis.Condition{Field: "overdue_days", Op: analysis.Greater,
				Values: []analysis.Scalar{"0"}})
		}
		q.Order = []analysis.Order{{Field: field, Direction: direction}}
		x.Query = &q
	case language.Documents:
		return t.greatestDocument(x, direction, byDate)
	default:
		base := t.done.Composed(in.Catalogue)
		if base.Query == nil || byDate {
			return nil
		}
		q := *base.Query
		m, ok := in.Catalogue.Measure(q.Measures[0])
		if ok && namesDocument(task) && slices.Contains(m.Over, "document") {
			q.By = []string{"document", "counterparty"} // "самый крупный платёж" after the sum of payments
			if sum := sumOf[q.Measures[0]]; sum != "" { // "самый большой чек" after their number
				q.Measures, q.Order = []string{sum}, nil
			}
		}
		if len(q.By) == 0 {
			return nil
		}
		field := foremost(&q)
		if byPrice(task) {
			if field = priceOf(&q); field == "" {
				return t.whichGoods(task, x)
			}
			if !slices.Contains(q.Measures, field) {
				q.Measures = append(slices.Clone(q.Measures), field)
			}
		}
		if says(task, worstWords, aroundMost) && typed.WorseIfMore[field] {
			direction = analysis.Descending
		}
		if !ofFirst(&q, in.Rows, byPrice(task)) {
			return t.whichGoods(task, x)
		}
		q.Order, q.Limit = []analysis.Order{{Field: field, Direction: direction}}, 1
		if q.LimitEach > 0 && len(q.By) > 1 { // of each store, as before
			q.Limit, q.LimitEach = 0, 1
		}
		x.Query = &q
	}
	if !query.Possible(in.Catalogue, *x.Query) {
		if byPrice(task) {
			return t.whichGoods(task, x)
		}
		return nil
	}
	return x
}

// sumOf are the sums of the documents that measures count or average.
var sumOf = map[string]string{"receipts": "sales", "average_receipt": "sales", "orders": "orders_sum",
	"deliveries": "purchases", "purchase_orders": "ordered"}

var worstWords = words.Set("худший худшая худшее worst")

// ofFirst limits a query that showed only its first rows to those, so that "the cheapest" is one of them (rule
// R653). Prices of goods have no warehouse and no period: all rows are the condition then. It reports whether that
// is so.
func ofFirst(q *analysis.Query, rows *refer.Rows, byPrice bool) bool {
	n := q.Limit
	priced := byPrice && slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == "store" })
	if !priced && n <= 1 {
		return true
	}
	if rows == nil || rows.Earlier || rows.Dimension != q.By[0] || n > 0 && len(rows.IDs) < n ||
		n == 0 && rows.More {
		return !priced && !byPrice
	}
	w := analysis.Condition{Field: rows.Dimension, Op: analysis.In}
	for i, id := range rows.IDs {
		if id != "" && (n == 0 || i < n) {
			w.Values = append(w.Values, analysis.Scalar(id))
		}
	}
	if priced {
		q.Measures, q.Where, q.From, q.To = []string{"sale_price"}, nil, "", ""
	}
	q.Where = append(slices.Clone(q.Where), w)
	return len(w.Values) > 0
}

// whichGoods asks which goods the cheapest or the dearest is to be of.
func (t *talk) whichGoods(task string, x *language.Reading) *language.Reading {
	r := notSure(*x, task, t.done)
	r.Question.Options = nil
	return &r
}

// byPrice reports whether a message ranks by price: "самый дешёвый", "the cheapest".
func byPrice(task string) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return pricedWords[x.Norm] })
}

var pricedWords = words.Set("дорогой дорогая дорогое дешевый дешевая дешевое cheapest dearest expensive")

// priceOf returns the price that the rows of a query are ranked by; empty if they are of no goods.
func priceOf(q *analysis.Query) string {
	for _, m := range q.Measures {
		if m == "purchases" {
			return "purchase_price"
		}
		if m == "card_purchase_price" || m == "average_price" || m == "purchase_price" || m == "unit_cost" {
			return m
		}
	}
	if slices.Contains(q.By, "product") || slices.Contains(q.By, "variant") {
		return "sale_price"
	}
	return ""
}

// namesDocument reports whether a message asks for a document.
func namesDocument(task string) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return oneDocument[x.Norm] })
}

var oneDocument = words.Set("заказ заказа приемка платеж платежа документ отгрузка счет возврат накладная покупка " +
	"поставка продажа чек order document payment delivery receipt shipment invoice return sale purchase")

// years is the period of a list of documents that names none: the last three years.
func (t *talk) years() (from, to tool.Day) {
	return tool.DayOf(t.in.Now.AddDate(-3, 0, 0)), tool.DayOf(t.in.Now)
}

// foremost returns the measure that the rows of a query are in the order of, or else its first one.
func foremost(q *analysis.Query) string {
	if len(q.Order) > 0 && slices.Contains(q.Measures, q.Order[0].Field) {
		return q.Order[0].Field
	}
	return q.Measures[0]
}

func opposite(d analysis.Direction) analysis.Direction {
	if d == analysis.Ascending {
		return analysis.Descending
	}
	return analysis.Ascending
}

// greatestDocument is greatest of a list of documents: the first of the same list in another order (rule R1139).
func (t *talk) greatestDocument(x *language.Reading, direction analysis.Direction, byDate bool) *language.Reading {
	var list lookup.Documents
	raw, err := json.Marshal(t.done.Input)
	if err != nil || json.Unmarshal(raw, &list) != nil || len(list.Kinds) == 0 {
		return nil
	}
	list.Limit, list.Order = 1, "smallest"
	switch {
	case byDate && direction == analysis.Descending:
		list.Order = ""
	case byDate:
		list.Order = "oldest"
	case direction == analysis.Descending:
		list.Order = "largest"
	}
	x.Skill, x.Input = language.Documents, list
	return x
}

var (
	countWords = words.Set("сколько many количество")
	// of what has a total of pieces
	aroundPieces = words.Set("а и всего штук в штуках итого это получается там у нас how many pieces units in " +
		"total are there is that and")
	aroundCount = words.Set("а и их таких этих всего там получилось вышло вообще же у нас ну да то и-то какое of " +
		"them how are there these those such in total and is the count number")
)

// again reads a message that only asks how many rows there are as the question before: its answer says so, with the
// same conditions (rule R522). "Сколько их" of goods in stock is their number, too.
func (t *talk) again(m *message) *language.Reading {
	task := m.task
	rows := t.done != nil && m.shown != nil && countsRows(task, m.shown.Dimension)
	pieces := rows || t.done != nil && inPieces(t.done, t.in.Catalogue) && says(task, countWords, aroundPieces)
	if !pieces && !says(task, countWords, aroundCount) || t.done == nil || !t.done.Skill.Reads() ||
		ofCard[t.done.Skill] {
		return nil
	}
	x := *t.done
	x.Task, x.FollowUp, x.Confidence, x.Question = task, true, 1, nil
	x.Language = languageOf(task, t.in)
	return &x
}

// countsRows reports whether a message asks how many rows of a dimension there are: "сколько всего позиций".
func countsRows(task, dimension string) bool {
	nouns := rowNouns[dimension]
	return nouns != nil && wording(aroundCount, countWords, nouns).Is(token.Split(task), nil)
}

var rowNouns = map[string]map[string]bool{
	"product":      words.Set("позиций наименований товаров products items positions"),
	"counterparty": words.Set("клиентов покупателей должников контрагентов customers clients buyers debtors"),
	"supplier":     words.Set("поставщиков suppliers"), "document": words.Set("документов штук documents"),
}

// inPieces reports whether an answer has a total of pieces.
func inPieces(done *language.Reading, c *connector.Catalogue) bool {
	base := done.Composed(c)
	return base.Query != nil && slices.ContainsFunc(base.Query.Measures, func(name string) bool {
		m, ok := c.Measure(name)
		return ok && m.Unit == tool.UnitQuantity && m.Adds
	})
}

// languageOf returns the language of a message.
func languageOf(task string, in language.Input) stockhand.Language {
	return language.Read(cmp.Or(in.Written, task), language.Input{Now: in.Now, Spoken: in.Spoken, Known: in.Known,
		Names: in.Names}).Language
}

// ofList gives a question for the first rows that names none the rows of the list before: "топ 3 по выручке" after the
// customers is of them.
func (t *talk) ofList(r language.Reading) language.Reading {
	if t.done == nil || t.done.Skill != language.Reference || r.FollowUp || !complete(&r) || r.Arguments.Limit == 0 ||
		r.Skill != language.Profitability || len(conditionsOf(&r)) > 0 {
		return r
	}
	var list struct{ Kind string }
	if raw, err := json.Marshal(t.done.ToolInput()); err != nil || json.Unmarshal(raw, &list) != nil {
		return r
	}
	by := map[string]string{"counterparties": "counterparty", "employees": "employee",
		"sales_channels": "sales_channel"}[list.Kind]
	s := t.parts(r.Task, false)
	if by == "" || s.has("dimension") || s.has(nameSlots...) {
		return r
	}
	r.Arguments.By, r.FollowUp = by, true
	return r
}

var (
	leftWords  = words.Set("осталось остаток остатки left")
	aroundLeft = words.Set("а и сколько какой какие есть на складе складах теперь сейчас же там у нас how many " +
		"much is are in stock of still")
)

// leftOfShown reads "сколько осталось" after the first goods of a list, or after some of them, as a question about
// those; nil for any other message.
func (t *talk) leftOfShown(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || in.Rows == nil || in.Rows.Dimension != "product" || t.done.Query == nil ||
		t.done.Query.Limit == 0 || len(in.Rows.IDs) == 0 || !says(task, leftWords, aroundLeft) {
		return nil
	}
	text := "сколько их осталось"
	if !token.Split(task)[0].Cyrillic {
		text = "how many of them are left"
	}
	in.Previous, in.Earlier = nil, nil
	x := language.Read(text, in)
	if x.Task = task; !complete(&x) {
		return nil
	}
	return &x
}

// theRest reads "а другие", "the others" after figures of one name as those of all others (rule R521).
func (t *talk) theRest(m *message) *language.Reading {
	task, in := m.task, m.in
	if !says(task, theOthers, aroundRest) || t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil {
		return nil
	}
	q := *base.Query
	named := -1
	for i, w := range q.Where {
		if _, dimension := in.Catalogue.Dimension(w.Field); dimension && w.Op == analysis.In {
			if named >= 0 {
				return nil
			}
			named = i
		}
	}
	if named < 0 {
		return nil
	}
	q.Where = slices.Clone(q.Where)
	q.Where[named].Op = analysis.NotIn
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return &language.Reading{Task: task, Language: base.Language, Skill: language.Analyze, Query: &q, FollowUp: true,
		Confidence: 1}
}

// theOthers are the words for everything else: "same" is not one.
var theOthers = func() map[string]bool {
	set := maps.Clone(others)
	delete(set, "same")
	return set
}()

var aroundRest = words.Set("а и что с по у на как все всем про расходы продажи товары склады группы клиенты " +
	"покупатели поставщики what about the and for of all how")
