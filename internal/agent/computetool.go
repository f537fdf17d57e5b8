package agent

import (
	"context"
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// ComputeTool describes compute as it is called directly. It reads stored results and sends nothing.
func ComputeTool() tool.Tool { return toolbox.DirectCompute(nil, nil) }

// computeFor returns the connection of the results that a direct call of compute names. The caller must be allowed to
// see them.
func (a *Agent) computeFor(ctx context.Context, org stockhand.OrgID, x Execution) (c stockhand.Connection, fn tool.Tool,
	err error) {
	fn = ComputeTool()
	arguments, err := fn.Input.Check(x.Arguments)
	if err != nil {
		return c, fn, err
	}
	var in toolbox.ComputeInput
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
	return toolbox.DirectCompute(func(ctx context.Context, id stockhand.ResultID) (tool.Table, error) {
		r, err := results.Read(ctx, t.store, t.org, id)
		if err != nil {
			return tool.Table{}, err
		}
		if !t.readerOf(account).May(r.Table.Provenance) {
			return tool.Table{}, stockhand.Errorf(stockhand.CodeValidation,
				"%s is of another employee or account than this connection's", id)
		}
		return r.Table, nil
	}, t.now)
}

// readerOf returns the reader of results for an account that the turn has opened.
func (t *turn) readerOf(account connector.Account) results.Reader {
	who := account.Identity()
	return results.Reader{Org: t.org, Run: t.run, Account: who.Account, Employee: who.Employee, Login: who.Login}
}
