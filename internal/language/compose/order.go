package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// orders sets the order, if the task names one.
func (d *draft) orders() {
	if d.reverses && len(d.q.Order) > 0 {
		d.direction = analysis.Ascending
		if d.q.Order[0].Direction == analysis.Ascending {
			d.direction = analysis.Descending
		}
		d.ordered = d.q.Order[0].Field
	} else if d.reverses {
		d.direction = analysis.Ascending
	}
	if d.direction == "" || len(d.q.Measures) == 0 {
		return
	}
	field := d.ordered
	if field == "" {
		field = d.q.Measures[0]
		if len(d.asked) == 0 && d.Previous != nil && len(d.Previous.Order) > 0 {
			field = d.Previous.Order[0].Field
		}
	}
	if !slices.Contains(d.q.By, field) {
		d.addMeasure(field)
	}
	d.q.Order = []analysis.Order{{Field: field, Direction: d.direction}}
}

// sort reads "отсортируй по прибыли", "sort by name": the order of the rows.
func (d *draft) sort(i int, it *item) {
	it.used = true
	by := d.neighbour(i, 1)
	if is(by, per) {
		by.used = true
		by = d.neighbour(slices.Index(d.items, by), 1)
	}
	if d.direction == "" {
		d.direction = analysis.Descending
	}
	switch {
	case is(by, measure):
		d.ordered = by.id
		if m, ok := d.Catalogue.Measure(by.id); ok && d.Previous != nil && m.Name == "quantity" && d.ofStock() {
			by.used, d.ordered = true, "stock"
		}
	case is(by, dimension):
		by.used, d.ordered, d.direction = true, by.id, analysis.Ascending
	default:
		d.sorts = it
		d.ordered = d.money()
	}
}

func (d *draft) ofStock() bool {
	m, ok := d.Catalogue.Measure(d.Previous.Measures[0])
	return ok && m.Now && m.Unit == tool.UnitQuantity
}

// money is the sum that rows are sorted by, if the task does not say of what: of stock, its value.
func (d *draft) money() string {
	list := d.q.Measures
	if d.Previous != nil {
		list = d.Previous.Measures
	}
	for _, name := range list {
		if m, ok := d.Catalogue.Measure(name); ok && m.Unit == tool.UnitMoney && m.Adds {
			return name
		}
	}
	if len(list) > 0 && d.Previous != nil && d.ofStock() {
		return "stock_cost"
	}
	return "revenue"
}
