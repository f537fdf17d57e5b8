package behind

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

// deeper are the dimensions by which the row of a dimension is broken down, the best first (rule R693).
var deeper = map[string][]string{
	"weekday": {"day"}, "hour": {"day"}, "week": {"day"}, "month": {"week", "day"}, "quarter": {"month"},
	"year": {"month"}, measures.DimTag: {measures.DimCounterparty}, measures.DimRFM: {measures.DimCounterparty},
	measures.DimChannel: {"week", measures.DimDocument}, measures.DimState: {measures.DimDocument},
	measures.DimContract: {measures.DimDocument}, measures.DimProject: {measures.DimDocument},
	measures.DimCurrency:     {measures.DimDocument, measures.DimAccount},
	measures.DimDocumentType: {measures.DimDocument},
	measures.DimExpenseItem:  {measures.DimDocument}, measures.DimAccount: {measures.DimDocument},
	measures.DimEmployee: {measures.DimDocument, "day"}, measures.DimLegalEntity: {measures.DimAccount},
}

// instead are the measures that explain one that cannot be broken down further.
var instead = map[string][]string{"balance": {"money_in", "money_out"}, "profit_per_day": {"profit"},
	"revenue_per_day": {"revenue"}, "receipts_per_day": {"receipts"}}

// usual are the dimensions by which everything else is broken down.
var usual = []string{measures.DimProduct, measures.DimCounterparty, measures.DimDocument, measures.DimStore, "day",
	measures.DimAccount}

// narrowed returns the query of a cell for its row alone, in more detail. Nested values are in it, as in any
// condition.
func (c cell) narrowed(column string) (connector.Call, bool) {
	q, ok := c.query(column)
	if !ok {
		return connector.Call{}, false
	}
	n := narrowing{cell: c, Query: q}
	return n.call(column)
}

// query is the query of which the result's rows are, with the measures of a cell.
func (c cell) query(column string) (q analysis.Query, ok bool) {
	if c.result.Tool != "moysklad_analyze" {
		return c.asQuery(column)
	}
	if json.Unmarshal(c.asked, &q) != nil || len(q.Measures) == 0 {
		return q, false
	}
	q.Order, q.Limit, q.Offset, q.Highlight, q.Explain, q.Cumulative = nil, 0, 0, nil, false, false
	q.LimitEach = 0
	if !slices.Contains(q.By, column) {
		measure, changes := strings.CutSuffix(strings.TrimSuffix(column, "_percent"), "_change")
		measure = strings.TrimSuffix(measure, "_before")
		if !slices.Contains(q.Measures, measure) {
			measure = q.Measures[0] // its share
		}
		q.Measures, q.Share = []string{measure}, false
		if !changes && !strings.HasSuffix(column, "_before") {
			q.Compare = nil
		}
	}
	return q, true
}

// asQuery is a report's row as the query that comes nearest to it.
func (c cell) asQuery(column string) (q analysis.Query, ok bool) {
	var asked struct {
		By     string   `json:"by"`
		Kind   string   `json:"kind"`
		Stores []string `json:"stores"`
	}
	if json.Unmarshal(c.asked, &asked) != nil {
		return q, false
	}
	switch c.result.Tool {
	case "moysklad_profitability":
		if asked.By != measures.DimEmployee && asked.By != measures.DimChannel {
			return q, false
		}
		q.Measures, q.By = []string{"revenue"}, []string{asked.By}
	case "moysklad_money":
		switch column {
		case "organization":
			q.By = []string{measures.DimLegalEntity}
		case "account", "balance":
			q.By = []string{measures.DimAccount}
		default:
			return q, false
		}
		q.Measures = []string{"money_in", "money_out"}
	case "moysklad_product":
		if c.text("store") == "" || strings.HasPrefix(c.text("store"), "(") { // such as "(no warehouse)"
			return q, false
		}
		q.Measures, q.By = []string{"stock"}, []string{measures.DimStore}
	case "moysklad_reference":
		of := referred[asked.Kind]
		if of.measure == "" {
			return q, false
		}
		q.Measures, q.By = []string{of.measure}, []string{of.dimension}
	default:
		return q, false
	}
	for _, s := range asked.Stores {
		q.Where = append(q.Where, analysis.Condition{Field: measures.DimStore, Op: analysis.In,
			Values: []analysis.Scalar{analysis.Scalar(s)}})
	}
	return q, true
}

// referred is what is asked about an entry of a list.
var referred = map[string]struct{ dimension, measure string }{
	"stores": {measures.DimStore, "stock"}, "groups": {measures.DimGroup, "stock"},
	"employees": {measures.DimEmployee, "revenue"}, "sales_channels": {measures.DimChannel, "revenue"},
	"projects": {measures.DimProject, "revenue"}, "organizations": {measures.DimLegalEntity, "revenue"},
	"price_types": {measures.DimPriceType, "sale_price"}, "expense_items": {measures.DimExpenseItem, "money_out"},
	"states": {measures.DimState, "orders_sum"},
}

// narrowing is a query that is being narrowed to a row.
type narrowing struct {
	cell
	analysis.Query
	about []string
}

func (n *narrowing) call(column string) (connector.Call, bool) {
	p := n.result.Provenance.Period
	if p != nil {
		n.From, n.To = p.From, p.To
	}
	of := n.By
	for _, d := range of {
		if !n.condition(d) {
			return connector.Call{}, false
		}
	}
	next := n.next(of)
	if next == "" {
		if n.Measures = instead[n.Measures[0]]; len(n.Measures) == 0 {
			return connector.Call{}, false
		}
		if next = n.next(of); next == "" {
			return connector.Call{}, false
		}
	}
	n.By = []string{next}
	raw, err := json.Marshal(n.Query)
	return connector.Call{Tool: "moysklad_analyze", Arguments: raw, Title: n.title(next)}, err == nil
}

// condition adds the condition that a row has the value that its column of a dimension says.
func (n *narrowing) condition(dimension string) bool {
	label, id := n.text(dimension), n.text(dimension+"_id")
	switch n.result.Tool {
	case "moysklad_profitability", "moysklad_reference":
		label, id = n.text("name"), n.text("id")
	case "moysklad_product":
		id = label
	case "moysklad_money":
		label, id = n.text("organization"), n.text("organization_id")
		if dimension == measures.DimAccount {
			label = n.text("account")
			id = label // a number says more than an ID, and cash has none
		}
	}
	if label != "" {
		n.about = append(n.about, label)
	}
	d, ok := measures.Catalogue.Dimension(dimension)
	switch {
	case ok && times[dimension]:
		from, to, ok := days(label)
		if !ok || n.Compare != nil { // the other period has another interval
			return false
		}
		n.From, n.To = max(n.From, from), min(n.To, to)
		return true
	case ok && d.Step != "", dimension == measures.DimAccount && label != "":
		id = label
	}
	w := analysis.Condition{Field: dimension, Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(id)}}
	if id == "" {
		w = analysis.Condition{Field: dimension, Op: analysis.IsEmpty}
	}
	n.Where = append(slices.Clone(n.Where), w)
	return true
}

// next is the dimension by which the row is broken down; empty if there is none.
func (n *narrowing) next(of []string) string {
	if slices.Contains(of, measures.DimDocument) {
		return ""
	}
	var all []string
	for _, d := range of {
		all = append(all, deeper[d]...)
	}
	if !slices.Contains(of, measures.DimEmployee) && !slices.Contains(of, measures.DimChannel) {
		all = append(all, usual...) // the costs of employees and channels are known over time only
	}
	for _, d := range all {
		fixed := slices.ContainsFunc(n.Where, func(w analysis.Condition) bool { return w.Field == d })
		if !fixed && !slices.ContainsFunc(n.Measures, func(name string) bool {
			m, ok := measures.Catalogue.Measure(name)
			return !ok || !slices.Contains(m.Over, d) || slices.Contains(of, d)
		}) {
			return d
		}
	}
	return ""
}

// title is the query in words: «Выручка: Бакалея, по товарам».
func (n *narrowing) title(next string) tool.Text {
	in := func(pick func(tool.Text) string) string {
		var titles []string
		for _, name := range n.Measures {
			if m, ok := measures.Catalogue.Measure(name); ok {
				titles = append(titles, pick(m.Title))
			}
		}
		out := strings.Join(titles, ", ")
		if len(n.about) > 0 {
			out += ": " + strings.Join(n.about, ", ")
		}
		d, _ := measures.Catalogue.Dimension(next)
		return out + " · " + pick(tool.Text{RU: "по: ", EN: "by: "}) + strings.ToLower(pick(d.Title))
	}
	return tool.Text{RU: in(func(t tool.Text) string { return t.RU }),
		EN: in(func(t tool.Text) string { return t.EN })}
}
