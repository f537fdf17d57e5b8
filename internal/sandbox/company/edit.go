package company

import (
	"slices"
	"time"
)

// AddGood adds a product or a service. A repeated SyncID returns the good that was added first (fact M43).
func (c *Company) AddGood(kind Kind, card Card) *Good {
	c.mu.Lock()
	defer c.mu.Unlock()
	goods := c.catalogue.Goods
	if card.SyncID != "" {
		if i := slices.IndexFunc(goods, func(g *Good) bool { return g.SyncID == card.SyncID }); i >= 0 {
			return goods[i]
		}
	}
	n := len(goods)
	g := &Good{Card: card, Kind: kind, ID: c.DeriveID("added good", n), Owner: c.catalogue.Employees[0],
		Group: c.catalogue.Groups[0], Created: c.now(), Index: n}
	if len(g.Barcodes) == 0 {
		g.Barcodes = []Barcode{{"ean13", ean13(20_000_000 + n)}}
	}
	g.InterfaceID = c.DeriveID("added interface", n)
	if g.ExternalCode == "" {
		g.ExternalCode = string(g.ID[:8])
	}
	prices := &Prices{Updated: g.Created}
	for range c.catalogue.PriceTypes {
		prices.Sale = append(prices.Sale, Price{Currency: c.catalogue.Currencies[0]})
	}
	g.prices.Store(prices)
	c.ledger.grow()
	c.publishGoods(append(slices.Clone(goods), g))
	return g
}

// EditGood replaces the card of a good.
func (c *Company) EditGood(id ID, card Card) (*Good, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.goods[id]
	if !ok {
		return nil, ErrNotFound
	}
	if card.Deleted && c.named(func(d *Document) bool {
		return slices.ContainsFunc(d.Positions, func(p Position) bool { return p.Good.ID == id })
	}) {
		return nil, ErrLinked
	}
	goods := slices.Clone(c.catalogue.Goods)
	edited := old.copyWith(card)
	goods[edited.Index] = edited
	edited.Variants = nil
	for _, v := range old.Variants {
		variant := v.copyWith(v.Card)
		variant.Product = edited
		edited.Variants, goods[v.Index] = append(edited.Variants, variant), variant
	}
	if p := old.Product; p != nil { // the product and its variants refer to each other
		product := p.copyWith(p.Card)
		product.Variants, goods[p.Index] = nil, product
		for _, v := range p.Variants {
			sibling := edited
			if v.ID != id {
				sibling = v.copyWith(v.Card)
			}
			sibling.Product = product
			product.Variants, goods[v.Index] = append(product.Variants, sibling), sibling
		}
	}
	prices := *edited.Prices()
	prices.Updated = c.now()
	edited.prices.Store(&prices)
	c.publishGoods(goods)
	return edited, nil
}

// copyWith returns the good with another card and the same prices.
func (g *Good) copyWith(card Card) *Good {
	n := &Good{Card: card, Kind: g.Kind, ID: g.ID, InterfaceID: g.InterfaceID, Product: g.Product,
		Variants: g.Variants, Characteristics: g.Characteristics, Components: g.Components, Packs: g.Packs,
		Weighed: g.Weighed, Owner: g.Owner, Group: g.Group, Created: g.Created, Index: g.Index}
	n.prices.Store(g.Prices())
	return n
}

// publishGoods replaces goods in the catalogue. The caller holds the lock.
func (c *Company) publishGoods(goods []*Good) {
	next := *c.catalogue
	next.Goods = goods
	c.catalogue = &next
	for _, g := range goods {
		c.goods[g.ID], c.byWebID[g.InterfaceID] = g, g
	}
	c.ranked = rank(goods)
	c.version++
}

// SaveCounterparty adds a counterparty, or replaces the one with the same id.
func (c *Company) SaveCounterparty(p Counterparty) (*Counterparty, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.catalogue.Counterparties)
	if p.ID == "" && p.SyncID != "" {
		if i := slices.IndexFunc(list, func(o *Counterparty) bool { return o.SyncID == p.SyncID }); i >= 0 {
			return list[i], nil
		}
	}
	if p.Deleted && c.named(func(d *Document) bool { return d.Agent.idOf() == p.ID }) {
		return nil, ErrLinked
	}
	p.Updated = c.now()
	if p.ID == "" {
		p.ID, p.Index = c.DeriveID("added counterparty", len(list)), len(list)
		if p.ExternalCode == "" {
			p.ExternalCode = string(p.ID[:8])
		}
		list = append(list, nil)
	}
	list[p.Index] = &p
	next := *c.catalogue
	next.Counterparties = list
	c.catalogue = &next
	c.version++
	return &p, nil
}

// named reports whether any document matches.
func (c *Company) named(fits func(*Document) bool) bool {
	for _, list := range c.documents {
		if slices.ContainsFunc(list, fits) {
			return true
		}
	}
	return false
}

func (c *Company) now() time.Time { return c.options.Clock().In(Moscow) }
