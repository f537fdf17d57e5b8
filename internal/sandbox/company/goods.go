package company

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// folders creates the tree of folders named by the product lines.
func (g *generator) folders() {
	for _, l := range lines {
		g.folder(l.folder)
	}
	g.folder("Одежда")
	g.folder("Разное")
	g.folder("Комплекты")
	g.folder("Архив 2019").Archived = true
}

func (g *generator) folder(path string) *Folder {
	if f, ok := g.byPath[path]; ok {
		return f
	}
	i := strings.LastIndexByte(path, '/')
	var parent *Folder
	if i >= 0 {
		parent = g.folder(path[:i])
	}
	n := len(g.cat.Folders)
	f := &Folder{
		ID: g.id("productfolder", n), Name: path[i+1:], Code: fmt.Sprintf("G%03d", n+1),
		ExternalCode: g.code("productfolder", n),
		Parent:       parent, Updated: g.start,
	}
	if parent != nil {
		f.PathName = parent.Path()
	}
	g.byPath[path] = f
	g.cat.Folders = append(g.cat.Folders, f)
	return f
}

// good adds a good with the fields that all kinds have.
func (g *generator) good(kind Kind, name string) *Good {
	i := len(g.cat.Goods)
	good := &Good{
		Kind: kind, ID: g.id(string(kind), i),
		Card:  Card{Name: name, ExternalCode: g.code("good", i), VATEnabled: true, VAT: 20},
		Owner: g.cat.Employees[0], Group: g.cat.Groups[0], Created: g.start.Add(-24 * time.Hour), Index: i,
	}
	good.InterfaceID = good.ID
	if kind == Product || kind == Variant {
		good.InterfaceID = g.id("interface", i)
	}
	g.cat.Goods = append(g.cat.Goods, good)
	return good
}

// products creates the products and their variants. Every fortieth product is clothing with variants.
func (g *generator) products() {
	names := make(map[string]int, g.o.Products)
	for i := range g.o.Products {
		switch {
		case i%40 == 17:
			g.clothes(names, i)
		case i == 5 || i == 6:
			h := hostile[i-5]
			p := g.product(h.name, i, 80, 600)
			p.Folder, p.Description = g.folder("Разное"), h.description
		default:
			l := pick(g, lines)
			p := g.product(unique(names, pick(g, l.names)+" "+pick(g, l.forms)+" "+pick(g, l.sizes)), i, l.low, l.high)
			p.Folder = g.folder(l.folder)
			p.Weight = Quantity(l.weighs * scale / 1000)
			p.Weighed = l.unit == "кг"
			if p.Weighed {
				p.Unit = g.cat.Units[1]
			}
			if i%23 == 4 {
				p.Packs = []Pack{{ID: g.id("pack", i), Unit: g.cat.Units[2],
					Quantity: Units(pick(g, []int{6, 10, 12, 24}))}}
			}
			if i%31 == 30 {
				p.Archived = true
				if i%62 == 30 {
					p.Folder = g.folder("Архив 2019")
				}
			}
		}
	}
}

func unique(names map[string]int, name string) string {
	names[name]++
	if n := names[name]; n > 1 {
		return fmt.Sprintf("%s № %d", name, n)
	}
	return name
}

func (g *generator) product(name string, i, low, high int) *Good {
	p := g.good(Product, name)
	p.Code = fmt.Sprintf("%05d", i+1)
	p.Unit = g.cat.Units[0]
	if i%10 != 3 {
		p.Article = fmt.Sprintf("A-%d", 1000+i)
	}
	if i%14 != 9 {
		// The first suppliers have the most goods.
		p.Supplier = g.suppliers[int(float64(len(g.suppliers))*math.Pow(g.rand.Float64(), 1.4))]
	}
	p.Barcodes = []Barcode{{"ean13", ean13(i)}}
	if i%5 != 4 {
		p.Country = g.cat.Countries[i%5%3]
	}
	g.price(p, i, low, high)
	return p
}

// price sets the prices of a product. The purchase price is sometimes empty.
func (g *generator) price(p *Good, i, low, high int) {
	rub := g.cat.Currencies[0]
	buy := float64(low) * math.Pow(float64(high)/float64(low), g.rand.Float64())
	sale := math.Ceil(buy*(1.25+0.5*g.rand.Float64())/5) * 5
	prices := &Prices{Updated: g.start.Add(-24 * time.Hour), Sale: []Price{
		{Kopecks(int64(sale) * 100), rub}, {Kopecks(int64(math.Ceil(sale*0.88)) * 100), rub}, {0, rub},
	}}
	if i%3 == 0 {
		prices.Sale[2].Value = Kopecks(int64(sale)*100 - 100)
	}
	if i%13 != 8 {
		prices.Buy = &Price{Kopecks(int64(buy * 100)), rub}
	}
	if i%9 == 2 {
		prices.Minimum = &Price{Kopecks(int64(math.Ceil(buy*1.05)) * 100), rub}
	}
	p.prices.Store(prices)
}

func (g *generator) clothes(names map[string]int, i int) {
	p := g.product(unique(names, pick(g, wear)), i, 180, 1900)
	p.Folder = g.folder("Одежда")
	p.Weight = Quantity(g.between(1000, 6000))
	count := g.between(2, 4)
	p.Variants = make([]*Good, 0, count)
	first := g.rand.IntN(len(colours) * len(sizes))
	for n := range count {
		colour, size := colours[(first+n)%len(colours)], sizes[(first+n)%len(sizes)]
		v := g.good(Variant, fmt.Sprintf("%s (%s, %s)", p.Name, colour, size))
		v.Product, v.Code = p, fmt.Sprintf("%s-%d", p.Code, n+1)
		v.Characteristics = []Characteristic{{g.id("characteristic", 0), "Цвет", colour},
			{g.id("characteristic", 1), "Размер", size}}
		v.Barcodes = []Barcode{{"ean13", ean13(10_000_000 + v.Index)}}
		own := &Prices{Updated: p.Prices().Updated}
		if n == 1 { // more expensive than its siblings, with its own prices
			for _, s := range p.Prices().Sale {
				s.Value = s.Value.percent(110).round()
				own.Sale = append(own.Sale, s)
			}
			if buy := p.Prices().Buy; buy != nil {
				own.Buy = &Price{buy.Value.percent(105).round(), buy.Currency}
			}
		}
		v.prices.Store(own)
		p.Variants = append(p.Variants, v)
	}
}

// ean13 returns a valid EAN-13 in the range reserved for in-store use.
func ean13(n int) string {
	digits := fmt.Appendf(nil, "20%010d", n)
	sum := 0
	for i, d := range digits {
		sum += int(d-'0') * (1 + 2*(i%2))
	}
	return string(append(digits, byte('0'+(10-sum%10)%10)))
}

// bundlesAndServices appends bundles and services to the goods.
func (g *generator) bundlesAndServices() {
	rub := g.cat.Currencies[0]
	var parts []*Good
	for _, p := range g.cat.Goods {
		if p.Kind == Product && !p.Archived && !p.Weighed && len(p.Variants) == 0 {
			parts = append(parts, p)
		}
	}
	count := min(200, max(4, g.o.Products/60))
	if len(parts) == 0 {
		count = 0
	}
	for i := range count {
		b := g.good(Bundle, fmt.Sprintf("Подарочный набор № %d", i+1))
		b.Folder, b.Code, b.Article = g.folder("Комплекты"), fmt.Sprintf("B%04d", i+1), fmt.Sprintf("SET-%d", i+1)
		b.Barcodes = []Barcode{{"ean13", ean13(20_000_000 + i)}}
		var price Money
		for n := range g.between(2, 3) {
			part := Component{ID: g.id("component", i*10+n), Good: pick(g, parts), Quantity: Units(g.between(1, 2))}
			b.Components = append(b.Components, part)
			price += part.Good.Prices().Sale[0].Value.times(part.Quantity)
		}
		price = price.percent(95).round()
		b.prices.Store(&Prices{Sale: []Price{{price, rub}, {price, rub}, {0, rub}}, Updated: g.start})
	}
	for i, name := range services {
		s := g.good(Service, name)
		s.Folder, s.Code = g.folder("Разное"), fmt.Sprintf("U%03d", i+1)
		price := Kopecks(int64(g.between(3, 20)) * 10000)
		prices := &Prices{Sale: []Price{{price, rub}, {price, rub}, {0, rub}}, Updated: g.start}
		if i == 0 {
			prices.Buy = &Price{price.percent(60).round(), rub}
		}
		s.prices.Store(prices)
	}
}
