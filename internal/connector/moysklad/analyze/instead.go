package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// pricing puts purchase prices in the place of costs that the employee may not see (rule R16).
type pricing struct {
	*call
	priced map[string]bool // goods but services, by whether they have a price
	shown  map[string]bool // goods whose facts meet the conditions
}

// cost returns the cost of a quantity of a good and the part of its revenue that this covers. A service costs nothing.
// A price in another currency than the account's is none.
func (p *pricing) cost(kind string, item, product msapi.AssortmentItem, quantity decimal.Maybe,
	revenue decimal.Decimal) (cost, covered decimal.Maybe) {
	if kind == "service" {
		return decimal.Some(decimal.Zero), decimal.Some(revenue)
	}
	price := item.BuyPrice
	if price.Value.Sign() == 0 {
		price = product.BuyPrice
	}
	known := quantity.Known && price.Value.Known && price.Value.Sign() > 0 &&
		account.Iso(price.Currency, p.currency, p.currencies) == p.currency
	if p.priced[string(item.ID)] = known; !known {
		return decimal.Maybe{}, decimal.Some(decimal.Zero)
	}
	return decimal.Some(quantity.Mul(price.Value.Major())), decimal.Some(revenue)
}

// finish adds the notice, or hides costs if no good has a price. All facts have been added.
func (p *pricing) finish() {
	n, all := 0, 0
	for good, known := range p.priced {
		if p.shown[good] {
			if all++; known {
				n++
			}
		}
	}
	if n == 0 {
		p.hide(account.SectionCost, measures.Costs, measures.Covered)
		return
	}
	p.fromPrices = true
	p.Noticef(tool.NoticeCostFromPrice,
		"Маржа посчитана от закупочной цены, а не от себестоимости; цена есть у %d из %d товаров.",
		"The margin is computed from the purchase price, not from cost; %d goods of %d have one.", n, all)
}

// pricing starts to price goods.
func (c *call) pricing() *pricing {
	c.prices = &pricing{c, map[string]bool{}, map[string]bool{}}
	return c.prices
}

// noteHidden hides costs that the employee may not see, unless the question allows purchase prices in their place.
func (p *profitPlan) noteHidden(ctx context.Context, rows [][]profitRow) error {
	if !p.costsHidden || !p.needs(measures.Costs, measures.Covered) {
		return nil
	}
	p.Missing(account.SectionCost, "себестоимость и прибыль скрыты", "cost and profit are hidden")
	var keys []msapi.Key
	for _, r := range slices.Concat(rows...) {
		keys = append(keys, r.Subject.ID.Key())
	}
	if !p.instead || p.subject != "" || len(keys) == 0 {
		p.hide(account.SectionCost, measures.Costs, measures.Covered)
		return nil
	}
	items, err := p.DescribeAll(ctx, keys)
	if err != nil && !msapi.IsForbidden(err) {
		return err
	}
	by := p.pricing()
	for _, part := range rows {
		for i := range part {
			r := &part[i]
			item := items[r.Subject.ID.Key()]
			item.ID = r.Subject.ID
			quantity := r.SellQuantity
			quantity.Decimal = quantity.Sub(r.ReturnQuantity.Decimal)
			r.cost, r.covered = by.cost(r.Subject.Type, item, msapi.AssortmentItem{}, quantity,
				netOf(r.ProfitRow).Decimal)
		}
	}
	return nil
}

// priceLines returns the cost of lines of sales and returns by purchase prices, where the profitability report is
// closed.
func (c *call) priceLines(lines []line, goods map[msapi.Key]good) map[*line][2]decimal.Maybe {
	by := c.pricing()
	of := make(map[*line][2]decimal.Maybe, len(lines))
	for i := range lines {
		l := &lines[i]
		quantity, sum, g := l.quantity, l.sum.Decimal, goods[l.good.ID.Key()]
		if l.of.Sum == measures.Returns {
			quantity.Decimal, sum = quantity.Neg(), sum.Neg()
		}
		g.item.ID = l.good.ID
		cost, covered := by.cost(l.good.Type, g.item, g.product, quantity, sum)
		of[l] = [2]decimal.Maybe{cost, covered}
	}
	return of
}

// mostGoodsOfSubjects is how many goods a report by employee, counterparty or channel is filtered by, in one request.
const mostGoodsOfSubjects = 40

// goodsOnServer returns the dimensions of goods whose conditions the profitability report applies itself: they name
// objects, and no column shows them. The report cannot combine goods with groups.
func (c *call) goodsOnServer() (list []string) {
	for _, d := range []string{measures.DimVariant, measures.DimProduct, measures.DimGroup, measures.DimSupplier} {
		goods := d == measures.DimVariant || d == measures.DimProduct
		switch {
		case slices.Contains(c.plan.By, d) || !c.filtersByID(d):
		case goods && (c.namedGoods() == nil || len(list) > 0),
			d == measures.DimGroup && (c.filtersByID(measures.DimVariant) || c.filtersByID(measures.DimProduct)):
		default:
			list = append(list, d)
		}
	}
	return list
}

// namedGoods returns the goods that conditions restrict the query to.
func (c *call) namedGoods() []msapi.Ref {
	ids := c.idsOf(measures.DimVariant)
	if ids == nil {
		ids = c.idsOf(measures.DimProduct)
	}
	if ids == nil {
		return nil
	}
	refs := []msapi.Ref{}
	for _, id := range ids {
		if r, ok := c.found[id]; ok {
			refs = append(refs, r)
		}
	}
	return refs
}

// Good is what a source knows of a good beside its name, in the field Of of its key, for the tables of presets.
type Good struct{ Article, Code, Unit string }

// about returns what a key says of a good; only presets show it.
func (c *call) about(g Good) any {
	if !c.preset {
		return nil
	}
	return g
}
