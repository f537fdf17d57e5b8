package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// isZero reads "without stock", "без скидки": a measure that is zero. Of sales, goods in stock that were not sold.
func (d *draft) isZero(it, before, next *item) bool {
	switch it.id {
	case "revenue", "quantity", "receipts":
		before.used = true
		d.withoutSales(next)
	case "stock", "free", "sale_price", "card_purchase_price", "minimum_price", "reserve", "discount", "profit",
		"margin",
		"returns", "balance", "minimum":
		before.used = true
		d.addMeasure(it.id)
		d.where(it.id, analysis.Equal, "0")
	default:
		return false
	}
	return true
}

// withoutSales asks for goods in stock that the period, or the last days, sold none of.
func (d *draft) withoutSales(next *item) {
	if is(next, operator) {
		next.used = true
		next = d.neighbour(slices.Index(d.items, next), 1)
	}
	if is(next, number) && next.number.unit == words.Days && len(d.periods) == 0 {
		if n, err := strconv.Atoi(next.number.value); err == nil && n > 0 && n < 1000 {
			next.used = true
			d.lastDays(n)
		}
	}
	d.unsold = true
	d.ask("stock", "pace")
	d.where("stock", analysis.Greater, "0")
	d.where("pace", analysis.Equal, "0")
	d.goods = len(d.q.By) == 0
}

// sign reads "отрицательный остаток" and "без нулевых": a measure beside the word, else the first one.
func (d *draft) sign(it, prev, next *item) {
	op, of := analysis.Less, ""
	if it.kind == nonzero {
		op = analysis.NotEqual
	}
	switch {
	case is(next, measure) && !strings.Contains(next.id, " "):
		of = next.id
	case is(prev, measure) && !strings.Contains(prev.id, " "):
		of = prev.id
	case len(d.q.Measures) > 0:
		of = d.q.Measures[0]
	case d.Previous != nil:
		of = d.Previous.Measures[0]
	case it.kind == negative:
		of = "stock"
	}
	if of == "" {
		return
	}
	it.used = true
	markIf(prev, except, absent)
	d.addMeasure(of)
	d.where(of, op, "0")
}

// condition reads an operator with its number. It is about the measure beside it, else about the nearest one that the
// number's unit fits, else about what the unit says: money is a price, days are those in stock.
func (d *draft) condition(i int, it *item) {
	if d.behind(it) {
		number := d.items[i-1]
		if of := d.about(i-1, i, number.number); of != "" && !number.used {
			d.addMeasure(of)
			it.used, number.used = true, true
			d.where(of, analysis.Op(it.id), number.number.value)
		}
		return
	}
	n := d.neighbour(i, 1)
	around := is(n, about)
	if around {
		n = d.neighbour(slices.Index(d.items, n), 1)
	}
	if !is(n, number) || n.used {
		if !d.orLess(i, it) {
			d.comparative(it, n)
		}
		return
	}
	least, upper := n.number, d.upTo(it, n)
	if upper != nil {
		least = least.like(upper.number)
	}
	of := d.about(i, slices.Index(d.items, n), least)
	if of == "" {
		return
	}
	d.addMeasure(of)
	it.used, n.used = true, true
	if around {
		d.neighbour(i, 1).used = true
	}
	op := analysis.Op(it.id)
	if op == analysis.Between && upper == nil {
		it.used, n.used = false, false
		return
	}
	values := []string{least.value}
	if upper != nil {
		op, values = analysis.Between, append(values, upper.number.value)
		d.items[slices.Index(d.items, upper)-1].used, upper.used = true, true // "до"
	}
	d.where(of, op, values...)
}

// behind reports whether an operator stands behind its number: "10 or more", "500 and above", "20+".
func (d *draft) behind(it *item) bool {
	if !is(it, operator) {
		return false
	}
	i, w := slices.Index(d.items, it), d.ts[it.at].Norm
	return i > 0 && d.items[i-1].kind == number && (w == "or" || w == "and" || w == "+")
}

// comparative reads an operator without a number: "где больше продаж", "больше, чем в октябре".
func (d *draft) comparative(it, next *item) {
	last := d.ts[it.end-1].Norm
	switch it.used = true; {
	case is(next, period) && (last == "чем" || last == "than"):
		d.compares = true
	case is(next, measure) && (last == "чем" || last == "than"): // one measure with another
		it.used = false
	case !comparatives[d.ts[it.at].Norm]:
		it.used = prepositions[d.ts[it.at].Norm] && it.end == it.at+1 // "от Чайного дома"
	case d.direction != "":
	case it.id == string(analysis.Greater): // "где больше продаж"
		d.direction = analysis.Descending
	case it.id == string(analysis.Less):
		d.direction = analysis.Ascending
	}
}

// about returns the measure that a condition is about; empty if that is not clear.
func (d *draft) about(at, n int, value numeral) string {
	fits := func(it *item) bool {
		if !is(it, measure) || strings.Contains(it.id, " ") || d.unsold && it.id == "days_since_sale" {
			return false
		}
		m, ok := d.Catalogue.Measure(it.id)
		if ok && m.Unit == tool.UnitPercent && value.unit == words.NoUnit && len(value.value) > 3 &&
			!strings.Contains(value.value, ".") {
			return false // 50 000 percent is not what is meant
		}
		return ok && unitFits(m.Unit, value.unit) &&
			!(d.unsold && m.Unit == tool.UnitDays && value.unit == words.NoUnit)
	}
	if priceWords[d.ts[d.items[at].at].Norm] {
		if value.unit == words.NoUnit || value.unit == words.Money {
			return "sale_price"
		}
		return ""
	}
	before, after := d.neighbour(at, -1), d.neighbour(n, 1)
	beside := n+1 < len(d.items) && d.items[n+1] == after && value.unit == words.NoUnit
	switch {
	case fits(after) && beside && !d.hasOperator(after): // "sold more than 10 units"
		return after.id
	case fits(before) && before.id == "revenue" && value.unit == words.NoUnit && d.countOf(before, value):
		return "receipts"
	case is(before, dimension) && before.id == "counterparty" && before.end-before.at > 1 && !is(after, measure) &&
		(value.unit == words.NoUnit || value.unit == words.Money):
		return "revenue" // "кто купил больше чем на 50 тысяч"
	case fits(before):
		return before.id
	case fits(after) && !d.hasOperator(after):
		return after.id
	}
	var free []*item
	for j := at - 1; j >= 0; j-- {
		free = append(free, d.items[j])
	}
	free = append(free, d.items[n+1:]...)
	for _, it := range free {
		if fits(it) && !d.hasOperator(it) {
			return it.id
		}
	}
	stocked := is(before, measure) && before.id == "stock" || is(after, measure) && (after.id == "stock" ||
		after.id == "stock_cost")
	switch {
	case value.unit == words.Days && stocked && d.worth(after):
		after.used = true
		return "days_of_cover"
	case d.unsold && (value.unit == words.NoUnit || value.unit == words.Quantity):
		return "stock"
	case value.unit == words.Days && slices.Contains(d.asked, "owed_to_us"):
		return "debt_age"
	case value.unit == words.Days && slices.Contains(d.asked, "owed_by_us"):
		return "our_debt_age"
	case value.unit == words.Money && d.ofGoods():
		return "sale_price"
	case value.unit == words.Days && is(before, measure) && before.id == "stock" &&
		d.ts[before.end-1].Stem == stem("осталось"):
		return "days_of_cover" // "осталось на 3 дня"
	case value.unit == words.Days && stocked && d.ts[before.end-1].Stem == stem("запас"):
		return "days_of_cover"
	case value.unit == words.Days && (stocked || d.ofGoods()):
		return "days_in_stock"
	case value.unit == words.Quantity && slices.Contains(d.asked, "revenue"):
		return "quantity"
	case value.unit == words.Quantity && d.ofGoods() && len(d.asked) == 0:
		return "stock"
	case value.unit == words.NoUnit && len(d.asked) == 0 && d.Previous != nil:
		return d.Previous.Measures[0]
	}
	return ""
}

// worth reports whether a number of days before a measure of stock is how long it lasts: "a week's worth of stock".
func (d *draft) worth(it *item) bool {
	if !is(it, measure) || it.id != "stock" && it.id != "stock_cost" || d.ts[it.at].Cyrillic {
		return false
	}
	return d.ts[it.at].Norm == "worth" || d.ts[it.at-1].Norm == "of" || d.ts[it.end-1].Norm == "left"
}

// countOf reports whether a condition on "продаж" counts them: "продаж не меньше 5".
func (d *draft) countOf(it *item, value numeral) bool {
	n, err := strconv.Atoi(value.value)
	w := d.ts[it.end-1].Norm
	return err == nil && n <= 200 && (w == "продаж" || w == "sales")
}

var priceWords = words.Set("дороже дешевле cheaper dearer costs cost costing priced pricier")

// hasOperator reports whether a condition of its own stands right behind a measure.
func (d *draft) hasOperator(it *item) bool {
	next := d.neighbour(slices.Index(d.items, it), 1)
	if !is(next, operator) {
		return false
	}
	return is(d.neighbour(slices.Index(d.items, next), 1), number)
}

// equals reads a number right behind a measure or "около" as a condition: "остаток 0", "цена около 500".
func (d *draft) equals(it, prev *item) {
	if is(prev, about) {
		i := slices.Index(d.items, prev)
		if of := d.about(i, slices.Index(d.items, it), it.number); of != "" {
			low, high := tenth(it.number.value)
			d.addMeasure(of)
			d.where(of, analysis.Between, low, high)
			it.used, prev.used, d.estimate = true, true, true
		}
		return
	}
	if d.operatorBehind(it) {
		return
	}
	m, ok := (*analysis.Measure)(nil), false
	if is(prev, measure) {
		m, ok = d.Catalogue.Measure(prev.id)
	}
	if !ok || !prev.used || !unitFits(m.Unit, it.number.unit) || it.at != prev.end || d.direction != "" {
		return
	}
	if it.number.value == "0" || it.number.unit == words.Percent && m.Unit == tool.UnitPercent ||
		it.number.unit == words.Money && strings.HasSuffix(m.Name, "price") {
		it.used = true
		d.where(prev.id, analysis.Equal, it.number.value)
	}
}

// tenth returns the bounds of "about" a number.
func tenth(value string) (low, high string) {
	n, err := decimal.Parse(value)
	if err != nil {
		return value, value
	}
	part := n.Div(decimal.FromInt(10))
	return n.Sub(part).String(), n.Add(part).String()
}

// atLeast reads a number of days right behind a measure of days as its least: "not sold for 60 days".
func (d *draft) atLeast(it, n *item) {
	m, ok := d.Catalogue.Measure(it.id)
	if !ok || m.Unit != tool.UnitDays || !is(n, number) || n.used || n.number.unit != words.Days {
		return
	}
	n.used = true
	d.where(it.id, analysis.GreaterEqual, n.number.value)
}

// upTo returns the second number of "от 10 до 20", "between 10 and 20"; nil if there is none.
func (d *draft) upTo(op, n *item) *item {
	i := slices.Index(d.items, n)
	if i+2 >= len(d.items) || d.items[i+2].kind != number {
		return nil
	}
	first, w := d.ts[op.end-1].Norm, d.ts[d.items[i+1].at].Norm
	switch {
	case (first == "от" || first == "from") && (w == "до" || w == "to"),
		op.id == string(analysis.Between) && (w == "и" || w == "до" || w == "and" || w == "to"):
		return d.items[i+2]
	}
	return nil
}

// where adds a condition on a measure.
func (d *draft) where(field string, op analysis.Op, values ...string) {
	w := analysis.Condition{Field: field, Op: op}
	for _, v := range values {
		w.Values = append(w.Values, analysis.Scalar(v))
	}
	d.q.Where = append(d.q.Where, w)
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
