package company

import (
	"errors"
	"time"
)

// Errors of changes.
var (
	ErrNotFound  = errors.New("not found")                              // 1021
	ErrLinked    = errors.New("other documents rest on this one")       // 1028
	ErrSameStore = errors.New("source and target store are the same")   // 21000
	ErrGood      = errors.New("the document does not take such a good") // 17016
	ErrQuantity  = errors.New("quantity out of range")                  // 3003, 17004
)

// NewDocument is what a create gives; what is zero gets the default of the external system.
type NewDocument struct {
	SyncID       ID // a repeated create with it returns the first document (reference, section 4.6)
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
	Positions    []Position
}

// NewPrices is a change of prices: only what is there changes.
type NewPrices struct {
	Sale    map[*PriceType]Price // merged by price type (reference, section 5)
	Buy     *Price
	Minimum *Price
}

// AddPurchaseOrder creates an order to a supplier. What a position expects is its InTransit, which is not defaulted
// (reference, section 8.1).
func (c *Company) AddPurchaseOrder(n NewDocument) (*Document, error) { return nil, ErrNotFound }

// AddMove creates a move between stores.
func (c *Company) AddMove(n NewDocument) (*Document, error) { return nil, ErrNotFound }

// SetPrices changes prices of a good.
func (c *Company) SetPrices(good ID, n NewPrices) error { return ErrNotFound }

// Delete deletes a document and what it did to every figure.
func (c *Company) Delete(id ID) error { return ErrNotFound }
