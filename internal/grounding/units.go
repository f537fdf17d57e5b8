package grounding

import (
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/words"
)

// kind is what a number counts. Numbers of different kinds are never the same figure, whatever their value.
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
	top      = words.Other + 1 // how many of a list were asked for: "top 5"
)

// unitOf reads a word in any case, or a sign.
func unitOf(word string) (words.Unit, bool) {
	if r, size := utf8.DecodeRuneInString(word); size == len(word) {
		if u, ok := words.SignOf(r); ok {
			return u, true
		}
	}
	return words.UnitOf(words.Fold(word))
}

// sameNoun tells whether two counts may be of the same things: goods are what the lines of a table are.
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

// fits tells whether a number of kind k in a text can be one of kind fact.
func (f *figure) fits(of fact) bool {
	switch {
	case f.kind == bare, f.kind == of.kind:
	case of.kind == bare:
		return f.kind == count || f.kind == quantity || f.kind == top
	case f.kind == count && of.kind == quantity, f.kind == quantity && of.kind == count:
		return f.noun == "goods" || of.noun == "goods"
	case f.kind == top && (of.kind == count || of.kind == quantity):
		return true
	default:
		return false
	}
	if f.kind == money && f.currency != "" && of.currency != "" && f.currency != of.currency {
		return false
	}
	return f.kind != count || sameNoun(f.noun, of.noun)
}
