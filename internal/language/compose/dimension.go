package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/words"
)

// kinds are the values of the dimension of kinds of goods, by stem.
var kinds = map[string]string{stem("услуга"): "service", stem("комплект"): "bundle", stem("service"): "service",
	stem("bundle"): "bundle"}

// takeDimension reads a dimension as a breakdown, as what the name beside it is, or as a condition.
func (d *draft) takeDimension(it, prev, next *item) {
	if value, ok := kinds[d.ts[it.at].Stem]; ok && it.id == "kind" {
		it.used = true
		if is(prev, per) && it.plural && is(next, joining) { // "по услугам и товарам"
			it.used = false
			return
		}
		d.whereValue("kind", value, is(prev, except) || is(prev, absent) || d.excluded(it))
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
		if it.id == "product" || it.id == "store" || it.id == "account" {
			return
		}
		it.used, prev.used = true, true
		d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.IsEmpty})
		if d.Previous != nil {
			return
		}
		if !slices.Contains(d.q.By, "product") {
			d.q.By = append(d.q.By, "product")
		}
		return
	case is(prev, except):
		return // without a name, it says nothing
	case is(prev, with):
		d.compares = d.compares && len(d.q.By) > 0 // "сравни склады по выручке" compares rows
	case it.id == "store" && !it.plural && !it.each && !d.eachOne(prev) && !is(prev, best) && !is(prev, worst) &&
		!d.asks(it) &&
		!(is(prev, per) && !d.ts[prev.at].Cyrillic):
		it.used = true // "на складе": in stock
		markIf(prev, per)
		return
	}
	if dim, ok := d.Catalogue.Dimension(it.id); ok && !is(prev, per) && !subjects[it.id] && !it.each &&
		!(dim.Step != "" && (is(prev, joining) && len(d.q.By) > 0 || d.asks(it) || is(prev, best) ||
			is(prev, measure) && prev.order != "" && (it.plural || it.id == "hour") || is(prev, worst) ||
			it.id == "weekday" || it.plural && d.word(whenWords) || d.slash(it) ||
			hourWords[d.ts[it.end-1].Norm])) { // "по складам и месяцам"
		if d.toDate(it) {
			it.used = true // "итоги месяца"
		}
		return // "лучший сотрудник месяца" is of a period
	}
	if is(prev, except) || is(prev, only) && !it.plural {
		return
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

// eachOne reports whether an item says that every value is meant: "по каждому складу".
func (d *draft) eachOne(it *item) bool {
	return is(it, per) && d.ts[it.end-1].Stem == stem("каждый")
}

// whenWords ask which intervals of time meet a condition: "месяцы, когда…".
var whenWords = words.Set("когда которых которые где when where which")

// hourWords end questions for an hour: "во сколько", "what time".
var hourWords = words.Set("сколько время time")

// slash reports whether a dimension follows another one behind a mark: "по складам/месяцам".
func (d *draft) slash(it *item) bool {
	return it.at > 1 && len(d.q.By) > 0 && (d.ts[it.at-1].Norm == "/" || d.ts[it.at-1].Norm == ",")
}

// toDate reads "итоги месяца", "week results": the current one, up to today.
func (d *draft) toDate(it *item) bool {
	unit, ok := units[it.id]
	if !ok || len(d.periods) > 0 || d.q.From != "" || it.plural && it.id != "day" ||
		!slices.ContainsFunc(d.items, func(x *item) bool { return x.kind == measure }) {
		return false
	}
	from, to := quantity.Whole(unit, quantity.Begin(unit, d.Today))
	d.periods = append(d.periods, &item{kind: period, at: it.at, end: it.end,
		period: &quantity.Period{From: from, To: to, At: it.at, End: it.end}})
	return true
}

var units = map[string]words.TimeUnit{"day": words.Day, "week": words.Week, "month": words.Month,
	"quarter": words.Quarter, "year": words.Year}

// excluded reports whether an item is in a list behind "кроме": "кроме посуды и текстиля".
func (d *draft) excluded(it *item) bool {
	for i := slices.Index(d.items, it) - 1; i >= 0; i-- {
		switch x := d.items[i]; x.kind {
		case except:
			return true
		case joining, name, function, dimension, only:
		default:
			return false
		}
	}
	return false
}

func markIf(it *item, kinds ...kind) {
	if it != nil && slices.Contains(kinds, it.kind) {
		it.used = true
	}
}
