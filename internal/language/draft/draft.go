// Package draft is what a request for a draft comes to: the input of a tool that proposes drafts, and its words.
package draft

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
)

// Kind is what a draft changes.
type Kind uint8

// The kinds of drafts.
const (
	None Kind = iota
	Prices
	Orders
	Transfers
	Minimums
)

// Draft is the input of a tool that proposes drafts. Only fields that the tool has are set.
type Draft struct {
	PriceType  string   `json:"price_type,omitempty"`
	Percent    string   `json:"percent,omitempty"`
	Markup     string   `json:"markup,omitempty"`
	Margin     string   `json:"margin,omitempty"`
	Price      string   `json:"price,omitempty"`
	Amount     string   `json:"amount,omitempty"`
	Items      []Item   `json:"items,omitempty"`
	Stores     []string `json:"stores,omitempty"`
	FromStores []string `json:"from_stores,omitempty"`
	Goods
	RowsOf     *RowsOf              `json:"rows_of,omitempty"`
	Where      []analysis.Condition `json:"where,omitempty"`
	Except     *Goods               `json:"except,omitempty"`
	Everything bool                 `json:"everything,omitempty"`
	Round      *quantity.Round      `json:"round,omitempty"`
	Mode       string               `json:"mode,omitempty"`
	Days       int                  `json:"days,omitempty"`
	From       string               `json:"from,omitempty"`
	To         string               `json:"to,omitempty"`
	Forecast   bool                 `json:"forecast,omitempty"`
	Minimum    string               `json:"minimum,omitempty"`
	LeadDays   int                  `json:"lead_days,omitempty"`
	SafetyDays *int                 `json:"safety_days,omitempty"` // nil: not said
	Budget     string               `json:"budget,omitempty"`
	MinOrder   string               `json:"min_order,omitempty"`
	Store      string               `json:"store,omitempty"`
	Delivery   string               `json:"delivery,omitempty"`
	Limits
}

// Limits bound new prices and the quantities of each good.
type Limits struct {
	MinPrice     string `json:"min_price,omitempty"`
	MaxPrice     string `json:"max_price,omitempty"`
	OverCost     string `json:"over_cost,omitempty"`     // percent; new prices are at least that much above the cost
	OverPurchase string `json:"over_purchase,omitempty"` // the same, of the purchase price
	MinMargin    string `json:"min_margin,omitempty"`
	Multiple     string `json:"multiple,omitempty"`
	AtLeast      string `json:"at_least,omitempty"`
	AtMost       string `json:"at_most,omitempty"`
	Keep         string `json:"keep,omitempty"` // at the source of a transfer
}

// Given reports whether any limit is set.
func (l Limits) Given() bool { return l != Limits{} }

// Goods are goods by name.
type Goods struct {
	Groups    []string `json:"groups,omitempty"`
	Suppliers []string `json:"suppliers,omitempty"`
	Products  []string `json:"products,omitempty"`
}

// Empty reports whether no goods are named.
func (g Goods) Empty() bool { return len(g.Groups)+len(g.Suppliers)+len(g.Products) == 0 }

// Item is one line of a list.
type Item struct {
	Product  string `json:"product"`
	Quantity string `json:"quantity,omitempty"`
	Price    string `json:"price,omitempty"`
}

// RowsOf are the goods of a table's rows: of a stored result, or of a query.
type RowsOf struct {
	Result   string          `json:"result,omitempty"`
	Query    *analysis.Query `json:"query,omitempty"`
	Rows     []string        `json:"rows,omitempty"`
	Except   []string        `json:"except,omitempty"`
	Quantity string          `json:"quantity,omitempty"`
	Column   string          `json:"column,omitempty"`
}

// Scoped reports whether a draft names the goods that it is for.
func (d *Draft) Scoped() bool {
	return !d.Goods.Empty() || len(d.Where) > 0 || d.RowsOf != nil || d.Items != nil
}

// Clone copies the lists of a draft, so that options do not share them.
func (d Draft) Clone() Draft {
	d.Items, d.Stores, d.FromStores = slices.Clone(d.Items), slices.Clone(d.Stores), slices.Clone(d.FromStores)
	d.Products, d.Groups, d.Suppliers = slices.Clone(d.Products), slices.Clone(d.Groups), slices.Clone(d.Suppliers)
	d.Where = slices.Clone(d.Where)
	if d.RowsOf != nil {
		r := *d.RowsOf
		d.RowsOf = &r
	}
	if d.Except != nil {
		e := *d.Except
		e.Products, e.Groups, e.Suppliers = slices.Clone(e.Products), slices.Clone(e.Groups), slices.Clone(e.Suppliers)
		d.Except = &e
	}
	return d
}

// FiguresOfPrices are the figures that conditions of new prices have, by the measures of questions.
var FiguresOfPrices = map[string]string{"sale_price": "price", "card_purchase_price": "purchase_price",
	"unit_cost": "cost", "margin": "margin", "price_markup": "markup", "markup": "markup", "stock": "stock",
	"free": "free", "days_in_stock": "days_in_stock", "days_since_sale": "days_without_sale"}
