package compute

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// number is an exact decimal: coef ÷ 10^scale, with scale ≥ 0.
type number struct {
	coef  *big.Int
	scale int
}

// The bounds of numbers. Only division rounds, to that many decimal places; everything else is exact or an error.
const (
	maxDigits      = 100
	divisionPlaces = 20
)

var (
	errDigits = errors.New("a number needs more than 100 digits: round() what it is computed from")
	ten       = big.NewInt(10)
	powers    = func() (p [4*maxDigits + 1]*big.Int) {
		p[0] = big.NewInt(1)
		for i := range p[1:] {
			p[i+1] = new(big.Int).Mul(p[i], ten)
		}
		return p
	}()
)

func integer(n int64) number { return number{coef: big.NewInt(n)} }

// parseNumber reads a decimal with an optional exponent.
func parseNumber(s string) (number, bool) {
	s = strings.TrimSpace(s)
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		e, ok := new(big.Int).SetString(strings.TrimPrefix(s[i+1:], "+"), 10)
		if !ok || !e.IsInt64() || e.Int64() > maxDigits || e.Int64() < -maxDigits {
			return number{}, false
		}
		exponent = int(e.Int64())
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole, "+-") + frac
	if digits == "" || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" || len(whole)-
		len(strings.TrimLeft(whole, "+-")) > 1 {
		return number{}, false
	}
	n := number{coef: new(big.Int), scale: len(frac) - exponent}
	n.coef.SetString(digits, 10)
	if strings.HasPrefix(whole, "-") {
		n.coef.Neg(n.coef)
	}
	if n.scale < 0 {
		n.coef.Mul(n.coef, powers[-n.scale])
		n.scale = 0
	}
	return n, n.scale <= 2*maxDigits
}

// aligned returns the coefficients of both numbers at the same scale.
func aligned(x, y number) (a, b *big.Int, scale int) {
	a, b = x.coef, y.coef
	switch {
	case x.scale < y.scale:
		return new(big.Int).Mul(a, powers[y.scale-x.scale]), b, y.scale
	case x.scale > y.scale:
		return a, new(big.Int).Mul(b, powers[x.scale-y.scale]), x.scale
	}
	return a, b, x.scale
}

func (x number) add(y number) number {
	a, b, scale := aligned(x, y)
	return number{new(big.Int).Add(a, b), scale}
}

func (x number) neg() number { return number{new(big.Int).Neg(x.coef), x.scale} }

func (x number) sub(y number) number { return x.add(y.neg()) }

func (x number) mul(y number) number {
	return number{new(big.Int).Mul(x.coef, y.coef), x.scale + y.scale}
}

// div divides by a number other than 0, rounding half away from zero to divisionPlaces.
func (x number) div(y number) number {
	a, b, _ := aligned(x, y)
	return number{quotient(new(big.Int).Mul(a, powers[divisionPlaces]), b), divisionPlaces}
}

// mod is the remainder with the sign of x, of a number other than 0.
func (x number) mod(y number) number {
	a, b, scale := aligned(x, y)
	return number{new(big.Int).Rem(a, b), scale}
}

// quotient divides integers, rounding half away from zero.
func quotient(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Lsh(r, 1).CmpAbs(b) >= 0 {
		q.Add(q, big.NewInt(int64(a.Sign()*b.Sign())))
	}
	return q
}

func (x number) cmp(y number) int {
	a, b, _ := aligned(x, y)
	return a.Cmp(b)
}

func (x number) sign() int { return x.coef.Sign() }

// round rounds half away from zero to decimal places; a negative number of places rounds to tens, hundreds, …
func (x number) round(places int) number {
	if x.scale <= places {
		return x
	}
	n := number{quotient(x.coef, powers[x.scale-places]), places}
	if places < 0 {
		n = number{n.coef.Mul(n.coef, powers[-places]), 0}
	}
	return n
}

// whole rounds towards zero.
func (x number) whole() number {
	return number{new(big.Int).Quo(x.coef, powers[x.scale]), 0}
}

// floor rounds down.
func (x number) floor() number {
	q, r := new(big.Int).QuoRem(x.coef, powers[x.scale], new(big.Int))
	if r.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return number{q, 0}
}

// String formats the number without an exponent and without trailing zeros.
func (x number) String() string {
	s := new(big.Int).Abs(x.coef).String()
	if x.scale > 0 {
		if len(s) <= x.scale {
			s = strings.Repeat("0", x.scale-len(s)+1) + s
		}
		s = s[:len(s)-x.scale] + "." + s[len(s)-x.scale:]
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if x.sign() < 0 {
		s = "-" + s
	}
	return s
}

// In the database a number is a BLOB: its sign, decimal exponent and digits, so that SQLite compares, sorts and groups
// numbers exactly, and its unit. No SQLite number is ever computed with.
const (
	negative, zero, positive = 1, 2, 3
	exponentZero             = 128
)

// encode returns the BLOB of a number with a unit.
func (x number) encode(u unit) ([]byte, error) {
	digits := new(big.Int).Abs(x.coef).Append(nil, 10)
	return pack(x.sign() < 0, digits, len(digits)-x.scale, u)
}

// encodeText is encode for a number in plain decimal notation, without the detour.
func encodeText(s string, u unit) ([]byte, error) {
	s, isNegative := strings.CutPrefix(s, "-")
	whole, frac, _ := strings.Cut(s, ".")
	var buffer [2 * maxDigits]byte
	digits := append(append(buffer[:0], whole...), frac...)
	exponent := len(whole)
	for len(digits) > 1 && digits[0] == '0' {
		digits, exponent = digits[1:], exponent-1
	}
	return pack(isNegative, digits, exponent, u)
}

// pack encodes ±0.digits × 10^exponent. Only zero begins with the digit 0.
func pack(isNegative bool, digits []byte, exponent int, u unit) ([]byte, error) {
	b := make([]byte, 0, 4+(len(digits)+1)/2+len(u))
	mask := byte(0)
	switch {
	case len(digits) == 0:
		return nil, errDigits
	case digits[0] == '0':
		return append(append(b, zero), u...), nil
	case isNegative:
		b, mask = append(b, negative), 0xff
	default:
		b = append(b, positive)
	}
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits) > maxDigits || exponent > maxDigits || exponent < -maxDigits {
		return nil, errDigits
	}
	b = append(b, byte(exponent+exponentZero)^mask)
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i] - '0') * 10
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		b = append(b, (pair+1)^mask)
	}
	return append(append(b, 0^mask), u...), nil
}

// scan reads an encoded number of up to 18 digits without allocating; ok is false for others.
func scan(b []byte) (coef int64, scale int, u []byte, ok bool) {
	if len(b) == 0 {
		return 0, 0, nil, false
	}
	mask := byte(0)
	switch b[0] {
	case zero:
		return 0, 0, b[1:], true
	case negative:
		mask = 0xff
	}
	if len(b) < 3 {
		return 0, 0, nil, false
	}
	exponent, digits := int(b[1]^mask)-exponentZero, 0
	for i := 2; i < len(b); i++ {
		pair := b[i] ^ mask
		if pair == 0 {
			u = b[i+1:]
			break
		}
		if digits += 2; digits > 18 {
			return 0, 0, nil, false
		}
		coef = coef*100 + int64(pair-1)
	}
	for scale = digits - exponent; scale < 0; scale++ {
		if coef > 1e17 {
			return 0, 0, nil, false
		}
		coef *= 10
	}
	if mask != 0 {
		coef = -coef
	}
	return coef, scale, u, true
}

// decode reads an encoded number.
func decode(b []byte) (number, unit, bool) {
	if coef, scale, u, ok := scan(b); ok {
		return number{big.NewInt(coef), scale}, unitOf(u), true
	}
	if len(b) < 3 || b[0] != negative && b[0] != positive {
		return number{}, "", false
	}
	mask := byte(0)
	if b[0] == negative {
		mask = 0xff
	}
	coef, digits, i := new(big.Int), 0, 2
	for ; i < len(b) && b[i]^mask != 0; i++ {
		coef.Add(coef.Mul(coef, powers[2]), big.NewInt(int64(b[i]^mask)-1))
		digits += 2
	}
	if i == len(b) {
		return number{}, "", false
	}
	n := number{coef, digits - int(b[1]^mask) + exponentZero}
	if n.scale < 0 {
		n = number{coef.Mul(coef, powers[-n.scale]), 0}
	}
	if mask != 0 {
		n.coef.Neg(n.coef)
	}
	return n, unitOf(b[i+1:]), true
}

// unit is what a number counts. The zero value is a bare number, such as a literal or a ratio.
type unit string

// The units that are not currencies or units of measure. Those are "$RUB" and "#шт"; "$" is an unknown currency and
// "#" a quantity whose unit is unknown.
const (
	bare    unit = ""
	percent unit = "%"
	count   unit = "c"
	days    unit = "d"

	currencyMark = "$"
	measureMark  = "#"
)

// unitOf avoids an allocation for the usual units.
func unitOf(b []byte) unit {
	switch string(b) {
	case "":
		return bare
	case "$RUB":
		return "$RUB"
	case "c":
		return count
	}
	return unit(b)
}

func (u unit) isMoney() bool   { return strings.HasPrefix(string(u), currencyMark) }
func (u unit) isMeasure() bool { return strings.HasPrefix(string(u), measureMark) }

// String names the unit in an error.
func (u unit) String() string {
	switch {
	case u == bare:
		return "a plain number"
	case u == percent:
		return "percent"
	case u == count:
		return "a count"
	case u == days:
		return "days"
	case u == currencyMark:
		return "money of an unknown currency"
	case u == measureMark:
		return "a quantity"
	}
	return string(u[1:])
}

// together returns the unit of a sum, a difference or a comparison. A bare number takes the other's unit.
func together(a, b unit, does string) (unit, error) {
	switch {
	case a == b || b == bare:
		return a, nil
	case a == bare:
		return b, nil
	case a.isMoney() && b.isMoney():
		return "", fmt.Errorf("%s and %s %s: GROUP BY currency(column), or pick one: WHERE currency(column) = '%s'",
			a, b, does, strings.TrimPrefix(string(a), currencyMark))
	case a.isMeasure() && b.isMeasure() && a != measureMark && b != measureMark:
		return "", fmt.Errorf("%s and %s %s: GROUP BY unit(column), or pick one: WHERE unit(column) = '%s'",
			a, b, does, strings.TrimPrefix(string(a), measureMark))
	case a.isMeasure() && b.isMeasure():
		return measureMark, nil
	case a.isMoney() || b.isMoney() || a == percent || b == percent:
		return "", fmt.Errorf("%s and %s %s; number(x) drops a unit", a, b, does)
	}
	return bare, nil // counts, days and quantities
}

const doNotAdd, doNotCompare = "do not add up", "cannot be compared"

// product returns the unit of a × b.
func product(a, b unit) (unit, error) {
	switch {
	case a.isMoney() && b.isMoney():
		return "", fmt.Errorf("money times money means nothing; number(x) drops a currency")
	case a.isMoney():
		return a, nil
	case b.isMoney():
		return b, nil
	case b == bare && a != count:
		return a, nil
	case a == bare && b != count:
		return b, nil
	case a.isMeasure() && !b.isMeasure():
		return a, nil
	case b.isMeasure() && !a.isMeasure():
		return b, nil
	}
	return bare, nil
}

// ratio returns the unit of a ÷ b.
func ratio(a, b unit) (unit, error) {
	switch {
	case b == bare && a != count:
		return a, nil
	case a.isMoney() && !b.isMoney():
		return a, nil
	case a.isMoney() && b.isMoney() && a != b:
		return together(a, b, "cannot be divided")
	case a.isMeasure() && b == days:
		return a, nil
	}
	return bare, nil
}
