package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// asUsual gives queries that mean the same one form, whichever words led to them (rule R882): stock below zero, none
// and by warehouse is in the reports of stock; a selling price stands beside one below the cost, all that is known
// of purchase prices is shown together, and what is to come has its dates.
func (r *reader) asUsual(out *Reading, asWritten []token.Token) {
	q := out.Query
	if out.Skill != Analyze || q == nil || out.Question != nil || out.FollowUp || len(q.Order) > 0 ||
		q.Limit+q.LimitEach+q.Offset > 0 ||
		q.Share || q.Explain || q.Cumulative || q.Compare != nil || len(q.Define) > 0 || len(q.Measures) == 0 {
		return
	}
	switch {
	case q.From == "" && len(r.unused(out, asWritten)) == 0 && r.asStock(out, q):
	case slices.Equal(q.Measures, []string{"stock", "days_of_cover"}) && bounded(q, "days_of_cover") != "" &&
		slices.Equal(q.By, []string{"product"}):
		r.changed(out, func(q *analysis.Query) { q.Measures = []string{"days_of_cover"} })
	case q.From == "" && slices.Equal(q.Measures, []string{"open_orders"}) &&
		slices.Equal(q.By, []string{"counterparty"}):
		r.changed(out, func(q *analysis.Query) { q.Measures = []string{"open_orders", "expected_on"} })
	case len(q.Measures) == 1 && slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		return w.Field == q.Measures[0] && w.Op == analysis.IsEmpty && w.Field == "card_purchase_price"
	}): // what all rows lack
		r.changed(out, func(q *analysis.Query) { q.Measures = []string{"sale_price"} })
	case q.From == "" && slices.Contains(q.Measures, "last_purchase_price") && onlyNames(q, "") &&
		(len(q.By) == 0 || slices.Equal(q.By, []string{"product"})) && !slices.ContainsFunc(q.Measures,
		func(m string) bool { return !purchasePrices[m] }):
		r.changed(out, func(q *analysis.Query) {
			q.Measures = []string{"last_purchase_price", "last_purchase", "card_purchase_price"}
			q.By = []string{"product"}
		})
	case (slices.Equal(q.Measures, []string{"price_minus_cost"}) ||
		slices.Equal(q.Measures, []string{"price_minus_cost", "sale_price"})) && bounded(q, "price_minus_cost") == "<0":
		r.changed(out, func(q *analysis.Query) { q.Measures = []string{"sale_price", "price_minus_cost"} })
	}
}

var purchasePrices = words.Set("last_purchase_price last_purchase card_purchase_price")

// asStock answers with the reports of stock.
func (r *reader) asStock(out *Reading, q *analysis.Query) bool {
	if !slices.Equal(q.Measures, []string{"stock"}) || !onlyNames(q, "stock") {
		return false
	}
	bound := bounded(q, "stock")
	switch {
	case slices.Equal(q.By, []string{"product"}) && (bound == "<0" || bound == "=0"):
		r.report(out, Stock, q)
	case slices.Equal(q.By, []string{"store"}) && (bound == "" && !r.speaksOfDays() || bound == ">0") &&
		len(q.Where) > 0 && q.Where[0].Field != "store":
		r.report(out, StockByStore, q)
	default:
		return false
	}
	return true
}

// speaksOfDays reports whether the task asks how long goods lie, which the report of stock by warehouse does not say.
func (r *reader) speaksOfDays() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool { return daysWords[t.Norm] })
}

var daysWords = words.Set("дней день дня давно долго days long")

// report takes a report with the names of a query as its answer.
func (r *reader) report(out *Reading, s Skill, q *analysis.Query) {
	out.Arguments = Reading{Skill: s}.withQuery(q)
	out.Arguments.From, out.Arguments.To = "", ""
	out.Skill, out.Query, out.Said, r.usual = s, nil, "", true
}

// changed changes the query of a reading, if the catalogue can answer it then.
func (r *reader) changed(out *Reading, change func(q *analysis.Query)) {
	q := *out.Query
	q.By = slices.Clone(q.By)
	if change(&q); query.Possible(r.in.Catalogue, q) {
		out.Query, out.Said = &q, r.say(&q)
	}
}

// bounded returns the only condition of a query on a measure, such as "<0"; empty if there is none, or several.
func bounded(q *analysis.Query, measure string) (bound string) {
	for _, w := range q.Where {
		if w.Field == measure && (len(w.Values) != 1 || bound != "") {
			return ""
		}
		if w.Field == measure {
			bound = string(w.Op) + string(w.Values[0])
		}
	}
	return bound
}

// onlyNames reports whether a query has no conditions but one on a measure and those that reports of stock have.
func onlyNames(q *analysis.Query, measure string) bool {
	return !slices.ContainsFunc(q.Where, func(w analysis.Condition) bool {
		return w.Field != measure && (w.Op != analysis.In || !inReports[w.Field])
	})
}

var inReports = words.Set("store group supplier product")
