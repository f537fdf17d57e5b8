package company

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Errors of changes, with the code that the external system gives (fact M8).
var (
	ErrNotFound  = errors.New("not found")                              // 1021
	ErrLinked    = errors.New("other documents rest on this one")       // 1028
	ErrRequired  = errors.New("a required field is missing")            // 3000
	ErrQuantity  = errors.New("quantity out of range")                  // 3003, 17003, 17004
	ErrGood      = errors.New("the document does not take such a good") // 17016
	ErrStock     = errors.New("the store has less than that")           // 3007
	ErrSameStore = errors.New("source and target store are the same")   // 21000
)

// NewDocument is what a create gives; what is zero gets the default of the external system.
type NewDocument struct {
	SyncID       ID // a repeated create with it returns the first document (fact M43)
	Name         string
	ExternalCode string
	Description  string
	Moment       time.Time // default: now
	Planned      time.Time
	Draft        bool // applicable=false
	Organization *Organization
	Agent        *Counterparty // of a purchase order
	Store        *Store        // of a move: the source
	Target       *Store        // of a move
	State        *State
	Owner        *Employee
	Currency     *Currency
	Rate         Money // in ten-thousandths; default: the currency's
	VATEnabled   bool
	VATIncluded  bool
	Positions    []Position
}

// NewPrices is a change of prices: only what is there changes.
type NewPrices struct {
	Sale    map[*PriceType]Price // merged by price type (fact M47)
	Buy     *Price
	Minimum *Price
}

// AddPurchaseOrder creates an order to a supplier. What a position expects is its InTransit, which is not defaulted
// (fact M64).
func (c *Company) AddPurchaseOrder(n NewDocument) (*Document, error) {
	if n.Organization == nil || n.Agent == nil {
		return nil, ErrRequired
	}
	for _, p := range n.Positions {
		switch {
		case p.Good == nil:
			return nil, ErrRequired
		case p.Good.Kind == Bundle:
			return nil, ErrGood
		case p.Quantity <= 0 || p.InTransit < 0 || p.InTransit > p.Quantity:
			return nil, ErrQuantity
		}
	}
	n.Target = nil
	return c.add(PurchaseOrderDoc, n)
}

// AddMove creates a move between stores. It may take more than there is, which leaves the source negative.
func (c *Company) AddMove(n NewDocument) (*Document, error) {
	switch {
	case n.Organization == nil || n.Store == nil || n.Target == nil:
		return nil, ErrRequired
	case n.Store == n.Target:
		return nil, ErrSameStore
	}
	for _, p := range n.Positions {
		switch {
		case p.Good == nil:
			return nil, ErrRequired
		case !p.Good.Stocked():
			return nil, ErrGood
		case p.Quantity <= 0:
			return nil, ErrQuantity
		}
	}
	n.Agent = nil
	return c.add(MoveDoc, n)
}

func (c *Company) add(t DocumentType, n NewDocument) (*Document, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.SyncID != "" {
		if d, ok := c.bySyncID[syncKey{t, n.SyncID}]; ok {
			return d, nil
		}
	}
	now := c.options.Clock().In(Moscow)
	d := &Document{
		Type: t, ID: derive("made", string(c.accountID), uint64(c.serial)), SyncID: n.SyncID, Name: n.Name,
		ExternalCode: n.ExternalCode,
		Description:  n.Description, Moment: n.Moment, Created: now, Updated: now, Planned: n.Planned,
		Applicable:   !n.Draft,
		Organization: n.Organization, Agent: n.Agent, Store: n.Store, Target: n.Target, State: n.State, Owner: n.Owner,
		VATEnabled: n.VATEnabled, VATIncluded: n.VATIncluded, Positions: slices.Clone(n.Positions), serial: c.serial,
	}
	if d.Moment.IsZero() {
		d.Moment = now
	}
	d.Moment = d.Moment.In(Moscow).Truncate(time.Minute) // moments are kept to the minute (fact M36)
	if !d.Planned.IsZero() {
		d.Planned = d.Planned.In(Moscow).Truncate(time.Minute)
	}
	if d.Name == "" {
		d.Name = fmt.Sprintf("%05d", len(c.documents[t])+1)
	}
	if d.ExternalCode == "" {
		d.ExternalCode = string(d.ID[:8]) + string(d.ID[24:])
	}
	if d.Owner == nil {
		d.Owner = c.catalogue.Employees[0]
	}
	d.Group = d.Owner.Group
	if n.Currency != nil && !n.Currency.Default {
		d.Currency, d.Rate = n.Currency, n.Rate
		if d.Rate == 0 {
			d.Rate = n.Currency.Rate
		}
	}
	total(d)
	if c.options.CheckShippingStock && c.lacks(d) {
		return nil, ErrStock
	}
	c.serial++
	c.byID[d.ID] = d
	if d.SyncID != "" {
		c.bySyncID[syncKey{t, d.SyncID}] = d
	}
	list := c.documents[t]
	at, _ := slices.BinarySearchFunc(list, d, byMoment)
	// A new slice: readers hold the old one.
	c.documents[t] = slices.Concat(list[:at], []*Document{d}, list[at:])
	c.ledger.add(d, now.Unix())
	c.version++
	return d, nil
}

// lacks tells whether a document takes more from a store than is there (fact M50).
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

// SetPrices changes prices of a good. A variant that showed its product's prices gets own ones, that of every price
// type not named being what it showed.
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
	next.Updated = c.options.Clock().In(Moscow)
	g.prices.Store(&next)
	c.version++
	return nil
}

// Delete deletes a document and what it did to every figure. A document that is linked with others, either way, stays.
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
	delete(c.byID, id)
	delete(c.bySyncID, syncKey{d.Type, d.SyncID})
	c.documents[d.Type] = slices.DeleteFunc(slices.Clone(c.documents[d.Type]), func(o *Document) bool { return o == d })
	c.ledger.remove(d, c.options.Clock().Unix())
	c.version++
	return nil
}
