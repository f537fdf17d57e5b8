package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
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
	ofStores := slices.Equal(d.q.By, []string{"store"}) // "на каком складе лежат полотенца"
	if !ofStores && (!d.word(whereWords) || len(d.q.By) > 0) || !slices.Equal(d.asked, []string{"days_in_stock"}) ||
		d.conditioned("days_in_stock") || !d.ofGoods() || d.Previous != nil ||
		slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Least != "" }) {
		return
	}
	d.replace("days_in_stock", "stock")
	d.q.By = []string{"store"}
}

// shopTill reads "касса" beside a shop as what was sold there, for shops keep no money: "вчерашняя касса по
// магазину" (rule R752).
func (s *sentence) shopTill() {
	at, shop := -1, -1
	dated := slices.ContainsFunc(s.Items, func(it *typed.Item) bool { return it.Kind == typed.Period })
	for i, it := range s.Items {
		switch {
		case it.Kind == typed.Measure:
			return
		case it.End == it.At+1 && tillWords[s.Tokens[it.At].Norm] &&
			(it.At == 0 || !intoTill[s.Tokens[it.At-1].Norm] || dated && s.Tokens[it.At-1].Norm == "по"):
			at = i
		}
	}
	for i, it := range s.Items {
		if it.Kind == typed.Dimension && it.ID == "store" || it.Kind == typed.Named &&
			!slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
				return n.Kind != connector.NameStore
			}) {
			shop = i
		}
	}
	if at < 0 || shop < 0 {
		return
	}
	s.Items[at].Kind, s.Items[at].ID = typed.Measure, "revenue"
	if at > 0 && s.Items[at-1].Kind == typed.Per {
		s.Items[at-1].Kind = typed.Function
	}
	s.Items[shop].Plural = true // "по магазину"
}

var (
	tillWords = words.Set("касса кассу кассы кассой кассе")
	intoTill  = words.Set("в на по из с к у")
)

// receiptsOfReturns reports whether a task asks for the documents of returns: "сколько чеков с возвратом".
func (d *draft) receiptsOfReturns() bool {
	if d.Previous != nil || !slices.Equal(d.asked, []string{"receipts", "returns"}) {
		return false
	}
	for i, it := range d.Items {
		next := d.neighbour(i, 1)
		if is(it, typed.Measure) && it.ID == "receipts" && is(next, typed.Measure) && next.ID == "returns" &&
			!d.marked(it, next) {
			return true
		}
	}
	return false
}

// shippedUnpaid reports whether a task asks what was shipped and is not paid, which documents tell and sales and
// orders do not: "отгружено, но не оплачено".
func (d *draft) shippedUnpaid() bool {
	return d.Previous == nil && slices.Contains(d.asked, "unpaid") && len(d.q.By) == 0 &&
		slices.ContainsFunc(d.Tokens, func(t token.Token) bool {
			return t.Use == token.Unused && shippedWords[t.Norm]
		})
}

var shippedWords = words.Set("отгружено отгрузили отгружали отгруженного отгруженное отгруженный отгрузил shipped")

// whomToPay reads "кому срочно платить" as what we owe, and not as what was paid (rule
// R993).
func (d *draft) whomToPay() {
	if slices.Contains(d.asked, "money_out") && len(d.periods) == 0 && d.word(toPay) && d.word(whomWords) &&
		!d.whys && d.allows("owed_by_us", "counterparty") {
		d.replace("money_out", "owed_by_us")
	}
}

var toPay = words.Set("платить заплатить оплатить уплатить оплачивать pay")
