package api

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Some values write their JSON themselves. The types here say in the OpenAPI document what that JSON is; nothing is
// made of them.

// aliasShapes has the document tell of values that write their own JSON by the types that describe it.
func aliasShapes(r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[decimal.Maybe](), reflect.TypeFor[maybeDecimal]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.Line](), reflect.TypeFor[draftLine]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.Seen](), reflect.TypeFor[draftSeen]())
	r.RegisterTypeAlias(reflect.TypeFor[tool.DraftDocument](), reflect.TypeFor[draftDocument]())
	r.RegisterTypeAlias(reflect.TypeFor[agent.Kept](), reflect.TypeFor[keptResult]())
	// tool.Call is another thing, and names are used once
	r.RegisterTypeAlias(reflect.TypeFor[agent.Call](), reflect.TypeFor[toolCall]())
}

type maybeDecimal struct{}

// Schema implements huma.SchemaProvider.
func (maybeDecimal) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true,
		Description: "A decimal number; null when it is not known", Examples: []any{"12.5"}}
}

// maybeAmount is money that may be null.
func maybeAmount(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[tool.Amount](), true, "Amount"), {Type: "null"}}}
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

// Table is what results have in common.
type Table struct {
	Tool       string           `json:"tool"`
	Title      string           `json:"title"`
	Answer     string           `json:"answer" doc:"One or two sentences that answer the question, with their figures"`
	Columns    []tool.Column    `json:"columns" nullable:"false"`
	Rows       []map[string]any `json:"rows" nullable:"false" doc:"Cells by column name: a string, money as an object, or null for what is not known"`
	Totals     map[string]any   `json:"totals" nullable:"true" doc:"Cells of the columns that have a total; null when nothing adds up"`
	Notices    []tool.Notice    `json:"notices" nullable:"false" doc:"Remarks that must reach whoever reads the figures"`
	Provenance tool.Provenance  `json:"provenance"`
}

type keptResult struct {
	ID stockhand.ResultID `json:"id"`
	Table
}

type shownResult struct {
	ID         stockhand.ResultID `json:"id"`
	CreatedAt  time.Time          `json:"created_at"`
	NextCursor *string            `json:"next_cursor" doc:"With limit: what to send as cursor for the next rows; null after the last"`
	Table
}

// TransformSchema implements huma.SchemaTransformer: until the turn is finished, only where it stands is told.
func (Turn) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["question"] = &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[agent.Question](), true,
		"Question"), {Type: "null"}}}
	s.Required = []string{"session_id", "message_id", "state"}
	return s
}
