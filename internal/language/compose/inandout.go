package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// moneyInAndOut reads "сколько денег сегодня пришло и сколько ушло" as money that came in and went out: beside money
// these verbs are of no goods, and no balance is asked for (rule R1055).
func (s *sentence) moneyInAndOut() {
	if s.Previous != nil {
		return
	}
	var money, came *typed.Item
	var gone []*typed.Item
	for _, it := range s.Items {
		last := s.Tokens[it.End-1].Norm
		switch {
		case money == nil && (it.Kind == typed.Measure && it.ID == "balance" || it.Kind == typed.Unexplained ||
			it.Kind == typed.Function) && moneyWords[last]:
			money = it
		case it.Kind != typed.Measure && it.Kind != typed.Unexplained:
		case moneyCame[last]:
			came = it
		case moneyWent[last] && came != nil:
			gone = append(gone, it)
		}
	}
	if money == nil || came == nil || len(gone) == 0 {
		return
	}
	money.Kind = typed.Function
	came.Kind, came.ID = typed.Measure, "money_in"
	for _, it := range gone {
		it.Kind, it.ID, it.Least, it.Order = typed.Measure, "money_out", "", ""
	}
}

var (
	moneyWords = words.Set("денег деньги средств money cash")
	moneyCame  = words.Set("пришло поступило получили приходит заходит зашло came")
	moneyWent  = words.Set("ушло вышло потратили потрачено уходит выходит списалось отдали went left")
)

// oneOfThem takes "с кем из поставщиков" for one breakdown: the suppliers are those who are asked about (rule R1056).
func (d *draft) oneOfThem() {
	for i, it := range d.Items {
		of := d.neighbour(i, 1)
		if !is(it, typed.Dimension) || !agentKinds[it.ID] || !is(of, typed.Dimension) || !agentKinds[of.ID] ||
			it.ID == of.ID || !amongWords[d.Tokens[max(0, of.At-1)].Norm] && !amongWords[d.Tokens[of.At].Norm] {
			continue
		}
		drop := it.ID
		if it.ID == "counterparty" && of.ID == "supplier" && slices.ContainsFunc(d.asked, func(m string) bool {
			return !d.allows(m, "supplier") || boughtFrom[m]
		}) {
			drop = of.ID // whom it was bought from, and not the supplier in the card
		}
		if slices.Contains(d.q.By, it.ID) && slices.Contains(d.q.By, of.ID) {
			d.q.By = slices.DeleteFunc(slices.Clone(d.q.By), func(by string) bool { return by == drop })
		}
	}
}

var (
	agentKinds = words.Set("counterparty supplier employee")
	amongWords = words.Set("из среди of among")
	boughtFrom = words.Set("purchases deliveries ordered open_orders money_out owed_by_us")
)
