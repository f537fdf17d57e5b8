package company

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Errors of changes, with the code of the external system (fact M8).
var (
	ErrNotFound  = errors.New("not found")                              // 1021
	ErrLinked    = errors.New("other documents depend on this one")     // 1028
	ErrRequired  = errors.New("a required field is missing")            // 3000
	ErrQuantity  = errors.New("quantity out of range")                  // 3003, 17003, 17004
	ErrGood      = errors.New("the document does not take such a good") // 17016
	ErrStock     = errors.New("the store has less than that")           // 3007
	ErrSameStore = errors.New("source and target store are the same")   // 21000
)

// NewDocument is the input of a create or an edit. Zero values get the external system's defaults.
type NewDocument struct {
	SyncID          ID // a repeated create returns the first document (fact M43)
	Name            string
	Code            string
	ExternalCode    string
	Description     string
	ShipmentAddress string
	Moment          time.Time // default: now
	Planned         time.Time
	Draft           bool // applicable=false
	Organization    *Organization
	Agent           *Counterparty
	Store           *Store // for a move: the source
	Target          *Store // of a move
	State           *State
	Project         *Project
	Contract        *Contract
	SalesChannel    *SalesChannel
	Owner           *Employee
	Order           *Document // customer order of a demand, purchase order of a supply
	Currency        *Currency
	Rate            Money // in ten-thousandths; default: the currency's rate
	VATEnabled      bool
	VATIncluded     bool
	Attributes      []AttributeValue
	Positions       []Position
}

// NewPrices is a change of prices. Absent prices stay unchanged.
type NewPrices struct {
	Sale    map[*PriceType]Price // merged by price type (fact M47)
	Buy     *Price
	Minimum *Price
}

// Rule defines what a type of document requires and which goods it accepts.
type Rule struct {
	Agent, Store, Target bool // required
	stocked              bool // accepts only goods kept in stock
	bundles              bool
}

// rules are the rules of the types that can be created.
var rules = map[DocumentType]Rule{
	PurchaseOrderDoc: {Agent: true},
	CustomerOrderDoc: {Agent: true, bundles: true},
	DemandDoc:        {Agent: true, Store: true, bundles: true},
	SalesReturnDoc:   {Agent: true, Store: true, bundles: true},
	SupplyDoc:        {Agent: true, Store: true},
	MoveDoc:          {Store: true, Target: true, stocked: true},
	EnterDoc:         {Store: true, stocked: true},
	LossDoc:          {Store: true, stocked: true},
}

// Creatable reports whether documents of a type can be created and edited.
func Creatable(t DocumentType) bool { return rules[t] != Rule{} }

// Needs returns the rule of a document type.
func Needs(t DocumentType) Rule { return rules[t] }

func (r Rule) check(n *NewDocument) error {
	switch {
	case n.Organization == nil || r.Agent && n.Agent == nil || r.Store && n.Store == nil || r.Target && n.Target == nil:
		return ErrRequired
	case r.Target && n.Store == n.Target:
		return ErrSameStore
	}
	for _, p := range n.Positions {
		switch {
		case p.Good == nil:
			return ErrRequired
		case p.Good.Kind == Bundle && !r.bundles, r.stocked && !p.Good.Stocked():
			return ErrGood
		case p.Quantity <= 0 || min(p.InTransit, p.Reserve) < 0 || max(p.InTransit, p.Reserve) > p.Quantity:
			return ErrQuantity
		}
	}
	return nil
}

// Add creates a document. A repeated SyncID returns the document that was created first. A position of a purchase order
// is in transit only as far as InTransit says, which has no default (fact M64). A move may exceed the stock and leave
// the source negative.
func (c *Company) Add(t DocumentType, n NewDocument) (*Document, error) {
	if err := rules[t].check(&n); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.SyncID != "" {
		if d, ok := c.bySyncID[syncKey{t, n.SyncID}]; ok {
			return d, nil
		}
	}
	d := &Document{Type: t, ID: derive("made", string(c.accountID), uint64(c.serial)), SyncID: n.SyncID, Name: n.Name,
		Created: c.now(), Owner: n.Owner, serial: c.serial}
	if d.Name == "" {
		d.Name = fmt.Sprintf("%05d", len(c.documents[t])+1)
	}
	if d.Owner == nil {
		d.Owner = c.catalogue.Employees[0]
	}
	d.Group = d.Owner.Group
	n.fill(d, c.now())
	if c.options.CheckShippingStock && c.lacks(d) {
		return nil, ErrStock
	}
	c.serial++
	if d.Order != nil {
		d.Order = c.fulfil(d)
	}
	c.enter(d)
	return d, nil
}

// fill sets all fields of a document that an edit can change.
func (n *NewDocument) fill(d *Document, now time.Time) {
	d.Code, d.ExternalCode, d.Description, d.ShipmentAddress = n.Code, n.ExternalCode, n.Description, n.ShipmentAddress
	d.Updated, d.Moment, d.Planned, d.Applicable = now, n.Moment, n.Planned, !n.Draft
	d.Organization, d.Agent, d.Store, d.Target, d.State = n.Organization, n.Agent, n.Store, n.Target, n.State
	d.Project, d.Contract, d.SalesChannel, d.Order = n.Project, n.Contract, n.SalesChannel, n.Order
	d.VATEnabled, d.VATIncluded, d.Attributes = n.VATEnabled, n.VATIncluded, n.Attributes
	d.Positions = slices.Clone(n.Positions)
	if n.Name != "" {
		d.Name = n.Name
	}
	if d.Moment.IsZero() {
		d.Moment = now
	}
	d.Moment = d.Moment.In(Moscow).Truncate(time.Minute) // moments have minute precision (fact M36)
	if !d.Planned.IsZero() {
		d.Planned = d.Planned.In(Moscow).Truncate(time.Minute)
	}
	if d.ExternalCode == "" {
		d.ExternalCode = string(d.ID[:8]) + string(d.ID[24:])
	}
	d.Currency, d.Rate = nil, 0
	if n.Currency != nil && !n.Currency.Default {
		d.Currency, d.Rate = n.Currency, n.Rate
		if d.Rate == 0 {
			d.Rate = n.Currency.Rate
		}
	}
	total(d)
	if d.Type == CustomerOrderDoc || d.Type == PurchaseOrderDoc {
		shipped(d)
	}
}

// Draft returns the document as the input of an edit.
func (d *Document) Draft() NewDocument {
	return NewDocument{SyncID: d.SyncID, Name: d.Name, Code: d.Code, ExternalCode: d.ExternalCode,
		Description: d.Description, ShipmentAddress: d.ShipmentAddress, Moment: d.Moment, Planned: d.Planned,
		Draft: !d.Applicable, Organization: d.Organization, Agent: d.Agent, Store: d.Store, Target: d.Target,
		State: d.State, Project: d.Project, Contract: d.Contract, SalesChannel: d.SalesChannel, Owner: d.Owner,
		Order: d.Order, Currency: d.Currency, Rate: d.Rate, VATEnabled: d.VATEnabled, VATIncluded: d.VATIncluded,
		Attributes: slices.Clone(d.Attributes), Positions: slices.Clone(d.Positions)}
}

// Edit replaces the document with an id by a new one. The order of a sale or a supply cannot change.
func (c *Company) Edit(id ID, n NewDocument) (*Document, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, ok := c.byID[id]
	if !ok {
		return nil, ErrNotFound
	}
	if err := rules[old.Type].check(&n); err != nil {
		return nil, err
	}
	d := *old
	n.Order = old.Order
	n.fill(&d, c.now())
	if d.State != old.State {
		d.Changes = append(slices.Clone(old.Changes),
			StateChange{From: old.State, To: d.State, At: c.now(), By: d.Owner})
	}
	c.leave(old)
	if c.options.CheckShippingStock && c.lacks(&d) {
		c.enter(old)
		return nil, ErrStock
	}
	c.enter(&d)
	return &d, nil
}

// fulfil publishes the order of a new document with the shipped or delivered quantities updated, and returns it.
func (c *Company) fulfil(d *Document) *Document {
	old := c.byID[d.Order.ID]
	order := *old
	order.Positions, order.Links = slices.Clone(old.Positions), append(slices.Clone(old.Links), d)
	for _, line := range d.Positions {
		i := slices.IndexFunc(order.Positions, func(p Position) bool { return p.Good.ID == line.Good.ID })
		if i < 0 || !d.Applicable {
			continue
		}
		p := &order.Positions[i]
		p.Shipped += line.Quantity
		p.Reserve, p.InTransit = max(0, p.Reserve-line.Quantity), max(0, p.InTransit-line.Quantity)
	}
	shipped(&order)
	c.leave(old)
	c.enter(&order)
	return &order
}

// enter publishes a document and updates the figures.
func (c *Company) enter(d *Document) {
	c.byID[d.ID] = d
	if d.SyncID != "" {
		c.bySyncID[syncKey{d.Type, d.SyncID}] = d
	}
	list := c.documents[d.Type]
	at, _ := slices.BinarySearchFunc(list, d, byMoment)
	// Create a new slice, because readers may use the old one.
	c.documents[d.Type] = slices.Concat(list[:at], []*Document{d}, list[at:])
	c.ledger.add(d, c.now().Unix())
	c.version++
}

// leave removes a document and updates the figures.
func (c *Company) leave(d *Document) {
	delete(c.byID, d.ID)
	delete(c.bySyncID, syncKey{d.Type, d.SyncID})
	c.documents[d.Type] = slices.DeleteFunc(slices.Clone(c.documents[d.Type]), func(o *Document) bool { return o == d })
	c.ledger.remove(d, c.now().Unix())
	c.version++
}

// lacks reports whether a document takes more from a store than its stock (fact M50).
func (c *Company) lacks(d *Document) bool {
	left := map[int]Quantity{} // by column
	short := false
	movements(d, func(g *Good, e entry) {
		i := g.Index*c.ledger.width + int(e.store)
		if _, seen := left[i]; !seen {
			left[i] = c.ledger.columns[i].stock
		}
		left[i] += e.qty
		short = short || left[i] < 0 && e.qty < 0
	})
	return short
}

// SetPrices changes prices of a good. A variant that inherited its product's prices gets its own, with the inherited
// price for every price type that is not named.
func (c *Company) SetPrices(good ID, n NewPrices) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	g, ok := c.goods[good]
	if !ok {
		return ErrNotFound
	}
	next := *g.Prices()
	if len(n.Sale) > 0 {
		next.Sale = make([]Price, len(c.catalogue.PriceTypes))
		for i, t := range c.catalogue.PriceTypes {
			next.Sale[i] = g.SalePrice(t)
			if p, ok := n.Sale[t]; ok {
				next.Sale[i] = p
			}
		}
	}
	if n.Buy != nil {
		buy := *n.Buy
		next.Buy = &buy
	}
	if n.Minimum != nil {
		least := *n.Minimum
		next.Minimum = &least
	}
	next.Updated = c.now()
	g.prices.Store(&next)
	c.version++
	return nil
}

// Delete moves a document to the recycle bin and reverts its effect on all figures. A document linked to or from others
// is not deleted.
func (c *Company) Delete(id ID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.byID[id]
	switch {
	case !ok:
		return ErrNotFound
	case len(d.Links) > 0 || d.Order != nil || d.Base != nil:
		return ErrLinked
	}
	c.leave(d)
	c.bin[id] = d
	return nil
}

// Restore returns a document from the recycle bin. Like an edit, that is a change of the document (fact M105).
func (c *Company) Restore(id ID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.bin[id]
	if !ok {
		return ErrNotFound
	}
	delete(c.bin, id)
	again := *d
	again.Updated = c.now()
	c.enter(&again)
	return nil
}
