package agent

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// The tool that a model asks about a stored result with, instead of being sent its rows. What it returns is a result
// like any other: stored, and so a source that figures of the answer may come from.
type (
	queryInput struct {
		Result    string           `json:"result" jsonschema:"id, res_…"`
		Where     []queryCondition `json:"where,omitempty" jsonschema:"all must hold"`
		GroupBy   []string         `json:"group_by,omitempty" jsonschema:"columns"`
		Aggregate []queryAggregate `json:"aggregate,omitempty" jsonschema:"of each group, or of all rows"`
		SortBy    string           `json:"sort_by,omitempty" jsonschema:"column; of an aggregate sum_value and the like"`
		Ascending bool             `json:"ascending,omitempty"`
		Top       int              `json:"top,omitempty" jsonschema:"so many rows"`
		Columns   []string         `json:"columns,omitempty" jsonschema:"only these"`
	}
	queryCondition struct {
		Column string  `json:"column"`
		Op     queryOp `json:"op"`
		Value  string  `json:"value,omitempty"`
	}
	queryAggregate struct {
		Op     aggregateOp `json:"op"`
		Column string      `json:"column,omitempty" jsonschema:"not for count"`
	}
	queryOp     string
	aggregateOp string
)

func (queryOp) Schema() *jsonschema.Schema {
	return tool.Enum[queryOp]("eq", "ne", "lt", "le", "gt", "ge", "contains", "unknown", "known")
}

func (aggregateOp) Schema() *jsonschema.Schema {
	return tool.Enum[aggregateOp]("sum", "avg", "min", "max", "count")
}

// query is the tool, over the results of this session and account.
func (l *loop) query() tool.Tool {
	return tool.Read(queryResult,
		tool.Text{RU: "Запрос к результату", EN: "Query of a result"},
		tool.Text{RU: "Отбирает, сортирует, группирует и складывает строки полученного результата.",
			EN: "Filters, sorts, groups and aggregates the rows of a result."},
		func(ctx context.Context, env tool.Env, in queryInput) (*tool.Result, error) {
			source, err := l.resultOfSession(ctx, in.Result)
			if err != nil {
				return nil, err
			}
			return newQuery(source, stockhand.ResultID(in.Result), env.Language).do(in)
		})
}

// resultOfSession returns a result of this conversation, about the account that it is about. Any other looks like none:
// another organization's, another conversation's, another account's (specification, section 1, rule 7).
func (l *loop) resultOfSession(ctx context.Context, id string) (*tool.Result, error) {
	none := stockhand.Errorf(stockhand.CodeNotFound, "there is no such result in this conversation").WithHint(
		"use the id of a result that a tool returned here")
	for _, r := range l.results {
		if string(r.id) == id {
			return &r.Result, nil
		}
	}
	if !stockhand.ValidID(id, "res") {
		return nil, none
	}
	kept, err := l.store.Result(ctx, l.org, stockhand.ResultID(id))
	if err != nil {
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			return nil, none
		}
		return nil, err
	}
	r, err := l.store.Run(ctx, l.org, kept.Run)
	if err != nil {
		return nil, err
	}
	var out tool.Result
	if err := json.Unmarshal(kept.Body, &out); err != nil {
		return nil, err
	}
	if r.Session != l.session.ID || !l.reads(out.Provenance.Account) {
		return nil, none
	}
	return &out, nil
}
