package msapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// AssortmentItem is a row of the assortment: a product, variant, bundle or service.
type AssortmentItem struct {
	Type       string        `json:"-"` // "product", "variant", "bundle", "service", "consignment"
	ID         ID            `json:"id"`
	Name       string        `json:"name"`
	Code       string        `json:"code"`
	Article    string        `json:"article"`
	PathName   string        `json:"pathName"`
	Product    Ref           `json:"product"` // for a variant: its parent
	Folder     Ref           `json:"productFolder"`
	Supplier   Ref           `json:"supplier"`
	Unit       Ref           `json:"uom"` // without a name
	Country    Ref           `json:"country"`
	Archived   bool          `json:"archived"`
	Variants   int           `json:"variantsCount"` // of a product
	Barcodes   []string      `json:"-"`
	BuyPrice   Price         `json:"buyPrice"`
	MinPrice   Price         `json:"minPrice"` // it must not be sold below this price
	SalePrices []SalePrice   `json:"salePrices"`
	Stock      decimal.Maybe `json:"stock"`    // services and bundles have neither stock nor quantity
	Quantity   decimal.Maybe `json:"quantity"` // stock − reserve + expected
	// the additional fields that are filled; a variant has none (fact M103)
	Attributes []AttributeValue `json:"attributes"`
}

// AssortmentQuery restricts the assortment. The API ignores its search parameter there, so Search is sent within the
// filter; the caller still checks that rows contain the text (fact M27).
type AssortmentQuery struct {
	IDs          []ID
	Search       string // prefixes of words in name, code, article; an exact barcode
	NameContains string // a substring of the name, for words that Search cannot find
	Code         string // exact
	Barcode      string // exact
	Types        []string
	Folders      []ID
	Suppliers    []ID
	Archived     Archived
	First        int
	Filter       Filter
}

type wireItem struct {
	AssortmentItem
	Meta     meta              `json:"meta"`
	Barcodes []json.RawMessage `json:"barcodes"`
}

func (w *wireItem) key() Key { return w.Meta.id(w.ID).Key() }

// barcodes returns the codes of [{"ean13": "…"}, …].
func (w *wireItem) barcodes() []string {
	var list []string
	for _, raw := range w.Barcodes {
		var one map[string]string
		if json.Unmarshal(raw, &one) != nil {
			continue // an unknown format must not fail the whole row
		}
		for _, code := range one {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}

// Assortment lists goods of all kinds in the API's legacy form, which includes stock (fact M56).
func (r *Reader) Assortment(ctx context.Context, q AssortmentQuery) iter.Seq2[AssortmentItem, error] {
	if err := checkIDs(q.IDs, q.Folders, q.Suppliers); err != nil {
		return failed[AssortmentItem](err)
	}
	l := listing{path: "entity/assortment", params: url.Values{}, order: "id", first: q.First}
	f := q.Archived.filter().And(q.Filter)
	for _, c := range []condition{
		{"search", Eq, q.Search}, {"name", Contains, q.NameContains}, {"code", Eq, q.Code}, {"barcode", Eq, q.Barcode},
	} {
		if c.value != "" {
			f = f.Where(c.field, c.op, c.value)
		}
	}
	f = f.Where("type", Eq, q.Types...)
	f = r.are(f, "productFolder", "productfolder", q.Folders)
	l.filter = r.are(f, "supplier", "counterparty", q.Suppliers)
	l.only(q.IDs)
	if q.Search != "" && q.First > 0 {
		l.order = ""
	}
	return convert(list[wireItem](ctx, r, l), func(w *wireItem) (AssortmentItem, error) {
		x := w.AssortmentItem
		x.Type, x.ID, x.Barcodes = w.Meta.Type, w.Meta.id(w.ID), w.barcodes()
		return x, nil
	})
}
