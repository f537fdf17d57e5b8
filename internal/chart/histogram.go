package chart

import (
	"strconv"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// edges are the last days of the ranges of a histogram: a week, two, a month, and so on.
var edges = []int64{7, 14, 30, 60, 90, 180, 365}

// Histogram returns a table of ranges of days with what an amount comes to in each, or with how many rows are in each
// if the amount is the days or has several currencies. Rows with unknown days are in none. Draw it as [Columns] of X
// and Y.
func Histogram(r *tool.Result, days, amount string, l stockhand.Language) (table *tool.Result, s Spec) {
	s = Spec{Kind: Columns, X: "days", Y: []string{"value"}}
	x, y := indexOf(r, days), indexOf(r, amount)
	if x == y {
		y = -1
	}
	table = &tool.Result{Columns: []tool.Column{{Name: "days", Unit: tool.UnitText},
		{Name: "value", Label: l.Pick("Позиций", "Items"), Unit: tool.UnitCount}}}
	if x < 0 {
		return table, s
	}
	table.Columns[0].Label = r.Columns[x].Label
	counts, sums := make([]int, len(edges)+1), make([]decimal.Decimal, len(edges)+1)
	currency, same := "", y >= 0
	for _, row := range r.Rows {
		n, ok := row[x].Decimal()
		if !ok {
			continue
		}
		i := rangeOf(n)
		counts[i]++
		if y < 0 || !same {
			continue
		}
		v, ok := row[y].Decimal()
		if !ok {
			continue
		}
		if currency != "" && currency != row[y].Currency() {
			same = false
		}
		currency, sums[i] = row[y].Currency(), sums[i].Add(v)
	}
	first, last := 0, len(counts)-1
	for first < last && counts[first] == 0 {
		first++
	}
	for last > first && counts[last] == 0 {
		last--
	}
	if same = same && currency != ""; same {
		table.Columns[1] = r.Columns[y]
		table.Columns[1].Name, table.Columns[1].Detail = "value", false
	}
	for i := first; i <= last; i++ {
		value := tool.Count(counts[i])
		if same {
			value = tool.Money(sums[i], currency)
		}
		table.Rows = append(table.Rows, tool.Row{tool.TextValue(rangeName(i, l)), value})
	}
	return table, s
}

// rangeOf returns the range of a number of days.
func rangeOf(n decimal.Decimal) int {
	for i, edge := range edges {
		if n.Cmp(decimal.FromInt(edge)) <= 0 {
			return i
		}
	}
	return len(edges)
}

func rangeName(i int, l stockhand.Language) string {
	switch day := func(n int64) string { return strconv.FormatInt(n, 10) }; i {
	case 0:
		return l.Pick("до "+day(edges[0]), "up to "+day(edges[0]))
	case len(edges):
		return l.Pick("больше "+day(edges[i-1]), "over "+day(edges[i-1]))
	default:
		return day(edges[i-1]+1) + "–" + day(edges[i])
	}
}
