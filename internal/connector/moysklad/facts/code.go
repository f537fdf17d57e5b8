package facts

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// format is the first byte of an encoded segment. One of another format is read again.
const format = 2

var errFormat = errors.New("not a segment of this version")

// errNumber means that a number cannot be kept, because it is not one.
var errNumber = errors.New("a document with an invalid number")

// encode returns the compressed form of a segment without its version. Documents are stored with what queries use of
// them; links are numbered.
func (s *segment) encode() ([]byte, error) {
	e := encoder{links: map[msapi.Ref]uint64{}}
	for i := range s.documents {
		e.document(&s.documents[i])
	}
	if e.bad {
		return nil, errNumber
	}
	var head encoder
	head.uint(uint64(s.month), uint64(s.covered), uint64(s.lines), uint64(s.total))
	head.time(s.read)
	head.time(s.newest)
	head.keys(s.recent)
	head.refs(e.table)
	head.uint(uint64(len(s.documents)))
	return compress(head.b, e.b)
}

// compress returns the compressed parts behind the format.
func compress(parts ...[]byte) ([]byte, error) {
	b := bytes.NewBuffer([]byte{format})
	w, err := flate.NewWriter(b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// decompress returns what compress compressed.
func decompress(body []byte) ([]byte, error) {
	if len(body) == 0 || body[0] != format {
		return nil, errFormat
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(body[1:])))
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	return plain, nil
}

// decode reads what encode wrote.
func decode(body []byte) (s *segment, err error) {
	plain, err := decompress(body)
	if err != nil {
		return nil, err
	}
	d := decoder{b: plain}
	defer func() {
		if recover() != nil { // beyond the end
			s, err = nil, errFormat
		}
	}()
	s = &segment{month: month(d.uint()), covered: days(d.uint()), lines: days(d.uint())}
	s.total = int(d.uint())
	s.read, s.newest, s.recent = d.time(), d.time(), d.keys()
	d.refs()
	s.documents = make([]msapi.Order, d.size())
	for i := range s.documents {
		d.document(&s.documents[i])
	}
	if len(d.b) != 0 {
		return nil, errFormat
	}
	return s, nil
}

type encoder struct {
	b     []byte
	links map[msapi.Ref]uint64
	table []msapi.Ref
	bad   bool
}

func (e *encoder) document(o *msapi.Order) {
	e.id(o.ID)
	e.text(o.Name)
	e.time(o.Moment.Time)
	e.time(o.Updated.Time)
	e.time(o.Created.Time)
	for _, r := range kept(o) {
		e.link(*r)
	}
	e.number(o.Rate.Value)
	e.number(o.Sum)
	e.uint(uint64(len(o.Positions)))
	for _, p := range o.Positions {
		e.link(p.Assortment)
		e.number(p.Quantity)
		e.number(p.Price)
		e.number(p.Discount)
	}
}

// kept lists the links of a document that are kept.
func kept(o *msapi.Order) [11]*msapi.Ref {
	return [...]*msapi.Ref{&o.Agent, &o.Organization, &o.Store, &o.State, &o.Owner, &o.SalesChannel, &o.Project,
		&o.Contract, &o.ExpenseItem, &o.Account, &o.Rate.Currency}
}

func (e *encoder) uint(list ...uint64) {
	for _, n := range list {
		e.b = binary.AppendUvarint(e.b, n)
	}
}

func (e *encoder) flag(f bool) {
	if f {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) id(id msapi.ID) {
	k := id.Key()
	e.bad = e.bad || k.ID() != id
	e.b = append(e.b, k[:]...)
}

func (e *encoder) keys(list []msapi.Key) {
	e.uint(uint64(len(list)))
	for _, k := range list {
		e.b = append(e.b, k[:]...)
	}
}

func (e *encoder) time(t time.Time) {
	if t.IsZero() {
		e.uint(0)
		return
	}
	e.uint(uint64(t.UnixMilli()))
}

// number encodes the scale and the sign with the digits; 0 is unknown.
func (e *encoder) number(m decimal.Maybe) {
	if !m.Known {
		e.uint(0)
		return
	}
	digits, scale, negative := m.Parts()
	e.bad = e.bad || !m.Valid() || digits > math.MaxInt64
	head := uint64(scale)<<2 | 1
	if negative {
		head |= 2
	}
	e.uint(head, digits)
}

func (e *encoder) link(r msapi.Ref) {
	n, ok := e.links[r]
	if !ok {
		n = uint64(len(e.table))
		e.links[r] = n
		e.table = append(e.table, r)
	}
	e.uint(n)
}

// refs encodes the table that links are numbered by.
func (e *encoder) refs(table []msapi.Ref) {
	e.uint(uint64(len(table)))
	for _, r := range table {
		e.text(r.Type)
		e.id(r.ID)
		e.text(r.Name)
		e.text(r.Code)
		e.text(r.Article)
		e.text(r.PathName)
		e.flag(r.Hidden)
	}
}

// decoder panics at the end of what it decodes.
type decoder struct {
	b     []byte
	table []msapi.Ref
}

func (d *decoder) document(o *msapi.Order) {
	o.ID, o.Name, o.Applicable = d.id(), d.text(), true
	o.Moment.Time, o.Updated.Time, o.Created.Time = d.time(), d.time(), d.time()
	for _, r := range kept(o) {
		*r = d.link()
	}
	o.Rate.Value, o.Sum = d.number(), d.number()
	if n := d.size(); n > 0 {
		o.Positions = make([]msapi.Position, n)
	}
	for i := range o.Positions {
		o.Positions[i] = msapi.Position{Assortment: d.link(), Quantity: d.number(), Price: d.number(),
			Discount: d.number()}
	}
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		panic(errFormat)
	}
	d.b = d.b[size:]
	return n
}

// size returns a number of things that follow, of at least a byte each.
func (d *decoder) size() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		panic(errFormat)
	}
	return int(n)
}

func (d *decoder) flag() bool { return d.uint() != 0 }

func (d *decoder) text() string {
	n := d.size()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) id() msapi.ID { return d.key().ID() }

func (d *decoder) key() (k msapi.Key) {
	d.b = d.b[copy(k[:], d.b[:len(k)]):]
	return k
}

func (d *decoder) keys() []msapi.Key {
	list := make([]msapi.Key, d.size())
	for i := range list {
		list[i] = d.key()
	}
	return list
}

func (d *decoder) time() time.Time {
	n := d.uint()
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(n)).In(msapi.Moscow)
}

func (d *decoder) number() decimal.Maybe {
	head := d.uint()
	if head == 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(decimal.FromParts(d.uint(), int(head>>2), head&2 != 0))
}

func (d *decoder) refs() {
	d.table = make([]msapi.Ref, d.size())
	for i := range d.table {
		d.table[i] = msapi.Ref{Type: d.text(), ID: d.id(), Name: d.text(), Code: d.text(), Article: d.text(),
			PathName: d.text(), Hidden: d.flag()}
	}
}

func (d *decoder) link() msapi.Ref { return d.table[d.uint()] }
