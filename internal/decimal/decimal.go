// Package decimal provides exact decimal numbers of up to 19 digits for money and quantities.
//
// It wraps govalues/decimal and adds three things: numbers are parsed from the text of a JSON number, results are
// rounded half up (the library rounds half to even), and a calculation that overflows or divides by zero gives an
// invalid number. Everything computed from an invalid number is invalid, so a wrong figure is never shown and no step
// needs an if. Check Valid or Err once at the end.
package decimal

import (
	"bytes"
	"errors"
	"fmt"

	gv "github.com/govalues/decimal"
)

// ErrInvalid is the error of an invalid number: the result of an overflow or a division by zero.
var ErrInvalid = errors.New("number out of range")

// Decimal is a decimal number. The zero value is 0.
type Decimal struct {
	d   gv.Decimal
	bad bool
}

// Common numbers.
var (
	Zero    = FromInt(0)
	One     = FromInt(1)
	Hundred = FromInt(100)
)

// FromInt returns n.
func FromInt(n int64) Decimal { return Decimal{d: gv.MustNew(n, 0)} }

// Parse parses a number in JSON syntax, with or without an exponent. It rounds fractional digits after the nineteenth
// digit, and returns an error for integers of more than 19 digits.
func Parse(s string) (Decimal, error) {
	d, err := gv.Parse(s)
	if err != nil {
		return Decimal{}, fmt.Errorf("read number: %w", err)
	}
	return Decimal{d: d}, nil
}

// MustParse is like [Parse] for constants. It panics on an error.
func MustParse(s string) Decimal {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Valid returns false if computing x, or a number from which it was computed, overflowed or divided by zero.
func (x Decimal) Valid() bool { return !x.bad }

// Err is ErrInvalid for an invalid number and nil for any other.
func (x Decimal) Err() error {
	if x.bad {
		return ErrInvalid
	}
	return nil
}

func lift(x, y Decimal, op func(a, b gv.Decimal) (gv.Decimal, error)) Decimal {
	if x.bad || y.bad {
		return Decimal{bad: true}
	}
	d, err := op(x.d, y.d)
	if err != nil {
		return Decimal{bad: true}
	}
	return Decimal{d: d}
}

// Add returns x + y.
func (x Decimal) Add(y Decimal) Decimal { return lift(x, y, gv.Decimal.Add) }

// Sub returns x − y.
func (x Decimal) Sub(y Decimal) Decimal { return lift(x, y, gv.Decimal.Sub) }

// Mul returns x × y.
func (x Decimal) Mul(y Decimal) Decimal { return lift(x, y, gv.Decimal.Mul) }

// Div returns x ÷ y, to 19 digits; invalid when y is 0.
func (x Decimal) Div(y Decimal) Decimal { return lift(x, y, gv.Decimal.Quo) }

// Neg returns −x.
func (x Decimal) Neg() Decimal { return Decimal{d: x.d.Neg(), bad: x.bad} }

// Abs returns x without its sign.
func (x Decimal) Abs() Decimal { return Decimal{d: x.d.Abs(), bad: x.bad} }

// Cmp returns −1, 0 or +1 as x is below, equal to or above y. Do not compare invalid numbers.
func (x Decimal) Cmp(y Decimal) int { return x.d.Cmp(y.d) }

// Less reports whether x < y.
func (x Decimal) Less(y Decimal) bool { return x.d.Cmp(y.d) < 0 }

// Sign returns −1, 0 or +1.
func (x Decimal) Sign() int { return x.d.Sign() }

// IsZero reports whether x is exactly 0.
func (x Decimal) IsZero() bool { return !x.bad && x.d.IsZero() }

// Max returns the greater of x and y.
func (x Decimal) Max(y Decimal) Decimal {
	if x.bad || (!y.bad && x.Less(y)) {
		return y
	}
	return x
}

// Min returns the smaller of x and y.
func (x Decimal) Min(y Decimal) Decimal {
	if x.bad || (!y.bad && y.Less(x)) {
		return y
	}
	return x
}

// Major converts an amount in minor units (kopecks), which the vendor's API uses, into main units (roubles), which
// people see (rule R17). It is exact.
func (x Decimal) Major() Decimal { return x.Div(Hundred) }

// Minor converts an amount in main units into minor units. It is exact.
func (x Decimal) Minor() Decimal { return x.Mul(Hundred) }

// Round rounds to the given number of decimal places, half away from zero, as is usual for money.
func (x Decimal) Round(places int) Decimal {
	if x.bad || x.d.Scale() <= places {
		return x
	}
	half := gv.MustNew(5, places+1)
	if x.d.Sign() < 0 {
		half = half.Neg()
	}
	sum, err := x.d.Add(half)
	if err != nil {
		return Decimal{bad: true}
	}
	return Decimal{d: sum.Trunc(places)}
}

// Ceil rounds up to the given number of decimal places.
func (x Decimal) Ceil(places int) Decimal { return Decimal{d: x.d.Ceil(places), bad: x.bad} }

// Floor rounds down to the given number of decimal places.
func (x Decimal) Floor(places int) Decimal { return Decimal{d: x.d.Floor(places), bad: x.bad} }

// String formats x with a decimal point, without an exponent and without trailing zeros. It returns "invalid" for an
// invalid number.
func (x Decimal) String() string {
	if x.bad {
		return "invalid"
	}
	return x.d.Trim(0).String()
}

// Fixed formats x with exactly the given number of decimal places: Fixed(2) of 3.5 is "3.50".
func (x Decimal) Fixed(places int) string {
	if x.bad {
		return "invalid"
	}
	return x.Round(places).d.Pad(places).String()
}

// Float64 converts x for charts and sorting. Never use it for figures.
func (x Decimal) Float64() float64 {
	f, _ := x.d.Float64()
	return f
}

// MarshalJSON returns a string such as "12.5", and an error for an invalid number.
func (x Decimal) MarshalJSON() ([]byte, error) {
	if x.bad {
		return nil, ErrInvalid
	}
	return []byte(`"` + x.String() + `"`), nil
}

// UnmarshalJSON parses a JSON number or a string with a number, exactly.
func (x *Decimal) UnmarshalJSON(b []byte) error {
	d, err := Parse(string(bytes.Trim(b, `"`)))
	if err != nil {
		return err
	}
	*x = d
	return nil
}

// Maybe is a number that may be absent. Absent is not zero: the field was empty, not permitted or not requested
// (rule R23).
type Maybe struct {
	Decimal
	Known bool
}

// Some returns a known number.
func Some(d Decimal) Maybe { return Maybe{Decimal: d, Known: true} }

// UnmarshalJSON parses a number. Null means unknown, like an absent field.
func (m *Maybe) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*m = Maybe{}
		return nil
	}
	m.Known = true
	return m.Decimal.UnmarshalJSON(b)
}

// MarshalJSON returns the number as a string, or null if unknown.
func (m Maybe) MarshalJSON() ([]byte, error) {
	if !m.Known {
		return []byte("null"), nil
	}
	return m.Decimal.MarshalJSON()
}

// Parts returns the digits of a valid number as an integer, how many of them are fractional, and its sign.
func (x Decimal) Parts() (digits uint64, scale int, negative bool) {
	return x.d.Coef(), x.d.Scale(), x.d.IsNeg()
}

// FromParts returns the number of [Decimal.Parts], or an invalid one.
func FromParts(digits uint64, scale int, negative bool) Decimal {
	n := int64(digits)
	if n < 0 {
		return Decimal{bad: true}
	}
	if negative {
		n = -n
	}
	d, err := gv.New(n, scale)
	return Decimal{d: d, bad: err != nil}
}
