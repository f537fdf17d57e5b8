package answer

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// ByGoods reports whether a change is explained by prices and quantities of goods (rule R201).
func ByGoods(p *analysis.Plan) bool {
	return len(p.By) == 1 && (p.By[0] == measures.DimProduct || p.By[0] == measures.DimVariant) &&
		(p.Measures[0] == "revenue" || p.Measures[0] == "profit")
}

// explain adds what the change consists of to the answer. The parts add up to the change exactly.
func (v View) explain(a *analysis.Answer) {
	if v.Hidden(v.Plan.Shown[0]) {
		return
	}
	if ByGoods(v.Plan) {
		v.explainGoods(a)
	} else {
		v.explainRows(a)
	}
}

// mostContributions is how many rows the sentence names.
const mostContributions = 4

// explainRows names the rows that contribute most to the change, and adds up the others.
func (v View) explainRows(a *analysis.Answer) {
	m := v.Plan.Shown[0]
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
		v.Noticef(tool.NoticePartial, "%s: строки не складываются в общее изменение, поэтому их вклад не назван.",
			"%s: the rows do not add up to the change, so their contributions are not named.", m.Title.In(v.Lang))
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
		part := wording.InQuotes(v.rowName(r), v.Lang) + " " + v.signed(m, change)
		switch {
		case r.Before == nil:
			part += v.Pick(" (раньше не было)", " (new)")
		case r.Now == nil:
			part += v.Pick(" (больше нет)", " (gone)")
		}
		list = append(list, part)
	}
	if n := len(rows) - len(list); n > 0 {
		list = append(list, v.Pickf("остальные (%d) %s", "the others (%d) %s", n, v.signed(m, rest)))
	} else if rest.Sign() != 0 {
		list = append(list, v.Pick("округление ", "rounding ")+v.signed(m, rest))
	}
	if len(list) > 0 {
		v.sayChange(v.signed(m, total.Decimal), list)
	}
}

// rowName returns what a row is about.
func (v View) rowName(r analysis.Row) string {
	names := make([]string, len(r.Keys))
	for i, d := range v.Plan.Dims {
		names[i] = v.keyCell(d, r.Keys[i]).Format(unitOfKeys(d), v.Lang)
	}
	return strings.Join(names, ", ")
}

func (v View) sayChange(total string, parts []string) {
	v.Result.Answer += v.Pick(" Изменение ", " The change of ") + total + ": " + strings.Join(parts, ", ") + "."
}

// explainGoods splits the change of revenue or profit into its effects.
func (v View) explainGoods(a *analysis.Answer) {
	profit := v.Plan.Measures[0] == "profit"
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
			list = append(list, p.name.In(v.Lang)+" "+v.signed(v.Plan.Shown[0], p.amount))
		}
	}
	if len(list) == 0 {
		return
	}
	v.sayChange(v.signed(v.Plan.Shown[0], e.Total()), list)
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Before == nil }); len(names) > 0 {
		v.Result.Answer += v.Pick(" Новые: ", " New: ") + wording.Quoted(names, v.Lang) + "."
	}
	if names := namesOf(a.Rows, func(r analysis.Row) bool { return r.Now == nil }); len(names) > 0 {
		v.Result.Answer += v.Pick(" Больше не продавались: ", " No longer sold: ") + wording.Quoted(names, v.Lang) + "."
	}
}

// signed formats a change of a measure.
func (v View) signed(m *analysis.Measure, n decimal.Decimal) string {
	text := v.cell(m, m.Unit, decimal.Some(n)).Format(m.Unit, v.Lang)
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
