package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// isZero reads "without stock": the only measure for which none is known to be zero.
func (d *draft) isZero(it, before *item) bool {
	if it.id != "stock" {
		return false
	}
	before.used = true
	d.addMeasure(it.id)
	d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.Equal, Values: []analysis.Scalar{"0"}})
	return true
}

// condition reads an operator with its number: of the measure before it, else of the one after it, else of prices.
func (d *draft) condition(i int, it *item) {
	n := d.neighbour(i, 1)
	if !is(n, number) || n.used {
		switch it.used = true; {
		case !comparatives[d.ts[it.at].Norm]:
			it.used = prepositions[d.ts[it.at].Norm] && it.end == it.at+1 // "от Чайного дома"
		case it.id == string(analysis.Greater) && d.direction == "": // "где больше продаж"
			d.direction = analysis.Descending
		case it.id == string(analysis.Less) && d.direction == "":
			d.direction = analysis.Ascending
		}
		return
	}
	var of string
	for j := i - 1; j >= 0 && of == ""; j-- {
		if d.items[j].kind == measure {
			of = d.items[j].id
		}
	}
	for j := i + 1; j < len(d.items) && of == ""; j++ {
		if d.items[j].kind == measure {
			of = d.items[j].id
		}
	}
	if w := d.ts[it.at].Stem; w == stem("дороже") || w == stem("дешевле") {
		of = "sale_price"
	}
	least, upper := n.number, d.upTo(n)
	if upper != nil {
		least = least.like(upper.number)
	}
	m, ok := d.Catalogue.Measure(of)
	if !ok || !unitFits(m.Unit, least.unit) || upper != nil && !unitFits(m.Unit, upper.number.unit) {
		return
	}
	d.addMeasure(of)
	it.used, n.used = true, true
	w := analysis.Condition{Field: of, Op: analysis.Op(it.id),
		Values: []analysis.Scalar{analysis.Scalar(least.value)}}
	if upper != nil {
		w.Op, w.Values = analysis.Between, append(w.Values, analysis.Scalar(upper.number.value))
		d.items[slices.Index(d.items, upper)-1].used, upper.used = true, true // "до"
	}
	d.q.Where = append(d.q.Where, w)
}

// atLeast reads a number of days right behind a measure of days as its least: "not sold for 60 days".
func (d *draft) atLeast(it, n *item) {
	m, ok := d.Catalogue.Measure(it.id)
	if !ok || m.Unit != tool.UnitDays || !is(n, number) || n.used || n.number.unit != words.Days {
		return
	}
	n.used = true
	d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.GreaterEqual,
		Values: []analysis.Scalar{analysis.Scalar(n.number.value)}})
	if it.id == "days_since_sale" { // goods that are still there
		d.addMeasure("stock")
	}
}

// upTo returns the second number of "от 10 до 20"; nil if there is none.
func (d *draft) upTo(n *item) *item {
	i := slices.Index(d.items, n)
	if i+2 >= len(d.items) || d.items[i+2].kind != number || d.ts[d.items[i-1].at].Norm != "от" &&
		d.ts[d.items[i-1].at].Norm != "from" {
		return nil
	}
	if w := d.ts[d.items[i+1].at].Norm; w != "до" && w != "to" {
		return nil
	}
	return d.items[i+2]
}

// unitFits reports whether a number with a unit can be compared with a measure. A number without a unit always can.
func unitFits(of tool.Unit, n words.UnitKind) bool {
	switch n {
	case words.NoUnit:
		return of != tool.UnitDate
	case words.Money:
		return of == tool.UnitMoney
	case words.Percent:
		return of == tool.UnitPercent
	case words.Quantity:
		return of == tool.UnitQuantity
	case words.Days:
		return of == tool.UnitDays
	case words.Count, words.Times, words.Other:
	}
	return false
}
