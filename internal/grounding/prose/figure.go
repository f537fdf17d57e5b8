package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/words"
)

// scanned is a number that a text states as a fact.
type Figure struct {
	Start, End int // the digits, with their sign
	MarkAt     int // where a mark goes: after the digits, or after a sign such as % that follows them
	UnitEnd    int // end of the unit
	Readings   []reading
	Kind       words.UnitKind
	Currency   string
	Noun       string
	Negative   bool
	Opposite   bool // a word such as "loss" may replace the minus sign
	scaled     bool // written as thousands or millions
	about      about
}

// unitOf returns the unit of a word, ignoring case, or of a sign.
func UnitOf(word string) (words.Unit, bool) {
	if r, size := utf8.DecodeRuneInString(word); size == len(word) {
		if u, ok := words.SignOf(r); ok {
			return u, true
		}
	}
	return words.UnitOf(words.Fold(word))
}

// reading is one way to read the digits. In Russian "1,234" has two.
type reading struct {
	Value decimal.Decimal
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
type Span struct{ Start, End int }

// rounds reports whether r is the value after usual rounding.
func (r reading) Rounds(value decimal.Decimal, f *Figure, exact bool) bool {
	if r.Value.Cmp(value) == 0 {
		return true
	}
	if exact || f.Kind == words.Count && f.about == exactly && !f.scaled || !value.Valid() || !r.Value.Valid() {
		return false
	}
	gap := value.Sub(r.Value)
	size := gap.Abs()
	last := r.last
	if f.about != exactly {
		// "about 1,200": the zeros are not significant
		for _, ten := range []int64{10, 100, 1000, 10000, 100000, 1000000} {
			step := decimal.FromInt(ten)
			if q := r.Value.Div(step); q.Round(0).Cmp(q) != 0 || r.Value.Abs().Less(step.Mul(decimal.FromInt(10))) {
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
	if r.Value.IsZero() { // a small amount must not be written as zero
		return last.Less(decimal.One)
	}
	if f.scaled || f.about != exactly {
		return size.Mul(decimal.FromInt(10)).Cmp(value.Abs()) <= 0
	}
	return true
}

// significant returns the number of significant digits.
func (f *Figure) Significant() int {
	if len(f.Readings) == 0 {
		return 0
	}
	digits := strings.Trim(strings.ReplaceAll(f.Readings[0].Value.Abs().String(), ".", ""), "0")
	return len(digits)
}

// equals reports whether two figures have the same number and compatible kinds.
func (f *Figure) Equals(o *Figure) bool {
	if f.Kind != o.Kind && f.Kind != words.NoUnit && o.Kind != words.NoUnit {
		return false
	}
	for _, a := range f.Readings {
		for _, b := range o.Readings {
			if a.Value.Cmp(b.Value) == 0 || f.Kind == words.Percent && a.Rounds(b.Value, f, false) &&
				a.last.Cmp(decimal.One) <= 0 {
				return true
			}
		}
	}
	return false
}

// Top is the kind of the requested length of a list: "top 5".
const Top = words.Other + 1
