package compose

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/quantity"
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
	periods   []*item
	compares  bool
	whys      bool
	reverses  bool
	goods     bool // goods are named beside the measure: a breakdown, unless there is another one
}

// combine puts the meanings together; nil if they ask for no measure.
func (s *sentence) combine() *Reading {
	d := &draft{sentence: s}
	r := &Reading{}
	for i, it := range s.items {
		d.take(i, it)
	}
	if len(d.q.Measures) == 0 && (len(d.q.By) == 0 && !d.goods || d.direction == "" || s.Previous != nil) {
		if s.Previous == nil || !d.changes() {
			return nil
		}
		r.FollowUp = true
	} else if s.Previous != nil && s.addsMeasure() {
		r.FollowUp = true
	}
	if d.goods && len(d.q.By) == 0 {
		d.q.By = []string{"product"}
	}
	if len(d.q.Measures) == 0 && len(d.q.By) > 0 && d.direction != "" && s.Previous == nil {
		d.addMeasure("revenue") // "кто больше всех покупает"
	}
	d.takePeriods()
	if r.FollowUp {
		d.q = d.changed(*s.Previous)
	}
	d.orders()
	if len(d.q.Measures) == 0 || !d.explains() {
		return nil
	}
	d.rows()
	r.Query = d.q
	for _, it := range s.items {
		if it.kind != function && !it.used {
			for i := it.at; i < it.end; i++ {
				if s.ts[i].Kind != token.Mark {
					r.Unexplained = append(r.Unexplained, i)
				}
			}
		}
	}
	return r
}

// rows breaks down what only rows can answer: a condition on a measure, the best and the worst, and debts.
func (d *draft) rows() {
	onMeasure := slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		_, ok := d.Catalogue.Measure(w.Field)
		return ok
	})
	m := d.q.Measures[0]
	if len(d.q.By) > 0 || !onMeasure && d.direction == "" && d.q.Limit == 0 && !debts[m] {
		return
	}
	if d.q.By = []string{"product"}; debts[m] || !d.allows(m, "product") {
		d.q.By = []string{"counterparty"}
	}
}

func (d *draft) allows(name, by string) bool {
	m, ok := d.Catalogue.Measure(name)
	return ok && slices.Contains(m.Over, by)
}

// take adds one meaning to the query and marks the items that it uses.
func (d *draft) take(i int, it *item) {
	next, prev := d.neighbour(i, 1), d.neighbour(i, -1)
	switch it.kind {
	case measure:
		it.used = true
		if is(prev, absent) {
			if d.isZero(it, prev) {
				return
			}
			it.used = false
			return
		}
		if !d.addMeasures(it, prev) {
			return
		}
		if it.order != "" {
			d.ordered, d.direction = it.id, it.order
		}
		d.atLeast(it, next)
		if is(prev, per) { // "топ по прибыли", "сравни склады по выручке"
			prev.used = true
			if d.direction != "" || d.q.Limit > 0 || d.Previous != nil {
				d.ordered = it.id
			}
		}
	case operator:
		d.condition(i, it)
	case dimension:
		d.takeDimension(it, prev, next)
	case name:
		d.takeName(it, prev, next)
	case period:
		d.periods = append(d.periods, it)
	case best, worst:
		it.used = true
		if d.direction = analysis.Descending; it.kind == worst {
			d.direction = analysis.Ascending
		}
		d.limit(prev)
		d.limit(next)
	case topRows:
		if d.limit(next); d.q.Limit == 0 && d.ts[it.at].Norm != "топ" && d.ts[it.at].Norm != "top" {
			return // "the first half"
		}
		if it.used = true; d.direction == "" {
			d.direction = analysis.Descending
		}
	case belowCost:
		it.used = true
		d.addMeasure("price_minus_cost")
		d.q.Where = append(d.q.Where,
			analysis.Condition{Field: "price_minus_cost", Op: analysis.Less, Values: []analysis.Scalar{"0"}})
	case reverse:
		it.used, d.reverses = true, true
	case with:
		it.used = true
		if !is(prev, measure) || !is(next, measure) { // "money in vs money out" names two
			d.compares = true
		}
	case share:
		it.used, d.q.Share = true, true
	case why:
		it.used, d.whys = true, true
	case only, joining:
		it.used = true // what they stand before says what it is
	case function, number, except, per, absent, unexplained: // used by what they belong to, or not at all
	}
}

func is(it *item, k kind) bool { return it != nil && it.kind == k }

// neighbour returns the next item in a direction that is no function word.
func (d *draft) neighbour(i, step int) *item {
	for i += step; i >= 0 && i < len(d.items); i += step {
		if d.items[i].kind != function {
			return d.items[i]
		}
	}
	return nil
}

// addMeasures adds the measures of an item. "Money" beside another figure only says that it is money, unless they are
// joined: "money owed to us", "stock and money". It reports whether the item is a measure here.
func (d *draft) addMeasures(it, prev *item) bool {
	joined := is(prev, joining)
	if it.id == "balance" && len(d.q.Measures) > 0 && !joined {
		return false
	}
	if slices.Equal(d.q.Measures, []string{"balance"}) && !joined {
		d.q.Measures = nil
	}
	if d.ts[it.end-1].Stem == stem("стоит") && it.id == "sale_price" && !slices.ContainsFunc(d.items,
		func(x *item) bool { return x.kind == name }) {
		it.used = false // "сколько стоит" what?
		return false
	}
	for id := range strings.FieldsSeq(it.id) {
		if ofMoney := map[string]string{"income": "money_in", "outcome": "money_out"}[id]; ofMoney != "" &&
			slices.ContainsFunc(d.items, func(x *item) bool { return x.kind == measure && x.id == "balance" }) {
			id = ofMoney
		}
		d.addMeasure(id)
	}
	return true
}

func (d *draft) addMeasure(id string) {
	if !slices.Contains(d.q.Measures, id) {
		d.q.Measures = append(d.q.Measures, id)
	}
}

// limit takes a plain number beside a word such as "top" as the number of rows.
func (d *draft) limit(it *item) {
	if !is(it, number) || it.used || it.number.unit != words.NoUnit {
		return
	}
	n, err := decimal.Parse(it.number.value)
	if err != nil || n.Cmp(decimal.FromInt(analysis.MaxRows)) > 0 || n.Sign() <= 0 || n.Round(0).Cmp(n) != 0 {
		return
	}
	it.used, d.q.Limit = true, int(n.Float64())
}

// isZero reads "without stock": the only measure for which none is known to be zero.
func (d *draft) isZero(it, before *item) bool {
	if it.id != "stock" {
		return false
	}
	before.used = true
	d.addMeasure(it.id)
	d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.Equal, Values: []analysis.Scalar{"0"}})
	return true
}

// condition reads an operator with its number: of the measure before it, else of the one after it, else of prices.
func (d *draft) condition(i int, it *item) {
	n := d.neighbour(i, 1)
	if !is(n, number) || n.used {
		switch it.used = true; {
		case !comparatives[d.ts[it.at].Norm]:
			it.used = prepositions[d.ts[it.at].Norm] && it.end == it.at+1 // "от Чайного дома"
		case it.id == string(analysis.Greater) && d.direction == "": // "где больше продаж"
			d.direction = analysis.Descending
		case it.id == string(analysis.Less) && d.direction == "":
			d.direction = analysis.Ascending
		}
		return
	}
	var of string
	for j := i - 1; j >= 0 && of == ""; j-- {
		if d.items[j].kind == measure {
			of = d.items[j].id
		}
	}
	for j := i + 1; j < len(d.items) && of == ""; j++ {
		if d.items[j].kind == measure {
			of = d.items[j].id
		}
	}
	if w := d.ts[it.at].Stem; w == stem("дороже") || w == stem("дешевле") {
		of = "sale_price"
	}
	m, ok := d.Catalogue.Measure(of)
	if !ok || !unitFits(m.Unit, n.number.unit) {
		return
	}
	d.addMeasure(of)
	it.used, n.used = true, true
	w := analysis.Condition{Field: of, Op: analysis.Op(it.id), Values: []analysis.Scalar{analysis.Scalar(n.number.value)}}
	if upper := d.upTo(n); upper != nil && w.Op == analysis.GreaterEqual {
		upper.used = true
		w.Op, w.Values = analysis.Between, append(w.Values, analysis.Scalar(upper.number.value))
	}
	d.q.Where = append(d.q.Where, w)
}

// atLeast reads a number of days right behind a measure of days as its least: "not sold for 60 days".
func (d *draft) atLeast(it, n *item) {
	m, ok := d.Catalogue.Measure(it.id)
	if !ok || m.Unit != tool.UnitDays || !is(n, number) || n.used || n.number.unit != words.Days {
		return
	}
	n.used = true
	d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.GreaterEqual,
		Values: []analysis.Scalar{analysis.Scalar(n.number.value)}})
	if it.id == "days_since_sale" { // goods that are still there
		d.addMeasure("stock")
	}
}

// upTo returns the second number of "от 10 до 20".
func (d *draft) upTo(n *item) *item {
	i := slices.Index(d.items, n)
	if i+2 >= len(d.items) || d.items[i+2].kind != number {
		return nil
	}
	if w := d.ts[d.items[i+1].at].Norm; w != "до" && w != "to" && w != "and" {
		return nil
	}
	d.items[i+1].used = true
	return d.items[i+2]
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

// kinds are the values of the dimension of kinds of goods, by stem.
var kinds = map[string]string{stem("услуга"): "service", stem("комплект"): "bundle", stem("service"): "service",
	stem("bundle"): "bundle"}

// takeDimension reads a dimension as a breakdown, as what the name beside it is, or as a condition.
func (d *draft) takeDimension(it, prev, next *item) {
	if value, ok := kinds[d.ts[it.at].Stem]; ok && it.id == "kind" {
		it.used = true
		d.where("kind", value, is(prev, except) || is(prev, absent))
		markIf(prev, except, absent, per)
		return
	}
	if is(next, dimension) && next.id == it.id { // "на складе Магазин на Мира"
		it.used = true
		markIf(prev, per)
		return
	}
	for _, beside := range []*item{next, prev} {
		if is(beside, name) && slices.ContainsFunc(beside.name.Meanings,
			func(n connector.Name) bool { return dimensions[n.Kind] == it.id || it.id == "product" }) {
			it.used = true
			markIf(prev, per)
			return
		}
	}
	switch {
	case is(prev, absent):
		it.used, prev.used = true, true
		d.q.Where = append(d.q.Where, analysis.Condition{Field: it.id, Op: analysis.IsEmpty})
		if !slices.Contains(d.q.By, "product") {
			d.q.By = append(d.q.By, "product")
		}
		return
	case is(prev, except):
		return // without a name, it says nothing
	case is(prev, with):
		d.compares = len(d.q.By) > 0 // "сравни склады по выручке" compares rows
	case it.id == "store" && !it.plural && !is(prev, best) && !is(prev, worst) && !d.asks(it) &&
		!(is(prev, per) && !d.ts[prev.at].Cyrillic):
		it.used = true // "на складе": in stock
		markIf(prev, per)
		return
	}
	if dim, ok := d.Catalogue.Dimension(it.id); ok && !is(prev, per) && !subjects[it.id] && !each[d.ts[it.at].Norm] &&
		!(dim.Step != "" && is(prev, joining) && len(d.q.By) > 0) { // "по складам и месяцам"
		return // "лучший сотрудник месяца" is of a period
	}
	if it.id == "product" && !is(prev, per) && !is(prev, best) && !is(prev, worst) {
		d.goods = true
	} else if !slices.Contains(d.q.By, it.id) {
		d.q.By = append(d.q.By, it.id)
	}
	markIf(prev, per)
	it.used = true
	if is(prev, number) {
		d.limit(prev)
	}
}

// asks reports whether a word such as "какой" stands before the item: "в каком магазине".
func (d *draft) asks(it *item) bool {
	return it.at > 0 && (d.ts[it.at-1].Stem == stem("какой") || d.ts[it.at-1].Norm == "which" || d.ts[it.at-1].Norm == "what")
}

func markIf(it *item, kinds ...kind) {
	if it != nil && slices.Contains(kinds, it.kind) {
		it.used = true
	}
}

// dimensions are those that the names of the account are values of.
var dimensions = map[connector.NameKind]string{connector.NameStore: "store", connector.NameSupplier: "supplier",
	connector.NameGroup: "group", connector.NameProduct: "product", connector.NameCounterparty: "counterparty",
	connector.NameEmployee: "employee", connector.NameSalesChannel: "sales_channel",
	connector.NamePriceType: "price_type", connector.NameOrganization: "legal_entity"}

// takeName reads a name as a condition. One that may be several things is left to a question, but for goods: those that
// the words fit are all meant.
func (d *draft) takeName(it, prev, next *item) {
	var field string
	var chosen []connector.Name
	for _, f := range []string{"counterparty", "supplier", "store", "group", "employee", "sales_channel", "legal_entity",
		"price_type", "product"} {
		var these []connector.Name
		for _, n := range it.name.Meanings {
			kind := dimensions[n.Kind]
			twice := slices.ContainsFunc(these, func(o connector.Name) bool { return o.ID == n.ID && o.Name == n.Name })
			if !twice && (kind == f || kind == "supplier" && f == "counterparty" && d.ofAgents()) {
				these = append(these, n)
			}
		}
		named := is(prev, dimension) && prev.id == f || is(next, dimension) && next.id == f
		if len(these) == 0 || !d.allowed(f) || f == "supplier" && chosen != nil && !named {
			continue
		}
		if chosen != nil && !named {
			return
		}
		field, chosen = f, these
	}
	if len(chosen) == 0 || len(chosen) > 1 && field != "product" {
		return
	}
	it.used = true
	for _, n := range chosen {
		d.where(field, cmp.Or(n.ID, n.Name), is(prev, except))
	}
	markIf(prev, except, per, only)
}

// allowed reports whether all measures that the task names can be filtered by a dimension.
func (d *draft) allowed(by string) bool {
	return !slices.ContainsFunc(d.items, func(it *item) bool {
		return it.kind == measure && slices.ContainsFunc(strings.Fields(it.id), func(id string) bool { return !d.allows(id, by) })
	})
}

// ofAgents reports whether the measures are of documents with suppliers, which name the supplier themselves.
func (d *draft) ofAgents() bool {
	return slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == measure && agents[it.id] })
}

// where adds a value to the condition on a dimension.
func (d *draft) where(field, value string, excluded bool) {
	op := analysis.In
	if excluded {
		op = analysis.NotIn
	}
	i := slices.IndexFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == field && w.Op == op })
	if i < 0 {
		d.q.Where = append(d.q.Where, analysis.Condition{Field: field, Op: op, Values: []analysis.Scalar{analysis.Scalar(value)}})
		return
	}
	if !slices.Contains(d.q.Where[i].Values, analysis.Scalar(value)) {
		d.q.Where[i].Values = append(d.q.Where[i].Values, analysis.Scalar(value))
	}
}

// takePeriods sets the period and what it is compared with.
func (d *draft) takePeriods() {
	day := func(t time.Time) tool.Day { return tool.DayOf(t) }
	now := len(d.q.Measures) > 0 && !slices.ContainsFunc(d.q.Measures, func(m string) bool { return !ofNow[m] })
	switch {
	case len(d.periods) > 2 || len(d.periods) == 2 && !d.compares:
		return
	case len(d.periods) == 0:
		if d.compares && now { // figures of now have no other period, but rows
			for _, it := range d.items {
				it.used = it.used && (it.kind != with || len(d.q.By) > 0)
			}
			return
		}
		if d.compares {
			d.q.Compare = &analysis.Comparison{With: analysis.Previous}
		}
		return
	case slices.ContainsFunc(d.periods, func(p *item) bool { return p.period.From.IsZero() }):
		return
	}
	first := d.periods[0]
	if now {
		d.stockAt(first)
		return
	}
	p := first.period
	first.used = true
	if len(d.periods) == 1 && d.Previous != nil && len(d.q.Measures) == 0 && d.comparedWith(first) {
		d.q.Compare = &analysis.Comparison{From: day(p.From), To: day(p.To)} // the period stays
		return
	}
	if len(d.periods) == 2 {
		other := d.periods[1]
		other.used = true
		d.q.Compare = &analysis.Comparison{From: day(other.period.From), To: day(other.period.To)}
	} else if d.compares {
		d.q.Compare = &analysis.Comparison{With: analysis.Previous}
		if unit := p.Previous; unit != words.NoTime && d.comparedWith(first) { // "сравни с прошлым месяцем"
			d.q.From, d.q.To = day(quantity.Begin(unit, d.Today)), day(d.Today)
			return
		}
	}
	d.q.From, d.q.To = day(p.From), day(p.To)
}

// comparedWith reports whether a comparison word stands before the period.
func (d *draft) comparedWith(p *item) bool {
	return slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == with && it.at < p.at })
}

// stockAt reads a past day of stock. Other figures of now have no period.
func (d *draft) stockAt(it *item) {
	p := it.period
	switch {
	case len(d.periods) > 1 || d.compares || !p.From.Equal(p.To):
		return
	case p.To.Equal(d.Today):
		it.used = true
	case slices.Equal(d.q.Measures, []string{"stock"}) && p.To.Before(d.Today) && len(d.q.Where) == 0:
		it.used = true
		d.q.Measures = []string{"stock_at_end"}
		d.q.From, d.q.To = tool.DayOf(p.From), tool.DayOf(p.To)
	}
}

// explains asks what a change consists of: by goods, if nothing else is named. It reports false for a measure that has
// no parts, such as a margin.
func (d *draft) explains() bool {
	if !d.whys {
		return true
	}
	m := d.q.Measures[0]
	if len(d.q.Order) > 0 {
		m = d.q.Order[0].Field
	}
	if adds, ok := d.Catalogue.Measure(m); !ok || !adds.Adds || ofNow[m] {
		return false
	}
	d.q.Measures, d.q.Order = []string{m}, nil
	if d.q.Explain = true; d.q.Compare == nil {
		d.q.Compare = &analysis.Comparison{With: analysis.Previous}
	}
	if len(d.q.By) == 0 {
		d.q.By = []string{"product"}
	}
	if slices.Equal(d.q.By, []string{"product"}) && (m == "profit" || m == "revenue") {
		d.addMeasure("quantity")
	}
	return true
}

// orders sets the order, if the task names one.
func (d *draft) orders() {
	if d.reverses && len(d.q.Order) > 0 {
		d.direction = analysis.Ascending
		if d.q.Order[0].Direction == analysis.Ascending {
			d.direction = analysis.Descending
		}
		d.ordered = d.q.Order[0].Field
	} else if d.reverses {
		d.direction = analysis.Ascending
	}
	if d.direction == "" || len(d.q.Measures) == 0 {
		return
	}
	field := d.ordered
	if field == "" {
		field = d.q.Measures[0]
	}
	d.q.Order = []analysis.Order{{Field: field, Direction: d.direction}}
}
