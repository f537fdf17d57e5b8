package behind

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// figure says which documents a figure comes from.
type figure struct {
	kinds []string
	left  string // a condition of the list that they meet; empty for none
	now   bool   // of any age, whatever the period
}

// The documents that figures come from.
var (
	sold      = figure{kinds: []string{"demand", "retaildemand"}}
	returned  = figure{kinds: []string{"salesreturn", "retailsalesreturn"}}
	net       = figure{kinds: slices.Concat(sold.kinds, returned.kinds)}
	orders    = figure{kinds: []string{"customerorder"}}
	purchases = figure{kinds: []string{"purchaseorder"}}
	supplies  = figure{kinds: []string{"supply"}}
	moneyIn   = figure{kinds: []string{"paymentin", "cashin"}}
	moneyOut  = figure{kinds: []string{"paymentout", "cashout"}}
	moneyFlow = figure{kinds: slices.Concat(moneyIn.kinds, moneyOut.kinds)}
	toShip    = figure{kinds: orders.kinds, left: "unshipped", now: true}
	toCome    = figure{kinds: purchases.kinds, left: "not_received", now: true}
	toBePaid  = figure{kinds: []string{"customerorder", "demand", "invoiceout"}, left: "unpaid", now: true}
	toPay     = figure{kinds: []string{"purchaseorder", "supply", "invoicein"}, left: "unpaid", now: true}
)

// within is a figure of the documents of the period that meet its condition.
func within(f figure) figure { f.now = false; return f }

// only is a figure of one kind of documents.
func only(kind string) figure { return figure{kinds: []string{kind}} }

// ofStock are the figures of goods in stock that documents explain.
var ofStock = map[string]figure{"reserve": toShip, "in_transit": toCome}

// figures are the columns of each tool that come from documents.
var figures = map[string]map[string]figure{
	"moysklad_analyze": {
		"revenue": net, "profit": net, "cost": net, "sales": sold, "receipts": sold, "average_receipt": sold,
		"discount": sold, "quantity": net, "returns": returned, "quantity_returned": returned,
		"orders": orders, "orders_sum": orders, "unshipped": within(toShip), "reserved": within(toShip),
		"unpaid":          {kinds: orders.kinds, left: "unpaid"},
		"overdue_days":    {kinds: orders.kinds, left: "overdue", now: true},
		"purchase_orders": purchases, "ordered": purchases, "not_received": within(toCome), "open_orders": toCome,
		"expected_on": toCome, "supplier_overdue_days": {kinds: purchases.kinds, left: "overdue", now: true},
		"deliveries": supplies, "purchases": supplies, "quantity_received": supplies,
		"money_in": moneyIn, "money_out": moneyOut, "net_flow": moneyFlow,
		"written_off": only("loss"), "quantity_written_off": only("loss"),
		"surplus": only("enter"), "quantity_surplus": only("enter"), "inventory_difference": only("inventory"),
		"transferred": only("move"), "quantity_transferred": only("move"),
		"reserve": toShip, "in_transit": toCome, "owed_to_us": toBePaid, "owed_by_us": toPay,
	},
	"moysklad_profitability": {"revenue": net, "profit": net, "cost": net, "quantity": net, "sales_count": sold,
		"sales_sum": sold, "sold": sold, "returns_sum": returned, "returned": returned},
	"moysklad_abc_xyz":     {"value": net, "quantity": net},
	"moysklad_sales_trend": {"sales_count": sold, "sum": sold},
	"moysklad_money":       {"income": moneyIn, "expense": moneyOut, "net": moneyFlow},
	"moysklad_stock":       ofStock, "moysklad_stock_by_store": ofStock, "moysklad_shortages": ofStock,
	"moysklad_forecast": ofStock,
	"moysklad_product": {"reserve": toShip, "in_transit": toCome, "sold": net, "revenue": net, "per_day": net,
		"last_sale": sold, "days_since_sale": sold},
	"moysklad_counterparty": {"owed_to_us": toBePaid, "owed_by_us": toPay, "revenue": net, "returns": returned,
		"receipts": sold, "average_receipt": sold, "supplies": supplies, "purchase_sum": supplies,
		"last_purchase": supplies},
	"moysklad_receivables": {"owed_to_us": toBePaid, "owed_by_us": toPay},
}

// sums are the columns that the rows of reports by intervals are about.
var sums = map[string]string{"moysklad_sales_trend": "sum", "moysklad_money": "net"}

// ofDays opens the documents of the days of a row: of an hour, those of its day.
func (c cell) ofDays(f figure) (connector.Call, bool) {
	from := c.text("date")
	if len(from) < len(time.DateOnly) {
		return connector.Call{}, false
	}
	l := list{cell: c, arguments: map[string]any{"kinds": f.kinds}, from: tool.Day(from[:len(time.DateOnly)])}
	l.to = tool.Day(cmp.Or(c.text("through"), string(l.from)))
	if !l.asked() || l.from.Time().IsZero() {
		return connector.Call{}, false
	}
	l.arguments["from"], l.arguments["to"] = l.from, l.to
	return c.call("moysklad_documents", l.arguments, l.title(f))
}

// indicators are the calls that show what the rows of the overview count, by what they are called.
var indicators = []struct {
	tool.Text
	call      string
	arguments map[string]any
}{
	{tool.Text{RU: "Юрлица", EN: "Legal entities"}, "moysklad_reference", map[string]any{"kind": "organizations"}},
	{tool.Text{RU: "Склады", EN: "Warehouses"}, "moysklad_reference", map[string]any{"kind": "stores"}},
	{tool.Text{RU: "Группы товаров", EN: "Groups of goods"}, "moysklad_reference", map[string]any{"kind": "groups"}},
	{tool.Text{RU: "Контрагенты", EN: "Counterparties"}, "moysklad_reference",
		map[string]any{"kind": "counterparties"}},
	{tool.Text{RU: "Сотрудники", EN: "Employees"}, "moysklad_reference", map[string]any{"kind": "employees"}},
	{tool.Text{RU: "Продажи с начала месяца", EN: "Sales this month"}, "moysklad_sales_trend", map[string]any{}},
	{tool.Text{RU: "Заказы с начала месяца", EN: "Orders this month"}, "moysklad_documents",
		map[string]any{"kinds": []string{"customerorder"}}},
	{tool.Text{RU: "Деньги на счетах и в кассах", EN: "Money on accounts"}, "moysklad_money",
		map[string]any{"what": "balances"}},
}

// indicated opens what an indicator of the overview counts.
func (c cell) indicated() (connector.Call, bool) {
	name := c.text("indicator")
	for _, x := range indicators {
		if x.RU == name || x.EN == name {
			return c.call(x.call, x.arguments, x.Text)
		}
	}
	return connector.Call{}, false
}

// filters are the arguments of the list of documents, by the dimension of a query.
var filters = map[string]string{"product": "products", "variant": "products", "counterparty": "counterparties",
	"store": "stores", "employee": "employees", "legal_entity": "legal_entities", "project": "projects"}

// documents returns the list of documents that a figure comes from. It reports false where the list has no condition
// that holds for exactly those.
func (c cell) documents(column string) (connector.Call, bool) {
	none := connector.Call{}
	measure, before := strings.CutSuffix(column, "_before")
	f, ok := figures[c.result.Tool][measure]
	if !ok || f.left != "" && c.zero(column) { // nothing is left
		return none, false
	}
	l := list{cell: c, arguments: map[string]any{"kinds": f.kinds}}
	narrowed := l.asked
	if c.result.Tool == "moysklad_analyze" {
		narrowed = l.query
	}
	if !narrowed() || !l.rowOf() {
		return none, false
	}
	if f.left != "" {
		l.arguments[f.left] = true
	}
	switch {
	case f.now && l.timed: // what is left now is of no interval
		return none, false
	case f.now:
	case !l.period(before):
		return none, false
	default:
		l.arguments["from"], l.arguments["to"] = l.from, l.to
	}
	return c.call("moysklad_documents", l.arguments, l.title(f))
}

func (c cell) zero(column string) bool {
	i := slices.IndexFunc(c.result.Columns, func(x tool.Column) bool { return x.Name == column })
	n, ok := c.row[i].Decimal()
	return ok && n.Sign() == 0
}

// list is a list of documents that is being put together.
type list struct {
	cell
	arguments map[string]any
	about     []string // names of what it is narrowed to
	from, to  tool.Day // of the row; empty for the whole period
	timed     bool     // the row is of an interval
	compare   *analysis.Comparison
}

// query adds the conditions of a query.
func (l *list) query() bool {
	var q analysis.Query
	if json.Unmarshal(l.cell.asked, &q) != nil {
		return false
	}
	l.compare = q.Compare
	for _, w := range q.Where {
		name := filters[w.Field]
		if name == "" || w.Op != analysis.Equal && w.Op != analysis.In || l.arguments[name] != nil {
			return false
		}
		l.arguments[name] = w.Values
	}
	return true
}

// The arguments of reports that choose no documents, and those that choose goods, which a row about a good has chosen.
var (
	harmless = []string{"from", "to", "limit", "order", "direction", "only", "interval", "compare", "compare_from",
		"compare_to", "by", "what", "top", "days", "weeks", "history", "min_amount", "days_of_cover", "basis"}
	ofGoods = []string{"groups", "suppliers"}
)

// asked adds the conditions of a report.
func (l *list) asked() bool {
	var asked map[string]any
	if json.Unmarshal(l.cell.asked, &asked) != nil {
		return false
	}
	carried := slices.Collect(maps.Values(filters))
	for name, value := range asked {
		switch {
		case value == nil || value == "" || value == false || slices.Contains(harmless, name):
		case cards[name] != "":
			l.arguments[cards[name]] = []any{value}
		case slices.Contains(carried, name):
			l.arguments[name] = value
		case slices.Contains(ofGoods, name) && l.subject().what == good:
		default:
			return false
		}
	}
	return true
}

// cards are the conditions for the subjects of cards, by their arguments.
var cards = map[string]string{"product": "products", "counterparty": "counterparties"}

// rowOf adds the conditions of the row: what it is about, and its interval.
func (l *list) rowOf() bool {
	if l.result.Tool == "moysklad_product" || l.result.Tool == "moysklad_counterparty" {
		store := l.text("store")
		if store != "" && !strings.HasPrefix(store, "(") { // such as "(no warehouse)"
			l.arguments["stores"], l.about = []string{store}, []string{store}
		}
		return store == "" || l.arguments["stores"] != nil
	}
	if s := l.subject(); s.column != "" {
		id := l.text("id")
		if filters[s.what] == "" || id == "" {
			return false
		}
		l.arguments[filters[s.what]], l.about = []string{id}, []string{l.text(s.column)}
		if store := l.text("store_id"); store != "" {
			l.arguments["stores"], l.about = []string{store}, append(l.about, l.text("store"))
		}
		return true
	}
	for i, column := range l.result.Columns {
		label := l.row[i].Text()
		switch {
		case column.Name == "date": // of a report by intervals
			l.from, l.timed = tool.Day(label[:min(len(label), len(time.DateOnly))]), true
			l.to = tool.Day(cmp.Or(l.text("through"), string(l.from)))
		case column.Unit != tool.UnitText || column.Detail || strings.HasSuffix(column.Name, "_id"):
		case times[column.Name]:
			var ok bool
			if l.from, l.to, ok = days(label); !ok {
				return false
			}
			l.timed = true
		default:
			id := l.text(column.Name + "_id")
			if filters[column.Name] == "" || id == "" {
				return false
			}
			l.arguments[filters[column.Name]], l.about = []string{id}, append(l.about, label)
		}
	}
	return true
}

// period limits the days to those of the result, or to the period before that it is compared with.
func (l *list) period(before bool) bool {
	p := l.result.Provenance.Period
	if p == nil || before && (l.compare == nil || l.timed) {
		return false
	}
	whole := *p
	if before {
		var err error
		if whole, err = analysis.Other(whole, *l.compare); err != nil {
			return false
		}
	}
	l.from, l.to = max(l.from, whole.From), min(cmp.Or(l.to, whole.To), whole.To)
	return l.from <= l.to
}

var lefts = map[string]tool.Text{"unshipped": {RU: "Не отгружено", EN: "Not shipped"},
	"not_received": {RU: "Не получено", EN: "Not received"}, "unpaid": {RU: "Не оплачено", EN: "Not paid"},
	"overdue": {RU: "Просрочено", EN: "Overdue"}}

// title is the list in words: «Документы: Магазин на Мира, 01.10.2026 – 31.10.2026».
func (l *list) title(f figure) tool.Text {
	title := tool.Text{RU: "Документы", EN: "Documents"}
	if f.left != "" {
		title = lefts[f.left]
	}
	about := func(day func(tool.Day) string) string {
		parts := slices.Clone(l.about)
		switch {
		case f.now:
		case l.from == l.to:
			parts = append(parts, day(l.from))
		default:
			parts = append(parts, day(l.from)+" – "+day(l.to))
		}
		if len(parts) == 0 {
			return ""
		}
		return ": " + strings.Join(parts, ", ")
	}
	return tool.Text{RU: title.RU + about(func(d tool.Day) string { return d.Format("ru") }),
		EN: title.EN + about(func(d tool.Day) string { return d.Format("en") })}
}

var times = map[string]bool{"day": true, "week": true, "month": true, "quarter": true, "year": true}

// days returns the first and the last day of a day, a week, a month, a quarter or a year as tables name them.
func days(label string) (from, to tool.Day, ok bool) {
	span := func(t time.Time, years, months, days int) (from, to tool.Day, ok bool) {
		return tool.DayOf(t), tool.DayOf(t.AddDate(years, months, days-1)), true
	}
	for _, layout := range []string{"02.01.2006", "2 Jan 2006", time.DateOnly} {
		if t, err := time.Parse(layout, label); err == nil {
			return span(t, 0, 0, 1)
		}
	}
	if t, err := time.Parse("2006-01", label); err == nil {
		return span(t, 0, 1, 0)
	}
	if t, err := time.Parse("2006", label); err == nil {
		return span(t, 1, 0, 0)
	}
	var year, n int
	if _, err := fmt.Sscanf(label, "%d-W%d", &year, &n); err == nil {
		fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // it is always in the first week
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		return span(monday.AddDate(0, 0, 7*(n-1)), 0, 0, 7)
	}
	if _, err := fmt.Sscanf(label, "%d-Q%d", &year, &n); err == nil {
		return span(time.Date(year, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC), 0, 3, 0)
	}
	return "", "", false
}

// Measures returns the measures of the catalogue that come from documents.
func Measures() []string { return slices.Sorted(maps.Keys(figures["moysklad_analyze"])) }
