package analysis

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule says how the amounts of a base make the figure of a row and, in the same way, of the total.
type Rule string

// The rules. A base has one by [Catalogue.Rules].
const (
	Add      Rule = ""         // the sum
	Greatest Rule = "greatest" // such as the day of the last sale
	Least    Rule = "least"
	Same     Rule = "same"  // the amount that all facts have; unknown if they differ or lack it, such as prices
	First    Rule = "first" // the sum of the facts with the least At, such as stock at the beginning of the first month
	Last     Rule = "last"  // the sum of the facts with the greatest At
	// LastOf is like Last if all facts have one Subject. The last of several subjects, such as the last purchases of
	// several goods, is unknown.
	LastOf Rule = "last_of"
)

// Bases that no fact carries: they follow from the period of the row. Measures of days use them.
const (
	Days    Base = "days"     // the number of days of the period
	LastDay Base = "last_day" // the period's last day, by [DayNumber]
)

// amount is what a row has of a base.
type amount struct {
	decimal.Maybe
	units   []string // of a quantity; several have no common sum
	parts   parts    // the sum of each unit, if there are several
	at      string   // of the facts that [First], [Last] or [LastOf] has kept
	subject string   // of the facts, by [LastOf]
	carried bool     // a fact comes from a source that knows it
	differs bool     // by [Same], facts have several amounts or lack one; by [LastOf], they have several subjects
}

// combine takes another amount into account. An unknown one changes nothing, unless the fact lacks it.
func (a *amount) combine(n amount, by Rule) {
	a.differs = a.differs || n.differs
	if !n.Known {
		return
	}
	if !a.Known {
		n.differs, n.units, n.parts = a.differs, slices.Clone(n.units), maps.Clone(n.parts)
		*a = n
		return
	}
	switch by {
	case Add:
	case Greatest, Least:
		if n.Cmp(a.Decimal) > 0 == (by == Greatest) {
			a.Maybe = n.Maybe
		}
		return
	case Same:
		a.differs = a.differs || n.Cmp(a.Decimal) != 0
		return
	case LastOf, First, Last:
		a.differs = a.differs || by == LastOf && n.subject != a.subject
		if n.at != a.at {
			if n.at > a.at == (by != First) {
				*a = amount{Maybe: n.Maybe, at: n.at, subject: n.subject,
					units: slices.Clone(n.units), parts: maps.Clone(n.parts), differs: a.differs}
			}
			return
		}
	}
	if len(a.units) > 1 || len(n.units) > 1 || len(a.units) == 1 && len(n.units) == 1 && a.units[0] != n.units[0] {
		a.parts = a.perUnit().plus(n.perUnit())
	}
	a.Decimal = a.Add(n.Decimal)
	for _, u := range n.units {
		if !slices.Contains(a.units, u) {
			a.units = append(a.units, u)
		}
	}
}

// parts are quantities by unit.
type parts map[string]decimal.Decimal

// perUnit returns the sums of an amount by unit.
func (a *amount) perUnit() parts {
	switch {
	case len(a.units) > 1:
		return a.parts
	case len(a.units) == 1:
		return parts{a.units[0]: a.Decimal}
	}
	return nil // zero has no unit
}

// plus adds to p, which it may change.
func (p parts) plus(q parts) parts {
	if p == nil {
		p = parts{}
	}
	for unit, n := range q {
		p[unit] = p[unit].Add(n)
	}
	return p
}

// DayNumber returns a day as a number that can be compared and subtracted, the value of measures whose unit is
// [tool.UnitDate].
func DayNumber(d tool.Day) decimal.Decimal { return decimal.FromInt(d.Time().Unix() / (24 * 60 * 60)) }

// DayOf returns the day with a number.
func DayOf(n decimal.Decimal) tool.Day {
	return tool.DayOf(time.Unix(int64(n.Float64())*24*60*60, 0).UTC())
}

// operand reads a value that a measure is compared with: a number, or a day if the measure is a date.
func (m *Measure) operand(s Scalar) (decimal.Decimal, error) {
	if m.Unit == tool.UnitDate {
		d := tool.Day(s)
		if d.Time().IsZero() {
			return decimal.Decimal{}, errors.New("expected a day such as 2026-10-31")
		}
		return DayNumber(d), nil
	}
	n, err := decimal.Parse(string(s))
	if err != nil {
		return n, errors.New("expected a number")
	}
	return n, nil
}
