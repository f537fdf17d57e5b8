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

// encoder writes JSON to a writer without maps or reflection, because a page of a report has a thousand rows.
// Callers skip absent fields, so that no null or zero is written by accident (fact M41).
type encoder struct {
	w     io.Writer
	buf   []byte
	comma bool // the next value at this level needs a comma before it
	err   error
}

// flushAt is small enough that the first bytes of a long list are sent while the rest is still being written.
const flushAt = 16 << 10

func newEncoder(w io.Writer) *encoder { return &encoder{w: w, buf: make([]byte, 0, flushAt+4<<10)} }

func (e *encoder) separate() {
	if e.comma {
		e.buf = append(e.buf, ',')
	}
	e.comma = true
}

// flush hands what is buffered to the writer and reports the first failure to write.
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
		_ = e.flush() // sticky: the last flush reports it
	}
}

// object writes {…} with the members that fill writes.
func (e *encoder) object(fill func()) {
	e.open('{')
	fill()
	e.close('}')
}

// array writes […] with the elements that fill writes.
func (e *encoder) array(fill func()) {
	e.open('[')
	fill()
	e.close(']')
}

// key begins a member of an object; exactly one value must follow, as in e.key("id").string(id).
func (e *encoder) key(name string) *encoder {
	e.separate()
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, name...) // names are ours: nothing to escape
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

// fixed writes a number given in ten-thousandths, the company's unit of money and quantities.
func (e *encoder) fixed(n int64) {
	e.separate()
	e.buf = appendFixed(e.buf, n)
}

// optional is a text that is left out when it is empty.
type optional string

// members writes members of an object, given as pairs of a name and a value; an unset time and an empty optional are
// left out, and a func() fills an object.
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

// moment writes a member that is a time in the API's zone; an unset one is left out.
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

// one is the number of ten-thousandths in one.
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

// parseFixed reads a decimal number into ten-thousandths; digits beyond are rounded.
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
