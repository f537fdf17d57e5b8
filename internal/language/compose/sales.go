package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// averageReceipt takes "чек" beside a comparative for the average receipt: "в каком магазине чек выше", "вырос ли чек".
func (d *draft) averageReceipt() {
	i := slices.Index(d.q.By, "document")
	if i < 0 || d.Previous != nil {
		return
	}
	for k, it := range d.Items {
		if it.Kind != typed.Dimension || it.ID != "document" || it.End-it.At > 1 ||
			!receiptWords[d.Tokens[it.At].Norm] ||
			is(d.neighbour(k, -1), typed.Per) || it.At > 0 && d.Tokens[it.At-1].Stem == token.StemOf("какой") {
			continue
		}
		if len(d.q.By) == 1 && (is(d.neighbour(k, -1), typed.Best) || is(d.neighbour(k, -1), typed.Worst)) {
			d.q.Limit = max(d.q.Limit, 1) // "самый большой чек"
			return
		}
		ranks := slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
			return x.Kind == typed.Operator || x.Kind == typed.Best || x.Kind == typed.Worst || x.Kind == typed.With ||
				x.Kind == typed.Trend || x.Kind == typed.Average
		})
		if !ranks {
			continue
		}
		d.q.By = slices.Delete(slices.Clone(d.q.By), i, i+1)
		d.remove("revenue")
		d.ask("average_receipt")
		return
	}
}

var receiptWords = words.Set("чек чека чеком чеке")

// visitors leaves out the verb of buying beside the number of people: "сколько человек купило".
func (d *draft) visitors() {
	for i, it := range d.Items {
		next := d.neighbour(i, 1)
		if is(it, typed.Measure) && it.ID == "receipts" && is(next, typed.Measure) && (next.ID == "purchases" ||
			next.ID == "revenue") && buyingStems[d.Tokens[next.End-1].Stem] && slices.Contains(d.asked, "receipts") {
			d.remove(next.ID)
			return
		}
	}
}

// fastest ranks what is sold by pieces where the task ranks by speed: "что расходится быстрее всего".
func (d *draft) fastest() {
	if d.direction == "" || !slices.Contains(d.asked, "revenue") || d.compares || !slices.ContainsFunc(d.Items,
		func(it *typed.Item) bool {
			return (it.Kind == typed.Best || it.Kind == typed.Worst) && slices.ContainsFunc(d.Tokens[it.At:it.End],
				func(t token.Token) bool { return fastWords[t.Norm] })
		}) {
		return
	}
	d.replace("revenue", "quantity")
	d.ordered = "quantity"
}

var fastWords = words.Set("быстрее быстро медленнее медленно fastest faster quickest quicker slowest slower")

// partOfProfit reads "сколько процентов прибыли приносит посуда" as a share of the profit, and not as a margin.
func (d *draft) partOfProfit() {
	gives := func(t token.Token) bool { return carriers[t.Stem] || giving[t.Norm] }
	i := slices.IndexFunc(d.Items, func(it *typed.Item) bool {
		return is(it, typed.Measure) && it.ID == "margin" && it.End-it.At > 1 &&
			strings.HasPrefix(d.Tokens[it.End-1].Norm, "прибыл") && partWords[d.Tokens[it.At].Stem]
	})
	if i < 0 || d.Previous != nil || !slices.Contains(d.asked, "margin") ||
		!slices.ContainsFunc(d.Tokens[d.Items[i].End:], gives) {
		return
	}
	d.replace("margin", "profit")
	d.remove("revenue")
	d.q.Share = true
}

var (
	partWords = token.Stems("процент доля часть какой сколько")
	giving    = words.Set("дает дают дал дала дали дало приходится делает делают сделали обеспечивает обеспечивают")
)

// sideBySide shows a row for each of several groups, places or people that the task names, where the figures are sums
// of a period: "продажи посуды и текстиля" (rule R503).
func (d *draft) sideBySide() {
	if len(d.q.By) > 0 || d.goods || d.asksWhat() || d.Previous != nil || d.q.Share || d.whys {
		return
	}
	names := 0
	for _, it := range d.Items {
		if it.Kind == typed.Named && len(it.Name.At) > 0 {
			names++
		}
	}
	for _, w := range d.q.Where {
		if names > 1 && w.Op == analysis.In && len(w.Values) > 1 && apartFields[w.Field] &&
			d.allAllow(w.Field) && d.overTime() {
			d.q.By = []string{w.Field}
			return
		}
	}
}

// apartFields are dimensions whose values are asked for each by itself.
var apartFields = words.Set("group store employee sales_channel counterparty supplier legal_entity project")

// busiest reports whether the task asks when or where there are most customers.
func (d *draft) busiest() bool {
	i := slices.Index(d.q.By, "counterparty")
	if i < 0 || len(d.q.By) != 2 || d.direction == "" || len(d.q.Measures) > 0 || !slices.ContainsFunc(d.q.By,
		func(by string) bool { return by == "store" || d.ofTime(by) }) {
		return false
	}
	if slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == "counterparty" && it.At > 0 && d.Tokens[it.At-1].Norm == "по"
	}) {
		return false
	}
	d.q.By = slices.Delete(slices.Clone(d.q.By), i, i+1)
	return true
}

// classLetters reads a letter behind a word such as "класс" as a class of ABC analysis: "товары группы C".
func (s *sentence) classLetters() {
	for i, it := range s.Items {
		t := &s.Tokens[it.At]
		if i == 0 || it.End != it.At+1 || classes[t.Norm] == "" ||
			it.Kind != typed.Function && it.Kind != typed.Unexplained || !s.says(i-1, classWords) {
			continue
		}
		last := it.End == len(s.Tokens) || s.Tokens[it.End].Kind == token.Mark
		if t.Raw == t.Norm && !last && !(t.Norm == "а" && behindClass[s.Tokens[it.End].Norm]) {
			continue // "в категории с"
		}
		it.Kind, it.ID, s.Items[i-1].Kind = typed.Letter, classes[t.Norm], typed.Function
	}
}

var behindClass = words.Set("по за и в с")

// salesAbove reports whether a condition on a sum is said of sales in the plural, which are documents: "продажи от 3 до
// 5 тысяч".
func (d *draft) salesAbove() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		w := d.Tokens[it.At].Norm
		return is(it, typed.Measure) && it.ID == "revenue" && it.End == it.At+1 && (w == "продажи" || w == "sales" ||
			w == "отгрузки") && (it.At == 0 || d.Tokens[it.At-1].Kind == token.Mark || !whatWords[d.first()])
	}) && !d.goods && len(d.q.Order) == 0 && d.direction == ""
}

// timesBought reads how many times something was bought without an operator: "купили 3 раза", "клиенты с двумя
// покупками".
func (d *draft) timesBought(n, prev, next *typed.Item) bool {
	with := n.At > 0 && (withWords[d.Tokens[n.At-1].Norm] || is(prev, typed.Only)) &&
		(d.customers() || d.word(whoWords)) && is(next, typed.Measure) && next.At == n.End &&
		n.Number.Unit == words.NoUnit && (next.ID == "receipts" || next.ID == "orders" || next.ID == "purchases")
	times := n.Number.Unit == words.Times && is(prev, typed.Measure)
	if !with && !times || d.Previous != nil || d.behind(next) {
		return false
	}
	of := d.countOfPurchases()
	if n.Used = of != ""; of != "" {
		d.addMeasure(of)
		d.where(of, analysis.Equal, n.Number.Value)
	}
	return n.Used
}

var withWords = words.Set("с со with having")

// countOfPurchases is the number of sales in the period of the task, or of all time to a customer if it names none.
func (d *draft) countOfPurchases() string {
	dated := slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Period })
	goods := slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == "product"
	})
	switch {
	case dated || goods:
		return "receipts"
	case d.customers() || d.ofCustomers() || d.word(whoWords) || slices.Contains(d.q.By, "counterparty"):
		return "purchases_count"
	}
	return "receipts"
}

// oftenBought counts the sales of the period where the task names one, and leaves out the sum that the verb of buying
// stands for: "сколько клиентов купили больше одного раза в ноябре".
func (d *draft) oftenBought() {
	if d.Previous != nil || !d.conditioned("purchases_count") && !d.conditioned("receipts") {
		return
	}
	if d.conditioned("purchases_count") && len(d.periods) > 0 {
		d.replace("purchases_count", "receipts")
	}
	for _, it := range d.Items {
		if is(it, typed.Measure) && (it.ID == "revenue" || it.ID == "purchases") &&
			buyingStems[d.Tokens[it.End-1].Stem] &&
			len(d.q.Measures) > 1 {
			d.remove(it.ID)
		}
	}
	if d.conditioned("purchases_count") {
		d.remove("receipts")
		d.ask("purchases_count")
	} else if len(d.asked) == 0 {
		d.ask("receipts")
	}
	if len(d.q.By) == 0 && (d.customers() || d.word(whoWords)) && d.allAllow("counterparty") {
		d.q.By = []string{"counterparty"}
	}
}

// besideWord reads "сравни сайт и магазин", where one of two names is a common word: all rows of the dimension are
// shown.
func (d *draft) besideWord() {
	if d.Previous != nil || len(d.q.By) > 0 || !d.compares || len(d.periods) > 1 {
		return
	}
	for i, it := range d.Items {
		if it.Kind != typed.Named || i+2 >= len(d.Items) || d.Items[i+1].Kind != typed.Joining &&
			d.Items[i+1].Kind != typed.With || d.Items[i+2].Kind != typed.Dimension || d.Items[i+2].Plural {
			continue
		}
		of := typed.DimensionOf(it.Name.Meanings[0].Kind)
		k := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool {
			return w.Field == of && w.Op == analysis.In
		})
		if k < 0 || of == d.Items[i+2].ID {
			continue
		}
		d.Items[i+2].Used, d.compares = true, false
		d.q.By, d.q.Highlight = []string{of}, d.q.Where[k].Values
		d.q.Where = slices.Delete(slices.Clone(d.q.Where), k, k+1)
		return
	}
}

// clocksApart shows the hours where the task names several parts of the day: "утром и вечером".
func (d *draft) clocksApart() {
	clocks := 0
	for i, it := range d.Items {
		if it.Kind == typed.Clock && (i == 0 || clocks == 0 || d.Items[i-1].Kind == typed.Joining) {
			clocks++
		}
	}
	if clocks > 1 && len(d.q.By) == 0 && d.Previous == nil && len(d.q.Measures) > 0 && d.allAllow("hour") {
		d.q.By = []string{"hour"}
	}
}

// losers ranks by the greatest loss: "топ 5 убыточных товаров".
func (d *draft) losers() {
	if d.direction == analysis.Descending && d.ordered == "" && slices.ContainsFunc(d.Items,
		func(it *typed.Item) bool { return it.Kind == typed.Losing && it.Used }) {
		d.ordered, d.direction = "profit", analysis.Ascending
	}
}

// biggest reads "самая крупная продажа", "10 крупнейших продаж", "biggest sale": documents by their sum.
func (d *draft) biggest() bool {
	if len(d.q.By) > 0 || d.Previous != nil || !d.allows("revenue", "document") {
		return false
	}
	big := func(t token.Token) bool { return bigStems[t.Stem] }
	for i, it := range d.Items {
		if !is(it, typed.Measure) || i == 0 || it.ID != "revenue" && it.ID != "receipts" || it.End != it.At+1 ||
			!saleWords[d.Tokens[it.At].Norm] {
			continue
		}
		if i > 1 && is(d.Items[i-1], typed.Number) && is(d.Items[i-2], typed.TopRows) && it.ID == "receipts" {
			d.replace("receipts", "revenue") // "топ 10 чеков"
			d.q.By, d.goods, d.ordered = []string{"document"}, false, "revenue"
			return true
		}
		if d.Items[i-1].Kind != typed.Best || d.Items[i-1].End != it.At ||
			!slices.ContainsFunc(d.Tokens[d.Items[i-1].At:it.At], big) {
			continue
		}
		d.replace(it.ID, "revenue")
		d.q.By, d.goods, d.ordered = []string{"document"}, false, "revenue"
		if d.q.Limit == 0 && oneSale[d.Tokens[it.At].Norm] {
			d.q.Limit = 1
		}
		return true
	}
	return false
}

var (
	saleWords = words.Set("продажа продажи продаж продажу сделка сделки сделок покупка покупки покупок чеки чеков " +
		"sale sales receipts transactions deals")
	oneSale  = words.Set("продажа продажу сделка покупка sale")
	bigStems = token.Stems("крупный крупнейший большой самая самый biggest largest highest greatest top")
)
