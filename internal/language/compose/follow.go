package compose

import (
	"cmp"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// keepPeriod takes the period of the previous query for a new question about the same figure that names none.
func (d *draft) keepPeriod(q analysis.Query) {
	same := slices.ContainsFunc(d.asked, func(m string) bool {
		return slices.Contains(q.Measures, m) || slices.ContainsFunc(q.Measures, func(x string) bool {
			return countOfOften[x] == m || moneyMeasures[x] && moneyMeasures[m] // "а за что платили"
		})
	})
	if same && d.q.From == "" && d.q.Compare == nil && len(d.periods) == 0 {
		d.q.From, d.q.To = q.From, q.To
	}
}

// changed returns the previous query with what the task names in place of what it had (rule R271).
func (d *draft) changed(q analysis.Query) analysis.Query {
	d.sameAgent(q)
	n := d.q
	conditions := slices.DeleteFunc(slices.Clone(n.Measures),
		func(m string) bool { return slices.Contains(d.asked, m) })
	switch {
	case d.sortsOnly():
		n.Measures = join(q.Measures, n.Measures)
	case d.ordersBy():
		n.Measures = join(n.Measures, q.Measures)
		if d.direction == "" {
			d.direction = analysis.Descending
			if len(q.Order) > 0 {
				d.direction = q.Order[0].Direction
			}
		}
	case len(d.asked) == 0:
		n.Measures = join(q.Measures, n.Measures)
	case d.adds():
		n.Measures = join(q.Measures, n.Measures)
	case len(conditions) > 0:
		n.Measures = join(d.asked, conditions)
	}
	if d.ordered != "" && !slices.Contains(n.By, d.ordered) && !slices.Contains(q.By, d.ordered) {
		n.Measures = join(n.Measures, []string{d.ordered})
	}
	if d.goods && len(n.By) == 0 {
		n.By = []string{"product"}
	}
	switch {
	case len(n.By) == 0:
		n.By = q.By
	case d.adds() && len(d.asked) == 0:
		n.By = join(q.By, n.By)
	}
	if n.From == "" && (n.Compare == nil || q.Compare != nil && d.onlyChanged()) {
		n.From, n.To, n.Compare = q.From, q.To, q.Compare
	} else if n.From == "" {
		n.From, n.To = q.From, q.To
	}
	if c := n.Compare; c != nil && c.From != "" && c.From == n.From && c.To == n.To { // no period with itself
		for _, p := range d.periods {
			p.Used = false
		}
		n.Compare = nil
	}
	d.move(&n, q)
	if d.withinRows(n, q) {
		q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w analysis.Condition) bool {
			_, dimension := d.Catalogue.Dimension(w.Field)
			return !dimension
		})
		q.Limit = 0
	}
	n.Where = d.conditions(n, q)
	d.ofEachBefore(&n, q)
	if n.Limit == 0 && !d.ofFirstRows(&n, q) {
		n.Limit = q.Limit
	}
	if len(n.Order) == 0 && !d.firstRows && !slices.ContainsFunc(q.Order, func(o analysis.Order) bool {
		return !slices.Contains(n.Measures, o.Field) && !slices.Contains(n.By, o.Field)
	}) {
		n.Order = q.Order
	}
	if d.inMoney {
		var measures []string
		for _, m := range n.Measures {
			measures = join(measures, []string{cmp.Or(valueOf[m], m)})
		}
		n.Measures = measures
		n.Order = slices.Clone(n.Order)
		for i, o := range n.Order {
			n.Order[i].Field = cmp.Or(valueOf[o.Field], o.Field)
		}
	}
	if d.inUnits {
		var measures []string
		for _, m := range n.Measures {
			if unitsOf[m] != "" || len(d.asked) > 0 || len(n.Measures) == 1 || !d.inMoneyOrPercent(m) {
				measures = join(measures, []string{cmp.Or(unitsOf[m], m)})
			}
		}
		n.Measures = measures
		n.Order = slices.Clone(n.Order)
		for i, o := range n.Order {
			if to := unitsOf[o.Field]; to != "" {
				n.Order[i].Field = to
			}
		}
	}
	if d.consists && len(d.q.By) == 0 { // "по дням разбей" says by what
		d.consist(&n)
	}
	n.Share, n.Cumulative = n.Share || q.Share, n.Cumulative || q.Cumulative
	if len(n.Define) == 0 {
		n.Define = q.Define
	}
	d.ofOrdered(&n)
	n.Explain = n.Explain || q.Explain && n.Compare != nil && d.adding(n.Measures)
	d.byGoods(&n)
	d.pricesThere(&n)
	if !query.Possible(d.Catalogue, n) {
		d.drop(&n, q)
		d.fewer(&n)
	}
	if !slices.ContainsFunc(query.Shown(d.Catalogue, n), func(m *analysis.Measure) bool { return !m.Now }) {
		n.From, n.To, n.Compare = "", "", nil // figures of now have no period
	}
	return n
}

// ofFirstRows gives a breakdown by time the first rows of the answer before as its condition: "по месяцам" after
// the three largest suppliers is of those three, and no list of three months (rule R653). So are a question why and
// one of who is behind the figure of a single row.
func (d *draft) ofFirstRows(n *analysis.Query, q analysis.Query) bool {
	rows := d.Rows
	explained := d.whys && slices.Equal(n.By, q.By)
	one := q.Limit == 1 && len(n.By) > 0 && !slices.Equal(n.By, q.By) // "кто возвращал" after one product
	if one {
		n.By = slices.DeleteFunc(slices.Clone(n.By), func(by string) bool { return slices.Contains(q.By, by) })
	}
	if q.Limit == 0 || len(n.By) != 1 || len(q.By) == 0 ||
		!d.ofTime(n.By[0]) && !d.soldThere(n.By[0], q) && !explained && !one || d.ofTime(q.By[0]) || rows == nil ||
		rows.Dimension != q.By[0] || rows.Earlier || len(rows.IDs) < q.Limit ||
		slices.ContainsFunc(n.Where, func(w analysis.Condition) bool { return w.Field == rows.Dimension }) {
		return false
	}
	w := analysis.Condition{Field: rows.Dimension, Op: analysis.In}
	for _, id := range rows.IDs[:q.Limit] {
		if id == "" {
			return false
		}
		w.Values = append(w.Values, analysis.Scalar(id))
	}
	m := *n
	m.Where = append(slices.Clone(n.Where), w)
	if !query.Possible(d.Catalogue, m) {
		return false
	}
	n.Where, d.firstRows = m.Where, !explained
	return true
}

// soldThere reports whether a breakdown is by where or by whom the first rows before were sold: "по складам" after the
// five best goods is of those five (rule R942).
func (d *draft) soldThere(by string, q analysis.Query) bool {
	return len(q.By) == 1 && sellers[by] && !sellers[q.By[0]]
}

// sellers are where goods are sold, and by whom.
var sellers = words.Set("store sales_channel employee")

// withinRows reports whether the task asks for another breakdown within rows that were shown: "какие у них товары"
// after the suppliers with a margin below 20 %. What chose those rows is no condition on what is in them (rule
// R654).
func (d *draft) withinRows(n, q analysis.Query) bool {
	rows := d.Rows
	if rows == nil || len(q.By) != 1 || rows.Dimension != q.By[0] || len(n.By) == 0 ||
		!slices.ContainsFunc(n.By, func(by string) bool { return by != q.By[0] }) {
		return false
	}
	return slices.ContainsFunc(n.Where, func(w analysis.Condition) bool {
		other := func(v analysis.Scalar) bool { return !slices.Contains(rows.IDs, string(v)) }
		return w.Field == rows.Dimension && w.Op == analysis.In && !slices.ContainsFunc(w.Values, other)
	})
}

// withinOne shows the goods of a single value where a row of it alone would say nothing new: the goods of class A, the
// goods behind the change of one group (rule R623).
func (d *draft) withinOne() {
	n := &d.q
	if d.Previous == nil || len(n.By) != 1 || n.By[0] == "product" || n.By[0] != "abc" && !n.Explain {
		return
	}
	one := slices.ContainsFunc(n.Where, func(w analysis.Condition) bool {
		return w.Field == n.By[0] && w.Op == analysis.In && len(w.Values) == 1
	})
	if !one {
		return
	}
	m := *n
	if m.By = []string{"product"}; n.By[0] == "abc" {
		m.By = []string{"abc", "product"}
	} else {
		m.Where = slices.DeleteFunc(slices.Clone(m.Where), func(w analysis.Condition) bool { return w.Of != "" })
		if len(m.Measures) == 1 && (m.Measures[0] == "revenue" || m.Measures[0] == "profit") {
			m.Measures = []string{m.Measures[0],
				"quantity"} // the prices and quantities behind the change
		}
	}
	if query.Possible(d.Catalogue, m) {
		*n = m
	}
}

// fewer leaves out the measures of the answer before that cannot have the breakdown or the condition that the task
// adds, if others can: the report of profit by goods shows quantities, which have no sales channel.
func (d *draft) fewer(n *analysis.Query) {
	if len(d.asked) > 0 || query.Possible(d.Catalogue, *n) {
		return
	}
	m := *n
	m.Measures = slices.DeleteFunc(slices.Clone(n.Measures), func(name string) bool {
		return slices.ContainsFunc(n.By, func(by string) bool { return !d.allows(name, by) }) ||
			slices.ContainsFunc(n.Where, func(w analysis.Condition) bool {
				_, dimension := d.Catalogue.Dimension(w.Field)
				return dimension && !d.allows(name, w.Field)
			})
	})
	if len(m.Measures) == 0 || len(m.Measures) == len(n.Measures) {
		return
	}
	m.Order = slices.Clone(m.Order)
	for i, o := range m.Order {
		if slices.Contains(n.Measures, o.Field) && !slices.Contains(m.Measures, o.Field) {
			m.Order[i].Field = m.Measures[0]
		}
	}
	if query.Possible(d.Catalogue, m) {
		*n = m
	}
}

// adding reports whether all measures add up, so that a change of them has parts.
func (d *draft) adding(measures []string) bool {
	return !slices.ContainsFunc(measures, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return !ok || !m.Adds
	})
}

// inMoneyOrPercent reports whether a measure is no quantity: "в штуках" leaves it out beside one that is.
func (d *draft) inMoneyOrPercent(name string) bool {
	m, ok := d.Catalogue.Measure(name)
	return ok && (m.Unit == tool.UnitMoney || m.Unit == tool.UnitPercent)
}

// valueOf are the sums of money by the quantities that they are of.
var valueOf = map[string]string{"stock": "stock_cost", "stock_at_end": "stock_cost_at_end", "quantity": "revenue",
	"quantity_received": "purchases"}

// unitsOf are the quantities behind sums of money.
var unitsOf = map[string]string{"stock_cost": "stock", "stock_cost_at_end": "stock_at_end", "revenue": "quantity",
	"purchases": "quantity_received"}

// drop leaves out inherited parts that the new measures cannot be combined with: a price has no warehouse.
func (d *draft) drop(n *analysis.Query, q analysis.Query) {
	if len(d.asked) == 0 || slices.ContainsFunc(d.asked, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return !ok || !m.Now
	}) {
		return // what a figure of a period cannot be limited to is asked about (rule R349)
	}
	if d.askedFewer(n) || d.direction != "" { // the cheapest in a warehouse is not the cheapest of all
		return
	}
	own := func(field string) bool {
		return slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool { return w.Field == field })
	}
	m := *n
	if slices.ContainsFunc(m.Where, func(w analysis.Condition) bool { // it is about the older figures only
		_, dimension := d.Catalogue.Dimension(w.Field)
		return dimension && !own(w.Field) && besideGoods[w.Field] &&
			!slices.ContainsFunc(d.asked, func(x string) bool { return !d.allows(x, w.Field) })
	}) {
		return
	}
	fits := func(field string) bool {
		return !slices.ContainsFunc(m.Measures, func(x string) bool { return !d.allows(x, field) })
	}
	m.Where = slices.DeleteFunc(slices.Clone(m.Where), func(w analysis.Condition) bool {
		_, dimension := d.Catalogue.Dimension(w.Field)
		return dimension && !own(w.Field) && !fits(w.Field) && besideGoods[w.Field]
	})
	if len(d.q.By) == 0 {
		m.By = slices.DeleteFunc(slices.Clone(m.By), func(by string) bool { return !fits(by) })
	}
	if query.Possible(d.Catalogue, m) {
		*n = m
	}
}

// besideGoods are dimensions that a figure of goods may do without: the price of what is in a warehouse is its price
// anywhere. What a customer bought is another thing than what there is.
var besideGoods = words.Set("store price_type sales_channel employee document_type account")

// askedFewer leaves out those of several measures that the task asks for which cannot have the conditions and the
// breakdown of the query before, if others can: "когда приедут" of one product has a date, and no sum of orders.
func (d *draft) askedFewer(n *analysis.Query) bool {
	if len(d.asked) < 2 {
		return false
	}
	m := *n
	m.Measures = slices.DeleteFunc(slices.Clone(n.Measures), func(name string) bool {
		return slices.ContainsFunc(n.By, func(by string) bool { return !d.allows(name, by) }) ||
			slices.ContainsFunc(n.Where, func(w analysis.Condition) bool {
				_, dimension := d.Catalogue.Dimension(w.Field)
				return dimension && !d.allows(name, w.Field)
			})
	})
	if !slices.ContainsFunc(d.asked, func(name string) bool { return slices.Contains(m.Measures, name) }) ||
		!query.Possible(d.Catalogue, m) {
		return false
	}
	*n = m
	return true
}

// conditions joins the conditions of the task with those of the previous query. One on the same field takes its place,
// but "и Лесная" adds a value, and a breakdown by all values drops the condition on one of them.
func (d *draft) conditions(n, q analysis.Query) []analysis.Condition {
	list := slices.Clone(n.Where)
	for _, w := range q.Where {
		excludes := w.Op == analysis.NotIn
		if excludes && slices.ContainsFunc(n.Where, func(x analysis.Condition) bool {
			return x.Field == w.Field && x.Op == analysis.In
		}) {
			continue // "а в кассе" after what is not in one: the name says it all
		}
		if debts[w.Field] && len(d.asked) > 0 && !slices.Contains(n.Measures, w.Field) {
			continue // "кому должны мы" is not about those who owe us over 50 000
		}
		if w.Op == analysis.In && (d.anywhere && !d.word(ofTheSum) &&
			(w.Field == "store" || len(d.Tokens) <= 3 && d.word(inAll)) ||
			w.Field == "counterparty" && len(d.asked) > 0 && debts[d.asked[0]] && d.word(whomWords) &&
				len(w.Values) == 1) {
			continue // "а всего", "а мы кому должны"
		}
		if d.clears || slices.Contains(d.every, w.Field) ||
			w.Of != "" && (d.stems(rising) || d.stems(falling)) { // "а кто вырос" after "кто просел"
			continue
		}
		if k := slices.IndexFunc(list, func(x analysis.Condition) bool {
			return x.Field == w.Field && w.Op == analysis.In && x.Op == analysis.NotIn && within(x.Values, w.Values)
		}); k >= 0 { // "убери Посуду" after "Посуда и Текстиль"
			out := list[k].Values
			list = slices.Delete(list, k, k+1)
			w.Values = slices.DeleteFunc(slices.Clone(w.Values), func(v analysis.Scalar) bool {
				return slices.Contains(out, v)
			})
			if len(w.Values) > 0 {
				list = append(list, w)
			}
			continue
		}
		i := slices.IndexFunc(list, func(x analysis.Condition) bool {
			return x.Field == w.Field && (x.Op == analysis.NotIn) == excludes
		})
		switch {
		case i >= 0 && (d.adds() && !d.another() || excludes) && w.Op == list[i].Op &&
			(w.Op == analysis.In || excludes):
			list[i].Values = join(w.Values, list[i].Values)
		case i >= 0 && notZero(list[i]) && !notZero(w) && !slices.Contains(w.Values, "0"):
			list = append(list, w) // "убери нулевые" after "меньше 10"
		case i >= 0:
		case len(d.q.By) > 0 && w.Op == analysis.In && len(w.Values) == 1 && slices.Contains(d.q.By, w.Field) &&
			!slices.Contains(q.By, w.Field) && d.allValues(w.Field):
		default:
			list = append(list, w)
		}
	}
	return list
}

// notZero reports whether a condition leaves out what is zero, and nothing else.
func notZero(w analysis.Condition) bool {
	return w.Op == analysis.NotEqual && len(w.Values) == 1 && w.Values[0] == "0"
}

// inAll drops what the question before was limited to: "а всего?".
var inAll = words.Set("всего total overall")

// ofTheSum ask for the total of what was shown: "на какую сумму всего".
var ofTheSum = words.Set("сумму сумма сумме итого sum amount")

// another reports whether "and" begins a question about another thing, in place of the one before: "and the Mira shop?".
func (d *draft) another() bool {
	return d.first() == "and" && !d.word(tooWords) &&
		slices.ContainsFunc(d.Tokens, func(t token.Token) bool { return t.Norm == "?" || t.Norm == "the" })
}

// allValues reports whether the task breaks down by a dimension in the plural: "по складам" and not "по складу".
func (d *draft) allValues(field string) bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && it.ID == field && it.Plural
	})
}

// otherRows reports whether a condition of the task has put goods in place of the rows of the answer before: "с
// остатком больше нуля" after the days of a month.
func (d *draft) otherRows() bool {
	goods := func(by []string) bool { return slices.Contains(by, "product") || slices.Contains(by, "variant") }
	return len(d.Previous.By) > 0 && !goods(d.Previous.By) && goods(d.q.By) &&
		slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
			_, ok := d.Catalogue.Measure(w.Field)
			same := func(x analysis.Condition) bool { return x.Field == w.Field }
			return ok && !slices.ContainsFunc(d.Previous.Where, same) &&
				!(slices.Contains(d.Previous.Measures, w.Field) && slices.Contains(d.q.By,
					d.Previous.By[0]))
		}) && !d.saysGoods()
}

// saysBy reports whether the task has a word for what to show the figures by.
func (d *draft) saysBy() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Dimension })
}

// saysGoods reports whether the task has a word for goods.
func (d *draft) saysGoods() bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Dimension && (it.ID == "product" || it.ID == "variant") || it.Kind == typed.Named
	})
}

// byGoods breaks down by goods where a condition or an order is about them and nothing else is.
func (d *draft) byGoods(n *analysis.Query) {
	for _, w := range n.Where {
		m, ok := d.Catalogue.Measure(w.Field)
		if !ok || slices.Contains(n.By, "product") || slices.Contains(n.By, "variant") || !m.Now {
			continue
		}
		prices := slices.Contains(priceMeasures, w.Field)
		if prices && len(n.By) == 0 || m.Unit == tool.UnitQuantity && slices.Contains(m.Over, "product") {
			n.By = append([]string{"product"}, n.By...) // quantities of different goods do not add up
		}
	}
}

// priceMeasures are those of goods and of nothing else.
var priceMeasures = []string{"sale_price", "card_purchase_price", "minimum_price", "unit_cost", "price_markup",
	"price_minus_cost"}

// join returns both lists, each value once.
func join[T comparable](x, y []T) []T {
	out := slices.Clone(x)
	for _, v := range y {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
