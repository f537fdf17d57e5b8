package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// asNotYet asks about a period that has not begun where a query is of figures that only the past has: that there were
// no sales tomorrow is no answer (rule R1205). The options are the orders that are planned for then, and the same
// figures so far.
func (r *reader) asNotYet(out *Reading) {
	q := out.Query
	if out.Skill != Analyze || q == nil || out.Question != nil || out.Outside || q.From == "" || q.Compare != nil ||
		!q.From.Time().After(r.today) || !slices.ContainsFunc(q.Measures, r.ofPast) {
		return
	}
	to := q.To
	if to == "" {
		to = q.From
	}
	out.Question = &Question{Text: r.language.Pick("Этот период ещё не начался. Что показать?",
		"That period has not begun. What shall I show?")}
	ordered := lookup.Documents{Kinds: []string{"customerorder"}, DueFrom: q.From, DueTo: to}
	if slices.ContainsFunc(q.Measures, func(m string) bool { return ofSuppliersOnly[m] }) {
		ordered.Kinds = []string{"purchaseorder"}
	}
	if len(q.Where) == 0 {
		text := r.language.Pick("Заказы покупателей на ", "Customer orders for ")
		if ordered.Kinds[0] == "purchaseorder" {
			text = r.language.Pick("Заказы поставщикам на ", "Supplier orders for ")
		}
		if text += q.From.Time().Format("02.01"); to != q.From {
			text += r.language.Pick(" – ", " to ") + to.Time().Format("02.01")
		}
		out.Question.Options = append(out.Question.Options, Option{Text: text, Skill: Documents, Input: ordered})
	}
	past := *q
	past.From, past.To = tool.DayOf(quantity.Begin(words.Month, r.today)), tool.DayOf(r.today)
	out.Question.Options = append(out.Question.Options, r.queryOption(past))
	out.Query = &past
}

// ofPast reports whether a measure is of a period, and not of now or of what is to come.
func (r *reader) ofPast(name string) bool {
	m, ok := r.in.Catalogue.Measure(name)
	return ok && !m.Now
}

var ofSuppliersOnly = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders " +
	"not_received")
