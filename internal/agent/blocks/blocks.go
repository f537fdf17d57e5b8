// Package blocks divides an answer into parts that a program can draw: text, tables, charts, key figures, drafts and
// questions. Tables and charts refer to stored results, so what is drawn is what was read.
//
// The blocks of an answer say the same as its text, without the notices and without how the results were computed:
// both are in the finished message.
package blocks

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is the kind of a block.
type Kind string

// The kinds of blocks.
const (
	Text     Kind = "text"     // Markdown
	Table    Kind = "table"    // rows of a result
	Chart    Kind = "chart"    // a picture of rows of a result
	KPI      Kind = "kpi"      // key figures
	Draft    Kind = "draft"    // a draft that waits for a decision
	Question Kind = "question" // the user must choose
)

// Block is a part of an answer. Only the fields of its kind are set.
type Block struct {
	Type  Kind   `json:"type"`
	Title string `json:"title,omitempty"` // of a table, a chart or key figures

	Text  string `json:"text,omitempty"`  // Markdown that is safe to show
	Facts []Fact `json:"facts,omitempty"` // the checked figures of a model's text, in order

	Result  stockhand.ResultID `json:"result_id,omitempty"` // of a table or a chart
	Part    *int               `json:"part,omitempty"`      // the index of the part; nil for a result without parts
	Columns []string           `json:"columns,omitempty"`   // of a table, in the order to show them
	Offset  int                `json:"offset,omitempty"`    // the index of the first row shown, in the result
	Limit   int                `json:"limit,omitempty"`     // how many rows are shown; the result has the others

	Chart  ChartKind `json:"chart,omitempty"`
	X      string    `json:"x,omitempty"`      // the column along the axis
	Y      []string  `json:"y,omitempty"`      // the columns of the values
	Series string    `json:"series,omitempty"` // the column whose values are lines or bars of their own

	Figures []Figure `json:"figures,omitempty"` // key figures

	Draft   stockhand.DraftID `json:"draft_id,omitempty"`
	Version int64             `json:"version,omitempty"` // the version of the draft that was shown

	Question *dialogue.Question `json:"question,omitempty"`
}

// ChartKind is the kind of a chart.
type ChartKind string

// The kinds of charts.
const (
	Line   ChartKind = "line"
	Bar    ChartKind = "bar"
	Pareto ChartKind = "pareto" // bars, and the last column as a cumulative line in percent
	Shares ChartKind = "shares" // parts of a whole
	// columns of ranges of days: what y comes to for the rows with x in each, or how many there are if y is x
	Histogram ChartKind = "histogram"
)

// Class says how a figure is known.
type Class string

// The classes of figures.
const (
	Read       Class = "read"       // it is in a result or a draft
	Computed   Class = "computed"   // a formula over figures that were read gives it
	Estimate   Class = "estimate"   // the text calls it a forecast, a proposal or an assumption
	Unverified Class = "unverified" // it was found nowhere
)

// Source is where a figure comes from. Row is nil for a total, and everything is empty where there is no single cell.
type Source struct {
	Result stockhand.ResultID `json:"result_id,omitempty"`
	Column string             `json:"column,omitempty"`
	Row    *int               `json:"row,omitempty"` // the index of the row in the result
}

// Figure is a key figure.
type Figure struct {
	Label string          `json:"label"`
	Text  string          `json:"text"`  // formatted
	Value json.RawMessage `json:"value"` // as a cell of a result: a string, a money object, or null if unknown
	Unit  tool.Unit       `json:"unit"`
	Class Class           `json:"class"`
	Source
}

// Fact is a figure in a text.
type Fact struct {
	Start   int    `json:"start"` // in characters of the block's text
	End     int    `json:"end"`
	Class   Class  `json:"class"`
	Formula string `json:"formula,omitempty"` // of a computed figure
	Source
}

// Of returns the blocks of an answer that is only a text.
func Of(text string) []Block {
	if text == "" {
		return []Block{}
	}
	return []Block{{Type: Text, Text: text}}
}

// OfQuestion returns the blocks of an answer that is a question.
func OfQuestion(q *dialogue.Question) []Block { return []Block{{Type: Question, Question: q}} }

// OfDraft returns the block of a draft.
func OfDraft(d tool.Draft) Block {
	return Block{Type: Draft, Draft: d.ID, Version: d.Version, Title: d.Title}
}
