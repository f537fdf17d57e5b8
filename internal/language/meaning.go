package language

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// asQuery returns the query that says the same as the reading, so that the next task may change it, and the measures
// that its tool shows besides; nil for none.
func (r Reading) asQuery() *analysis.Query {
	a := r.Arguments
	q := analysis.Query{From: tool.Day(a.From), To: tool.Day(a.To), Limit: a.Limit}
	switch r.Skill {
	case Analyze:
		return r.Query
	case SalesTrend:
		if q.Measures = []string{"revenue"}; a.Interval != "" {
			q.By = []string{a.Interval}
		}
		if a.Compare {
			q.Compare = &analysis.Comparison{With: analysis.Previous}
		}
	case Profitability:
		q.Measures = []string{"revenue", "profit", "margin"}
		q.By = []string{cmp.Or(a.By, "product")}
		if a.Order != "" {
			order := analysis.Order{Field: a.Order, Direction: analysis.Direction(cmp.Or(a.Direction, "desc"))}
			q.Order = []analysis.Order{order}
			if !slices.Contains(q.Measures, a.Order) {
				q.Measures = append(q.Measures, a.Order)
			}
		}
	case Stock, StockByStore:
		a.stockQuery(&q, r.Skill)
	case StockAge:
		q.Measures, q.By = []string{"days_in_stock", "stock", "stock_cost"}, []string{"product"}
		q.Where = append(q.Where, number("days_in_stock", analysis.GreaterEqual, fmt.Sprint(cmp.Or(a.MinDays, 90))))
	case Turnover:
		q.Measures, q.By = []string{"stock_at_start", "income", "outcome", "stock_at_end"}, []string{"product"}
	case ABCXYZ:
		q.Measures, q.By = []string{cmp.Or(a.By, "revenue")}, []string{"abc", "product"}
	case Money:
		q.Measures, q.By = []string{"balance"}, []string{"account"}
		if a.What == "flow" {
			q.Measures, q.By = []string{"money_in", "money_out", "net_flow"}, []string{cmp.Or(a.Interval, "day")}
		}
		q.Where = append(q.Where, compose.PlaceOf(a.Place, a.Currency)...)
	case Receivables:
		q.Measures, q.By = []string{"owed_to_us"}, []string{"counterparty"}
		switch a.Direction {
		case "owed_by_us":
			q.Measures = []string{"owed_by_us"}
		case "both":
			q.Measures = []string{"owed_to_us", "owed_by_us"}
		}
		if a.MinAmount != "" {
			q.Where = append(q.Where, number(q.Measures[0], analysis.GreaterEqual, a.MinAmount))
		}
	default:
		return nil
	}
	for _, w := range []struct {
		field string
		names []string
	}{{"store", a.Stores}, {"group", a.Groups}, {"supplier", a.Suppliers}, {"product", a.Products},
		{"counterparty", a.Counterparties}} {
		if len(w.names) > 0 {
			q.Where = append(q.Where, namesIn(w.field, w.names))
		}
	}
	return &q
}

// Composed returns a reading of a tool of its own as the query that says the same, which takes more conditions.
func (r Reading) Composed(c *analysis.Catalogue) Reading {
	if q := r.asQuery(); q != nil && query.Possible(c, *q) {
		q.Measures, q.By = slices.Clone(q.Measures), slices.Clone(q.By)
		if r.Skill == SalesTrend {
			q.Measures = append(q.Measures, "quantity")
		}
		r.Skill, r.Query, r.Arguments, r.Input = Analyze, q, Arguments{}, nil
	}
	return r
}

// sums are the measures of the sums of documents, by their types.
var sums = map[string]string{"paymentin": "money_in", "cashin": "money_in", "paymentout": "money_out",
	"cashout": "money_out", "supply": "purchases", "salesreturn": "returns", "retailsalesreturn": "returns",
	"customerorder": "orders_sum", "purchaseorder": "ordered", "demand": "sales", "retaildemand": "sales",
	"loss": "written_off", "enter": "surplus", "move": "transferred"}

// onlyOf are the types of documents that a measure is of, where it is of several.
var onlyOf = map[string][]string{"sales": {"demand", "retaildemand"}}

// Base returns the query that sums up the documents of a list, for a next task that the list cannot answer; nil where
// there is none: for other types, or conditions that no query has.
func (r Reading) Base(c *analysis.Catalogue, now time.Time) *Reading {
	if r.Skill == Shortages {
		return r.shortageBase(c)
	}
	var in lookup.Documents
	raw, err := json.Marshal(r.Input)
	if r.Skill != Documents || err != nil || json.Unmarshal(raw, &in) != nil || len(in.Kinds) == 0 || in.Number != "" ||
		in.Limit > 0 || in.Overdue && !in.Unshipped && !in.NotReceived || in.SumFrom != nil || in.SumTo != nil ||
		in.Text != "" || in.Posted != nil || len(in.States) > 0 || in.By != "" || in.DueFrom != "" || in.DueTo != "" {
		return nil
	}
	q := analysis.Query{From: in.From, To: in.To}
	for _, kind := range in.Kinds {
		m := sums[kind]
		if m == "" {
			return nil
		}
		if !slices.Contains(q.Measures, m) {
			q.Measures = append(q.Measures, m)
		}
	}
	if kinds := onlyOf[q.Measures[0]]; kinds != nil && len(in.Kinds) < len(kinds) {
		q.Where = append(q.Where, namesIn("document_type", in.Kinds))
	}
	left := map[bool]string{in.Unshipped: "unshipped", in.NotReceived: "not_received", in.Unpaid: "unpaid"}[true]
	switch flags := [3]bool{in.Unshipped, in.NotReceived, in.Unpaid}; {
	case flags == [3]bool{}:
	case slices.Equal(q.Measures, []string{"orders_sum"}) && !in.NotReceived && !(in.Unpaid && in.Unshipped),
		slices.Equal(q.Measures, []string{"ordered"}) && in.NotReceived && !in.Unpaid:
		q.Measures = []string{left}
		q.Where = append(q.Where, number(left, analysis.Greater, "0"))
		if in.Overdue {
			late := map[bool]string{true: "supplier_overdue_days", false: "overdue_days"}[in.NotReceived]
			q.Where = append(q.Where, number(late, analysis.Greater, "0"))
		}
	default:
		return nil
	}
	if left != "" && q.From == "" {
		q.From, q.To = tool.DayOf(now.AddDate(-3, 0, 0)), tool.DayOf(now)
	}
	for _, w := range []struct {
		field string
		names []string
	}{{"counterparty", in.Counterparties}, {"store", in.Stores}, {"employee", in.Employees},
		{"legal_entity", in.LegalEntities}, {"product", in.Products}, {"group", in.Groups},
		{"sales_channel", in.Channels}} {
		if len(w.names) > 0 {
			q.Where = append(q.Where, namesIn(w.field, w.names))
		}
	}
	if !query.Possible(c, q) {
		return nil
	}
	return &Reading{Task: r.Task, Language: r.Language, Skill: Analyze, Query: &q, Confidence: 1}
}

// shortageBase is Base of what is below its minimum.
func (r Reading) shortageBase(c *analysis.Catalogue) *Reading {
	a := r.Arguments
	if a.Mode == "running_out" || a.Days > 0 {
		return nil
	}
	q := analysis.Query{Measures: []string{"shortage"}, By: []string{"product"},
		Where: []analysis.Condition{number("shortage", analysis.Greater, "0")}}
	for _, w := range []struct {
		field string
		names []string
	}{{"store", a.Stores}, {"group", a.Groups}, {"supplier", a.Suppliers}, {"product", a.Products}} {
		if len(w.names) > 0 {
			q.Where = append(q.Where, namesIn(w.field, w.names))
		}
	}
	if !query.Possible(c, q) {
		return nil
	}
	return &Reading{Task: r.Task, Language: r.Language, Skill: Analyze, Query: &q, Confidence: 1}
}

func namesIn(field string, names []string) analysis.Condition {
	c := analysis.Condition{Field: field, Op: analysis.In}
	for _, n := range names {
		c.Values = append(c.Values, analysis.Scalar(n))
	}
	return c
}

// stockQuery fills the query of a question about stock.
func (a Arguments) stockQuery(q *analysis.Query, s Skill) {
	q.Measures, q.By = []string{"stock"}, []string{"product"}
	if a.Order == "value" {
		q.Measures = []string{"stock_cost"}
	}
	if s == StockByStore {
		q.By = []string{"store"}
	}
	if a.At != "" {
		q.Measures, q.From, q.To = []string{q.Measures[0] + "_at_end"}, tool.Day(a.At), tool.Day(a.At)
	}
	switch a.Only {
	case "negative":
		q.Where = append(q.Where, number(q.Measures[0], analysis.Less, "0"))
	case "zero":
		q.Where = append(q.Where, number(q.Measures[0], analysis.Equal, "0"))
	}
}

func number(field string, op analysis.Op, value string) analysis.Condition {
	return analysis.Condition{Field: field, Op: op, Values: []analysis.Scalar{analysis.Scalar(value)}}
}

// shows are the measures that a skill's tool shows, whatever it sorts by.
var shows = map[Skill][]string{
	Profitability: {"revenue", "profit", "margin", "quantity"}, SalesTrend: {"revenue"},
	Stock: {"stock", "stock_cost", "stock_at_end", "stock_cost_at_end"}, StockByStore: {"stock"},
	StockAge: {"days_in_stock", "stock", "stock_cost"}, Money: {"balance", "money_in", "money_out", "net_flow"},
	Receivables: {"owed_to_us", "owed_by_us"}, Turnover: {"income", "outcome", "stock_at_start",
		"stock_at_end"},
	Shortages: {"stock", "shortage", "minimum", "days_of_cover"}, OverdueOrders: {"overdue_days", "orders"},
	ABCXYZ: {"revenue", "profit", "quantity"},
}

// analysisOfClasses reports whether ABC is what the task asks for, and no breakdown: "abc по прибыли", not "прибыль по
// классам abc".
func (r *reader) analysisOfClasses() bool {
	for i := range r.named {
		switch w := r.named[i].Norm; {
		case strings.HasPrefix(w, "класс"), strings.HasPrefix(w, "categor"), strings.HasPrefix(w, "категор"),
			w == "class":
			return false
		case i > 0 && (r.named[i-1].Norm == "по" || r.named[i-1].Norm == "by") && classWords[w]:
			return false
		}
	}
	return true
}

var classWords = words.Set("abc авс абс абц xyz")

// expresses reports whether the reading's skill says exactly what the query does: measures that it shows, the same
// rows, conditions, period, comparison, order and limit (rule R270).
func (r *reader) expresses(out *Reading, q *analysis.Query) bool {
	if out.Outside || out.Question != nil || !out.Skill.Calls() || len(out.Ignored) > 0 || len(out.Unknown) > 0 ||
		q.Share || q.Cumulative || q.Explain {
		return false
	}
	if slices.ContainsFunc(q.Measures, func(m string) bool { return !slices.Contains(shows[out.Skill], m) }) {
		return false
	}
	if out.Skill == Stock && slices.Equal(q.Measures, []string{"stock_cost"}) && (out.Arguments.Order != "value" ||
		len(q.By) == 0 && r.in.Previous == nil) {
		return false // the money is what is asked for
	}
	if out.Skill == Shortages && slices.Equal(q.Measures, []string{"minimum"}) {
		return false // the minimum itself, and not what is below it
	}
	if out.Skill == ABCXYZ && slices.Equal(q.By, []string{"abc"}) && r.analysisOfClasses() {
		of := *q
		of.By = []string{"abc", "product"}
		q = &of
	}
	own := out.asQuery()
	if own != nil && out.Skill == Receivables && slices.ContainsFunc(q.Measures, func(m string) bool {
		return !slices.Contains(own.Measures, m)
	}) {
		return false
	}
	if out.Skill == Profitability && slices.Equal(q.Measures, []string{"quantity"}) &&
		(out.FollowUp || len(q.Order) == 0) {
		return false // "сколько штук": the first line says how many
	}
	if out.Skill == Money && out.Arguments.What == "flow" && len(q.Measures) == 1 {
		return false // one side of the payments, which the next task may go on with
	}
	if own == nil && slices.Contains(q.Measures, "days_of_cover") && len(q.Where) > 0 &&
		(q.Where[0].Field == "product" || q.Where[0].Field == "group" && (out.Arguments.Mode == "" ||
			!slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == "days_of_cover" }))) {
		return false
	}
	if own == nil && out.Skill == Shortages && (len(q.Order) > 0 || slices.ContainsFunc(q.By, func(by string) bool {
		return by != "product"
	})) {
		return false // what runs out first; days of stock by group
	}
	if own == nil { // a list of its own
		own = &analysis.Query{By: q.By, Order: q.Order, From: q.From, To: q.To}
		for _, w := range r.mentions {
			found := slices.ContainsFunc(out.Matched, func(m Match) bool { return m.Words == w.words })
			if len(w.meanings) > 0 && !found {
				return false
			}
		}
		own.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool {
			_, ofRows := r.in.Catalogue.Measure(w.Field)
			return ofRows || w.Op != analysis.In
		})
		own.Limit = q.Limit
	}
	asked, said := *q, *own
	if len(asked.By) == 0 || len(said.By) == 0 && slices.Equal(asked.By, []string{"day"}) {
		asked.By = said.By
	}
	if out.Skill == Stock { // shows what is in stock anyway
		asked.Where = slices.DeleteFunc(slices.Clone(asked.Where), func(w analysis.Condition) bool {
			return w.Field == "stock" && w.Op == analysis.Greater && len(w.Values) == 1 && w.Values[0] == "0"
		})
	}
	for _, x := range []*analysis.Query{&asked, &said} { // a tool's least is as good as "more than"
		x.Where = slices.Clone(x.Where)
		for i := range x.Where {
			if x.Where[i].Op == analysis.Greater && (out.Skill == StockAge || out.Skill == Receivables) {
				x.Where[i].Op = analysis.GreaterEqual
			}
		}
	}
	if len(asked.Order) > 0 && !slices.Equal(asked.Order, said.Order) && out.Skill != Receivables {
		return false
	}
	if len(asked.Order) == 0 && len(said.Order) > 0 && said.Order[0].Direction != analysis.Descending {
		return false
	}
	return query.Same(asked, said, r.nameOf)
}
