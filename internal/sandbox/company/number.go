package company

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"

	"github.com/stockhand/stockhand/internal/decimal"
)

// scale is the number of steps in one: quantities have at most four decimals (fact M34), and money is
// counted as finely so that unit costs lose nothing that matters.
const scale = 10000

// Quantity is an amount of goods in ten-thousandths of a unit.
type Quantity int64

// Money is an amount in ten-thousandths of a minor unit (a kopeck). Prices and sums of documents are whole minor
// units; costs are not.
type Money int64

// Units returns n whole units.
func Units(n int) Quantity { return Quantity(n) * scale }

// Kopecks returns n whole minor units.
func Kopecks(n int64) Money { return Money(n) * scale }

// Decimal is the quantity in units.
func (q Quantity) Decimal() decimal.Decimal { return fixed(int64(q)) }

// Decimal is the amount in minor units, as the API writes it.
func (m Money) Decimal() decimal.Decimal { return fixed(int64(m)) }

// String writes the quantity as a number of units, without trailing zeros.
func (q Quantity) String() string { return q.Decimal().String() }

// String writes the amount as a number of minor units, without trailing zeros.
func (m Money) String() string { return m.Decimal().String() }

var scaleDecimal = decimal.FromInt(scale)

func fixed(n int64) decimal.Decimal { return decimal.FromInt(n).Div(scaleDecimal) }

// times is m × q, rounded half away from zero to the finest step.
func (m Money) times(q Quantity) Money { return Money(mulDiv(int64(m), int64(q), scale)) }

// percent is n hundredths of m.
func (m Money) percent(n int) Money { return Money(mulDiv(int64(m), int64(n), 100)) }

// round is m rounded half away from zero to whole minor units.
func (m Money) round() Money { return Money(mulDiv(int64(m), 1, scale)) * scale }

// mulDiv is a × b ÷ c without overflow in between, rounded half away from zero.
func mulDiv(a, b, c int64) int64 {
	neg := (a < 0) != (b < 0) != (c < 0)
	hi, lo := bits.Mul64(abs(a), abs(b))
	q, r := bits.Div64(hi, lo, abs(c))
	if r >= abs(c)-r {
		q++
	}
	if neg {
		return -int64(q)
	}
	return int64(q)
}

func abs(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// ID is an identifier of the external system: shaped like a UUID but not one of RFC 4122, whose variant bits are
// often zero here (fact M38). Ids of different things never meet.
type ID string

// derive makes an id that depends only on its arguments.
func derive(space, key string, n uint64) ID {
	buf := make([]byte, 0, 96)
	buf = append(append(append(buf, space...), 0), key...)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(buf, n))
	// The vendor's ids look like 6af0f1c9-4814-11e6-0a80-0eae000006b4: a version-1 look, a variant of zero.
	sum[6], sum[8], sum[9] = 0x11, 0x0a, 0x80
	out := make([]byte, 36)
	at := 0
	for _, part := range [5][2]int{{0, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 16}} {
		if at > 0 {
			out[at] = '-'
			at++
		}
		at += hex.Encode(out[at:], sum[part[0]:part[1]])
	}
	return ID(out)
}
