package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Proposal is what a propose tool returns: documents that a person may confirm to be written. Creating a proposal only
// reads; nothing is stored or written.
type Proposal struct {
	Tool       string     `json:"tool"`
	Title      string     `json:"title"`
	Answer     string     `json:"answer"` // one or two sentences: what is proposed and why, with figures
	Documents  []Document `json:"documents"`
	Notices    []Notice   `json:"notices"`
	Provenance Provenance `json:"provenance"`
	// the draft that the proposal changes; nil for one that becomes a draft of its own
	Revision *Revision `json:"-"`
	// the call that made this version of a draft, so that the call is not carried out twice
	Revised string `json:"revised,omitempty"`
	// the goods whose lines a person took out; a proposal that replaces this one leaves them out, too
	Dropped []Ref `json:"dropped,omitempty"`
	// what must be known before anything can be proposed; nil for nothing
	Missing *Missing `json:"-"`
}

// Missing is an argument that a proposal cannot do without, with the values that it may have.
type Missing struct {
	Question string // in the language of the call
	Argument string
	Values   []string
	Label    string // of an option; has a place for its value
}

// DocumentKind is what a document does.
type DocumentKind string

// The kinds of documents.
const (
	SupplierOrder DocumentKind = "supplier_order" // creates a purchase order
	Transfer      DocumentKind = "transfer"       // creates a move between two warehouses
	PriceChange   DocumentKind = "price_change"   // changes prices of goods
	MinimumStock  DocumentKind = "minimum_stock"  // changes minimum stocks of goods; zero means none
	// deletes a document that an earlier draft created; only created by undo
	Deletion   DocumentKind = "deletion"
	RemoteCall DocumentKind = "remote_call" // calls a tool of another MCP server; has no lines
	// changes the organization's notes; has no lines, and the change as its call
	NoteChange DocumentKind = "note_change"
)

// BuyPrice is the ID of the price type that stands for the purchase price.
const BuyPrice = "buyPrice"

// Remote is the call that a document would make, byte for byte.
type Remote struct {
	Server    string          `json:"server"`    // the server's name for itself
	Tool      string          `json:"tool"`      // the tool's name on the server
	Arguments json.RawMessage `json:"arguments"` // a JSON object
	// fingerprint of the tool as verified; a tool that has changed is not called
	Definition string `json:"definition"`
}

// Ref refers to an object of the external system.
type Ref struct {
	Type string `json:"type,omitempty"` // e.g. "product", "variant", "store"
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Document is one object to create or change.
type Document struct {
	// assigned when the proposal is created; the external syncId is derived from it
	ID           stockhand.DocumentID `json:"id"`
	Kind         DocumentKind         `json:"kind"`
	Title        string               `json:"title"`
	Reason       string               `json:"reason"`
	Organization *Ref                 `json:"organization,omitempty"` // legal entity
	Supplier     *Ref                 `json:"supplier,omitempty"`
	Store        *Ref                 `json:"store,omitempty"`  // of an order; the source of a transfer
	Target       *Ref                 `json:"target,omitempty"` // of a transfer
	// of a price change; the purchase price has the ID [BuyPrice]
	PriceType *Ref    `json:"price_type,omitempty"`
	Deletes   *Ref    `json:"deletes,omitempty"`
	Call      *Remote `json:"call,omitempty"` // of a remote call, or of a change of notes
	// the written document that this one reverses; only created by undo
	Undoes   stockhand.DocumentID `json:"undoes,omitempty"`
	Delivery Day                  `json:"delivery,omitempty"` // expected delivery of an order
	Currency string               `json:"currency,omitempty"` // ISO code of the prices and the total
	// the external system's ID of Currency; empty means the account currency
	CurrencyID string `json:"currency_id,omitempty"`
	Lines      []Line `json:"lines"`
	// sum of the lines in main units; unknown if a price is unknown
	Total decimal.Maybe `json:"total"`
	// for display: stock and cover after it, unusual quantities
	Consequences []string `json:"consequences,omitempty"`
}

// Line is one position of a document. Amounts are in main units.
type Line struct {
	ID       string        `json:"id"` // within the document: "1", "2", …
	Product  Ref           `json:"product"`
	Store    *Ref          `json:"store,omitempty"` // of a minimum stock: its warehouse; absent: for all of them together
	Quantity decimal.Maybe `json:"quantity"`        // of an order or a transfer, or the new minimum, in the product's unit
	Unit     string        `json:"unit,omitempty"`
	// the quantity is a multiple of this pack size; unknown without packs
	Pack     decimal.Maybe `json:"pack"`
	Whole    bool          `json:"whole"`     // the quantity must be an integer
	Price    decimal.Maybe `json:"price"`     // of an order: per unit; of a price change: the new price
	OldPrice decimal.Maybe `json:"old_price"` // of a price change
	Cost     decimal.Maybe `json:"cost"`      // per unit, if it is known and visible
	Reason   string        `json:"reason"`
	Flags    []Notice      `json:"flags,omitempty"` // e.g. below cost, below the minimum price, unusual quantity
	// the existing documents that the flags name by their numbers
	Named []Ref `json:"named,omitempty"`
	Seen  Seen  `json:"seen"`
}

// Seen contains the figures that a line is based on, as of its creation. They are read again before the document is
// sent. Figures that were not read are unknown.
type Seen struct {
	Stock     decimal.Maybe `json:"stock"` // of an order: in its warehouse; of a transfer: at the source
	Reserve   decimal.Maybe `json:"reserve"`
	InTransit decimal.Maybe `json:"in_transit"`
	Minimum   decimal.Maybe `json:"minimum"`
	Daily     decimal.Maybe `json:"daily_sales"`
	Price     decimal.Maybe `json:"price"`             // the current price of the type to change
	Updated   string        `json:"updated,omitempty"` // the external object's own time of last change
	// the minimums of the product in all warehouses, if it has one for each: they are written together
	Minimums []StoreMinimum `json:"minimums,omitempty"`
}

// StoreMinimum is the minimum stock of a product in a warehouse.
type StoreMinimum struct {
	Store    Ref             `json:"store"`
	Quantity decimal.Decimal `json:"quantity"`
}

// MinimumsOf returns the minimums that a product has in each warehouse after the document: those that were seen, with
// the changes of its lines. A minimum of zero is left out.
func (d Document) MinimumsOf(product string) []StoreMinimum {
	var all []StoreMinimum
	for _, l := range d.Lines {
		if l.Product.ID != product || l.Store == nil {
			continue
		}
		if all == nil {
			all = slices.Clone(l.Seen.Minimums)
		}
		all = slices.DeleteFunc(all, func(m StoreMinimum) bool { return m.Store.ID == l.Store.ID })
		all = append(all, StoreMinimum{*l.Store, l.Quantity.Decimal})
	}
	all = slices.DeleteFunc(all, func(m StoreMinimum) bool { return m.Quantity.Sign() <= 0 })
	slices.SortFunc(all, func(x, y StoreMinimum) int { return strings.Compare(x.Store.ID, y.Store.ID) })
	return all
}

// The notice codes of a line's flags.
const (
	NoticeBelowCost     NoticeCode = "below_cost"       // the new price is below the cost or the purchase price
	NoticeBelowMinPrice NoticeCode = "below_min_price"  // the new price is below the product's minimum price
	NoticeUnusual       NoticeCode = "unusual_quantity" // far more than usual
	NoticeOverlap       NoticeCode = "already_ordered"  // an open order or draft contains the good too
)

// Sum returns quantity × price rounded to two places, or unknown if either is unknown.
func (l Line) Sum() decimal.Maybe {
	if !l.Quantity.Known || !l.Price.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(l.Quantity.Mul(l.Price.Decimal).Round(2))
}

// Sum returns the total of the rounded line sums, so that the printed figures add up. It is unknown if a line's sum is
// unknown, and for kinds of documents without sums.
func (d Document) Sum() decimal.Maybe {
	if d.Kind != SupplierOrder && d.Kind != Transfer {
		return decimal.Maybe{}
	}
	total := decimal.Zero
	for _, l := range d.Lines {
		s := l.Sum()
		if !s.Known {
			return decimal.Maybe{}
		}
		total = total.Add(s.Decimal)
	}
	return decimal.Some(total)
}

// PricedSum returns the total of the lines with a price, and the number of lines without one. The total is unknown if
// no line has a price, and for kinds of documents without sums.
func (d Document) PricedSum() (sum decimal.Maybe, unpriced int) {
	if d.Kind != SupplierOrder {
		return sum, 0
	}
	for _, l := range d.Lines {
		if s := l.Sum(); s.Known {
			sum = decimal.Some(sum.Add(s.Decimal))
		} else {
			unpriced++
		}
	}
	return sum, unpriced
}

// TotalText formats the total. If lines have no price, it gives the minimum value of the order and the number of those
// lines. It is empty for documents without sums.
func (d Document) TotalText(l stockhand.Language) string {
	sum, unpriced := d.PricedSum()
	switch {
	case d.Total.Known:
		return FormatMoney(d.Total.Decimal, d.Currency, l)
	case !sum.Known && unpriced == 0:
		return ""
	case !sum.Known:
		return UnpricedLines(unpriced, l)
	}
	return l.Pick("не меньше ", "at least ") + FormatMoney(sum.Decimal, d.Currency, l) + ", " +
		UnpricedLines(unpriced, l)
}

// UnpricedLines formats a number of lines without a price: "3 строки без цены".
func UnpricedLines(n int, l stockhand.Language) string {
	word := l.Pick("строк", "lines")
	switch {
	case l == stockhand.English && n == 1:
		word = "line"
	case l == stockhand.English || n%100 >= 11 && n%100 <= 14:
	case n%10 == 1:
		word = "строка"
	case n%10 >= 2 && n%10 <= 4:
		word = "строки"
	}
	return fmt.Sprintf("%d %s %s", n, word, l.Pick("без цены", "without a price"))
}

// Propose returns a propose tool that runs a typed function; see [Read] for In.
func Propose[In any](name string, title, about Text,
	run func(ctx context.Context, env Env, in In) (*Proposal, error)) Tool {
	schema := schemaOf[In]()
	return Tool{
		Name: name, Title: title, About: about, Input: schema,
		propose: func(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error) {
			in, err := decode[In](schema, arguments)
			if err != nil {
				return nil, err
			}
			return run(ctx, env, in)
		},
	}
}

// Proposes reports whether the tool is called with [Tool.Propose]; a read tool is called with [Tool.Call].
func (t Tool) Proposes() bool { return t.propose != nil }

// Propose validates the arguments and creates the proposal. It assigns IDs to documents and lines, and computes the
// totals.
func (t Tool) Propose(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error) {
	if t.propose == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s only reads and proposes nothing", t.Name)
	}
	p, err := t.propose(ctx, env, arguments)
	if err != nil {
		return nil, err
	}
	p.Tool, p.Provenance.Zone = t.Name, env.Zone
	for i := range p.Documents {
		d := &p.Documents[i]
		if d.ID == "" {
			d.ID = stockhand.NewID[stockhand.DocumentID]("doc")
		}
		d.Total = d.Sum()
		if err := d.Total.Err(); err != nil {
			return nil, err
		}
	}
	return p, nil
}
