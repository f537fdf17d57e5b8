package app

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/draft"
)

// writers opens the one client that can write. It is made here and given to internal/draft alone: nothing else in the
// program has a value of this type, nor a way to make one (decision 0003).
type writers struct{ accounts *accounts }

// Writer implements draft.Writers.
func (w writers) Writer(_ context.Context, org stockhand.OrgID, c stockhand.Connection, l stockhand.Language) (draft.Writer, error) {
	if c.Connector != "moysklad" {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s is read only", c.Connector)
	}
	token, err := w.accounts.ring.Open(org, c.ID, c.Sealed)
	if err != nil {
		return nil, err
	}
	return write.Open(write.Config{
		BaseURL: w.accounts.base[c.Connector], Token: string(token), Account: c.Account, Language: l, Limiter: w.accounts.limiter, Logger: w.accounts.log,
	}), nil
}
