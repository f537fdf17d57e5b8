package analyze

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// onlyStock reports whether the query is about what there is now alone, where a good with no stock is a row.
func (c *call) onlyStock() bool {
	return !slices.ContainsFunc(c.plan.Bases, func(b analysis.Base) bool {
		return !slices.Contains(measures.NowBases, b)
	})
}

// blank reports whether a row has nothing but zeros, as a warehouse whose sales are all those of one nested in it.
func (c *call) blank(r analysis.Row) bool {
	if len(c.plan.Rows) > 0 || len(c.plan.By) == 0 {
		return false
	}
	for _, b := range c.plan.Bases {
		for _, g := range []*analysis.Group{r.Now, r.Before} {
			if g == nil {
				continue
			}
			if n := g.Sum(b); g.Mixed() || n.Known && n.Sign() != 0 {
				return false
			}
		}
	}
	return !c.onlyStock()
}
