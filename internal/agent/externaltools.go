package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// addExternalTools adds the tools of the organization's MCP servers that the profile may use. Each gets a unique name
// in this run.
func (l *loop) addExternalTools(ctx context.Context) error {
	l.external = map[string]stockhand.Connection{}
	all, err := l.store.Connections(ctx, l.org)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !l.kind(c).ToolsOnly || len(l.agent.Connections) > 0 && !slices.Contains(l.agent.Connections, c.ID) {
			continue
		}
		account, err := l.accounts.Open(ctx, c)
		if err != nil {
			return err
		}
		for _, fn := range l.allowed(account.Tools()) {
			own := fn.Name
			for n := 2; slices.ContainsFunc(l.tools, func(t tool.Tool) bool { return called(t) == called(fn) }); n++ {
				fn.Name = fmt.Sprintf("%s_%d", own, n)
			}
			l.tools = append(l.tools, fn)
			l.external[fn.Name] = c
		}
	}
	return nil
}

// connectionOf returns the connection of a tool.
func (l *loop) connectionOf(fn tool.Tool) stockhand.ConnectionID {
	if c, ok := l.external[fn.Name]; ok {
		return c.ID
	}
	return l.session.Connection
}

// concerns reports whether a result of an account belongs to this turn: it is from the turn's account, or from an
// external tool.
func (l *loop) concerns(account stockhand.AccountID) bool {
	if account == l.account.Identity().Account {
		return true
	}
	for _, c := range l.external {
		if c.Account == account {
			return true
		}
	}
	return false
}
