package typed

import (
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
	s := Scan(in)
	list := make([]Span, 0, len(s.Items))
	for _, it := range s.Items {
		p := Span{Kind: SpanOther, ID: it.ID, From: it.At, To: it.End}
		switch it.Kind {
		case Named:
			p.Kind, p.Meanings = SpanName, it.Name.Meanings
			p.From, p.To = it.Name.At[0], it.Name.At[len(it.Name.At)-1]+1
		case Period:
			p.Kind = SpanPeriod
		case Number:
			p.Kind, p.Unit = SpanNumber, it.Number.Unit
		case Measure:
			p.Kind = SpanMeasure
		case Dimension:
			p.Kind = SpanDimension
		case Except, Absent:
			p.Kind = SpanExcept
		case Only:
			p.Kind = SpanOnly
		case Function, Joining:
			p.Kind = SpanFunction
		case Unexplained:
			p.Kind = SpanUnknown
		default:
		}
		list = append(list, p)
	}
	return list
}
