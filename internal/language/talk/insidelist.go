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

// insideList reads "что в них" after a list of documents as the goods of those documents, and "отгрузили?" as those of
// them that are not (rule R1049). It returns nil for any other message, and for lists that no figures have.
func (t *talk) insideList(m *message) *language.Reading {
	var list lookup.Documents
	if t.done == nil || t.done.Skill != language.Documents || !decode(t.done.Input, &list) {
		return nil
	}
	ts := token.Split(m.task)
	if flag := unfinished(ts, &list); flag != nil {
		*flag = true
		return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents,
			Input: list, FollowUp: true, Confidence: 1}
	}
	rows := m.shown
	one := list.Limit == 1 || rows != nil && rows.Dimension == "document" && len(rows.IDs) == 1
	inside := wording(join(aroundLast, goodsNouns), whatWords, insideThem)
	done := wording(join(aroundLast, goodsNouns, whatWords), whatWords, doneVerbs[firstKind(&list)])
	if one || len(list.Kinds) == 0 || !inside.Is(ts, aroundRows) && !done.Is(ts, aroundRows) {
		return nil
	}
	measures := goodsFigures[list.Kinds[0]]
	if measures == nil || narrower(&list) || len(list.Kinds) > 1 && list.Kinds[0] != "demand" {
		return oneByOne(m)
	}
	q := analysis.Query{Measures: measures, By: []string{"product"}, From: list.From, To: list.To}
	if q.From == "" {
		q.From, q.To = t.years()
	}
	if list.Kinds[0] == "demand" && len(list.Kinds) == 1 {
		q.Where = append(q.Where, oneOf("document_type", list.Kinds))
	}
	for _, of := range []struct {
		field string
		names []string
	}{{"counterparty", list.Counterparties}, {"store", list.Stores}, {"product", list.Products}} {
		if len(of.names) > 0 {
			q.Where = append(q.Where, oneOf(of.field, of.names))
		}
	}
	if !query.Possible(m.in.Catalogue, q) {
		return oneByOne(m)
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// firstKind returns the first type of a list of documents; empty for all.
func firstKind(list *lookup.Documents) string {
	if len(list.Kinds) == 0 {
		return ""
	}
	return list.Kinds[0]
}

// doneVerbs say what was done with the goods of each type of documents.
var doneVerbs = map[string]map[string]bool{
	"customerorder": words.Set("заказали заказывали заказал заказала заказано берут взяли ordered order"),
	"purchaseorder": words.Set("заказали заказывали заказал заказано везут едет закупаем ordered order"),
	"demand":        words.Set("отгрузили отгружали продали купили взяли брали ушло уехало shipped bought sold"),
	"supply":        words.Set("привезли приняли купили закупили пришло приехало получили received bought delivered"),
	"salesreturn":   words.Set("вернули возвращали возвращают принесли returned"),
	"loss":          words.Set("списали списывали списано"),
}

// narrower reports whether a list has conditions that no figures of goods have.
func narrower(list *lookup.Documents) bool {
	return list.OfAnyTime() || list.Limit > 0 || list.Text != "" || list.Posted != nil || list.SumFrom != nil ||
		list.SumTo != nil || list.By != "" ||
		len(list.States)+len(list.Employees)+len(list.LegalEntities)+len(list.Groups)+len(list.Channels) > 0
}

// oneByOne says that what lies in documents can be seen by opening one.
func oneByOne(m *message) *language.Reading {
	l := languageOf(m.task, m.in)
	return &language.Reading{Task: m.task, Language: l, Outside: true, FollowUp: true, Confidence: 1, Refusal: l.Pick(
		"Товары всех этих документов вместе показать не могу, только одного. Откройте его, например: «открой первый».",
		"I cannot show the goods of all these documents together, only of one. Open it, for example: “open the "+
			"first”.")}
}

// goodsFigures are the figures of the goods of each type of documents.
var goodsFigures = map[string][]string{"supply": {"quantity_received", "purchases"}, "demand": {"quantity", "sales"},
	"retaildemand": {"quantity", "sales"},
	"salesreturn":  {"quantity_returned", "returns"}, "loss": {"quantity_written_off", "written_off"}}

// unfinished returns the flag of the documents with which something is not done, if a message asks whether it is.
func unfinished(ts []token.Token, list *lookup.Documents) *bool {
	asks := func(event map[string]bool) bool { return wording(aroundDone, event).Is(ts, nil) }
	is := func(kind string) bool { return slices.Equal(list.Kinds, []string{kind}) }
	switch {
	case is("customerorder") && !list.Unshipped && asks(join(shippedWords, words.Set("отправили отправлены"))):
		return &list.Unshipped
	case is("purchaseorder") && !list.NotReceived && asks(join(receivedWords, words.Set("пришли приехали arrived"))):
		return &list.NotReceived
	case (is("customerorder") || is("invoiceout") || is("invoicein") || is("demand") || is("supply")) &&
		!list.Unpaid && asks(words.Set("оплатили оплачены оплачено заплатили paid")):
		return &list.Unpaid
	}
	return nil
}

var aroundDone = words.Set("а и они их уже ли все всё полностью это эти заказы are they all have we been it already " +
	"yet fully")

// ofSome reports whether the answer before was only the last of some documents.
func (t *talk) ofSome() bool {
	var list lookup.Documents
	return t.done.Skill == language.Documents && decode(t.done.Input, &list) && list.Limit > 0
}
