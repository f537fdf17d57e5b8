package compose

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// takePeriods sets the period and what it is compared with.
func (d *draft) takePeriods() {
	day := func(t time.Time) tool.Day { return tool.DayOf(t) }
	now := len(d.q.Measures) > 0 && !slices.ContainsFunc(d.q.Measures, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return !ok || !m.Now
	})
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
