package msapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Document is a document of any type. Fields that its type does not have stay zero. Sums are in minor units of Rate's
// currency.
type Document struct {
	Kind         string           `json:"-"` // its type: "customerorder", "paymentin", …
	ID           ID               `json:"id"`
	Name         string           `json:"name"` // its number
	Link         string           `json:"-"`    // its page in the web application; empty if the response has none
	Moment       Moment           `json:"moment"`
	Planned      Moment           `json:"deliveryPlannedMoment"` // when it should be shipped or delivered
	PayBy        Moment           `json:"paymentPlannedMoment"`  // of invoices
	Created      Moment           `json:"created"`
	Updated      Moment           `json:"updated"`
	Applicable   *bool            `json:"applicable"` // posted; nil for types that are not posted, such as stocktakings
	Agent        Ref              `json:"agent"`
	Organization Ref              `json:"organization"`
	Store        Ref              `json:"store"`
	From         Ref              `json:"sourceStore"` // of transfers
	To           Ref              `json:"targetStore"`
	Materials    Ref              `json:"materialsStore"` // of productions
	Products     Ref              `json:"productsStore"`
	State        Ref              `json:"state"` // zero if it has no state
	Owner        Ref              `json:"owner"`
	Project      Ref              `json:"project"`
	Contract     Ref              `json:"contract"`
	SalesChannel Ref              `json:"salesChannel"`
	ExpenseItem  Ref              `json:"expenseItem"` // of outgoing payments
	Rate         Rate             `json:"rate"`
	Sum          decimal.Maybe    `json:"sum"`
	Paid         decimal.Maybe    `json:"payedSum"`
	Shipped      decimal.Maybe    `json:"shippedSum"` // of orders: shipped or received
	Reserved     decimal.Maybe    `json:"reservedSum"`
	VAT          decimal.Maybe    `json:"vatSum"`
	Description  string           `json:"description"`
	Purpose      string           `json:"paymentPurpose"` // of payments
	Incoming     string           `json:"incomingNumber"`
	Address      string           `json:"shipmentAddress"`
	Positions    []Position       `json:"-"` // only if the query asks for them; always complete
	Links        []Linked         `json:"-"` // documents that it names; only of one that is read alone
	Attributes   []AttributeValue `json:"attributes"`
}

// Posted reports whether the document counts in figures. A type that is not posted always does.
func (d *Document) Posted() bool { return d.Applicable == nil || *d.Applicable }

// Linked is a document that another one names.
type Linked struct {
	Ref
	Field string        // the field that names it: "demands", "payments", …
	Sum   decimal.Maybe // of a payment: how much of it belongs to the document, in minor units of the payment
}

// DocumentQuery restricts a list of documents of one type. Unposted documents are included unless Posted is set.
type DocumentQuery struct {
	IDs           []ID     // nil for all
	Number        string   // part of the number
	Numbers       []string // exactly one of these
	Text          string   // part of the comment
	Posted        *bool
	Stores        []ID
	Target        bool // Stores are those that a transfer brings goods to
	Agents        []ID
	Organizations []ID
	Owners        []ID
	Projects      []ID
	States        []ID
	NoState       bool  // with States: also documents without a state; alone: only those
	Goods         []Ref // documents with a line of one of these
	From, To      time.Time
	PlannedFrom   time.Time
	PlannedBefore time.Time     // orders without a planned time never match
	SumFrom       decimal.Maybe // in minor units of the document's currency
	SumTo         decimal.Maybe
	Positions     bool // include lines: 100 documents per request instead of 1,000
	Named         bool // include names of counterparties: 100 per request (fact M18)
	Newest        int  // only so many, the newest first; zero means all, by ID
}

// Documents lists the documents of a type by ID. The newest of more goods than fit into one request are not those of
// all.
func (r *Reader) Documents(ctx context.Context, kind string, q DocumentQuery) iter.Seq2[Document, error] {
	if err := checkIDs(q.IDs, q.Stores, q.Agents, q.Organizations, q.Owners, q.Projects, q.States); err != nil {
		return failed[Document](err)
	}
	l := listing{path: "entity/" + kind, params: url.Values{}, order: "id", filter: r.documentFilter(kind, q)}
	if l.only(q.IDs); q.Goods != nil {
		var hrefs []string
		for _, g := range q.Goods {
			hrefs = append(hrefs, r.href(g.Type, g.ID))
		}
		l.split, l.none = alternatives("assortment", hrefs), len(hrefs) == 0
	}
	if q.Newest > 0 {
		l.order, l.first = "moment,desc;id", q.Newest
	}
	var expand []string
	if q.Positions {
		expand = append(expand, "positions")
	}
	if q.Named {
		expand = append(expand, "agent")
	}
	l.expand(expand...)
	return convert(list[wireDocument](ctx, r, l), func(w *wireDocument) (d Document, err error) {
		d = w.document(kind)
		if q.Positions {
			d.Positions, err = whole(ctx, r, w.Positions, l.path+"/"+string(w.ID)+"/positions")
		}
		return d, err
	})
}

func (r *Reader) documentFilter(kind string, q DocumentQuery) Filter {
	f := Filter{}
	if q.Number != "" {
		f = f.Where("name", Contains, q.Number)
	}
	f = f.Where("name", Eq, q.Numbers...)
	if q.Text != "" {
		f = f.Where("description", Contains, q.Text)
	}
	f = f.posted(q.Posted)
	store := "store"
	if q.Target {
		store = "agentStore" // fact M24
	}
	f = r.are(f, store, "store", q.Stores)
	f = r.are(f, "agent", "counterparty", q.Agents)
	f = r.are(f, "organization", "organization", q.Organizations)
	f = r.are(f, "owner", "employee", q.Owners)
	f = r.are(f, "project", "project", q.Projects)
	f = r.are(f, "state", kind+"/metadata/states", q.States)
	if q.NoState {
		f = f.Where("state", Eq, "")
	}
	f = f.dated(q.From, q.To, q.PlannedBefore)
	if !q.PlannedFrom.IsZero() {
		f = f.Where("deliveryPlannedMoment", GreaterEq, FormatMoment(q.PlannedFrom))
	}
	if q.SumFrom.Known {
		f = f.Where("sum", GreaterEq, q.SumFrom.String())
	}
	if q.SumTo.Known {
		f = f.Where("sum", LessEq, q.SumTo.String())
	}
	return f
}

// Document reads one document, without its lines.
func (r *Reader) Document(ctx context.Context, kind string, id ID) (Document, error) {
	if err := checkIDs([]ID{id}); err != nil {
		return Document{}, err
	}
	raw, err := one[json.RawMessage](ctx, r, "entity/"+kind+"/"+string(id), nil)
	if err != nil {
		return Document{}, err
	}
	var w wireDocument
	if err := json.Unmarshal(raw, &w); err != nil {
		return Document{}, shaped(err)
	}
	d := w.document(kind)
	d.Links, err = linked(raw)
	return d, err
}

// DocumentStates lists the states of a type of documents. A document may have none.
func (r *Reader) DocumentStates(ctx context.Context, kind string) ([]State, error) {
	m, err := one[struct {
		States []State `json:"states"`
	}](ctx, r, "entity/"+kind+"/metadata", nil)
	return m.States, err
}

// links are the fields that name other documents: one link, or a list of them.
var links = []string{
	"customerOrder", "purchaseOrder", "internalOrder", "demand", "supply", "salesReturn", "inventory",
	"purchaseOrders", "demands", "supplies", "returns", "moves", "enters", "losses", "invoicesOut", "invoicesIn",
	"payments", "operations",
}

type wireDocument struct {
	Document
	Meta struct {
		Link string `json:"uuidHref"`
	} `json:"meta"`
	Positions *rows[Position] `json:"positions"`
}

func (w *wireDocument) key() Key { return w.ID.Key() }

func (w *wireDocument) document(kind string) Document {
	d := w.Document
	d.Kind = kind
	if strings.HasPrefix(w.Meta.Link, "https://") {
		d.Link = w.Meta.Link
	}
	return d
}

// linked returns the documents that a document names, which are under names that differ by type.
func linked(document []byte) (found []Linked, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(document, &fields); err != nil {
		return nil, err
	}
	for _, field := range links {
		raw, ok := fields[field]
		if !ok {
			continue
		}
		if raw[0] != '[' {
			raw = append(append([]byte{'['}, raw...), ']')
		}
		var list []struct {
			Sum decimal.Maybe `json:"linkedSum"`
		}
		var refs []Ref
		if json.Unmarshal(raw, &refs) != nil || json.Unmarshal(raw, &list) != nil {
			continue // a field of another shape under this name is not a link
		}
		for i, ref := range refs {
			if ref.ID != "" {
				found = append(found, Linked{Ref: ref, Field: field, Sum: list[i].Sum})
			}
		}
	}
	return found, nil
}
