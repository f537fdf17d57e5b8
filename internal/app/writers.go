package app

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/draft"
)

// writers opens the one client that can write. It is made here and given to internal/draft alone: nothing else in the
// program has a value of this type, nor a way to make one (decision 0003).
type writers struct{ connections *connection.Service }

// Writer implements draft.Writers.
func (w writers) Writer(_ context.Context, _ stockhand.OrgID, c stockhand.Connection, l stockhand.Language) (draft.Writer, error) {
	if c.Connector != "moysklad" {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s is read only", c.Connector)
	}
	to, err := w.connections.Reach(c)
	if err != nil {
		return nil, err
	}
	return write.Open(write.Config{BaseURL: to.BaseURL, Token: to.Token, Account: c.Account, Language: l, Limiter: to.Limiter, Logger: to.Logger}), nil
}
