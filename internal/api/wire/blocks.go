package wire

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/tool"
)

// The blocks of an answer for the OpenAPI document. The agent writes blocks without these types; tests validate every
// answer against them.
type (
	// TextBlock is Markdown that is safe to show.
	TextBlock struct {
		Type  string      `json:"type" enum:"text"`
		Text  string      `json:"text"`
		Facts []BlockFact `json:"facts,omitempty" doc:"The checked figures of a model's text, in order"`
	}
	// TableBlock shows rows of a result.
	TableBlock struct {
		Type  string `json:"type" enum:"table"`
		Title string `json:"title,omitempty"`
		BlockRows
		Files   blocks.Files `json:"files"`
		Columns []string     `json:"columns" doc:"The names of the columns to show, in order"`
	}
	// ChartBlock is a picture of rows of a result.
	ChartBlock struct {
		Type  string `json:"type" enum:"chart"`
		Title string `json:"title,omitempty"`
		BlockRows
		Chart  blocks.ChartKind `json:"chart" enum:"line,bar,pareto,shares,histogram" doc:"pareto: bars of the first column of y, and the second as a cumulative line in percent; shares: parts of a whole; histogram: ranges of the days in x, each with what y comes to in it, or with how many rows it has if y is x"`
		X      string           `json:"x" doc:"The column along the axis"`
		Y      []string         `json:"y" doc:"The columns of the values, all of one unit"`
		Files  blocks.Files     `json:"files"`
		Series string           `json:"series,omitempty" doc:"The column whose values are lines or bars of their own"`
	}
	// KPIBlock is a row of key figures.
	KPIBlock struct {
		Type    string        `json:"type" enum:"kpi"`
		Title   string        `json:"title,omitempty"`
		Files   blocks.Files  `json:"files"`
		Figures []BlockFigure `json:"figures"`
	}
	// DraftBlock is where a draft is shown.
	DraftBlock struct {
		Type    string            `json:"type" enum:"draft"`
		Title   string            `json:"title,omitempty"`
		DraftID stockhand.DraftID `json:"draft_id"`
		Version int64             `json:"version" doc:"The version that the answer shows"`
	}
	// QuestionBlock asks the user to choose.
	QuestionBlock struct {
		Type     string         `json:"type" enum:"question"`
		Question agent.Question `json:"question"`
	}

	// BlockRows names rows of a result.
	BlockRows struct {
		ResultID stockhand.ResultID `json:"result_id"`
		Part     int                `json:"part,omitempty" doc:"The index of the result's part; absent for a result without parts"`
		Offset   int                `json:"offset,omitempty" doc:"The index of the first row shown, in the result"`
		Limit    int                `json:"limit" doc:"How many rows are shown"`
	}
	// BlockSource is where a figure comes from; empty where there is no single cell.
	BlockSource struct {
		ResultID stockhand.ResultID `json:"result_id,omitempty"`
		Column   string             `json:"column,omitempty"`
		Row      int                `json:"row,omitempty" doc:"The index of the row in the result; absent for a total"`
	}
	// BlockFact is a figure in a text.
	BlockFact struct {
		Start   int          `json:"start" doc:"In characters of the text"`
		End     int          `json:"end"`
		Class   blocks.Class `json:"class" enum:"read,computed,estimate,unverified"`
		Formula string       `json:"formula,omitempty" doc:"How a computed figure follows from those that were read"`
		BlockSource
	}
	// BlockFigure is a key figure.
	BlockFigure struct {
		Label string       `json:"label"`
		Text  string       `json:"text" doc:"The figure as it is shown"`
		Value cell         `json:"value"`
		Unit  tool.Unit    `json:"unit"`
		Class blocks.Class `json:"class" enum:"read,computed,estimate,unverified"`
		BlockSource
	}
)

// block is a blocks.Block.
type block struct{ json.RawMessage }

// Schema implements huma.SchemaProvider.
func (block) Schema(r huma.Registry) *huma.Schema {
	return union(r, "Block", "A part of an answer; `type` says which", reflect.TypeFor[TextBlock](),
		reflect.TypeFor[TableBlock](), reflect.TypeFor[ChartBlock](), reflect.TypeFor[KPIBlock](),
		reflect.TypeFor[DraftBlock](), reflect.TypeFor[QuestionBlock]())
}

// union registers the schema of one of several types, distinguished by their field "type", and returns a reference.
func union(r huma.Registry, name, description string, types ...reflect.Type) *huma.Schema {
	u := &huma.Schema{Description: description,
		Discriminator: &huma.Discriminator{PropertyName: "type", Mapping: map[string]string{}}}
	for _, t := range types {
		ref := r.Schema(t, true, "")
		u.OneOf = append(u.OneOf, ref)
		kind, _ := r.SchemaFromRef(ref.Ref).Properties["type"].Enum[0].(string)
		u.Discriminator.Mapping[kind] = ref.Ref
	}
	r.Map()[name] = u
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}
