package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
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
	q.By = slices.DeleteFunc(slices.Clone(q.By), func(by string) bool { return by == "price_type" })
	q.Where = slices.DeleteFunc(slices.Clone(q.Where),
		func(w analysis.Condition) bool { return w.Field == "price_type" })
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
	liesThere  = words.Set("есть имеется сколько осталось остаток остатки наличии лежит там is there have any how " +
		"many left stock it")
	eachGood   = words.Set("product variant")
	paidPrice  = words.Set("почем цена цене цену ценой сколько price much")
	sumPaid    = words.Set("сумму сумма сумме сколько стоила стоило обошлась обошлось заплатили total sum much amount")
	costOfOne  = words.Set("себестоимость себестоимости себес cost")
	aroundPaid = words.Set("а и по за на какой какую какая каким была было был были она оно он их его её брали " +
		"взяли купили закупили закупали покупали стоил стоила стоило скок всего в что это то у " +
		"них and at what which how was is the it that for price did we pay paid cost")
)
