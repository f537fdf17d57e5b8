package tool

import (
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// What makes a line of a document stand out among the others: a price that changes, or a sum, by many times the usual
// one. Changes of a few percent never do.
const (
	outlyingTimes   = 3
	outlyingPercent = 10
)

// Ordered returns the document's lines in the order of [Document.Table], those first that a person must see before
// confirming: lines with flags, and lines that stand out among the others. It also returns how many these are.
func (d Document) Ordered() (lines []Line, first int) {
	outlying := d.outlying()
	var rest []Line
	for i, x := range d.Lines {
		if len(x.Flags) > 0 || outlying[i] {
			lines = append(lines, x)
		} else {
			rest = append(rest, x)
		}
	}
	return append(lines, rest...), len(lines)
}

// outlying says of each line whether it stands out: its price change, or its sum, is several times the median.
func (d Document) outlying() []bool {
	out := make([]bool, len(d.Lines))
	if len(d.Lines) < 3 { // all of them are shown
		return out
	}
	size := func(x Line) decimal.Maybe {
		if d.Kind == PriceChange {
			v, ok := change(x).Decimal()
			return decimal.Maybe{Decimal: v.Abs(), Known: ok}
		}
		return x.Sum()
	}
	var known []decimal.Decimal
	for _, x := range d.Lines {
		if s := size(x); s.Known {
			known = append(known, s.Decimal)
		}
	}
	if len(known) == 0 {
		return out
	}
	slices.SortFunc(known, decimal.Decimal.Cmp)
	usual := known[len(known)/2].Mul(decimal.FromInt(outlyingTimes))
	if d.Kind == PriceChange && usual.Cmp(decimal.FromInt(outlyingPercent)) < 0 {
		usual = decimal.FromInt(outlyingPercent)
	}
	for i, x := range d.Lines {
		s := size(x)
		out[i] = s.Known && s.Cmp(usual) > 0 || d.Kind == PriceChange && !s.Known
	}
	return out
}
