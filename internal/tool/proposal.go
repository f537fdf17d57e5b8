package tool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Proposal is what a propose tool returns: documents that a person may have written after reading them. It is a value:
// making one stores nothing and sends nothing but reads.
type Proposal struct {
	Tool       string     `json:"tool"`
	Title      string     `json:"title"`
	Answer     string     `json:"answer"` // one or two sentences: what is proposed and why, with the figures
	Documents  []Document `json:"documents"`
	Notices    []Notice   `json:"notices"`
	Provenance Provenance `json:"provenance"`
}

// DocumentKind is what a document would do.
type DocumentKind string

// The kinds of documents.
const (
	SupplierOrder DocumentKind = "supplier_order" // creates a purchase order
	Transfer      DocumentKind = "transfer"       // creates a move between two warehouses
	PriceChange   DocumentKind = "price_change"   // changes prices of goods
	// deletes a document that an earlier draft created; only undo makes one
	Deletion   DocumentKind = "deletion"
	RemoteCall DocumentKind = "remote_call" // calls a tool of another MCP server; it has no lines
)

// Remote is what a remote call would send: exactly this, to the byte, and nothing else.
type Remote struct {
	Server    string          `json:"server"`    // what the server calls itself
	Tool      string          `json:"tool"`      // in the server's own words
	Arguments json.RawMessage `json:"arguments"` // a JSON object
	// fingerprint of the tool as it was verified: a tool that is another by now is not called
	Definition string `json:"definition"`
}

// Ref names a thing of the external system.
type Ref struct {
	Type string `json:"type,omitempty"` // e.g. "product", "variant", "store"
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Document is one thing that would be created or changed.
type Document struct {
	// given when the proposal is made; the external syncId follows from it
	ID           stockhand.DocumentID `json:"id"`
	Kind         DocumentKind         `json:"kind"`
	Title        string               `json:"title"`
	Reason       string               `json:"reason"`
	Organization *Ref                 `json:"organization,omitempty"` // legal entity
	Supplier     *Ref                 `json:"supplier,omitempty"`
	Store        *Ref                 `json:"store,omitempty"`  // of an order; the source of a transfer
	Target       *Ref                 `json:"target,omitempty"` // of a transfer
	// of a price change; the purchase price has id "buyPrice"
	PriceType *Ref    `json:"price_type,omitempty"`
	Deletes   *Ref    `json:"deletes,omitempty"`
	Call      *Remote `json:"call,omitempty"` // of a remote call
	// the written document that this one takes back; only undo makes one
	Undoes   stockhand.DocumentID `json:"undoes,omitempty"`
	Delivery Day                  `json:"delivery,omitempty"` // expected delivery of an order
	Currency string               `json:"currency,omitempty"` // ISO code of the prices and the total
	// the external system's own id of Currency; empty means the account currency
	CurrencyID string `json:"currency_id,omitempty"`
	Lines      []Line `json:"lines"`
	// sum of the lines in main units; unknown when a price is
	Total decimal.Maybe `json:"total"`
	// in words: stock and cover after it, unusual quantities
	Consequences []string `json:"consequences,omitempty"`
}

// Line is one position of a document. Amounts are in main units.
type Line struct {
	ID       string        `json:"id"` // within the document: "1", "2", …
	Product  Ref           `json:"product"`
	Quantity decimal.Maybe `json:"quantity"` // of an order or a transfer, in the goods' own unit
	Unit     string        `json:"unit,omitempty"`
	// units in a pack that the quantity is a multiple of; unknown without packs
	Pack     decimal.Maybe `json:"pack"`
	Whole    bool          `json:"whole"`     // the unit is not divided
	Price    decimal.Maybe `json:"price"`     // of an order: per unit; of a price change: the new price
	OldPrice decimal.Maybe `json:"old_price"` // of a price change
	Cost     decimal.Maybe `json:"cost"`      // per unit, where it may be seen and is known
	Reason   string        `json:"reason"`
	Flags    []Notice      `json:"flags,omitempty"` // e.g. below cost, below the minimum price, unusual quantity
	Seen     Seen          `json:"seen"`
}

// Seen holds the figures that a line rests on, as they were when it was made; they are read again before it is sent.
// What was not looked at is unknown.
type Seen struct {
	Stock     decimal.Maybe `json:"stock"` // of an order: in its warehouse; of a transfer: at the source
	Reserve   decimal.Maybe `json:"reserve"`
	InTransit decimal.Maybe `json:"in_transit"`
	Minimum   decimal.Maybe `json:"minimum"`
	Daily     decimal.Maybe `json:"daily_sales"`
	Price     decimal.Maybe `json:"price"`             // the current price of the type that would change
	Updated   string        `json:"updated,omitempty"` // the external object's own mark of its last change
}

// The kinds of remarks that a line's flags carry.
const (
	NoticeBelowCost     NoticeCode = "below_cost"       // the new price is below the cost, or the purchase price
	NoticeBelowMinPrice NoticeCode = "below_min_price"  // the new price is below the good's own minimum price
	NoticeUnusual       NoticeCode = "unusual_quantity" // far more than usual
)

// Sum is quantity × price, rounded to two places; unknown when either is.
func (l Line) Sum() decimal.Maybe {
	if !l.Quantity.Known || !l.Price.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(l.Quantity.Mul(l.Price.Decimal).Round(2))
}

// Sum is the total of the document's lines: the sum of their rounded sums, so that what is printed adds up. It is
// unknown when a line's is, and for documents whose lines have no sums.
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

// PricedSum is the total of the lines that have a price, and how many have none. It is unknown when no line has one,
// and for documents whose lines have no sums.
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

// TotalText writes the total for people. Where lines have no price it says what the order is worth at least, and of how
// many lines the price is missing. It is empty for documents without sums.
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

// UnpricedLines counts lines without a price: "3 строки без цены".
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

// Propose makes a propose tool of a typed function; see [Read] for In.
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

// Propose checks the arguments and makes the proposal. Its documents have their ids, lines theirs, and totals are the
// sums of the lines.
func (t Tool) Propose(ctx context.Context, env Env, arguments json.RawMessage) (*Proposal, error) {
	if t.propose == nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "%s reads and proposes nothing", t.Name)
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
