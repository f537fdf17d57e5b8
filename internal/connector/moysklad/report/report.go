// Package report contains the tools that read an account and return a table.
package report

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/tool"
)

// call is one call of a read tool.
type call struct{ *account.Call }

// Tools returns the read tools, bound to an account.
func Tools(a *account.Account) []tool.Tool {
	return []tool.Tool{
		stockTool(a), stockByStoreTool(a), shortagesTool(a), stockAgeTool(a), turnoverTool(a), profitability.tool(a),
		moneyTool(a), overdueOrdersTool(a), salesTrendTool(a), receivables.tool(a), abcTool(a), findProductsTool(a),
		referenceTool(a), overviewTool(a),
	}
}

// reading returns a tool that runs a method of call.
func reading[In any](a *account.Account, name string, title, about tool.Text,
	do func(c *call, ctx context.Context, in In) error) tool.Tool {
	return tool.Read(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		ctx, c := account.Begin(ctx, a, env, title)
		if err := do(&call{c}, ctx, in); err != nil {
			if err = c.Refuse(err, account.SectionOf(err)); err != nil {
				return nil, err
			}
		}
		if len(c.Result.Rows) == 0 {
			if err := c.CheckSuppliers(ctx); err != nil {
				return nil, err
			}
		}
		return c.Finish(), nil
	})
}
