package connection

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/limit"
)

// Catalogue returns what queries may ask of a connection, with what its account adds, such as its additional fields.
// Requests count for the actor. Nil means that the connection answers no queries.
func (s *Service) Catalogue(ctx context.Context, c stockhand.Connection, a stockhand.Actor) (*connector.Catalogue,
	error) {
	k, err := s.Kind(c.Connector)
	if err != nil || k.Catalogue == nil {
		return nil, err
	}
	account, err := s.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	analyst, ok := account.(connector.Analyst)
	if !ok {
		return k.Catalogue, nil
	}
	var sent limit.Counter
	catalogue, err := analyst.Catalogue(limit.WithCounter(ctx, &sent))
	s.count(ctx, c.Org, a, sent.Requests())
	return catalogue, err
}
