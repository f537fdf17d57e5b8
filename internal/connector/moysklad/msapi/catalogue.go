package msapi

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Product is a good (Товар), without its variants.
type Product struct {
	ID             ID
	Name           string
	Code           string
	Article        string
	PathName       string // its folder's path
	Folder         Ref
	Supplier       Ref // named when the query expands it
	Unit           string
	Archived       bool
	Barcodes       []string
	BuyPrice       Price       // typed by people, not a cost (fact M52)
	SalePrices     []SalePrice // one per price type
	MinimumBalance decimal.Maybe
	MinimumStock   *MinimumStock // only when the query asks for it
	Variants       int           // how many variants there are; above zero, stock is also on them
}

// MinimumStock is the minimum of stock of a good (Неснижаемый остаток), of one of three kinds (fact M57).
type MinimumStock struct {
	Kind      MinimumKind
	Quantity  decimal.Maybe  // for MinimumSum over all stores, for MinimumSame in each of them
	Stores    []StoreMinimum // for MinimumVaried
	Inherited bool           // of a variant: its product's
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

// ProductQuery narrows the list of products.
type ProductQuery struct {
	ListQuery
	Folders      []ID // products whose folder is one of them, without their nested folders; see Reader.Products
	Suppliers    []ID // products that name one of them as supplier
	NoSupplier   bool // also those that name none
	MinimumStock bool // with their minimum stocks: 100 a request instead of 1,000 (fact M21)
	// HasMinimum keeps those with a positive flat minimumBalance. It misses every per-store minimum (fact M58): use it
	// to add to what the server-side filter underMinimum gives, never in its place.
	HasMinimum     bool
	ExpandSupplier bool // with the suppliers' names: 100 a request instead of 1,000 (fact M18)
}

// Variant is a modification of a product (Модификация). Supplier, folder and unit are the product's alone.
type Variant struct {
	ID              ID
	Name            string
	Code            string
	Article         string
	Product         Ref
	Archived        bool
	Barcodes        []string
	BuyPrice        Price
	SalePrices      []SalePrice
	MinimumStock    *MinimumStock
	Characteristics []Characteristic
}

// Characteristic is a property that distinguishes variants.
type Characteristic struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// VariantQuery narrows the list of variants.
type VariantQuery struct {
	ListQuery
	Products     []ID // variants of those products
	MinimumStock bool // with their minimum stocks: 100 a request
}

// AssortmentItem is a row of the assortment: a product, variant, bundle or service.
type AssortmentItem struct {
	Type       string // "product", "variant", "bundle", "service", "consignment"
	ID         ID     // from the href (fact M38)
	Name       string
	Code       string
	Article    string
	PathName   string
	Product    Ref // of a variant: its parent
	Folder     Ref
	Supplier   Ref
	Archived   bool
	Barcodes   []string
	BuyPrice   Price
	SalePrices []SalePrice
	Stock      decimal.Maybe // services and bundles have none of these four
	Reserve    decimal.Maybe
	InTransit  decimal.Maybe
	Quantity   decimal.Maybe // stock − reserve + expected
}

// AssortmentQuery narrows the assortment. The API's plain search parameter is ignored there, so Search travels inside
// the filter; the caller still checks that rows contain the text (fact M27).
type AssortmentQuery struct {
	IDs          []ID
	Search       string // beginnings of words of name, code, article; an exact barcode
	NameContains string // for words that Search cannot find; substring of the name
	Code         string // exactly
	Barcode      string // exactly
	Types        []string
	Folders      []ID
	Suppliers    []ID
	Stores       []ID // whose stock is counted
	StockMode    Mode // other than ModeAll leaves out services and bundles (fact M56)
	QuantityMode Mode
	Archived     Archived
	ExpandParent bool // variants with their product's name and article: 100 a request
	First        int
	Filter       Filter
}

type wireItem struct {
	Meta            meta              `json:"meta"`
	ID              ID                `json:"id"`
	Name            string            `json:"name"`
	Code            string            `json:"code"`
	Article         string            `json:"article"`
	PathName        string            `json:"pathName"`
	Folder          Ref               `json:"productFolder"`
	Supplier        Ref               `json:"supplier"`
	Product         Ref               `json:"product"`
	UOM             Ref               `json:"uom"`
	Archived        bool              `json:"archived"`
	Barcodes        []json.RawMessage `json:"barcodes"`
	BuyPrice        Price             `json:"buyPrice"`
	SalePrices      []SalePrice       `json:"salePrices"`
	MinimumBalance  decimal.Maybe     `json:"minimumBalance"`
	MinimumStock    *wireMinimum      `json:"minimumStock"`
	Variants        int               `json:"variantsCount"`
	Characteristics []Characteristic  `json:"characteristics"`
	Stock           decimal.Maybe     `json:"stock"`
	Reserve         decimal.Maybe     `json:"reserve"`
	InTransit       decimal.Maybe     `json:"inTransit"`
	Quantity        decimal.Maybe     `json:"quantity"`
}

func (w *wireItem) id() ID {
	if id := idOfHref(w.Meta.Href); id != "" {
		return id
	}
	return w.ID
}

func (w *wireItem) key() Key { return w.id().Key() }

// wireMinimum accepts both spellings of the collection (fact M57). encoding/json matches names without
// regard to case, so one field reads storebalances and storeBalances.
type wireMinimum struct {
	Type      MinimumKind         `json:"type"`
	Quantity  decimal.Maybe       `json:"quantity"`
	Inherited bool                `json:"inherited"`
	Stores    *rows[StoreMinimum] `json:"storebalances"`
}

// barcodes returns the codes of [{"ean13": "…"}, …].
func (w *wireItem) barcodes() []string {
	var list []string
	for _, raw := range w.Barcodes {
		var one map[string]string
		if json.Unmarshal(raw, &one) != nil {
			continue // a form of later versions of the API is not worth the row
		}
		for _, code := range one {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}

// Products lists products. The API documents no filter by folder for them (fact M51), so Folders drops rows here, after
// they were read; a condition on pathName in Filter narrows the request itself.
func (r *Reader) Products(ctx context.Context, q ProductQuery) iter.Seq2[Product, error] {
	return r.products(ctx, q)
}

// Variants lists variants.
func (r *Reader) Variants(ctx context.Context, q VariantQuery) iter.Seq2[Variant, error] {
	return r.variants(ctx, q)
}

// Assortment lists goods of all kinds in the API's legacy form, which carries stock (fact M56).
func (r *Reader) Assortment(ctx context.Context, q AssortmentQuery) iter.Seq2[AssortmentItem, error] {
	return r.assortment(ctx, q)
}
