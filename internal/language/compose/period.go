package compose

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

func day(t time.Time) tool.Day { return tool.DayOf(t) }

// takePeriods sets the period and what it is compared with.
func (d *draft) takePeriods() {
	list := d.q.Measures
	if len(list) == 0 && d.Previous != nil {
		list = d.Previous.Measures
	}
	now := len(list) > 0 && !slices.ContainsFunc(list, func(name string) bool {
		m, ok := d.Catalogue.Measure(name)
		return !ok || !m.Now
	})
	switch {
	case len(d.periods) == 0:
		d.compareAlone(now)
		return
	case slices.ContainsFunc(d.periods, func(p *item) bool { return p.period.From.IsZero() }):
		return
	case now:
		d.stockAt(d.periods[0])
		return
	case d.inARow():
		return
	case len(d.periods) > 2 || len(d.periods) == 2 && !d.compares && !d.severalPeriods():
		return
	case len(d.periods) == 2 && !d.compares:
		return
	}
	if len(d.periods) == 2 && d.governed(d.periods[0]) {
		d.periods[0], d.periods[1] = d.periods[1], d.periods[0]
	}
	first := d.periods[0]
	p := first.period
	first.used = true
	if len(d.periods) == 1 && d.Previous != nil && len(d.asked) == 0 && d.comparedWith(first) {
		d.q.Compare = &analysis.Comparison{From: day(p.From), To: d.ended(p)} // the period stays
		return
	}
	if d.compares && len(d.periods) == 1 && d.relative == "" && d.thanIn(first) {
		return
	}
	d.q.From, d.q.To = day(p.From), d.ended(p)
	d.eachOf(first)
	switch {
	case len(d.periods) == 2:
		other := d.periods[1]
		other.used = true
		d.q.Compare = &analysis.Comparison{From: day(other.period.From), To: d.ended(other.period)}
		if other.period.Previous == words.Year && p.Previous != words.Year && p.To.Sub(p.From) < 300*24*time.Hour {
			d.q.Compare = &analysis.Comparison{With: analysis.LastYear}
		}
	case d.relative != "":
		d.q.Compare = &analysis.Comparison{With: d.relative}
	case d.compares && d.aYearAgo(first):
		d.q.From, d.q.To = day(p.From.AddDate(1, 0, 0)), day(earlierOf(p.To.AddDate(1, 0, 0), d.Today))
		d.q.Compare = &analysis.Comparison{With: analysis.LastYear}
	case d.compares:
		d.q.Compare = &analysis.Comparison{With: analysis.Previous}
		if unit := p.Previous; unit != words.NoTime && d.comparedWith(first) { // "сравни с прошлым месяцем"
			d.sameDays(unit)
		}
	}
}

// thanIn reads "меньше, чем в октябре" and "grew since last month": the period of the same unit that has not ended,
// against the named one.
func (d *draft) thanIn(it *item) bool {
	i := it.at - 1
	for i >= 0 && (d.ts[i].Norm == "в" || d.ts[i].Norm == "за" || d.ts[i].Norm == "in" || d.ts[i].Norm == ",") {
		i--
	}
	w := ""
	if i >= 0 {
		w = d.ts[i].Norm
	}
	since := d.ts[it.at].Norm == "since" || w == "since"
	unit, ok := units[unitOf(it.period)]
	if since && it.period.Previous != words.NoTime {
		unit, ok = it.period.Previous, true
	}
	if !ok || !thanWords[w] && !since || since && it.period.Previous == words.NoTime || !it.period.To.Before(d.Today) &&
		!since {
		return false
	}
	from := quantity.Begin(unit, d.Today)
	d.q.From, d.q.To = day(from), day(d.Today)
	d.q.Compare = &analysis.Comparison{From: day(it.period.From), To: day(it.period.To)}
	if !it.period.To.Before(from) {
		d.q.Compare.From, d.q.Compare.To = day(quantity.Shift(unit, from, -1)), day(from.AddDate(0, 0, -1))
	}
	return true
}

// governed reports whether a period is what others are compared with, although it comes first: "по сравнению с
// прошлым годом выручка за октябрь".
func (d *draft) governed(p *item) bool {
	i := slices.Index(d.items, p) - 1
	if i < 0 || d.items[i].kind != with {
		return false
	}
	it := d.items[i]
	return it.end-it.at > 1 || governs[d.ts[it.at].Norm]
}

var governs = words.Set("относительно против against versus vs")

// compareAlone sets a comparison without a period: with the period before, or a year ago.
func (d *draft) compareAlone(now bool) {
	if !d.compares {
		return
	}
	if now { // figures of now have no other period, but rows
		for _, it := range d.items {
			it.used = it.used && (it.kind != with && it.kind != overYear && it.kind != overMonth || len(d.q.By) > 0)
		}
		return
	}
	d.q.Compare = &analysis.Comparison{With: analysis.Previous}
	if d.relative != "" {
		d.q.Compare.With = d.relative
	}
}

// sameDays compares this month, week or year up to today with the same days of the one before.
func (d *draft) sameDays(unit words.TimeUnit) {
	begin := quantity.Begin(unit, d.Today)
	d.q.From, d.q.To = day(begin), day(d.Today)
	switch unit {
	case words.Month:
	case words.Year:
		d.q.Compare = &analysis.Comparison{With: analysis.LastYear}
	default:
		before := quantity.Shift(unit, begin, -1)
		d.q.Compare = &analysis.Comparison{From: day(before), To: day(before.Add(d.Today.Sub(begin)))}
	}
}

// ended returns the last day of a period; today, for one that has not ended (rule R273).
func (d *draft) ended(p *quantity.Period) tool.Day {
	if !p.From.After(d.Today) && p.To.After(d.Today) {
		return day(d.Today)
	}
	return day(p.To)
}

// severalPeriods reads two periods that are asked for together. Neighbours are one period, shown by their units;
// others are the later one compared with the earlier one.
func (d *draft) severalPeriods() bool {
	x, y := d.periods[0], d.periods[1]
	if y.period.From.Before(x.period.From) {
		x, y = y, x
	}
	between := slices.Index(d.items, d.periods[0]) + 1
	if between >= len(d.items) || !d.joinedPeriods() || !x.period.To.Before(y.period.From) && !d.toward() {
		return false
	}
	x.used, y.used = true, true
	if d.toward() { // "октября к сентябрю"
		d.q.From, d.q.To = day(d.periods[0].period.From), d.ended(d.periods[0].period)
		d.q.Compare = &analysis.Comparison{From: day(d.periods[1].period.From), To: d.ended(d.periods[1].period)}
		return true
	}
	if !x.period.To.AddDate(0, 0, 1).Equal(y.period.From) {
		d.q.From, d.q.To = day(y.period.From), d.ended(y.period)
		d.q.Compare = &analysis.Comparison{From: day(x.period.From), To: day(x.period.To)}
		return true
	}
	d.q.From, d.q.To = day(x.period.From), d.ended(y.period)
	if unit := unitOf(x.period); unit != "" && unit == unitOf(y.period) && len(d.q.By) == 0 {
		d.q.By = []string{unit}
	}
	return true
}

// inARow reads three or more periods of which each follows the one before: "сентябрь, октябрь и ноябрь". They are one
// period, shown by their units.
func (d *draft) inARow() bool {
	n := len(d.periods)
	if n < 3 || d.compares {
		return false
	}
	first, last := d.periods[0].period, d.periods[n-1].period
	unit := unitOf(first)
	for i, it := range d.periods[1:] {
		if unit == "" || unitOf(it.period) != unit || !d.periods[i].period.To.AddDate(0, 0, 1).Equal(it.period.From) {
			return false
		}
	}
	for _, it := range d.periods {
		it.used = true
	}
	d.q.From, d.q.To = day(first.From), d.ended(last)
	if len(d.q.By) == 0 {
		d.q.By = []string{unit}
	}
	return true
}

// untilNow reports whether "so far" only says that a period has not ended, or that figures are of now.
func (d *draft) untilNow(it *item) bool {
	return slices.ContainsFunc(d.items, func(x *item) bool {
		if x.kind == measure {
			m, ok := d.Catalogue.Measure(x.id)
			return ok && m.Now
		}
		return x.kind == period && !x.period.To.Before(d.Today)
	})
}

// eachOf shows the parts of a period that names several: "вчера и сегодня".
func (d *draft) eachOf(it *item) {
	joined := slices.ContainsFunc(d.ts[it.at:it.end], func(t token.Token) bool {
		return t.Norm == "и" ||
			t.Norm == "and"
	})
	if !joined || len(d.q.By) > 0 || d.goods || d.compares {
		return
	}
	if d.q.By = []string{"day"}; it.period.To.Sub(it.period.From).Hours() > 24*14 {
		d.q.By = []string{"month"}
	}
}

// toward reports whether "к" stands between the two periods: the first is compared with the second.
func (d *draft) toward() bool {
	for i := d.periods[0].end; i < d.periods[1].at; i++ {
		if w := d.ts[i].Norm; w == "к" || w == "ко" || w == "с" || w == "со" {
			return w == "к" || w == "ко"
		}
	}
	return false
}

// joinedPeriods reports whether nothing but "и" and prepositions stand between the two periods.
func (d *draft) joinedPeriods() bool {
	from, to := slices.Index(d.items, d.periods[0]), slices.Index(d.items, d.periods[1])
	return !slices.ContainsFunc(d.items[from+1:to], func(it *item) bool {
		return it.kind != joining && it.kind != function && it.kind != per
	})
}

// unitOf returns the dimension of time that a period is one interval of; empty for none.
func unitOf(p *quantity.Period) string {
	for _, u := range []struct {
		unit words.TimeUnit
		name string
	}{{words.Day, "day"}, {words.Week, "week"}, {words.Month, "month"},
		{words.Quarter, "quarter"}, {words.Year, "year"}} {
		if from, to := quantity.Whole(u.unit, quantity.Begin(u.unit, p.From)); from.Equal(p.From) && to.Equal(p.To) {
			return u.name
		}
	}
	return ""
}

// comparedWith reports whether a comparison word stands before the period.
func (d *draft) comparedWith(p *item) bool {
	return slices.ContainsFunc(d.items, func(it *item) bool {
		return it.at < p.at && (it.kind == with || it.kind == operator)
	})
}

// stockAt reads a past day of stock. Other figures of now have no period.
func (d *draft) stockAt(it *item) {
	p := it.period
	if e := d.neighbour(slices.Index(d.items, it), -1); is(e, unexplained) && endWords[d.ts[e.at].Norm] &&
		p.To.Before(d.Today) { // "at the end of september"
		e.used = true
		p.From = p.To
	}
	switch {
	case len(d.periods) > 1 || d.compares || !p.From.Equal(p.To):
		return
	case p.To.Equal(d.Today):
		it.used = true
	case p.To.Before(d.Today) && len(d.q.Measures) == 1 && atEnd[d.q.Measures[0]] != "" &&
		!slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
			return !d.allows(atEnd[d.q.Measures[0]],
				w.Field)
		}):
		it.used = true
		d.q.Measures = []string{atEnd[d.q.Measures[0]]}
		d.q.From, d.q.To = tool.DayOf(p.From), tool.DayOf(p.To)
	}
}

// endWords stand before the period whose last day is meant.
var endWords = words.Set("end close конец концу конце")

// atEnd are the measures of a past day by those of now.
var atEnd = map[string]string{"stock": "stock_at_end", "stock_cost": "stock_cost_at_end"}

// intervals gives a query by intervals of time that names no period the last year of months, or quarter of weeks, and
// one that asks how a figure changed its intervals (rule R274).
func (d *draft) intervals() {
	if d.trends && !slices.ContainsFunc(d.q.By, d.ofTime) {
		d.q.By = append([]string{d.step()}, d.q.By...)
	}
	if d.q.From != "" || len(d.q.By) == 0 || d.q.Compare != nil && d.q.Compare.From != "" || !d.overTime() {
		return
	}
	switch {
	case slices.Contains(d.q.By, "month"):
		d.since(words.Month, 11)
	case slices.Contains(d.q.By, "week"):
		d.since(words.Week, 11)
	case slices.Contains(d.q.By, "quarter"):
		d.since(words.Quarter, 3)
	case slices.Contains(d.q.By, "year"):
		d.since(words.Year, 1)
	}
}

func (d *draft) since(unit words.TimeUnit, n int) {
	d.q.From, d.q.To = day(quantity.Shift(unit, quantity.Begin(unit, d.Today), -n)), day(d.Today)
}

// overTime reports whether all measures are of a period.
func (d *draft) overTime() bool {
	return !slices.ContainsFunc(query.Shown(d.Catalogue, d.q), func(m *analysis.Measure) bool { return m.Now })
}

func (d *draft) ofTime(dimension string) bool {
	x, ok := d.Catalogue.Dimension(dimension)
	return ok && x.Step != ""
}

// step is the interval that shows how a figure changed over the query's period.
func (d *draft) step() string {
	if d.q.From == "" {
		return "day"
	}
	switch days := d.q.To.Time().Sub(d.q.From.Time()).Hours() / 24; {
	case days > 120:
		return "month"
	case days > 45:
		return "week"
	}
	return "day"
}

// aYearAgo reports whether the only period is what this year's is compared with: "выросла к прошлому ноябрю".
func (d *draft) aYearAgo(it *item) bool {
	unit, at := unitOf(it.period), it.at-1
	for at > 0 && lastWords[d.ts[at].Norm] {
		at--
	}
	return at >= 0 && (d.ts[at].Norm == "к" || d.ts[at].Norm == "ко") && (unit == "month" || unit == "quarter") &&
		it.period.From.Year() == d.Today.Year()-1 && !it.period.From.AddDate(1, 0, 0).After(d.Today)
}

func earlierOf(x, y time.Time) time.Time {
	if x.Before(y) {
		return x
	}
	return y
}
