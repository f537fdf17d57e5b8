package write

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	// elements per array: far below the vendor's limit of a thousand, so that a lost response leaves few unknown
	// outcomes
	batchSize    = 100
	batchBytes   = 4 << 20 // per array; the vendor accepts at least 10 MB (fact M14)
	maxPositions = 1000    // per document (fact M14)
)

// Bodies returns the requests that [Writer.Apply] would make for the document, byte for byte, and sends nothing. The
// same document always gives the same bytes. Documents passed to Apply together are sent as an array of their bodies.
// It returns VALIDATION_FAILED for a document that cannot be written.
func (w *Writer) Bodies(doc tool.Document) ([]tool.Body, error) {
	if w.bad != nil {
		return nil, w.bad
	}
	switch doc.Kind {
	case tool.SupplierOrder, tool.Transfer:
		body, err := w.document(doc)
		if err != nil {
			return nil, err
		}
		return []tool.Body{{Method: http.MethodPost, Path: entityPath(doc), Body: body}}, nil
	case tool.PriceChange, tool.MinimumStock:
		batches, err := w.changes(doc)
		if err != nil {
			return nil, err
		}
		bodies := make([]tool.Body, len(batches))
		for i, b := range batches {
			bodies[i] = tool.Body{Method: http.MethodPost, Path: b.path, Body: array(b.bodies)}
		}
		return bodies, nil
	case tool.Deletion:
		path, err := deletion(doc)
		if err != nil {
			return nil, err
		}
		return []tool.Body{{Method: http.MethodDelete, Path: path}}, nil
	}
	return nil, invalid("a document of the kind %q cannot be written", doc.Kind)
}

func invalid(format string, args ...any) error {
	return stockhand.Errorf(stockhand.CodeValidation, format, args...)
}

// entityPath returns the path to create documents of a kind.
func entityPath(doc tool.Document) string {
	if doc.Kind == tool.Transfer {
		return "entity/move"
	}
	return "entity/purchaseorder"
}

type wireMeta struct {
	Href      string `json:"href"`
	Type      string `json:"type"`
	MediaType string `json:"mediaType"`
}

type wireLink struct {
	Meta wireMeta `json:"meta"`
}

// wireDocument is a supplier order or a transfer. The order of the fields determines the bytes.
type wireDocument struct {
	SyncID       msapi.ID       `json:"syncId"`
	Applicable   bool           `json:"applicable"`
	Organization *wireLink      `json:"organization"`
	Agent        *wireLink      `json:"agent,omitempty"`
	Store        *wireLink      `json:"store,omitempty"`
	Source       *wireLink      `json:"sourceStore,omitempty"`
	Target       *wireLink      `json:"targetStore,omitempty"`
	Rate         *wireRate      `json:"rate,omitempty"`
	Planned      string         `json:"deliveryPlannedMoment,omitempty"`
	Positions    []wirePosition `json:"positions"`
}

// wireRate sets the document's currency, with the account's exchange rate. Without it, a document is in the account
// currency.
type wireRate struct {
	Currency wireLink `json:"currency"`
}

type wirePosition struct {
	Quantity   json.Number `json:"quantity"`
	Price      json.Number `json:"price,omitempty"` // minor units
	InTransit  json.Number `json:"inTransit,omitempty"`
	Assortment *wireLink   `json:"assortment"`
}

// document returns the body of a supplier order or transfer.
func (w *Writer) document(doc tool.Document) (json.RawMessage, error) {
	if doc.ID == "" {
		return nil, invalid("a document without an ID")
	}
	if len(doc.Lines) == 0 || len(doc.Lines) > maxPositions {
		return nil, invalid("a document of %d lines: from 1 to %d can be written", len(doc.Lines), maxPositions)
	}
	d := wireDocument{SyncID: SyncID(doc.ID), Applicable: true, Positions: make([]wirePosition, len(doc.Lines))}
	type end struct {
		to    **wireLink
		ref   *tool.Ref
		kind  string
		named string
		may   bool // may be missing
	}
	ends := []end{
		{&d.Organization, doc.Organization, "organization", "legal entity", false},
		{&d.Agent, doc.Supplier, "counterparty", "supplier", false},
		{&d.Store, doc.Store, "store", "warehouse", true},
	}
	if doc.Kind == tool.Transfer {
		ends = []end{
			{&d.Organization, doc.Organization, "organization", "legal entity", false},
			{&d.Source, doc.Store, "store", "source warehouse", false},
			{&d.Target, doc.Target, "store", "target warehouse", false},
		}
		if doc.Store != nil && doc.Target != nil && doc.Store.ID == doc.Target.ID {
			return nil, invalid("the source and the target warehouse are the same")
		}
	}
	for _, e := range ends {
		if e.ref == nil && e.may {
			continue
		}
		link, err := w.link(e.kind, e.ref)
		if err != nil {
			return nil, invalid("the %s: %w", e.named, err)
		}
		*e.to = link
	}
	if doc.Kind == tool.SupplierOrder {
		if doc.Delivery != "" {
			t := doc.Delivery.Time()
			if t.IsZero() {
				return nil, invalid("the delivery date is not a valid date")
			}
			d.Planned = t.Format("2006-01-02 15:04:05") // a day has no time zone: midnight in Moscow
		}
		if doc.CurrencyID != "" {
			currency, err := w.link("currency", &tool.Ref{ID: doc.CurrencyID})
			if err != nil {
				return nil, invalid("the currency: %w", err)
			}
			d.Rate = &wireRate{*currency}
		}
	}
	for i, l := range doc.Lines {
		p, err := w.position(doc.Kind, l)
		if err != nil {
			return nil, invalid("line %s: %w", l.ID, err)
		}
		d.Positions[i] = p
	}
	return json.Marshal(d)
}

func (w *Writer) position(kind tool.DocumentKind, l tool.Line) (wirePosition, error) {
	var p wirePosition
	quantity := l.Quantity.Round(4) // the vendor's precision (fact M34)
	if !l.Quantity.Known || !quantity.Valid() || quantity.Sign() <= 0 {
		return p, errors.New("its quantity must be positive")
	}
	if !slices.Contains([]string{"product", "variant", "consignment", "service"}, l.Product.Type) ||
		kind == tool.Transfer && l.Product.Type == "service" {
		return p, fmt.Errorf("the document cannot contain a %q", l.Product.Type)
	}
	link, err := w.link(l.Product.Type, &l.Product)
	if err != nil {
		return p, err
	}
	p.Assortment, p.Quantity = link, number(quantity)
	if l.Price.Known {
		if !l.Price.Valid() || l.Price.Sign() < 0 {
			return p, errors.New("its price must not be negative")
		}
		p.Price = number(l.Price.Minor())
	}
	if kind == tool.SupplierOrder && l.Product.Type != "service" {
		p.InTransit = p.Quantity // goods count as expected only with this (fact M64)
	}
	return p, nil
}

// number is a JSON number with exactly these digits.
func number(d decimal.Decimal) json.Number { return json.Number(d.String()) }

func (w *Writer) href(path string, id msapi.ID) string {
	return w.base.String() + "/" + path + "/" + string(id)
}

// link refers to an entity on the API's own host; other hosts are rejected with code 1059 (fact M1).
func (w *Writer) link(kind string, ref *tool.Ref) (*wireLink, error) {
	if ref == nil {
		return nil, errors.New("it is missing")
	}
	id, ok := msapi.ParseID(ref.ID)
	if !ok {
		return nil, errors.New("it has no ID in the external system")
	}
	return &wireLink{wireMeta{Href: w.href("entity/"+kind, id), Type: kind, MediaType: "application/json"}}, nil
}

// batch is one array of changes of goods: an element for each good, and the lines of the document that it contains.
type batch struct {
	path   string
	lines  [][]int
	bodies []json.RawMessage
}

// wirePrices changes the price of one good. An element of salePrices changes its price type and leaves the others
// unchanged (fact M47).
type wirePrices struct {
	Meta       wireMeta    `json:"meta"`
	SalePrices []wirePrice `json:"salePrices,omitempty"`
	BuyPrice   *wirePrice  `json:"buyPrice,omitempty"`
}

type wirePrice struct {
	Value     json.Number `json:"value"` // minor units
	Currency  *wireLink   `json:"currency,omitempty"`
	PriceType *wireLink   `json:"priceType,omitempty"`
}

// prices splits a price change into arrays of a hundred, products and variants separately.
func (w *Writer) prices(doc tool.Document) ([]batch, error) {
	if len(doc.Lines) == 0 {
		return nil, invalid("a price change without lines")
	}
	if doc.PriceType == nil {
		return nil, invalid("a price change without a price type")
	}
	var priceType, currency *wireLink
	if doc.PriceType.ID != tool.BuyPrice {
		id, ok := msapi.ParseID(doc.PriceType.ID)
		if !ok {
			return nil, invalid("the price type has no ID in the external system")
		}
		priceType = &wireLink{wireMeta{w.href("context/companysettings/pricetype", id), "pricetype",
			"application/json"}}
	}
	if doc.CurrencyID != "" {
		var err error
		if currency, err = w.link("currency", &tool.Ref{ID: doc.CurrencyID}); err != nil {
			return nil, invalid("the currency: %w", err)
		}
	}
	seen := map[string]bool{}
	var batches batches
	for i, l := range doc.Lines {
		if l.Product.Type != "product" && l.Product.Type != "variant" {
			return nil, invalid("line %s: the price of a %q cannot be changed", l.ID, l.Product.Type)
		}
		link, err := w.link(l.Product.Type, &l.Product)
		switch {
		case err != nil:
			return nil, invalid("line %s: %w", l.ID, err)
		case seen[link.Meta.Href]:
			return nil, invalid("line %s: the product is in the document twice", l.ID)
		case !l.Price.Known || !l.Price.Valid() || l.Price.Sign() < 0:
			return nil, invalid("line %s: the new price is invalid", l.ID)
		}
		seen[link.Meta.Href] = true
		price := wirePrice{Value: number(l.Price.Minor()), Currency: currency, PriceType: priceType}
		change := wirePrices{Meta: link.Meta}
		if priceType == nil {
			change.BuyPrice = &price
		} else {
			change.SalePrices = []wirePrice{price}
		}
		body, err := json.Marshal(change)
		if err != nil {
			return nil, err
		}
		batches.add("entity/"+l.Product.Type, body, i)
	}
	return batches, nil
}

// changes returns the arrays of a change of goods.
func (w *Writer) changes(doc tool.Document) ([]batch, error) {
	if doc.Kind == tool.MinimumStock {
		return w.minimums(doc)
	}
	return w.prices(doc)
}

type batches []batch

// add adds an element to the last array of its path, unless it is full.
func (b *batches) add(path string, body json.RawMessage, lines ...int) {
	at := len(*b) - 1
	for at >= 0 && (*b)[at].path != path {
		at--
	}
	if at < 0 || len((*b)[at].lines) == batchSize {
		at = len(*b)
		*b = append(*b, batch{path: path})
	}
	(*b)[at].lines = append((*b)[at].lines, lines)
	(*b)[at].bodies = append((*b)[at].bodies, body)
}

// deletion returns the path of the document to delete.
func deletion(doc tool.Document) (string, error) {
	if doc.Deletes == nil || doc.Deletes.Type != "purchaseorder" && doc.Deletes.Type != "move" {
		return "", invalid("only supplier orders and transfers can be deleted")
	}
	id, ok := msapi.ParseID(doc.Deletes.ID)
	if !ok {
		return "", invalid("the document to delete has no ID in the external system")
	}
	return "entity/" + doc.Deletes.Type + "/" + string(id), nil
}

// array joins elements without changing their bytes.
func array(elements []json.RawMessage) json.RawMessage {
	size := 2
	for _, e := range elements {
		size += len(e) + 1
	}
	joined := append(make(json.RawMessage, 0, size), '[')
	for i, e := range elements {
		if i > 0 {
			joined = append(joined, ',')
		}
		joined = append(joined, e...)
	}
	return append(joined, ']')
}
