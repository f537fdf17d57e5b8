package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// Execution is a direct call of a tool by name.
type Execution struct {
	Tool       string
	Connection stockhand.ConnectionID // may be empty if one account is connected
	Arguments  json.RawMessage        // an object that matches the tool's schema; empty means {}
	Session    stockhand.SessionID    // the conversation that the call is a turn of; empty: a session of its own
	Message    string                 // what the call is in words, in a conversation
	Language   stockhand.Language     // empty means Russian
	Actor      stockhand.Actor
}

// shownArguments is how many characters of a direct call its message shows. The call itself has all arguments.
const shownArguments = 1000

// Execute calls a tool as a run with one step in a session of its own or as a turn of a conversation, with the same
// limits, log, notices and storage as any other run. It stores nothing for an invalid call: NOT_FOUND for an unknown
// tool, VALIDATION_FAILED with the invalid fields, ACCOUNT_REQUIRED with the list of accounts.
func (a *Agent) Execute(ctx context.Context, org stockhand.OrgID, x Execution) (Turn, error) {
	if x.Language == "" {
		x.Language = stockhand.Russian
	}
	c, fn, err := a.toolFor(ctx, org, x)
	if err != nil {
		return Turn{}, err
	}
	arguments, err := fn.Input.Check(x.Arguments)
	if err != nil {
		return Turn{}, err
	}
	if err := a.Admit(ctx, org, x.Actor.Name); err != nil {
		return Turn{}, err
	}
	now := a.clock().UTC()
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: x.Session,
		Text: x.Message, By: x.Actor.Name, Created: now}
	if m.Session == "" {
		s, err := a.store.CreateSession(ctx, org, stockhand.Session{Title: fn.Title.In(x.Language), Connection: c.ID,
			Kind: stockhand.SessionDirect, By: x.Actor.Name, Created: now})
		if err != nil {
			return Turn{}, err
		}
		m.Session = s.ID
	}
	if m.Text == "" {
		m.Text = render.Clip(fn.Name+" "+string(arguments), shownArguments)
	}
	m, r, err := a.store.CreateCall(ctx, org, m,
		stockhand.ToolCall{Seq: 1, Tool: fn.Name, Arguments: arguments, Started: now},
		entry(stockhand.EventStart, startData{MessageID: m.ID, Connection: c.ID, Language: x.Language, Call: true,
			Trace: traceParent(ctx)}))
	if err != nil {
		return Turn{}, err
	}
	a.engine.Publish(ctx, r)
	return Turn{Session: m.Session, Message: m.ID, Run: r.ID}, nil
}

// toolFor returns the connection for a call, and the tool there.
func (a *Agent) toolFor(ctx context.Context, org stockhand.OrgID, x Execution) (stockhand.Connection, tool.Tool,
	error) {
	bound := x.Actor.Binding
	if err := cmp.Or(bound.Tool(x.Tool), bound.Connection(x.Connection)); err != nil {
		return stockhand.Connection{}, tool.Tool{}, err
	}
	if x.Tool == toolbox.ComputeName {
		return a.computeFor(ctx, org, x)
	}
	if x.Connection != "" {
		c, err := a.store.Connection(ctx, org, x.Connection)
		if err != nil {
			return c, tool.Tool{}, err
		}
		fn, err := a.toolOf(ctx, c, x.Tool)
		return c, fn, err
	}
	all, err := a.store.Connections(ctx, org)
	if err != nil {
		return stockhand.Connection{}, tool.Tool{}, err
	}
	all = slices.DeleteFunc(all, func(c stockhand.Connection) bool { return !bound.Sees(c.ID) })
	if len(all) == 0 {
		return stockhand.Connection{}, tool.Tool{}, nothingConnected(x.Language)
	}
	var those []stockhand.Connection
	var fn tool.Tool
	missing := noTool(x.Tool)
	for _, c := range all {
		if !strings.HasPrefix(x.Tool, c.Connector+"_") { // a tool's name starts with its connector's
			continue
		}
		found, err := a.toolOf(ctx, c, x.Tool)
		if err != nil {
			missing = err
			continue
		}
		if len(those) == 0 {
			fn = found // of the called connection: another employee's tools may differ
		}
		those = append(those, c)
	}
	if len(those) == 0 {
		return stockhand.Connection{}, tool.Tool{}, missing
	}
	if accounts := accountsOf(those); len(accounts) > 1 {
		var names []string
		for _, c := range accounts {
			names = append(names, c.Label+" ("+string(c.ID)+", "+string(c.Account)+")")
		}
		return stockhand.Connection{}, tool.Tool{}, stockhand.Errorf(stockhand.CodeAccountRequired, "%s",
			x.Language.Pick("подключено несколько аккаунтов: укажите подключение",
				"several accounts are connected: name the connection")).
			WithHint(x.Language.Pick("connection_id — одно из: %s", "connection_id is one of: %s"),
				strings.Join(names, "; "))
	}
	return those[0], fn, nil
}

func (a *Agent) toolOf(ctx context.Context, c stockhand.Connection, name string) (tool.Tool, error) {
	account, err := a.accounts.Open(ctx, c)
	if err != nil {
		return tool.Tool{}, err
	}
	return findTool(account.Tools(), name)
}

func findTool(tools []tool.Tool, name string) (tool.Tool, error) {
	for _, fn := range tools {
		if fn.Name == name {
			return fn, nil
		}
	}
	return tool.Tool{}, noTool(name)
}

func noTool(name string) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "no tool named %s", name).WithHint("GET /tools lists them")
}
