package analysis

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
)

// DimStore is the dimension that [Condition.At] names a value of.
const DimStore = "store"

// InStores reports whether the query selects rows by what a measure is in several stores (rule R1072).
func (q *Query) InStores() bool {
	return q != nil && slices.ContainsFunc(q.Where, func(w Condition) bool { return w.At != "" })
}

// checkElsewhere checks a condition on a measure in a store: the rows must be of something else, too.
func (c *Catalogue) checkElsewhere(p *Plan, w Condition, m *Measure, field string, bad *faults) {
	if !slices.ContainsFunc(p.By, func(by string) bool { return by != DimStore }) {
		bad.add(field+".at", "needs by, such as product")
	}
	if w.Of != "" || w.Op == IsEmpty || w.Op == IsNotEmpty {
		bad.add(field+".at", "needs a plain number")
	}
	for _, by := range append([]string{DimStore}, p.By...) {
		if !slices.Contains(m.Over, by) {
			c.allows([]*Measure{m}, by, field+".field", bad)
			return
		}
	}
}

// In returns the query whose rows tell whether those of the plan meet a condition on a measure in a store, without
// other stores that are a part of it.
func (p *Plan) In(w Condition, without []Scalar) Query {
	q := Query{Measures: []string{w.Field}, From: p.Period.From, To: p.Period.To, Define: p.Define}
	for _, by := range p.By {
		if by != DimStore {
			q.By = append(q.By, by)
		}
	}
	for _, f := range p.Facts {
		if f.Field != DimStore {
			q.Where = append(q.Where, f.Condition)
		}
	}
	if len(without) > 0 {
		q.Where = append(q.Where, Condition{Field: DimStore, Op: NotIn, Values: without})
	}
	q.Where = append(q.Where, Condition{Field: DimStore, Op: In, Values: []Scalar{Scalar(w.At)}})
	return q
}

// Elsewhere tells which rows meet a condition on a measure in a store.
type Elsewhere struct {
	at    []int // the keys of a fact that identify a row of the other answer
	holds map[string]bool
	zero  bool // what the store has none of meets it
}

// Holding returns the rows of an answer to [Plan.In] that meet its condition.
func (p *Plan) Holding(w Condition, a *Answer) Elsewhere {
	m, _ := p.catalogue.Measure(w.Field)
	e := Elsewhere{holds: map[string]bool{}, zero: m.holds(decimal.Some(decimal.Zero), w)}
	for i, by := range p.By {
		if by != DimStore {
			e.at = append(e.at, i)
		}
	}
	for _, r := range a.Rows {
		e.holds[identity(r.Keys)] = m.holds(r.Value(m), w)
	}
	return e
}

// Meets reports whether a fact of the plan is of a row that meets the condition.
func (e Elsewhere) Meets(f Fact) bool {
	var id strings.Builder
	for _, i := range e.at {
		id.WriteString(f.Keys[i].ID)
		id.WriteByte(0)
	}
	if holds, there := e.holds[id.String()]; there {
		return holds
	}
	return e.zero
}
