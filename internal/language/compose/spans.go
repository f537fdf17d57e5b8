package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/words"
)

// Span is a typed part of a task: tokens [From, To).
type Span struct {
	Kind     SpanKind
	ID       string // of a measure, a dimension or the meaning of a look-up
	From, To int
	Unit     words.UnitKind   // of a number
	Meanings []connector.Name // of a name
}

// SpanKind is the type of a span.
type SpanKind string

// The types of spans.
const (
	SpanName      SpanKind = "name"
	SpanPeriod    SpanKind = "period"
	SpanNumber    SpanKind = "number"
	SpanMeasure   SpanKind = "measure"
	SpanDimension SpanKind = "dimension"
	SpanExcept    SpanKind = "except" // "without", "except": what follows is left out
	SpanOnly      SpanKind = "only"
	SpanOther     SpanKind = "other" // any other word that means something in a query
	SpanFunction  SpanKind = "function"
	SpanUnknown   SpanKind = "unknown"
)

// Spans returns the typed parts of a task in their order.
func Spans(in Input) []Span {
	s := &sentence{Input: in, x: lexiconOf(in.Catalogue), ts: slices.Clone(in.Tokens)}
	s.scan()
	list := make([]Span, 0, len(s.items))
	for _, it := range s.items {
		p := Span{Kind: SpanOther, ID: it.id, From: it.at, To: it.end}
		switch it.kind {
		case name:
			p.Kind, p.Meanings = SpanName, it.name.Meanings
			p.From, p.To = it.name.At[0], it.name.At[len(it.name.At)-1]+1
		case period:
			p.Kind = SpanPeriod
		case number:
			p.Kind, p.Unit = SpanNumber, it.number.unit
		case measure:
			p.Kind = SpanMeasure
		case dimension:
			p.Kind = SpanDimension
		case except, absent:
			p.Kind = SpanExcept
		case only:
			p.Kind = SpanOnly
		case function, joining:
			p.Kind = SpanFunction
		case unexplained:
			p.Kind = SpanUnknown
		default:
		}
		list = append(list, p)
	}
	return list
}
