package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// computeTool is the name of the tool that runs SQL over results. A model's calls see the results of the conversation;
// a direct call names its results.
const computeTool = "compute"

var (
	computeTitle = tool.Text{RU: "Вычисление", EN: "Computation"}
	computeAbout = tool.Text{
		RU: "Выполняет один SQL-запрос SELECT (диалект SQLite) над уже полученными таблицами r1, r2, … с их собственными " +
			"именами столбцов. Числа точные и помнят валюту или единицу измерения; NULL — неизвестно или скрыто.",
		EN: "Runs one SQL SELECT over results, which are tables r1, r2, … with the columns' own names. SQLite's dialect: " +
			"WITH, joins, windows, CASE; dates are text (YYYY-MM-DD). Numbers are exact and carry their currency or unit " +
			"of measure. Amounts of several currencies do not add up: GROUP BY currency(price); quantities: unit(stock); " +
			"number(x) drops it. Only division rounds, to 20 decimal places; the output shows 6, of money 2. 7 / 2 is 3.5. " +
			"NULL is unknown or hidden, not zero. Name a percentage …_percent. Example: SELECT a.name, a.profit - " +
			"b.profit AS change, 100 * (a.profit / b.profit - 1) AS change_percent FROM r1 a JOIN r2 b ON a.name = b.name " +
			"ORDER BY change LIMIT 5",
	}
)

// computeInput is what a model passes to compute.
type computeInput struct {
	SQL string `json:"sql"`
}

// directComputeInput is the input of a direct call of compute.
type directComputeInput struct {
	SQL     string               `json:"sql" jsonschema:"one SELECT over r1, r2, …"`
	Results []stockhand.ResultID `json:"results" jsonschema:"IDs of stored results of one connection: the first is r1, the second r2, …"`
}

// ComputeTool describes compute as it is called directly. It reads stored results and sends nothing.
func ComputeTool() tool.Tool {
	return tool.Read(computeTool, computeTitle, computeAbout,
		func(context.Context, tool.Env, directComputeInput) (*tool.Result, error) {
			return nil, stockhand.Errorf(stockhand.CodeInternal, "compute is called without results")
		})
}

// compute returns the tool for the results of this session.
func (l *loop) compute() tool.Tool {
	return tool.Read(computeTool, computeTitle, computeAbout,
		func(ctx context.Context, env tool.Env, in computeInput) (*tool.Result, error) {
			tables, err := l.tables(ctx, in.SQL)
			if err != nil {
				return nil, err
			}
			return compute.Run(ctx, compute.Query{SQL: in.SQL, Tables: tables, Language: env.Language, Now: l.now()})
		})
}

// tableNumber finds the tables of a query.
var tableNumber = regexp.MustCompile(`(?i)\br\d+\b`)

// knownTables is how many of the last results a query without them knows, to say what there is.
const knownTables = 10

// tables returns the results of the session that a query may mean: those it names and the last ones. Their numbers
// count all results of the session, so that a name always means the same.
func (l *loop) tables(ctx context.Context, sql string) ([]compute.Table, error) {
	ids := slices.Clone(l.numbered)
	for _, r := range l.results {
		ids = append(ids, r.id)
	}
	named := map[string]bool{}
	for _, n := range tableNumber.FindAllString(sql, -1) {
		named["r"+n[1:]] = true
	}
	var tables []compute.Table
	for i, id := range ids {
		name := tableName(i)
		if !named[name] && i < len(ids)-knownTables {
			continue
		}
		t, err := l.resultOfSession(ctx, id)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound { // of another account or employee
			continue
		}
		if err != nil {
			return nil, err
		}
		tables = append(tables, compute.Table{Name: name, Result: id, Table: t})
	}
	return tables, nil
}

func tableName(i int) string { return fmt.Sprint("r", i+1) }

// computeFor returns the connection of the results that a direct call of compute names. The caller must be allowed to
// see them.
func (a *Agent) computeFor(ctx context.Context, org stockhand.OrgID, x Execution) (c stockhand.Connection, fn tool.Tool,
	err error) {
	fn = ComputeTool()
	arguments, err := fn.Input.Check(x.Arguments)
	if err != nil {
		return c, fn, err
	}
	var in directComputeInput
	if err := json.Unmarshal(arguments, &in); err != nil {
		return c, fn, err
	}
	if len(in.Results) == 0 || len(in.Results) > maxDirectTables {
		return c, fn, stockhand.Errorf(stockhand.CodeValidation, "results names 1 to %d results", maxDirectTables)
	}
	for _, id := range in.Results {
		kept, err := a.store.Result(ctx, org, id)
		if err != nil {
			return c, fn, err
		}
		run, err := a.store.Run(ctx, org, kept.Run)
		if err != nil {
			return c, fn, err
		}
		s, err := a.store.Session(ctx, org, run.Session)
		if err != nil {
			return c, fn, err
		}
		switch {
		case !x.Actor.MaySee(run.By):
			return c, fn, stockhand.Errorf(stockhand.CodeNotFound, "no such result in this organization")
		case c.ID == "":
			if c, err = a.store.Connection(ctx, org, s.Connection); err != nil {
				return c, fn, err
			}
		case s.Connection != c.ID:
			return c, fn, stockhand.Errorf(stockhand.CodeValidation, "the results are of several connections")
		}
	}
	if x.Connection != "" && x.Connection != c.ID {
		return c, fn, stockhand.Errorf(stockhand.CodeValidation, "the results are of another connection, %s", c.ID)
	}
	return c, fn, x.Actor.Binding.Connection(c.ID)
}

// maxDirectTables is how many results a direct call may name.
const maxDirectTables = 20

// directCompute returns the tool for the results that a direct call names. [Agent.computeFor] has checked that its
// caller may see them.
func (t *turn) directCompute(account connector.Account) tool.Tool {
	return tool.Read(computeTool, computeTitle, computeAbout,
		func(ctx context.Context, env tool.Env, in directComputeInput) (*tool.Result, error) {
			tables := make([]compute.Table, len(in.Results))
			for i, id := range in.Results {
				r, err := t.readResult(ctx, id)
				if err != nil {
					return nil, err
				}
				if !t.readerOf(account).May(r.Table.Provenance) {
					return nil, stockhand.Errorf(stockhand.CodeValidation,
						"%s is of another employee or account than this connection's", id)
				}
				tables[i] = compute.Table{Name: tableName(i), Result: id, Table: r.Table}
			}
			return compute.Run(ctx, compute.Query{SQL: in.SQL, Tables: tables, Language: env.Language, Now: t.now()})
		})
}
