package msapi

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Rate is a document's currency. The document's sums are in that currency; use Base to add sums of different documents
// (fact M32).
type Rate struct {
	Currency Ref           `json:"currency"`
	Value    decimal.Maybe `json:"value"` // missing means 1
}

// Base converts an amount of the document to the account currency.
func (r Rate) Base(amount decimal.Maybe) decimal.Maybe {
	if !amount.Known || !r.Value.Known {
		return amount
	}
	return decimal.Some(amount.Mul(r.Value.Decimal))
}

// Order is a document with lines: a customer or supplier order, a sale or a return. Sums are in minor units of Rate's
// currency.
type Order struct {
	ID           ID            `json:"id"`
	Name         string        `json:"name"` // the document's number
	Moment       Moment        `json:"moment"`
	Planned      Moment        `json:"deliveryPlannedMoment"` // when it should be shipped or delivered; zero if not planned
	Updated      Moment        `json:"updated"`               // of its last change (fact M104)
	Created      Moment        `json:"created"`
	Applicable   bool          `json:"applicable"` // posted; unposted documents count nowhere (fact M63)
	Agent        Ref           `json:"agent"`
	Organization Ref           `json:"organization"`
	Store        Ref           `json:"store"` // of a transfer: the one that sent
	State        Ref           `json:"state"` // zero if it has no state
	Owner        Ref           `json:"owner"`
	SalesChannel Ref           `json:"salesChannel"`
	Project      Ref           `json:"project"`
	Contract     Ref           `json:"contract"`
	ExpenseItem  Ref           `json:"expenseItem"`         // of outgoing payments (fact M118)
	Account      Ref           `json:"organizationAccount"` // the bank account of a payment; zero if none
	Ordered      Ref           `json:"purchaseOrder"`       // of a receipt of goods: the supplier order; zero if none (fact M112)
	Rate         Rate          `json:"rate"`
	Sum          decimal.Maybe `json:"sum"`
	Shipped      decimal.Maybe `json:"shippedSum"` // only orders
	Paid         decimal.Maybe `json:"payedSum"`
	Reserved     decimal.Maybe `json:"reservedSum"` // only customer orders
	// the additional fields that are filled
	Attributes []AttributeValue `json:"attributes"`
	Positions  []Position       `json:"-"` // only if the query asks for them; always complete
}

// Position is a line of an order.
type Position struct {
	ID         ID            `json:"id"`
	Assortment Ref           `json:"assortment"`
	Quantity   decimal.Maybe `json:"quantity"` // base units
	Price      decimal.Maybe `json:"price"`    // minor units of the document's currency
	Discount   decimal.Maybe `json:"discount"` // percent; negative means a markup
	Shipped    decimal.Maybe `json:"shipped"`
	Expected   decimal.Maybe `json:"calculatedQuantity"` // of a stocktaking (fact M120)
	InTransit  decimal.Maybe `json:"inTransit"`          // of a supplier order: what is still expected (fact M64)
}

func (p Position) key() Key { return p.ID.Key() }

// OrderQuery restricts lists of orders. Unposted documents are included unless Posted is set.
type OrderQuery struct {
	Posted        *bool // filters by Applicable; nil for all
	Stores        []ID
	Agents        []ID
	States        []ID      // only these states
	NoState       bool      // with States: also documents without a state; alone: only those
	From, To      time.Time // range of the document's time; zero means open
	PlannedBefore time.Time // upper limit of the planned time; orders without one never match
	Positions     bool      // include lines: 100 orders per request instead of 1,000
}

// OrdersOf lists documents of a type by its API name; see the methods below for what each type has.
func (r *Reader) OrdersOf(ctx context.Context, document string, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, document, q)
}

// CustomerOrders lists customer orders (Заказ покупателя) by ID.
func (r *Reader) CustomerOrders(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "customerorder", q)
}

// PurchaseOrders lists supplier orders (Заказ поставщику) by ID.
func (r *Reader) PurchaseOrders(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "purchaseorder", q)
}

// Supplies lists receipts of goods from suppliers (Приёмка) by ID. They have no Planned and Shipped.
func (r *Reader) Supplies(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "supply", q)
}

// SaleType is a type of document for sales or returns. Sales are spread over several types, so reading only one misses
// the others (fact M62).
type SaleType string

// The document types of sales and returns.
const (
	Demand            SaleType = "demand"
	RetailDemand      SaleType = "retaildemand"
	SalesReturn       SaleType = "salesreturn"
	RetailSalesReturn SaleType = "retailsalesreturn"
)

// Sales lists documents of one type by ID. They have no Planned and Shipped.
func (r *Reader) Sales(ctx context.Context, t SaleType, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, string(t), q)
}

// Losses lists write-offs (Списание) by ID. They have no counterparty, like Enters and Transfers.
func (r *Reader) Losses(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "loss", q)
}

// Enters lists surpluses (Оприходование) by ID. Their sums and prices are costs (fact M91).
func (r *Reader) Enters(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "enter", q)
}

// Transfers lists transfers (Перемещение) by ID; Stores restricts the store that sent. Their sums follow from typed
// prices, not from cost.
func (r *Reader) Transfers(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "move", q)
}

// Stocktakings lists stocktakings (Инвентаризация) by ID. They are not posted, so the query must not set Posted.
func (r *Reader) Stocktakings(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "inventory", q)
}

// PaymentType is a type of payment: to or from a bank account, or a cash order.
type PaymentType string

// The types of payments.
const (
	PaymentIn  PaymentType = "paymentin"
	PaymentOut PaymentType = "paymentout"
	CashIn     PaymentType = "cashin"
	CashOut    PaymentType = "cashout"
)

// Payments lists payments of one type by ID. They have no store and no lines, and their agent may be an employee or an
// own company (fact M118).
func (r *Reader) Payments(ctx context.Context, t PaymentType, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, string(t), q)
}

type wireOrder struct {
	Order
	Source    Ref             `json:"sourceStore"` // of a transfer
	Positions *rows[Position] `json:"positions"`
}

func (w *wireOrder) key() Key { return w.ID.Key() }

// orders lists documents, with their positions if requested.
func (r *Reader) orders(ctx context.Context, document string, q OrderQuery) iter.Seq2[Order, error] {
	f, err := r.orderFilter(document, q)
	if err != nil {
		return failed[Order](err)
	}
	l := listing{path: "entity/" + document, params: url.Values{}, order: "id", filter: f}
	if q.Positions {
		l.expand("positions")
	}
	return convert(list[wireOrder](ctx, r, l), func(w *wireOrder) (Order, error) {
		return w.order(ctx, r, document, q.Positions)
	})
}

// orderFilter returns the conditions of a query.
func (r *Reader) orderFilter(document string, q OrderQuery) (Filter, error) {
	if err := checkIDs(q.Stores, q.Agents, q.States); err != nil {
		return Filter{}, err
	}
	f := Filter{}
	f = f.posted(q.Posted)
	f = r.are(f, "store", "store", q.Stores)
	f = r.are(f, "agent", "counterparty", q.Agents)
	f = r.are(f, "state", document+"/metadata/states", q.States)
	if q.NoState {
		f = f.Where("state", Eq, "")
	}
	return f.dated(q.From, q.To, q.PlannedBefore), nil
}

// order returns the document, with all its positions if they are wanted.
func (w *wireOrder) order(ctx context.Context, r *Reader, document string, positions bool) (o Order, err error) {
	o = w.Order
	if o.Store.IsZero() {
		o.Store = w.Source
	}
	if positions {
		o.Positions, err = whole(ctx, r, w.Positions, "entity/"+document+"/"+string(w.ID)+"/positions")
	}
	return o, err
}
