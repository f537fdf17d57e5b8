package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Question is a query of a preset: a tool that asks the same thing in its own words and shows the answer in its own
// columns.
type Question struct {
	analysis.Query
	// Measures that only this question uses. They are computed from the bases of the catalogue and are not in it.
	Own []analysis.Measure
	// Goods that conditions name by ID and that the tool has already found.
	Goods []msapi.Ref
	// Purchase prices take the place of costs that the employee may not see, and documents that of a closed
	// profitability report. The tool must say so (rule R16).
	Instead bool
}

// Answer is the evaluated query, and what the employee may see of it.
type Answer struct {
	*analysis.Answer
	Currency   string // of the account; empty if the employee may not see it
	FromPrices bool   // costs are purchase prices
	Documents  bool   // sales were read from documents, because the profitability report is closed
	call       *call
}

// Ask answers a question in a call of another tool. The notices and the provenance of what was read are those of the
// call; its table and sentences are left to the tool.
func Ask(ctx context.Context, c *account.Call, q Question) (*Answer, error) {
	ask := func(withoutReport bool) (*Answer, error) {
		asked := &call{Call: c, most: most, preset: true, own: q.Own, instead: q.Instead, withoutReport: withoutReport,
			found: map[msapi.ID]msapi.Ref{}}
		for _, g := range q.Goods {
			asked.found[g.ID] = g
		}
		answer, err := asked.evaluate(ctx, q.Query)
		if err != nil {
			return nil, err
		}
		return &Answer{answer, asked.currency, asked.fromPrices, withoutReport, asked}, nil
	}
	a, err := ask(false)
	if !q.Instead || err == nil || account.SectionOf(err) != account.SectionProfit ||
		!c.Denied(err, account.SectionProfit) {
		return a, err
	}
	if slices.Contains(q.By, measures.DimChannel) { // retail sales do not name theirs
		return nil, ErrHidden
	}
	if !c.Rights.Has(account.RightCost) {
		c.Missing(account.SectionCost, "себестоимость и прибыль скрыты", "cost and profit are hidden")
	}
	return ask(true)
}

// Hidden reports whether the employee may not see a measure.
func (a *Answer) Hidden(measure string) bool {
	m, ok := a.call.catalogue.Measure(measure)
	return !ok || a.call.isHidden(m)
}

// Value returns a measure of a row, exact; unknown if the employee may not see it.
func (a *Answer) Value(r analysis.Row, measure string) decimal.Maybe {
	if a.Hidden(measure) {
		return decimal.Maybe{}
	}
	m, _ := a.call.catalogue.Measure(measure)
	return r.Value(m)
}
