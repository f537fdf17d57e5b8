package report

import (
	"context"
	"errors"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
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
	ask func(c *call, ctx context.Context, in In) (analyze.Question, func(*analyze.Answer) error, error)
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
			section, _ := c.FirstDenial()
			c.Result.Answer = c.Refusal(section)
			c.Method("«"+section.RU+"»: закрыто правами сотрудника.", "“"+section.EN+
				"”: closed by the employee's rights.")
			return nil
		}
		if err != nil {
			return err
		}
		return show(answer)
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

// scoped returns the conditions of the arguments that tools of goods share. The named goods include the variants of
// products, and have been narrowed by their groups already.
func scoped(s account.Filter) []analysis.Condition {
	goods := account.Ids(s.Goods, func(r msapi.Ref) msapi.ID { return r.ID })
	all := slices.Concat(where(measures.DimStore, s.StoreIDs()), where(measures.DimSupplier, s.SupplierIDs()),
		where(measures.DimVariant, goods))
	if len(goods) == 0 {
		all = append(all, where(measures.DimGroup, s.FolderIDs())...)
	}
	return all
}

// goodOf returns what is known of the good that a row stands for.
func goodOf(r analysis.Row) analyze.Good {
	g, _ := r.Keys[0].Of.(analyze.Good)
	return g
}
