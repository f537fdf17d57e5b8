package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// draft is the query while it is put together.
type draft struct {
	*sentence
	q         analysis.Query
	direction analysis.Direction
	ordered   string // the measure to order by; empty: the first one
	periods   []*typed.Item
	compares  bool
	relative  analysis.Relative // the period to compare with, if the task names it by its relation
	whys      bool
	reverses  bool
	goods     bool // goods are named beside the measure: a breakdown, unless there is another one
	trends    bool
	stepwise  bool // each interval is compared with the one before it
	sorts     *typed.Item
	asked     []string // the measures that the task asks for, not only those of its conditions
	estimate  bool
	separates bool // "отдельно": a row for each of the names
	anywhere  bool // all warehouses
	inUnits   bool
	spends    bool        // "на что": of the money that was shown
	shifts    *typed.Item // the period of the answer before is moved
	consists  bool        // what the figures before consist of
	clears    bool        // the conditions before are dropped
	every     []string    // dimensions of which all values are meant
	perDay    bool
	inMoney   bool
	unsold    bool // goods that the period sold none of
	shareWord *typed.Item
	overUnit  words.TimeUnit // of "week over week"
	gross     bool           // sales before returns may be meant
	ofNamed   bool           // goods stand beside a name: "товары Чайного дома"
	nets      bool           // returns are shown beside figures that are after them
	// the number that may be a price as well as a quantity in stock
	maybePrice []analysis.Scalar
	inEach     *typed.Item      // what is ranked within each value of the other dimensions
	each       bool             // the number of rows is of each value of the rows before
	firstRows  bool             // the first rows of the answer before are a condition now
	then       *quantity.Period // of figures that are only known now
	others     []analysis.Query // further queries to choose from then
	instead    [2]string        // why only the nearest query can be shown, in Russian and English
}

// combine puts the meanings together; nil if they ask for no measure.
func (s *sentence) combine() *Reading {
	d := &draft{sentence: s}
	r := &Reading{}
	d.expenses()
	d.bestInMoney()
	d.perEach()
	for i, it := range s.Items {
		d.take(i, it)
	}
	d.dashed()
	d.needNot()
	d.hereAndThere()
	d.everyOne()
	d.classesOf()
	d.oneOfThem()
	d.ranksInEach()
	d.subject()
	if d.compares && (d.asksFirst() || d.onWhich()) && len(d.q.By) == 0 && !d.goods && d.Previous == nil &&
		len(d.asked) > 0 &&
		(d.rises() != d.falls() || d.worseThan()) && d.allAllow("product") && !d.asksWhy() {
		d.goods = true // "что упало в продажах за месяц"
	}
	d.expensesByItem()
	d.adjust()
	if len(d.asked) == 0 && (len(d.q.Measures) == 0 || s.Previous != nil) {
		if s.Previous == nil || !d.changes() {
			return nil
		}
		r.FollowUp = true
	} else if s.Previous != nil && d.continues() {
		r.FollowUp = true
	}
	if !r.FollowUp || d.asksWhat() && len(d.Tokens) > 1 {
		d.breakdown()
	}
	d.takePeriods()
	if r.FollowUp {
		own := len(d.q.By) > 0
		if d.q = d.changed(*s.Previous); !own && d.otherRows() {
			return nil
		}
	} else if s.Previous != nil {
		d.keepPeriod(*s.Previous)
	}
	d.leavesShelves()
	if !r.FollowUp {
		d.ofEachBuyer()
		d.profitOfOne()
		d.ofDocuments()
		d.weekdayAverage()
		d.intervalAverage()
	}
	d.orders()
	d.ordersFrom()
	if len(d.q.Measures) > 0 {
		d.whoChanged()
	}
	if d.changedWhen() || d.shippedUnpaid() || d.receiptsOfReturns() {
		return nil
	}
	if len(d.q.Measures) == 0 || !d.explains() {
		return nil
	}
	if r.FollowUp && !d.saysBy() {
		d.withinOne()
	}
	d.receiptsOfSum()
	if d.Most > 0 && d.q.Limit == 0 {
		d.q.Limit = d.Most
	}
	d.rows()
	d.raisedPrices()
	d.leftOfOrders()
	d.intervals()
	d.comparedStepwise()
	if m, ok := d.Catalogue.Measure(d.q.Measures[0]); ok && d.shareWord != nil && !m.Adds {
		d.q.Share = false // a margin has no parts
		d.shareWord.Used = m.Unit == tool.UnitPercent && strings.Contains(d.Tokens[d.shareWord.End-1].Norm, "процент")
	}
	d.rate()
	if d.q.Share && len(d.q.By) == 0 && !r.FollowUp && d.shareWord != nil {
		d.q.Share, d.shareWord.Used = false, false // a share of what?
	}
	if r.FollowUp {
		d.shareOfShown()
	}
	if d.q.Share && d.shareWord != nil && d.conditioned("purchases_count") {
		d.q.Share, d.shareWord.Used = false, false // "доля повторных покупок" is of the customers
	}
	d.shareInEach()
	d.ranksMixed()
	d.whereGoodsLie()
	d.pricesThere(&d.q)
	d.topOfEach()
	d.onlyThere()
	d.divided()
	r.Query, r.Estimate, r.Choices = d.q, d.estimate, d.parts()
	if d.instead != [2]string{} {
		r.Choices, r.Ask = slices.Concat([]analysis.Query{d.q}, d.others, d.nearest()), d.instead
		r.Then = d.then
	}
	if d.mayBeSold && len(r.Choices) == 0 && d.q.From != "" {
		r.Choices, r.Either = d.soldThen(), true
	}
	if d.maybePrice != nil && len(r.Choices) == 0 { // "кружки до тысячи в наличии"
		r.Choices = d.eitherPrice()
	}
	if d.whereGoods() { // "где маржа ниже 15 %"
		goods := d.q
		goods.By = []string{"product"}
		r.Choices = []analysis.Query{goods, d.q}
	}
	if d.gross { // "выручка без возвратов": after returns, or before them
		before := d.q
		before.Measures = slices.Clone(d.q.Measures)
		before.Measures[slices.Index(before.Measures, "revenue")] = "sales"
		r.Choices = []analysis.Query{d.q, before}
	}
	d.reasonsOfWriteOffs()
	d.transferredTo()
	for _, it := range s.Items {
		if it.Kind != typed.Function && !it.Used {
			r.Risky = r.Risky || !d.besides(it) && d.risky(it)
			for i := it.At; i < it.End; i++ {
				if s.Tokens[i].Kind != token.Mark {
					r.Unexplained = append(r.Unexplained, i)
					if d.besides(it) {
						r.Aside = append(r.Aside, i)
					}
				}
			}
		}
	}
	return r
}

// asksWhy reports whether "что" or "what" stands in a question for a reason: "what made profit fall".
func (d *draft) asksWhy() bool {
	return d.whys || len(d.Tokens) > 1 && reasonWords[d.Tokens[1].Norm]
}

var reasonWords = words.Set("с за это случилось произошло made caused happened about")

// expenses reads "расход по аренде": beside an item of expenses it is money that goes, and no goods.
func (d *draft) expenses() {
	item := slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Named && !slices.ContainsFunc(it.Name.Meanings, func(n connector.Name) bool {
			return n.Kind != connector.NameExpenseItem
		})
	})
	for _, it := range d.Items {
		if of := map[string]string{"income": "money_in", "outcome": "money_out"}[it.ID]; item && of != "" &&
			it.Kind == typed.Measure {
			it.ID = of
		}
	}
}

// whereGoods reports whether "где" may ask for goods as well as for warehouses: only a condition on a measure follows.
func (d *draft) whereGoods() bool {
	return d.Previous == nil && slices.Equal(d.q.By, []string{"store"}) && whereWords[d.first()] &&
		len(d.q.Where) == 1 &&
		len(d.q.Order) == 0 && d.q.Compare == nil && len(d.q.Measures) == 1 && d.conditioned(d.q.Measures[0]) &&
		d.allAllow("product")
}

// risky reports whether an item that the query does not use may change what is asked for: anything but a strange word
// by itself.
func (d *draft) risky(it *typed.Item) bool {
	if it.Kind != typed.Unexplained || len(d.Tokens) == 0 || d.Means(it.At) {
		return true
	}
	prev := d.neighbour(slices.Index(d.Items, it), -1)
	return prev != nil && (prev.Kind == typed.Except || prev.Kind == typed.Absent || prev.Kind == typed.Only ||
		prev.Kind == typed.Per ||
		prev.Kind == typed.Operator || prev.Kind == typed.Number)
}

// breakdown adds the breakdown that the task leaves unsaid.
func (d *draft) breakdown() {
	positive := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Op == analysis.In && (w.Field == "kind" || w.Field == "product" && len(w.Values) > 1)
	})
	switch {
	case len(d.q.By) > 0:
	case d.goods, positive && d.allAllow("product"):
		d.q.By = []string{"product"}
	case d.asksWhat() && d.allAllow("product"): // "что купил Иванов"
		d.q.By = []string{"product"}
		if q := d.q; slices.Contains(d.q.Measures, "revenue") {
			q.Measures = join(q.Measures, []string{"quantity"})
			if query.Possible(d.Catalogue, q) {
				d.q = q
			}
		}
	case slices.Contains(d.q.Measures, "open_orders"):
		d.q.By = []string{"counterparty"}
	}
	if len(d.q.By) == 0 && len(d.q.Measures) > 1 && slices.Contains(d.q.Measures, "stock") && !d.allAllow("product") {
		d.addMeasure("stock_cost") // quantities of all goods have no total
	}
}

func (d *draft) allAllow(by string) bool {
	return !slices.ContainsFunc(d.q.Measures, func(m string) bool { return !d.allows(m, by) })
}

// verbs are stems of words for what was sold, bought and so on: "что" before them asks which goods.
var verbs = token.Stems("продали продаем продавали продано продается продаются продают продавал продал продала купил " +
	"купила купили покупает покупают покупаем покупали закупили закупаем закупали вернули возвращают возвращали " +
	"списали списано берут уходит расходится sold sell sells selling bought buy buys purchased returned лежит " +
	"остался осталось осталась остается приехало привезли поступило пришло приняли завезли отгрузили arrived " +
	"shift shifted торговали торгуем торгует берут брали оприходовали перемещали переместили перекинули перебросили " +
	"перевезли возвращаем пришло поступило закупал ушло ушли разошлось улетело отгружали взяли взял взяла " +
	"берет")

var whatWords = words.Set("что чего чем what")

// asksWhat reports whether the task begins with "что", as a question for goods: "что продали вчера".
func (d *draft) asksWhat() bool {
	what := slices.IndexFunc(d.Tokens, func(t token.Token) bool { return whatWords[t.Norm] })
	if what < 0 || what > 2 {
		return false
	}
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		behind := it.At > what || it.At == what && d.Tokens[what].Cyrillic // "что пришло" is one phrase
		return it.Kind == typed.Measure && behind && slices.ContainsFunc(d.Tokens[it.At:it.End],
			func(t token.Token) bool { return verbs[t.Stem] })
	})
}

// rows breaks down what only rows can answer: a condition on a measure, the best and the worst, and debts.
func (d *draft) rows() {
	onMeasure := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		_, ok := d.Catalogue.Measure(w.Field)
		return ok
	})
	m := d.q.Measures[0]
	quantities := !d.named("product") && !slices.ContainsFunc(d.q.Measures, func(m string) bool {
		return !ofRows[m]
	})
	if slices.Equal(d.q.By, []string{"product"}) && d.Previous == nil && d.direction == "" && d.q.Limit == 0 {
		d.onlyPresent()
	}
	if len(d.q.By) > 0 || !onMeasure && d.direction == "" && d.q.Limit == 0 && !debts[m] && !quantities {
		return
	}
	if d.q.By = []string{"product"}; debts[m] || !d.allows(m, "product") ||
		d.direction != "" && d.customers() && d.allAllow("counterparty") { // "главные покупатели"
		d.q.By = []string{"counterparty"}
		if m == "money_out" && d.direction != "" && d.stems(expenseStems) { // "biggest expense", and not whom we paid
			d.q.By = []string{"expense_item"}
		}
	} else if m == "revenue" && onMeasure && d.salesAbove() {
		d.q.By = []string{"document"}
	}
	d.onlyPresent()
}

// onlyPresent leaves out the goods of which there is nothing: "что в резерве", "товары в пути". Of named goods, the
// zeros are shown.
func (d *draft) onlyPresent() {
	if m := d.q.Measures[0]; len(d.q.Measures) == 1 && present[m] && !d.conditioned(m) && !d.named("product") {
		d.where(m, analysis.Greater, "0")
	}
}

// expenseStems are stems of words for what money was spent on.
var expenseStems = token.Stems("expense expenses expenditure overhead overheads outgoings расход расходы расходов трата " +
	"траты трат затрата затраты затрат")

// present are measures whose rows are the goods of which there are any: "что в резерве", "what is on the way".
var present = words.Set("reserve in_transit shortage")

// ofRows are measures of goods that say little as one figure.
var ofRows = words.Set("free reserve in_transit available sale_price card_purchase_price minimum_price price_markup " +
	"price_minus_cost days_in_stock shortage minimum days_since_sale")

// named reports whether the query is about named values of a dimension.
func (d *draft) named(field string) bool {
	return slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field == field && w.Op == analysis.In
	})
}

func (d *draft) allows(name, by string) bool {
	m, ok := d.Catalogue.Measure(name)
	return ok && slices.Contains(m.Over, by)
}

// take adds one meaning to the query and marks the items that it uses.
func (d *draft) take(i int, it *typed.Item) {
	if it.Used {
		return
	}
	next, prev := d.neighbour(i, 1), d.neighbour(i, -1)
	switch it.Kind {
	case typed.Measure:
		d.takeMeasure(it, prev, next)
	case typed.Operator:
		d.condition(i, it)
	case typed.Dimension:
		d.takeDimension(it, prev, next)
	case typed.Named:
		d.takeName(it, prev, next)
	case typed.Period:
		if !it.Used {
			d.periods = append(d.periods, it)
		}
	case typed.Best, typed.Worst:
		it.Used = true
		if d.direction = analysis.Descending; it.Kind == typed.Worst && !d.worseIfMore(it) {
			d.direction = analysis.Ascending
		}
		d.limit(prev)
		d.limit(next)
	case typed.TopRows:
		if d.limit(next); d.q.Limit == 0 && d.Tokens[it.At].Norm != "топ" && d.Tokens[it.At].Norm != "top" {
			return // "the first half"
		}
		if it.Used = true; d.direction == "" && (d.Previous == nil || len(d.Previous.Order) == 0) {
			d.direction = analysis.Descending
		}
	case typed.BelowCost:
		it.Used = true
		if d.inPast() && d.stems(lossStems) { // "проданные в убыток в октябре"
			d.ask("profit")
			d.where("profit", analysis.Less, "0")
			d.goods = d.goods || len(d.q.By) == 0
			return
		}
		d.addMeasure("price_minus_cost")
		d.where("price_minus_cost", analysis.Less, "0")
	case typed.Losing:
		it.Used = true
		d.ask("profit")
		d.where("profit", analysis.Less, "0")
		d.goods = d.goods || len(d.q.By) == 0
	case typed.Negative, typed.Nonzero:
		d.sign(it, prev, next)
	case typed.Reverse:
		it.Used, d.reverses = true, true
	case typed.With:
		it.Used = true
		if is(prev, typed.Weekdays) && is(next, typed.Weekdays) {
			d.separates = true
			return
		}
		if (!is(prev, typed.Measure) || !is(next, typed.Measure)) &&
			!d.ofNames(i) && !d.thanNamed(i) { // "money in vs money out" names two
			d.compares = true
		}
	case typed.Factor:
		if w := d.Tokens[it.At].Stem; rising[w] || falling[w] { // "which products doubled"
			d.compares = true
		}
	case typed.OverYear:
		it.Used, d.compares, d.relative = true, true, analysis.LastYear
	case typed.OverMonth:
		it.Used, d.compares, d.relative = true, true, analysis.Previous
		d.overUnit = intervalOver[d.Tokens[it.At].Norm]
	case typed.Share:
		it.Used, d.q.Share, d.shareWord = true, true, it
	case typed.Why:
		it.Used, d.whys = true, true
	case typed.Trend:
		it.Used, d.trends = true, true
	case typed.Apart:
		it.Used, d.separates = true, true
	case typed.Everywhere:
		it.Used, d.anywhere = true, true
	case typed.InMoney:
		it.Used, d.inMoney = true, true
	case typed.InUnits:
		it.Used, d.inUnits = true, true
	case typed.Letter:
		it.Used = true
		d.whereValue("abc", it.ID, is(prev, typed.Except) || is(prev, typed.Absent))
	case typed.Earlier, typed.Contents, typed.Clear:
		d.turn(it)
	case typed.PerDay:
		it.Used, d.perDay = true, true
	case typed.ToNow:
		it.Used = d.untilNow(it)
	case typed.Sorting:
		d.sort(i, it)
	case typed.Clock:
		it.Used = true
		if (d.Tokens[it.At].Norm == "за" || it.ID == "last") && d.Previous == nil &&
			!slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
				return x.Kind == typed.Period
			}) { // "за вечер" is today's
			d.periods = append(d.periods, &typed.Item{Kind: typed.Period,
				Period: &quantity.Period{From: d.Today, To: d.Today}})
		}
		markIf(prev, typed.Except, typed.Absent, typed.Per, typed.Only)
		d.takeHours(it.Hours, is(prev, typed.Except) || is(prev, typed.Absent))
	case typed.Weekdays:
		it.Used = true
		d.takeWeekdays(it, prev)
	case typed.Only, typed.Joining:
		it.Used = true // what they stand before says what it is
	case typed.Number:
		if d.timesBought(it, prev, next) {
			return
		}
		if !d.behind(next) && (is(next, typed.Number) || !d.mostOf(it, next)) {
			d.equals(it, prev)
		}
	case typed.Unexplained:
		d.country(i, it)
	// used by what they belong to, or not at all
	case typed.Per:
		it.Used = it.Used || next == nil && len(d.q.By) > 0 && d.eachOne(it) // "каналы: сколько по каждому"
	case typed.Function, typed.Except, typed.Absent, typed.About, typed.Average, typed.Cash:
	}
}

func is(it *typed.Item, k typed.Kind) bool { return it != nil && it.Kind == k }

// neighbour returns the next item in a direction that is no function word.
func (d *draft) neighbour(i, step int) *typed.Item {
	for i += step; i >= 0 && i < len(d.Items); i += step {
		if d.Items[i].Kind != typed.Function {
			return d.Items[i]
		}
	}
	return nil
}

// limit takes a plain number beside a word such as "top" as the number of rows.
func (d *draft) limit(it *typed.Item) {
	if !is(it, typed.Number) || it.Used || it.Number.Unit != words.NoUnit && it.Number.Unit != words.Quantity {
		return
	}
	n, err := decimal.Parse(it.Number.Value)
	if err != nil || n.Cmp(decimal.FromInt(analysis.MaxRows)) > 0 || n.Sign() <= 0 || n.Round(0).Cmp(n) != 0 {
		return
	}
	it.Used, d.q.Limit = true, int(n.Float64())
}

// explains asks what a change consists of: by goods, if nothing else is named. A measure that has no parts, such as a
// margin, is compared by goods with what it consists of.
func (d *draft) explains() bool {
	if !d.whys {
		return true
	}
	m := d.q.Measures[0]
	if len(d.q.Order) > 0 && !slices.Contains(d.q.By, d.q.Order[0].Field) {
		m = d.q.Order[0].Field
	}
	of, ok := d.Catalogue.Measure(m)
	if !ok || of.Now {
		return false
	}
	if d.q.Compare == nil {
		d.q.Compare = &analysis.Comparison{With: analysis.Previous}
	}
	if len(d.q.By) == 0 {
		if d.q.By = []string{"product"}; !d.allows(m, "product") {
			d.q.By = []string{"counterparty"}
		}
	}
	if !of.Adds {
		d.q.Measures = []string{m}
		if m == "margin" || m == "markup" {
			d.q.Measures = append(d.q.Measures, "revenue", "profit")
		}
		d.q.Order = nil
		return true
	}
	d.q.Measures, d.q.Order, d.q.Explain = []string{m}, nil, true
	if slices.Equal(d.q.By, []string{"product"}) && (m == "profit" || m == "revenue") {
		d.addMeasure("quantity")
	}
	return true
}
