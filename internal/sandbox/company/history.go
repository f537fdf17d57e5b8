package company

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// bulk is the maximum number of positions of a document (fact M14).
const bulk = 1000

// history generates the documents of a company day by day. It tracks the stock, so that goods are sold only if in
// stock, with deliberate exceptions.
type history struct {
	*generator
	documents []*Document
	numbers   map[DocumentType]int
	stock     []Quantity     // by Good.Index × len(Stores)
	popular   []*Good        // sold goods, the best sellers first
	oversold  map[*Good]bool // sold before arrival; true: never arrive
	unknown   map[*Good]bool // entered without a cost and never purchased
	wanted    [][]*Good      // to be reordered, by supplier; the last list is for goods without one
	isWanted  []bool
	low       [][]*Good // to be moved to a store, by Store.Index
	isLow     map[*Good]bool
	deliver   map[int][]*Document // purchase orders by day of arrival
	ship      map[int][]*Document // customer orders by day of shipment
	payments  map[int][]payment
	volume    float64 // 1 for a small shop
	day       int     // days since the start
}

// payment is a bill to be paid on a certain day.
type payment struct {
	of  *Document
	sum Money
}

func newHistory(g *generator) *history {
	return &history{
		generator: g, numbers: make(map[DocumentType]int), stock: make([]Quantity, len(g.cat.Goods)*len(g.cat.Stores)),
		oversold: make(map[*Good]bool), unknown: make(map[*Good]bool), isLow: make(map[*Good]bool),
		wanted: make([][]*Good, len(g.suppliers)+1), isWanted: make([]bool, len(g.cat.Goods)),
		low: make([][]*Good, len(g.cat.Stores)), deliver: make(map[int][]*Document), ship: make(map[int][]*Document),
		payments: make(map[int][]payment),
		// The number of documents grows more slowly than the number of goods: with the
		// square root.
		volume: max(0.3, math.Sqrt(float64(g.o.Products)/300)),
	}
}

// write returns the documents in order of creation.
func (h *history) write() []*Document {
	h.chooseSold()
	h.opening()
	deliveries := h.deliveries()
	for h.day = 0; h.day <= h.o.Days; h.day++ {
		h.receive(deliveries[h.day])
		h.replenish()
		h.orders()
		h.sell()
		h.pay()
	}
	h.openOrders()
	h.openPurchases()
	h.reserve()
	h.papers()
	for i, d := range h.documents {
		d.serial = i
	}
	return h.documents
}

// at returns a moment of the current day of the history, and false if it is past the end.
func (h *history) at(hour, minute int) (time.Time, bool) {
	t := h.start.AddDate(0, 0, h.day).Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	return t, !t.After(h.o.Now)
}

// document adds a posted document on the current day. It returns nil if the moment is past the end.
func (h *history) document(t DocumentType, hour, minute int) *Document {
	moment, ok := h.at(hour, minute)
	if !ok {
		return nil
	}
	h.numbers[t]++
	n := h.numbers[t]
	d := &Document{
		Type: t, ID: h.id(string(t), n), Name: fmt.Sprintf("%05d", n), ExternalCode: h.code(string(t), n),
		Moment: moment, Created: moment,
		Updated: moment, Applicable: true, Organization: h.cat.Organizations[0], Owner: h.cat.Employees[1],
		Group:      h.cat.Groups[0],
		VATEnabled: true, VATIncluded: true,
	}
	if h.day%7 == 3 {
		d.Organization = h.cat.Organizations[1]
	}
	h.documents = append(h.documents, d)
	return d
}

// line adds a position and updates the tracked stock by the rules of the ledger.
func (h *history) line(d *Document, good *Good, qty Quantity, price Money) *Position {
	d.Positions = append(d.Positions, Position{Good: good, Quantity: qty, Price: price, VAT: good.VAT,
		VATOn: good.VATEnabled})
	last := d.Positions[len(d.Positions)-1:]
	movements(&Document{Type: d.Type, Applicable: d.Applicable, Store: d.Store, Target: d.Target, Positions: last},
		func(g *Good, e entry) {
			if e.store > 0 {
				h.stock[g.Index*len(h.cat.Stores)+int(e.store)-1] += e.qty
			}
		})
	return &d.Positions[len(d.Positions)-1]
}

func (h *history) has(g *Good, s *Store) Quantity {
	if g.Kind == Bundle {
		least := Units(1 << 20)
		for _, part := range g.Components {
			n := max(0, h.has(part.Good, s)) / part.Quantity
			least = min(least, Units(int(n)))
		}
		return least
	}
	if !g.Stocked() {
		return Units(1 << 20)
	}
	return h.stock[g.Index*len(h.cat.Stores)+s.Index]
}

// total computes the sums of a document.
func total(d *Document) {
	d.Sum, d.VATSum = 0, 0
	for i := range d.Positions {
		p := &d.Positions[i]
		d.Sum += p.Sum()
		if p.VATOn {
			d.VATSum += Money(mulDiv(int64(p.Sum()), int64(p.VAT), int64(100+p.VAT))).round()
		}
	}
}

// cost returns the price at which a good is purchased, even if its purchase price field is empty.
func (h *history) cost(g *Good) Money {
	if p, ok := g.BuyPrice(); ok {
		return p.Value
	}
	return g.SalePrice(h.cat.PriceTypes[0]).Value.percent(70).round()
}

// chooseSold shuffles the goods from best to worst seller. A fifth never sell.
func (h *history) chooseSold() {
	for _, g := range h.cat.Goods {
		if !g.IsArchived() && len(g.Variants) == 0 {
			h.popular = append(h.popular, g)
		}
	}
	h.rand.Shuffle(len(h.popular), func(i, j int) { h.popular[i], h.popular[j] = h.popular[j], h.popular[i] })
	h.popular = h.popular[:max(1, len(h.popular)*4/5)]
	for i, g := range h.popular {
		if g.Kind == Product && i%60 == 11 {
			h.oversold[g] = i%120 == 11
		}
	}
}

// sellsFirst reports whether a good is sold before it first arrives.
func (h *history) sellsFirst(g *Good) bool {
	_, ok := h.oversold[g]
	return ok
}

// stocked returns the goods kept in stock, except products with variants.
func (h *history) stocked() []*Good {
	var out []*Good
	for _, g := range h.cat.Goods {
		if g.Stocked() && len(g.Variants) == 0 {
			out = append(out, g)
		}
	}
	return out
}

func (h *history) amount(g *Good, low, high int) Quantity {
	if g.Root().Weighed {
		return Quantity(h.between(low*scale, high*scale)) / 100 * 100
	}
	return Units(h.between(low, high))
}

// opening enters the stock at the start of the history. Some of it has no cost, so its cost is unknown.
func (h *history) opening() {
	docs := make([]*Document, len(h.cat.Stores))
	enter := func(g *Good, s *Store, qty Quantity, price Money) {
		d := docs[s.Index]
		if d == nil || len(d.Positions) == bulk {
			if d = h.document(EnterDoc, 8, s.Index%10); d == nil {
				return
			}
			d.Store, d.Description, d.Organization = s, "Ввод начальных остатков", h.cat.Organizations[0]
			docs[s.Index] = d
		}
		h.line(d, g, qty, price)
	}
	main, active := h.cat.Stores[0], h.cat.Stores[:len(h.cat.Stores)-1]
	for i, g := range h.stocked() {
		if i%20 == 13 || (h.supplied(i) && i%4 != 2) || h.sellsFirst(g) {
			continue // never in stock, or first arrives with a delivery
		}
		price := h.cost(g)
		if i%19 == 6 {
			price = 0
			h.unknown[g] = true
		}
		if g.IsArchived() {
			if i%2 == 0 {
				enter(g, main, h.amount(g, 1, 9), price)
			}
			continue
		}
		enter(g, main, h.amount(g, 4, 36), price)
		for _, s := range active[1:] {
			if h.chance(45) {
				enter(g, s, h.amount(g, 2, 14), price)
			}
		}
	}
	h.closeOldStore()
	for _, d := range h.documents {
		total(d)
	}
}

// closeOldStore moves the stock of the archived store to the main one, so that it has a history but no stock.
func (h *history) closeOldStore() {
	old := h.cat.Stores[len(h.cat.Stores)-1]
	enter, move := h.document(EnterDoc, 8, 15), h.document(MoveDoc, 8, 45)
	if enter == nil || move == nil {
		return
	}
	enter.Store, move.Store, move.Target = old, old, h.cat.Stores[0]
	for i, g := range h.stocked() {
		if i%8 == 0 && i < 40 && !g.IsArchived() {
			h.line(enter, g, Units(3), h.cost(g))
			h.line(move, g, Units(3), h.cost(g))
		}
	}
}

// supplied reports whether a good first arrives with a delivery.
func (h *history) supplied(i int) bool { return i%5 >= 3 }

// deliveries plans large deliveries about four weeks apart and returns the goods by day.
func (h *history) deliveries() map[int][]*Good {
	days := max(1, h.o.Days/28)
	plan := make(map[int][]*Good)
	for i, g := range h.stocked() {
		if i%20 != 13 && h.supplied(i) && !g.IsArchived() && !h.sellsFirst(g) {
			day := (i / 5 % days) * 28 * h.o.Days / max(h.o.Days, 28)
			plan[min(day+1, h.o.Days)] = append(plan[min(day+1, h.o.Days)], g)
		}
	}
	return plan
}

// receive adds the supplies of a large delivery, at least one per supplier, and those of orders due today.
func (h *history) receive(goods []*Good) {
	bySupplier := make(map[*Counterparty][]*Good)
	for _, g := range goods {
		s := g.Root().Supplier
		if s == nil {
			s = h.suppliers[0]
		}
		bySupplier[s] = append(bySupplier[s], g)
	}
	for _, s := range h.suppliers {
		for list := range slices.Chunk(bySupplier[s], bulk) {
			h.supply(s, nil, list, func(g *Good) Quantity { return h.amount(g, 8, 40) })
		}
	}
	for _, order := range h.deliver[h.day] {
		h.fulfil(order)
	}
	delete(h.deliver, h.day)
}

// supply adds a supply to the main store.
func (h *history) supply(from *Counterparty, order *Document, goods []*Good, qty func(*Good) Quantity) *Document {
	d := h.document(SupplyDoc, 9, h.rand.IntN(50))
	if d == nil {
		return nil
	}
	d.Agent, d.Store, d.Order = from, h.cat.Stores[0], order
	if order != nil {
		d.Organization, d.Currency, d.Rate = order.Organization, order.Currency, order.Rate
	}
	d.Positions = make([]Position, 0, len(goods))
	for _, g := range goods {
		// Actual prices vary by a few percent, so that costs differ from the purchase price field.
		price := h.cost(g).percent(h.between(94, 106)).round()
		h.line(d, g, qty(g), price)
		h.isWanted[g.Index] = false
	}
	total(d)
	h.bill(d, h.between(3, 30))
	return d
}

// bill schedules the payment of a document. Most bills are paid, recent ones less often.
func (h *history) bill(d *Document, days int) {
	paid := 78
	if h.o.Days-h.day > 60 {
		paid = 96
	}
	sum := d.Sum
	switch n := h.rand.IntN(100); {
	case n >= paid+10:
		return
	case n >= paid:
		sum = d.Sum.percent(40).round()
	}
	day := h.day + days
	h.payments[day] = append(h.payments[day], payment{d, sum})
}

// pay pays the bills due today.
func (h *history) pay() {
	for _, p := range h.payments[h.day] {
		t := PaymentInDoc
		if p.of.Type == SupplyDoc {
			t = PaymentOutDoc
		}
		d := h.document(t, 12, h.rand.IntN(60))
		if d == nil || p.sum == 0 {
			continue
		}
		d.Agent, d.Organization, d.Sum, d.Order, d.Owner = p.of.Agent, p.of.Organization, p.sum, p.of,
			h.cat.Employees[0]
		d.Currency, d.Rate = p.of.Currency, p.of.Rate
		d.OrganizationAccount = d.Organization.Accounts[0]
		p.of.PayedSum += p.sum
		p.of.Links = append(p.of.Links, d)
		if o := p.of.Order; o != nil {
			o.PayedSum += p.sum
		}
	}
	delete(h.payments, h.day)
}
