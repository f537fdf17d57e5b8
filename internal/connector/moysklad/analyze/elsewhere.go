package analyze

import (
	"context"
	"maps"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// elsewhere answers the conditions on measures in a store: each is a query of its own (rule R1071).
func (c *call) elsewhere(ctx context.Context) ([]analysis.Elsewhere, error) {
	var list []analysis.Elsewhere
	for i, w := range c.plan.Elsewhere {
		asked := c.inStore()
		within, err := c.partsOf(ctx, w.At)
		if err != nil {
			return nil, err
		}
		a, err := asked.evaluate(ctx, c.plan.In(w, within))
		if err != nil {
			return nil, err
		}
		m, _ := c.catalogue.Measure(w.Field)
		if asked.isHidden(m) {
			return nil, asked.untestable(m)
		}
		list = append(list, c.plan.Holding(w, a))
		c.plan.Elsewhere[i].At = asked.plan.Facts[len(asked.plan.Facts)-1].Named[0] // as the account writes it
	}
	return list, nil
}

// partsOf returns the warehouses that the query is about and that are nested in another one: what they have is not what
// that one has beside them.
func (c *call) partsOf(ctx context.Context, store string) (list []analysis.Scalar, err error) {
	every, err := c.EveryStore(ctx)
	if err != nil {
		return nil, err
	}
	whole, err := c.valuesByName(ctx, measures.DimStore, []string{store})
	if err != nil {
		return nil, err
	}
	parent := map[msapi.ID]msapi.ID{}
	for _, s := range every {
		parent[s.ID] = s.Parent.ID
	}
	for _, f := range c.plan.Facts {
		if f.Field != measures.DimStore || f.Op != analysis.In && f.Op != analysis.Equal {
			continue
		}
		for _, v := range f.Values {
			own, err := c.valuesByName(ctx, measures.DimStore, []string{string(v)})
			if err != nil {
				return nil, err
			}
			for id, steps := parent[own[0].id], 0; id != "" && steps < len(every); id, steps = parent[id], steps+1 {
				if id == whole[0].id {
					list = append(list, analysis.Scalar(own[0].id))
					break
				}
			}
		}
	}
	return list, nil
}

// inStore returns a call for a query of the same rows in one store.
func (c *call) inStore() *call {
	return &call{Call: c.Call, most: c.most, preset: true, part: true, own: c.own, found: maps.Clone(c.found)}
}
