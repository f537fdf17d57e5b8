package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// condition reads an operator with its number. It is about the measure beside it, else about the nearest one that the
// number's unit fits, else about what the unit says: money is a price, days are those in stock.
func (d *draft) condition(i int, it *typed.Item) {
	if d.behind(it) {
		number := d.Items[i-1]
		if of := d.about(i-1, i, number.Number); of != "" && !number.Used {
			d.addMeasure(of)
			it.Used, number.Used = true, true
			d.where(of, analysis.Op(it.ID), number.Number.Value)
		}
		return
	}
	n := d.neighbour(i, 1)
	around := is(n, typed.About)
	if around {
		n = d.neighbour(slices.Index(d.Items, n), 1)
	}
	if !is(n, typed.Number) || n.Used {
		if !d.orLess(i, it) {
			d.comparative(it, n)
		}
		return
	}
	least, upper := n.Number, d.upTo(it, n)
	if upper != nil {
		least = least.Like(upper.Number)
	}
	of := d.secondBound(it)
	if of == "" {
		of = d.about(i, slices.Index(d.Items, n), least)
	}
	if of == "" {
		return
	}
	d.addMeasure(of)
	it.Used, n.Used = true, true
	if d.priceOrStock(i, of, least) {
		if d.ordered == "sale_price" || slices.Contains(d.asked, "sale_price") { // "дорогие остатки от 3000"
			of = "sale_price"
		} else {
			d.maybePrice = []analysis.Scalar{analysis.Scalar(least.Value)}
		}
	}
	if around {
		d.neighbour(i, 1).Used = true
	}
	op := analysis.Op(it.ID)
	if op == analysis.Between && upper == nil {
		it.Used, n.Used = false, false
		return
	}
	values := []string{least.Value}
	if upper != nil {
		op, values = analysis.Between, append(values, upper.Number.Value)
		d.Items[slices.Index(d.Items, upper)-1].Used, upper.Used = true, true // "до"
	}
	d.where(of, op, values...)
}

// behind reports whether an operator stands behind its number: "10 or more", "500 and above", "20+".
func (d *draft) behind(it *typed.Item) bool {
	if !is(it, typed.Operator) {
		return false
	}
	i, w := slices.Index(d.Items, it), d.Tokens[it.At].Norm
	return i > 0 && d.Items[i-1].Kind == typed.Number && (w == "or" || w == "and" || w == "+") &&
		!(w == "and" && d.numberOf(it) != nil) // "more than 5 and less than 10"
}

// comparative reads an operator without a number: "где больше продаж", "больше, чем в октябре".
func (d *draft) comparative(it, next *typed.Item) {
	last := d.Tokens[it.End-1].Norm
	switch it.Used = true; {
	case d.ofTwoPriceTypes():
		d.instead = [2]string{"Отобрать товары сравнением двух типов цен нельзя. Показать обе цены рядом?",
			"Goods cannot be selected by comparing two price types. Show both prices side by side?"}
	case is(next, typed.Period) && (last == "чем" || last == "than"):
		d.compares = true
	case is(next, typed.Measure) && (last == "чем" || last == "than"): // one measure with another
		it.Used = false
	case is(next, typed.Average) && next.At == it.End: // "чек выше среднего"
		it.Used = false
	case !comparatives[d.Tokens[it.At].Norm]:
		it.Used = prepositions[d.Tokens[it.At].Norm] && it.End == it.At+1 // "от Чайного дома"
	case d.direction != "":
	case it.ID == string(analysis.Greater): // "где больше продаж"
		d.direction = analysis.Descending
	case it.ID == string(analysis.Less):
		d.direction = analysis.Ascending
	}
}

// ofTwoPriceTypes reports whether a comparison is of one type of prices with another: "где опт дороже розницы".
func (d *draft) ofTwoPriceTypes() bool {
	n := 0
	for _, it := range d.Items {
		if it.Kind == typed.Named && typed.DimensionOf(it.Name.Meanings[0].Kind) == "price_type" {
			n++
		}
	}
	return n > 1
}

// genitive reports whether a word may say what an amount is of: "500 рублей прибыли".
func genitive(w string) bool { return strings.HasSuffix(w, "и") || strings.HasSuffix(w, "ы") }

// about returns the measure that a condition is about; empty if that is not clear.
func (d *draft) about(at, n int, value typed.Numeral) string {
	fits := func(it *typed.Item) bool {
		if !is(it, typed.Measure) || strings.Contains(it.ID, " ") || d.unsold && it.ID == "days_since_sale" {
			return false
		}
		m, ok := d.Catalogue.Measure(it.ID)
		if ok && tooLarge(m, value) {
			return false // 50 000 percent is not what is meant
		}
		return ok && unitFits(m.Unit, value.Unit) &&
			!(d.unsold && m.Unit == tool.UnitDays && value.Unit == words.NoUnit)
	}
	if d.comparesPrices(d.Items[at]) {
		if before := d.neighbour(at, -1); is(before, typed.Measure) && ofDocuments[before.ID] {
			return "" // "приёмки дороже 100 тысяч" is about documents
		}
		if value.Unit != words.NoUnit && value.Unit != words.Money {
			return ""
		}
		if len(d.asked) > 0 && d.buys() && d.allows("purchase_price", "product") {
			return "purchase_price" // "что закупали дороже 1000" (rule R1093)
		}
		return "sale_price"
	}
	if d.Previous == nil && d.apiece(d.Items[at], n) {
		if len(d.asked) > 0 && d.buys() && d.allows("purchase_price", "product") {
			return "purchase_price"
		}
		return "sale_price" // "от 5 тысяч за штуку" (rule R1120)
	}
	before, after := d.neighbour(at, -1), d.neighbour(n, 1)
	if d.howManyThere(at, value, after) {
		return "stock"
	}
	if is(before, typed.Measure) && value.Unit == words.Percent && percentOfSum[before.ID] != "" {
		return percentOfSum[before.ID] // "возвраты больше 5 %"
	}
	if is(before, typed.Dimension) && before.ID == "product" && value.Unit == words.Money &&
		!is(after, typed.Measure) && pricing[d.Tokens[d.Items[at].At].Norm] {
		return "sale_price" // "товаров до 500 рублей"
	}
	beside := n+1 < len(d.Items) && d.Items[n+1] == after && value.Unit == words.NoUnit
	switch {
	case is(before, typed.Measure) && before.ID == "revenue" && value.Unit == words.Quantity &&
		!is(after, typed.Measure):
		return "quantity" // "sold over 20 pcs"
	case fits(after) && beside && !d.hasOperator(after) && d.soldCount(after, value): // "fewer than 5 sold"
		return "quantity"
	case fits(after) && beside && !d.hasOperator(after): // "sold more than 10 units"
		return after.ID
	case fits(before) && before.ID == "revenue" && value.Unit == words.NoUnit && d.countOf(before, value):
		return "receipts"
	case fits(before) && before.ID == "receipts" && purchaseWords[d.Tokens[before.End-1].Stem] &&
		moreThanTimes(value):
		return "revenue" // "с покупками больше 10 тысяч"
	case fits(before) && value.Unit == words.NoUnit && (d.piecesOf(before, value) || d.soldCount(before, value)):
		// "sells less than 5", "продано больше 5"
		return "quantity"
	case fits(after) && !d.hasOperator(after) && value.Unit == words.Money && after.At == d.Items[n].End &&
		genitive(d.Tokens[after.At].Norm):
		return after.ID // "принесло меньше 500 рублей прибыли"
	case d.whoBefore(at) && !is(after, typed.Measure) && (value.Unit == words.Money || moreThanTimes(value)):
		return "revenue" // "кто покупал игрушки больше чем на 5 тысяч"
	case is(before, typed.Dimension) && before.ID == "counterparty" && before.End-before.At > 1 &&
		!is(after, typed.Measure) && (d.Previous == nil || !d.asksWhom(before)) &&
		(value.Unit == words.NoUnit || value.Unit == words.Money):
		return "revenue" // "кто купил больше чем на 50 тысяч", not "у кого больше 5" of what was shown (rule R1098)
	case fits(before):
		return before.ID
	case fits(after) && !d.hasOperator(after):
		return after.ID
	}
	var free []*typed.Item
	for j := at - 1; j >= 0; j-- {
		free = append(free, d.Items[j])
	}
	free = append(free, d.Items[n+1:]...)
	for _, it := range free {
		if fits(it) && !d.hasOperator(it) {
			return it.ID
		}
	}
	if m := d.shown(value.Unit); m != "" {
		return m
	}
	if value.Unit == words.Times {
		return d.countOfPurchases()
	}
	if value.Unit == words.Money && slices.Contains(d.asked, "receipts") && d.stems(purchaseWords) {
		return "revenue" // "у кого покупок за квартал больше 100 000 рублей"
	}
	if value.Unit == words.Days && slices.Contains(d.asked, "latest_sale") {
		return "days_since" // "последняя покупка больше 60 дней назад"
	}
	stocked := is(before, typed.Measure) && before.ID == "stock" || is(after, typed.Measure) && (after.ID == "stock" ||
		after.ID == "stock_cost")
	switch {
	case value.Unit == words.Days && len(d.asked) == 0 && d.unsoldBefore():
		return "days_since_sale"
	case value.Unit == words.Days && stocked && d.worth(after):
		after.Used = true
		return "days_of_cover"
	case d.unsold && (value.Unit == words.NoUnit || value.Unit == words.Quantity):
		return "stock"
	case value.Unit == words.Days && len(d.asked) == 0 && d.Previous != nil && ages[d.Previous.Measures[0]] != "":
		return ages[d.Previous.Measures[0]] // "старше месяца" after the debts
	case value.Unit == words.Days && slices.Contains(d.asked, "owed_to_us"):
		return "debt_age"
	case value.Unit == words.Days && slices.Contains(d.asked, "owed_by_us"):
		return "our_debt_age"
	case value.Unit == words.Money && (d.ofGoods() || d.onShelves(at)):
		return "sale_price"
	case value.Unit == words.Days && is(before, typed.Measure) && before.ID == "stock" &&
		d.Tokens[before.End-1].Stem == token.StemOf("осталось"):
		return "days_of_cover" // "осталось на 3 дня"
	case value.Unit == words.Days && stocked && is(before, typed.Measure) &&
		d.Tokens[before.End-1].Stem == token.StemOf("запас"):
		return "days_of_cover"
	case value.Unit == words.Days && slices.Contains(d.asked, "reserve"):
		return "" // since when goods are reserved is not known
	case value.Unit == words.Days && (stocked || d.ofGoods()):
		return "days_in_stock"
	case value.Unit == words.Quantity && slices.Contains(d.asked, "revenue"):
		return "quantity"
	case value.Unit == words.Quantity && len(d.asked) == 0 && d.piecesBefore() != "":
		return d.piecesBefore()
	case value.Unit == words.Quantity && (d.ofGoods() || d.asksFirst() || goodsOfAnyKind[d.first()]) &&
		len(d.asked) == 0:
		d.goods = d.goods || !d.ofGoods() // "чего меньше 10 штук"
		return "stock"
	case value.Unit == words.NoUnit && len(d.asked) == 0 && d.Previous != nil:
		return d.plausible(value)
	case value.Unit == words.NoUnit && len(d.asked) == 0 && goodsOfAnyKind[d.first()] && at == n-1 && at <= 2 &&
		amountWords[d.Tokens[d.Items[at].At].Norm] && d.fewPieces(value):
		d.goods = d.goods || !d.ofGoods() // "чего меньше десятка"
		return "stock"
	case d.priceRange(at, n): // "чай от 200 до 400"
		return "sale_price"
	}
	return ""
}

// piecesBefore returns the number of pieces behind the sum of goods that was shown: "больше 2 штук" after returns by
// product is about what was returned (rule R945). It returns "" if there is none.
func (d *draft) piecesBefore() string {
	if d.Previous == nil || !slices.ContainsFunc(d.Previous.By, func(by string) bool {
		return by == "product" || by == "variant"
	}) {
		return ""
	}
	return inPieces[d.Previous.Measures[0]]
}

// unsoldBefore reports whether the goods that were shown are those without sales: "больше месяца" after them is how
// long ago they were sold last (rule R945).
func (d *draft) unsoldBefore() bool {
	return d.Previous != nil && slices.ContainsFunc(d.Previous.Where, func(w analysis.Condition) bool {
		return w.Field == "pace" && w.Op == analysis.Equal && len(w.Values) == 1 && w.Values[0] == "0"
	})
}

// goodsOfAnyKind are first words that ask for goods of any kind: "чего меньше 10 штук", "anything below 5 pcs".
var goodsOfAnyKind = words.Set("чего anything something")

// tooLarge reports whether a number without a unit cannot be of a measure: 10 000 is no margin and no number of
// days.
func tooLarge(m *analysis.Measure, value typed.Numeral) bool {
	return (m.Unit == tool.UnitPercent || m.Unit == tool.UnitDays) && value.Unit == words.NoUnit &&
		len(value.Value) > 3 && !strings.Contains(value.Value, ".")
}

// plausible returns the measure of the answer before that a number without a unit may be about: "больше 10 тысяч"
// after the age of debts is about the debts (rule R652).
func (d *draft) plausible(value typed.Numeral) string {
	list := append([]string{d.mainMeasure()}, d.Previous.Measures...)
	for _, name := range slices.Clone(list) {
		if of := moneyBehind[name]; of != "" {
			list = append(list, of)
		}
	}
	for _, name := range list {
		if m, ok := d.Catalogue.Measure(name); !ok || !tooLarge(m, value) {
			return name
		}
	}
	return ""
}

// moneyBehind are the sums of money behind percentages and numbers of days.
var moneyBehind = map[string]string{"debt_age": "owed_to_us", "our_debt_age": "owed_by_us", "margin": "revenue",
	"markup": "revenue", "overdue_days": "unshipped", "days_in_stock": "stock_cost", "return_rate": "returns"}

// shown returns the measure of the answer before that a number with a unit is about: "больше 60 дней" after the days
// since the last purchase; empty if it shows none in that unit, or if the task names a measure of its own.
func (d *draft) shown(unit words.UnitKind) string {
	if unit == words.NoUnit || d.Previous == nil || len(d.asked) > 0 {
		return ""
	}
	for _, name := range d.Previous.Measures {
		if m, ok := d.Catalogue.Measure(name); ok && unitFits(m.Unit, unit) {
			return name
		}
	}
	return ""
}

// mainMeasure returns the measure of the answer before that its rows are sorted by, or the first one.
func (d *draft) mainMeasure() string {
	for _, o := range d.Previous.Order {
		if slices.Contains(d.Previous.Measures, o.Field) {
			return o.Field
		}
	}
	return d.Previous.Measures[0]
}

// worth reports whether a number of days before a measure of stock is how long it lasts: "a week's worth of stock".
func (d *draft) worth(it *typed.Item) bool {
	if !is(it, typed.Measure) || it.ID != "stock" && it.ID != "stock_cost" || d.Tokens[it.At].Cyrillic {
		return false
	}
	return d.Tokens[it.At].Norm == "worth" || it.At > 0 && d.Tokens[it.At-1].Norm == "of" ||
		d.Tokens[it.End-1].Norm == "left"
}

// soldCount reports whether a small number in front of "sold" counts pieces.
func (d *draft) soldCount(it *typed.Item, value typed.Numeral) bool {
	n, err := strconv.Atoi(value.Value)
	w := d.Tokens[it.End-1].Norm
	return err == nil && n <= 200 && it.ID == "revenue" && (w == "sold" || strings.HasPrefix(w, "продан"))
}

// piecesOf reports whether a small number behind a verb for selling counts pieces of the goods that are asked for.
func (d *draft) piecesOf(it *typed.Item, value typed.Numeral) bool {
	n, err := strconv.Atoi(value.Value)
	return err == nil && n <= 100 && it.ID == "revenue" && verbs[d.Tokens[it.End-1].Stem] &&
		(d.goods || slices.Contains(d.q.By, "product") || slices.Contains(d.q.Measures, "sale_price") || d.asksFirst())
}

// countOf reports whether a condition on "продаж" counts them: "продаж не меньше 5".
func (d *draft) countOf(it *typed.Item, value typed.Numeral) bool {
	n, err := strconv.Atoi(value.Value)
	w := d.Tokens[it.End-1].Norm
	return err == nil && n <= 200 && (w == "продаж" || w == "sales")
}

// moreThanTimes reports whether a number is too large for how often somebody buys: it is money.
func moreThanTimes(value typed.Numeral) bool {
	n, err := decimal.Parse(value.Value)
	ofMoney := value.Unit == words.NoUnit || value.Unit == words.Money
	return err == nil && ofMoney && n.Cmp(decimal.FromInt(mostTimes)) > 0
}

// mostTimes is how often somebody may buy in a period.
const mostTimes = 200

var purchaseWords = token.Stems("покупка покупки покупками покупок purchases")

// percentOfSum are measures that a number in percent is about where the task names their sum.
var percentOfSum = map[string]string{"returns": "return_rate", "quantity_returned": "return_rate", "profit": "margin"}

// pricing are operators of prices behind goods.
var pricing = words.Set("до от under below over")

// ofDocuments are measures by the names of documents.
var ofDocuments = map[string]bool{"purchases deliveries": true, "orders": true, "purchase_orders": true, "unpaid": true,
	"unshipped": true, "returns": true, "receipts": true, "deliveries": true, "ordered": true, "written_off": true}

var priceWords = words.Set("дороже дешевле подешевле подешевше подороже cheaper dearer costs cost costing priced pricier")

// hasOperator reports whether a condition of its own stands right behind a measure.
func (d *draft) hasOperator(it *typed.Item) bool {
	next := d.neighbour(slices.Index(d.Items, it), 1)
	if !is(next, typed.Operator) {
		return false
	}
	return is(d.neighbour(slices.Index(d.Items, next), 1), typed.Number)
}

// equals reads a number right behind a measure or "около" as a condition: "остаток 0", "цена около 500".
func (d *draft) equals(it, prev *typed.Item) {
	if is(prev, typed.About) {
		i := slices.Index(d.Items, prev)
		if of := d.about(i, slices.Index(d.Items, it), it.Number); of != "" {
			low, high := tenth(it.Number.Value)
			d.addMeasure(of)
			d.where(of, analysis.Between, low, high)
			it.Used, prev.Used, d.estimate = true, true, true
		}
		return
	}
	if d.operatorBehind(it) {
		return
	}
	m, ok := (*analysis.Measure)(nil), false
	if is(prev, typed.Measure) {
		m, ok = d.Catalogue.Measure(prev.ID)
	}
	if !ok || !prev.Used || !unitFits(m.Unit, it.Number.Unit) || it.At != prev.End || d.direction != "" {
		return
	}
	if it.Number.Value == "0" || it.Number.Unit == words.Percent && m.Unit == tool.UnitPercent ||
		it.Number.Unit == words.Money && strings.HasSuffix(m.Name, "price") {
		it.Used = true
		d.where(prev.ID, analysis.Equal, it.Number.Value)
	}
}

// tenth returns the bounds of "about" a number.
func tenth(value string) (low, high string) {
	n, err := decimal.Parse(value)
	if err != nil {
		return value, value
	}
	part := n.Div(decimal.FromInt(10))
	return n.Sub(part).String(), n.Add(part).String()
}

// atLeast reads a number of days right behind a measure of days as its least: "not sold for 60 days".
func (d *draft) atLeast(it, n *typed.Item) {
	m, ok := d.Catalogue.Measure(it.ID)
	if !ok || m.Unit != tool.UnitDays || !is(n, typed.Number) || n.Used || n.Number.Unit != words.Days {
		return
	}
	n.Used = true
	d.where(it.ID, analysis.GreaterEqual, n.Number.Value)
}

// upTo returns the second number of "от 10 до 20", "between 10 and 20"; nil if there is none.
func (d *draft) upTo(op, n *typed.Item) *typed.Item {
	i := slices.Index(d.Items, n)
	if i+2 >= len(d.Items) || d.Items[i+2].Kind != typed.Number {
		return nil
	}
	first, w := d.Tokens[op.End-1].Norm, d.Tokens[d.Items[i+1].At].Norm
	switch {
	case (first == "от" || first == "from") && (w == "до" || w == "to"),
		op.ID == string(analysis.Between) && (w == "и" || w == "до" || w == "and" || w == "to"):
		return d.Items[i+2]
	}
	return nil
}

// where adds a condition on a measure.
func (d *draft) where(field string, op analysis.Op, values ...string) {
	w := analysis.Condition{Field: field, Op: op}
	for _, v := range values {
		w.Values = append(w.Values, analysis.Scalar(v))
	}
	if !slices.ContainsFunc(d.q.Where, func(x analysis.Condition) bool {
		return x.Field == field && x.Op == op && x.Of == "" && slices.Equal(x.Values, w.Values)
	}) {
		d.q.Where = append(d.q.Where, w)
	}
}

// unitFits reports whether a number with a unit can be compared with a measure. A number without a unit always can.
func unitFits(of tool.Unit, n words.UnitKind) bool {
	switch n {
	case words.NoUnit:
		return of != tool.UnitDate
	case words.Money:
		return of == tool.UnitMoney
	case words.Percent:
		return of == tool.UnitPercent
	case words.Quantity:
		return of == tool.UnitQuantity
	case words.Days:
		return of == tool.UnitDays
	case words.Count, words.Times, words.Other:
	}
	return false
}
