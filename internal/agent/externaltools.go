package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Limits on the tools of other servers in one run.
const (
	maxExternal = 64      // tools
	maxSent     = 2 << 10 // bytes that the model may send with one call
)

// addExternalTools adds the tools of the MCP servers that the profile names: what the model sends to them leaves the
// account (rule R144). Each gets a unique name in this run.
func (l *loop) addExternalTools(ctx context.Context) error {
	l.externals = map[string]stockhand.Connection{}
	if !l.offers {
		return nil
	}
	all, err := l.store.Connections(ctx, l.org)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, fn := range l.tools {
		taken[called(fn)] = true
	}
	for _, c := range all {
		if !l.kind(c).ToolsOnly || !slices.Contains(l.agent.Connections, c.ID) {
			continue
		}
		account, err := l.accounts.Open(ctx, c)
		if err != nil {
			return err
		}
		next := map[string]int{} // by own name: the number that makes the next one unique
		for _, fn := range l.allowed(account.Tools()) {
			if len(l.externals) == maxExternal {
				return nil
			}
			own := fn.Name
			for n := max(2, next[own]); taken[called(fn)]; n++ {
				fn.Name = fmt.Sprintf("%s_%d", own, n)
				next[own] = n + 1
			}
			taken[called(fn)] = true
			l.tools = append(l.tools, fn)
			l.externals[fn.Name] = c
		}
	}
	return nil
}

// external returns the connection of a tool that sends its arguments to another server at once; ok is false for others.
func (t *turn) external(record context.Context, c *plannedCall) (to stockhand.Connection, ok bool, err error) {
	from, _, _ := strings.Cut(c.Tool, "_") // a tool's name starts with its connector's
	if c.fn.Proposes() || !t.kind(stockhand.Connection{Connector: from}).ToolsOnly {
		return to, false, nil
	}
	to, err = t.store.Connection(record, t.org, c.connection)
	return to, true, err
}

// auditExternal records in the audit log that a call sends its arguments to another server, before it does.
func (t *turn) auditExternal(record context.Context, c *plannedCall) error {
	to, ok, err := t.external(record, c)
	if !ok || err != nil {
		return err
	}
	return t.store.Audit(record, t.org, stockhand.AuditEntry{At: t.clock().UTC(), Actor: t.message.By,
		Action: "remote.called", External: to.Connector + " " + string(to.Account),
		Detail: encode(map[string]any{"connection_id": to.ID, "tool": c.Tool, "run_id": t.run.ID,
			"arguments_bytes": len(c.Arguments), "arguments": t.fingerprint(t.org, c.Arguments)})})
}

// reportExternal tells the user that a call has sent its arguments to another server.
func (t *turn) reportExternal(record context.Context, c *plannedCall, failure error) error {
	to, ok, err := t.external(record, c)
	if !ok || err != nil || stockhand.CodeOf(failure) == stockhand.CodeConflict { // the tool has changed: not called
		return err
	}
	return t.notice(record, tool.Notice{Code: tool.NoticeSent, Message: fmt.Sprintf(
		t.language.Pick("Данные отправлены на сторонний сервер «%s» (%s).",
			"Data was sent to another server, %s (%s)."), to.Label, c.Tool)})
}

// connectionOf returns the connection of a tool.
func (l *loop) connectionOf(fn tool.Tool) stockhand.ConnectionID {
	if c, ok := l.externals[fn.Name]; ok {
		return c.ID
	}
	return l.session.Connection
}
