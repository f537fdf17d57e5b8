package analyze

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// explained checks a query that explains a change (rule R201). By goods, the change of revenue or profit is split into
// the effects of prices and quantities. By anything else, the change of a measure that adds up is split into the
// contributions of the rows.
func (c *call) explained() error {
	if !c.plan.Explain {
		return nil
	}
	first := c.plan.Shown[0]
	switch {
	case len(c.plan.By) == 0:
		return account.Invalid("explain", c.Pick("нужен разрез by, по которому искать причины",
			"needs a breakdown by something that contributes"))
	case c.ofGoods() && !slices.Contains(c.plan.Measures, "quantity"):
		return account.Invalid("explain", c.Pickf("нужно и количество: measures: [\"%s\", \"quantity\"]",
			"needs the quantity, too: measures: [\"%s\", \"quantity\"]", first.Name))
	case !first.Adds:
		return account.Invalid("explain", c.Pickf("«%s» не складывается из частей; объясняется изменение первого из "+
			"measures, например revenue или profit", "“%s” does not add up from parts; the change of the first of "+
			"measures is explained, such as revenue or profit", first.Title.In(c.Lang)))
	}
	return nil
}

// ofGoods reports whether prices and quantities explain the change.
func (c *call) ofGoods() bool {
	return len(c.plan.By) == 1 && (c.plan.By[0] == measures.DimProduct || c.plan.By[0] == measures.DimVariant) &&
		(c.plan.Measures[0] == "revenue" || c.plan.Measures[0] == "profit")
}

// explain adds what the change consists of to the answer. The parts add up to the change exactly.
func (c *call) explain(a *analysis.Answer) {
	if c.isHidden(c.plan.Shown[0]) {
		return
	}
	if c.ofGoods() {
		c.explainGoods(a)
	} else {
		c.explainRows(a)
	}
}

// mostContributions is how many rows the sentence names.
const mostContributions = 4

// explainRows names the rows that contribute most to the change, and adds up the others.
func (c *call) explainRows(a *analysis.Answer) {
	m := c.plan.Shown[0]
	total, rest := a.Total.Change(m), decimal.Zero
	var rows []analysis.Row
	for _, r := range a.Rows {
		change := r.Change(m)
		if !change.Known {
			total = decimal.Maybe{}
			break
		}
		if rest = rest.Add(change.Decimal); change.Sign() != 0 {
			rows = append(rows, r)
		}
	}
	if !total.Known || rest.Cmp(total.Decimal) != 0 {
		c.Noticef(tool.NoticePartial, "%s: строки не складываются в общее изменение, поэтому их вклад не назван.",
			"%s: the rows do not add up to the change, so their contributions are not named.", m.Title.In(c.Lang))
		return
	}
	slices.SortStableFunc(rows, func(x, y analysis.Row) int {
		return y.Change(m).Abs().Cmp(x.Change(m).Abs())
	})
	shown := func(n decimal.Decimal) decimal.Decimal { // as in the table, so that what is read adds up
		if m.Unit == tool.UnitMoney {
			return n.Round(2)
		}
		return n
	}
	rest = shown(total.Decimal)
	var list []string
	for _, r := range rows[:min(len(rows), mostContributions)] {
		change := shown(r.Change(m).Decimal)
		rest = rest.Sub(change)
		part := wording.InQuotes(c.rowName(r), c.Lang) + " " + c.signed(m, change)
		switch {
		case r.Before == nil:
			part += c.Pick(" (раньше не было)", " (new)")
		case r.Now == nil:
			part += c.Pick(" (больше нет)", " (gone)")
		}
		list = append(list, part)
	}
	if n := len(rows) - len(list); n > 0 {
		list = append(list, c.Pickf("остальные (%d) %s", "the others (%d) %s", n, c.signed(m, rest)))
	} else if rest.Sign() != 0 {
		list = append(list, c.Pick("округление ", "rounding ")+c.signed(m, rest))
	}
	if len(list) > 0 {
		c.sayChange(c.signed(m, total.Decimal), list)
	}
}

// rowName returns what a row is about.
func (c *call) rowName(r analysis.Row) string {
	names := make([]string, len(r.Keys))
	for i, d := range c.plan.Dims {
		names[i] = c.keyCell(d, r.Keys[i]).Format(unitOfKeys(d), c.Lang)
	}
	return strings.Join(names, ", ")
}

func (c *call) sayChange(total string, parts []string) {
	c.Result.Answer += c.Pick(" Изменение ", " The change of ") + total + ": " + strings.Join(parts, ", ") + "."
}

// explainGoods splits the change of revenue or profit into its effects.
func (c *call) explainGoods(a *analysis.Answer) {
	profit := c.plan.Measures[0] == "profit"
	goods := make([]analysis.Change, 0, len(a.Rows))
	for _, r := range a.Rows {
		goods = append(goods, measures.Change(r, profit))
	}
	e := analysis.Explain(goods)
	type part struct {
		name   tool.Text
		amount decimal.Decimal
	}
	parts := []part{
		{words("цены", "prices"), e.Price}, {words("объём", "volume"), e.Volume},
		{words("состав продаж", "mix"), e.Mix},
		{words("себестоимость", "cost"), e.Cost}, {words("новые товары", "new goods"), e.New},
		{words("пропавшие из продаж", "goods no longer sold"), e.Lost},
		{words("количество или себестоимость неизвестны", "quantity or cost unknown"), e.Rest},
	}
	slices.SortStableFunc(parts, func(x, y part) int { return y.amount.Abs().Cmp(x.amount.Abs()) })
	var list []string
	for _, p := range parts {
		if p.amount.Sign() != 0 {
			list = append(list, p.name.In(c.Lang)+" "+c.signed(c.plan.Shown[0], p.amount))
		}
	}
	if len(list) == 0 {
		return
	}
	c.sayChange(c.signed(c.plan.Shown[0], e.Total()), list)
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Before == nil }); len(names) > 0 {
		c.Result.Answer += c.Pick(" Новые: ", " New: ") + wording.Quoted(names, c.Lang) + "."
	}
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Now == nil }); len(names) > 0 {
		c.Result.Answer += c.Pick(" Больше не продавались: ", " No longer sold: ") + wording.Quoted(names, c.Lang) + "."
	}
}

// signed formats a change of a measure.
func (c *call) signed(m *analysis.Measure, n decimal.Decimal) string {
	text := c.cell(m, m.Unit, decimal.Some(n)).Format(m.Unit, c.Lang)
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
