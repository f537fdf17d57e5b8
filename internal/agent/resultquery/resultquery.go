// Package resultquery filters, sorts, groups and aggregates the rows of a stored result.
//
// A query returns a result with the source's provenance and notices, so that its figures can be traced. Numbers are
// decimals. An unknown cell meets no condition, sorts last and is excluded from sums, with a notice; amounts in several
// currencies are never added up.
package resultquery

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/tool"
)

// Query is a query over a result: the input of the model's query_result tool.
type Query struct {
	Result    string      `json:"result" jsonschema:"res_…"`
	Where     []Condition `json:"where,omitempty"`
	GroupBy   []string    `json:"group_by,omitempty"`
	Aggregate []Aggregate `json:"aggregate,omitempty"`
	SortBy    string      `json:"sort_by,omitempty"`
	Ascending bool        `json:"ascending,omitempty"`
	Top       int         `json:"top,omitempty"`
	Offset    int         `json:"offset,omitempty"`
	Columns   []string    `json:"columns,omitempty"`
}

// Condition compares the cells of a column.
type Condition struct {
	Column string `json:"column"`
	Op     Op     `json:"op"`
	Value  Value  `json:"value,omitempty"`
}

// Aggregate is a figure computed for a group of rows.
type Aggregate struct {
	Op     AggregateOp `json:"op"`
	Column string      `json:"column,omitempty"`
}

// Value is what a cell is compared with: text, or a number as models write it.
type Value string

// UnmarshalJSON decodes a string or a number.
func (v *Value) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case len(b) > 0 && b[0] != '"':
		*v = Value(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(v))
}

// Schema accepts a string or a number.
func (Value) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"null", "string", "number"}}
}

// Op compares a cell with a value.
type Op string

// Schema lists the operators.
func (Op) Schema() *jsonschema.Schema {
	return tool.Enum[Op]("eq", "ne", "lt", "le", "gt", "ge", "contains", "unknown", "known")
}

// AggregateOp combines the cells of a column into one figure.
type AggregateOp string

// Schema lists the aggregates.
func (AggregateOp) Schema() *jsonschema.Schema {
	return tool.Enum[AggregateOp]("sum", "avg", "min", "max", "count")
}
