package grounding

import (
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// figure is a number that the text states as a fact.
type figure struct {
	start, end int // the digits, with their sign
	markAt     int // where a mark goes: after the digits, or after a sign such as % that follows them
	unitEnd    int // end of the unit
	readings   []reading
	kind       kind
	currency   string
	noun       string
	negative   bool
	opposite   bool // a word such as "loss" may replace the minus sign
	scaled     bool // written as thousands or millions
	about      about
	cell       *cell
	clause     int  // index of its clause
	verbatim   bool // in a sentence copied word for word from a tool
	found      *location
	only       []columnRef // the columns of which it may be; none for any
	exact      fact        // what was found
	when       []when      // the months that it is about
	formula    string      // of a computed figure
	estimate   bool        // the text calls it one
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
	top      = words.Other + 1 // the requested length of a list: "top 5"
)

// unitOf returns the unit of a word, ignoring case, or of a sign.
func unitOf(word string) (words.Unit, bool) {
	if r, size := utf8.DecodeRuneInString(word); size == len(word) {
		if u, ok := words.SignOf(r); ok {
			return u, true
		}
	}
	return words.UnitOf(words.Fold(word))
}

// reading is one way to read the digits. In Russian "1,234" has two.
type reading struct {
	value decimal.Decimal
	last  decimal.Decimal // the value of one unit in the last digit written
}

// about is how a rounded number relates to the exact one.
type about uint8

const (
	exactly  about = iota
	roughly        // "about": above or below
	moreThan       // "more than": the exact number is not less
	lessThan       // "almost": the exact number is not greater
)

// span is a range of bytes in the text.
type span struct{ start, end int }

// is reports whether one of the figure's readings equals a fact.
func (f *figure) is(of fact) bool {
	for _, r := range f.readings {
		if r.rounds(of.value, f, of.exact) {
			return true
		}
		if of.value.Sign() < 0 && !f.negative && f.opposite && r.rounds(of.value.Neg(), f, of.exact) {
			return true
		}
	}
	return false
}

// rounds reports whether r is the value after usual rounding.
func (r reading) rounds(value decimal.Decimal, f *figure, exact bool) bool {
	if r.value.Cmp(value) == 0 {
		return true
	}
	if exact || f.kind == count && f.about == exactly && !f.scaled || !value.Valid() || !r.value.Valid() {
		return false
	}
	gap := value.Sub(r.value)
	size := gap.Abs()
	last := r.last
	if f.about != exactly {
		// "about 1,200": the zeros are not significant
		for _, ten := range []int64{10, 100, 1000, 10000, 100000, 1000000} {
			step := decimal.FromInt(ten)
			if q := r.value.Div(step); q.Round(0).Cmp(q) != 0 || r.value.Abs().Less(step.Mul(decimal.FromInt(10))) {
				break
			}
			last = last.Max(step)
		}
	}
	allowed := last.Div(decimal.FromInt(2))
	switch f.about {
	case moreThan, lessThan:
		if (gap.Sign() < 0) == (f.about == moreThan) {
			return false
		}
		allowed = last
	case roughly:
		allowed = last
	case exactly:
	}
	if size.Cmp(allowed) > 0 {
		return false
	}
	if r.value.IsZero() { // a small amount must not be written as zero
		return last.Less(decimal.One)
	}
	if f.scaled || f.about != exactly {
		return size.Mul(decimal.FromInt(10)).Cmp(value.Abs()) <= 0
	}
	return true
}

// significant returns the number of significant digits.
func (f *figure) significant() int {
	if len(f.readings) == 0 {
		return 0
	}
	digits := strings.Trim(strings.ReplaceAll(f.readings[0].value.Abs().String(), ".", ""), "0")
	return len(digits)
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

// equals reports whether two figures have the same number and compatible kinds.
func (f *figure) equals(o *figure) bool {
	if f.kind != o.kind && f.kind != bare && o.kind != bare {
		return false
	}
	for _, a := range f.readings {
		for _, b := range o.readings {
			if a.value.Cmp(b.value) == 0 || f.kind == percent && a.rounds(b.value, f, false) &&
				a.last.Cmp(decimal.One) <= 0 {
				return true
			}
		}
	}
	return false
}
