package company

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"

	"github.com/stockhand/stockhand/internal/decimal"
)

// scale is the fixed-point factor: quantities have at most four decimals (fact M34), and money has the same precision
// so that unit costs are exact enough.
const scale = 10000

// Quantity is an amount of goods in ten-thousandths of a unit.
type Quantity int64

// Money is an amount in ten-thousandths of a minor unit (kopeck). Prices and sums of documents are whole minor units,
// costs may not be.
type Money int64

// Units returns n whole units.
func Units(n int) Quantity { return Quantity(n) * scale }

// Kopecks returns n whole minor units.
func Kopecks(n int64) Money { return Money(n) * scale }

// Decimal returns the quantity in units.
func (q Quantity) Decimal() decimal.Decimal { return fixed(int64(q)) }

// Decimal returns the amount in minor units, as in the API.
func (m Money) Decimal() decimal.Decimal { return fixed(int64(m)) }

// String formats the quantity in units, without trailing zeros.
func (q Quantity) String() string { return q.Decimal().String() }

// String formats the amount in minor units, without trailing zeros.
func (m Money) String() string { return m.Decimal().String() }

var scaleDecimal = decimal.FromInt(scale)

func fixed(n int64) decimal.Decimal { return decimal.FromInt(n).Div(scaleDecimal) }

// times returns m × q, rounded half away from zero.
func (m Money) times(q Quantity) Money { return Money(mulDiv(int64(m), int64(q), scale)) }

// percent returns n percent of m.
func (m Money) percent(n int) Money { return Money(mulDiv(int64(m), int64(n), 100)) }

// round returns m rounded half away from zero to whole minor units.
func (m Money) round() Money { return Money(mulDiv(int64(m), 1, scale)) * scale }

// mulDiv returns a × b ÷ c without intermediate overflow, rounded half away from zero.
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

// ID is an identifier of the external system: in the format of a UUID, but often without a valid RFC 4122 variant (fact
// M38). Ids of different objects never collide.
type ID string

// derive returns an id that depends only on its arguments.
func derive(space, key string, n uint64) ID {
	buf := make([]byte, 0, 96)
	buf = append(append(append(buf, space...), 0), key...)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(buf, n))
	// The vendor's ids look like 6af0f1c9-4814-11e6-0a80-0eae000006b4: version 1 with a zero variant.
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
