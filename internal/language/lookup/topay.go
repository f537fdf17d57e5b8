package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// toPay asks what is meant where a task asks what is to be paid: "что нужно оплатить на этой неделе" is no money that
// was paid, and no bill says until when it is to be paid (rule R1207).
func (s *sentence) toPay() *Reading {
	due, pays, asks := false, false, false
	for i := range s.ts {
		w := s.ts[i].Norm
		due = due || mustPay[w]
		pays = pays || paying[w]
		asks = asks || asksBills[w]
	}
	if s.Previous != nil || !due || !pays || !asks {
		return nil
	}
	for _, it := range s.items {
		words := s.ts[it.at:it.end]
		it.used = it.used || it.meaning == period || it.meaning == asking || it.meaning == counting ||
			it.meaning == kindOf || it.meaning == agent || it.meaning == dueBy || it.meaning == goods ||
			slices.ContainsFunc(words, func(t token.Token) bool {
				return mustPay[t.Norm] || paying[t.Norm] || asksBills[t.Norm] ||
					strings.HasPrefix(t.Norm, "счет") || strings.HasPrefix(t.Norm, "bill")
			})
		if it.meaning == name {
			return nil
		}
	}
	say := s.language().Pick
	return &Reading{Ask: NoPayDay, Options: []Option{
		{Call{Tool: documentsTool, Input: Documents{Kinds: []string{"invoicein"}, Unpaid: true}},
			say("неоплаченные счета поставщиков", "unpaid supplier invoices")},
		{Call{Tool: documentsTool, Input: Documents{Kinds: []string{"supply"}, Unpaid: true}},
			say("неоплаченные приёмки", "unpaid goods receipts")},
		{Call{Tool: "receivables", Input: Debts{"owed_by_us"}}, say("кому мы должны", "whom we owe")}}}
}

// Debts is the input of the report of debts.
type Debts struct {
	Direction string `json:"direction"`
}

var (
	asksBills = words.Set("что чего че какие what which") // how much and whom are about debts
	mustPay   = words.Set("нужно надо пора предстоит осталось должны должен need have must should needs due")
	paying    = words.Set("оплатить заплатить платить оплачивать проплатить перечислить pay")
)
