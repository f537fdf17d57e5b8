// Package mcp serves Stockhand to MCP clients (desktop assistants, editors, other agents): each tool as an MCP tool
// with its schema, the agent itself as the tool ask, summaries of results as structured content, drafts and results as
// resources.
//
// A client may do what its key may do: a call requires write:tools. Listing tools requires that or read:tools, listing
// accounts that or read:data. A call is a run like any other, with the same limits, log and record.
//
// The surprising decision: no tool confirms a draft. The model at the other end calls tools on its own, so results only
// link to drafts, and a person opens the link and decides (rules R9 and R60).
package mcp

import (
	"context"
	"errors"
	"iter"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Drafts and Store are what resources are read from.
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
		ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
			stockhand.RowPage, error]
		Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error)
	}
)

// Config is what a Service needs; all but Logger is required.
type Config struct {
	Agent  *agent.Agent
	Drafts Drafts
	// Recent returns the newest drafts; only those of an actor if by is not empty.
	Recent   func(ctx context.Context, org stockhand.OrgID, by string) ([]stockhand.Draft, error)
	Store    Store
	Kinds    []connector.Kind                             // the connectors whose tools are served
	Allow    func(stockhand.Actor, stockhand.Scope) error // an error if the actor lacks the scope
	DraftURL func(id stockhand.DraftID) string            // the page where a person opens a draft
	Audit    *audit.Log                                   // of calls and reads; nil for none
	Version  string
	Logger   *slog.Logger
}

// Service serves the protocol.
type Service struct {
	Config

	schemas *sdk.SchemaCache
	running runningCalls
}

// New returns a service.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: c, schemas: sdk.NewSchemaCache()}
}

const instructions = `Stockhand answers questions about an inventory account (stock, shortages, turnover, profit, money, orders) from the account's own data.
Ask in plain Russian or English with the tool "ask", or call a single tool.
If several accounts are connected, name one by connection_id (resource stockhand://connections).
Structured content is a summary: read the linked resource for the whole table.
Pass a result's notices on to the person, and never add figures of your own.
Changes become drafts: give the person the draft's link. Nothing is sent until a person confirms it there.`

// Server returns a server that acts for one caller.
func (s *Service) Server(actor stockhand.Actor) *sdk.Server {
	return s.server(caller{Service: s, actor: actor})
}

func (s *Service) server(c caller) *sdk.Server {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "stockhand", Title: "Stockhand", Version: s.Version},
		&sdk.ServerOptions{
			Instructions: instructions, SchemaCache: s.schemas,
			// responses depend on the key
			SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{},
				Resources: &sdk.ResourceCapabilities{}},
		})
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
			if method == "tools/list" {
				if err := c.mayList(stockhand.ScopeReadTools); err != nil {
					return nil, err
				}
			}
			result, err := next(ctx, method, q)
			if err == nil {
				c.note(q)
			}
			return result, err
		}
	})
	server.AddTool(askTool, c.ask)
	all := []tool.Tool{agent.ComputeTool()}
	for _, k := range s.Kinds {
		all = append(all, k.Tools...)
	}
	for _, t := range all {
		if c.actor.Binding.SeesTool(t.Name) {
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

// note adds a call of a tool or a read of a resource to the audit log.
func (c caller) note(q sdk.Request) {
	f := audit.Fact{Org: c.actor.Org, Actor: c.actor.Name}
	switch q := q.(type) {
	case *sdk.CallToolRequest:
		f.Action, f.What = "mcp.called", q.Params.Name
		f.Arguments = c.Audit.Fingerprint(c.actor.Org, q.Params.Arguments)
	case *sdk.ReadResourceRequest:
		f.Action, f.What = "mcp.read", q.Params.URI
	default:
		return
	}
	c.Audit.Note(f)
}

// caller is a Service on behalf of one caller.
type caller struct {
	*Service
	actor    stockhand.Actor
	language stockhand.Language // of Accept-Language; empty over stdio
	gone     <-chan struct{}    // closed when the HTTP client cancels or disconnects; nil over stdio
}

// mayList is an error if the caller has neither the scope for a list nor write:tools. It is a protocol error that names
// the scope.
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
