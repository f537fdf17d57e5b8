package company

import (
	"slices"
	"time"
)

// fund sorts the documents by moment and sets opening balances that keep the accounts positive throughout the history.
func fund(documents []*Document) {
	slices.SortFunc(documents, byMoment)
	balance, least := make(map[*BankAccount]Money), make(map[*BankAccount]Money)
	for _, d := range documents {
		if a := d.OrganizationAccount; a != nil {
			balance[a] += d.sign() * d.Sum
			least[a] = min(least[a], balance[a])
		}
	}
	step := Kopecks(100_000_00)
	for a, low := range least {
		if a.Currency.Default {
			a.Opening = (-low/step + 3) * step
		}
	}
}

// sell ships orders due today, makes retail sales, and accepts returns.
func (h *history) sell() {
	for _, order := range h.ship[h.day] {
		h.demand(order, false)
		states := h.cat.States[CustomerOrderDoc]
		switch age := int(h.start.AddDate(0, 0, h.day).Sub(order.Moment).Hours()) / 24; {
		case order.ShippedSum == order.Sum:
			if order.State != nil && !h.chance(20) {
				order.State = states[4]
			}
		case age < 15: // goods out of stock are shipped later
			h.ship[h.day+3] = append(h.ship[h.day+3], order)
		case h.o.Days-h.day > 10: // the rest was cancelled
			order.State = states[4+2*h.rand.IntN(2)]
		}
	}
	delete(h.ship, h.day)
	for range h.times(1.5) {
		h.demand(nil, false)
	}
	h.retailDay()
	if h.day == max(0, h.o.Days-2) {
		h.sellWhatIsNotThere()
	}
	if h.day%3 == 2 {
		for range h.times(0.5) {
			h.takeBack(DemandDoc, SalesReturnDoc)
		}
		h.takeBackUnbased()
	}
}

// retailDay generates a day of retail: sales, returns and their cash.
func (h *history) retailDay() {
	var cash, card, back Money
	for range h.times(9) {
		d := h.document(RetailDemandDoc, h.between(10, 19), h.rand.IntN(60))
		if d == nil {
			continue
		}
		h.atTheTill(d)
		h.basket(d, h.between(1, 4), 1, 3, h.cat.PriceTypes[0])
		if !h.finish(d) {
			continue
		}
		if d.PayedSum = d.Sum; h.chance(45) {
			d.CashSum = d.Sum
			cash += d.Sum
		} else {
			d.NoCashSum = d.Sum
			card += d.Sum
		}
	}
	if h.day%2 == 1 {
		for range h.times(0.4) {
			if d := h.takeBack(RetailDemandDoc, RetailSalesReturnDoc); d != nil {
				d.CashSum = d.Sum
				back += d.Sum
			}
		}
	}
	for _, m := range []struct {
		t   DocumentType
		sum Money
	}{{CashInDoc, cash}, {PaymentInDoc, card}, {CashOutDoc, back}} {
		if m.sum == 0 {
			continue
		}
		d := h.document(m.t, 21, 0)
		if d == nil {
			// The day is not over, so the cash is counted at the time of the last sale.
			last, _ := h.at(0, 0)
			if n := len(h.documents); n > 0 && h.documents[n-1].Moment.After(last) {
				last = h.documents[n-1].Moment
			}
			d = h.document(m.t, last.Hour(), last.Minute())
		}
		if d == nil {
			continue
		}
		d.Agent, d.Sum, d.Owner, d.Organization = h.retail, m.sum, h.cat.Employees[3],
			h.cat.RetailStores[0].Organization
		d.Description = "Розница за день"
		if m.t == PaymentInDoc {
			d.OrganizationAccount = d.Organization.Accounts[0]
		}
	}
}

func (h *history) atTheTill(d *Document) {
	shop := h.cat.RetailStores[0]
	d.Agent, d.RetailStore, d.Store, d.Organization = h.retail, shop, shop.Store, shop.Organization
	d.Owner, d.Group = h.cat.Employees[3], h.cat.Employees[3].Group
	if h.chance(70) {
		d.SalesChannel = h.cat.SalesChannels[0]
	}
}

// takeBack adds a return of part of a recent sale.
func (h *history) takeBack(sale, back DocumentType) *Document {
	var base *Document
	for i := len(h.documents) - 1 - h.rand.IntN(20); i >= 0 && i > len(h.documents)-200; i-- {
		if d := h.documents[i]; d.Type == sale && len(d.Links) == 0 {
			base = d
			break
		}
	}
	if base == nil {
		return nil
	}
	i := slices.IndexFunc(base.Positions, func(p Position) bool { return p.Good.Stocked() })
	if i < 0 {
		return nil
	}
	d := h.document(back, 20, h.rand.IntN(60))
	if d == nil {
		return nil
	}
	p := base.Positions[i]
	d.Agent, d.Organization, d.Store, d.Owner, d.Group = base.Agent, base.Organization, base.Store, base.Owner,
		base.Group
	d.SalesChannel, d.RetailStore, d.Base = base.SalesChannel, base.RetailStore, base
	h.line(d, p.Good, min(p.Quantity, Units(1)), p.Price).Discount = p.Discount
	total(d)
	d.PayedSum = d.Sum
	base.Links = append(base.Links, d)
	if back == SalesReturnDoc {
		d.PayedSum = 0
	}
	return d
}

// takeBackUnbased adds returns without a sale, some with a manually entered cost.
func (h *history) takeBackUnbased() {
	if h.day%30 != 5 {
		return
	}
	g := h.bestSeller()
	if !g.Stocked() {
		return
	}
	d := h.document(SalesReturnDoc, 20, 30)
	if d == nil {
		return
	}
	d.Agent, d.Store, d.Owner = pick(h.generator, h.customers), h.cat.Stores[0], h.cat.Employees[2]
	p := h.line(d, g, Units(1), g.SalePrice(h.cat.PriceTypes[1]).Value)
	if buy, ok := g.BuyPrice(); ok {
		p.Cost = buy.Value
	}
	total(d)
}

// sellWhatIsNotThere makes some stock negative.
func (h *history) sellWhatIsNotThere() {
	d := h.document(DemandDoc, 12, 0)
	if d == nil {
		return
	}
	d.Agent, d.Store, d.Owner = h.customers[0], h.cat.Stores[0], h.cat.Employees[2]
	for _, g := range h.popular {
		if h.oversold[g] && len(d.Positions) < bulk {
			h.line(d, g, Units(2), g.SalePrice(h.cat.PriceTypes[1]).Value)
		}
	}
	h.finish(d)
}

// openOrders adds orders that clients must distinguish: overdue with a state, without a state, in a closing state,
// as a draft, partly shipped, and not due yet.
func (h *history) openOrders() {
	states := h.cat.States[CustomerOrderDoc]
	for _, o := range []struct {
		ago, planned  int // days ago
		state         *State
		part, draft   bool
		nowhere, open bool
	}{
		{ago: 20, planned: 12},
		{ago: 9, planned: 5, nowhere: true},
		{ago: 15, planned: 8, state: states[1]},
		{ago: 25, planned: 16, state: states[2], part: true},
		{ago: 12, planned: 6, part: true},
		{ago: 10, planned: 4, draft: true},
		{ago: 14, planned: 9, state: states[6]},
		{ago: 18, planned: 10, state: states[4]},
		{ago: 3, planned: -5, state: states[0]},
		{ago: 2, open: true},
	} {
		h.day = max(0, h.o.Days-o.ago)
		d := h.order()
		if d == nil {
			continue
		}
		d.State, d.Applicable = o.state, !o.draft
		if d.Planned = d.Moment.AddDate(0, 0, o.ago-o.planned); o.open {
			d.Planned = time.Time{}
		}
		if o.nowhere {
			d.Store = nil
		}
		if o.part {
			h.day = max(0, h.o.Days-1)
			h.demand(d, true)
		}
	}
}

// openPurchases adds supplier orders in transit with unusual properties.
func (h *history) openPurchases() {
	states := h.cat.States[PurchaseOrderDoc]
	stocked := h.stocked()
	some := func(n int) (out []*Good) {
		for range n {
			if g := pick(h.generator, stocked); !g.IsArchived() && !slices.Contains(out, g) {
				out = append(out, g)
			}
		}
		return out
	}
	h.day = max(0, h.o.Days-12)
	if d := h.purchase(h.suppliers[0], some(6)); d != nil { // late and without a store
		d.State, d.Store, d.Planned = nil, nil, d.Moment.AddDate(0, 0, 4)
	}
	h.day = max(0, h.o.Days-5)
	if d := h.purchase(h.suppliers[1], some(4)); d != nil {
		d.Applicable, d.State = false, states[0]
	}
	// A half received order in dollars: its sums are not in roubles (fact M32).
	usd := h.cat.Currencies[1]
	h.day = max(0, h.o.Days-8)
	if d := h.purchase(h.suppliers[2], some(5)); d != nil {
		d.Currency, d.Rate = usd, usd.Rate
		goods := make([]*Good, 0, len(d.Positions))
		for i := range d.Positions {
			p := &d.Positions[i]
			p.Price = max(Kopecks(10), Money(mulDiv(int64(p.Price), scale, int64(usd.Rate))).round())
			if i%2 == 0 {
				goods = append(goods, p.Good)
			}
		}
		total(d)
		h.day = max(0, h.o.Days-1)
		if s := h.document(SupplyDoc, 9, 50); s != nil {
			s.Agent, s.Store, s.Order, s.Organization, s.Currency, s.Rate = d.Agent, h.cat.Stores[0], d, d.Organization,
				usd, usd.Rate
			for i := range d.Positions {
				if p := &d.Positions[i]; slices.Contains(goods, p.Good) {
					h.line(s, p.Good, p.Quantity, p.Price)
					p.Shipped, p.InTransit = p.Quantity, 0
				}
			}
			total(s)
			d.Links = append(d.Links, s)
			shipped(d)
		}
	}
	h.day = max(0, h.o.Days-30)
	if d := h.document(PaymentInDoc, 13, 0); d != nil { // an advance payment in dollars
		o := h.cat.Organizations[0]
		d.Agent, d.Organization, d.Owner = h.customers[3%len(h.customers)], o, h.cat.Employees[0]
		d.OrganizationAccount = o.Accounts[len(o.Accounts)-1]
		d.Currency, d.Rate, d.Sum = usd, usd.Rate, Kopecks(150000)
	}
}

// reserve reserves goods for open orders, up to the stock.
func (h *history) reserve() {
	free := slices.Clone(h.stock)
	for _, d := range h.documents {
		if d.Type != CustomerOrderDoc || !d.Applicable || (d.State != nil && d.State.StateType != "Regular") {
			continue
		}
		store := d.Store
		if store == nil {
			store = h.cat.Stores[0]
		}
		for i := range d.Positions {
			p := &d.Positions[i]
			rest := p.Quantity - p.Shipped
			if rest <= 0 || !p.Good.Stocked() || i%3 == 2 {
				continue
			}
			there := &free[p.Good.Index*len(h.cat.Stores)+store.Index]
			if p.Reserve = max(0, min(rest, *there)); p.Reserve > 0 {
				*there -= p.Reserve
			}
		}
		shipped(d)
	}
}
