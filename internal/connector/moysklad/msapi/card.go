package msapi

import (
	"context"
	"iter"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Card is a product or a variant with what a change of it or an order for it rests on. Units, suppliers and folders
// are of products alone: those of a variant are its product's (fact M54).
type Card struct {
	Type       string // "product" or "variant"
	ID         ID
	Name       string
	Code       string
	Article    string
	Product    Ref // of a variant: its parent
	Folder     Ref
	Supplier   Ref // a counterparty, or an own organization; named when the query says so
	Unit       Ref // named when the query says so
	Archived   bool
	Variants   int // of a product: how many variants there are
	BuyPrice   Price
	MinPrice   Price // below which the good is not to be sold
	SalePrices []SalePrice
	Packs      []Pack
	Minimum    *MinimumStock // only when the query asks for it
	Flat       decimal.Maybe // the old flat minimum over all stores (fact M57)
	Updated    string        // the object's own mark of its last change, as it came
}

// Pack is a package of several base units.
type Pack struct {
	ID       ID            `json:"id"`
	Quantity decimal.Maybe `json:"quantity"` // base units in it
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

type wireCard struct {
	wireItem
	MinPrice Price  `json:"minPrice"`
	Packs    []Pack `json:"packs"`
	Updated  string `json:"updated"`
}

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
	if len(expand) > 0 {
		l.params.Set("expand", strings.Join(expand, ","))
		l.page = expandPage
	}
	return convert(list[wireCard](ctx, r, l), func(w *wireCard) (Card, error) {
		minimum, err := r.minimum(ctx, kind, &w.wireItem)
		return Card{
			Type: kind, ID: w.id(), Name: w.Name, Code: w.Code, Article: w.Article, Product: w.Product,
			Folder:   w.Folder,
			Supplier: w.Supplier, Unit: w.UOM, Archived: w.Archived, Variants: w.Variants, BuyPrice: w.BuyPrice,
			MinPrice: w.MinPrice, SalePrices: w.SalePrices, Packs: w.Packs, Minimum: minimum, Flat: w.MinimumBalance,
			Updated: w.Updated,
		}, err
	})
}
