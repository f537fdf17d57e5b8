// Package documents contains the tools that list the documents of an account and open one of them.
package documents

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Tools returns the tools, bound to an account.
func Tools(a *account.Account) []tool.Tool {
	return []tool.Tool{listTool(a, mostDocuments), openTool(a)}
}

// mostDocuments is the maximum number of documents that a call reads (rule R240).
const mostDocuments = 100_000

// call is one call of a tool.
type call struct {
	*account.Call
	currency   string
	currencies map[msapi.ID]string
	names      names
	closing    map[msapi.ID]msapi.State // states of the documents that close them
	section    tool.Text                // of the only type that was asked for, if the employee may not see it
}

// reading returns a tool that runs a method of call.
func reading[In any](a *account.Account, name string, title, about tool.Text,
	do func(c *call, ctx context.Context, in In) error) tool.Tool {
	return tool.Read(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		ctx, begun := account.Begin(ctx, a, env, title)
		c := &call{Call: begun}
		if err := do(c, ctx, in); err != nil {
			section := c.section
			if section == (tool.Text{}) {
				section = account.SectionOf(err)
			}
			if err = c.Refuse(err, section); err != nil {
				return nil, err
			}
		}
		return c.Finish(), nil
	})
}
