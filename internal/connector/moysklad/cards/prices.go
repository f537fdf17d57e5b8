package cards

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// price is a price of a good with what it earns over the cost.
type price struct {
	name           string
	amount         decimal.Maybe // in main units of its currency
	currency       string
	markup, margin decimal.Maybe // unknown for a cost, and without one
}

// priceList is what the answer says about prices.
type priceList struct {
	sale       *price // of the first type; nil if not set
	cost       decimal.Maybe
	costHidden bool
}

// costOf returns the cost of a unit: of the variants together, weighted by their stock. A cost of zero is unknown (fact
// M82).
func (p *product) costOf() decimal.Maybe {
	var rows []msapi.StockRow
	for _, r := range p.costs {
		if r.Stock.Sign() > 0 || len(p.costs) == 1 {
			rows = append(rows, r)
		}
	}
	if len(rows) == 1 {
		return decimal.Maybe{Decimal: rows[0].Cost.Major(), Known: rows[0].Cost.Sign() > 0}
	}
	var sum, stock decimal.Decimal
	for _, r := range rows {
		if r.Cost.Sign() <= 0 {
			return decimal.Maybe{}
		}
		sum, stock = sum.Add(r.Cost.Mul(r.Stock.Decimal)), stock.Add(r.Stock.Decimal)
	}
	if stock.Sign() == 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(sum.Div(stock).Major())
}

// bought returns the purchase price of the good, or that of its product.
func (p *product) bought() (decimal.Maybe, msapi.Ref) {
	list := []msapi.Price{p.BuyPrice}
	if p.card != nil {
		list = append(list, p.card.BuyPrice)
	}
	if p.parent != nil {
		list = append(list, p.parent.BuyPrice)
	}
	for _, x := range list {
		if amount, currency := shortage.PurchasePrice(x); amount.Known {
			return amount, currency
		}
	}
	return decimal.Maybe{}, msapi.Ref{}
}

// showPrices adds the prices of all types that are set, the minimum price, the purchase price and the cost, with markup
// and margin over the cost; without a cost, over the purchase price.
func (c *call) showPrices(p *product) priceList {
	mayCost := c.Rights.Has(account.RightCost)
	list := priceList{cost: p.costOf(), costHidden: !mayCost || p.stocked() && !p.seesCosts}
	bought, boughtIn := p.bought()
	base, currency := list.cost, c.currency
	if !base.Known && bought.Known {
		base, currency = bought, c.iso(boughtIn)
		ru, en := "Себестоимости нет", "There is no cost"
		if list.costHidden {
			ru, en = "Себестоимость не видна", "The cost is hidden"
		}
		c.Notice(tool.NoticeCostFromPrice, ru+": наценка и маржа — от закупочной цены.",
			en+": markup and margin are over the purchase price.")
	}
	var rows []price
	add := func(name string, amount decimal.Maybe, currencyOf string, earns bool) {
		if !amount.Known || amount.Sign() == 0 {
			return // not set (fact M53)
		}
		x := price{name: name, amount: amount, currency: currencyOf}
		if earns && base.Known && base.Sign() > 0 && currencyOf == currency {
			gain := amount.Sub(base.Decimal)
			x.markup, x.margin = account.Share(gain, base.Decimal), account.Share(gain, amount.Decimal)
		}
		rows = append(rows, x)
	}
	for i, s := range p.SalePrices {
		before := len(rows)
		add(s.PriceType.Name, account.Major(s.Value), c.iso(s.Currency), true)
		if i == 0 && len(rows) > before {
			first := rows[before]
			list.sale = &first
		}
	}
	add(c.Pick("Минимальная цена", "Minimum price"), account.Major(p.MinPrice.Value), c.iso(p.MinPrice.Currency), true)
	add(c.Pick("Закупочная цена", "Purchase price"), bought, c.iso(boughtIn), false)
	if list.cost.Known {
		add(c.Pick("Себестоимость", "Cost"), decimal.Some(list.cost.Round(2)), c.currency, false)
	}
	switch {
	case mayCost:
	case p.stocked() && bought.Known:
		c.Missing(account.SectionCost, "себестоимость не показана", "the cost is not shown")
	case p.stocked():
		c.Missing(account.SectionCost, "себестоимость, закупочная цена, наценка и маржа не показаны",
			"cost, purchase price, markup and margin are not shown")
	case p.Type == "service" && !bought.Known:
		c.Missing(account.SectionCost, "закупочная цена, наценка и маржа не показаны",
			"purchase price, markup and margin are not shown")
	}
	columns := []tool.TableColumn[price]{
		texts("price_type", "Вид цены", "Type of price", func(x price) string { return x.name }),
		amounts("price", "Цена", "Price", func(x price) (decimal.Maybe, string) { return x.amount, x.currency }),
	}
	if slices.ContainsFunc(rows, func(x price) bool { return x.markup.Known }) || list.costHidden && p.stocked() {
		hidden := !base.Known && list.costHidden
		columns = append(columns,
			percents("price_markup", "Наценка", "Markup",
				func(x price) decimal.Maybe { return x.markup }).HiddenIf(hidden),
			percents("price_margin", "Маржа", "Margin",
				func(x price) decimal.Maybe { return x.margin }).HiddenIf(hidden))
	}
	tool.AddPart(c.Result, c.Lang, text("Цены", "Prices"), columns, rows)
	return list
}
