// Package behind opens what is behind a cell of a table: the card of a good or of a counterparty, a document, or the
// documents of a row.
package behind

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Cell returns the call that shows what is behind a cell; see [connector.Behind].
func Cell(r *tool.Result, arguments json.RawMessage, row tool.Row, column int) (connector.Call, bool) {
	c := cell{result: r, row: row, asked: arguments}
	name := r.Columns[column].Name
	switch {
	case goods[name]:
		return c.card("moysklad_product", "product", name, tool.Text{RU: "Карточка товара", EN: "Product card"})
	case partners[name]:
		return c.card("moysklad_counterparty", "counterparty", name,
			tool.Text{RU: "Карточка контрагента", EN: "Counterparty card"})
	case name == "number" && c.text("id") != "":
		return c.call("moysklad_document", document(c.text("id"), c.kind()),
			tool.Text{RU: "Документ " + c.text("number"), EN: "Document " + c.text("number")})
	}
	return c.documents(name)
}

// The columns that name something with a card.
var (
	goods    = map[string]bool{"product": true, "variant": true, "name": true, "good": true}
	partners = map[string]bool{"counterparty": true, "supplier": true, "customer": true}
)

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

// kind returns the type of the row's document, which the address of its page has: …/app/#customerorder/edit?id=….
func (c cell) kind() string {
	if c.result.Tool == "moysklad_overdue_orders" {
		return "customerorder"
	}
	_, page, _ := strings.Cut(c.text("link"), "#")
	kind, _, _ := strings.Cut(page, "/")
	return kind
}

// card opens the card of what a column names, if the row has its ID: names are not unique.
func (c cell) card(name, argument, column string, title tool.Text) (connector.Call, bool) {
	id := c.text(column + "_id")
	if id == "" && goods[column] {
		id = c.text("product_id")
	}
	if id == "" || c.text(column) == "" {
		return connector.Call{}, false
	}
	arguments := map[string]any{argument: id}
	if p := c.result.Provenance.Period; p != nil {
		arguments["from"], arguments["to"] = p.From, p.To
	}
	title.RU, title.EN = title.RU+" «"+c.text(column)+"»", title.EN+" “"+c.text(column)+"”"
	return c.call(name, arguments, title)
}

// kinds are the documents that the figures of a measure come from.
var kinds = map[string][]string{
	"revenue": {"demand", "retaildemand", "salesreturn", "retailsalesreturn"}, "sales": {"demand", "retaildemand"},
	"profit": {"demand", "retaildemand", "salesreturn", "retailsalesreturn"}, "quantity": {"demand", "retaildemand"},
	"receipts": {"demand", "retaildemand"}, "returns": {"salesreturn", "retailsalesreturn"},
	"quantity_returned": {"salesreturn", "retailsalesreturn"},
	"cost":              {"demand", "retaildemand", "salesreturn", "retailsalesreturn"},
	"orders":            {"customerorder"}, "orders_sum": {"customerorder"},
	"ordered": {"purchaseorder"}, "purchase_sum": {"supply"}, "received": {"supply"},
	"money_in": {"paymentin", "cashin"}, "money_out": {"paymentout", "cashout"},
	"written_off": {"loss"}, "surplus": {"enter"}, "transferred": {"move"},
}

// filters are the conditions of the list of documents, by the dimension that they are about.
var filters = map[string]string{"product": "products", "variant": "products", "counterparty": "counterparties",
	"store": "stores", "employee": "employees", "legal_entity": "legal_entities", "project": "projects"}

// documents lists the documents that a figure comes from, if the list can have all conditions of the row. A figure
// whose documents cannot be found exactly leads nowhere: a longer list would look like its explanation.
func (c cell) documents(measure string) (connector.Call, bool) {
	types, ok := kinds[measure]
	period := c.result.Provenance.Period
	if !ok || period == nil || c.result.Tool != "moysklad_analyze" {
		return connector.Call{}, false
	}
	from, to := period.From, period.To
	arguments := map[string]any{"kinds": types}
	var query analysis.Query
	if json.Unmarshal(c.asked, &query) != nil {
		return connector.Call{}, false
	}
	for _, w := range query.Where {
		named := w.Op == analysis.Equal || w.Op == analysis.In
		if filters[w.Field] == "" || !named || arguments[filters[w.Field]] != nil {
			return connector.Call{}, false
		}
		arguments[filters[w.Field]] = w.Values
	}
	var about []string
	for i, column := range c.result.Columns {
		if column.Unit != tool.UnitText || column.Detail || strings.HasSuffix(column.Name, "_id") {
			continue
		}
		label := c.row[i].Text()
		if a, b, ok := days(label); ok && times[column.Name] {
			from, to = max(from, a), min(to, b)
			continue
		}
		id := c.text(column.Name + "_id")
		if filters[column.Name] == "" || id == "" {
			return connector.Call{}, false
		}
		arguments[filters[column.Name]] = []string{id}
		about = append(about, label)
	}
	arguments["from"], arguments["to"] = from, to
	span := func(day func(tool.Day) string) string {
		if from == to {
			return day(from)
		}
		return day(from) + " – " + day(to)
	}
	name := strings.Join(append(about, ""), ", ")
	return c.call("moysklad_documents", arguments, tool.Text{
		RU: "Документы: " + name + span(func(d tool.Day) string { return d.Format("ru") }),
		EN: "Documents: " + name + span(func(d tool.Day) string { return d.Format("en") })})
}

var times = map[string]bool{"day": true, "week": true, "month": true, "quarter": true, "year": true}

// days returns the first and the last day of a day, a month or a year as tables name them.
func days(label string) (from, to tool.Day, ok bool) {
	for _, layout := range []string{"02.01.2006", "2 Jan 2006", time.DateOnly} {
		if t, err := time.Parse(layout, label); err == nil {
			return tool.DayOf(t), tool.DayOf(t), true
		}
	}
	if t, err := time.Parse("2006-01", label); err == nil {
		return tool.DayOf(t), tool.DayOf(t.AddDate(0, 1, -1)), true
	}
	if t, err := time.Parse("2006", label); err == nil {
		return tool.DayOf(t), tool.DayOf(t.AddDate(1, 0, -1)), true
	}
	return "", "", false
}
