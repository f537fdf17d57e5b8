package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// asCustomers counts customers where the task asks how many there are: those who ever bought, and neither receipts nor
// all counterparties (rule R1209).
func (r *reader) asCustomers(out *Reading, _, _ []token.Token) bool {
	if out.Question != nil || out.Outside || len(out.Unknown) > 0 || len(r.Periods) > 0 || r.in.Previous != nil ||
		len(r.in.Earlier) > 0 || r.in.Written != "" && r.in.Written != out.Task || !r.countsCustomers() {
		return false
	}
	in, listed := out.Input.(lookup.Reference)
	listed = listed && in.Kind == string(connector.NameCounterparty) ||
		out.Skill == Reference && out.Arguments.Kind == string(connector.NameCounterparty)
	q := out.Query
	receipts := out.Skill == Analyze && q != nil && slices.Equal(q.Measures, []string{"receipts"}) &&
		len(q.By)+len(q.Where)+len(q.Define) == 0
	bought := &analysis.Query{Measures: []string{"purchases_count", "purchases_sum"}, By: []string{"counterparty"},
		Where: []analysis.Condition{number("purchases_count", analysis.Greater, "0")}}
	if !listed && !receipts || !query.Possible(r.in.Catalogue, *bought) {
		return false
	}
	r.answerBy(out, bought)
	r.converted = false
	return false
}

// countsCustomers reports whether the task asks how many customers there are, and no more.
func (r *reader) countsCustomers() bool {
	counts, customers := false, false
	for i := range r.named {
		w := r.named[i].Norm
		switch {
		case r.named[i].Kind != token.Word:
		case manyWords[w]:
			counts = true
		case customersCounted[w]:
			customers = true
		case besideCustomers[w]:
		default:
			return false
		}
	}
	return counts && customers
}

var (
	manyWords        = words.Set("сколько скока скоко количество число how many number")
	customersCounted = words.Set("покупателей клиентов заказчиков покупатели клиенты customers clients buyers")
	besideCustomers  = words.Set("у нас меня всего в базе есть наших вообще do we have of our are there in the total do")
)
