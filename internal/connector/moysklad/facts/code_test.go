package facts

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// notKept lists the fields of documents and lines that queries over kept documents do not use.
var notKept = []string{"Planned", "Ordered", "Shipped", "InTransit", "Expected", "Paid", "Reserved", "Attributes",
	"ID" /* of a line */}

// fill sets all fields to something, except those that are not kept.
func fill(v reflect.Value, n *int64) {
	*n++
	switch x := v.Addr().Interface().(type) {
	case *msapi.ID:
		k := msapi.Key{15: byte(*n), 0: 1}
		*x = k.ID()
	case *msapi.Moment:
		x.Time = time.UnixMilli(1_790_000_000_000 + *n).In(msapi.Moscow)
	case *decimal.Maybe:
		*x = decimal.Some(decimal.MustParse("-12.345").Mul(decimal.FromInt(*n)))
	case *string:
		*x = string(rune('a' + *n))
	case *bool:
		*x = true
	case *[]msapi.Position:
		*x = make([]msapi.Position, 2)
		for i := range *x {
			fill(v.Index(i), n)
		}
	default:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if !slices.Contains(notKept, name) || name == "ID" && v.Type() != reflect.TypeFor[msapi.Position]() {
				fill(v.Field(i), n)
			}
		}
	}
}

// A field that is added to documents must be kept, or be listed above.
func TestASegmentIsDecodedAsItWasEncoded(t *testing.T) {
	var n int64
	s := &segment{month: monthOf(time.Now()), covered: 1<<1 | 1<<31, lines: 1 << 31,
		read:      time.UnixMilli(1_790_000_000_001).In(msapi.Moscow),
		state:     state{300, time.UnixMilli(5).In(msapi.Moscow), []msapi.Key{{1}, {15: 2}}},
		documents: make([]msapi.Order, 3)}
	for i := range s.documents[:2] {
		fill(reflect.ValueOf(&s.documents[i]).Elem(), &n)
	}
	s.documents[2].Applicable = true // and nothing else
	body, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(body)
	if err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, s)
	}
	for _, bad := range [][]byte{nil, {0}, body[:len(body)/2], append([]byte{1}, body[1:]...)} {
		if _, err := decode(bad); err == nil {
			t.Errorf("%d bytes were decoded", len(bad))
		}
	}
	s.documents[0].Sum = decimal.Some(decimal.One.Div(decimal.Zero))
	if _, err := s.encode(); err == nil {
		t.Error("a number that is none was encoded")
	}
}

// What is not kept of a good is listed in its comment.
func TestGoodsAreDecodedAsTheyWereEncoded(t *testing.T) { // rule R234
	var n int64
	p := &part{number: 7, read: time.UnixMilli(1_790_000_000_001).In(msapi.Moscow),
		newest: time.UnixMilli(5).In(msapi.Moscow), goods: make([]good, 3)}
	for i := range p.goods[:2] {
		x := &p.goods[i]
		x.Barcodes, x.SalePrices = []string{"4601", "4602"}, make([]msapi.SalePrice, 2)
		fillGood(&x.AssortmentItem, &n)
		x.key, x.updated = x.ID.Key(), time.UnixMilli(1_790_000_000_000+n).In(msapi.Moscow)
	}
	body, err := p.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodePart(body)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, got, p)
	}
	for _, bad := range [][]byte{nil, {0}, body[:len(body)/2]} {
		if _, err := decodePart(bad); err == nil {
			t.Errorf("%d bytes were decoded", len(bad))
		}
	}
}

// fillGood sets all fields of a good that are kept.
func fillGood(x *msapi.AssortmentItem, n *int64) {
	v := reflect.ValueOf(x).Elem()
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; name {
		case "PathName", "Variants", "Stock", "Quantity", "Attributes": // not kept
		case "Barcodes":
		case "SalePrices":
			for i := range x.SalePrices {
				fill(v.FieldByName(name).Index(i), n)
				x.SalePrices[i].PriceType.Name = "" // a type may be renamed
			}
		default:
			fill(v.Field(i), n)
		}
	}
}

// Each good has a price of each type; a type that is new, gone or moved shows.
func TestGoodsTellTheTypesOfTheirPrices(t *testing.T) { // rule R234
	types := []msapi.PriceType{{ID: "a"}, {ID: "b"}}
	x := good{AssortmentItem: msapi.AssortmentItem{SalePrices: []msapi.SalePrice{{PriceType: types[0]},
		{PriceType: types[1]}}}}
	g := &Goods{state: &goods{parts: [parts]*part{}}}
	for n := range g.state.parts {
		g.state.parts[n] = &part{}
	}
	g.state.parts[3].goods = []good{x}
	g.state.priced = []msapi.ID{"a", "b"}
	if !g.Priced() {
		t.Error("the same types are not recognized")
	}
	for _, other := range [][]msapi.ID{nil, {"a"}, {"b", "a"}, {"a", "b", "a"}} {
		if g.state.priced = other; g.Priced() {
			t.Errorf("%v is taken for %v", other, types)
		}
	}
}

// BenchmarkDecodeGoods decodes a part of 100,000 goods, of which there are 16.
func BenchmarkDecodeGoods(b *testing.B) {
	var n int64
	p := &part{goods: make([]good, 100_000/parts)}
	for i := range p.goods {
		if p.goods[i] = p.goods[0]; i == 0 {
			p.goods[0].SalePrices = make([]msapi.SalePrice, 3)
			fillGood(&p.goods[0].AssortmentItem, &n)
		}
		p.goods[i].ID = msapi.Key{1, 2, byte(i), byte(i >> 8)}.ID()
	}
	body, err := p.encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := decodePart(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(body)), "bytes")
}

// BenchmarkDecode decodes 40,000 documents with 5 lines.
func BenchmarkDecode(b *testing.B) {
	var n int64
	s := &segment{documents: make([]msapi.Order, 40_000)}
	fill(reflect.ValueOf(&s.documents[0]).Elem(), &n)
	lines := slices.Repeat(s.documents[0].Positions, 3)[:5]
	for i := range s.documents {
		s.documents[i] = s.documents[0]
		s.documents[i].ID = msapi.Key{1, 2, byte(i), byte(i >> 8)}.ID()
		s.documents[i].Positions = lines
	}
	body, err := s.encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := decode(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(body)), "bytes")
}
