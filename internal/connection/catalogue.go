package connection

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// Catalogue returns what the actor's queries may ask: of accounts of a kind, or of one connection, with what its
// account adds, such as its additional fields. It includes what the organization defines. Requests count for the actor.
func (s *Service) Catalogue(ctx context.Context, k connector.Kind, c stockhand.Connection, a stockhand.Actor) (
	*connector.Catalogue, error) {
	catalogue := k.Catalogue
	if c.ID != "" {
		_, err := s.With(ctx, c, a, func(ctx context.Context, account connector.Account) (err error) {
			if analyst, ok := account.(connector.Analyst); ok {
				catalogue, err = analyst.Catalogue(ctx)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if s.AddOwn == nil {
		return catalogue, nil
	}
	return s.AddOwn(ctx, a.Org, catalogue)
}
