package values

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The default periods of the last sale and the last purchase (rule R228). A year of sales would be read with their
// lines, ten times as much as a year of purchases.
const (
	daysOfSales     = 90
	daysOfPurchases = 365
	usualDays       = 30      // of a period
	mostDays        = 3 * 365 // that a condition makes them
)

// dividing are the steps that divide a period, longest first.
var dividing = []analysis.Step{analysis.Year, analysis.Quarter, analysis.Month, analysis.Week, analysis.Day}

// PeriodOf returns the period that a condition such as month = October means, up to today. Of several conditions on
// time, that on the longest intervals contains the others.
func PeriodOf(c *analysis.Catalogue, where []analysis.Condition, today tool.Day) (p tool.Period, ok bool) {
	var w analysis.Condition
	at := len(dividing)
	for _, x := range where {
		d, known := c.Dimension(x.Field)
		if !known || x.Op != analysis.Equal && x.Op != analysis.In {
			continue
		}
		if i := slices.Index(dividing, d.Step); i >= 0 && i < at {
			w, at = x, i
		}
	}
	for i, v := range w.Values {
		named, is := ReadInterval(dividing[at], string(v))
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

// DaysOfLast returns how far back a query of some measures looks for the last sale or purchase; 0 if other figures
// decide that. Those that now reports are of now and do not.
func DaysOfLast(c *analysis.Catalogue, where []analysis.Condition, named []string, now func(analysis.Base) bool) int {
	least := 0
	for _, w := range where {
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
		m, ok := c.Measure(name)
		if !ok {
			return 0
		}
		for _, b := range m.Bases {
			switch {
			case slices.Contains(measures.LastPurchases, b):
				days = max(days, daysOfPurchases)
			case b == measures.LastSale:
				days = max(days, daysOfSales)
			case b != analysis.LastDay && !now(b):
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
			days = max(days, int(n.Ceil(0).Float64())+usualDays)
		}
	}
	if days < 2*usualDays {
		return 0
	}
	return days
}
