// Package api is the HTTP JSON API: one table of routes, each with its scope, in front of the domain.
//
// The path of a request is always the same: the guard finds out who is calling and whether the route's scope is theirs, before a
// byte of the body is read; the request is decoded strictly and validated from its type; one domain call is made; the answer is
// encoded. Handlers return errors, and one function writes them all in one shape (specification, section 7).
//
// The surprising decision: a route's scope stands in the table and nowhere else. Handlers cannot widen it, and a row without one
// does not compile into the mux, so "who may do this" is a column and not a search.
package api

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/draft"
)

// Config is what a Server needs.
type Config struct {
	Auth        Auth
	Agent       *agent.Agent
	Drafts      *draft.Service
	Connections *connection.Service
	Store       Store
	Version     string // of the program, for the OpenAPI document
	Logger      *slog.Logger

	// Chat and MCP are other faces of the same service, served behind the same guard; nil ones are not there.
	Chat   http.Handler // POST /v1/chat/completions
	Models http.Handler // GET /v1/models
	MCP    http.Handler // /mcp

	Ready   func(ctx context.Context) error // what /readyz asks; nil is always ready
	Metrics http.Handler                    // /metrics; nil is not there
}

// Server serves the API.
type Server struct {
	Config

	mux *http.ServeMux
}

// New returns a server.
func New(c Config) *Server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{Config: c, mux: http.NewServeMux()}
	config := huma.DefaultConfig("Stockhand", c.Version)
	config.DocsPath, config.OpenAPIPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema links in answers
	for _, r := range s.routes() {
		s.add(humago.NewWithPrefix(guarded{s, r}, Base, config), r)
	}
	return s
}

// Base is the prefix of the native API (specification, section 9).
const Base = "/api/v1"

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Auth says who is calling and whether a scope is theirs; *auth.Service does.
type Auth interface {
	Authenticate(ctx context.Context, c auth.Caller) (stockhand.Actor, error)
	Allow(a stockhand.Actor, scope stockhand.Scope) error
}

// Store is what handlers read without a rule in between; internal/store says what each method promises.
type Store interface {
	Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error)
}
