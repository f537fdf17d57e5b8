package wire

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// ToolInfo describes a tool.
type ToolInfo struct {
	Name        string         `json:"name" example:"moysklad_stock"`
	Connector   string         `json:"connector" example:"moysklad" doc:"Empty for a tool that works on stored results"`
	Title       tool.Text      `json:"title"`
	Description tool.Text      `json:"description"`
	Effect      tool.Effect    `json:"effect" enum:"read,propose" doc:"read returns a result; propose creates a draft that waits for a person and sends nothing"`
	Parameters  map[string]any `json:"parameters" doc:"The arguments, as a JSON Schema"`
	Rights      []tool.Need    `json:"rights" doc:"Rights that the connection's employee needs, named as in the external system's role settings"`
	Columns     []ToolColumn   `json:"columns,omitempty" doc:"Columns of the result for the required arguments only"`
}

// ToolColumn is a column of a tool's result.
type ToolColumn struct {
	Name string    `json:"name"`
	Unit tool.Unit `json:"unit" enum:"text,money,quantity,count,percent,days,number,date,moment"`
}

// ToolOf converts a tool.
func ToolOf(k connector.Kind, t tool.Tool) ToolInfo {
	info := ToolInfo{
		Name: t.Name, Connector: k.Name, Title: t.Title, Description: t.About, Effect: t.Effect(),
		Parameters: schemaOf(t.Input.Schema), Rights: t.Needs,
	}
	if info.Rights == nil {
		info.Rights = []tool.Need{}
	}
	for _, c := range t.Shape {
		info.Columns = append(info.Columns, ToolColumn{Name: c.Name, Unit: c.Unit})
	}
	return info
}

// schemaOf returns a schema as plain JSON.
func schemaOf(s *jsonschema.Schema) map[string]any {
	out := map[string]any{}
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil { // tools were built from this schema
		panic(err)
	}
	return out
}
