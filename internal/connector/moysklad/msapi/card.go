package msapi

import (
	"context"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Card is a product (Товар) or a variant (Модификация) with the fields needed to change or order it. Only products have
// units, suppliers and folders; a variant uses its product's (fact M54).
type Card struct {
	Type       string        `json:"-"` // "product" or "variant"
	ID         ID            `json:"id"`
	Name       string        `json:"name"`
	Code       string        `json:"code"`
	Article    string        `json:"article"`
	Product    Ref           `json:"product"` // for a variant: its parent
	Folder     Ref           `json:"productFolder"`
	Supplier   Ref           `json:"supplier"` // a counterparty or an own organization; with a name if the query asks for it
	Unit       Ref           `json:"uom"`      // with a name if the query asks for it
	Country    Ref           `json:"country"`  // of origin, without a name
	Archived   bool          `json:"archived"`
	Variants   int           `json:"variantsCount"` // of a product; if positive, stock is also on the variants
	BuyPrice   Price         `json:"buyPrice"`      // typed in by people, not a cost (fact M52)
	MinPrice   Price         `json:"minPrice"`      // the good must not be sold below this price
	SalePrices []SalePrice   `json:"salePrices"`    // one per price type
	Packs      []Pack        `json:"packs"`
	Minimum    *MinimumStock `json:"-"`              // only if the query asks for it
	Flat       decimal.Maybe `json:"minimumBalance"` // the old minimum over all stores (fact M57)
	Updated    string        `json:"updated"`        // the object's time of last change, as received
}

// Pack is a package of several base units.
type Pack struct {
	ID       ID            `json:"id"`
	Quantity decimal.Maybe `json:"quantity"` // base units per pack
}

// MinimumStock is the minimum stock of a good (Неснижаемый остаток), in one of three kinds (fact M57).
type MinimumStock struct {
	Kind      MinimumKind    `json:"type"`
	Quantity  decimal.Maybe  `json:"quantity"`  // over all stores for MinimumSum, per store for MinimumSame
	Inherited bool           `json:"inherited"` // a variant inherits its product's
	Stores    []StoreMinimum `json:"-"`         // for MinimumVaried
}

// MinimumKind is what a minimum is compared with.
type MinimumKind string

// The kinds of minimums.
const (
	MinimumSum    MinimumKind = "ALL_WAREHOUSE_SUM"  // the sum over all stores
	MinimumSame   MinimumKind = "ALL_WAREHOUSE_SAME" // each store, with the same number
	MinimumVaried MinimumKind = "WAREHOUSE_VARIED"   // each store, with its own number
)

// StoreMinimum is the minimum of one store.
type StoreMinimum struct {
	Store    Ref           `json:"store"`
	Quantity decimal.Maybe `json:"quantity"`
}

// None reports whether no minimum is set: a good of its own has none, or only zeros.
func (m *MinimumStock) None() bool {
	switch {
	case m == nil:
		return true
	case m.Inherited:
		return false
	case m.Kind == MinimumVaried:
		return len(m.ByStore()) == 0
	}
	return m.Kind == MinimumSum && m.Quantity.IsZero()
}

// ByStore returns the minimums above zero of the kind MinimumVaried.
func (m *MinimumStock) ByStore() []StoreMinimum {
	if m == nil || m.Kind != MinimumVaried {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.Stores), func(s StoreMinimum) bool { return s.Quantity.Sign() <= 0 })
}

// In returns the minimum of a single store, and false if the kind defines none for it.
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

// CardQuery restricts lists of cards.
type CardQuery struct {
	ListQuery
	Products  []ID   // for variants: only those of these products
	Suppliers []ID   // for products: only those with one of these suppliers
	Path      string // for products: prefix of the folder's path
	Minimum   bool   // include minimum stocks: 100 per request instead of 1,000 (fact M21)
	Named     bool   // include names of units and suppliers: 100 per request (fact M18)
}

// wireCard accepts both spellings of the collection of minimums (fact M57): encoding/json ignores the case of names, so
// one field decodes storebalances and storeBalances.
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
	// Public clients send a bare ID under this name; the documentation does not list the field.
	return r.cards(ctx, "variant", q, "productid", texts(q.Products), q.Products != nil, nil)
}

// cards lists products or variants; among are the allowed values of a field.
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
