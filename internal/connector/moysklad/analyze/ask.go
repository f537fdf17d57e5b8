package analyze

import (
	"context"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Question is a query of a preset: a tool that asks the same thing in its own words and shows the answer in its own
// columns.
type Question struct {
	analysis.Query
	// Measures that only this question uses. They are computed from the bases of the catalogue and are not in it.
	Own []analysis.Measure
}

// Answer is the evaluated query, and what the employee may see of it.
type Answer struct {
	*analysis.Answer
	Currency string // of the account; empty if the employee may not see it
	call     *call
}

// Ask answers a question in a call of another tool. The notices and the provenance of what was read are those of the
// call; its table and sentences are left to the tool.
func Ask(ctx context.Context, c *account.Call, q Question) (*Answer, error) {
	asked := &call{Call: c, most: most, own: q.Own}
	answer, err := asked.evaluate(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	return &Answer{Answer: answer, Currency: asked.currency, call: asked}, nil
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
