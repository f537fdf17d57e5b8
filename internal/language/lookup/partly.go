package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// partly reads two states of one order: "оплатили, но не отгрузили", "частично оплаченные заказы", "заказы с
// предоплатой" (rule R1206). Lists cannot select what is paid, but queries of orders by document can.
func (s *sentence) partly() *Reading {
	if s.Previous != nil && !s.has(document) || slices.ContainsFunc(s.items, func(it *item) bool {
		return it.meaning == document && it.id != "order" && it.id != "customerorder" && !s.saysState(it)
	}) {
		return nil
	}
	at := s.statesSaid()
	positive := func(field string) analysis.Condition {
		return analysis.Condition{Field: field, Op: analysis.Greater, Values: []analysis.Scalar{"0"}}
	}
	q := &analysis.Query{Measures: []string{"orders_sum", "unpaid", "unshipped"},
		By: []string{"document", "counterparty"}}
	title := s.language().Pick
	paid := analysis.Definition{Name: "paid", Formula: "orders_sum - unpaid", Title: title("Оплачено", "Paid"),
		Unit: analysis.Shown(tool.UnitMoney)}
	shipped := analysis.Definition{Name: "shipped", Formula: "orders_sum - unshipped",
		Title: title("Отгружено", "Shipped"), Unit: analysis.Shown(tool.UnitMoney)}
	switch {
	case at["paid"] && at["unshipped"] && !at["part"]:
		q.Where = []analysis.Condition{positive("unshipped"), {Field: "unpaid", Op: analysis.LessEqual,
			Values: []analysis.Scalar{"0"}}}
	case at["prepaid"], at["part"] && at["paid"] && at["unshipped"]:
		q.Measures, q.Define = []string{"orders_sum", "paid", "unshipped"}, []analysis.Definition{paid}
		q.Where = []analysis.Condition{positive("unshipped"), positive("paid")}
	case at["part"] && at["paid"]:
		q.Measures, q.Define = []string{"orders_sum", "paid", "unpaid"}, []analysis.Definition{paid}
		q.Where = []analysis.Condition{positive("unpaid"), positive("paid")}
	case at["part"] && at["shipped"]:
		q.Measures, q.Define = []string{"orders_sum", "shipped", "unshipped"}, []analysis.Definition{shipped}
		q.Where = []analysis.Condition{positive("unshipped"), positive("shipped")}
	default:
		return nil
	}
	for i, it := range s.items {
		switch it.meaning {
		case asking, counting, every, document, joining, customers, kindOf, goods:
			it.used = it.meaning != document || it.id == "order" || it.id == "customerorder" || it.used
		case period:
			if it.used = !it.period.From.IsZero() && !it.period.From.After(s.Today); it.used {
				q.From, q.To = tool.DayOf(it.period.From), tool.DayOf(it.period.To)
			}
		case name:
			found := meanings(it.name, connector.NameCounterparty, connector.NameSupplier)
			if it.used = len(found) == 1; it.used {
				q.Where = append(q.Where, analysis.Condition{Field: "counterparty", Op: analysis.In,
					Values: []analysis.Scalar{analysis.Scalar(argument(it.name.Meanings, found[0]))}})
				if prev := s.beside(i, -1); is(prev, agent) || is(prev, from) {
					prev.used = true
				}
			}
		default:
		}
	}
	if q.From == "" {
		q.From, q.To = tool.DayOf(s.Today.AddDate(-3, 0, 1)), tool.DayOf(s.Today)
	}
	return &Reading{Call: Call{Query: q}, Listing: true}
}

// statesSaid returns the states that the task says of orders, and takes the words for them.
func (s *sentence) statesSaid() map[string]bool {
	said := map[string]bool{}
	for _, it := range s.items {
		var list []string
		for i := it.at; i < it.end; i++ {
			before := ""
			if i > 0 {
				before = s.ts[i-1].Norm
			}
			if id := stateOf(s.ts[i].Norm, before); id != "" {
				list = append(list, id)
			}
		}
		for _, id := range list {
			said[id] = true
		}
		it.used = it.used || len(list) > 0 && it.meaning != name
	}
	for _, it := range s.items { // "не", "но" and "ещё" beside them
		besides := true
		for i := it.at; i < it.end; i++ {
			besides = besides && besideState[s.ts[i].Norm]
		}
		it.used = it.used || besides
	}
	return said
}

// stateOf returns what a word says of an order, with the word before it.
func stateOf(w, before string) string {
	not := before == "не" || before == "not" || before == "ещё" || before == "еще"
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(b string) bool { return strings.HasPrefix(w, b) })
	}
	switch {
	case has("частичн", "отчасти") || w == "partly" || w == "partially":
		return "part"
	case has("предоплат", "предоплач", "аванс") || w == "prepaid" || w == "prepayment":
		return "prepaid"
	case has("оплатил", "оплачен", "проплатил", "проплачен", "заплатил") || w == "paid":
		if not {
			return "unpaid"
		}
		return "paid"
	case has("неотгруж"), not && (has("отгруз", "отгруж", "отправ", "отослал", "выдан", "выдал", "уеха") ||
		w == "shipped" || w == "sent" || w == "delivered"):
		return "unshipped"
	case has("отгруж", "отгрузил") || w == "shipped":
		return "shipped"
	}
	return ""
}

// saysState reports whether a word that may be read as a type of documents says a state: "отгруженные", "оплатили".
func (s *sentence) saysState(it *item) bool {
	return slices.ContainsFunc(s.ts[it.at:it.end], func(t token.Token) bool { return stateOf(t.Norm, "") != "" })
}

var besideState = words.Set("не но а и уже ещё еще пока так что которые товар деньги были было был not but and yet still " +
	"already have been that are is")
