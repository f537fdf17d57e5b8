package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// cashDesk is the value of the dimension account that all cash desks have.
const cashDesk = "Касса"

// moneyPlace limits balances to bank accounts, cash desks or a currency, as the task says (rule R510).
func (d *draft) moneyPlace() {
	p := typed.PlaceOfMoney(d.Tokens)
	if p.Place != "" && slices.Equal(d.asked, []string{"stock"}) && !d.inStores() && len(d.periods) == 0 {
		d.replace("stock", "balance") // "остаток по расчётному счёту"
	}
	if p.Place != "" && d.inMoney && slices.Equal(d.asked, []string{"stock_cost"}) && !d.inStores() {
		d.replace("stock_cost", "balance")
	}
	if !slices.Equal(d.asked, []string{"balance"}) {
		return
	}
	if len(p.At) == 0 {
		return
	}
	for _, it := range d.Items {
		it.Used = it.Used || d.saysPlace(it, &p) || it.Kind == typed.InMoney
	}
	d.q.Where = append(d.q.Where, PlaceOf(p.Place, p.Currency)...)
	d.separates, d.inMoney = false, false
}

// saysPlace reports whether all words of an item say which money is meant.
func (d *draft) saysPlace(it *typed.Item, p *typed.MoneyPlace) bool {
	for i := it.At; i < it.End; i++ {
		if !p.Says(i) && !typed.IsFunction(d.Catalogue, &d.Tokens[i]) {
			return false
		}
	}
	return true
}

// PlaceOf returns the conditions that limit balances to a place and a currency; empty for any.
func PlaceOf(place, currency string) (where []analysis.Condition) {
	switch place {
	case typed.CashDesks:
		where = append(where, analysis.Condition{Field: "account", Op: analysis.In,
			Values: []analysis.Scalar{cashDesk}})
	case typed.Accounts:
		where = append(where,
			analysis.Condition{Field: "account", Op: analysis.NotIn, Values: []analysis.Scalar{cashDesk}})
	}
	if currency != "" {
		where = append(where, analysis.Condition{Field: "currency", Op: analysis.In,
			Values: []analysis.Scalar{analysis.Scalar(currency)}})
	}
	return where
}

// whenDue adds the day to what is expected where the task asks when it comes: "когда придёт товар".
func (d *draft) whenDue() {
	if slices.Contains(d.asked, "open_orders") && d.word(dateWords) && !slices.Contains(d.asked, "expected_on") &&
		len(d.q.By) == 0 {
		d.ask("expected_on")
	}
}

var dateWords = words.Set("когда when")

// whereLies reads "где лежат пледы" as the stock by warehouse and not as its age, unless days are named.
func (d *draft) whereLies() {
	if !d.word(whereWords) || !slices.Equal(d.asked, []string{"days_in_stock"}) || len(d.q.By) > 0 ||
		d.conditioned("days_in_stock") || !d.ofGoods() || d.Previous != nil ||
		slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Least != "" }) {
		return
	}
	d.replace("days_in_stock", "stock")
	d.q.By = []string{"store"}
}
