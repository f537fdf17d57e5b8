// Package api is the HTTP JSON API: one table of routes, each with its scope, in front of the domain.
//
// Every request takes the same path: the guard authenticates the caller and checks the route's scope before it reads
// any of the body; the body is decoded strictly and validated against its type; the handler makes one domain call; the
// response is encoded. Handlers return errors, and one function writes them all in one shape (rule R46).
//
// A route's scope is a column of the table and nowhere else. Handlers cannot extend it, and a route without one cannot
// exist, so the column says who may do what.
//
// # How to write a handler
//
// A handler is a method from a decoded request to a response, and a row of routes.go:
//
//	{"PATCH /things/{thing_id}", writeTools, "renameThing", "Rename a thing", typed(s.renameThing).dryRun()},
//
//	func (s *Server) renameThing(ctx context.Context, in *struct {
//		ID   stockhand.ThingID `path:"thing_id"`
//		Wait int               `query:"wait" minimum:"0" maximum:"300" doc:"Seconds to wait"`
//		Body struct {
//			Name string   `json:"name" minLength:"1" maxLength:"100" doc:"A label for people" example:"Main"`
//			Tags []string `json:"tags,omitempty" maxItems:"20"` // omitempty: optional
//		}
//	}) (*Answer[thing], error) {
//		a := stockhand.ActorOf(ctx)
//		if dryRun(ctx) { … } // only if the row says dryRun(); other writes refuse X-Dry-Run
//		t, err := s.Things.Rename(ctx, a.Org, in.ID, in.Body.Name)
//		if err != nil {
//			return nil, err // a *stockhand.Error gets the status of its code; any other error is INTERNAL and logged
//		}
//		return answerOf(thingOf(t))
//	}
//
// Before a handler runs, these are already checked: the caller ([stockhand.ActorOf]), the scope, that {org_id} is the
// caller's, the rate limit, unknown query parameters, the body's size, strict JSON, the schema from the type's tags
// (doc and example go into the OpenAPI document), and Idempotency-Key. The handler is responsible for domain rules, as
// errors with a hint, and in rows with readOwn for [Server.maySee] of everything it returns and [ownOnly] in lists.
//
// An embedded part of an input needs an exported type: huma does not see others.
//
// A plain handler writes its own response and may return an error before the first byte. Its body is bounded and its
// query parameters are those in openapi_operations.go; nothing else is checked. Every write extends the connection's
// deadline, so streams need nothing more. languageOf(ctx) is English unless Accept-Language prefers Russian.
package api

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/api/openapi"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/api/requestlog"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/byword"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/console"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/measure"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/openai"
	"github.com/stockhand/stockhand/internal/reports"
	"github.com/stockhand/stockhand/internal/retention"
	"github.com/stockhand/stockhand/internal/timezone/orgzone"
	"github.com/stockhand/stockhand/internal/traffic"
)

// Config configures a Server.
type Config struct {
	Auth        *auth.Service
	SignIn      *signin.Service // nil: people cannot sign in
	Agent       *agent.Agent
	Drafts      *draft.Service
	ByWord      *byword.Service // decides on drafts by a person's words
	Connections *connection.Service
	Measures    *measure.Service
	Reports     *reports.Service
	Retention   *retention.Service
	Traffic     *traffic.Service
	Notes       *notes.Service
	Zones       orgzone.Service
	Gateway     Gateway
	Store       Store
	Secrets     idempotency.Secrets
	Audit       *audit.Log // of reads, calls and refusals; nil for none
	Requests    *requestlog.Log
	Console     *console.Console
	Version     string // the program's version, for the OpenAPI document
	Currency    string // of what models cost; empty if none has a price
	Logger      *slog.Logger

	// OpenAI and MCP are served behind the same guard. An error that OpenAI returns before writing is also sent in
	// OpenAI's format. A nil MCP is not mounted.
	OpenAI *openai.Service
	MCP    http.Handler // /mcp

	Ready func(ctx context.Context) error // for /readyz; nil means always ready
	// Observe is called after every request; route is empty if none matched.
	Observe func(route string, status int, took time.Duration)

	Rate           ratelimit.Rate  // per actor
	OrgRate        ratelimit.Rate  // per organization; by default three times Rate
	FailureRate    ratelimit.Rate  // of failed authentications, per address
	Streams        ratelimit.Share // that may be open; zero means 50 and 200
	TrustedProxies caller.Proxies  // whose X-Forwarded-For is trusted
	Cookies        caller.Cookies  // of sign-ins
	// Origins are the origins that browsers may call from, such as "https://shop.example"; "*" allows all.
	Origins []string
}

// Server serves the API.
type Server struct {
	Config

	table      []route
	mux        *http.ServeMux
	compressed http.Handler // serve with compression
	limits     *ratelimit.Limits
	refusals   *ratelimit.Sample // of the log
	large      *ratelimit.Pool   // bytes of large bodies in memory
	streams    *ratelimit.Pool   // open streams
	document   *openapi.Document
	once       *idempotency.Service
}

// New returns a server.
func New(c Config) *Server { return build(c, (*Server).routes) }

// build is like New with another table of routes, for tests.
func build(c Config, routes func(*Server) []route) *Server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{Config: c, mux: http.NewServeMux(), limits: ratelimit.New(c.Rate, c.OrgRate, c.FailureRate),
		refusals: ratelimit.NewSample(),
		large:    ratelimit.NewPool(maxLarge, ratelimit.Share{OfActor: maxLarge / 4, OfOrg: maxLarge / 2}),
		streams:  ratelimit.NewPool(math.MaxInt64, cmp.Or(c.Streams, maxStreams)),
		document: openapi.New(c.Version, Base)}
	s.once = &idempotency.Service{Store: s.Store, Secrets: s.Secrets, Derive: s.Auth.Derive, Logger: s.Logger,
		WriteError: s.writeError}
	if s.Retention != nil {
		s.once.KeepFor = s.Retention.KeepAnswers
	}
	config := huma.Config{OpenAPI: s.document.OpenAPI, Formats: formats, DefaultFormat: "application/json"}
	s.table = routes(s)
	for _, r := range s.table {
		s.add(r, config)
	}
	s.mcp()
	s.public()
	s.compressed = compress(http.HandlerFunc(s.serve))
	return s
}

// ShareLimits lets the replicas count requests together until ctx is done.
func (s *Server) ShareLimits(ctx context.Context, r ratelimit.Replicas) { s.limits.Share(ctx, r) }

// Rate is a request rate.
type Rate = ratelimit.Rate

// Base is the prefix of the native API (rule R38).
const Base = "/api/v1"

// Store is what handlers read directly; internal/store documents the methods.
type Store interface {
	Organization(ctx context.Context, org stockhand.OrgID) (stockhand.Organization, error)
	AgentStore
	records
	idempotency.Answers
}
