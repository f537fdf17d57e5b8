package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// toolsOf lists the tools that the caller may call: those of a connection, or of all connectors in the order of their
// declaration, and compute, if id is empty. A connector whose tools depend on the connection has none without it.
func (s *Server) toolsOf(ctx context.Context, id stockhand.ConnectionID) (all []wire.ToolInfo, err error) {
	actor := stockhand.ActorOf(ctx)
	add := func(k connector.Kind, tools []tool.Tool) {
		for _, t := range tools {
			if actor.Binding.SeesTool(t.Name) {
				all = append(all, wire.ToolOf(k, t))
			}
		}
	}
	if id == "" {
		for _, k := range s.Connections.Kinds {
			add(k, k.Tools)
		}
		add(connector.Kind{}, []tool.Tool{agent.ComputeTool()})
		return all, nil
	}
	if err := actor.Binding.Connection(id); err != nil {
		return nil, err
	}
	c, err := s.Connections.Store.Connection(ctx, actor.Org, id)
	if err != nil {
		return nil, err
	}
	k, err := s.Connections.Kind(c.Connector)
	if err != nil {
		return nil, err
	}
	account, err := s.Connections.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	add(k, account.Tools())
	return all, nil
}

// OfConnection selects the tools of a connection.
type OfConnection struct {
	Connection stockhand.ConnectionID `query:"connection_id" doc:"The tools of this connection; required for those of an MCP server"`
}

func (s *Server) listTools(ctx context.Context, in *struct {
	Page
	OfConnection
	Effect    tool.Effect `query:"effect" enum:"read,propose" doc:"Only tools with this effect"`
	Connector string      `query:"connector" maxLength:"50" doc:"Only tools of this connector"`
}) (*List[wire.ToolInfo], error) {
	name := func(t wire.ToolInfo) string { return t.Name }
	same := func(t wire.ToolInfo) wire.ToolInfo { return t }
	return pageOf(in.Page, name, same, func(after string, _ int) ([]wire.ToolInfo, error) {
		all, err := s.toolsOf(ctx, in.Connection)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(t wire.ToolInfo) bool {
			return in.Effect != "" && t.Effect != in.Effect || in.Connector != "" && t.Connector != in.Connector
		})
		return restAfter(all, after, name)
	})
}

// restAfter returns the entries of a short list after a cursor position.
func restAfter[T any](all []T, after string, position func(T) string) ([]T, error) {
	if after == "" {
		return all, nil
	}
	i := slices.IndexFunc(all, func(v T) bool { return position(v) == after })
	if i < 0 {
		return nil, invalid("cursor", "is not a cursor of this list")
	}
	return all[i+1:], nil
}

func (s *Server) getTool(ctx context.Context, in *struct {
	OfConnection
	Name string `path:"name"`
}) (*Answer[wire.ToolInfo], error) {
	all, err := s.toolsOf(ctx, in.Connection)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.Name == in.Name {
			return answerOf(t)
		}
	}
	return nil, stockhand.Errorf(stockhand.CodeNotFound, "there is no tool of that name").WithHint(
		"GET /tools lists the tools.")
}

// ExecuteWait is how long to wait for a direct call.
type ExecuteWait struct {
	Wait int `query:"wait" minimum:"0" maximum:"120" doc:"Seconds to wait for the end, 60 by default; then the response is 202 with the turn's URLs"`
}

// executeWait is the default wait.
const executeWait = 60

// Resolve implements huma.Resolver. huma's default would also replace an explicit 0.
func (w *ExecuteWait) Resolve(ctx huma.Context) []error {
	if ctx.Query("wait") == "" {
		w.Wait = executeWait
	}
	return nil
}

func (s *Server) executeTool(ctx context.Context, in *struct {
	ExecuteWait
	Name string `path:"name"`
	Body struct {
		ConnectionID stockhand.ConnectionID `json:"connection_id,omitempty" doc:"The account; optional if only one is connected"`
		Arguments    map[string]any         `json:"arguments,omitempty" doc:"See the tool's parameters"`
		Language     stockhand.Language     `json:"language,omitempty" enum:"ru,en" doc:"The answer's language; by default that of Accept-Language"`
	}
}) (*turnAnswer, error) {
	return s.execute(ctx, in.Wait, in.Name, in.Body.ConnectionID, in.Body.Arguments, in.Body.Language)
}

// execute runs a tool call and waits for its end. A failed call becomes an error response.
func (s *Server) execute(ctx context.Context, wait int, name string, c stockhand.ConnectionID, arguments map[string]any,
	l stockhand.Language) (*turnAnswer, error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil, invalid("arguments", "cannot be decoded")
	}
	if arguments == nil {
		raw = nil
	}
	if l == "" {
		l = languageOf(ctx)
	}
	actor := stockhand.ActorOf(ctx)
	turn, err := s.Agent.Execute(ctx, actor.Org,
		agent.Execution{Tool: strings.TrimSpace(name), Connection: c, Arguments: raw, Language: l, Actor: actor})
	if err != nil {
		return nil, inArguments(err)
	}
	if wait > 0 && s.awaitEnd(ctx, actor.Org, turn.Run, time.Duration(wait)*time.Second) != nil {
		// the call has started, but the caller lost access while waiting
		return accepted(turn.Session, turn.Message, stockhand.RunQueued), nil
	}
	out, err := s.shownTurn(ctx, actor.Org, turn.Run)
	if err != nil || out.Status != http.StatusOK || out.Body.Finished == nil {
		return out, err
	}
	if f := out.Body.Failure; f != nil {
		return nil, inArguments(&stockhand.Error{Code: f.Code, Message: f.Message, Hint: f.Hint})
	}
	return out, nil
}

// inArguments prefixes the fields of an error with their location in the request.
func inArguments(err error) error {
	e, ok := err.(*stockhand.Error) //nolint:errorlint // a wrapped error is not about arguments
	if !ok || len(e.Fields) == 0 {
		return err
	}
	fields := slices.Clone(e.Fields)
	for i := range fields {
		fields[i].Field = "arguments." + fields[i].Field
	}
	at := *e
	at.Fields = fields
	return &at
}
