package msapi

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Card is a product (Товар) or a variant of one (Модификация) with what a change of it or an order for it rests on.
// Units, suppliers and folders are of products alone: those of a variant are its product's (fact M54).
type Card struct {
	Type       string        `json:"-"` // "product" or "variant"
	ID         ID            `json:"id"`
	Name       string        `json:"name"`
	Code       string        `json:"code"`
	Article    string        `json:"article"`
	Product    Ref           `json:"product"` // of a variant: its parent
	Folder     Ref           `json:"productFolder"`
	Supplier   Ref           `json:"supplier"` // a counterparty, or an own organization; named when the query says so
	Unit       Ref           `json:"uom"`      // named when the query says so
	Archived   bool          `json:"archived"`
	Variants   int           `json:"variantsCount"` // of a product; above zero, stock is also on them
	BuyPrice   Price         `json:"buyPrice"`      // typed by people, not a cost (fact M52)
	MinPrice   Price         `json:"minPrice"`      // below which the good is not to be sold
	SalePrices []SalePrice   `json:"salePrices"`    // one per price type
	Packs      []Pack        `json:"packs"`
	Minimum    *MinimumStock `json:"-"`              // only when the query asks for it
	Flat       decimal.Maybe `json:"minimumBalance"` // the old flat minimum over all stores (fact M57)
	Updated    string        `json:"updated"`        // the object's own mark of its last change, as it came
}

// Pack is a package of several base units.
type Pack struct {
	ID       ID            `json:"id"`
	Quantity decimal.Maybe `json:"quantity"` // base units in it
}

// MinimumStock is the minimum of stock of a good (Неснижаемый остаток), of one of three kinds (fact M57).
type MinimumStock struct {
	Kind      MinimumKind    `json:"type"`
	Quantity  decimal.Maybe  `json:"quantity"`  // for MinimumSum over all stores, for MinimumSame in each of them
	Inherited bool           `json:"inherited"` // of a variant: its product's
	Stores    []StoreMinimum `json:"-"`         // for MinimumVaried
}

// MinimumKind says what a minimum is compared with.
type MinimumKind string

// The kinds of minimums.
const (
	MinimumSum    MinimumKind = "ALL_WAREHOUSE_SUM"  // the sum over all stores
	MinimumSame   MinimumKind = "ALL_WAREHOUSE_SAME" // each store, with one number
	MinimumVaried MinimumKind = "WAREHOUSE_VARIED"   // each store, with its own number
)

// StoreMinimum is the minimum of one store.
type StoreMinimum struct {
	Store    Ref           `json:"store"`
	Quantity decimal.Maybe `json:"quantity"`
}

// In returns the minimum that holds for one store by itself, and false when the kind names none for it.
func (m *MinimumStock) In(store ID) (decimal.Maybe, bool) {
	if m == nil {
		return decimal.Maybe{}, false
	}
	switch m.Kind {
	case MinimumSame:
		return m.Quantity, m.Quantity.Known
	case MinimumVaried:
		if i := slices.IndexFunc(m.Stores, func(s StoreMinimum) bool { return s.Store.ID == store }); i >= 0 {
			return m.Stores[i].Quantity, m.Stores[i].Quantity.Known
		}
	case MinimumSum:
	}
	return decimal.Maybe{}, false
}

// CardQuery narrows lists of cards.
type CardQuery struct {
	ListQuery
	Products  []ID   // of variants: those of these products
	Suppliers []ID   // of products: those that name one of them
	Path      string // of products: those whose folder's path begins so
	Minimum   bool   // with their minimum stocks: 100 a request instead of 1,000 (fact M21)
	Named     bool   // with the names of units and suppliers: 100 a request (fact M18)
}

// wireCard accepts both spellings of the collection of minimums (fact M57): encoding/json matches names without regard
// to case, so one field reads storebalances and storeBalances.
type wireCard struct {
	Card
	Meta    meta `json:"meta"`
	Minimum *struct {
		MinimumStock
		Stores *rows[StoreMinimum] `json:"storebalances"`
	} `json:"minimumStock"`
}

func (w *wireCard) key() Key { return w.Meta.id(w.ID).Key() }

// ProductCards lists products.
func (r *Reader) ProductCards(ctx context.Context, q CardQuery) iter.Seq2[Card, error] {
	if q.Path != "" {
		q.Filter = q.Filter.Where("pathName", Begins, q.Path)
	}
	var expand []string
	if q.Named {
		expand = []string{"supplier", "uom"}
	}
	return r.cards(ctx, "product", q, "supplier", r.hrefs("counterparty", q.Suppliers), q.Suppliers != nil, expand)
}

// VariantCards lists variants.
func (r *Reader) VariantCards(ctx context.Context, q CardQuery) iter.Seq2[Card, error] {
	// A bare id under this name is what public clients send; the reference lists no such field.
	return r.cards(ctx, "variant", q, "productid", texts(q.Products), q.Products != nil, nil)
}

// cards lists one of the two types; among are values that a field takes one of.
func (r *Reader) cards(ctx context.Context, kind string, q CardQuery, field string, among []string, narrowed bool,
	expand []string) iter.Seq2[Card, error] {
	err := checkIDs(q.Products, q.Suppliers)
	var l listing
	if err == nil {
		l, err = q.listing("entity/" + kind)
	}
	switch {
	case err != nil:
		return failed[Card](err)
	case !narrowed:
	case l.split != nil:
		l.filter = l.filter.Where(field, Eq, among...)
		l.none = l.none || len(among) == 0
	default:
		l.split, l.none = alternatives(field, among), len(among) == 0
	}
	if q.Minimum {
		l.params.Set("fields", "minimumStock")
		expand = append(expand, "minimumStock.storebalances")
	}
	l.expand(expand...)
	return convert(list[wireCard](ctx, r, l), func(w *wireCard) (Card, error) {
		c := w.Card
		c.Type, c.ID = kind, w.Meta.id(w.ID)
		if w.Minimum == nil {
			return c, nil
		}
		c.Minimum = &w.Minimum.MinimumStock
		var err error
		if c.Minimum.Kind == MinimumVaried {
			path := "entity/" + kind + "/" + string(c.ID) + "/storebalances"
			c.Minimum.Stores, err = whole(ctx, r, w.Minimum.Stores, path)
		} else if w.Minimum.Stores != nil {
			c.Minimum.Stores = w.Minimum.Stores.Rows
		}
		return c, err
	})
}
