package language

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// explainsAll reports whether a query explains every word but verbs such as "open", which a report takes.
func (r *reader) explainsAll(q *compose.Reading) bool {
	return !slices.ContainsFunc(q.Unexplained, func(i int) bool { return !r.means(i, conceptShow) })
}

// asReport answers a query that changes the one before with the report that the query before was answered with, if that
// can say exactly the same (rules R270 and R840), and reports whether it can.
func (r *reader) asReport(out *Reading, q *compose.Reading) bool {
	p := r.in.Previous
	if p == nil || !q.FollowUp {
		return false
	}
	by, fixed := breakdowns[p.Skill]
	if !fixed || len(q.Query.By) > 0 && !by[q.Query.By[0]] {
		return false
	}
	said := p.asQuery()
	same := slices.Equal(slices.Sorted(slices.Values(said.Measures)), slices.Sorted(slices.Values(q.Query.Measures))) ||
		p.Skill == ABCXYZ && len(q.Query.Measures) == 1
	compared := q.Query.Compare != nil && q.Query.Compare.With != analysis.Previous || said.Compare != nil &&
		q.Query.Compare == nil
	if !same || compared || slices.ContainsFunc(said.Where, func(w analysis.Condition) bool {
		return !slices.ContainsFunc(q.Query.Where, func(o analysis.Condition) bool { return o.Field == w.Field })
	}) {
		return false // another figure, or less of a condition: the query is what was asked for
	}
	x := *out
	x.Skill, x.Arguments, x.Query, x.Input = p.Skill, p.withQuery(&q.Query), nil, nil
	x.Question, x.Outside, x.Unknown, x.Ignored, x.FollowUp = nil, false, nil, nil, true
	if !r.expresses(&x, &q.Query) || r.evidence.has(conceptBest, conceptWorst) &&
		reflect.DeepEqual(x.Arguments, p.Arguments) { // "какой лучше всех" is no repetition
		return false
	}
	r.matchAll(&x)
	x.Confidence, r.explained = 1, true
	*out = x
	return true
}

// ofOtherNames reads a message that is nothing but names as the report before, of those: "а Бета?" after the overdue
// orders (rule R841). It is for the reports that no query says, which package compose cannot change.
func (r *reader) ofOtherNames(out *Reading) bool {
	p := r.in.Previous
	if p == nil || p.Skill != Shortages && p.Skill != OverdueOrders || len(r.mentions) == 0 {
		return false
	}
	for i := range r.ts {
		t := &r.ts[i]
		if t.Use != token.AsName && !r.harmless(i) && !isKindWord(t.Norm) && !r.means(i, conceptFollowUp) &&
			!aroundNames[t.Norm] {
			return false
		}
	}
	x := *out
	r.fillSkill(&x, p.Skill)
	if x.Question != nil || len(x.Ignored) > 0 {
		return false
	}
	a := p.Arguments
	for _, n := range []struct{ to, from *[]string }{{&a.Stores, &x.Arguments.Stores}, {&a.Groups, &x.Arguments.Groups},
		{&a.Suppliers, &x.Arguments.Suppliers}, {&a.Products, &x.Arguments.Products},
		{&a.Counterparties, &x.Arguments.Counterparties}} {
		if len(*n.from) > 0 {
			*n.to = *n.from
		}
	}
	x.Arguments, x.FollowUp, x.Confidence = a, true, 1
	*out = x
	return true
}

// carryNames gives a report the names of the answer before, if the message goes on from it and names nothing: "а что
// заказать?" after the stock of a warehouse (rule R841).
func (r *reader) carryNames(out *Reading) {
	p := r.in.Previous
	if p == nil || p.Skill == out.Skill || p.Input != nil || len(r.mentions) > 0 || !r.goesOn() {
		return
	}
	out.FollowUp = true
	q := p.asQuery()
	if q == nil { // a report without conditions has nothing to lose
		out.FollowUp = reflect.DeepEqual(p.Arguments, Arguments{})
		return
	}
	a := &out.Arguments
	lists := map[string]*[]string{"store": &a.Stores, "group": &a.Groups, "supplier": &a.Suppliers,
		"product": &a.Products, "counterparty": &a.Counterparties}
	for _, w := range q.Where {
		list := lists[w.Field]
		if list == nil || w.Op != analysis.In || !slices.Contains(skills[out.Skill].names, kindsOfRows[w.Field]) {
			continue
		}
		for _, v := range w.Values {
			*list = append(*list, string(v))
		}
	}
}

// aroundNames are words beside the names that a message limits a report to.
var aroundNames = words.Set("just the ones those from only at in те тех теперь только лишь по на в во из от у")

// breakdowns are the first dimensions that the reports which are queries, too, break their figures down by.
var breakdowns = map[Skill]map[string]bool{SalesTrend: words.Set("day week month hour"),
	Profitability: words.Set("product variant employee counterparty sales_channel"), Stock: words.Set("product"),
	StockByStore: words.Set("store"), StockAge: words.Set("product"), Turnover: words.Set("product"),
	ABCXYZ: words.Set("abc"), Money: words.Set("day month hour"), Receivables: words.Set("counterparty")}

// withQuery returns the arguments of the reading's report, changed to what a query says, as far as they can say it: the
// opposite of asQuery.
func (r Reading) withQuery(q *analysis.Query) Arguments {
	a := r.Arguments
	a.From, a.To, a.Limit = string(q.From), string(q.To), q.Limit
	a.Stores, a.Groups, a.Suppliers, a.Products, a.Counterparties = nil, nil, nil, nil, nil
	names := map[string]*[]string{"store": &a.Stores, "group": &a.Groups, "supplier": &a.Suppliers,
		"product": &a.Products, "counterparty": &a.Counterparties}
	bounds := map[string]string{}
	for _, w := range q.Where {
		switch to := names[w.Field]; {
		case to != nil && w.Op == analysis.In && slices.Contains(skills[r.Skill].names, kindsOfRows[w.Field]):
			for _, v := range w.Values {
				*to = append(*to, string(v))
			}
		case len(w.Values) == 1:
			bounds[w.Field] = string(w.Op) + string(w.Values[0])
		}
	}
	first := func(list []string) string {
		if len(list) == 0 {
			return ""
		}
		return list[0]
	}
	switch r.Skill {
	case SalesTrend:
		a.Interval, a.Compare = first(q.By), q.Compare != nil
	case Profitability:
		a.By, a.Order, a.Direction = first(q.By), "", ""
		if len(q.Order) > 0 {
			a.Order, a.Direction = q.Order[0].Field, string(q.Order[0].Direction)
		}
		if a.Order == r.Arguments.Order && a.Limit == r.Arguments.Limit && r.Arguments.Direction == "" &&
			a.Direction == string(analysis.Descending) {
			a.Direction = "" // as it is anyway
		}
	case Stock, StockByStore:
		a.From, a.To, a.Only, a.Order = "", "", "", ""
		if slices.ContainsFunc(q.Measures, func(m string) bool { return strings.HasPrefix(m, "stock_cost") }) {
			a.Order = "value"
		}
		if a.At = ""; q.To != "" {
			a.At = string(q.To)
		}
		for _, m := range []string{"stock", "stock_cost"} {
			switch bounds[m] {
			case "<0":
				a.Only = "negative"
			case "=0":
				a.Only = "zero"
			}
		}
	case StockAge:
		if least, err := strconv.Atoi(strings.TrimLeft(bounds["days_in_stock"], ">=")); err == nil {
			a.MinDays = least
		}
	case ABCXYZ:
		a.By = first(q.Measures)
	case Money:
		if a.What, a.Interval = "balances", ""; !slices.Contains(q.Measures, "balance") {
			a.What, a.Interval = "flow", first(q.By)
		}
	case Receivables:
		if a.Direction = first(q.Measures); len(q.Measures) > 1 {
			a.Direction = "both"
		}
		a.MinAmount = strings.TrimLeft(bounds[first(q.Measures)], ">=")
	}
	return a
}
