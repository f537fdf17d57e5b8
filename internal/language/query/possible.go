package query

import (
	"reflect"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// Possible reports whether the catalogue can combine what a query asks for.
func Possible(c *analysis.Catalogue, q analysis.Query) bool {
	period := tool.Period{From: q.From, To: q.To}
	if period.From == "" || period.To == "" { // any will do for checking
		period = tool.Period{From: "2000-01-01", To: "2000-01-31"}
	}
	with, err := c.Define(q.Define)
	if err != nil {
		return false
	}
	if _, err := with.Check(q, period); err != nil {
		return false
	}
	return q.Compare == nil || !slices.ContainsFunc(Shown(c, q), func(m *analysis.Measure) bool { return m.Now })
}

// Settled returns a query without a number of rows of each part if a further question has left no parts.
func Settled(q *analysis.Query) *analysis.Query {
	if q.LimitEach == 0 || len(q.By) > 1 {
		return q
	}
	settled := *q
	settled.LimitEach = 0
	return &settled
}

// Shown returns the measures of a query and of its conditions.
func Shown(c *analysis.Catalogue, q analysis.Query) (list []*analysis.Measure) {
	names := slices.Clone(q.Measures)
	for _, w := range q.Where {
		names = append(names, w.Field)
	}
	for _, n := range names {
		if m, ok := c.Measure(n); ok {
			list = append(list, m)
		}
	}
	return list
}

// Nearest returns up to three queries that leave out one part of an impossible one: a condition, a breakdown, the
// comparison or a measure (rule R272).
func Nearest(c *analysis.Catalogue, q analysis.Query) (list []analysis.Query) {
	try := func(n analysis.Query) {
		n.Order = slices.DeleteFunc(slices.Clone(n.Order), func(o analysis.Order) bool {
			return !slices.Contains(n.Measures, o.Field) && !slices.Contains(n.By, o.Field)
		})
		same := func(o analysis.Query) bool { return reflect.DeepEqual(o, n) }
		if len(list) < 3 && len(n.Measures) > 0 && Possible(c, n) && !slices.ContainsFunc(list, same) {
			list = append(list, n)
		}
	}
	if n, ok := bySales(q); ok {
		try(n)
	}
	for i := range q.By {
		n := q
		n.By = slices.Delete(slices.Clone(q.By), i, i+1)
		try(n)
	}
	for i, w := range q.Where {
		n := q
		n.Where = slices.Delete(slices.Clone(q.Where), i, i+1)
		if len(q.Measures) > 1 {
			n.Measures = slices.DeleteFunc(slices.Clone(q.Measures), func(m string) bool { return m == w.Field })
		}
		try(n)
	}
	if q.Compare != nil {
		n := q
		n.Compare, n.Explain = nil, false
		try(n)
	}
	for i, m := range q.Measures {
		n := q
		n.Measures = slices.Delete(slices.Clone(q.Measures), i, i+1)
		n.Where = slices.DeleteFunc(slices.Clone(q.Where),
			func(w analysis.Condition) bool { return w.Field == m })
		try(n)
	}
	return list
}

// bySales returns a query of what costs are part of with the revenue in its place, which more dimensions break down.
func bySales(q analysis.Query) (analysis.Query, bool) {
	ofCosts := []string{"profit", "margin", "markup", "cost", "profit_per_day"}
	var list []string
	for _, m := range q.Measures {
		if slices.Contains(ofCosts, m) {
			m = "revenue"
		}
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	bounded := slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		return slices.Contains(ofCosts, w.Field)
	})
	if slices.Equal(list, q.Measures) || len(q.By) == 0 || bounded {
		return q, false
	}
	n := q
	n.Measures, n.Order = list, slices.Clone(q.Order)
	for i := range n.Order {
		if slices.Contains(ofCosts, n.Order[i].Field) {
			n.Order[i].Field = "revenue"
		}
	}
	return n, true
}
