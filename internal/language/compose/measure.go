package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// doesNotSell reports whether an item says that goods are not sold now: "что не продаётся".
func (d *draft) doesNotSell(it *typed.Item) bool {
	return d.Tokens[it.At].Norm == "не" && it.End > it.At+1 && notSold[d.Tokens[it.At+1].Norm] && d.direction == ""
}

var notSold = words.Set("продается продаётся продаются")

// takeMeasure reads a measure: to show, to sort by, or with a condition beside it.
func (d *draft) takeMeasure(it, prev, next *typed.Item) {
	it.Used = true
	if is(prev, typed.Absent) || is(prev, typed.Except) && (it.ID == "returns" || it.ID == "reserve") {
		if it.ID == "cost" { // of goods, and not of sales
			it.ID = "unit_cost"
		}
		it.Used = d.isZero(it, prev, next)
		return
	}
	if it.ID == "days_since" && d.Previous == nil && d.ofPeriod(it) && (whatWords[d.first()] || d.anyGoodsSaid()) &&
		!d.customers() && !d.named("counterparty") {
		it.ID = "days_since_sale" // "что не брали за месяц"
	}
	if it.ID == "stock pace" || it.ID == "days_since_sale" && !d.inDays(it) &&
		(d.daysBehind(it) || d.ofPeriod(it) || d.doesNotSell(it)) {
		d.withoutSales(next)
		return
	}
	if it.ID == "last_purchase" && it.Order != "" && d.Previous == nil {
		d.notPurchased()
		return
	}
	if p := d.upToToday(); it.ID == "days_since" && p != nil {
		d.notSince(p)
		return
	}
	if it.None { // "что закончилось"
		d.ask(it.ID)
		op := analysis.LessEqual // less than nothing is none, too
		if slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
			return strings.HasPrefix(t.Norm, "нул") || strings.HasPrefix(t.Norm, "нол") || t.Norm == "zero"
		}) {
			op = analysis.Equal
		}
		d.where(it.ID, op, "0")
		d.goods = d.goods || len(d.q.By) == 0
		return
	}
	if it.ID == "quantity" && it.End == it.At+1 && is(next, typed.Dimension) && next.ID == "counterparty" &&
		next.At == it.End { // "количество клиентов за октябрь": those who bought, and not what they bought
		d.ask("revenue")
		return
	}
	if it.ID == "first_sale purchases_sum" || it.ID == "first_sale" && d.Previous == nil && d.inPast() {
		d.newCustomers()
		return
	}
	if is(prev, typed.Except) || !d.addMeasures(it, prev) {
		it.Used = it.Used && !is(prev, typed.Except)
		return
	}
	if it.Order != "" {
		d.ordered, d.direction = it.ID, it.Order
		d.limit(prev)
	} else if d.ordered == "" && (is(prev, typed.Best) || is(prev, typed.Worst)) && !strings.Contains(it.ID, " ") &&
		!d.Tokens[it.At].Cyrillic {
		d.ordered = it.ID // "the most profit"
	}
	d.atLeast(it, next)
	if d.eachOne(prev) && orderedBy[d.Tokens[it.At].Norm] && it.End == it.At+2 { // "how much did each customer order"
		prev.Used, d.q.By = true, append(d.q.By, "counterparty")
	}
	if is(prev, typed.Per) && !d.eachOne(prev) { // "топ по прибыли", "сравни склады по выручке"
		prev.Used = true
		if d.direction != "" || d.q.Limit > 0 || d.Previous != nil {
			d.ordered = it.ID
		}
	}
}

var orderedBy = words.Set("customer client buyer")

// inPast reports whether the task names a past period: "первая покупка в октябре".
func (d *draft) inPast() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Period && !it.Period.From.IsZero() && !it.Period.From.After(d.Today)
	})
}

// inDays reports whether an item names a number of days itself: "дней без продаж".
func (d *draft) inDays(it *typed.Item) bool {
	w := d.Tokens[it.At].Norm
	return w == "дней" || w == "дни" || w == "days"
}

// addMeasures adds the measures of an item. "Money" beside another figure only says that it is money, unless they are
// joined: "money owed to us", "stock and money". It reports whether the item is a measure here.
func (d *draft) addMeasures(it, prev *typed.Item) bool {
	joined := is(prev, typed.Joining)
	if it.ID == "balance" && len(d.q.Measures) > 0 && !joined {
		if m, ok := d.Catalogue.Measure(d.q.Measures[0]); ok && m.Unit != tool.UnitMoney {
			it.Used = false
		}
		return false
	}
	worth := slices.Equal(d.q.Measures, []string{"balance"}) && !joined // "сколько денег лежит на складе"
	if worth && it.ID == "stock" && remaining[d.Tokens[it.End-1].Stem] && !d.inStores() {
		return true // "сколько денег осталось в кассе"
	}
	if worth {
		d.q.Measures, d.asked = nil, nil
	}
	if d.Tokens[it.End-1].Stem == token.StemOf("стоит") && it.ID == "sale_price" && !d.ofGoods() {
		it.Used = false // "сколько стоит" what?
		return false
	}
	if (it.ID == "purchases" || it.ID == "ordered" || it.ID == "orders" || it.ID == "revenue") && d.plans(it) {
		it.Used = false // "что надо закупить" is no question about what was bought
		return false
	}
	if it.ID == "revenue" && (carriers[d.Tokens[it.At].Stem] || carriers[d.Tokens[it.End-1].Stem]) &&
		slices.ContainsFunc(d.Items, d.carried) {
		return false
	}
	if it.ID == "revenue" && slices.ContainsFunc(d.Items,
		func(x *typed.Item) bool { return x.Kind == typed.BelowCost }) && !(d.inPast() && d.stems(lossStems)) {
		d.ask("sale_price") // "продаём ниже себестоимости" is about prices
		return true
	}
	if it.ID == "purchases" && is(prev, typed.Named) && strings.HasPrefix(d.Tokens[it.At].Norm, "b") &&
		prev.End == it.At { // "is Alfa buying less"
		d.ask("revenue")
		return true
	}
	for id := range strings.FieldsSeq(it.ID) {
		if ofMoney := map[string]string{"income": "money_in", "outcome": "money_out"}[id]; ofMoney != "" &&
			slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
				return x.Kind == typed.Measure &&
					x.ID == "balance"
			}) {
			id = ofMoney
		}
		if sum := inSums[id]; worth && (id == "stock" || id == "free" || id == "quantity") && sum != "" {
			id = sum
		}
		d.ask(id)
	}
	return true
}

// remaining are stems of verbs that are said of money as well as of goods.
var remaining = token.Stems("лежит лежат осталось осталась остался остались остается лежало")

// inStores reports whether the task names goods or a warehouse.
func (d *draft) inStores() bool {
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x.Kind == typed.Dimension && (x.ID == "product" || x.ID == "store" || x.ID == "group") ||
			x.Kind == typed.Named && slices.ContainsFunc(x.Name.Meanings, func(n connector.Name) bool {
				return n.Kind == connector.NameStore || n.Kind == connector.NameGroup || n.Kind == connector.NameProduct
			})
	})
}

// plans reports whether a word for buying is an infinitive, such as "закупить" or "to buy".
func (d *draft) plans(it *typed.Item) bool {
	last := d.Tokens[it.End-1].Norm
	if last != "buy" && last != "purchase" && last != "order" {
		return strings.HasSuffix(last, "ть")
	}
	return slices.ContainsFunc(d.Tokens[:it.At], func(t token.Token) bool {
		return t.Norm == "to" || t.Norm == "should" || t.Norm == "must" || t.Norm == "need"
	})
}

// carried reports whether an item is a measure that verbs of selling may stand beside and add nothing to.
func (d *draft) carried(it *typed.Item) bool {
	return it.Kind == typed.Measure && (it.ID == "profit" || it.ID == "markup" || it.ID == "margin" ||
		it.ID == "revenue" && !carriers[d.Tokens[it.At].Stem] &&
			!carriers[d.Tokens[it.End-1].Stem])
}

// ofGoods reports whether the task, or the one before, names goods.
func (d *draft) ofGoods() bool {
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		return x.Kind == typed.Named || x.Kind == typed.Dimension && x.ID == "product"
	}) || d.Previous != nil && (slices.Contains(d.Previous.By, "product") ||
		slices.ContainsFunc(d.Previous.Where, func(w analysis.Condition) bool { return w.Field == "product" }))
}

// ask adds measures that the task asks for.
func (d *draft) ask(ids ...string) {
	for _, id := range ids {
		d.addMeasure(id)
		if !slices.Contains(d.asked, id) {
			d.asked = append(d.asked, id)
		}
	}
}

func (d *draft) addMeasure(id string) {
	if !slices.Contains(d.q.Measures, id) {
		d.q.Measures = append(d.q.Measures, id)
	}
}
