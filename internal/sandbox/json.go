package sandbox

import (
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// encoder writes JSON without maps or reflection, because a page of a report has a thousand rows. Callers skip absent
// fields, so that no null or zero is written by accident (fact M41).
type encoder struct {
	w     io.Writer
	buf   []byte
	comma bool // the next value at this level needs a comma before it
	err   error
}

// flushAt is small, so that a long list is sent while it is being written.
const flushAt = 16 << 10

func newEncoder(w io.Writer) *encoder { return &encoder{w: w, buf: make([]byte, 0, flushAt+4<<10)} }

func (e *encoder) separate() {
	if e.comma {
		e.buf = append(e.buf, ',')
	}
	e.comma = true
}

// flush writes the buffer and returns the first write error.
func (e *encoder) flush() error {
	if e.err == nil && len(e.buf) > 0 {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
	return e.err
}

func (e *encoder) open(bracket byte) {
	e.separate()
	e.buf = append(e.buf, bracket)
	e.comma = false
}

func (e *encoder) close(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.comma = true
	if len(e.buf) >= flushAt {
		_ = e.flush() // the error is sticky; the last flush returns it
	}
}

// object writes an object; fill writes its members.
func (e *encoder) object(fill func()) {
	e.open('{')
	fill()
	e.close('}')
}

// array writes an array; fill writes its elements.
func (e *encoder) array(fill func()) {
	e.open('[')
	fill()
	e.close(']')
}

// key writes the key of a member. Exactly one value must follow, as in e.key("id").string(id).
func (e *encoder) key(name string) *encoder {
	e.separate()
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, name...) // names are constants that need no escaping
	e.buf = append(e.buf, '"', ':')
	e.comma = false
	return e
}

func (e *encoder) string(s string) {
	e.separate()
	e.buf = appendString(e.buf, s)
}

func (e *encoder) bool(b bool) {
	e.separate()
	e.buf = strconv.AppendBool(e.buf, b)
}

func (e *encoder) int(n int64) {
	e.separate()
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

func (e *encoder) null() {
	e.separate()
	e.buf = append(e.buf, "null"...)
}

// fixed writes a number in ten-thousandths, the unit of money and quantities in package company.
func (e *encoder) fixed(n int64) {
	e.separate()
	e.buf = appendFixed(e.buf, n)
}

// optional is a string that is omitted if empty.
type optional string

// members writes object members from pairs of names and values. It omits zero times and empty optionals; a func()
// writes the members of a nested object.
func (e *encoder) members(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		switch v := pairs[i+1].(type) { //nolint:gosec // pairs has an even number of elements
		case optional:
			if v != "" {
				e.key(name).string(string(v))
			}
		case time.Time:
			e.moment(name, v)
		case string:
			e.key(name).string(v)
		case company.ID:
			e.key(name).string(string(v))
		case bool:
			e.key(name).bool(v)
		case int:
			e.key(name).int(int64(v))
		case company.Money:
			e.key(name).fixed(int64(v))
		case company.Quantity:
			e.key(name).fixed(int64(v))
		case decimal.Decimal:
			e.key(name).decimal(v)
		case func():
			e.key(name).object(v)
		default:
			panic(fmt.Sprintf("member %s: a %T cannot be written", name, v))
		}
	}
}

// moment writes a time member in the API's time zone, or nothing for a zero time.
func (e *encoder) moment(name string, t time.Time) {
	if t.IsZero() {
		return
	}
	e.key(name).separate()
	e.buf = append(t.In(moscow).AppendFormat(append(e.buf, '"'), momentLayout), '"')
}

// decimal writes a computed number.
func (e *encoder) decimal(d decimal.Decimal) {
	e.separate()
	e.buf = append(e.buf, d.String()...)
}

// one is 1 in ten-thousandths.
const one = 10000

func appendFixed(b []byte, n int64) []byte {
	u := uint64(n)
	if n < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/one, 10)
	fraction := u % one
	if fraction == 0 {
		return b
	}
	b = append(b, '.')
	for unit := uint64(one / 10); fraction > 0; unit /= 10 {
		b = append(b, byte('0'+fraction/unit))
		fraction %= unit
	}
	return b
}

// parseFixed parses a decimal number into ten-thousandths and rounds further digits.
func parseFixed(s string) (int64, bool) {
	d, err := decimal.Parse(s)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(d.Mul(decimal.FromInt(one)).Round(0).String(), 10, 64)
	return n, err == nil
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		default:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
