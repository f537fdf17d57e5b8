package compose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// takeName reads a name as a condition. One that may be several things is left to a question, but for goods: those that
// the words fit are all meant.
func (d *draft) takeName(it, prev, next *typed.Item) {
	field, chosen, ok := d.fieldOf(it, prev, next, true)
	if !ok && d.Previous != nil {
		field, chosen, ok = d.fieldOf(it, prev, next, false)
	}
	if !ok || len(chosen) > 1 && field != "product" && !it.Name.All {
		return
	}
	it.Used = true
	lacks := field == "store" && is(prev, typed.Absent) && d.Tokens[prev.At].Norm != "без" // "чего нет на Мира"
	for _, n := range chosen {
		value := n.Name
		if it.Name.ByID || it.Name.All || len(chosen) > 1 {
			value = cmp.Or(n.ID, n.Name)
		}
		d.whereValue(field, value, is(prev, typed.Except) || is(prev, typed.Absent) && !lacks || d.excluded(it))
	}
	if !lacks {
		markIf(prev, typed.Absent)
	}
	markIf(prev, typed.Except, typed.Per, typed.Only)
}

// fieldOf returns the dimension that a name is a value of, and the names that it may mean; not ok if that is not clear.
// With before, the dimension must be one of the answer before: what is short has suppliers, and no customers.
func (d *draft) fieldOf(it, prev, next *typed.Item, before bool) (field string, chosen []connector.Name, ok bool) {
	for _, f := range []string{"counterparty", "supplier", "store", "group", "employee", "sales_channel",
		"legal_entity", "price_type", "expense_item", "project", "state", "product"} {
		var these []connector.Name
		for _, n := range it.Name.Meanings {
			kind := typed.DimensionOf(n.Kind)
			twice := slices.ContainsFunc(these, func(o connector.Name) bool { return o.ID == n.ID && o.Name == n.Name })
			if !twice && (kind == f || kind == "supplier" && f == "counterparty" && d.ofAgents()) {
				these = append(these, n)
			}
		}
		named := is(prev, typed.Dimension) && prev.ID == f || is(next, typed.Dimension) && next.ID == f ||
			f == "supplier" && it.At > 0 && (d.Tokens[it.At-1].Norm == "from" && !d.broughtBy(it) ||
				d.Tokens[it.At-1].Norm == "by") || // goods from him, and no "revenue from him"
			f == "supplier" && (d.allGoods(prev) || d.allGoods(next)) // "ассортимент Чайного дома"
		if f != "price_type" && d.ofPrice(it, prev, next) {
			continue
		}
		if len(these) == 0 || !d.allowed(f) || before && !d.allowedBefore(f) ||
			f == "supplier" && !named && (chosen != nil || d.reserves()) {
			continue
		}
		if chosen != nil && !named {
			return "", nil, false
		}
		field, chosen = f, these
	}
	return field, chosen, len(chosen) > 0
}

// broughtBy reports whether a figure that a customer brings stands before "from" and a name: "revenue from Alfa", but
// not "sales of goods from Alfa".
func (d *draft) broughtBy(it *typed.Item) bool {
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return is(x, typed.Measure) && x.End == it.At-1 && bringsMoney[x.ID]
	})
}

// bringsMoney are the figures that a customer brings.
var bringsMoney = words.Set("revenue sales profit margin receipts average_receipt money_in")

// allGoods reports whether an item says which goods a first question without figures asks for.
func (d *draft) allGoods(it *typed.Item) bool {
	return is(it, typed.Dimension) && it.ID == "product" && d.Previous == nil && (it.Plural ||
		assortment[d.Tokens[it.At].Stem]) && !slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x.Kind == typed.Measure || x.Kind == typed.TopRows || x.Kind == typed.Best || x.Kind == typed.Worst
	})
}

// reserves reports whether the task is about reserved goods: "reserved for Alfa" names a customer, and no supplier.
func (d *draft) reserves() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && it.ID == "reserve"
	})
}

// allowedBefore reports whether the answer before can be limited by a dimension, if the task names no measure.
func (d *draft) allowedBefore(by string) bool {
	measures := func(it *typed.Item) bool { return it.Kind == typed.Measure }
	if d.Previous == nil || slices.ContainsFunc(d.Items, measures) {
		return true
	}
	return !slices.ContainsFunc(d.Previous.Measures, func(id string) bool { return !d.allows(id, by) })
}

// ofPrice reports whether a name beside "цена" may be a type of prices: "оптовая цена".
func (d *draft) ofPrice(it, prev, next *typed.Item) bool {
	price := func(x *typed.Item) bool { return is(x, typed.Measure) && x.ID == "sale_price" }
	return (price(prev) || price(next)) && slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
		return n.Kind == connector.NamePriceType
	})
}

// allowed reports whether all measures that the task names can be filtered by a dimension.
func (d *draft) allowed(by string) bool {
	return !slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		if by == "store" && it.Kind == typed.Measure && it.ID == "sale_price" && d.anyGoodsSaid() &&
			worthWords[d.Tokens[it.End-1].Stem] {
			return false // "сколько стоит товар на витрине"
		}
		return it.Kind == typed.Measure &&
			slices.ContainsFunc(strings.Fields(it.ID), func(id string) bool { return !d.allows(id, by) })
	})
}

// ofAgents reports whether the measures are of documents with suppliers, which name the supplier themselves.
func (d *draft) ofAgents() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Measure && agents[it.ID] })
}

// where adds a value to the condition on a dimension.
func (d *draft) whereValue(field, value string, excluded bool) {
	op := analysis.In
	if excluded {
		op = analysis.NotIn
	}
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == field && w.Op == op })
	if i < 0 {
		d.q.Where = append(d.q.Where,
			analysis.Condition{Field: field, Op: op, Values: []analysis.Scalar{analysis.Scalar(value)}})
		return
	}
	if !slices.Contains(d.q.Where[i].Values, analysis.Scalar(value)) {
		d.q.Where[i].Values = append(d.q.Where[i].Values, analysis.Scalar(value))
	}
}
