package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/token"
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
	if adds, ok := d.Catalogue.Measure(m); !ok || !adds.Adds || adds.Now {
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
