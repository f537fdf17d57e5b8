package facts

import (
	"bytes"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// encode returns the compressed form of a part without its version.
func (p *part) encode() ([]byte, error) {
	e := encoder{links: map[msapi.Ref]uint64{}}
	for i := range p.goods {
		e.good(&p.goods[i])
	}
	if e.bad {
		return nil, errNumber
	}
	var head encoder
	head.uint(uint64(p.number))
	head.time(p.read)
	head.time(p.newest)
	head.refs(e.table)
	head.uint(uint64(len(p.goods)))
	return compress(head.b, e.b)
}

// decodePart reads what encode wrote.
func decodePart(body []byte) (p *part, err error) {
	plain, err := decompress(body)
	if err != nil {
		return nil, err
	}
	d := decoder{b: plain}
	defer func() {
		if recover() != nil { // beyond the end
			p, err = nil, errFormat
		}
	}()
	p = &part{number: int(d.uint()), read: d.time(), newest: d.time()}
	d.refs()
	p.goods = make([]good, d.size())
	for i := range p.goods {
		d.good(&p.goods[i])
	}
	if len(d.b) != 0 {
		return nil, errFormat
	}
	return p, nil
}

// equal reports whether what is kept of two goods is the same.
func (x *good) equal(y *good) bool {
	encoded := func(x *good) encoder {
		e := encoder{links: map[msapi.Ref]uint64{}}
		e.good(x)
		return e
	}
	a, b := encoded(x), encoded(y)
	return bytes.Equal(a.b, b.b) && slices.Equal(a.table, b.table)
}

// links lists the links of a good that are kept.
func (x *good) links() [5]*msapi.Ref {
	return [...]*msapi.Ref{&x.Product, &x.Folder, &x.Supplier, &x.Unit, &x.Country}
}

func (e *encoder) good(x *good) {
	e.id(x.ID)
	e.link(msapi.Ref{Type: x.Type})
	e.text(x.Name)
	e.text(x.Code)
	e.text(x.Article)
	for _, r := range x.links() {
		e.link(*r)
	}
	e.flag(x.Archived)
	e.time(x.updated)
	e.uint(uint64(len(x.Barcodes)))
	for _, b := range x.Barcodes {
		e.text(b)
	}
	e.price(x.BuyPrice)
	e.price(x.MinPrice)
	e.uint(uint64(len(x.SalePrices)))
	for _, s := range x.SalePrices {
		e.link(msapi.Ref{ID: s.PriceType.ID})
		e.price(s.Price)
	}
}

func (e *encoder) price(p msapi.Price) {
	e.number(p.Value)
	e.link(p.Currency)
}

func (d *decoder) good(x *good) {
	x.ID = d.id()
	x.key = x.ID.Key()
	x.Type, x.Name, x.Code, x.Article = d.link().Type, d.text(), d.text(), d.text()
	for _, r := range x.links() {
		*r = d.link()
	}
	x.Archived, x.updated = d.flag(), d.time()
	if n := d.size(); n > 0 {
		x.Barcodes = make([]string, n)
	}
	for i := range x.Barcodes {
		x.Barcodes[i] = d.text()
	}
	x.BuyPrice, x.MinPrice = d.price(), d.price()
	if n := d.size(); n > 0 {
		x.SalePrices = make([]msapi.SalePrice, n)
	}
	for i := range x.SalePrices {
		x.SalePrices[i].PriceType.ID = d.link().ID
		x.SalePrices[i].Price = d.price()
	}
}

func (d *decoder) price() msapi.Price { return msapi.Price{Value: d.number(), Currency: d.link()} }
