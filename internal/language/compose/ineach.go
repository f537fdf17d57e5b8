package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// mostOfEach is how many rows of each value are shown where the best are asked for without a number: "лучшие продавцы
// по магазинам".
const mostOfEach = 5

// rankedIn are the dimensions that something is ranked within: "самый ходовой товар по складам". "топ товаров по
// артикулам" names the goods themselves.
var rankedIn = words.Set("store group supplier employee counterparty sales_channel project legal_entity expense_item " +
	"account state tag country kind day week month quarter year weekday hour")

// ranksInEach finds what a task ranks, and within what: the product of "самый ходовой товар по складам" within each
// store (rule R1052).
func (d *draft) ranksInEach() {
	subject := d.ranked()
	if subject == nil || d.whys {
		return
	}
	var in []string
	for i, it := range d.Items {
		if is(it, typed.Everywhere) && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
			return t.Norm == "every" || t.Norm == "each"
		}) { // "in every store"
			it.Used, d.anywhere = true, false
			in = append(in, "store")
			continue
		}
		if it == subject || !is(it, typed.Dimension) || it.ID == subject.ID || !rankedIn[it.ID] ||
			slices.Contains(in, it.ID) {
			continue
		}
		before := d.neighbour(i, -1)
		joined := len(in) > 0 && is(before, typed.Joining)
		asked := it.ID == "store" && d.asks(it) && d.asks(subject)
		if !is(before, typed.Per) && !it.Each && !joined && !asked {
			continue
		}
		in = append(in, it.ID)
		it.Used = true
		markIf(before, typed.Per, typed.Joining)
	}
	if len(in) == 0 || len(in) < len(d.q.By)-1 {
		return
	}
	if at := slices.Index(d.Items, subject); at > 0 && is(d.neighbour(at, -1), typed.Number) {
		d.limit(d.neighbour(at, -1))
	}
	d.q.By, d.goods, subject.Used = append(in, subject.ID), false, true
	d.inEach = subject
	d.eachOfNumber()
}

// eachOfNumber takes the "по" of "по одному лучшему товару с каждого склада" for a number of rows.
func (d *draft) eachOfNumber() {
	for i, it := range d.Items {
		if n := d.neighbour(i, 1); is(it, typed.Per) && is(n, typed.Number) && n.Used {
			it.Used = true
		}
	}
}

// ranked returns the dimension that a task ranks: the goods of "топ 5 товаров", "какой товар чаще всего возвращают",
// "3 самых прибыльных товара"; nil for none.
func (d *draft) ranked() *typed.Item {
	for i, it := range d.Items {
		if !is(it, typed.Dimension) || it.Each && !d.asks(it) && !asking[d.Tokens[it.At].Norm] {
			continue
		}
		if d.ranksItself(it) {
			if d.direction == "" {
				d.direction = analysis.Descending
			}
			return it
		}
		before := d.neighbour(i, -1)
		for is(before, typed.Number) || is(before, typed.Measure) && before.Order == "" {
			before = d.neighbour(slices.Index(d.Items, before), -1)
		}
		switch {
		case is(before, typed.Best), is(before, typed.Worst), is(before, typed.TopRows), is(before, typed.Measure):
			return it
		case d.direction != "" && d.asksOne(it) && (it.ID != "store" || !d.asksAnother(it)):
			return it
		case is(d.neighbour(i, -1), typed.Number) && slices.ContainsFunc(d.Items[i:], d.everyOf):
			return it // "по 3 товара в каждой группе"
		}
	}
	if i := slices.IndexFunc(d.Items, func(it *typed.Item) bool { return sizeWords[d.Tokens[it.At].Norm] }); i > 0 &&
		d.direction != "" && is(d.Items[i], typed.Function) {
		// "самые ходовые размеры"
		return &typed.Item{Kind: typed.Dimension, ID: "variant", At: d.Items[i].At, Plural: true}
	}
	if d.direction != "" && d.asksWhat() && !slices.Contains(d.q.By, "product") { // "что лучше всего продаётся"
		return &typed.Item{Kind: typed.Dimension, ID: "product", At: d.opening()}
	}
	return nil
}

// ofWhichGoods reports whether a task asks of which goods there is most: "какого товара больше всего по складам" is of
// the stock.
func (d *draft) ofWhichGoods() bool {
	it := d.inEach
	return it.ID == "product" && it.At > 0 && genitiveWhich[d.Tokens[it.At-1].Norm] && len(d.periods) == 0
}

var genitiveWhich = words.Set("какого каких")

// asksOne reports whether a dimension is what a task asks for: "какой товар", "кто", "из поставщиков".
func (d *draft) asksOne(it *typed.Item) bool {
	w := d.Tokens[it.At].Norm
	return d.asks(it) || asking[w] || whoWords[w] || amongWords[w]
}

// asksAnother reports whether a task asks for something else, too: "в каком магазине какой товар лучше идёт".
func (d *draft) asksAnother(it *typed.Item) bool {
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x != it && is(x, typed.Dimension) && d.asks(x)
	})
}

var sizeWords = words.Set("размер размеры размера размеров")

// everyOf reports whether an item says that each value is meant, with its dimension or before it.
func (d *draft) everyOf(it *typed.Item) bool {
	return d.eachOne(it) || is(it, typed.Dimension) && it.Each
}

// ranksItself reports whether a question for a person ranks by itself: "кто больше всех покупает".
func (d *draft) ranksItself(it *typed.Item) bool {
	return whoWords[d.Tokens[it.At].Norm] && slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
		return t.Norm == "всех" || t.Norm == "всего" || t.Norm == "most"
	})
}

// topOfEach limits the rows within each value of what they are ranked in (rules R757, R1052).
func (d *draft) topOfEach() {
	d.withinEach()
	if d.inEach == nil || len(d.q.By) < 2 {
		return
	}
	n := d.q.Limit
	if n == 0 {
		if n = 1; d.PluralHead(d.inEach) {
			n = mostOfEach
		}
	}
	if d.q.Limit, d.q.LimitEach = 0, n; len(d.q.Order) == 0 {
		d.q.Order = []analysis.Order{{Field: d.q.Measures[0], Direction: analysis.Descending}}
	}
}

// ofEachBefore keeps the number of rows of each value: "а по прибыли" after the best good of each store. Another
// number takes its place (rule R1053).
func (d *draft) ofEachBefore(n *analysis.Query, q analysis.Query) {
	switch {
	case len(q.By) < 2:
	case q.LimitEach > 0 && n.Limit == 0 && len(n.By) == 1 && rankedIn[n.By[0]] && d.saysBy() &&
		!slices.Contains(q.By, n.By[0]) && d.allows(q.Measures[0], n.By[0]):
		// "а по складам" after the best of each month
		n.By, n.LimitEach = []string{n.By[0], q.By[len(q.By)-1]}, q.LimitEach
	case !slices.Equal(n.By, q.By):
	case n.Limit > 0 && (q.LimitEach > 0 || d.each):
		n.LimitEach, n.Limit = n.Limit, 0
	case n.Limit == 0:
		n.LimitEach = q.LimitEach
	}
}

// perEach reads "по 3 в каждом" after rows of two dimensions, such as goods by store, and after the first of each: so
// many rows of each (rule R1053).
func (d *draft) perEach() {
	p := d.Previous
	if p == nil || len(p.By) < 2 {
		return
	}
	for i, it := range d.Items {
		if !is(it, typed.Number) {
			continue
		}
		before, behind := d.neighbour(i, -1), d.neighbour(i, 1)
		of := d.neighbour(i+1, 1)
		switch {
		case d.eachOne(behind) && (of == nil || is(of, typed.Dimension) && slices.Contains(p.By, of.ID)):
			markIf(of, typed.Dimension)
			behind.Used = true
		case is(before, typed.Per) && behind == nil && p.LimitEach > 0:
		default:
			continue
		}
		if d.limit(it); it.Used {
			d.each = true
			markIf(before, typed.Per)
		}
	}
}

// withinEach adds the rows before to a breakdown of which a number is asked for in each of them: "топ 3 товара в
// каждой" after the groups (rule R941).
func (d *draft) withinEach() {
	p := d.Previous
	if p == nil || len(p.By) != 1 || d.q.Limit == 0 || len(d.q.By) != 1 || d.q.By[0] == p.By[0] {
		return
	}
	for i, it := range d.Items {
		of := d.neighbour(i, 1)
		if d.eachOne(it) && (of == nil || is(of, typed.Dimension) && of.ID == p.By[0]) {
			d.inEach = &typed.Item{Kind: typed.Dimension, ID: d.q.By[0]}
			d.q.By = []string{p.By[0], d.q.By[0]}
			return
		}
	}
}
