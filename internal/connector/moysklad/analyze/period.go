package analyze

import (
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The default periods of the last sale and the last purchase (rule R228). A year of sales would be read with their
// lines, ten times as much as a year of purchases.
const (
	daysOfSales     = 90
	daysOfPurchases = 365
	mostDays        = 3 * 365 // that a condition makes them
)

// period resolves the period of the query. Nothing is assumed about that of figures that are only known now.
func (c *call) period(q *analysis.Query) (tool.Period, error) {
	named := slices.Clone(q.Measures)
	for _, w := range q.Where {
		if _, ok := c.catalogue.Dimension(w.Field); !ok {
			named = append(named, w.Field)
		}
	}
	if q.From == "" && q.To == "" && !c.preset {
		c.assume(q, named)
	}
	for _, name := range named {
		if m, ok := c.catalogue.Measure(name); ok && slices.Contains(m.Bases, analysis.Days) {
			return c.PastPeriod(q.From, q.To)
		}
	}
	for _, name := range named {
		m, ok := c.catalogue.Measure(name)
		if !ok || slices.ContainsFunc(m.Bases, func(b analysis.Base) bool { return !slices.Contains(nowBases, b) }) {
			return c.Period(q.From, q.To)
		}
	}
	if q.From != "" || q.To != "" {
		return c.Period(q.From, q.To)
	}
	return tool.Period{From: account.Today(c.Env), To: account.Today(c.Env)}, nil
}

// assume sets the period of a query without one, where it says which is meant or where the usual one is too short.
func (c *call) assume(q *analysis.Query, named []string) {
	if p, ok := c.ofConditions(q); ok {
		q.From, q.To = p.From, p.To
		c.Notice(tool.NoticeAssumption, "Период взят из условия: "+wording.Span(p, stockhand.Russian)+".",
			"The period is that of the condition: "+wording.Span(p, stockhand.English)+".")
		return
	}
	days := c.daysOfLast(q, named)
	if days == 0 {
		return
	}
	q.To = account.Today(c.Env)
	q.From = q.To.Add(1 - days)
	p := tool.Period{From: q.From, To: q.To}
	c.Noticef(tool.NoticeAssumption, "Период не назван: последняя продажа или закупка искалась за %s, %s.",
		"No period was given: the last sale or purchase was looked for in %s, %s.",
		wording.NounDay.Count(c.Lang, days), wording.Span(p, c.Lang))
}

// dividing are the steps that divide a period, longest first.
var dividing = []analysis.Step{analysis.Year, analysis.Quarter, analysis.Month, analysis.Week, analysis.Day}

// ofConditions returns the period that a condition such as month = October means, up to today. Of several conditions on
// time, that on the longest intervals contains the others.
func (c *call) ofConditions(q *analysis.Query) (p tool.Period, ok bool) {
	var w analysis.Condition
	at := len(dividing)
	for _, x := range q.Where {
		d, known := c.catalogue.Dimension(x.Field)
		if !known || x.Op != analysis.Equal && x.Op != analysis.In {
			continue
		}
		if i := slices.Index(dividing, d.Step); i >= 0 && i < at {
			w, at = x, i
		}
	}
	today := account.Today(c.Env)
	for i, v := range w.Values {
		named, is := values.ReadInterval(dividing[at], string(v))
		in, found := named.Latest(today)
		if !is || !found {
			return p, false
		}
		if in.From <= today {
			in.To = min(in.To, today)
		}
		if i == 0 {
			p = in
		}
		p.From, p.To, ok = min(p.From, in.From), max(p.To, in.To), true
	}
	return p, ok
}

// daysOfLast returns how far back a query for the last sale or purchase looks; 0 if other figures decide that.
func (c *call) daysOfLast(q *analysis.Query, named []string) int {
	least := 0
	for _, w := range q.Where {
		if w.Field != "days_since_sale" && w.Field != "last_sale" {
			continue
		}
		switch w.Op {
		case analysis.IsEmpty, analysis.IsNotEmpty:
			return 0 // not sold lately: the usual period
		case analysis.Greater, analysis.GreaterEqual, analysis.Between, analysis.Equal, analysis.In:
			least = max(least, daysFor(w))
		case analysis.Less, analysis.LessEqual, analysis.NotEqual, analysis.NotIn, analysis.Contains:
		}
	}
	days := least
	for _, name := range named {
		m, ok := c.catalogue.Measure(name)
		if !ok {
			return 0
		}
		for _, b := range m.Bases {
			switch {
			case slices.Contains(measures.LastPurchases, b):
				days = max(days, daysOfPurchases)
			case b == measures.LastSale:
				days = max(days, daysOfSales)
			case b != analysis.LastDay && !slices.Contains(nowBases, b):
				return least // the usual period of the other figures, if that is enough
			}
		}
	}
	return days
}

// daysFor returns the days in which a condition on the days since a sale can be met, and a month more; 0 if the usual
// period is enough.
func daysFor(w analysis.Condition) (days int) {
	for _, v := range w.Values {
		n, err := decimal.Parse(string(v))
		if w.Field == "days_since_sale" && err == nil && n.Sign() > 0 && n.Cmp(decimal.FromInt(mostDays)) < 0 {
			days = max(days, int(n.Ceil(0).Float64())+account.DefaultDays)
		}
	}
	if days < 2*account.DefaultDays {
		return 0
	}
	return days
}

// periods returns the period of the query and, if it compares, the other one.
func (c *call) periods() []tool.Period {
	if c.plan.Compares() {
		return []tool.Period{c.plan.Period, c.plan.Other}
	}
	return []tool.Period{c.plan.Period}
}
