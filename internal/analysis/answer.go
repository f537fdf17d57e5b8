package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
)

// Row is a row of an answer.
type Row struct {
	Keys       []Key
	Now        *Group // nil if the row exists in the other period only
	Before     *Group // nil without a comparison, or if the row is new
	Share      decimal.Maybe
	Cumulative decimal.Maybe
	alone      bool // an interval without a counterpart in the other period
}

// Value returns a measure of the row.
func (r Row) Value(m *Measure) decimal.Maybe { return r.Now.value(m) }

// Other returns a measure of the row in the period compared with.
func (r Row) Other(m *Measure) decimal.Maybe { return r.Before.value(m) }

// Change returns the difference of a measure from the other period. Of a measure that adds up, an absent row counts as
// zero: a good that was not sold before. An interval without a counterpart has no change.
func (r Row) Change(m *Measure) decimal.Maybe {
	if r.alone {
		return decimal.Maybe{}
	}
	now, before := r.Value(m), r.Other(m)
	if m.Adds {
		if r.Now == nil {
			now = decimal.Some(decimal.Zero)
		}
		if r.Before == nil {
			before = decimal.Some(decimal.Zero)
		}
	}
	if !now.Known || !before.Known {
		return decimal.Maybe{}
	}
	return decimal.Some(now.Sub(before.Decimal))
}

// Percent returns the change as a percentage of the other period's value; unknown if that is not positive.
func (r Row) Percent(m *Measure) decimal.Maybe {
	change, before := r.Change(m), r.Other(m)
	if !change.Known || !before.Known || before.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(change.Mul(decimal.Hundred).Div(before.Decimal))
}

// figure returns what a condition is on.
func (r Row) figure(m *Measure, of Of) decimal.Maybe {
	switch of {
	case OfChange:
		return r.Change(m)
	case OfPercent:
		return r.Percent(m)
	}
	return r.Value(m)
}

// Answer is the evaluated query.
type Answer struct {
	Plan  *Plan
	Rows  []Row // all that meet the conditions, in order, before Offset and Limit; see [Query.LimitEach]
	Total Row   // over all rows that meet the conditions, whether shown or not
	// Mixed is how many rows are left out because a condition is on their quantity, which is in several units and has
	// no sum. Whether they meet it is not known.
	Mixed int
}

// Page returns the rows that the query asks to see.
func (a *Answer) Page() []Row {
	rows := a.Rows[min(a.Plan.Offset, len(a.Rows)):]
	if a.Plan.Limit > 0 {
		rows = rows[:min(a.Plan.Limit, len(rows))]
	}
	return rows
}

// Evaluate computes the answer from the facts of the period and, for a comparison, of the other period.
func Evaluate(p *Plan, now, before *Table) *Answer {
	a := &Answer{Plan: p}
	a.Rows = p.pair(now, before)
	a.Rows = slices.DeleteFunc(a.Rows, func(r Row) bool {
		kept, mixed := p.keeps(r)
		if mixed {
			a.Mixed++
		}
		return !kept
	})
	total := Row{Now: newGroup(p, nil)}
	if before != nil {
		total.Before = newGroup(p, nil)
		total.Before.period = p.Other
	}
	for _, r := range a.Rows {
		if r.Now != nil {
			total.Now.merge(r.Now)
		}
		if r.Before != nil {
			total.Before.merge(r.Before)
		}
	}
	a.Total = total
	p.sort(a.Rows)
	p.shares(a)
	a.Rows = p.firstOfEach(a.Rows, 0)
	return a
}

// firstOfEach keeps the first rows of each combination of the dimensions before the last, if the query asks for a
// number of them, one combination after the other: in the order of time, else in that of their first rows.
func (p *Plan) firstOfEach(rows []Row, depth int) []Row {
	if p.LimitEach == 0 || len(p.Dims) == 0 {
		return rows
	}
	if depth == len(p.Dims)-1 {
		return rows[:min(p.LimitEach, len(rows))]
	}
	var order []Key
	each := map[string][]Row{}
	for _, r := range rows {
		id := identity(r.Keys[depth : depth+1])
		if each[id] == nil {
			order = append(order, r.Keys[depth])
		}
		each[id] = append(each[id], r)
	}
	if p.Dims[depth].Step != "" {
		slices.SortStableFunc(order, func(x, y Key) int { return compareKeys(p.Dims[depth], x, y) })
	}
	var kept []Row
	for _, k := range order {
		kept = append(kept, p.firstOfEach(each[identity([]Key{k})], depth+1)...)
	}
	return kept
}

// pair matches the rows of both periods.
func (p *Plan) pair(now, before *Table) []Row {
	rows := make([]Row, 0, len(now.Groups))
	at := make(map[string]int, len(now.Groups))
	pairs := make([]*alignment, len(p.Dims))
	for i, d := range p.Dims {
		if before != nil {
			pairs[i] = aligned(d.Step, p.Period, p.Other)
		}
	}
	for _, g := range now.Groups {
		row := Row{Keys: g.Keys, Now: g}
		for i, pair := range pairs {
			row.alone = row.alone || pair != nil && pair.alone[g.Keys[i].ID]
		}
		at[identity(g.Keys)] = len(rows)
		rows = append(rows, row)
	}
	if before == nil {
		return rows
	}
	for _, g := range before.Groups {
		g.period = p.Other
		keys, alone := slices.Clone(g.Keys), false
		for i, pair := range pairs {
			if pair == nil {
				continue
			}
			if id, ok := pair.to[keys[i].ID]; ok {
				keys[i].ID, keys[i].Name = id, id
			} else {
				keys[i].Other, alone = true, true
			}
		}
		if i, ok := at[identity(keys)]; ok {
			if rows[i].Before != nil { // two parts of a week fall into one
				rows[i].Before.merge(g)
				continue
			}
			rows[i].Before = g
			continue
		}
		at[identity(keys)] = len(rows)
		rows = append(rows, Row{Keys: keys, Before: g, alone: alone})
	}
	return rows
}

func identity(keys []Key) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(k.ID)
		b.WriteByte(0)
		if k.Other {
			b.WriteByte(1)
		}
	}
	return b.String()
}

// keeps reports whether a row meets the conditions on measures. An unknown figure meets only is_empty. mixed reports
// that it fails only because a quantity is in several units.
func (p *Plan) keeps(r Row) (kept, mixed bool) {
	for _, c := range p.Rows {
		m, _ := p.catalogue.Measure(c.Field)
		switch {
		case m.holds(r.figure(m, c.Of), c):
		case c.Op != IsNotEmpty && (r.Now != nil && r.Now.mixes(m) || r.Before != nil && r.Before.mixes(m)):
			mixed = true
		default:
			return false, false
		}
	}
	return !mixed, mixed
}

// HoldsAtZero reports whether zero meets a condition of the plan on the measure.
func (m *Measure) HoldsAtZero(c Condition) bool { return m.holds(decimal.Some(decimal.Zero), c) }

// holds reports whether a value of the measure meets a condition, whose values have been checked.
func (m *Measure) holds(v decimal.Maybe, c Condition) bool {
	if c.Op == IsEmpty || c.Op == IsNotEmpty || !v.Known {
		return c.Op == IsEmpty && !v.Known || c.Op == IsNotEmpty && v.Known
	}
	at := func(i int) int {
		n, _ := m.operand(c.Values[i])
		return v.Cmp(n)
	}
	among := func() bool {
		for i := range c.Values {
			if at(i) == 0 {
				return true
			}
		}
		return false
	}
	switch c.Op {
	case Equal, In:
		return among()
	case NotEqual, NotIn:
		return !among()
	case Less, LessEqual, Greater, GreaterEqual, Between, Contains, IsEmpty, IsNotEmpty:
	}
	return c.Op.holds(at)
}

// sort orders the rows as the query asks; by default in the order of time if the breakdown starts with time, else by
// the first measure, greatest first. Ties are broken by the keys, so that the order is always the same.
func (p *Plan) sort(rows []Row) {
	order := p.Order
	if len(order) == 0 && (len(p.Dims) == 0 || p.Dims[0].Step == "") {
		order = []Order{{Field: p.Shown[0].Name, Direction: Descending}}
	}
	type sorted struct {
		Row
		by []decimal.Maybe // the measures of the order, computed once
	}
	all := make([]sorted, len(rows))
	for i, r := range rows {
		all[i] = sorted{r, make([]decimal.Maybe, len(order))}
		for j, o := range order {
			if m, ok := p.catalogue.Measure(o.Field); ok {
				all[i].by[j] = r.Value(m)
				if o.Change {
					all[i].by[j] = r.Change(m)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y sorted) int {
		for i, o := range order {
			if d := p.compare(o, x.Row, y.Row, x.by[i], y.by[i]); d != 0 {
				return d
			}
		}
		for i := range x.Keys {
			if d := compareKeys(p.Dims[i], x.Keys[i], y.Keys[i]); d != 0 {
				return d
			}
		}
		return 0
	})
	for i := range all {
		rows[i] = all[i].Row
	}
}

// compare orders two rows by a dimension, or by the values of a measure.
func (p *Plan) compare(o Order, x, y Row, a, b decimal.Maybe) int {
	if i := slices.Index(p.By, o.Field); i >= 0 {
		d := compareKeys(p.Dims[i], x.Keys[i], y.Keys[i])
		if o.Direction == Descending {
			d = -d
		}
		return d
	}
	switch {
	case !a.Known && !b.Known:
		return 0
	case !a.Known:
		return 1 // unknown figures come last in either direction
	case !b.Known:
		return -1
	case o.Direction == Ascending:
		return a.Cmp(b.Decimal)
	}
	return b.Cmp(a.Decimal)
}

func compareKeys(d *Dimension, x, y Key) int {
	if d.Step != "" {
		return strings.Compare(x.ID, y.ID)
	}
	if d.Type != Text {
		return d.Type.compare(x.ID, y.ID)
	}
	return cmp.Or(strings.Compare(fold(x.Name), fold(y.Name)), strings.Compare(x.ID, y.ID))
}

// shares fills the parts of the total of the first measure. A measure that is not a sum, such as a margin, has none,
// and neither has a total that is not positive.
func (p *Plan) shares(a *Answer) {
	m := p.Shown[0]
	total := a.Total.Value(m)
	if !p.Share && !p.Cumulative || !p.addsUp(a, m) || !total.Known || total.Sign() <= 0 {
		return
	}
	running := decimal.Zero
	for i := range a.Rows {
		v := a.Rows[i].Value(m)
		if !v.Known {
			continue
		}
		running = running.Add(v.Decimal)
		a.Rows[i].Share = decimal.Some(v.Mul(decimal.Hundred).Div(total.Decimal))
		a.Rows[i].Cumulative = decimal.Some(running.Mul(decimal.Hundred).Div(total.Decimal))
	}
}

// addsUp reports whether the values of the rows add up to the total: a receipt with two goods is in two rows.
func (p *Plan) addsUp(a *Answer, m *Measure) bool {
	if !m.Adds {
		return false
	}
	sum := decimal.Zero
	for _, r := range a.Rows {
		sum = sum.Add(r.Value(m).Decimal)
	}
	return sum.Cmp(a.Total.Value(m).Decimal) == 0
}
