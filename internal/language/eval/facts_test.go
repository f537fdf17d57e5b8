package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

// fact is one part of what a call means. Calls of different tools that mean the same have the same facts.
type fact struct {
	kind      string // measure, by, where, order, period, goal, line, list …
	field, op string
	value     string
	mild      bool // a default, or what the answer contains anyway: it restricts nothing
}

// meaning is what the calls of a turn ask for.
type meaning struct {
	tools  []string
	facts  []fact
	period *tool.Period // of sales and the like; nil: the figures hold now
	stated bool         // the call names the period
	other  *tool.Period // compared with
}

func (m *meaning) add(kind, field, op, value string) {
	// labels do not tell accounts and cash desks apart
	m.facts = append(m.facts, fact{kind: kind, field: field, op: op, value: value,
		mild: kind == "where" && field == "account"})
}

func (m *meaning) shows(names ...string) {
	for _, n := range names {
		m.facts = append(m.facts, fact{kind: "measure", field: n, mild: true})
	}
}

func (m *meaning) by(names ...string) {
	for _, n := range names {
		m.facts = append(m.facts, fact{kind: "by", field: n, mild: true})
	}
}

// shape is what a tool answers without arguments.
type shape struct {
	measures, by []string
	period       bool // it has one, by default the last 30 days
}

var shapes = map[string]shape{
	"stock": {measures: []string{"stock", "free", "reserve", "in_transit", "available", "stock_cost", "unit_cost",
		"sale_price"}, by: []string{"product"}},
	"stock_by_store": {measures: []string{"stock", "free", "reserve", "in_transit"}, by: []string{"product", "store"}},
	"shortages": {measures: []string{"shortages", "shortage", "to_order", "days_of_cover"},
		by: []string{"product"}},
	"stock_age": {measures: []string{"days_in_stock", "stock", "stock_cost"}, by: []string{"product"}},
	"turnover": {measures: []string{"turnover", "income", "outcome", "stock_at_start", "stock_at_end", "outcome_cost"},
		by: []string{"product"}, period: true},
	"profitability": {measures: []string{"revenue", "profit", "margin", "quantity"}, by: []string{"product"},
		period: true},
	"money": {measures: []string{"balance"}, by: []string{"account", "legal_entity"}},
	"overdue_orders": {measures: []string{"overdue_orders", "overdue_days", "unshipped"},
		by: []string{"document", "counterparty"}},
	"sales_trend":      {measures: []string{"sales", "receipts", "revenue"}, period: true},
	"receivables":      {by: []string{"counterparty"}},
	"abc_xyz":          {measures: []string{"abc"}, by: []string{"product", "abc"}, period: true},
	"find_products":    {measures: []string{"search", "sale_price", "stock", "article"}, by: []string{"product"}},
	"reference":        {},
	"account_overview": {measures: []string{"overview"}},
	"documents":        {measures: []string{"documents"}, by: []string{"document", "counterparty"}, period: true},
	"document":         {measures: []string{"document", "order_state", "documents"}},
	"product": {measures: []string{"card", "sale_price", "stock", "last_sale", "last_purchase", "last_purchase_price",
		"card_purchase_price", "supplier", "movements", "article", "pace", "days_of_cover", "sets"}, period: true},
	"counterparty": {measures: []string{"card", "phone", "owed_to_us", "owed_by_us", "revenue", "receipts", "sales",
		"orders"}, period: true},
	"forecast": {measures: []string{"forecast", "run_out", "days_of_cover"}, by: []string{"product"}},
}

// documentMeasures are what the sums of documents of a type say.
var documentMeasures = map[string][]string{"purchaseorder": {"open_orders", "not_received", "ordered", "expected_on"},
	"supply": {"purchases", "deliveries"}, "demand": {"sales", "receipts", "shipments"},
	"retaildemand": {"sales", "receipts"}, "customerorder": {"orders", "orders_sum"}, "salesreturn": {"returns"},
	"loss": {"written_off"}, "enter": {"surplus"}, "invoiceout": {"invoices"}, "invoicein": {"invoices"},
	"paymentin": {"money_in"}, "cashin": {"money_in"}, "paymentout": {"money_out"}, "cashout": {"money_out"}}

// readCalls returns what calls mean together.
func readCalls(calls []call) *meaning {
	m := &meaning{}
	for _, c := range calls {
		m.read(strings.TrimPrefix(c.Tool, "moysklad_"), c.Arguments)
	}
	return m
}

func (m *meaning) read(name string, arguments json.RawMessage) {
	m.tools = append(m.tools, name)
	var in map[string]any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		m.add("other", "arguments", "", string(arguments))
		return
	}
	if name == "analyze" {
		m.query(arguments)
		return
	}
	s := shapes[name]
	m.shows(s.measures...)
	if by, ok := in["by"].(string); ok && name == "profitability" {
		m.by(by)
	} else {
		m.by(s.by...)
	}
	if strings.HasPrefix(name, "propose_") {
		m.add("draft", strings.TrimPrefix(name, "propose_"), "", "")
	}
	if s.period || name == "money" && in["what"] == "flow" {
		m.setPeriod(text(in["from"]), text(in["to"]))
	} else if in["from"] != nil {
		m.facts = append(m.facts, fact{kind: "pace period", value: text(in["from"]) + ".." + text(in["to"]),
			mild: true})
	}
	if in["due_from"] != nil { // the planned day is the period of what is to be done
		m.setPeriod(text(in["due_from"]), text(in["due_to"]))
	}
	for _, k := range sortedKeys(in) {
		m.argument(name, k, in[k])
	}
	m.compare(in)
	m.defaults(name, in)
}

// defaults adds what a tool does when an argument is absent.
func (m *meaning) defaults(name string, in map[string]any) {
	switch name {
	case "profitability":
		m.facts = append(m.facts, fact{kind: "order", field: cmp.Or(text(in["order"]), "profit"),
			value: cmp.Or(text(in["direction"]), "desc"), mild: true})
	case "stock":
		if in["order"] == "value" {
			m.facts = append(m.facts, fact{kind: "order", field: "stock_cost", value: "desc", mild: true})
		}
		if in["only"] == nil {
			m.facts = append(m.facts, fact{kind: "where", field: "stock", op: ">", value: "0", mild: true})
		}
	case "receivables":
		switch cmp.Or(text(in["direction"]), "both") {
		case "owed_to_us":
			m.shows("owed_to_us")
			m.greatestFirst("owed_to_us")
		case "owed_by_us":
			m.shows("owed_by_us")
			m.greatestFirst("owed_by_us")
		default:
			m.shows("owed_to_us", "owed_by_us")
		}
	case "money":
		if in["what"] == "flow" {
			m.facts = slices.DeleteFunc(m.facts, func(f fact) bool {
				return f.kind == "by" && (f.field == "account" || f.field == "legal_entity")
			})
			m.shows("money_in", "money_out", "net_flow")
			m.facts = slices.DeleteFunc(m.facts, func(f fact) bool { return f.field == "balance" })
		}
	case "documents":
		for i := range m.facts { // the types of documents are what the list is of
			m.facts[i].mild = m.facts[i].mild || m.facts[i].field == "document kind" ||
				m.facts[i].field == "not_received"
		}
		for _, kind := range values(in["kinds"]) {
			m.shows(documentMeasures[kind]...)
		}
	case "propose_minimum_stock": // enough for the days until a delivery and for those of safety
		if in["lead_days"] != nil {
			m.facts = append(m.facts, fact{kind: "horizon", field: "days", mild: true,
				value: fmt.Sprint(toInt(text(in["lead_days"])) + toInt(text(in["safety_days"])))})
		}
	case "propose_price_change":
		if in["price_type"] == nil { // the first one; the answer names it
			m.facts = append(m.facts, fact{kind: "where", field: "price_type", op: "=", value: "Цена продажи",
				mild: true})
		}
	case "stock_age":
		if in["min_days"] == nil {
			m.facts = append(m.facts, fact{kind: "where", field: "days_in_stock", op: ">=", value: "90", mild: true})
		}
	default:
	}
}

// greatestFirst adds the order in which a tool gives its rows, from the greatest.
func (m *meaning) greatestFirst(field string) {
	m.facts = append(m.facts, fact{kind: "order", field: field, value: "desc", mild: true})
}

func (m *meaning) setPeriod(from, to string) {
	p := tool.Period{From: tool.Day(from), To: tool.Day(to)}
	m.stated = m.stated || from != ""
	if p.From == "" {
		p = tool.Period{From: unseenDay.Add(-29), To: unseenDay}
	}
	if p.To == "" || p.To > unseenDay && p.From <= unseenDay {
		p.To = unseenDay
	}
	m.period = &p
}

// lists are arguments that hold names, with the fields that they restrict.
var lists = map[string]string{"stores": "store", "groups": "group", "suppliers": "supplier", "products": "product",
	"counterparties": "counterparty", "employees": "employee", "projects": "project", "legal_entities": "legal_entity",
	"states": "state", "from_stores": "from store", "kinds": "document kind"}

func (m *meaning) argument(name, key string, value any) {
	if field, ok := lists[key]; ok {
		for _, v := range values(value) {
			m.add("where", field, "=", demoShop().name(v))
		}
		return
	}
	v := text(value)
	switch key {
	case "from", "to", "order", "direction", "compare", "compare_from", "compare_to", "due_to":
	case "due_from": // set by the caller
	case "place", "currency":
		m.facts = append(m.facts, fact{kind: "money in", value: v, mild: true})
	case "by":
		if name != "profitability" {
			m.shows(v)
		}
	case "what", "prefer", "fresh", "organization", "components", "top", "history", "lead_days", "safety_days":
	case "interval":
		m.by(v)
	case "at":
		m.add("at", "", "", v)
	case "only":
		m.only(v)
	case "mode":
		m.add("mode", v, "", "")
	case "days", "weeks":
		m.add("horizon", key, "", v)
	case "min_days":
		m.add("where", map[bool]string{true: "overdue_days", false: "days_in_stock"}[name == "overdue_orders"], ">=", v)
	case "min_amount":
		m.add("where", "debt", ">=", v)
	case "minimum":
		m.add("where", "minimum", "=", v)
	case "sum_from":
		m.add("where", "sum", ">=", v)
	case "sum_to":
		m.add("where", "sum", "<=", v)
	case "min_price":
		m.add("where", "price", ">=", v)
	case "max_price":
		m.add("where", "price", "<=", v)
	case "min_margin":
		m.add("where", "margin", ">=", v)
	case "at_least":
		m.add("where", "quantity", ">=", v)
	case "at_most":
		m.add("where", "quantity", "<=", v)
	case "over_cost", "over_purchase":
		m.add("goal", "floor", "", map[bool]string{true: "cost", false: "purchase price"}[key == "over_cost"])
	case "percent", "markup", "margin", "price", "amount", "budget", "delivery", "min_order", "multiple", "keep":
		m.add("goal", key, "", v)
	case "price_type":
		m.add("where", "price_type", "=", demoShop().name(v))
	case "store", "product", "counterparty":
		m.add("where", key, "=", demoShop().name(v))
	case "limit":
		m.add("limit", "", "", v)
	case "kind":
		m.add("list", v, "", "")
	case "query":
		m.add("search", "", "", v)
	case "number":
		m.add("number", "", "", v)
	case "everything", "unpaid", "unshipped", "not_received", "overdue", "posted", "unsold", "forecast",
		"transfer_first":
		m.add("flag", key, "", v)
	case "items":
		m.items(value)
	case "round":
		m.add("round", "", "", encode(value))
	case "rows_of":
		m.rowsOf(value)
	case "where":
		m.conditions(value)
	case "except":
		m.exceptions(value)
	case tool.InsteadDraft: // which draft it replaces is no condition
	default:
		m.add("other", key, "", encode(value))
	}
}

func (m *meaning) compare(in map[string]any) {
	switch {
	case m.period == nil:
	case in["compare_from"] != nil:
		m.other = &tool.Period{From: tool.Day(text(in["compare_from"])), To: tool.Day(text(in["compare_to"]))}
	case in["compare"] == true:
		if other, err := analysis.Other(*m.period, analysis.Comparison{With: analysis.Previous}); err == nil {
			m.other = &other
		}
	}
}

func (m *meaning) only(v string) {
	switch v {
	case "negative":
		m.add("where", "stock", "<", "0")
	case "zero":
		m.add("where", "stock", "=", "0")
	case "in_stock":
		m.facts = append(m.facts, fact{kind: "where", field: "stock", op: ">", value: "0", mild: true})
	default:
	}
}

func (m *meaning) items(value any) {
	list, _ := value.([]any)
	for _, x := range list {
		if item, ok := x.(map[string]any); ok {
			m.add("line", demoShop().name(text(item["product"])), text(item["quantity"]), text(item["price"]))
		}
	}
}

// rowsOf reads a reference to rows: of a result, or of a query, which is then what the call means.
func (m *meaning) rowsOf(value any) {
	in, _ := value.(map[string]any)
	q, _ := in["query"].(map[string]any)
	if q == nil {
		m.add("rows", "", "", encode(value))
		return
	}
	m.facts = append(m.facts, fact{kind: "rows", mild: true})
	at := len(m.facts)
	m.conditions(q["where"])
	for i := at; i < len(m.facts) && in["column"] == "stock"; i++ { // all of the stock of the warehouse that sends
		m.facts[i].mild = m.facts[i].field == "stock" || m.facts[i].field == "store"
	}
	if q["limit"] != nil {
		m.add("limit", "", "", text(q["limit"]))
	}
}

func (m *meaning) conditions(value any) {
	list, _ := value.([]any)
	for _, x := range list {
		if w, ok := x.(map[string]any); ok {
			m.condition(text(w["field"]), analysis.Op(text(w["op"])), values(w["values"]))
		}
	}
}

// exceptions adds the goods that a draft leaves out.
func (m *meaning) exceptions(value any) {
	in, _ := value.(map[string]any)
	for _, k := range sortedKeys(in) {
		for _, v := range values(in[k]) {
			m.add("where", cmp.Or(lists[k], k), "!=", demoShop().name(v))
		}
	}
}

func (m *meaning) condition(field string, op analysis.Op, of []string) {
	sign := string(op)
	switch op {
	case analysis.Equal, analysis.In:
		sign = "="
	case analysis.NotEqual, analysis.NotIn:
		sign = "!="
	case analysis.Between:
		if len(of) == 2 {
			m.add("where", field, ">=", of[0])
			m.add("where", field, "<=", of[1])
			return
		}
	case analysis.IsEmpty, analysis.IsNotEmpty:
		of = []string{""}
	default:
	}
	for _, v := range of {
		m.add("where", field, sign, demoShop().name(v))
	}
}

// query reads the input of the analyze tool. The price of what is in stock is a price.
func (m *meaning) query(b json.RawMessage) {
	var q analysis.Query
	if bytes.Contains(b, []byte(`"formula":"stock_price / stock"`)) {
		b = bytes.ReplaceAll(b, []byte(`"price_there"`), []byte(`"sale_price"`))
	}
	if err := json.Unmarshal(b, &q); err != nil {
		m.add("other", "query", "", string(b))
		return
	}
	m.shows(q.Measures...)
	m.by(q.By...)
	timed := false
	for _, name := range q.Measures {
		if x, ok := measures.Catalogue.Measure(name); ok && !x.Now {
			timed = true
		}
	}
	if timed || q.From != "" {
		m.setPeriod(string(q.From), string(q.To))
	}
	for _, w := range q.Where {
		var of []string
		for _, v := range w.Values {
			of = append(of, string(v))
		}
		m.condition(w.Field, w.Op, of)
	}
	if q.Compare != nil {
		p := tool.Period{From: unseenDay.Add(-29), To: unseenDay}
		if m.period != nil {
			p = *m.period
		}
		if other, err := analysis.Other(p, *q.Compare); err == nil {
			m.other = &other
		}
	}
	order := analysis.Order{Direction: analysis.Descending}
	if len(q.Measures) > 0 {
		order.Field = q.Measures[0]
	}
	if len(q.Order) > 0 {
		order = q.Order[0]
	}
	m.facts = append(m.facts, fact{kind: "order", field: order.Field,
		op:    map[bool]string{true: "default"}[len(q.Order) == 0],
		value: string(cmp.Or(order.Direction, analysis.Descending)), mild: true})
	if q.Limit > 0 {
		m.add("limit", "", "", fmt.Sprint(q.Limit))
	}
	for name, set := range map[string]bool{"share": q.Share, "cumulative": q.Cumulative, "explain": q.Explain} {
		if set {
			m.facts = append(m.facts, fact{kind: name, mild: true})
		}
	}
	for _, own := range q.Define {
		m.shows(own.Name)
	}
}
