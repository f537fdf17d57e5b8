// Package mcp serves Stockhand to MCP clients (desktop assistants, editors, other agents): each tool as an MCP tool
// with its schema, the agent itself as the tool ask, results as structured content, drafts and results as resources.
//
// What a client may do is what its key may: calling takes write:tools, and listing the tools and the accounts takes
// that or the scope that reads them elsewhere, read:tools and read:data, because who may call has to know what and
// where. A call is a run like any other, with the same limits, log and record.
//
// The surprising decision: there is no tool that confirms, for nobody. A model at the other end calls tools on its own
// account, so a draft is only ever linked to; a person opens it and decides (specification, section 1, rule 6).
package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/connector"
)

// Drafts and Results are what resources are read from, Connections what accounts there are.
type (
	Drafts interface {
		Draft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID) (stockhand.Draft, error)
	}
	Store interface {
		Session(ctx context.Context, org stockhand.OrgID, id stockhand.SessionID) (stockhand.Session, error)
		Agent(ctx context.Context, org stockhand.OrgID, id stockhand.AgentID) (stockhand.AgentProfile, error)
		Agents(ctx context.Context, org stockhand.OrgID) ([]stockhand.AgentProfile, error)
		Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
		Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
		Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	}
)

// Config is what a Service needs; all but Logger is required.
type Config struct {
	Agent  *agent.Agent
	Drafts Drafts
	// the newest drafts; an actor's own where one is named
	Recent   func(ctx context.Context, org stockhand.OrgID, by string) ([]stockhand.Draft, error)
	Store    Store
	Kinds    []connector.Kind                             // whose tools are served
	Allow    func(stockhand.Actor, stockhand.Scope) error // whether a scope is the caller's
	DraftURL func(id stockhand.DraftID) string            // where a person opens a draft
	Version  string
	Logger   *slog.Logger
}

// Service serves the protocol.
type Service struct {
	Config

	schemas *sdk.SchemaCache
}

// New returns a service.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: c, schemas: sdk.NewSchemaCache()}
}

// Handler serves the protocol over Streamable HTTP to whoever the request's context says is calling. It remembers
// nothing between requests, so that any replica serves any of them.
func (s *Service) Handler() http.Handler {
	return sdk.NewStreamableHTTPHandler(
		func(r *http.Request) *sdk.Server { return s.Server(stockhand.ActorOf(r.Context())) },
		&sdk.StreamableHTTPOptions{
			Stateless:                    true,
			PropagateRequestCancellation: true,
			MaxRequestBodyBytes:          1 << 20,
			// A page in a browser that was led to this address by its DNS has no key to send; and behind a proxy on the
			// same machine every request looks like such a page.
			DisableLocalhostProtection: true,
		})
}

const instructions = `Stockhand answers questions about an inventory account (stock, shortages, turnover, profit, money, orders) from the account's own data.
Ask in plain Russian or English with the tool "ask", or call a single tool. Where several accounts are connected, name one by connection_id (resource stockhand://connections).
Every figure comes with where it was read; say the notices of a result to the person, and never add figures of your own.
What would change the account becomes a draft: give the person its link. Nothing is sent until a person confirms it there.`

// Server returns a server that acts for one caller.
func (s *Service) Server(actor stockhand.Actor) *sdk.Server {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "stockhand", Title: "Stockhand", Version: s.Version},
		&sdk.ServerOptions{
			Instructions: instructions, SchemaCache: s.schemas,
			// what a key may see
			SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{}},
		})
	c := caller{s, actor}
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
			if method == "tools/list" {
				if err := c.mayList(stockhand.ScopeReadTools); err != nil {
					return nil, err
				}
			}
			return next(ctx, method, q)
		}
	})
	server.AddTool(askTool, c.ask)
	for _, k := range s.Kinds {
		for _, t := range k.Tools {
			server.AddTool(describe(t), c.tool(t.Name))
		}
	}
	for _, r := range resources {
		server.AddResource(r.resource, c.reads(r.read))
	}
	for _, t := range templates {
		server.AddResourceTemplate(t.template, c.reads(t.read))
	}
	return server
}

// caller is a Service in the hands of whoever calls.
type caller struct {
	*Service
	actor stockhand.Actor
}

// mayList tells whether the caller may read a list: by the scope that reads it elsewhere, or because they may call what
// is in it. The error is the protocol's own and names the scope.
func (c caller) mayList(scope stockhand.Scope) error {
	if c.actor.May(stockhand.ScopeWriteTools) {
		return nil
	}
	err := c.Allow(c.actor, scope)
	if e, ok := errors.AsType[*stockhand.Error](err); ok {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: string(e.Code) + ": " + e.Message + " (" +
			e.Hint + ")"}
	}
	return err
}
