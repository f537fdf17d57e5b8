package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// ConnectorInfo is a kind of external system.
type ConnectorInfo struct {
	Key         string    `json:"key" example:"moysklad"`
	Title       tool.Text `json:"title"`
	Description tool.Text `json:"description"`
}

// ConnectorDetail is a connector with the details that developers need.
type ConnectorDetail struct {
	ConnectorInfo
	Fields     []connector.Field `json:"fields" doc:"The settings of a connection"`
	Operations []OperationInfo   `json:"operations" doc:"The operations of POST /connectors/{key}/execute"`
	Limits     []connector.Limit `json:"limits" doc:"Limits on requests to the external system"`
	Traps      []connector.Trap  `json:"traps" doc:"What makes a naive client wrong without an error"`
}

// OperationInfo is an operation of a connector.
type OperationInfo struct {
	Name        string           `json:"name" example:"report_stock_all"`
	Title       tool.Text        `json:"title"`
	Description tool.Text        `json:"description"`
	Effect      tool.Effect      `json:"effect" enum:"read,propose"`
	Kind        string           `json:"kind" enum:"raw,tool" doc:"raw returns the external system's own JSON; tool returns a finished message, like POST /tools/{name}/execute"`
	Parameters  map[string]any   `json:"parameters" doc:"The arguments, as a JSON Schema"`
	Weight      connector.Weight `json:"weight" doc:"How much of the limits a request uses"`
	Traps       []string         `json:"traps" doc:"Names of the traps that it is prone to; a tool avoids them itself"`
}

func connectorInfo(k connector.Kind) ConnectorInfo {
	return ConnectorInfo{Key: k.Name, Title: k.Title, Description: k.About}
}

// toolWeight is the weight of a tool, which depends on the amount of data.
var toolWeight = connector.Weight{Requests: 1, Note: tool.Text{
	RU: "Зависит от числа страниц: запрос на тысячу строк и справочники, которые хранятся пять минут. Число запросов указано в ответе.",
	EN: "Depends on the number of pages: one request per thousand rows, plus lists of names that are cached for five minutes. The response has the number of requests.",
}}

func operationsOf(k connector.Kind) []OperationInfo {
	all := []OperationInfo{} // may stay empty: then the tools depend on the connection
	for _, t := range k.Tools {
		all = append(all, OperationInfo{
			Name: t.Name, Title: t.Title, Description: t.About, Effect: t.Effect(), Kind: "tool",
			Parameters: schemaOf(t.Input.Schema), Weight: toolWeight, Traps: []string{},
		})
	}
	for _, o := range k.Operations {
		info := OperationInfo{
			Name: o.Name, Title: o.Title, Description: o.About, Effect: tool.EffectRead, Kind: "raw",
			Parameters: schemaOf(o.Input.Schema), Weight: o.Weight, Traps: o.Traps,
		}
		if info.Traps == nil {
			info.Traps = []string{}
		}
		all = append(all, info)
	}
	return all
}

func (s *Server) listConnectors(_ context.Context, in *struct{ Page }) (*List[ConnectorInfo], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	rest, err := restAfter(s.Connections.Kinds, after, func(k connector.Kind) string { return k.Name })
	if err != nil {
		return nil, err
	}
	return listOf(rest, in.Limit, func(k connector.Kind) string { return k.Name }, connectorInfo), nil
}

func (s *Server) getConnector(_ context.Context, in *struct {
	Key string `path:"key"`
}) (*Answer[ConnectorDetail], error) {
	k, err := s.Connections.Kind(in.Key)
	if err != nil {
		return nil, err
	}
	return answerOf(ConnectorDetail{ConnectorInfo: connectorInfo(k), Fields: k.Fields, Operations: operationsOf(k),
		Limits: k.Limits, Traps: k.Traps})
}

// OperationResult is the response of a raw operation.
type OperationResult struct {
	ConnectionID     stockhand.ConnectionID `json:"connection_id"`
	AccountID        stockhand.AccountID    `json:"account_id"`
	Operation        string                 `json:"operation"`
	Data             json.RawMessage        `json:"data" doc:"The external system's unchanged answer: amounts in minor units, times in its own time zone"`
	Notices          []tool.Notice          `json:"notices" doc:"Remarks that readers of the data must see"`
	ExternalRequests int                    `json:"external_requests"`
}

// operationAnswer is the response of an operation: data of a raw one, a turn of a tool.
type operationAnswer struct {
	Status     int
	Location   string `header:"Location"`
	RetryAfter string `header:"Retry-After"`
	Body       any    `doc:"An OperationResult of a raw operation, a Turn of a tool"`
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
	// A connector without tools of its own gets them from the connection, and has no other operations.
	if k.Tools == nil || slices.ContainsFunc(k.Tools, func(t tool.Tool) bool { return t.Name == name }) {
		c, err := s.Connections.Choose(ctx, stockhand.ActorOf(ctx).Org, in.Body.ConnectionID, k.Name)
		if err != nil {
			return nil, err
		}
		turn, err := s.execute(ctx, in.Wait, name, c.ID, in.Body.Arguments, in.Body.Language)
		if err != nil {
			return nil, err
		}
		return &operationAnswer{Status: turn.Status, Location: turn.Location, RetryAfter: turn.RetryAfter,
			Body: turn.Body}, nil
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
		return nil, inArguments(err)
	}
	actor := stockhand.ActorOf(ctx)
	c, err := s.Connections.Choose(ctx, actor.Org, in.Body.ConnectionID, k.Name)
	if err != nil {
		return nil, err
	}
	out, requests, err := s.Connections.Operate(ctx, c, name, arguments, actor)
	if err != nil {
		return nil, inArguments(err)
	}
	return &operationAnswer{Status: http.StatusOK, Body: OperationResult{
		ConnectionID: c.ID, AccountID: c.Account, Operation: name, Data: out.Data, Notices: out.Notices,
		ExternalRequests: requests,
	}}, nil
}
