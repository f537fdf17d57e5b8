package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
)

// keepPlace limits a question about rows that were shown to the warehouses that they are of: "сколько их осталось"
// after what was sold on Лесная (rule R350). A question that names a warehouse, or that has none, is left alone.
func (t *talk) keepPlace(r language.Reading, linked bool) language.Reading {
	if !linked || r.FollowUp || !complete(&r) || !r.Skill.Reads() || t.done == nil {
		return r
	}
	t.keepPeriod(&r)
	stores := storesOf(t.done)
	if len(stores) == 0 || len(storesOf(&r)) > 0 {
		return r
	}
	switch {
	case r.Query != nil:
		if slices.Contains(r.Query.By, "store") || slices.ContainsFunc(r.Query.Measures, func(name string) bool {
			m, ok := t.in.Catalogue.Measure(name)
			return !ok || !slices.Contains(m.Over, "store")
		}) {
			return r
		}
		q := *r.Query
		q.Where = append(slices.Clone(q.Where), analysis.Condition{Field: "store", Op: analysis.In, Values: stores})
		r.Query = &q
	case r.Skill == language.Stock:
		for _, s := range stores {
			r.Arguments.Stores = append(r.Arguments.Stores, string(s))
		}
	}
	return r
}

// keepPeriod gives a question about rows that were shown, and that names no period, the period that they are of: "what
// did the first one buy" after the best customers of the year.
func (t *talk) keepPeriod(r *language.Reading) {
	from, to := periodOf(t.done)
	if from == "" || to == "" {
		return
	}
	switch {
	case r.Query != nil:
		now := func(m *analysis.Measure) bool { return m.Now }
		if r.Query.From != "" || r.Query.Compare != nil ||
			slices.ContainsFunc(query.Shown(t.in.Catalogue, *r.Query), now) {
			return
		}
		q := *r.Query
		q.From, q.To = from, to
		r.Query = &q
	case (r.Skill == language.Profitability || r.Skill == language.SalesTrend) && r.Arguments.From == "":
		r.Arguments.From, r.Arguments.To = string(from), string(to)
	}
}

// storesOf returns the warehouses that a reading is limited to.
func storesOf(r *language.Reading) (list []analysis.Scalar) {
	for _, s := range r.Arguments.Stores {
		list = append(list, analysis.Scalar(s))
	}
	if r.Query == nil {
		return list
	}
	for _, w := range r.Query.Where {
		if w.Field == "store" && w.Op == analysis.In {
			list = append(list, w.Values...)
		}
	}
	return list
}
