package app

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/gateway"
)

// gateways opens the external system's raw API. The one that writes is made here and nowhere else, and the API holds it
// behind connection.Passage, which asks for gateway_writes and keeps the audit log (decision 0014).
type gateways struct{ connections *connection.Service }

// Reading implements connection.Gateways.
func (g gateways) Reading(_ context.Context, c stockhand.Connection) (connector.Gateway, error) {
	to, err := g.reach(c)
	if err != nil {
		return nil, err
	}
	return gateway.NewReader(to, c.Account), nil
}

// Writing implements connection.Gateways.
func (g gateways) Writing(_ context.Context, c stockhand.Connection) (connector.Gateway, error) {
	to, err := g.reach(c)
	if err != nil {
		return nil, err
	}
	return gateway.NewWriter(to, c.Account), nil
}

func (g gateways) reach(c stockhand.Connection) (connector.Config, error) {
	if c.Connector != "moysklad" {
		return connector.Config{}, stockhand.Errorf(stockhand.CodeNotFound, "%s has no gateway", c.Connector)
	}
	return g.connections.Reach(c)
}
