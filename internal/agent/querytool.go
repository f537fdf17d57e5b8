package agent

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/resultquery"
	"github.com/stockhand/stockhand/internal/tool"
)

// query returns the query_result tool for the results of this session and account.
func (l *loop) query() tool.Tool {
	return tool.Read(queryResult,
		tool.Text{RU: "Выборка из таблицы", EN: "Selection from a table"},
		tool.Text{RU: "Отбирает, сортирует, группирует и складывает строки уже полученной таблицы.",
			EN: "Filters, sorts, groups and aggregates the rows of a result."},
		func(ctx context.Context, env tool.Env, in resultquery.Query) (*tool.Result, error) {
			source, err := l.resultOfSession(ctx, in.Result)
			if err != nil {
				return nil, err
			}
			return resultquery.Run(source, in, env.Language)
		})
}

// resultOfSession returns a result of this session and its account. Any other looks like it does not exist: another
// organization's, another session's, another account's (rule R4).
func (l *loop) resultOfSession(ctx context.Context, id string) (tool.Table, error) {
	var table tool.Table
	none := stockhand.Errorf(stockhand.CodeNotFound, "there is no such result in this conversation").WithHint(
		"use the ID of a result that a tool returned here")
	for _, r := range l.results {
		if string(r.id) == id {
			return r.Table, nil
		}
	}
	if !stockhand.ValidID(id, "res") {
		return table, none
	}
	kept, err := l.store.Result(ctx, l.org, stockhand.ResultID(id))
	if err != nil {
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			return table, none
		}
		return table, err
	}
	r, err := l.store.Run(ctx, l.org, kept.Run)
	if err != nil {
		return table, err
	}
	about, err := accountOf(kept)
	if err != nil {
		return table, err
	}
	if r.Session != l.session.ID || !l.concerns(about) {
		return table, none
	}
	return tool.ReadTable(kept, l.store.ResultRows(ctx, l.org, kept.ID, 0, kept.Rows))
}
