// Package behind opens what is behind a cell of a table: the card of a good or of a counterparty, a document, or the
// documents that a figure comes from.
package behind

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Cell returns the call that shows what is behind a cell; see [connector.Behind]. That is the card or the document
// which the cell names, the documents of a figure, the query of the row alone, or what the row is about.
func Cell(r *tool.Result, arguments json.RawMessage, row tool.Row, column int) (connector.Call, bool) {
	c := cell{result: r, row: row, asked: arguments}
	name := r.Columns[column].Name
	for _, open := range []func(string) (connector.Call, bool){c.named, c.documents, c.narrowed} {
		if call, ok := open(name); ok {
			return call, true
		}
	}
	call, ok := c.aside()
	call.Aside = true
	return call, ok
}

// named opens what a cell names.
func (c cell) named(name string) (connector.Call, bool) {
	label := c.text(name)
	what, id := c.thing(name)
	switch {
	case id == "" || label == "":
	case what == good:
		return c.card("moysklad_product", "product", id, tool.Text{RU: "Карточка товара «" + label + "»",
			EN: "Product card “" + label + "”"})
	case what == partner:
		return c.card("moysklad_counterparty", "counterparty", id,
			tool.Text{RU: "Карточка контрагента «" + label + "»", EN: "Counterparty card “" + label + "”"})
	case what == paper:
		if name == "number" || name == "order" {
			return c.call("moysklad_document", document(id, c.kind()),
				tool.Text{RU: "Документ " + label, EN: "Document " + label})
		}
		return c.call("moysklad_document", document(id, c.kind()), tool.Text{RU: label, EN: label})
	}
	return connector.Call{}, false
}

// aside opens what the row is about: its documents, its subject, or the first of its cells that names something.
func (c cell) aside() (connector.Call, bool) {
	if c.result.Tool == "moysklad_account_overview" {
		return c.indicated()
	}
	if f, ok := figures[c.result.Tool][sums[c.result.Tool]]; ok {
		return c.ofDays(f)
	}
	if s := c.subject(); s.column != "" {
		if call, ok := c.named(s.column); ok {
			return call, true
		}
	}
	for _, column := range c.result.Columns {
		if call, ok := c.named(column.Name); ok {
			return call, true
		}
	}
	return connector.Call{}, false
}

// What a name in a table can be of.
const (
	good    = "product"
	partner = "counterparty"
	paper   = "document"
)

// nouns are the columns that name something with a card of its own.
var nouns = map[string]string{"product": good, "variant": good, "name": good, "good": good, "counterparty": partner,
	"supplier": partner, "customer": partner, "document": paper, "number": paper}

// subject is what each row of a result is about: the column with its name, and what it is. The column "id" has its ID.
type subject struct{ column, what string }

var subjects = map[string]subject{
	"moysklad_stock": {"name", good}, "moysklad_stock_by_store": {"name", good}, "moysklad_stock_age": {"name", good},
	"moysklad_shortages": {"name", good}, "moysklad_abc_xyz": {"name", good}, "moysklad_turnover": {"name", good},
	"moysklad_forecast": {"name", good}, "moysklad_find_products": {"name", good},
	"moysklad_receivables":    {"counterparty", partner},
	"moysklad_overdue_orders": {"order", paper}, "moysklad_documents": {"number", paper},
	"moysklad_document": {"name", paper}, // a linked document
}

type cell struct {
	result *tool.Result
	row    tool.Row
	asked  json.RawMessage
}

func (c cell) text(column string) string {
	i := slices.IndexFunc(c.result.Columns, func(x tool.Column) bool { return x.Name == column })
	if i < 0 {
		return ""
	}
	return c.row[i].Text()
}

// subject returns what the row is about.
func (c cell) subject() subject {
	var asked struct {
		By     string `json:"by"`
		Kind   string `json:"kind"`
		Entity string `json:"entity"`
	}
	_ = json.Unmarshal(c.asked, &asked) // a call without it is by product
	switch c.result.Tool {
	case "moysklad_profitability":
		switch asked.By {
		case "", "variant":
			asked.By = good
		}
		return subject{"name", asked.By}
	case "moysklad_lookup":
		switch asked.Entity {
		case "product", "variant", "bundle", "service":
			return subject{"name", good}
		case "counterparty":
			return subject{"name", partner}
		}
		return subject{"number", paper}
	case "moysklad_reference":
		if asked.Kind == "suppliers" || asked.Kind == "counterparties" {
			return subject{"name", partner}
		}
		return subject{}
	}
	return subjects[c.result.Tool]
}

// thing returns what a column names, and its ID: the one beside it, or the one of what the row is about.
func (c cell) thing(column string) (what, id string) {
	what = nouns[column]
	if id = c.text(column + "_id"); id != "" || what == "" && column != c.subject().column {
		return what, id
	}
	switch {
	case what == good && c.text("product_id") != "":
		return good, c.text("product_id")
	case what == paper && c.text("document_id") != "":
		return paper, c.text("document_id")
	case column == c.subject().column:
		return c.subject().what, c.text("id")
	}
	return what, ""
}

func (c cell) call(name string, arguments map[string]any, title tool.Text) (connector.Call, bool) {
	raw, err := json.Marshal(arguments)
	return connector.Call{Tool: name, Arguments: raw, Title: title}, err == nil
}

// document are the arguments that open a document. Without its kind, a request for every kind looks for it.
func document(id, kind string) map[string]any {
	arguments := map[string]any{"id": id}
	if kind != "" {
		arguments["kind"] = kind
	}
	return arguments
}

// kind returns the kind of the document of a row, if it says so: in a column, or with its link, which has it after the
// "#".
func (c cell) kind() string {
	switch c.result.Tool {
	case "moysklad_overdue_orders":
		return "customerorder"
	case "moysklad_lookup":
		var asked struct {
			Entity string `json:"entity"`
		}
		_ = json.Unmarshal(c.asked, &asked)
		return asked.Entity
	}
	if kind := c.text("document_type"); kind != "" {
		return kind
	}
	_, page, _ := strings.Cut(c.text("link"), "#")
	kind, _, _ := strings.Cut(page, "/")
	return kind
}

func (c cell) card(name, argument, id string, title tool.Text) (connector.Call, bool) {
	arguments := map[string]any{argument: id}
	if p := c.result.Provenance.Period; p != nil {
		arguments["from"], arguments["to"] = p.From, p.To
	}
	return c.call(name, arguments, title)
}
