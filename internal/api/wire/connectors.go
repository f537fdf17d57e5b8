package wire

import (
	"encoding/json"

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
	Traps      []connector.Trap  `json:"traps" doc:"Known pitfalls of the external system's API"`
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
	Traps       []string         `json:"traps" doc:"The pitfalls that apply to a raw operation; tools avoid them"`
}

// ConnectorOf converts a connector.
func ConnectorOf(k connector.Kind) ConnectorInfo {
	return ConnectorInfo{Key: k.Name, Title: k.Title, Description: k.About}
}

// toolWeight is the cost of a tool, which depends on the amount of data.
var toolWeight = connector.Weight{Requests: 1, Note: tool.Text{
	RU: "Зависит от числа страниц: запрос на тысячу строк и справочники, которые хранятся пять минут. Число запросов указано в ответе.",
	EN: "Depends on the number of pages: one request per thousand rows, plus lists of names that are cached for five minutes. The response has the number of requests.",
}}

// OperationsOf lists the operations of a connector: its tools, then the raw ones.
func OperationsOf(k connector.Kind) []OperationInfo {
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

// OperationResult is the response of a raw operation.
type OperationResult struct {
	ConnectionID     stockhand.ConnectionID `json:"connection_id"`
	AccountID        stockhand.AccountID    `json:"account_id"`
	Operation        string                 `json:"operation"`
	Data             json.RawMessage        `json:"data" doc:"The external system's unchanged answer: amounts in minor units, times in its own time zone"`
	Notices          []tool.Notice          `json:"notices" doc:"Remarks that readers of the data must see"`
	ExternalRequests int                    `json:"external_requests"`
}
