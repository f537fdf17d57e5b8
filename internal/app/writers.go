package app

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	mcpwrite "github.com/stockhand/stockhand/internal/connector/mcp/write"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/draft"
)

// writers opens the clients that can write. They are made here and given to internal/draft alone: nothing else in the
// program has a value of these types, nor a way to make one (decision 0003).
type writers struct{ connections *connection.Service }

// Writer implements draft.Writers.
func (w writers) Writer(_ context.Context, _ stockhand.OrgID, c stockhand.Connection, l stockhand.Language) (
	draft.Writer, error) {
	to, err := w.connections.Reach(c)
	if err != nil {
		return nil, err
	}
	switch c.Connector {
	case "moysklad":
	case connector.MCP:
		return mcpwrite.Open(mcpwrite.Config{Kept: to.Kept, Private: to.Private, Language: l, Limiter: to.Limiter,
			Logger: to.Logger})
	default:
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s is read only", c.Connector)
	}
	return write.Open(write.Config{BaseURL: to.BaseURL, Token: to.Token, Account: c.Account, Language: l,
		Limiter: to.Limiter, Logger: to.Logger}), nil
}
