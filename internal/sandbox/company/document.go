package company

import (
	"slices"
	"time"
)

// DocumentType is a type of document, with the value of meta.type.
type DocumentType string

// The document types.
const (
	SupplyDoc            DocumentType = "supply"
	DemandDoc            DocumentType = "demand"
	RetailDemandDoc      DocumentType = "retaildemand"
	SalesReturnDoc       DocumentType = "salesreturn"
	RetailSalesReturnDoc DocumentType = "retailsalesreturn"
	CustomerOrderDoc     DocumentType = "customerorder"
	PurchaseOrderDoc     DocumentType = "purchaseorder"
	MoveDoc              DocumentType = "move"
	EnterDoc             DocumentType = "enter"
	LossDoc              DocumentType = "loss"
	PaymentInDoc         DocumentType = "paymentin"
	PaymentOutDoc        DocumentType = "paymentout"
	CashInDoc            DocumentType = "cashin"
	CashOutDoc           DocumentType = "cashout"
	InvoiceOutDoc        DocumentType = "invoiceout"
	InvoiceInDoc         DocumentType = "invoicein"
	InventoryDoc         DocumentType = "inventory"
	PurchaseReturnDoc    DocumentType = "purchasereturn" // none are generated, and of the next two
	InternalOrderDoc     DocumentType = "internalorder"
	ProcessingDoc        DocumentType = "processing"
)

// DocumentTypes lists all document types.
var DocumentTypes = []DocumentType{
	SupplyDoc, DemandDoc, RetailDemandDoc, SalesReturnDoc, RetailSalesReturnDoc, CustomerOrderDoc, PurchaseOrderDoc,
	MoveDoc, EnterDoc, LossDoc, PaymentInDoc, PaymentOutDoc, CashInDoc, CashOutDoc, InvoiceOutDoc, InvoiceInDoc,
	InventoryDoc, PurchaseReturnDoc, InternalOrderDoc, ProcessingDoc,
}

// Document is a document of any type. Amounts are in its own currency (fact M32).
type Document struct {
	Type                DocumentType
	ID                  ID
	SyncID              ID // empty: none
	Name                string
	Code                string
	ExternalCode        string
	Description         string
	ShipmentAddress     string    // of customer orders and demands
	Project             *Project  // nil: none
	Contract            *Contract // nil: none
	Attributes          []AttributeValue
	Moment              time.Time // to the minute
	Created, Updated    time.Time
	Planned             time.Time // deliveryPlannedMoment of orders; zero: none
	Applicable          bool      // posted; drafts do not affect any figure
	Organization        *Organization
	OrganizationAccount *BankAccount  // of payments; nil for cash
	Agent               *Counterparty // nil for moves, enters, losses, and payments to a Recipient
	Recipient           Recipient     // of payments to or from an employee or an own company; zero for all others
	ExpenseItem         *ExpenseItem  // of outgoing payments, which all have one
	Store               *Store        // for a move: the source; nil for orders without a store
	Target              *Store        // of a move
	State               *State        // nil: none, which differs from a regular state
	Owner               *Employee
	Group               *Group
	SalesChannel        *SalesChannel // nil: none
	RetailStore         *RetailStore  // of retail documents
	Currency            *Currency     // nil: the account currency
	Rate                Money         // of the currency, in ten-thousandths; 0 stands for 1
	VATEnabled          bool
	VATIncluded         bool
	Sum, VATSum         Money
	PayedSum            Money
	ShippedSum          Money       // of orders: shipped or accepted
	ReservedSum         Money       // of customer orders
	CashSum, NoCashSum  Money       // of retail documents
	Order               *Document   // order of a demand or a supply; what a payment pays for; what an invoice is for
	Base                *Document   // sale of a return
	Links               []*Document // made from it: demands, supplies, returns, invoices, payments
	Positions           []Position
	Changes             []StateChange // of its state, the oldest first

	serial int // order of creation, for documents with the same moment
}

// Recipient is the other side of a payment if that is not a counterparty (fact M118).
type Recipient struct {
	Type string // employee or organization
	ID   ID
}

// StateChange is a change of a document's state. No state is nil.
type StateChange struct {
	From, To *State
	At       time.Time
	By       *Employee
}

// Position is a line of a document.
type Position struct {
	Good      *Good
	Quantity  Quantity
	Price     Money // of one unit, before the discount
	Discount  int   // percent
	VAT       int
	VATOn     bool
	Pack      *Pack
	Shipped   Quantity // of orders
	Reserve   Quantity // of customer orders
	InTransit Quantity // of purchase orders
	Expected  Quantity // of stocktakings
	Cost      Money    // of the whole line, for returns without a base document; see Company.PositionCost
}

// Sum returns the amount of the line less its discount, rounded to the minor unit.
func (p Position) Sum() Money {
	return p.Price.times(p.Quantity).percent(100 - p.Discount).round()
}

// PositionID returns the id of the i-th position. Ids are derived to save memory.
func (d *Document) PositionID(i int) ID { return derive("position", string(d.ID), uint64(i)) }

// Made returns the documents of these types that were made from this one.
func (d *Document) Made(types ...DocumentType) []*Document {
	var list []*Document
	for _, m := range d.Links {
		if slices.Contains(types, m.Type) {
			list = append(list, m)
		}
	}
	return list
}

// WaitSum returns the sum of a purchase order's goods that are still in transit.
func (d *Document) WaitSum() Money {
	var sum Money
	for _, p := range d.Positions {
		rest := p
		rest.Quantity = max(0, p.Quantity-p.Shipped)
		sum += rest.Sum()
	}
	return sum
}

// base converts an amount of the document to the account currency.
func (d *Document) base(m Money) Money {
	if d.Rate == 0 {
		return m
	}
	return m.times(Quantity(d.Rate))
}
