package analyze

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// explained prepares a query that explains a change: it is computed by goods, whose prices and quantities make the
// effects, and of one measure, revenue or profit.
func (c *call) explained() error {
	if !c.plan.Explain {
		return nil
	}
	measure := c.plan.Measures[0]
	if measure != "revenue" && measure != "profit" {
		return account.Invalid("explain", c.Pick("объясняется изменение revenue или profit, первого из measures",
			"the change of revenue or profit is explained, the first of measures"))
	}
	if len(c.plan.By) != 1 || c.plan.By[0] != dimProduct && c.plan.By[0] != dimVariant {
		return account.Invalid("explain", c.Pick("нужен разрез by: [\"product\"] или [\"variant\"]",
			"needs the breakdown by: [\"product\"] or [\"variant\"]"))
	}
	if !slices.Contains(c.plan.Measures, "quantity") {
		return account.Invalid("explain", c.Pick("нужно и количество: measures: [\""+measure+"\", \"quantity\"]",
			"needs the quantity, too: measures: [\""+measure+"\", \"quantity\"]"))
	}
	return nil
}

// explain adds what the change consists of to the answer. Effects add up to the change exactly.
func (c *call) explain(a *analysis.Answer) {
	profit := c.plan.Measures[0] == "profit"
	goods := make([]analysis.Change, 0, len(a.Rows))
	for _, r := range a.Rows {
		goods = append(goods, analysis.Change{Unit: unitOf(r), Now: saleOf(r.Now, profit),
			Before: saleOf(r.Before, profit)})
	}
	e := analysis.Explain(goods)
	parts := []struct {
		name   tool.Text
		amount decimal.Decimal
	}{
		{words("цены", "prices"), e.Price}, {words("объём", "volume"), e.Volume},
		{words("состав продаж", "mix"), e.Mix},
		{words("себестоимость", "cost"), e.Cost}, {words("новые товары", "new goods"), e.New},
		{words("пропавшие из продаж", "goods no longer sold"), e.Lost},
		{words("количество или себестоимость неизвестны", "quantity or cost unknown"), e.Rest},
	}
	slices.SortStableFunc(parts, func(x, y struct {
		name   tool.Text
		amount decimal.Decimal
	}) int {
		return y.amount.Abs().Cmp(x.amount.Abs())
	})
	var list []string
	for _, p := range parts {
		if p.amount.Sign() != 0 {
			list = append(list, p.name.In(c.Lang)+" "+c.signed(p.amount))
		}
	}
	if len(list) == 0 {
		return
	}
	c.Result.Answer += c.Pick(" Изменение ", " The change of ") + c.signed(e.Total()) + c.Pick(": ", ": ") +
		strings.Join(list, ", ") + "."
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Before == nil }); len(names) > 0 {
		c.Result.Answer += c.Pick(" Новые: ", " New: ") + wording.Quoted(names, c.Lang) + "."
	}
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Now == nil }); len(names) > 0 {
		c.Result.Answer += c.Pick(" Больше не продавались: ", " No longer sold: ") + wording.Quoted(names, c.Lang) + "."
	}
}

func (c *call) signed(n decimal.Decimal) string {
	text := tool.FormatMoney(n.Round(2), c.currency, c.Lang)
	if n.Sign() > 0 {
		return "+" + text
	}
	return text
}

// namesOf returns the names of the rows that were or are sold, greatest first.
func namesOf(rows []analysis.Row, is func(analysis.Row) bool) []string {
	var list []string
	for _, r := range rows {
		if is(r) {
			list = append(list, r.Keys[0].Name)
		}
	}
	return list
}

func unitOf(r analysis.Row) string {
	if r.Now != nil {
		return r.Now.Unit()
	}
	return r.Before.Unit()
}

// saleOf returns what a good brought in a period, net of returns. Of profit, only revenue whose cost is known counts.
func saleOf(g *analysis.Group, profit bool) *analysis.Sale {
	if g == nil {
		return nil
	}
	sold, returned := g.Sum(quantitySold), g.Sum(quantityReturned)
	s := &analysis.Sale{Quantity: sold.Sub(returned.Decimal), Known: sold.Known && returned.Known}
	if !profit {
		s.Revenue = g.Sum(sales).Sub(g.Sum(returns).Decimal)
		return s
	}
	s.Revenue, s.Cost = g.Sum(covered).Decimal, g.Sum(costs).Decimal
	s.Known = s.Known && g.Sum(costs).Known
	return s
}
