package wire

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// describeCustomJSON makes the document describe types with their own MarshalJSON by the types in this file.
func DescribeCustomJSON(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[decimal.Maybe](), reflect.TypeFor[maybeDecimal]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.Line](), reflect.TypeFor[draftLine]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.Seen](), reflect.TypeFor[draftSeen]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.DraftDocument](), reflect.TypeFor[draftDocument]())
	r.RegisterTypeAlias(reflect.TypeFor[agent.ResultPreview](), reflect.TypeFor[resultPreview]())
	r.RegisterTypeAlias(reflect.TypeFor[blocks.Block](), reflect.TypeFor[block]())
	// tool.Call is a different type, and a schema's name must be unique
	r.RegisterTypeAlias(reflect.TypeFor[agent.Call](), reflect.TypeFor[toolCall]())
}

type maybeDecimal struct{}

// Schema implements huma.SchemaProvider.
func (maybeDecimal) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true,
		Description: "A decimal number; null if unknown", Examples: []any{"12.5"}}
}

// maybeAmount is money that may be null.
func maybeAmount(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[tool.Amount](), true, "Amount"), {Type: "null"}}}
}

// orNullRef lets properties that refer to another schema be null, which huma does not do for pointers to structs.
func orNullRef(s *huma.Schema, properties ...string) *huma.Schema {
	for _, name := range properties {
		p := s.Properties[name]
		s.Properties[name] = &huma.Schema{Description: p.Description,
			OneOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}}
	}
	return s
}

// TransformSchema implements huma.SchemaTransformer.
func (Me) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "organization")
}

// TransformSchema implements huma.SchemaTransformer.
func (DocumentSummary) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return orNullRef(s, "total")
}

// cell is a tool.Value: text and numbers as strings, money as an object, null if unknown.
type cell struct{}

// Schema implements huma.SchemaProvider.
func (cell) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString, Nullable: true},
		r.Schema(reflect.TypeFor[tool.Amount](), true, "Amount")}}
}

type draftLine struct {
	tool.Line
	Sum *tool.Amount `json:"sum"`
}

// TransformSchema implements huma.SchemaTransformer.
func (draftLine) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	for _, money := range []string{"price", "old_price", "cost", "sum"} {
		s.Properties[money] = maybeAmount(r)
	}
	return s
}

type draftSeen struct{ tool.Seen }

// TransformSchema implements huma.SchemaTransformer.
func (draftSeen) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["price"] = maybeAmount(r)
	return s
}

type draftDocument struct{ tool.DraftDocument }

// TransformSchema implements huma.SchemaTransformer.
func (draftDocument) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["total"] = maybeAmount(r)
	return s
}

type toolCall struct{ agent.Call }

// Table is the part of a result that every representation has.
type Table struct {
	Tool       string            `json:"tool"`
	Title      string            `json:"title"`
	Answer     string            `json:"answer" doc:"One or two sentences that answer the question"`
	Columns    []tool.Column     `json:"columns"`
	Rows       []map[string]cell `json:"rows" doc:"Cells by column name: a string, a money object, or null if unknown"`
	Totals     map[string]cell   `json:"totals" nullable:"true" doc:"Totals by column name; null if no column has a total"`
	Parts      []tool.Part       `json:"parts,omitempty" doc:"Groups of consecutive rows that are tables of their own, such as the lines and the payments of a document"`
	Notices    []tool.Notice     `json:"notices" doc:"Remarks that readers of the figures must see"`
	Provenance tool.Provenance   `json:"provenance"`
}

type resultPreview struct {
	ID       stockhand.ResultID `json:"id"`
	RowCount int                `json:"row_count" doc:"The number of all rows; rows has the first ones. GET /results/{id} returns all"`
	Expired  bool               `json:"expired" doc:"Whether the rows were deleted after the organization's retention time; rows is empty then, and the totals remain"`
	Table
}

type ShownResult struct {
	ID         stockhand.ResultID `json:"id"`
	CreatedAt  time.Time          `json:"created_at"`
	NextCursor *string            `json:"next_cursor" doc:"With limit: the cursor for the next rows; null on the last page"`
	RowCount   int                `json:"row_count" doc:"The number of all rows"`
	Table
}

// TransformSchema implements huma.SchemaTransformer: until the turn is finished, only its ids and state are present.
func (Turn) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Required = []string{"session_id", "message_id", "state"}
	return orNullRef(s, "question", "cost")
}
