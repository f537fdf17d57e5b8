package msapi

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Rate is a document's currency. Its sums are in that currency; add sums of different documents only through Base
// (fact M32).
type Rate struct {
	Currency Ref           `json:"currency"`
	Value    decimal.Maybe `json:"value"` // absent means 1
}

// Base converts an amount of the document into the account currency.
func (r Rate) Base(amount decimal.Maybe) decimal.Maybe {
	if !amount.Known || !r.Value.Known {
		return amount
	}
	return decimal.Some(amount.Mul(r.Value.Decimal))
}

// Order is a document with lines: an order of a customer or to a supplier, a sale or a return. Sums are in minor units of
// Rate's currency.
type Order struct {
	ID           ID            `json:"id"`
	Name         string        `json:"name"` // its number
	Moment       Moment        `json:"moment"`
	Planned      Moment        `json:"deliveryPlannedMoment"` // when it should be shipped or delivered; zero: not planned
	Applicable   bool          `json:"applicable"`            // posted; a draft counts nowhere (fact M63)
	Agent        Ref           `json:"agent"`
	Organization Ref           `json:"organization"`
	Store        Ref           `json:"store"`
	State        Ref           `json:"state"` // zero: without a state
	Owner        Ref           `json:"owner"`
	Rate         Rate          `json:"rate"`
	Sum          decimal.Maybe `json:"sum"`
	Shipped      decimal.Maybe `json:"shippedSum"` // of orders alone
	Positions    []Position    `json:"-"`          // only when the query asks for them; all of them, however many
}

// Position is a line of an order.
type Position struct {
	ID         ID            `json:"id"`
	Assortment Ref           `json:"assortment"`
	Quantity   decimal.Maybe `json:"quantity"` // base units
	Price      decimal.Maybe `json:"price"`    // minor units of the document's currency
	Discount   decimal.Maybe `json:"discount"` // percent; negative: a markup
	Shipped    decimal.Maybe `json:"shipped"`
}

func (p Position) key() Key { return p.ID.Key() }

// OrderQuery narrows lists of orders. Drafts are in them unless Posted says otherwise.
type OrderQuery struct {
	Posted        *bool // applicable; nil: not sent
	Stores        []ID
	Agents        []ID
	States        []ID      // those states
	NoState       bool      // with States: also documents without one; alone: only those
	From, To      time.Time // of the document's moment; zero means open
	PlannedBefore time.Time // of the planned moment; orders without one never match
	Positions     bool      // with their lines: 100 orders a request instead of 1,000
}

// CustomerOrders lists orders of customers (Заказ покупателя), by id.
func (r *Reader) CustomerOrders(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "customerorder", q)
}

// PurchaseOrders lists orders to suppliers (Заказ поставщику), by id.
func (r *Reader) PurchaseOrders(ctx context.Context, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, "purchaseorder", q)
}

// SaleType is a kind of document by which goods are sold or come back. Sales are spread over several kinds: who reads
// only one misses the others (fact M62).
type SaleType string

// The kinds of documents of sale and of return.
const (
	Demand            SaleType = "demand"
	RetailDemand      SaleType = "retaildemand"
	SalesReturn       SaleType = "salesreturn"
	RetailSalesReturn SaleType = "retailsalesreturn"
)

// Sales lists documents of one kind, by id. Planned and Shipped are not among what they have.
func (r *Reader) Sales(ctx context.Context, t SaleType, q OrderQuery) iter.Seq2[Order, error] {
	return r.orders(ctx, string(t), q)
}

type wireOrder struct {
	Order
	Positions *rows[Position] `json:"positions"`
}

func (w *wireOrder) key() Key { return w.ID.Key() }

// orders lists documents, with their positions when asked.
func (r *Reader) orders(ctx context.Context, document string, q OrderQuery) iter.Seq2[Order, error] {
	if err := checkIDs(q.Stores, q.Agents, q.States); err != nil {
		return failed[Order](err)
	}
	l := listing{path: "entity/" + document, params: url.Values{}, order: "id"}
	f := Filter{}
	if q.Posted != nil {
		f = f.Where("applicable", Eq, fmt.Sprint(*q.Posted))
	}
	f = r.are(f, "store", "store", q.Stores)
	f = r.are(f, "agent", "counterparty", q.Agents)
	f = r.are(f, "state", document+"/metadata/states", q.States)
	if q.NoState {
		f = f.Where("state", Eq, "")
	}
	for _, end := range []struct {
		field string
		op    Op
		at    time.Time
	}{{"moment", GreaterEq, q.From}, {"moment", LessEq, q.To}, {"deliveryPlannedMoment", Less, q.PlannedBefore}} {
		if !end.at.IsZero() {
			f = f.Where(end.field, end.op, FormatMoment(end.at))
		}
	}
	l.filter = f
	if q.Positions {
		l.expand("positions")
	}
	return convert(list[wireOrder](ctx, r, l), func(w *wireOrder) (o Order, err error) {
		o = w.Order
		if q.Positions {
			o.Positions, err = whole(ctx, r, w.Positions, l.path+"/"+string(w.ID)+"/positions")
		}
		return o, err
	})
}
