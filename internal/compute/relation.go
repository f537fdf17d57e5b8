package compute

import (
	"database/sql/driver"
	"encoding/binary"
	"math"

	"github.com/stockhand/stockhand/internal/tool"
)

// relation is a table in columns, for what is computed without SQLite.
type relation struct {
	rows    int
	columns [][]packed // in the order of the schema
	refs    []driver.Value
	units   *unitNames
}

// packed is a cell of a relation.
type packed struct {
	n     int64 // the coefficient of a small number, or the place of a text or of a large number in refs
	unit  int32
	kind  datumKind
	scale uint8
}

// datum is a value while it is computed with: what SQLite would have, but small numbers are integers.
type datum struct {
	n     int64
	ref   driver.Value // of a text or of a large number
	unit  int32
	kind  datumKind
	scale uint8
}

type datumKind uint8

const (
	none datumKind = iota
	flag           // SQLite's integer, such as the result of a comparison
	worded
	small // n ÷ 10^scale
	large // an encoded number
)

// unitNames numbers units. It remembers the units of sums and products, which every row needs.
type unitNames struct {
	names []unit
	ids   map[unit]int32
	known map[unitPair]int32
}

type unitPair struct {
	a, b    int32
	product bool
}

func newUnitNames() *unitNames {
	return &unitNames{[]unit{bare}, map[unit]int32{bare: 0}, map[unitPair]int32{}}
}

func (u *unitNames) id(n unit) int32 {
	id, ok := u.ids[n]
	if !ok {
		id = int32(len(u.names))
		u.names = append(u.names, n)
		u.ids[n] = id
	}
	return id
}

// of returns the unit of a sum or of a product.
func (u *unitNames) of(p unitPair, does string) (int32, error) {
	if p.a == p.b && !p.product {
		return p.a, nil
	}
	if id, ok := u.known[p]; ok {
		return id, nil
	}
	var n unit
	var err error
	if p.product {
		n, err = product(u.names[p.a], u.names[p.b])
	} else {
		n, err = together(u.names[p.a], u.names[p.b], does)
	}
	if err != nil {
		return 0, err
	}
	u.known[p] = u.id(n)
	return u.known[p], nil
}

// maxCells is how many cells a relation has at most. Larger tables are read by SQLite alone.
const maxCells = 2_000_000

// readRelation reads the columns of a schema.
func readRelation(s schema, bytes *int) (*relation, error) {
	r := &relation{columns: make([][]packed, len(s.columns)), units: newUnitNames()}
	for i := range r.columns {
		r.columns[i] = make([]packed, 0, s.Count)
	}
	texts := map[string]int64{}
	lastCurrency, lastUnit := "", int32(-1)
	for rows, err := range s.Pages {
		if err != nil {
			return nil, err
		}
		r.rows += len(rows)
		for _, row := range rows {
			for i, c := range s.columns {
				v := row[c.index]
				d, ok := v.Decimal()
				if ok && d.Valid() {
					if coef, scale, isNegative := d.Parts(); coef <= math.MaxInt64 && scale <= maxSmallScale {
						p := packed{n: int64(coef), kind: small, scale: uint8(scale)}
						if isNegative {
							p.n = -p.n
						}
						if c.Unit == tool.UnitMoney {
							if lastUnit < 0 || v.Currency() != lastCurrency {
								lastCurrency = v.Currency()
								lastUnit = r.units.id(unit(currencyMark + lastCurrency))
							}
							p.unit = lastUnit
						} else if u := s.unitOf(row, c, v); u != bare {
							p.unit = r.units.id(u)
						}
						*bytes += 8
						r.columns[i] = append(r.columns[i], p)
						continue
					}
				}
				value, err := s.cell(row, c)
				if err != nil {
					return nil, err
				}
				p := packed{}
				switch value := value.(type) {
				case string:
					*bytes += len(value)
					at, known := texts[value]
					if !known {
						at = int64(len(r.refs))
						texts[value] = at
						r.refs = append(r.refs, value)
					}
					p = packed{n: at, kind: worded}
				case []byte:
					*bytes += len(value)
					p = packed{n: int64(len(r.refs)), kind: large}
					r.refs = append(r.refs, value)
				}
				r.columns[i] = append(r.columns[i], p)
			}
			if *bytes > maxBytesIn {
				return nil, mistake("the columns of the query have more than %d MB", maxBytesIn>>20)
			}
		}
	}
	return r, nil
}

func (r *relation) at(column, row int) datum {
	p := r.columns[column][row]
	d := datum{n: p.n, kind: p.kind, scale: p.scale, unit: p.unit}
	if p.kind == worded || p.kind == large {
		d.ref = r.refs[p.n]
	}
	return d
}

// value returns a datum as the functions take it.
func (d datum) value(u *unitNames) (driver.Value, error) {
	switch d.kind {
	case flag:
		return d.n, nil
	case small:
		var buffer [24]byte
		digits, isNegative := appendDigits(buffer[:0], d.n)
		return packedValue(isNegative, digits, len(digits)-int(d.scale), u.names[d.unit])
	}
	return d.ref, nil
}

func packedValue(isNegative bool, digits []byte, exponent int, u unit) (driver.Value, error) {
	b, err := pack(isNegative, digits, exponent, u)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// datumOf is the reverse of value.
func (u *unitNames) datumOf(v driver.Value) datum {
	switch v := v.(type) {
	case nil:
		return datum{}
	case bool:
		if v {
			return datum{kind: flag, n: 1}
		}
		return datum{kind: flag}
	case int64:
		return datum{kind: flag, n: v}
	case []byte:
		if coef, scale, name, ok := scan(v); ok && scale <= maxSmallScale {
			d := datum{kind: small, n: coef, scale: uint8(scale)}
			if len(name) > 0 {
				d.unit = u.id(unitOf(name))
			}
			return d
		}
		return datum{kind: large, ref: v}
	}
	return datum{kind: worded, ref: v}
}

// maxSmallScale bounds the decimal places of small numbers.
const maxSmallScale = 18

var smallPowers = func() (p [maxSmallScale + 1]int64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// appendDigits appends the digits of a number without its sign.
func appendDigits(b []byte, n int64) (digits []byte, isNegative bool) {
	u := uint64(n)
	if n < 0 {
		u, isNegative = -u, true
	}
	var reversed [20]byte
	i := len(reversed)
	for {
		i--
		reversed[i] = byte('0' + u%10)
		if u /= 10; u == 0 {
			return append(b, reversed[i:]...), isNegative
		}
	}
}

// sameScale returns small numbers with the same scale; ok is false if that does not fit.
func sameScale(x, y datum) (a, b int64, scale uint8, ok bool) {
	switch {
	case x.scale < y.scale:
		a, ok = times(x.n, smallPowers[y.scale-x.scale])
		return a, y.n, y.scale, ok
	case x.scale > y.scale:
		b, ok = times(y.n, smallPowers[x.scale-y.scale])
		return x.n, b, x.scale, ok
	}
	return x.n, y.n, x.scale, true
}

// times multiplies; ok is false if the product does not fit.
func times(a, b int64) (c int64, ok bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	if c = a * b; c/b != a || a == math.MinInt64 || b == math.MinInt64 {
		return 0, false
	}
	return c, true
}

// appendKey appends bytes that are equal for what SQLite groups together.
func (d datum) appendKey(b []byte, u *unitNames) ([]byte, error) {
	v, err := d.value(u)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string:
		b = binary.AppendUvarint(append(b, byte(worded)), uint64(len(v)))
		return append(b, v...), nil
	case []byte:
		b = binary.AppendUvarint(append(b, byte(large)), uint64(len(v)))
		return append(b, v...), nil
	case int64:
		return binary.AppendVarint(append(b, byte(flag)), v), nil
	}
	return append(b, byte(none)), nil
}
