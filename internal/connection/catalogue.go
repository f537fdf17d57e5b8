package connection

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// Catalogue returns what queries may ask of a connection, with what its account adds, such as its additional fields.
// Requests count for the actor. Nil means that the connection answers no queries.
func (s *Service) Catalogue(ctx context.Context, c stockhand.Connection, a stockhand.Actor) (*connector.Catalogue,
	error) {
	k, err := s.Kind(c.Connector)
	if err != nil || k.Catalogue == nil {
		return nil, err
	}
	catalogue := k.Catalogue
	_, err = s.With(ctx, c, a, func(ctx context.Context, account connector.Account) (err error) {
		if analyst, ok := account.(connector.Analyst); ok {
			catalogue, err = analyst.Catalogue(ctx)
		}
		return err
	})
	return catalogue, err
}
