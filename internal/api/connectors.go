package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

func (s *Server) listConnectors(_ context.Context, in *struct{ Page }) (*List[wire.ConnectorInfo], error) {
	name := func(k connector.Kind) string { return k.Name }
	return pageOf(in.Page, name, wire.ConnectorOf, func(after string, _ int) ([]connector.Kind, error) {
		return restAfter(s.Connections.Kinds, after, name)
	})
}

func (s *Server) getConnector(_ context.Context, in *struct {
	Key string `path:"key"`
}) (*Answer[wire.ConnectorDetail], error) {
	k, err := s.Connections.Kind(in.Key)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.ConnectorDetail{ConnectorInfo: wire.ConnectorOf(k), Fields: k.Fields,
		Operations: wire.OperationsOf(k),
		Limits:     k.Limits, Traps: k.Traps})
}

// operationAnswer is the response of an operation: data for a raw one, a turn for a tool.
type operationAnswer struct {
	Status     int
	Location   string `header:"Location"`
	RetryAfter string `header:"Retry-After"`
	Body       any    `doc:"An OperationResult of a raw operation, a Turn of a tool"`
}

func (t *turnAnswer) asOperation() *operationAnswer {
	return &operationAnswer{Status: t.Status, Location: t.Location, RetryAfter: t.RetryAfter, Body: t.Body}
}

func (s *Server) executeOperation(ctx context.Context, in *struct {
	ExecuteWait
	Key  string `path:"key"`
	Body struct {
		ConnectionID stockhand.ConnectionID `json:"connection_id,omitempty" doc:"The account; optional if only one is connected"`
		Operation    string                 `json:"operation" minLength:"1" maxLength:"100" doc:"One of GET /connectors/{key}"`
		Arguments    map[string]any         `json:"arguments,omitempty" doc:"See the operation's parameters"`
		Language     stockhand.Language     `json:"language,omitempty" enum:"ru,en" doc:"The language of a tool's answer; by default that of Accept-Language"`
	}
}) (*operationAnswer, error) {
	k, err := s.Connections.Kind(in.Key)
	if err != nil {
		return nil, err
	}
	name := in.Body.Operation
	bound := stockhand.ActorOf(ctx).Binding
	if in.Body.ConnectionID, err = bound.Means(in.Body.ConnectionID); err != nil {
		return nil, err
	}
	// A connector whose tools depend on the connection has no other operations.
	if k.Tools == nil || slices.ContainsFunc(k.Tools, func(t tool.Tool) bool { return t.Name == name }) {
		c, err := s.Connections.Choose(ctx, stockhand.ActorOf(ctx).Org, in.Body.ConnectionID, k.Name)
		if err != nil {
			return nil, err
		}
		raw, err := argumentsOf(in.Body.Arguments)
		if err != nil {
			return nil, err
		}
		turn, err := s.execute(ctx, toolCall{wait: in.Wait, tool: name, connection: c.ID, arguments: raw,
			language: in.Body.Language, within: "arguments."})
		if err != nil {
			return nil, err
		}
		return turn.asOperation(), nil
	}
	if err := bound.Raw(); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(k.Operations, func(o connector.Operation) bool { return o.Name == name })
	if at < 0 {
		return nil, invalid("operation", "there is no such operation; see GET /connectors/"+k.Name)
	}
	arguments, err := json.Marshal(in.Body.Arguments)
	if err != nil {
		return nil, invalid("arguments", "cannot be decoded")
	}
	if _, err := k.Operations[at].Input.Check(arguments); err != nil {
		return nil, toolCall{within: "arguments."}.locate(err)
	}
	actor := stockhand.ActorOf(ctx)
	c, err := s.Connections.Choose(ctx, actor.Org, in.Body.ConnectionID, k.Name)
	if err != nil {
		return nil, err
	}
	out, requests, err := s.Connections.Operate(ctx, c, name, arguments, actor)
	if err != nil {
		return nil, toolCall{within: "arguments."}.locate(err)
	}
	return &operationAnswer{Status: http.StatusOK, Body: wire.OperationResult{
		ConnectionID: c.ID, AccountID: c.Account, Operation: name, Data: out.Data, Notices: out.Notices,
		ExternalRequests: requests,
	}}, nil
}
