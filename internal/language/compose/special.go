package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// adjust changes the measures as further words of the task say.
func (d *draft) adjust() {
	has := func(m string) bool { return slices.Contains(d.asked, m) }
	// "остаток по себестоимости и по цене продажи"
	if has("cost") && has("sale_price") && has("stock") && d.word(atPrices) {
		d.replace("cost", "stock_cost")
		d.replace("sale_price", "stock_price")
		d.remove("stock")
	}
	if has("cost") && has("sale_price") && !has("stock") && !has("revenue") && d.named("product") &&
		!d.named("store") && !d.stems(worthWords) {
		d.replace("cost", "unit_cost") // "себестоимость чая и цена"
	}
	if has("cost") && !has("revenue") && (has("sale_price") || has("stock")) { // "сколько стоит товар по себестоимости"
		d.replace("cost", "stock_cost")
		d.remove("sale_price")
		d.remove("stock")
	}
	if has("stock_cost") && has("cost") && !has("revenue") {
		d.remove("cost") // "стоимость склада по себестоимости"
	}
	// "expenses by category"
	if slices.Contains(d.q.By, "group") && !d.allAllow("group") && d.allAllow("expense_item") {
		d.q.By[slices.Index(d.q.By, "group")] = "expense_item"
	}
	if has("quantity") && has("revenue") && d.onlyVerbs("revenue") {
		d.remove("revenue") // "сколько штук продали"
	}
	d.besideRates()
	d.givers()
	d.expensesShared()
	if has("ordered") && d.named("sales_channel") { // "сколько заказали на сайте": suppliers have no channels
		d.replace("ordered", "orders")
		d.addMeasure("orders_sum")
	}
	d.moneyPlace()
	d.relations()
	d.netOfReserve()
	d.notBought()
	if has("last_purchase") && has("sale_price") && d.word(howMuchFor) { // "когда закупали и почём"
		d.replace("sale_price", "last_purchase_price")
	}
	if has("average_receipt") && has("sale_price") && d.word(howMuchFor) { // "почём в среднем чек"
		d.remove("sale_price")
	}
	if has("purchases") && has("sale_price") && d.word(howMuchFor) { // "сколько закупили и почём"
		d.replace("sale_price", "purchase_price")
	}
	d.pricesOfSuppliers()
	d.idleGoods()
	d.howLongOwed()
	if has("purchases") && has("sale_price") && d.word(atWhichPrice) && !d.word(howManyWords) {
		d.remove("purchases") // "по какой цене муку закупали"
		d.replace("sale_price", "last_purchase_price")
		d.ask("last_purchase")
	}
	d.costToBuy()
	if has("markup") && d.word(onCards) {
		d.replace("markup", "price_markup") // "наценка на чай в прайсе"
		d.remove("sale_price")
	}
	d.units()
	d.sellsWell()
	d.profitInStock()
	d.worthOfStock()
	d.atPurchasePrices()
	d.inStock()
	d.onlyInStock()
	d.assembled()
	d.atStart()
	d.costing()
	d.cheaperToBuy()
	d.dearer()
	if d.ordered == "sale_price" && (slices.Contains(d.q.By, "supplier") || slices.Contains(d.q.By, "counterparty")) {
		d.replace("sale_price", "purchase_price") // "who is our cheapest supplier"
		d.q.By = []string{"counterparty"}
	}
	if d.howMany() {
		for _, m := range []string{"revenue", "returns", "written_off", "purchases", "transferred"} {
			if slices.Equal(d.asked, []string{m}) || m == "revenue" {
				d.replace(m, inPieces[m]) // "сколько кофе вернули"
			}
		}
	}
	if slices.Equal(d.asked, []string{"cost"}) && d.named("product") && len(d.periods) == 0 && d.Previous == nil &&
		len(d.q.By) == 0 {
		d.replace("cost", "unit_cost") // "какая себестоимость у кофе"
	}
	d.least()
	d.besideWord()
	d.growsByInterval()
	d.clocksApart()
	d.losers()
	d.averageReceipt()
	d.visitors()
	d.oftenBought()
	d.fastest()
	d.howFast()
	d.emptiest()
	d.partOfProfit()
	d.changedBy()
	d.largest()
	d.whichOf()
	d.howOften()
	if d.who() && len(d.q.By) == 0 && has("revenue") {
		d.q.By = []string{"employee"} // "кто лучше продаёт"
	}
	d.whenBought()
	d.fromSuppliers()
	if has("purchases") && (d.customers() || d.ofCustomers() || d.refersBack() && d.sold()) &&
		!has("revenue") { // "which customers bought"
		d.replace("purchases", "revenue")
	}
	d.buyers()
	d.lastTime()
	d.latestFirst()
	d.forOrders()
	d.partners()
	d.priceOrder()
	d.whoBuys()
	d.whomToPay()
	if d.Previous != nil && len(d.asked) == 0 && d.aboutMoney() && d.onWhat() {
		d.ask("money_out")
		d.spends = true
	}
	if has("money_out") && (d.customers() || d.whoSpends()) && !has("revenue") && d.word(spendingWords) {
		// "who spent most", "кто больше всех потратил"
		d.replace("money_out", "revenue")
	}
	if has("money_out") && len(d.q.By) == 0 && d.onWhat() {
		d.q.By = []string{"expense_item"}
	}
	if d.separates && slices.Contains(d.q.By, "weekday") && len(d.periods) < 2 {
		d.compares = false // "по выходным и по будням отличается?"
	}
	if d.compares && len(d.q.By) == 0 && !d.goods && d.q.Limit == 0 && d.ordered == "" && !d.asksWhat() &&
		(d.Previous == nil || len(d.Previous.By) == 0) {
		d.direction = "" // "лучше, чем в прошлом месяце?" ranks nothing
	}
	d.whenDue()
	d.whereLies()
	if has("money_out") && d.first() == "кто" && d.word(whoPays) && !d.word(oursWords) { // "кто платил вчера"
		d.replace("money_out", "money_in")
		d.q.By = []string{"counterparty"}
	}
	if slices.Equal(d.asked, []string{"money_out"}) && len(d.q.By) == 0 && !d.named("counterparty") &&
		d.word(toSuppliers) { // "сколько заплатили поставщикам"
		d.q.By = []string{"counterparty"}
	}
	d.longest()
	d.whichDocuments()
	d.questionWords()
	if d.asksToBuy() && !slices.Equal(d.q.By, []string{"supplier"}) {
		d.q.By = []string{"counterparty"}
	}
	d.goodsOf()
	d.withoutPrice()
	d.byPriceType()
	d.priceAt()
	d.onTheWay()
	d.discountRate()
	d.averageOrder()
	d.discounted()
	d.runningTotal()
	d.percentOf()
	d.tagged()
	d.perOther()
	d.goodsReceipts()
	d.suppliersDebts()
	d.sideBySide()
	d.namesApart()
	d.goneButSold()
	d.shareOfName()
	d.classBySales()
}

var toSuppliers = words.Set("поставщикам поставщику suppliers vendors")

var atPrices = words.Set("продажи продажной розничной рознице продажным розничным retail selling")

// least adds the condition that a word such as "залежалось" has, unless the task has another one or ranks.
func (d *draft) least() {
	for _, it := range d.Items {
		if is(it, typed.Measure) && it.Used && it.Least != "" && d.direction == "" &&
			slices.Contains(d.q.Measures, it.ID) && !d.conditioned(it.ID) {
			op, value := analysis.GreaterEqual, it.Least
			if exact, ok := strings.CutPrefix(value, "="); ok { // "купили один раз"
				op, value = analysis.Equal, exact
			}
			d.where(it.ID, op, value)
		}
	}
}

func (d *draft) replace(from, to string) {
	if from == to {
		return
	}
	for _, list := range []*[]string{&d.q.Measures, &d.asked} {
		if i := slices.Index(*list, from); i >= 0 {
			if slices.Contains(*list, to) {
				*list = slices.Delete(slices.Clone(*list), i, i+1)
			} else {
				*list = slices.Clone(*list)
				(*list)[i] = to
			}
		}
	}
	if d.ordered == from {
		d.ordered = to
	}
	for i := range d.q.Where {
		if d.q.Where[i].Field == from {
			d.q.Where[i].Field = to
		}
	}
}

func (d *draft) remove(m string) {
	drop := func(x string) bool { return x == m }
	d.q.Measures, d.asked = slices.DeleteFunc(slices.Clone(d.q.Measures), drop),
		slices.DeleteFunc(slices.Clone(d.asked), drop)
}

// word reports whether one of the task's words is in a set.
func (d *draft) word(set map[string]bool) bool {
	for i := range d.Tokens {
		if set[d.Tokens[i].Norm] {
			return true
		}
	}
	return false
}

var (
	howMuchFor    = words.Set("почем почём чем much")
	atWhichPrice  = words.Set("цене ценам цену цена цены")
	onCards       = words.Set("прайсе прайсу прайслисте карточке карточках")
	oftenWords    = words.Set("чаще часто often frequently")
	whoWords      = words.Set("кто who")
	whomWords     = words.Set("кому кто кого whom who")
	sellingWords  = words.Set("продает продал продавал продают продали продавали sells sold selling торгует наторговал")
	customerWords = words.Set("клиенты клиентов клиентам клиент покупатели покупателей покупателям покупатель " +
		"заказчики customers customer clients buyers people люди")
	spendingWords = words.Set("spend spends spent spending spenders потратил потратила тратит оставил оставляет")
)

// anyGoods reports whether the task says "goods" without naming any.
func (d *draft) anyGoods() bool {
	return d.anyGoodsSaid() && !d.named("product") && !d.named("group")
}

func (d *draft) anyGoodsSaid() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == "product" && anyGoods[d.Tokens[it.At].Norm]
	})
}

var (
	worthWords = token.Stems("стоит стоят worth")
	anyGoods   = words.Set("товар товара ассортимент товары stock goods")
)

var allOf = words.Set("весь вся все всю всей всего всех all")

// dearer compares the prices of purchases where the task says that they changed: "у кого из поставщиков выросла цена".
func (d *draft) dearer() {
	if d.Previous != nil || d.rises() == d.falls() {
		return
	}
	if slices.Contains(d.asked, "sale_price") && (slices.Contains(d.q.By, "supplier") ||
		slices.Contains(d.q.By, "counterparty")) {
		d.replace("sale_price", "purchase_price")
		d.q.By = []string{"counterparty"}
	}
	if slices.Contains(d.asked, "purchase_price") {
		d.compares = true
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.With
		}
		d.goods = d.goods || len(d.q.By) == 0
	}
}

// whoSpends reports whether the task asks which customer spends: "who spends the most", not "who do we spend it on".
func (d *draft) whoSpends() bool {
	return d.word(whoWords) && !slices.ContainsFunc(d.Tokens, func(t token.Token) bool {
		return t.Norm == "we" || t.Norm == "мы" || t.Norm == "нас"
	})
}

// goodsOf leaves out the stock where a verb says what happened to it: "how much stock did we write off".
func (d *draft) goodsOf() {
	if len(d.asked) < 2 || !slices.Contains(d.asked, "stock") || d.conditioned("stock") {
		return
	}
	for i, it := range d.Items {
		next := d.neighbour(i, 1)
		if !is(it, typed.Measure) || it.ID != "stock" || d.Tokens[it.End-1].Norm != "stock" ||
			!is(next, typed.Measure) ||
			strings.Contains(next.ID, " ") || d.marked(it, next) {
			continue
		}
		if m, ok := d.Catalogue.Measure(next.ID); ok && !m.Now {
			d.remove("stock")
			return
		}
	}
}

// perOther ranks what is no goods by money: pieces of different goods do not add up. "What is my best selling day".
func (d *draft) perOther() {
	if d.ordered != "quantity" || len(d.q.By) == 0 || d.goods || d.Previous != nil || d.conditioned("quantity") ||
		slices.ContainsFunc(d.q.By, func(by string) bool { return ofSameGoods[by] }) || d.word(pieceWords) ||
		slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
			return is(it, typed.Measure) && it.ID == "quantity" && it.Order == ""
		}) {
		return
	}
	d.replace("quantity", "revenue")
}

// bestInMoney ranks what sells best by revenue where a name limits it that pieces are not known of: "что лучше всего
// продается на сайте".
func (d *draft) bestInMoney() {
	named := func(it *typed.Item) bool {
		return is(it, typed.Named) && !slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
			by := typed.DimensionOf(n.Kind)
			return d.allows("quantity", by) || !d.allows("revenue", by)
		})
	}
	for _, it := range d.Items {
		if is(it, typed.Measure) && it.ID == "quantity" && it.Order != "" && slices.ContainsFunc(d.Items, named) {
			it.ID = "revenue"
		}
	}
}

// ofSameGoods are breakdowns whose pieces may be counted.
var ofSameGoods = words.Set("product variant group article barcode kind")

func (d *draft) who() bool { return d.word(whoWords) && d.word(sellingWords) }

func (d *draft) customers() bool { return d.word(customerWords) }

// onWhat reads "на что тратим", "куда ушли деньги".
func (d *draft) onWhat() bool { return typed.ForWhat(d.Tokens) }

// suppliersDebts takes suppliers as counterparties beside measures of what we owe them or buy from them.
func (d *draft) suppliersDebts() {
	i := slices.Index(d.q.By, "supplier")
	if i < 0 || len(d.asked) == 0 || d.allAllow("supplier") {
		return
	}
	d.q.By = slices.Clone(d.q.By)
	d.q.By[i] = "counterparty"
	d.replace("owed_to_us", "owed_by_us")
	d.replace("debt_age", "our_debt_age")
}

// mostHighlighted is how many names an answer tells the shares of before its table.
const mostHighlighted = 10

var eachStem = token.Stems("каждый each every")

var whichShare = words.Set("какая какой какую каков какова сколько это what which")

// newCustomers asks for those whose first sale is in the period.
func (d *draft) newCustomers() {
	d.ask("first_sale", "purchases_sum")
	d.q.By = []string{"counterparty"}
	from, to := quantity.Begin(words.Month, d.Today), d.Today
	for _, it := range d.Items {
		if it.Kind == typed.Period && !it.Period.From.IsZero() {
			it.Used = true
			from, to = it.Period.From, d.ended(it.Period).Time()
		}
	}
	d.where("first_sale", analysis.Between, string(day(from)), string(day(to)))
}

// mostOf reads "какие товары дали 80% прибыли": those of class A, with the running total (rule R276).
func (d *draft) mostOf(n, next *typed.Item) bool {
	if n.Number.Value != "80" || !is(next, typed.Measure) || next.At > n.End+1 {
		return false
	}
	of := next.ID
	switch {
	case n.Number.Unit == words.Percent:
	case of == "margin" && d.Tokens[n.End].Stem == token.StemOf("процент"): // "80 процентов прибыли"
		of = "profit"
	default:
		return false
	}
	m, ok := d.Catalogue.Measure(of)
	if !ok || !m.Adds {
		return false
	}
	if d.mostRows(n, next, of) {
		return true
	}
	if !d.ofGoods() && !d.asksFirst() || !d.allows(of, "abc") {
		return false
	}
	n.Used, next.Used = true, true
	for _, it := range d.Items { // "what accounts for 80% of sales"
		if it.Kind == typed.Share && it.At < n.At {
			it.Kind = typed.Function
			d.q.Share, d.shareWord = false, nil
		}
	}
	if of == "profit" { // "приносят 80 процентов прибыли"
		d.remove("revenue")
	}
	d.ask(of)
	d.goods, d.direction, d.q.Cumulative = len(d.q.By) == 0, analysis.Descending, true
	d.whereValue("abc", "A", false)
	return true
}

// asksFirst reports whether the task begins with "что" or "what".
func (d *draft) asksFirst() bool { return whatWords[d.first()] }

// onWhich reports whether the task begins with "на чём" or "в чём": "на чём просели в ноябре".
func (d *draft) onWhich() bool {
	return len(d.Tokens) > 2 && (d.Tokens[0].Norm == "на" || d.Tokens[0].Norm == "в") &&
		(d.Tokens[1].Norm == "чем" || d.Tokens[1].Norm == "чём")
}

// parts returns the queries of a task that asks for several things which no table can show together, such as stock and
// money; nil if one can.
func (d *draft) parts() []analysis.Query {
	if len(d.q.By) > 0 || len(d.q.Where) > 0 || len(d.asked) < 2 || d.Previous != nil {
		return nil
	}
	var list []analysis.Query
	for _, name := range d.asked {
		m, ok := d.Catalogue.Measure(name)
		if !ok || !m.Now {
			return nil
		}
		q := analysis.Query{Measures: []string{name}}
		switch {
		case slices.Contains(m.Over, "product"):
			q.By = []string{"product"}
		case slices.Contains(m.Over, "account"):
			q.By = []string{"account"}
		case slices.Contains(m.Over, "counterparty"):
			q.By = []string{"counterparty"}
		}
		if slices.ContainsFunc(list, func(o analysis.Query) bool { return slices.Equal(o.By, q.By) }) {
			return nil
		}
		list = append(list, q)
	}
	return append(list, d.q)
}

// howMany reads "how many mugs did we sell" as pieces.
func (d *draft) howMany() bool {
	i := slices.IndexFunc(d.Tokens, func(t token.Token) bool {
		return t.Norm == "many" || t.Norm == "much" || t.Norm == "сколько"
	})
	if i < 0 || d.Tokens[i].Norm != "сколько" && (i < 1 || d.Tokens[i-1].Norm != "how") {
		return false
	}
	goods := slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.At == i+1 && (it.Kind == typed.Dimension && it.ID == "product" && d.Tokens[i].Norm == "many" ||
			it.Kind == typed.Named && typed.DimensionOf(it.Name.Meanings[0].Kind) == "product")
	})
	return goods && slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && inPieces[it.ID] != "" && it.At > i && verbs[d.Tokens[it.End-1].Stem]
	})
}
