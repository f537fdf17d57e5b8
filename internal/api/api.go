// Package api is the HTTP JSON API: one table of routes, each with its scope, in front of the domain.
//
// The path of a request is always the same: the guard finds out who is calling and whether the route's scope is theirs,
// before a byte of the body is read; the request is decoded strictly and validated from its type; one domain call is
// made; the answer is encoded. Handlers return errors, and one function writes them all in one shape (specification,
// section 7).
//
// The surprising decision: a route's scope stands in the table and nowhere else. Handlers cannot widen it, and a row
// without one does not compile into the mux, so "who may do this" is a column and not a search.
//
// # How to write a handler
//
// A handler is a method from a decoded request to an answer, and a row of routes.go:
//
//	{http.MethodPost, "/things/{thing_id}", writeTools, "changeThing", "Change a thing", typed(s.changeThing).returns(http.StatusCreated).dryRun()},
//
//	func (s *Server) changeThing(ctx context.Context, in *struct {
//		ID   stockhand.ThingID `path:"thing_id"`
//		Wait int               `query:"wait" minimum:"0" maximum:"300" doc:"Seconds to wait"`
//		Body struct {
//			Name string   `json:"name" minLength:"1" maxLength:"100" doc:"For people" example:"Main"`
//			Tags []string `json:"tags,omitempty" maxItems:"20"` // omitempty: may be left out
//		}
//	}) (*Answer[thing], error) {
//		a := stockhand.ActorOf(ctx)
//		if dryRun(ctx) { … } // only where the row says dryRun(); other writes are refused for X-Dry-Run
//		t, err := s.Things.Change(ctx, a.Org, in.ID, in.Body.Name)
//		if err != nil {
//			return nil, err // *stockhand.Error is answered with the status of its code, everything else is INTERNAL and logged
//		}
//		return answerOf(thingOf(t))
//	}
//
// What has been seen to before a handler runs: the caller ([stockhand.ActorOf]), the scope, that {org_id} is the
// caller's, the rate limit, unknown query parameters, the body's size, strict JSON, the schema made of the type's tags
// (doc and example are in the document that client developers read), Idempotency-Key. What is left to it: rules of the
// domain, as errors with a hint; and on rows with readOwn, [Server.maySee] of everything it shows (403 names the scope,
// as wherever it is missing) and [ownOnly] in lists.
//
// What is embedded in an input has to have a capital name: huma does not see the others.
//
// Lists embed [Page], ask the store for Limit+1 entries after the position p.after(), and answer listOf(…). A type that
// is shown is a struct of its own with json tags in snake_case; its name is its name in the document. Several statuses:
// an Out with a field Status int beside Body. Headers: fields with a header tag. A plain handler writes its own answer
// and may return an error before the first byte; its body is bounded, its query is checked against its entry in
// openapi.go, and nothing else is. Streams need nothing more: every write extends the connection's deadline.
// languageOf(ctx) is English unless Accept-Language prefers Russian; invalid(field, message) is the error of one bad
// input, and its message never quotes the value.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/semaphore"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/draft"
)

// Config is what a Server needs.
type Config struct {
	Auth        *auth.Service
	Agent       *agent.Agent
	Drafts      *draft.Service
	Connections *connection.Service
	Gateway     Gateway
	Store       Store
	Secrets     Secrets
	Version     string // of the program, for the OpenAPI document
	Logger      *slog.Logger

	// Chat and MCP are other faces of the same service, served behind the same guard; nil ones are not there. An error
	// that Chat or Models returns before writing is answered in OpenAI's words as well as in ours.
	Chat   func(w http.ResponseWriter, r *http.Request) error // POST /v1/chat/completions
	Models func(w http.ResponseWriter, r *http.Request) error // GET /v1/models
	MCP    http.Handler                                       // /mcp

	Ready   func(ctx context.Context) error // what /readyz asks; nil is always ready
	Metrics http.Handler                    // /metrics; nil is not there
	// hears of every request once it is over; route is empty where none matched
	Observe func(route string, status int, took time.Duration)

	// deletes first answers older than that, of all organizations; see idempotency.go
	ForgetAnswers func(ctx context.Context, before time.Time) error

	Rate           Rate           // of one actor
	FailureRate    Rate           // of an address that fails to authenticate
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed; empty is nobody's
	// of browsers that may call from elsewhere ("https://shop.example"; "*" is all); empty is none
	Origins []string
}

// Server serves the API.
type Server struct {
	Config

	table      []route
	mux        *http.ServeMux
	compressed http.Handler // serve, with answers compressed for those who take it
	limits     *limits
	large      *semaphore.Weighted // bytes that may be held of large bodies
	document   *huma.OpenAPI
	swept      atomic.Int64  // when old answers were last deleted, in Unix nanoseconds
	renewEvery time.Duration // of idempotency claims; 0 is claimRenewed
}

// New returns a server.
func New(c Config) *Server { return build(c, (*Server).routes) }

// build is New with any table of routes, which tests of what is the same for all routes make themselves.
func build(c Config, routes func(*Server) []route) *Server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{Config: c, mux: http.NewServeMux(), limits: newLimits(c.Rate, c.FailureRate),
		large: semaphore.NewWeighted(maxLarge), document: newDocument(c.Version)}
	config := huma.Config{OpenAPI: s.document, Formats: formats, DefaultFormat: "application/json"}
	s.table = routes(s)
	for _, r := range s.table {
		s.add(r, config)
	}
	s.mcp()
	s.public()
	s.compressed = compress(http.HandlerFunc(s.serve))
	return s
}

// Base is the prefix of the native API (specification, section 9).
const Base = "/api/v1"

// Secrets seals what may not rest in clear; *secret.Ring does.
type Secrets interface {
	Seal(org stockhand.OrgID, of stockhand.ConnectionID, plain []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, of stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
}

// Store is what handlers read without a rule in between; internal/store says what each method promises.
type Store interface {
	Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error)
	AgentStore
	records
	Answers
}
