package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// reversedList reads "наоборот" and "в обратном порядке" after a list of documents as the same list from its other end
// (rule R1183). It returns nil for any other message.
func (t *talk) reversedList(m *message) *language.Reading {
	list, ok := t.listShown()
	if !ok || list.By != "" || !wording(join(aroundReversed, inWords), reversing).Is(token.Split(m.task), nil) {
		return nil
	}
	other := map[string]string{"": "oldest", "newest": "oldest", "oldest": "", "largest": "smallest",
		"smallest": "largest"}
	order, known := other[list.Order]
	if !known {
		return nil
	}
	list.Order = order
	return t.listAgain(m, list)
}

// restrictedList reads "только новые", "какие из них не оплачены" and "the ones from Alfa" after a list of documents as
// the same list with that state or partner (rule R1183): figures of documents have no states. It returns nil for any
// other message.
func (t *talk) restrictedList(m *message) *language.Reading {
	list, ok := t.listShown()
	if !ok || list.By != "" || len(list.Kinds) == 0 {
		return nil
	}
	var said []string
	for _, x := range token.Split(m.task) {
		switch {
		case x.Punctuation(), onlyWords[x.Norm], leads[x.Norm], ofTheList[x.Norm], list.Kinds[0] == listNoun[x.Norm]:
		case x.Kind != token.Word:
			return nil
		default:
			said = append(said, x.Raw)
		}
	}
	const most, mostOfPartner = 2, 5
	ofPartner := len(said) > 1 && ofPartnerWords[strings.ToLower(said[0])] && len(said) <= mostOfPartner
	if len(said) == 0 || len(said) > most && !ofPartner {
		return nil
	}
	noun, ok := listNouns[list.Kinds[0]]
	if !ok {
		return nil
	}
	text, documents := strings.Join(said, " "), noun[strings.ContainsAny(said[0], latin)]
	if text += " " + documents; ofPartner {
		text = documents + " " + strings.Join(said, " ")
	}
	x := *t.task(text)
	var alone lookup.Documents
	if x.Skill == language.Documents && len(x.Unknown) > 0 && t.unsearched() {
		x.Task, x.FollowUp = m.task, true
		return &x
	}
	if !complete(&x) || x.Skill != language.Documents || !decode(x.Input, &alone) {
		return nil
	}
	only := lookup.Documents{Kinds: alone.Kinds, States: alone.States, Unpaid: alone.Unpaid, Unshipped: alone.Unshipped,
		NotReceived: alone.NotReceived, Overdue: alone.Overdue, Posted: alone.Posted}
	if ofPartner {
		only.Counterparties = alone.Counterparties
	}
	if !sameList(only, alone) || sameList(only, lookup.Documents{Kinds: alone.Kinds}) {
		return nil
	}
	list = t.withPeriod(list)
	if len(only.States) > 0 {
		list.States = only.States
	}
	if ofPartner {
		list.Counterparties = only.Counterparties
	}
	list.Unpaid, list.Unshipped = list.Unpaid || only.Unpaid, list.Unshipped || only.Unshipped
	list.NotReceived, list.Overdue = list.NotReceived || only.NotReceived, list.Overdue || only.Overdue
	if only.Posted != nil {
		list.Posted = only.Posted
	}
	return t.listAgain(m, list)
}

// withPeriod states the period of a list that has it by default, where a state would lift it: the 30 days up to today.
func (t *talk) withPeriod(list lookup.Documents) lookup.Documents {
	const days = 30
	anytime := list.Unpaid || list.Unshipped || list.NotReceived || list.Overdue || list.Number != "" ||
		list.DueFrom != "" || list.DueTo != ""
	if list.From == "" && list.To == "" && !anytime {
		list.From, list.To = tool.DayOf(t.in.Now.AddDate(0, 0, 1-days)), tool.DayOf(t.in.Now)
	}
	return list
}

// listShown returns the list of documents that the answer before showed.
func (t *talk) listShown() (list lookup.Documents, ok bool) {
	return list, t.done != nil && t.done.Skill == language.Documents && decode(t.done.Input, &list)
}

// listAgain returns the list before, changed.
func (t *talk) listAgain(m *message, list lookup.Documents) *language.Reading {
	return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}

func sameList(a, b lookup.Documents) bool {
	return same(&language.Reading{Skill: language.Documents, Input: a}, &language.Reading{Skill: language.Documents,
		Input: b})
}

var (
	inWords   = words.Set("в показать покажи теперь them it show")
	ofTheList = words.Set("из них те которые какие что кто такие among them those ones the of which are")
	// ofPartnerWords stand before the partner of documents.
	ofPartnerWords = words.Set("от у для from for by of")
	latin          = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// listNouns are the types of documents that a list is of, in Russian and (true) in English.
	listNouns = map[string]map[bool]string{
		"customerorder": {false: "заказы покупателей", true: "customer orders"},
		"purchaseorder": {false: "заказы поставщикам", true: "supplier orders"},
		"demand":        {false: "отгрузки", true: "shipments"},
		"supply":        {false: "приёмки", true: "receipts"},
		"invoiceout":    {false: "счета покупателям", true: "customer invoices"},
		"invoicein":     {false: "счета поставщиков", true: "supplier invoices"},
		"move":          {false: "перемещения", true: "transfers"},
	}
	listNoun = map[string]string{"заказы": "customerorder", "orders": "customerorder", "отгрузки": "demand",
		"shipments": "demand", "приемки": "supply", "поставки": "supply", "перемещения": "move"}
)

// ofLastPurchase reads "почём" after the last purchase of some goods as the price that was paid, and "на какую сумму"
// after the last purchase or sale of all as that document (rule R1184). By themselves, the words are about selling
// prices. It returns nil for any other message.
func (t *talk) ofLastPurchase(m *message) *language.Reading {
	if t.done == nil || t.done.Query == nil {
		return nil
	}
	q := t.done.Query
	ts := token.Split(m.task)
	has := func(measure string) bool { return slices.Contains(q.Measures, measure) }
	goods := slices.Contains(q.By, "product") || slices.ContainsFunc(conditionsOf(t.done), ofGoodsOnly)
	switch {
	case !has("last_purchase") && !has("latest_sale"):
		return nil
	case has("last_purchase") && goods && len(q.By) <= 1 && (len(q.By) == 0 || eachGood[q.By[0]]) &&
		wording(aroundPaid, paidPrice).Is(ts, nil):
		x := *q
		x.Measures, x.Order = []string{"last_purchase_price", "last_purchase"}, nil
		if len(q.By) == 0 {
			x.By = []string{"product"}
		}
		return changedTo(m.task, languageOf(m.task, m.in), &x)
	case !goods && wording(aroundPaid, sumPaid).Is(ts, nil):
		list, ok := listOf(q)
		if !ok {
			return nil
		}
		list.Limit = 1
		if list.From == "" {
			list.From, list.To = lastYear(m.in.Now)
		}
		return t.listAgain(m, list)
	}
	return nil
}

// ofOnePiece reads "а себестоимость" after prices as the cost of one piece: the cost of what was sold stands beside no
// price (rule R1184). It returns nil for any other message.
func (t *talk) ofOnePiece(m *message) *language.Reading {
	if t.done == nil || t.done.Query == nil || !slices.Equal(t.done.Query.Measures, []string{"sale_price"}) ||
		!wording(aroundPaid, costOfOne).Is(token.Split(m.task), nil) {
		return nil
	}
	q := *t.done.Query
	q.Measures, q.Order = []string{"unit_cost"}, nil
	q.Where = slices.Clone(q.Where)
	q.By = slices.DeleteFunc(slices.Clone(q.By), func(by string) bool { return by == "price_type" })
	for i := len(q.Where) - 1; i >= 0; i-- {
		if q.Where[i].Field == "price_type" {
			q.Where = slices.Delete(q.Where, i, i+1)
		}
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

// stockThere reads "есть на Лесной?" after prices of some goods as what that warehouse has of them (rule R1184): prices
// are those of all warehouses. It returns nil for any other message.
func (t *talk) stockThere(m *message) *language.Reading {
	if t.done == nil || t.done.Query == nil || slices.ContainsFunc(t.done.Query.Measures, func(measure string) bool {
		return !ofEachCard[measure]
	}) {
		return nil
	}
	s := t.parts(m.task, false)
	var stores []analysis.Scalar
	asks := false
	for _, p := range s.parts {
		if p.slots[0] != "store" || p.excludes || len(p.names) != 1 {
			return nil
		}
		stores = append(stores, analysis.Scalar(p.names[0].Name))
	}
	for i, x := range s.ts {
		if !s.inName(i) && !x.Punctuation() && !belongs[x.Norm] {
			if asks = asks || liesThere[x.Norm]; !liesThere[x.Norm] && !joins[x.Norm] {
				return nil
			}
		}
	}
	q := analysis.Query{Measures: []string{"stock"}, By: slices.Clone(t.done.Query.By)}
	for _, w := range t.done.Query.Where {
		if ofGoodsOnly(w) {
			q.Where = append(q.Where, w)
		}
	}
	if len(stores) == 0 || len(q.Where) == 0 || !asks {
		return nil
	}
	q.By = slices.DeleteFunc(q.By, func(by string) bool { return by == "price_type" })
	q.Where = append(q.Where, analysis.Condition{Field: "store", Op: analysis.In, Values: stores})
	if !query.Possible(m.in.Catalogue, q) {
		return nil
	}
	return changedTo(m.task, languageOf(m.task, m.in), &q)
}

var (
	ofEachCard = words.Set("sale_price card_purchase_price minimum_price unit_cost")
	liesThere  = words.Set("есть имеется сколько осталось остаток остатки наличии лежит там is there have any how many left " +
		"stock it")
	eachGood   = words.Set("product variant")
	paidPrice  = words.Set("почем цена цене цену ценой сколько price much")
	sumPaid    = words.Set("сумму сумма сумме сколько стоила стоило обошлась обошлось заплатили total sum much amount")
	costOfOne  = words.Set("себестоимость себестоимости себес cost")
	aroundPaid = words.Set("а и по за на какой какую какая каким была было был были она оно он их его её брали взяли купили " +
		"закупили закупали покупали стоил стоила стоило скок всего в что это то у них and at what which how was is the it " +
		"that for price did we pay paid cost")
)
