package grounding

import (
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/words"
)

// figure is a number that the text states as a fact.
type figure struct {
	prose.Figure
	cell     *cell
	clause   int  // index of its clause
	verbatim bool // in a sentence copied word for word from a tool
	found    *location
	only     []columnRef    // the columns of which it may be; none for any
	exact    fact           // what was found
	when     []prose.Months // the months that it is about
	side     side           // the one of two periods that it is of
	formula  string         // of a computed figure
	estimate bool           // the text calls it one
}

// kind is what a number measures. Figures of different kinds are never equal, whatever their value.
type kind = words.UnitKind

const (
	bare     = words.NoUnit
	money    = words.Money
	percent  = words.Percent
	quantity = words.Quantity
	count    = words.Count
	days     = words.Days
	times    = words.Times
	other    = words.Other
	top      = prose.Top // the requested length of a list: "top 5"
)

// is reports whether one of the figure's readings equals a fact.
func (f *figure) is(of fact) bool {
	for _, r := range f.Readings {
		if r.Rounds(of.value, &f.Figure, of.exact) {
			return true
		}
		if of.value.Sign() < 0 && !f.Negative && f.Opposite && r.Rounds(of.value.Neg(), &f.Figure, of.exact) {
			return true
		}
	}
	return false
}

// sameNoun reports whether two counts may be of the same things: rows of a table may be goods.
func sameNoun(a, b string) bool {
	class := func(n string) string {
		switch n {
		case "goods", "lines":
			return "lines"
		case "customers", "suppliers", "partners":
			return "partners"
		case "documents", "orders":
			return "documents"
		}
		return n
	}
	return a == "" || b == "" || class(a) == class(b)
}

// fits reports whether unit and currency of the figure allow it to be the fact.
func (f *figure) fits(of fact) bool {
	switch {
	case f.Kind == bare, f.Kind == of.kind:
	case of.kind == bare:
		return f.Kind == count || f.Kind == quantity || f.Kind == top
	case f.Kind == count && of.kind == quantity, f.Kind == quantity && of.kind == count:
		return f.Noun == "goods" || of.noun == "goods"
	case f.Kind == top && (of.kind == count || of.kind == quantity):
		return true
	default:
		return false
	}
	if f.Kind == money && f.Currency != "" && of.currency != "" && f.Currency != of.currency {
		return false
	}
	return f.Kind != count || sameNoun(f.Noun, of.noun)
}
