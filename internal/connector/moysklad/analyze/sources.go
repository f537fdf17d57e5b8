package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// source supplies some of the query's bases.
type source struct {
	bases   []analysis.Base
	counted []analysis.Base // those of bases that count documents: without documents they are zero, not unknown
	// read reads the facts of a period. A plan is made by the same function on lists whose rows are only counted, so it
	// must accept a list without rows.
	read func(ctx context.Context, period tool.Period, add func(analysis.Fact)) error
}

// supplier returns the source of those bases that it can supply, out of the ones that have no source yet. The source
// has no bases if there are none.
type supplier func(c *call, ctx context.Context, left []analysis.Base) (source, error)

// suppliers are asked in this order. A new source is one value here.
var suppliers = slices.Concat([]supplier{(*call).fromProfitReport}, fromOpenOrders(), fromDocuments(), []supplier{
	(*call).fromStock, (*call).fromMinimums, (*call).fromTurnover, (*call).fromCards, (*call).fromMoneyReport,
	(*call).fromCounterparties})

// sources chooses where each base is read. No base is read twice, so that facts can simply be added up.
func (c *call) sources(ctx context.Context) ([]source, error) {
	var list []source
	left := slices.Clone(c.plan.Bases)
	for _, s := range suppliers {
		chosen, err := s(c, ctx, left)
		if err != nil {
			return nil, err
		}
		if len(chosen.bases) > 0 {
			list = append(list, chosen)
			left = slices.DeleteFunc(left, func(b analysis.Base) bool { return slices.Contains(chosen.bases, b) })
		}
	}
	return list, nil
}

// among returns those bases that are among others.
func among(left, others []analysis.Base) []analysis.Base {
	return slices.DeleteFunc(slices.Clone(left), func(b analysis.Base) bool { return !slices.Contains(others, b) })
}
