package tool

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Amount is money in JSON: a decimal string in main units with two places, the currency (empty if the employee may not
// see it), and both formatted for display (rule R39).
type Amount struct {
	Amount   string `json:"amount" example:"1234.56"`
	Currency string `json:"currency" example:"RUB"`
	Text     string `json:"text" example:"1 234,56 ₽"`
}

// AmountOf returns the amount, or nil if the number is unknown.
func AmountOf(n decimal.Maybe, currency string) *Amount {
	if !n.Known {
		return nil
	}
	return &Amount{Amount: n.Fixed(2), Currency: currency, Text: FormatMoney(n.Decimal, currency, stockhand.Russian)}
}

// maybe parses the amount.
func (a *Amount) maybe() (decimal.Maybe, error) {
	if a == nil {
		return decimal.Maybe{}, nil
	}
	d, err := decimal.Parse(a.Amount)
	return decimal.Some(d), err
}

// The JSON form of a draft's document: as stored, but with money as objects. The types are exported for the OpenAPI
// schemas.
type (
	DocumentJSON struct {
		Document
		Lines []LineJSON `json:"lines"`
		Total *Amount    `json:"total"` // null if a price is unknown, and for price changes
		DocumentStatus
	}
	LineJSON struct {
		Line
		Price    *Amount  `json:"price"`
		OldPrice *Amount  `json:"old_price"`
		Cost     *Amount  `json:"cost"`
		Sum      *Amount  `json:"sum"` // quantity × price; null if either is unknown
		Seen     SeenJSON `json:"seen"`
	}
	SeenJSON struct {
		Seen
		Price *Amount `json:"price"`
	}
)

// MarshalJSON encodes the document with money as objects.
func (d DraftDocument) MarshalJSON() ([]byte, error) {
	out := DocumentJSON{Document: d.Document, Lines: make([]LineJSON, len(d.Lines)),
		Total: AmountOf(d.Total, d.Currency), DocumentStatus: d.DocumentStatus}
	if err := d.Total.Err(); err != nil {
		return nil, err
	}
	for i, l := range d.Lines {
		sum := l.Sum()
		for _, n := range []decimal.Maybe{l.Price, l.OldPrice, l.Cost, l.Seen.Price, sum} {
			if err := n.Err(); err != nil {
				return nil, err
			}
		}
		out.Lines[i] = LineJSON{
			Line: l, Price: AmountOf(l.Price, d.Currency), OldPrice: AmountOf(l.OldPrice, d.Currency),
			Cost: AmountOf(l.Cost, d.Currency),
			Sum:  AmountOf(sum, d.Currency), Seen: SeenJSON{Seen: l.Seen, Price: AmountOf(l.Seen.Price, d.Currency)},
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes the result of MarshalJSON; costs are rounded to two places.
func (d *DraftDocument) UnmarshalJSON(b []byte) (err error) {
	var in DocumentJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	read := func(into *decimal.Maybe, a *Amount) {
		if err == nil {
			*into, err = a.maybe()
		}
	}
	*d = DraftDocument{Document: in.Document, DocumentStatus: in.DocumentStatus}
	read(&d.Total, in.Total)
	d.Lines = make([]Line, len(in.Lines))
	for i, l := range in.Lines {
		line := l.Line
		line.Seen = l.Seen.Seen
		read(&line.Price, l.Price)
		read(&line.OldPrice, l.OldPrice)
		read(&line.Cost, l.Cost)
		read(&line.Seen.Price, l.Seen.Price)
		d.Lines[i] = line
	}
	return err
}
