package app

import (
	"context"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp"
	mcpwrite "github.com/stockhand/stockhand/internal/connector/mcp/write"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/connector/moysklad/gateway"
	"github.com/stockhand/stockhand/internal/connector/moysklad/write"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/measure"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
)

// Connectors are the external systems that Stockhand supports: one line each.
var Connectors = []Connector{
	{Kind: moysklad.Kind, Writer: WriterOf(write.New), Gateway: gateway.Open},
	{Kind: mcp.Kind, Writer: WriterOf(mcpwrite.New)},
}

// Connector is a kind of external system together with what can change it. The kind only reads, and every package may
// use it. What writes is in separate packages that only this package imports, and is passed to internal/draft and
// [connection.Forwarder] (decisions 3 and 14).
type Connector struct {
	connector.Kind

	// Writer opens the client that writes what a person confirmed; nil for a read-only system.
	Writer OpenWriter

	// Gateway opens the raw API for reading, or for reading and writing; nil for a system without one.
	Gateway func(c connector.Config, account stockhand.AccountID, writes bool) connector.Gateway
}

// OpenWriter opens a writer for an account, with messages in the given language. It sends nothing.
type OpenWriter func(c connector.Config, account stockhand.AccountID, l stockhand.Language) (draft.Writer, error)

// WriterOf adapts a constructor that returns a concrete type.
func WriterOf[W draft.Writer](open func(connector.Config, stockhand.AccountID, stockhand.Language) (W,
	error)) OpenWriter {
	return func(c connector.Config, account stockhand.AccountID, l stockhand.Language) (draft.Writer, error) {
		return open(c, account, l)
	}
}

// writers opens the writers and gateways of connections.
type writers struct {
	connectors  []Connector
	connections *connection.Service
}

func (w writers) connector(name string) Connector {
	for _, c := range w.connectors {
		if c.Name == name {
			return c
		}
	}
	return Connector{}
}

// Writer implements draft.Writers.
func (w writers) Writer(ctx context.Context, _ stockhand.OrgID, c stockhand.Connection, l stockhand.Language) (
	draft.Writer, error) {
	open := w.connector(c.Connector).Writer
	if open == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s is read-only", c.Connector)
	}
	config, err := w.connections.ReachOver(ctx, c)
	if err != nil {
		return nil, err
	}
	return open(config, c.Account, l)
}

// Gateway implements connection.Gateways.
func (w writers) Gateway(c stockhand.Connection, writes bool) (connector.Gateway, error) {
	open := w.connector(c.Connector).Gateway
	if open == nil {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "%s has no gateway", c.Connector)
	}
	config, err := w.connections.Reach(c)
	if err != nil {
		return nil, err
	}
	return open(config, c.Account, writes), nil
}

// OpenConnections returns the connections of a database, for commands that send nothing.
func OpenConnections(db *store.DB, ring *secret.Ring) *connection.Service {
	return connection.New(connection.Config{Store: db, Ring: ring, Kinds: kinds(Connectors)})
}

// kinds returns the connectors without what can write.
// Measures returns the service for the measures that organizations define, over the catalogue of the first connector
// that answers queries.
func Measures(db *store.DB, all []Connector, clock func() time.Time) *measure.Service {
	s := &measure.Service{Store: db.System().Measures(), Catalogue: &connector.Catalogue{}, Clock: clock}
	if i := slices.IndexFunc(all, func(c Connector) bool { return c.Catalogue != nil }); i >= 0 {
		s.Catalogue = all[i].Catalogue
	}
	return s
}

func kinds(all []Connector) []connector.Kind {
	out := make([]connector.Kind, len(all))
	for i, c := range all {
		out[i] = c.Kind
	}
	return out
}
