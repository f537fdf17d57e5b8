package report

import (
	"context"
	"errors"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// preset is a tool that asks a query (decision 0053): the figures, the requests and the notices about what was read are
// those of the query. The tool's arguments, columns and sentences are its own.
type preset[In any] struct {
	name         string
	title, about tool.Text
	needs        []tool.Need
	// ask returns the question that means what the arguments say, and what shows its answer.
	ask func(c *call, ctx context.Context, in In) (analyze.Question, func(*analyze.Answer), error)
}

// tool binds the preset to an account.
func (p preset[In]) tool(a *account.Account) tool.Tool {
	return reading(a, p.name, p.title, p.about, func(c *call, ctx context.Context, in In) error {
		question, show, err := p.ask(c, ctx, in)
		if err != nil {
			return err
		}
		answer, err := analyze.Ask(ctx, c.Call, question)
		if errors.Is(err, analyze.ErrHidden) {
			c.Result.Answer = c.Refusal(c.FirstDenial())
			return nil
		}
		if err != nil {
			return err
		}
		show(answer)
		return nil
	}).Requires(p.needs...)
}

// figure is a cell of a measure of an answer.
func figure(a *analyze.Answer, measure string) func(analysis.Row) decimal.Maybe {
	return func(r analysis.Row) decimal.Maybe { return a.Value(r, measure) }
}

// nameOf and idOf return the value of the first dimension of a row.
func nameOf(r analysis.Row) string { return r.Keys[0].Name }
func idOf(r analysis.Row) string   { return r.Keys[0].ID }

// where restricts a dimension to objects; without any it does not restrict.
func where[T ~string](dimension string, ids []T) []analysis.Condition {
	if len(ids) == 0 {
		return nil
	}
	values := make([]analysis.Scalar, len(ids))
	for i, id := range ids {
		values[i] = analysis.Scalar(id)
	}
	return []analysis.Condition{{Field: dimension, Op: analysis.In, Values: values}}
}
