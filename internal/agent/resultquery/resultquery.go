// Package resultquery filters, sorts, groups and aggregates the rows of a stored result.
//
// The answer to a query is a result like any other, with the source's provenance and notices, so that a figure of it
// can be traced. Numbers are decimals. A cell that is not known fulfils no condition, sorts last and is left out of
// sums, with a notice that says so; amounts in several currencies are never added up.
package resultquery

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand/internal/tool"
)

// Query is what is asked of a result: the input of the model's query_result tool.
type Query struct {
	Result    string      `json:"result" jsonschema:"id, res_…"`
	Where     []Condition `json:"where,omitempty" jsonschema:"all must hold"`
	GroupBy   []string    `json:"group_by,omitempty" jsonschema:"columns"`
	Aggregate []Aggregate `json:"aggregate,omitempty" jsonschema:"of each group, or of all rows"`
	SortBy    string      `json:"sort_by,omitempty" jsonschema:"column; of an aggregate sum_value and the like"`
	Ascending bool        `json:"ascending,omitempty"`
	Top       int         `json:"top,omitempty" jsonschema:"so many rows"`
	Columns   []string    `json:"columns,omitempty" jsonschema:"only these"`
}

// Condition compares the cells of a column.
type Condition struct {
	Column string `json:"column"`
	Op     Op     `json:"op"`
	Value  string `json:"value,omitempty"`
}

// Aggregate is one figure of a group of rows.
type Aggregate struct {
	Op     AggregateOp `json:"op"`
	Column string      `json:"column,omitempty" jsonschema:"not for count"`
}

// Op compares a cell with a value.
type Op string

// Schema lists the operators.
func (Op) Schema() *jsonschema.Schema {
	return tool.Enum[Op]("eq", "ne", "lt", "le", "gt", "ge", "contains", "unknown", "known")
}

// AggregateOp makes one figure of many.
type AggregateOp string

// Schema lists the aggregates.
func (AggregateOp) Schema() *jsonschema.Schema {
	return tool.Enum[AggregateOp]("sum", "avg", "min", "max", "count")
}
