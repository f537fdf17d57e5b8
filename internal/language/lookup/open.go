package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// openOrders reports whether "open" stands before orders in the plural and is no verb.
func (s *sentence) openOrders(it, next *item) bool {
	orders := is(next, document) && slices.Contains([]string{"order", "customerorder", "purchaseorder"}, next.id)
	return orders && s.ts[it.at].Norm == "open" && strings.HasSuffix(s.ts[next.end-1].Norm, "s")
}

// overdueAlone asks what is meant where a task says nothing but that something is overdue: "просрочки есть?" (rule
// R605).
func (s *sentence) overdueAlone() *Reading {
	f := s.first(flag)
	if f == nil || f.id != "overdue" || s.Previous != nil || !latenesses[s.ts[f.at].Norm] {
		return nil
	}
	for _, it := range s.items {
		switch it.meaning {
		case flag, function, asking, every, whether, counting:
		default:
			return nil
		}
	}
	for _, it := range s.items {
		it.used = true
	}
	l := s.language()
	return &Reading{Ask: WhichOverdue, Options: []Option{
		{Call{Tool: "overdue_orders", Input: Overdue{}},
			l.Pick("просроченные заказы покупателей", "overdue customer orders")},
		{Call{Tool: documentsTool, Input: Documents{Kinds: []string{"purchaseorder"}, Overdue: true}},
			l.Pick("просроченные заказы поставщикам", "overdue supplier orders")},
		{Call{Query: &analysis.Query{Measures: []string{"debt_age"}, By: []string{"counterparty"},
			Order: []analysis.Order{{Field: "debt_age", Direction: analysis.Descending}}}},
			l.Pick("долги покупателей по возрасту", "age of the customers' debts")}}}
}

// latenesses are nouns for being late, and "overdue" by itself.
var latenesses = words.Set("просрочка просрочки просрочек задержка задержки задержек overdue")

// open reports whether the task asks for documents with something left to do.
func (d *papers) open() bool {
	return slices.ContainsFunc(d.items, func(it *item) bool {
		return it.meaning == flag && it.id != "posted" && it.id != "draft"
	})
}

var moneyWords = words.Set("касса кассе кассу кассам счет счету счетам деньги денег банк банку cash bank account")

// ofMoney reports whether the task names an account, a cash desk or money: then what comes in is no goods.
func (d *papers) ofMoney() bool {
	return slices.ContainsFunc(d.ts, func(t token.Token) bool { return moneyWords[t.Norm] })
}

// afterMoney reports whether a word is about money after figures of money: "приход за неделю", and "по счетам".
func (d *papers) afterMoney(noun string) bool {
	if d.Previous == nil || len(d.Previous.Measures) == 0 || !ofPayments[d.Previous.Measures[0]] || d.others > 0 {
		return false
	}
	it := d.first(document)
	return noun == "arrival" || it != nil && it.at > 0 && byWords[d.ts[it.at-1].Norm] && noun == "invoice"
}

var (
	ofPayments = words.Set("balance money_in money_out net_flow")
	byWords    = words.Set("по by")
)

// moment reports whether a period is today as a moment: "на сегодня", "на сегодняшний день", "as of today".
func (d *papers) moment(it *item) bool {
	p := it.period
	if !p.From.Equal(d.Today) || !p.To.Equal(d.Today) || it.at == 0 {
		return false
	}
	before := d.ts[it.at-1]
	return before.Kind == token.Word && (before.Norm == "на" || before.Norm == "of" || before.Norm == "by")
}
