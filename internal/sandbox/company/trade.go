package company

import (
	"math"
	"slices"
)

// times returns how often something happens today: rate on average, for a shop of volume 1.
func (h *history) times(rate float64) int {
	rate *= h.volume
	if h.day%7 == 6 { // fewer sales on Sunday
		rate /= 2
	}
	n := int(rate)
	if h.rand.Float64() < rate-float64(n) {
		n++
	}
	return n
}

// replenish moves goods to stores that run low, orders from suppliers, and writes off damaged goods.
func (h *history) replenish() {
	main := h.cat.Stores[0]
	if h.day%7 == 1 {
		for i, list := range h.low {
			for part := range slices.Chunk(list, bulk) {
				h.move(main, h.cat.Stores[i], part)
			}
			h.low[i] = nil
		}
		clear(h.isLow)
	}
	for i, list := range h.wanted {
		if h.day%7 != i%7 || len(list) == 0 {
			continue
		}
		supplier := h.suppliers[i%len(h.suppliers)]
		for part := range slices.Chunk(list, bulk) {
			if i == len(h.suppliers) {
				h.supply(supplier, nil, part, func(g *Good) Quantity { return h.amount(g, 10, 30) })
				continue
			}
			if order := h.purchase(supplier, part); order != nil {
				due := h.day + h.between(3, 6)
				h.deliver[due] = append(h.deliver[due], order)
			}
		}
		h.wanted[i] = nil
	}
	if h.day%20 == 11 {
		if d := h.document(LossDoc, 9, 59); d != nil {
			d.Store, d.Description = main, "Бой и порча"
			for range h.between(1, 4) {
				if g := h.bestSeller(); g.Kind == Product && h.has(g, main) > Units(2) {
					h.line(d, g, Units(1), h.cost(g))
				}
			}
			h.finish(d)
		}
	}
}

// finish computes the sums of a document, or removes it if it is empty.
func (h *history) finish(d *Document) bool {
	if len(d.Positions) == 0 {
		// It is near the end: only documents of the same day follow.
		for i := len(h.documents) - 1; i >= 0; i-- {
			if h.documents[i] == d {
				h.documents = slices.Delete(h.documents, i, i+1)
				break
			}
		}
		return false
	}
	total(d)
	return true
}

func (h *history) move(from, to *Store, goods []*Good) {
	d := h.document(MoveDoc, 9, 51+to.Index%8)
	if d == nil {
		return
	}
	d.Store, d.Target = from, to
	for _, g := range goods {
		qty := min(h.has(g, from)/2, h.amount(g, 4, 16)) / scale * scale
		if qty > 0 {
			h.line(d, g, qty, h.cost(g))
		}
	}
	h.finish(d)
}

// purchase adds an order to a supplier. The goods are in transit until they arrive.
func (h *history) purchase(from *Counterparty, goods []*Good) *Document {
	d := h.document(PurchaseOrderDoc, 11, h.rand.IntN(60))
	if d == nil {
		return nil
	}
	d.Agent, d.Store, d.State = from, h.cat.Stores[0], h.cat.States[PurchaseOrderDoc][1]
	d.Planned = d.Moment.AddDate(0, 0, 5)
	for _, g := range goods {
		qty := h.amount(g, 10, 36)
		h.line(d, g, qty, h.cost(g)).InTransit = qty
	}
	total(d)
	return d
}

// fulfil adds the supply of an order, which is sometimes partial for recent orders.
func (h *history) fulfil(order *Document) {
	part := h.o.Days-h.day < 30 && h.chance(25)
	var goods []*Good
	come := make(map[*Good]Quantity)
	for i := range order.Positions {
		p := &order.Positions[i]
		qty := p.Quantity
		if part && i%2 == 1 {
			continue
		}
		if part && qty > Units(20) {
			qty = Units(12)
		}
		goods = append(goods, p.Good)
		come[p.Good] = qty
	}
	d := h.supply(order.Agent, order, goods, func(g *Good) Quantity { return come[g] })
	if d == nil {
		return
	}
	for i := range order.Positions {
		p := &order.Positions[i]
		p.Shipped = come[p.Good]
		p.InTransit = p.Quantity - p.Shipped
	}
	order.Links = append(order.Links, d)
	if !part {
		order.State = h.cat.States[PurchaseOrderDoc][2]
	}
	shipped(order)
}

// shipped computes the shipped and reserved sums of an order.
func shipped(order *Document) {
	order.ShippedSum, order.ReservedSum = 0, 0
	for _, p := range order.Positions {
		part := p
		part.Quantity = p.Shipped
		order.ShippedSum += part.Sum()
		part.Quantity = p.Reserve
		order.ReservedSum += part.Sum()
	}
}

// bestSeller returns a random good, from a distribution where few goods sell often and many rarely.
func (h *history) bestSeller() *Good {
	return h.popular[int(math.Pow(h.rand.Float64(), 2.2)*float64(len(h.popular)))]
}

// basket adds at most n different goods to a sale.
func (h *history) basket(d *Document, n, low, high int, t *PriceType) {
	for tries := n * 4; tries > 0 && n > 0; tries-- {
		g := h.bestSeller()
		if slices.ContainsFunc(d.Positions, func(p Position) bool { return p.Good == g }) {
			continue
		}
		qty := h.amount(g, low, high)
		have := h.has(g, d.Store)
		first := h.sellsFirst(g) && have > -Units(5) // sold in advance, up to five units
		if have < qty && !first && d.Type != CustomerOrderDoc {
			qty = have
		}
		if qty <= 0 {
			h.note(g, d.Store)
			continue
		}
		price := g.SalePrice(t).Value
		if price == 0 {
			price = g.SalePrice(h.cat.PriceTypes[0]).Value
		}
		h.line(d, g, qty, price)
		h.note(g, d.Store)
		n--
	}
}

// note records a good that runs low. Some are randomly forgotten.
func (h *history) note(g *Good, s *Store) {
	if g.Kind == Bundle {
		for _, part := range g.Components {
			h.note(part.Good, s)
		}
		return
	}
	if !g.Stocked() || s == nil || h.unknown[g] || h.oversold[g] || g.Index%7 == 3 {
		return
	}
	main := h.cat.Stores[0]
	if h.has(g, main) < Units(12) && !h.isWanted[g.Index] {
		i := len(h.suppliers)
		if supplier := g.Root().Supplier; supplier != nil {
			i = slices.Index(h.suppliers, supplier)
		}
		h.isWanted[g.Index] = true
		h.wanted[i] = append(h.wanted[i], g)
	}
	if s != main && h.has(g, s) < Units(5) && !h.isLow[g] {
		h.isLow[g] = true
		h.low[s.Index] = append(h.low[s.Index], g)
	}
}

// orders generates today's customer orders and schedules their shipment.
func (h *history) orders() {
	for range h.times(2) {
		d := h.order()
		if d == nil {
			return
		}
		planned := h.between(2, 6)
		d.Planned = d.Moment.AddDate(0, 0, planned)
		states := h.cat.States[CustomerOrderDoc]
		d.State = states[h.rand.IntN(3)]
		if h.chance(25) {
			d.State = nil
		}
		recent := h.o.Days-h.day < 40
		switch n := h.rand.IntN(100); {
		case n < 5:
			d.State = states[6]
		case n < 8:
			d.Applicable = false
		case n < 13 && recent: // forgotten
		default:
			due := h.day + min(planned, h.between(1, 6))
			h.ship[due] = append(h.ship[due], d)
		}
	}
}

// order returns a customer order of today with positions but without a planned date.
func (h *history) order() *Document {
	d := h.document(CustomerOrderDoc, h.between(9, 17), h.rand.IntN(60))
	if d == nil {
		return nil
	}
	d.Agent = pick(h.generator, h.customers)
	d.Owner = h.cat.Employees[[]int{0, 2, 2}[h.rand.IntN(3)]]
	d.Store = h.cat.Stores[h.rand.IntN(min(2, h.o.Stores))]
	if h.chance(50) {
		d.SalesChannel = pick(h.generator, h.cat.SalesChannels)
	}
	h.basket(d, h.between(1, 5), 1, 6, h.cat.PriceTypes[1])
	if len(d.Positions) == 0 {
		g := h.popular[0]
		h.line(d, g, Units(1), g.SalePrice(h.cat.PriceTypes[0]).Value)
	}
	total(d)
	return d
}

// demand adds a shipment to a customer. For an order it ships the available goods or, with part, about half.
func (h *history) demand(order *Document, part bool) {
	d := h.document(DemandDoc, h.between(10, 17), h.rand.IntN(60))
	if d == nil {
		return
	}
	d.Owner, d.Store = h.cat.Employees[[]int{0, 2, 2}[h.rand.IntN(3)]], h.cat.Stores[h.rand.IntN(min(2, h.o.Stores))]
	if order == nil {
		d.Agent = pick(h.generator, h.customers)
		if h.chance(60) {
			d.SalesChannel = pick(h.generator, h.cat.SalesChannels)
		}
		h.basket(d, h.between(1, 5), 1, 7, h.cat.PriceTypes[1])
		if discount := h.between(1, 3) * 5; h.chance(12) {
			for i := range d.Positions {
				d.Positions[i].Discount = discount
			}
		}
		if h.finish(d) {
			h.bill(d, h.between(0, 14))
		}
		return
	}
	d.Agent, d.Owner, d.Organization, d.SalesChannel, d.Order = order.Agent, order.Owner, order.Organization,
		order.SalesChannel, order
	if order.Store != nil {
		d.Store = order.Store
	}
	for i := range order.Positions {
		p := &order.Positions[i]
		qty := min(p.Quantity-p.Shipped, h.has(p.Good, d.Store))
		if part {
			qty = qty / 2 / scale * scale
		}
		if h.sellsFirst(p.Good) && !part && h.has(p.Good, d.Store) > -Units(5) {
			qty = p.Quantity - p.Shipped
		}
		if qty > 0 {
			h.line(d, p.Good, qty, p.Price)
			p.Shipped += qty
		}
		h.note(p.Good, d.Store)
	}
	if !h.finish(d) {
		return
	}
	order.Links = append(order.Links, d)
	shipped(order)
	h.bill(d, h.between(0, 14))
}
