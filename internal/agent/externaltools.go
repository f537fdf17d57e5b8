package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// maxExternal is how many tools of other servers a run has at most.
const maxExternal = 64

// withExternalTools adds to the account's tools those of the MCP servers that the profile names: what the model sends
// to them leaves the account (rule R144). Each gets a unique name in this run; of returns their connections by name.
func (t *turn) withExternalTools(ctx context.Context, tools []tool.Tool) (all []tool.Tool,
	of map[string]stockhand.Connection, err error) {
	of = map[string]stockhand.Connection{}
	if !t.offers {
		return tools, of, nil
	}
	connections, err := t.store.Connections(ctx, t.org)
	if err != nil {
		return nil, nil, err
	}
	taken := map[string]bool{}
	for _, fn := range tools {
		taken[toolbox.Called(fn)] = true
	}
	for _, c := range connections {
		if !t.kind(c).ToolsOnly || !slices.Contains(t.agent.Connections, c.ID) {
			continue
		}
		account, err := t.accounts.Open(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		next := map[string]int{} // by own name: the number that makes the next one unique
		for _, fn := range t.allowed(account.Tools()) {
			if len(of) == maxExternal {
				return tools, of, nil
			}
			own := fn.Name
			for n := max(2, next[own]); taken[toolbox.Called(fn)]; n++ {
				fn.Name = fmt.Sprintf("%s_%d", own, n)
				next[own] = n + 1
			}
			taken[toolbox.Called(fn)] = true
			tools = append(tools, fn)
			of[fn.Name] = c
		}
	}
	return tools, of, nil
}

// external returns the connection of a tool that sends its arguments to another server at once; ok is false for others.
func (t *turn) external(record context.Context, c *loop.Call) (to stockhand.Connection, ok bool, err error) {
	from, _, _ := strings.Cut(c.Tool, "_") // a tool's name starts with its connector's
	if c.Fn.Proposes() || !t.kind(stockhand.Connection{Connector: from}).ToolsOnly {
		return to, false, nil
	}
	to, err = t.store.Connection(record, t.org, c.Over)
	return to, true, err
}

// auditExternal records in the audit log that a call sends its arguments to another server, before it does.
func (t *turn) auditExternal(record context.Context, c *loop.Call) error {
	to, ok, err := t.external(record, c)
	if !ok || err != nil {
		return err
	}
	return t.store.Audit(record, t.org, stockhand.AuditEntry{At: t.clock().UTC(), Actor: t.message.By,
		Action: "remote.called", External: to.Connector + " " + string(to.Account),
		Detail: encode(map[string]any{"connection_id": to.ID, "tool": c.Tool, "run_id": t.run.ID,
			"arguments_bytes": len(c.Arguments), "arguments": t.fingerprint(t.org, c.Arguments)})})
}

// Sent implements loop.Turn.
func (t *turn) Sent(record context.Context, c *loop.Call, failure error) error {
	to, ok, err := t.external(record, c)
	if !ok || err != nil || stockhand.CodeOf(failure) == stockhand.CodeConflict { // the tool has changed: not called
		return err
	}
	return t.Notice(record, tool.Notice{Code: tool.NoticeSent, Message: fmt.Sprintf(
		t.language.Pick("Данные отправлены на сторонний сервер «%s» (%s).",
			"Data was sent to another server, %s (%s)."), to.Label, c.Tool)})
}
