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

// reservedFor reads "кто зарезервировал" and "под какие заказы" after reserves (rule R955): the orders that reserve, by
// customer or by order. Of named goods, the orders that are not shipped and have these goods. It returns nil for any
// other message.
func (t *talk) reservedFor(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !ofReserve(t.done) {
		return nil
	}
	l := languageOf(task, in)
	who, orders := says(task, reservers, aroundReserved), says(task, reservingOrders, aroundReserved)
	if !who && !orders {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	q := analysis.Query{Measures: []string{"reserved"}, By: []string{"counterparty"},
		Where: []analysis.Condition{{Field: "reserved", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}}
	if orders {
		q.By = []string{"document", "counterparty"}
	}
	q.From, q.To = t.years()
	var goods []string
	for _, w := range base.Query.Where {
		switch {
		case w.Field == "reserve":
		case w.Field == "product" && w.Op == analysis.In:
			for _, v := range w.Values {
				goods = append(goods, string(v))
			}
		default:
			q.Where = append(q.Where, w)
		}
	}
	if len(goods) > 0 && len(q.Where) == 1 {
		return &language.Reading{Task: task, Language: l, Skill: language.Documents, FollowUp: true, Confidence: 1,
			Input: lookup.Documents{Kinds: []string{"customerorder"}, Unshipped: true, Products: goods}}
	}
	if len(goods) > 0 || !query.Possible(in.Catalogue, q) {
		x := notApplied(language.Reading{Language: l}, task, t.done)
		return &x
	}
	return changedTo(task, l, &q)
}

var (
	reservers       = words.Set("кто кем кому кого чей чьи клиенты клиентам покупатели покупателям who whom whose")
	reservingOrders = words.Set("заказы заказ заказам заказов заказах orders order")
	aroundReserved  = words.Set("а и под за для на по в у какие какой каким каких что зарезервировал зарезервировали " +
		"зарезервировано зарезервированы зарезервирован держит держим держат резерв резервы резерве их они это все всё " +
		"лежат лежит отложено отложены отложил стоят стоит him them for which reserved is are it by in")
)

// ofReserve reports whether an answer was what is reserved of goods.
func ofReserve(done *language.Reading) bool {
	return done.Query != nil && len(done.Query.Measures) == 1 && done.Query.Measures[0] == "reserve"
}

// ofComing reports whether an answer was what comes from suppliers, without the name of anything.
func ofComing(done *language.Reading) bool {
	q := done.Query
	return q != nil && (slices.Contains(q.Measures, "in_transit") || slices.Contains(q.Measures, "open_orders") ||
		slices.Contains(q.Measures, "expected_on")) && !slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		return w.Op == analysis.In || w.Op == analysis.NotIn
	})
}

// ofGoodsComing reports whether an answer was how much comes of goods.
func ofGoodsComing(done *language.Reading) bool {
	q := done.Query
	return q != nil && slices.Equal(q.Measures, []string{"in_transit"}) && slices.Contains(q.By, "product")
}

// ofOrdered reports whether an answer was what we ordered from suppliers.
func ofOrdered(done *language.Reading) bool {
	return done.Query != nil && slices.Equal(done.Query.Measures, []string{"ordered"})
}

// ofProductCard reports whether an answer was the card of one of the goods.
func ofProductCard(done *language.Reading) bool { return done.Skill == language.Product }

// ofOneGood reports whether an answer was about one of the goods.
func ofOneGood(done *language.Reading) bool {
	return ofProductCard(done) || done.Query != nil && slices.ContainsFunc(done.Query.Where,
		func(w analysis.Condition) bool {
			return w.Field == "product" && w.Op == analysis.In && len(w.Values) == 1
		})
}

// ofGoodsByStore reports whether an answer was the stock of goods that were named, by warehouse.
func ofGoodsByStore(done *language.Reading) bool {
	return ofNamedStock(done) && (done.Skill == language.StockByStore && len(done.Arguments.Stores) == 0 ||
		done.Query != nil && slices.Contains(done.Query.By, "store"))
}

// ofFree reports whether an answer was what is free of goods that were named, in all warehouses.
func ofFree(done *language.Reading) bool {
	q := done.Query
	return q != nil && slices.Equal(q.Measures, []string{"free"}) && ofGoods(done) &&
		!slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == "store" })
}

// undelivered reads "чего не довезли" after what we ordered from somebody as the orders of the same supplier that are
// not received (rule R957). It returns nil for any other message.
func (t *talk) undelivered(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !wording(aroundRemaining, notWords, receivedWords).Is(token.Split(task), nil) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil || len(base.Query.Measures) == 0 || base.Query.Measures[0] != "ordered" &&
		base.Query.Measures[0] != "purchases" {
		return nil
	}
	list := lookup.Documents{Kinds: []string{"purchaseorder"}, NotReceived: true}
	for _, w := range base.Query.Where {
		if w.Op != analysis.In || w.Field != "counterparty" && w.Field != "supplier" && w.Field != "store" {
			return nil
		}
		for _, v := range w.Values {
			if w.Field == "store" {
				list.Stores = append(list.Stores, string(v))
			} else {
				list.Counterparties = append(list.Counterparties, string(v))
			}
		}
	}
	return &language.Reading{Task: task, Language: base.Language, Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}
