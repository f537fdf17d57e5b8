package agent

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/resultquery"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// query returns the query_result tool for the results of this session and account.
func (l *loop) query() tool.Tool {
	return tool.Read(queryResult,
		tool.Text{RU: "Выборка из таблицы", EN: "Selection from a table"},
		tool.Text{RU: "Отбирает, сортирует, группирует и складывает строки уже полученной таблицы.",
			EN: "Filters, sorts, groups and aggregates the rows of a result."},
		func(ctx context.Context, env tool.Env, in resultquery.Query) (*tool.Result, error) {
			source, err := l.resultOfSession(ctx, stockhand.ResultID(in.Result))
			if err != nil {
				return nil, err
			}
			return resultquery.Run(source, in, env.Language)
		})
}

// resultOfSession returns a result of this session and its account. Any other looks like it does not exist: another
// organization's, another session's, another account's (rule R4), another employee's.
func (l *loop) resultOfSession(ctx context.Context, id stockhand.ResultID) (tool.Table, error) {
	for _, r := range l.results {
		if r.id == id {
			return r.Table, nil
		}
	}
	reader := l.readerOf(l.account)
	reader.Own = true
	for _, c := range l.externals {
		reader.External = append(reader.External, c.Account)
	}
	return reader.Of(ctx, l.store, id)
}

// readerOf returns the reader of results for an account that the turn has opened.
func (t *turn) readerOf(account connector.Account) results.Reader {
	who := account.Identity()
	return results.Reader{Org: t.org, Run: t.run, Account: who.Account, Employee: who.Employee, Login: who.Login}
}
