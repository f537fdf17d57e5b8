package analysis

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Key is a value of a dimension. A value without an ID means that the object has none: a sale without a channel.
type Key struct {
	ID      string // stable; for time the interval, for texts the text itself
	Name    string
	Parents []string // the IDs of the values that contain it, for nested dimensions
	// Other marks an interval of the period compared with that has no counterpart in the period of the query, such as
	// the fifth week of a month with four. It is not the interval of the query that has the same ID.
	Other bool
	Of    any // what the source knows of the value, for tables of the connector's own
}

// Fact is a row that was read: the values of the plan's fields and its amounts.
type Fact struct {
	Keys    []Key           // by [Plan.Fields]
	Amounts []decimal.Maybe // by [Plan.Bases]; absent is unknown or does not apply
	Unit    string          // of the quantities among the amounts
	At      string          // sortable time of the amounts, for [First] and [Last]; empty if they have none
	Lacks   []Base          // that it should have, such as a price that is not set; see [Same]
	Subject string          // what the amounts are of, for [LastOf]
	// Carries tells the bases that the source of the fact knows, by [Plan.Bases]; nil is all. The amount of one of them
	// is unknown if it is absent; a row without a fact that carries a base has none of it, see [Definition].
	Carries []bool
	// Document identifies a document that a base counts: its first fact in a row counts, further ones do not.
	Document string
	Counts   Base // the base that counts documents; empty for none
}

// Group is the facts of a row of the answer.
type Group struct {
	Keys    []Key    // by the plan's breakdown
	amounts []amount // by the plan's bases
	// documents by base
	documents map[Base]map[string]struct{}
	plan      *Plan
	period    tool.Period // of the facts: the plan's, or the other one
}

// Table adds up facts.
type Table struct {
	plan   *Plan
	at     map[string]*Group
	Groups []*Group // in the order in which they were met
	Facts  int
}

// NewTable returns an empty table.
func NewTable(p *Plan) *Table { return &Table{plan: p, at: map[string]*Group{}} }

// Add adds a fact if it meets the conditions on dimensions. They are tested even if the system has applied them: its
// filters fail silently. Add reports whether it does.
func (t *Table) Add(f Fact) bool {
	if !t.plan.accepts(f.Keys) {
		return false
	}
	t.Facts++
	keys := f.Keys[:len(t.plan.By)]
	g := t.group(keys)
	g.add(f)
	return true
}

func (t *Table) group(keys []Key) *Group {
	var id strings.Builder
	for _, k := range keys {
		id.WriteString(k.ID)
		id.WriteByte(0)
	}
	g := t.at[id.String()]
	if g == nil {
		g = newGroup(t.plan, slices.Clone(keys))
		t.at[id.String()] = g
		t.Groups = append(t.Groups, g)
	}
	return g
}

func newGroup(p *Plan, keys []Key) *Group {
	return &Group{Keys: keys, amounts: make([]amount, len(p.Bases)), plan: p, period: p.Period}
}

func (g *Group) add(f Fact) {
	for i, b := range g.plan.Bases {
		if b == f.Counts && f.Document != "" {
			g.count(b, f.Document)
			continue
		}
		n := amount{Maybe: f.Amounts[i], at: f.At, subject: f.Subject, differs: slices.Contains(f.Lacks, b)}
		if g.plan.quantity[i] && n.Sign() != 0 {
			n.units = []string{f.Unit}
		}
		carried := g.amounts[i].carried || f.Carries == nil || f.Carries[i]
		g.amounts[i].combine(n, g.plan.rules[i])
		g.amounts[i].carried = carried
	}
}

func (g *Group) count(b Base, document string) {
	if g.documents == nil {
		g.documents = map[Base]map[string]struct{}{}
	}
	if g.documents[b] == nil {
		g.documents[b] = map[string]struct{}{}
	}
	g.documents[b][document] = struct{}{}
}

// merge adds the facts of another row; a document that is in both counts once.
func (g *Group) merge(x *Group) {
	for i, n := range x.amounts {
		carried := g.amounts[i].carried || n.carried
		g.amounts[i].combine(n, g.plan.rules[i])
		g.amounts[i].carried = carried
	}
	for b, documents := range x.documents {
		for d := range documents {
			g.count(b, d)
		}
	}
}

// Sum returns the sum of a base, or what its [Rule] makes of it. A sum of quantities in several units is unknown.
func (g *Group) Sum(b Base) decimal.Maybe {
	switch b {
	case Days:
		return decimal.Some(decimal.FromInt(int64(g.period.Days())))
	case LastDay:
		return decimal.Some(DayNumber(g.period.To))
	}
	i := slices.Index(g.plan.Bases, b)
	if i < 0 || len(g.amounts[i].units) > 1 || g.amounts[i].differs {
		return decimal.Maybe{}
	}
	sum := g.amounts[i].Maybe
	if n := len(g.documents[b]); n > 0 {
		sum = decimal.Some(sum.Decimal.Add(decimal.FromInt(int64(n))))
	}
	return sum
}

// present is Sum for formulas: what adds up and is in no fact of the row is zero, such as the sales of a good in stock
// that was not sold. What facts should tell and do not is unknown.
func (g *Group) present(b Base) decimal.Maybe {
	sum := g.Sum(b)
	i := slices.Index(g.plan.Bases, b)
	if sum.Known || i < 0 || g.amounts[i].carried || len(g.amounts[i].units) > 1 {
		return sum
	}
	switch g.plan.rules[i] {
	case Add, First, Last:
		return decimal.Some(decimal.Zero)
	case Greatest, Least, Same, LastOf:
	}
	return sum
}

// Mixed reports whether the row adds quantities in several units, so that they are unknown.
func (g *Group) Mixed() bool {
	return slices.ContainsFunc(g.amounts, func(a amount) bool { return len(a.units) > 1 })
}

// Unit returns the unit of all quantities of the row, or empty if there are several.
func (g *Group) Unit() string {
	unit := ""
	for _, a := range g.amounts {
		if len(a.units) > 1 || len(a.units) == 1 && unit != "" && unit != a.units[0] {
			return ""
		}
		if len(a.units) == 1 {
			unit = a.units[0]
		}
	}
	return unit
}

// mixes reports whether the quantities that a measure is computed from are in several units.
func (g *Group) mixes(m *Measure) bool {
	unit := ""
	for _, b := range m.Bases {
		i := slices.Index(g.plan.Bases, b)
		if i < 0 || len(g.amounts[i].units) == 0 {
			continue
		}
		if units := g.amounts[i].units; len(units) > 1 || unit != "" && unit != units[0] {
			return true
		}
		unit = g.amounts[i].units[0]
	}
	return false
}

// Parts returns a measure of the row by unit where its quantities are in several, which have no common sum. It is nil
// for a single unit, and for measures of money and the like.
func (g *Group) Parts(m *Measure) map[string]decimal.Decimal {
	if g == nil || m.Unit != tool.UnitQuantity || !g.mixes(m) {
		return nil
	}
	byUnit := map[string]decimal.Decimal{}
	for _, b := range m.Bases {
		i := slices.Index(g.plan.Bases, b)
		if i < 0 {
			continue // a number of days
		}
		if !g.plan.quantity[i] || g.amounts[i].differs {
			return nil
		}
		for unit := range g.amounts[i].perUnit() {
			byUnit[unit] = decimal.Zero
		}
	}
	for unit := range byUnit {
		v := m.value(func(b Base) decimal.Maybe {
			i := slices.Index(g.plan.Bases, b)
			if i < 0 || !g.amounts[i].Known {
				return g.Sum(b)
			}
			return decimal.Some(g.amounts[i].perUnit()[unit])
		})
		if !v.Valid() {
			return nil
		}
		byUnit[unit] = v.Decimal
	}
	return byUnit
}

// value computes a measure; nil is a row without facts, whose figures are unknown.
func (g *Group) value(m *Measure) decimal.Maybe {
	if g == nil || g.mixes(m) {
		return decimal.Maybe{}
	}
	sums := g.Sum
	if m.Defined() {
		sums = g.present
	}
	v := m.value(sums)
	if !v.Valid() {
		return decimal.Maybe{}
	}
	return v
}

// accepts reports whether a fact with these keys meets the conditions on dimensions.
func (p *Plan) accepts(keys []Key) bool {
	for i := range p.Facts {
		f := &p.Facts[i]
		if !f.accepts(keys[f.field]) {
			return false
		}
	}
	return true
}

// Accepts reports whether a value of a dimension meets the conditions on it, so that what does not need not be read.
func (p *Plan) Accepts(dimension string, k Key) bool {
	for i := range p.Facts {
		if f := &p.Facts[i]; f.Field == dimension && !f.accepts(k) {
			return false
		}
	}
	return true
}

func (f *Filter) accepts(k Key) bool {
	switch f.Op {
	case IsEmpty:
		return k.ID == ""
	case IsNotEmpty:
		return k.ID != ""
	case Contains:
		if f.IDs != nil { // of the values whose names contain the text
			return f.IDs[k.ID]
		}
		return strings.Contains(fold(k.Name), fold(string(f.Values[0])))
	case Equal, In:
		return f.names(k)
	case NotEqual, NotIn:
		return !f.names(k)
	case Less, LessEqual, Greater, GreaterEqual, Between:
		return f.within(k)
	}
	return false
}

// names reports whether a condition names the value or one that contains it.
func (f *Filter) names(k Key) bool {
	if f.IDs != nil {
		return f.IDs[k.ID] || slices.ContainsFunc(k.Parents, func(id string) bool { return f.IDs[id] })
	}
	return slices.ContainsFunc(f.Values, func(v Scalar) bool {
		return f.Dimension.Type.compare(string(v), k.ID) == 0 || slices.Contains(k.Parents, string(v)) ||
			fold(string(v)) == fold(k.Name)
	})
}

// fold normalizes a text for comparison.
func fold(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(s), "ё", "е")), " ")
}
