package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
)

// kinds are the values of the dimension of kinds of goods, by stem.
var kinds = map[string]string{stem("услуга"): "service", stem("комплект"): "bundle", stem("service"): "service",
	stem("bundle"): "bundle"}

// takeDimension reads a dimension as a breakdown, as what the name beside it is, or as a condition.
func (d *draft) takeDimension(it, prev, next *item) {
	if value, ok := kinds[d.ts[it.at].Stem]; ok && it.id == "kind" {
		it.used = true
		d.where("kind", value, is(prev, except) || is(prev, absent))
		markIf(prev, except, absent, per)
		return
	}
	if is(next, dimension) && next.id == it.id { // "на складе Магазин на Мира"
		it.used = true
		markIf(prev, per)
		return
	}
	for _, beside := range []*item{next, prev} {
		if is(beside, name) && slices.ContainsFunc(beside.name.Meanings,
			func(n connector.Name) bool { return dimensions[n.Kind] == it.id || it.id == "product" }) {
			it.used = true
			markIf(prev, per)
			return
		}
	}
	switch {
	case is(prev, absent):
		it.used, prev.used = true, true
		d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.IsEmpty})
		if !slices.Contains(d.q.By, "product") {
			d.q.By = append(d.q.By, "product")
		}
		return
	case is(prev, except):
		return // without a name, it says nothing
	case is(prev, with):
		d.compares = len(d.q.By) > 0 // "сравни склады по выручке" compares rows
	case it.id == "store" && !it.plural && !is(prev, best) && !is(prev, worst) && !d.asks(it) &&
		!(is(prev, per) && !d.ts[prev.at].Cyrillic):
		it.used = true // "на складе": in stock
		markIf(prev, per)
		return
	}
	if dim, ok := d.Catalogue.Dimension(it.id); ok && !is(prev, per) && !subjects[it.id] && !each[d.ts[it.at].Norm] &&
		!(dim.Step != "" && is(prev, joining) && len(d.q.By) > 0) { // "по складам и месяцам"
		return // "лучший сотрудник месяца" is of a period
	}
	if it.id == "product" && !is(prev, per) && !is(prev, best) && !is(prev, worst) {
		d.goods = true
	} else if !slices.Contains(d.q.By, it.id) {
		d.q.By = append(d.q.By, it.id)
	}
	markIf(prev, per)
	it.used = true
	if is(prev, number) {
		d.limit(prev)
	}
}

// asks reports whether a word such as "какой" stands before the item: "в каком магазине".
func (d *draft) asks(it *item) bool {
	if it.at == 0 {
		return false
	}
	before := &d.ts[it.at-1]
	return before.Stem == stem("какой") || before.Norm == "which" || before.Norm == "what"
}

func markIf(it *item, kinds ...kind) {
	if it != nil && slices.Contains(kinds, it.kind) {
		it.used = true
	}
}
