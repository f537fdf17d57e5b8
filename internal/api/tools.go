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
	Connection stockhand.ConnectionID `query:"connection_id" doc:"Those of this connection; required for the tools of an MCP server"`
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
	raw, err := argumentsOf(in.Body.Arguments)
	if err != nil {
		return nil, err
	}
	return s.execute(ctx, toolCall{wait: in.Wait, tool: in.Name, connection: in.Body.ConnectionID, arguments: raw,
		language: in.Body.Language, within: "arguments."})
}

// argumentsOf encodes arguments; none stay none.
func argumentsOf(given map[string]any) (json.RawMessage, error) {
	if given == nil {
		return nil, nil
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return nil, invalid("arguments", "cannot be decoded")
	}
	return raw, nil
}

// toolCall is a direct call of a tool.
type toolCall struct {
	wait       int // seconds
	tool       string
	connection stockhand.ConnectionID
	arguments  json.RawMessage
	language   stockhand.Language // empty for that of the request
	within     string             // the location of the arguments in the request, for errors
}

// execute runs a tool call and waits for its end. A failed call becomes an error response.
func (s *Server) execute(ctx context.Context, c toolCall) (*turnAnswer, error) {
	if c.language == "" {
		c.language = languageOf(ctx)
	}
	actor := stockhand.ActorOf(ctx)
	turn, err := s.Agent.Execute(ctx, actor.Org,
		agent.Execution{Tool: strings.TrimSpace(c.tool), Connection: c.connection, Arguments: c.arguments,
			Language: c.language, Actor: actor})
	if err != nil {
		return nil, c.locate(err)
	}
	if c.wait > 0 && s.awaitEnd(ctx, actor.Org, turn.Run, time.Duration(c.wait)*time.Second) != nil {
		// the call has started, but the caller lost access while waiting
		return accepted(turn.Session, turn.Message, stockhand.RunQueued), nil
	}
	out, err := s.shownTurn(ctx, actor.Org, turn.Run)
	if err != nil || out.Status != http.StatusOK || out.Body.Finished == nil {
		return out, err
	}
	if f := out.Body.Failure; f != nil {
		return nil, c.locate(&stockhand.Error{Code: f.Code, Message: f.Message, Hint: f.Hint})
	}
	return out, nil
}

// locate prefixes the fields of an error with their location in the request.
func (c toolCall) locate(err error) error {
	e, ok := err.(*stockhand.Error) //nolint:errorlint // a wrapped error is not about arguments
	if !ok || len(e.Fields) == 0 {
		return err
	}
	fields := slices.Clone(e.Fields)
	for i := range fields {
		fields[i].Field = c.within + fields[i].Field
	}
	at := *e
	at.Fields = fields
	return &at
}
