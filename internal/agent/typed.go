package agent

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
)

// Typed returns the names of a kind in an account that somebody who is typing may mean, likeliest first, and how many
// there are (rule R397). It reads the account's names unless tasks have read them a short time ago.
func (a *Agent) Typed(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, kind connector.NameKind,
	words string, most int) ([]connector.Name, int, error) {
	c, err := a.store.Connection(ctx, org, id)
	if err != nil {
		return nil, 0, err
	}
	account, err := a.accounts.Open(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	sent := limit.Counter{Max: maxLookUps}
	return a.names.Of(c.ID, account).Typed(limit.WithCounter(ctx, &sent), kind, words, most)
}

// SomeNames returns up to most names of each kind in an account, of those that are few enough to list. It reads them
// unless tasks have read them a short time ago.
func (a *Agent) SomeNames(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID, most int,
	kinds ...connector.NameKind) (map[connector.NameKind][]string, error) {
	c, err := a.store.Connection(ctx, org, id)
	if err != nil {
		return nil, err
	}
	account, err := a.accounts.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	sent := limit.Counter{Max: maxLookUps}
	return a.names.Of(c.ID, account).Some(limit.WithCounter(ctx, &sent), most, kinds...)
}

// NamesOf returns the names of IDs of an account that are known without a request.
func (a *Agent) NamesOf(ctx context.Context, org stockhand.OrgID, id stockhand.ConnectionID,
	ids []string) map[string]string {
	c, err := a.store.Connection(ctx, org, id)
	if err != nil {
		return nil
	}
	account, err := a.accounts.Open(ctx, c)
	if err != nil {
		return nil
	}
	return a.names.Of(c.ID, account).ByID(ids)
}
