package moysklad

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/behind"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// cellOf returns the position of a column.
func cellOf(t *testing.T, r *tool.Result, name string) int {
	t.Helper()
	i := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("%s has no column %q", r.Tool, name)
	}
	return i
}

// sumOf adds up a column of a list of documents, without those that are not posted; returns take away. It reports false
// if one is in another currency, which the figure has converted.
func sumOf(t *testing.T, r *tool.Result, column string) (sum decimal.Decimal, ok bool) {
	t.Helper()
	kind := cellOf(t, r, "document_type")
	posted := slices.IndexFunc(r.Columns, func(c tool.Column) bool { return c.Name == "posted" })
	for _, row := range r.Rows {
		if posted >= 0 && row[posted].Text() == "нет" {
			continue
		}
		n := decimal.FromInt(1)
		if column != "" {
			cell := row[cellOf(t, r, column)]
			if n, _ = cell.Decimal(); cell.Currency() != "RUB" {
				return sum, false
			}
		}
		if column != "" && strings.HasSuffix(row[kind].Text(), "return") {
			n = decimal.Decimal{}.Sub(n)
		}
		sum = sum.Add(n)
	}
	return sum, true
}

// The documents behind a figure add up to it (rules R395 and R580).
func TestTheDocumentsBehindAFigureAddUpToIt(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, c := range []struct{ tool, arguments, column, of string }{
		{"moysklad_analyze", `{"measures":["sales"],"by":["counterparty"]}`, "sales", "sum"},
		{"moysklad_analyze", `{"measures":["sales"],"by":["week"],"from":"2026-10-01"}`, "sales", "sum"},
		{"moysklad_analyze", `{"measures":["sales"],"by":["quarter"],"from":"2026-08-01"}`, "sales", "sum"},
		{"moysklad_analyze", `{"measures":["revenue"],"by":["store"]}`, "revenue", "sum"},
		{"moysklad_analyze", `{"measures":["receipts"],"by":["day"]}`, "receipts", ""},
		{"moysklad_analyze", `{"measures":["revenue"],"by":["counterparty"],"compare":{"with":"previous"}}`,
			"revenue_before", "sum"},
		{"moysklad_analyze", `{"measures":["revenue"],"by":["product"]}`, "revenue", "product_sum"},
		{"moysklad_analyze", `{"measures":["orders_sum"],"by":["counterparty"]}`, "orders_sum", "sum"},
		{"moysklad_analyze", `{"measures":["unshipped"],"by":["counterparty"]}`, "unshipped", "left_sum"},
		{"moysklad_analyze", `{"measures":["unpaid"],"by":["counterparty"]}`, "unpaid", "unpaid_sum"},
		{"moysklad_analyze", `{"measures":["purchases"],"by":["month"],"from":"2026-09-01"}`, "purchases", "sum"},
		{"moysklad_analyze", `{"measures":["not_received"],"by":["counterparty"]}`, "not_received", "left_sum"},
		{"moysklad_analyze", `{"measures":["open_orders"],"by":["counterparty"]}`, "open_orders", "left_sum"},
		{"moysklad_analyze", `{"measures":["money_in"],"by":["month"],"from":"2026-09-01"}`, "money_in", "sum"},
		{"moysklad_analyze", `{"measures":["written_off"],"by":["store"]}`, "written_off", "sum"},
		{"moysklad_profitability", `{"by":"counterparty"}`, "revenue", "sum"},
		{"moysklad_profitability", `{"by":"counterparty"}`, "sales_count", ""},
		{"moysklad_profitability", `{}`, "revenue", "product_sum"},
		{"moysklad_sales_trend", `{}`, "sum", "sum"},
		{"moysklad_sales_trend", `{"interval":"month","from":"2026-09-10"}`, "sum", "sum"},
		{"moysklad_sales_trend", `{"interval":"week"}`, "sales_count", ""},
		{"moysklad_money", `{"what":"flow","interval":"month","from":"2026-09-10"}`, "income", "sum"},
		{"moysklad_money", `{"what":"flow"}`, "expense", "sum"},
		{"moysklad_abc_xyz", `{"by":"revenue"}`, "value", "product_sum"},
	} {
		name := c.tool + " " + c.arguments + " " + c.column
		r := callTool(t, a, c.tool, c.arguments)
		column, opened := cellOf(t, r, c.column), 0
		for _, row := range r.Rows {
			figure, ok := row[column].Decimal()
			call, leads := behind.Cell(r, json.RawMessage(c.arguments), row, column)
			if !ok || !leads || figure.Sign() == 0 {
				continue
			}
			list := callTool(t, a, call.Tool, string(call.Arguments))
			if got, ok := sumOf(t, list, c.of); ok && got.Round(2).Cmp(figure.Round(2)) != 0 {
				t.Errorf("%s: %s is %s, and the documents of %s have %s", name, row[0].Text(), figure,
					call.Arguments, got)
			}
			if opened++; opened == 4 {
				break
			}
		}
		if opened == 0 {
			t.Errorf("%s: no cell opens anything", name)
		}
	}
}

func isZero(v tool.Value) bool {
	n, ok := v.Decimal()
	return ok && n.Sign() == 0
}

// Names open cards and documents in every report (rule R580).
func TestNamesOpenTheirCards(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, c := range []struct{ tool, arguments, column, opens string }{
		{"moysklad_stock", `{}`, "name", "moysklad_product"},
		{"moysklad_stock_by_store", `{}`, "name", "moysklad_product"},
		{"moysklad_stock_age", `{"min_days":1}`, "name", "moysklad_product"},
		{"moysklad_shortages", `{}`, "name", "moysklad_product"},
		{"moysklad_shortages", `{}`, "supplier", "moysklad_counterparty"},
		{"moysklad_abc_xyz", `{}`, "name", "moysklad_product"},
		{"moysklad_turnover", `{}`, "name", "moysklad_product"},
		{"moysklad_forecast", `{"top":5}`, "name", "moysklad_product"},
		{"moysklad_profitability", `{}`, "name", "moysklad_product"},
		{"moysklad_profitability", `{"by":"variant"}`, "name", "moysklad_product"},
		{"moysklad_profitability", `{"by":"counterparty"}`, "name", "moysklad_counterparty"},
		{"moysklad_profitability", `{"by":"employee"}`, "name", "moysklad_analyze"},
		{"moysklad_profitability", `{"by":"sales_channel"}`, "profit", "moysklad_analyze"},
		{"moysklad_money", `{}`, "organization", "moysklad_analyze"},
		{"moysklad_money", `{}`, "account", "moysklad_analyze"},
		{"moysklad_money", `{}`, "balance", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"stores"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"groups"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"employees"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"organizations"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"sales_channels"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"projects"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"price_types"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"expense_items"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"states"}`, "name", "moysklad_analyze"},
		{"moysklad_reference", `{"kind":"suppliers"}`, "name", "moysklad_counterparty"},
		{"moysklad_stock", `{}`, "stock", "moysklad_product"},
		{"moysklad_turnover", `{}`, "name", "moysklad_product"},
		{"moysklad_overdue_orders", `{}`, "days_overdue", "moysklad_document"},
		{"moysklad_documents", `{"kinds":["customerorder"]}`, "sum", "moysklad_document"},
		{"moysklad_find_products", `{"query":"кофе"}`, "name", "moysklad_product"},
		{"moysklad_receivables", `{}`, "counterparty", "moysklad_counterparty"},
		{"moysklad_overdue_orders", `{}`, "order", "moysklad_document"},
		{"moysklad_overdue_orders", `{}`, "counterparty", "moysklad_counterparty"},
		{"moysklad_documents", `{"kinds":["customerorder"]}`, "number", "moysklad_document"},
		{"moysklad_documents", `{"kinds":["customerorder"]}`, "counterparty", "moysklad_counterparty"},
		{"moysklad_stock", `{}`, "reserve", "moysklad_documents"},
		{"moysklad_stock_by_store", `{}`, "in_transit", "moysklad_documents"},
		{"moysklad_receivables", `{}`, "owed_to_us", "moysklad_documents"},
	} {
		r := callTool(t, a, c.tool, c.arguments)
		if len(r.Rows) == 0 {
			t.Errorf("%s %s has no rows", c.tool, c.arguments)
			continue
		}
		column := cellOf(t, r, c.column)
		// nothing is behind zero
		row := slices.IndexFunc(r.Rows, func(row tool.Row) bool { return !isZero(row[column]) })
		call, ok := behind.Cell(r, json.RawMessage(c.arguments), r.Rows[max(row, 0)], column)
		if call.Tool != c.opens || ok != (c.opens != "") {
			t.Errorf("%s %s: %s opens %q, want %q", c.tool, c.arguments, c.column, call.Tool, c.opens)
		}
		if ok {
			callTool(t, a, call.Tool, string(call.Arguments))
		}
	}
}

// Every cell of a query opens something that can be read: of each measure by each dimension, and by none. What a
// figure opens adds up to it, unless values have others below them (rule R693). One in sixteen is tried, with
// STOCKHAND_TEST_QUERIES all.
func TestEveryCellOpensSomething(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	opened := 0
	for i := range Kind.Catalogue.Measures {
		m := &Kind.Catalogue.Measures[i]
		for j, d := range append([]string{""}, m.Over...) {
			if os.Getenv("STOCKHAND_TEST_QUERIES") == "" && (i+j)%16 > 0 {
				continue
			}
			dim, _ := Kind.Catalogue.Dimension(d)
			query := fmt.Sprintf(`{"measures":[%q],"by":[%q],"from":"2026-10-01","to":"2026-10-31"}`, m.Name, d)
			if d == "" {
				query = strings.Replace(query, `[""]`, "[]", 1)
			}
			r, err := tryTool(a, "moysklad_analyze", query, tool.Env{Now: noon})
			if err != nil || len(r.Rows) == 0 {
				continue // nothing to open
			}
			row := r.Rows[0]
			for column, c := range r.Columns {
				if row[column].IsEmpty() || c.Detail || c.Hidden || strings.HasSuffix(c.Name, "_id") {
					continue
				}
				call, ok := behind.Cell(r, json.RawMessage(query), row, column)
				if !ok {
					t.Errorf("%s: %s (%s) opens nothing", query, c.Name, row[column].Text())
					continue
				}
				if c.Name != m.Name && c.Name != d || call.Tool != "moysklad_analyze" {
					continue // it is opened by other tests
				}
				list, err := tryTool(a, call.Tool, string(call.Arguments), tool.Env{Now: noon})
				if err != nil {
					t.Errorf("%s: %s opens %s: %v", query, c.Name, call.Arguments, err)
					continue
				}
				opened++
				figure, known := row[column].Decimal()
				// tags are several of one customer; stock that moves between warehouses is in and out of each
				if c.Name != m.Name || !known || !m.Adds || dim != nil && dim.Nested || d == measures.DimTag ||
					strings.HasPrefix(m.Name, "income") || strings.HasPrefix(m.Name, "outcome") {
					continue
				}
				at := slices.IndexFunc(list.Columns, func(x tool.Column) bool { return x.Name == m.Name })
				if at < 0 { // others explain it
					continue
				}
				if got, _ := list.Totals[at].Decimal(); got.Cmp(figure) != 0 {
					t.Errorf("%s: %s is %s, and %s has %s", query, c.Name, figure, call.Arguments, got)
				}
			}
		}
	}
	t.Logf("%d queries opened", opened)
}

// closed are the tables of cards that say facts, and not what is computed of others; and what is computed within them.
var closed = []string{"Реквизиты", "Карточка", "Цены", "История статусов", "lead_days", "lead_orders", "days_of_cover",
	"in_bundles"}

// Every cell of every report opens something that can be read (rule R693), but for the facts of cards.
func TestEveryReportOpensSomething(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	first := func(name, arguments string) string {
		r := callTool(t, a, name, arguments)
		return cell(t, r, r.Rows[0], "id").Text()
	}
	product, partner := first("moysklad_stock", `{}`), first("moysklad_receivables", `{"direction":"both"}`)
	shipment := first("moysklad_documents", `{"kinds":["demand"]}`)
	for _, c := range [][2]string{
		{"moysklad_stock", `{}`}, {"moysklad_stock_by_store", `{}`}, {"moysklad_shortages", `{"days":21}`},
		{"moysklad_stock_age", `{"min_days":1}`}, {"moysklad_turnover", `{}`}, {"moysklad_profitability", `{}`},
		{"moysklad_profitability", `{"by":"sales_channel"}`}, {"moysklad_money", `{}`},
		{"moysklad_money", `{"what":"flow"}`}, {"moysklad_money", `{"what":"flow","interval":"hour"}`},
		{"moysklad_sales_trend", `{"interval":"month","compare":true}`}, {"moysklad_sales_trend", `{"interval":"hour"}`},
		{"moysklad_receivables", `{"direction":"both"}`}, {"moysklad_abc_xyz", `{}`},
		{"moysklad_account_overview", `{}`}, {"moysklad_overdue_orders", `{}`}, {"moysklad_documents", `{}`},
		{"moysklad_lookup", `{"entity":"product"}`}, {"moysklad_lookup", `{"entity":"counterparty"}`},
		{"moysklad_lookup", `{"entity":"paymentout"}`}, {"moysklad_forecast", `{"weeks":4}`},
		{"moysklad_document", `{"id":"` + shipment + `","kind":"demand"}`},
		{"moysklad_product", `{"product":"` + product + `"}`},
		{"moysklad_counterparty", `{"counterparty":"` + partner + `"}`},
	} {
		r := callTool(t, a, c[0], c[1])
		if len(r.Rows) == 0 {
			t.Errorf("%s has no rows", c)
		}
		parts := append(slices.Clone(r.Parts), tool.Part{Rows: len(r.Rows)})
		at, opened := 0, map[string]bool{}
		for _, p := range parts[:max(len(r.Parts), 1)] {
			for _, row := range r.Rows[at : at+min(3, p.Rows)] {
				for i, column := range r.Columns {
					if row[i].IsEmpty() || isZero(row[i]) || column.Detail || column.Hidden || column.Name == "id" ||
						strings.HasSuffix(column.Name, "_id") || column.Name == tool.PartColumn ||
						slices.Contains(closed, p.Title) || slices.Contains(closed, column.Name) {
						continue
					}
					call, ok := behind.Cell(r, json.RawMessage(c[1]), row, i)
					if !ok {
						t.Errorf("%s %q: %s opens nothing", c, p.Title, column.Name)
					}
					if key := call.Tool + string(call.Arguments); ok && !opened[key] && len(opened) < 12 {
						opened[key] = true
						callTool(t, a, call.Tool, string(call.Arguments))
					}
				}
			}
			at += p.Rows
		}
	}
}

// Every measure that opens documents is one of the catalogue's.
func TestMeasuresThatOpenDocumentsExist(t *testing.T) {
	for _, name := range behind.Measures() {
		if _, ok := Kind.Catalogue.Measure(name); !ok {
			t.Errorf("there is no measure %q", name)
		}
	}
}
