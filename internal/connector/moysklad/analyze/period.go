package analyze

import (
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// period resolves the period of the query. Nothing is assumed about that of figures that are only known now.
func (c *call) period(q *analysis.Query) (tool.Period, error) {
	if c.part { // the whole is in the provenance
		return tool.Period{From: q.From, To: q.To}, nil
	}
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
		if !ok || !m.Now {
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
	if p, ok := values.PeriodOf(c.catalogue, q.Where, account.Today(c.Env)); ok {
		q.From, q.To = p.From, p.To
		c.Notice(tool.NoticeAssumption, "Период взят из условия: "+wording.Span(p, stockhand.Russian)+".",
			"The period is that of the condition: "+wording.Span(p, stockhand.English)+".")
		return
	}
	days := values.DaysOfLast(c.catalogue, q.Where, named,
		func(b analysis.Base) bool { return slices.Contains(measures.NowBases, b) })
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

// periods returns the period of the query and, if it compares, the other one.
func (c *call) periods() []tool.Period {
	if c.plan.Compares() {
		return []tool.Period{c.plan.Period, c.plan.Other}
	}
	return []tool.Period{c.plan.Period}
}
