package toolbox

import (
	"context"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/resultquery"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/tool"
)

// The names of the tools of every run besides those of the account.
const (
	QueryName   = "query_result"
	ComputeName = "compute"
)

var ownNames = []string{QueryName, ComputeName, AskName, DraftsName, EditDraftName, NoteName}

// Query returns query_result over the results that find returns.
func Query(find func(ctx context.Context, id stockhand.ResultID) (tool.Table, error)) tool.Tool {
	return tool.Read(QueryName,
		tool.Text{RU: "Выборка из таблицы", EN: "Selection from a table"},
		tool.Text{RU: "Отбирает, сортирует, группирует и складывает строки уже полученной таблицы.",
			EN: "All rows of a result, filtered, sorted, grouped. Returns the columns asked for; " +
				"of groups, sum_stock and the like. No joins: compute."},
		func(ctx context.Context, env tool.Env, in resultquery.Query) (*tool.Result, error) {
			source, err := find(ctx, stockhand.ResultID(in.Result))
			if err != nil {
				return nil, err
			}
			return resultquery.Run(source, in, env.Language)
		}).Like(`{"result":"res_…","offset":60}`)
}

var (
	computeTitle = tool.Text{RU: "Вычисление", EN: "Computation"}
	computeAbout = tool.Text{
		RU: "Выполняет один SQL-запрос SELECT (диалект SQLite) над уже полученными таблицами r1, r2, … с их собственными " +
			"именами столбцов. Числа точные и помнят валюту или единицу измерения; NULL — неизвестно или скрыто.",
		EN: "One SQL SELECT (SQLite, with windows) over results r1, r2, … by the names of their columns; dates " +
			"are text. Amounts of several currencies do not add up: GROUP BY currency(price); quantities: " +
			"unit(stock); number(x) drops it. NULL is unknown or hidden, not zero. Name a percentage …_percent.",
	}
)

// computeInput is what a model passes to compute.
type computeInput struct {
	SQL string `json:"sql"`
}

// Compute returns compute over the tables that a query may mean.
func Compute(tables func(ctx context.Context, sql string) ([]compute.Table, error), now func() time.Time) tool.Tool {
	return tool.Read(ComputeName, computeTitle, computeAbout,
		func(ctx context.Context, env tool.Env, in computeInput) (*tool.Result, error) {
			of, err := tables(ctx, in.SQL)
			if err != nil {
				return nil, err
			}
			return compute.Run(ctx, compute.Query{SQL: in.SQL, Tables: of, Language: env.Language, Now: now()})
		}).Like(`{"sql":"SELECT name, r1.profit - r2.profit FROM r1 JOIN r2 USING (name)"}`)
}

// ComputeInput is the input of a direct call of compute.
type ComputeInput struct {
	SQL     string               `json:"sql" jsonschema:"one SELECT over r1, r2, …"`
	Results []stockhand.ResultID `json:"results" jsonschema:"IDs of stored results of one connection: the first is r1, the second r2, …"`
}

// DirectCompute returns compute as it is called directly: over the results that its input names.
func DirectCompute(table func(ctx context.Context, id stockhand.ResultID) (tool.Table, error),
	now func() time.Time) tool.Tool {
	return tool.Read(ComputeName, computeTitle, computeAbout,
		func(ctx context.Context, env tool.Env, in ComputeInput) (*tool.Result, error) {
			if table == nil {
				return nil, stockhand.Errorf(stockhand.CodeInternal, "compute is called without results")
			}
			tables := make([]compute.Table, len(in.Results))
			for i, id := range in.Results {
				t, err := table(ctx, id)
				if err != nil {
					return nil, err
				}
				tables[i] = compute.Table{Name: TableName(i), Result: id, Table: t}
			}
			return compute.Run(ctx, compute.Query{SQL: in.SQL, Tables: tables, Language: env.Language, Now: now()})
		})
}

// TableName is the name of a conversation's result in SQL: of the first r1.
func TableName(i int) string { return fmt.Sprint("r", i+1) }
