package msapi

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"strings"
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

// Order holds what customer and supplier orders share. Sums are in minor units of Rate's currency.
type Order struct {
	ID              ID
	Name            string // its number
	Moment          Moment
	Planned         Moment // when it should be shipped or delivered; zero: not planned
	Applicable      bool   // posted; a draft counts nowhere (fact M63)
	Agent           Ref    // named when the query expands it
	Organization    Ref
	Store           Ref
	State           Ref // zero: without a state
	Owner           Ref
	Rate            Rate
	Sum             decimal.Maybe
	Payed           decimal.Maybe
	Shipped         decimal.Maybe // of a supplier order: accepted
	Invoiced        decimal.Maybe
	Positions       []Position // only when the query asks for them; all of them, however many
	PositionsNumber int        // -1 when the answer did not say
}

// CustomerOrder is an order of a customer (Заказ покупателя).
type CustomerOrder struct {
	Order
	Reserved decimal.Maybe
}

// PurchaseOrder is an order to a supplier (Заказ поставщику).
type PurchaseOrder struct {
	Order
	Awaited decimal.Maybe // the sum of goods still on the way (waitSum)
}

// Position is a line of an order.
type Position struct {
	ID         ID            `json:"id"`
	Assortment Ref           `json:"assortment"`
	Quantity   decimal.Maybe `json:"quantity"` // base units
	Price      decimal.Maybe `json:"price"`    // minor units of the document's currency
	Discount   decimal.Maybe `json:"discount"` // percent; negative: a markup
	Shipped    decimal.Maybe `json:"shipped"`
	Reserve    decimal.Maybe `json:"reserve"`   // customer orders
	InTransit  decimal.Maybe `json:"inTransit"` // supplier orders: what stock reports count as expected
}

func (p Position) key() Key { return p.ID.Key() }

// OrderQuery narrows lists of orders. Drafts are in them unless Posted says otherwise.
type OrderQuery struct {
	IDs           []ID
	Posted        *bool // applicable; nil: not sent
	Stores        []ID
	Agents        []ID
	Organizations []ID
	Owners        []ID
	States        []ID      // those states
	NoState       bool      // with States: also documents without one; alone: only those
	From, To      time.Time // of the document's moment; zero means open
	PlannedFrom   time.Time // of the planned moment; orders without one never match
	PlannedBefore time.Time
	Positions     bool // with their lines: 100 orders a request instead of 1,000
	ExpandAgent   bool // with the counterparty's name: 100 orders a request
	Search        string
	Filter        Filter
}

// CustomerOrders lists orders of customers, by id.
func (r *Reader) CustomerOrders(ctx context.Context, q OrderQuery) iter.Seq2[CustomerOrder, error] {
	return orders(ctx, r, "customerorder", q, func(w *wireOrder, o Order) CustomerOrder {
		return CustomerOrder{Order: o, Reserved: w.Reserved}
	})
}

// PurchaseOrders lists orders to suppliers, by id.
func (r *Reader) PurchaseOrders(ctx context.Context, q OrderQuery) iter.Seq2[PurchaseOrder, error] {
	return orders(ctx, r, "purchaseorder", q, func(w *wireOrder, o Order) PurchaseOrder {
		return PurchaseOrder{Order: o, Awaited: w.Awaited}
	})
}

type wireOrder struct {
	ID           ID              `json:"id"`
	Name         string          `json:"name"`
	Moment       Moment          `json:"moment"`
	Planned      Moment          `json:"deliveryPlannedMoment"`
	Applicable   bool            `json:"applicable"`
	Agent        Ref             `json:"agent"`
	Organization Ref             `json:"organization"`
	Store        Ref             `json:"store"`
	State        Ref             `json:"state"`
	Owner        Ref             `json:"owner"`
	Rate         Rate            `json:"rate"`
	Sum          decimal.Maybe   `json:"sum"`
	Payed        decimal.Maybe   `json:"payedSum"`
	Shipped      decimal.Maybe   `json:"shippedSum"`
	Invoiced     decimal.Maybe   `json:"invoicedSum"`
	Reserved     decimal.Maybe   `json:"reservedSum"`
	Awaited      decimal.Maybe   `json:"waitSum"`
	Positions    *rows[Position] `json:"positions"`
}

func (w *wireOrder) key() Key { return w.ID.Key() }

// orders lists documents, with their positions when asked.
func orders[T any](ctx context.Context, r *Reader, document string, q OrderQuery,
	finish func(*wireOrder, Order) T) iter.Seq2[T, error] {
	if err := checkIDs(q.IDs, q.Stores, q.Agents, q.Organizations, q.Owners, q.States); err != nil {
		return failed[T](err)
	}
	path := "entity/" + document
	l := listing{path: path, params: url.Values{}, order: "id"}
	f := q.Filter
	if q.Posted != nil {
		f = f.Where("applicable", Eq, fmt.Sprint(*q.Posted))
	}
	f = r.are(f, "store", "store", q.Stores, false)
	f = r.are(f, "agent", "counterparty", q.Agents, false)
	f = r.are(f, "organization", "organization", q.Organizations, false)
	f = r.are(f, "owner", "employee", q.Owners, false)
	f = r.are(f, "state", document+"/metadata/states", q.States, q.NoState)
	if !q.From.IsZero() {
		f = f.Where("moment", GreaterEq, FormatMoment(q.From))
	}
	if !q.To.IsZero() {
		f = f.Where("moment", LessEq, FormatMoment(q.To))
	}
	if !q.PlannedFrom.IsZero() {
		f = f.Where("deliveryPlannedMoment", GreaterEq, FormatMoment(q.PlannedFrom))
	}
	if !q.PlannedBefore.IsZero() {
		f = f.Where("deliveryPlannedMoment", Less, FormatMoment(q.PlannedBefore))
	}
	l.filter = f
	if q.IDs != nil {
		l.split, l.none = alternatives("id", texts(q.IDs)), len(q.IDs) == 0
	}
	if q.Search != "" {
		l.params.Set("search", q.Search)
	}
	var expand []string
	if q.ExpandAgent {
		expand = append(expand, "agent")
	}
	if q.Positions {
		expand = append(expand, "positions")
	}
	if len(expand) > 0 {
		l.params.Set("expand", strings.Join(expand, ","))
		l.page = expandPage
	}
	return convert(list[wireOrder](ctx, r, l), func(w *wireOrder) (T, error) {
		o := Order{
			ID: w.ID, Name: w.Name, Moment: w.Moment, Planned: w.Planned, Applicable: w.Applicable, Agent: w.Agent,
			Organization: w.Organization, Store: w.Store, State: w.State, Owner: w.Owner, Rate: w.Rate, Sum: w.Sum,
			Payed: w.Payed, Shipped: w.Shipped, Invoiced: w.Invoiced, PositionsNumber: -1,
		}
		if w.Positions != nil {
			o.Positions = w.Positions.Rows
			if w.Positions.Meta.Size != nil {
				o.PositionsNumber = *w.Positions.Meta.Size
			}
		}
		if q.Positions && (w.Positions == nil || w.Positions.missing()) {
			// Expanded collections are cut at a hundred or a thousand, or were not expanded at all (facts M18 and M19).
			all, err := Collect(list[Position](ctx, r, listing{path: path + "/" + string(w.ID) + "/positions"}))
			if err != nil {
				var zero T
				return zero, err
			}
			o.Positions, o.PositionsNumber = all, len(all)
		}
		return finish(w, o), nil
	})
}
