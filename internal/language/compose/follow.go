package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
)

// changes reports whether the task says anything that can change the previous query.
func (d *draft) changes() bool {
	return len(d.q.By) > 0 || d.goods || len(d.q.Where) > 0 || len(d.periods) > 0 || d.direction != "" ||
		d.q.Limit > 0 ||
		d.q.Share || d.compares || d.whys || d.reverses
}

// addsMeasure reports whether the task names a measure for the previous query: "и прибыль", "а прибыль?".
func (s *sentence) addsMeasure() bool {
	if len(s.ts) == 0 {
		return false
	}
	switch s.ts[0].Norm {
	case "и", "а", "плюс", "and", "plus":
		return len(s.ts) <= 5
	}
	return false
}

// changed returns the previous query with what the task names in place of what it had.
func (d *draft) changed(q analysis.Query) analysis.Query {
	n := d.q
	switch first := d.ts[0].Norm; {
	case len(n.Measures) == 0:
		n.Measures = q.Measures
	case first == "и" || first == "плюс" || first == "and" || first == "plus":
		added := n.Measures
		n.Measures = slices.Clone(q.Measures)
		for _, m := range added {
			if !slices.Contains(n.Measures, m) {
				n.Measures = append(n.Measures, m)
			}
		}
	}
	if len(n.By) == 0 {
		n.By = q.By
	}
	if n.From == "" && n.Compare == nil {
		n.From, n.To, n.Compare = q.From, q.To, q.Compare
	} else if n.From == "" {
		n.From, n.To = q.From, q.To
	}
	for _, w := range q.Where {
		replaced := slices.ContainsFunc(n.Where, func(x analysis.Condition) bool {
			return x.Field == w.Field && (x.Op == analysis.NotIn) == (w.Op == analysis.NotIn)
		})
		if !replaced {
			n.Where = append(n.Where, w)
		}
	}
	if n.Limit == 0 {
		n.Limit = q.Limit
	}
	if len(n.Order) == 0 && !slices.ContainsFunc(q.Order, func(o analysis.Order) bool {
		return !slices.Contains(n.Measures, o.Field) && !slices.Contains(n.By, o.Field)
	}) {
		n.Order = q.Order
	}
	n.Share, n.Cumulative, n.Define = n.Share || q.Share, n.Cumulative || q.Cumulative, q.Define
	n.Explain = n.Explain || q.Explain && n.Compare != nil
	return n
}
