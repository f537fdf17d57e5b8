package compose

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

func day(t time.Time) tool.Day { return tool.DayOf(t) }

// takePeriods sets the period and what it is compared with.
func (d *draft) takePeriods() {
	d.pricesOverTime()
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
	case slices.ContainsFunc(d.periods, func(p *typed.Item) bool { return p.Period.From.IsZero() }):
		return
	case now && d.stockThen():
		return
	case now:
		d.stockAt(d.periods[0])
		d.knownNow()
		return
	case d.inARow():
		return
	case d.ofYear():
	case len(d.periods) > 2 || len(d.periods) == 2 && !d.compares && !d.severalPeriods():
		return
	case len(d.periods) == 2 && !d.compares:
		return
	}
	if len(d.periods) == 2 && (d.governed(d.periods[0]) || d.compares && d.onlyAnd()) {
		d.periods[0], d.periods[1] = d.periods[1], d.periods[0]
	}
	first := d.periods[0]
	d.beforeShown(first)
	p := first.Period
	first.Used = true
	if len(d.periods) == 1 && d.Previous != nil && len(d.asked) == 0 && d.comparedWith(first) {
		d.q.Compare = &analysis.Comparison{From: day(p.From), To: d.ended(p)} // the period stays
		if d.ofYearBefore(p) {
			d.q.Compare = &analysis.Comparison{With: analysis.LastYear}
		}
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
		other.Used = true
		d.q.Compare = &analysis.Comparison{From: day(other.Period.From), To: d.asFar(p, other.Period)}
		if d.q.Compare.From == d.q.From && d.q.Compare.To == d.q.To { // nothing is compared with itself
			d.q.Compare, other.Used = nil, false
			return
		}
		sameDays := p.To.After(d.Today) && other.Period.From.Equal(p.From.AddDate(-1, 0, 0)) && unitOf(p) != "year"
		if sameDays || other.Period.Previous == words.Year && p.Previous != words.Year &&
			p.To.Sub(p.From) < 300*24*time.Hour {
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

// beforeShown takes "а за прошлую субботу" for the Saturday before the one that was shown (rule R850).
func (d *draft) beforeShown(it *typed.Item) {
	q, p := d.Previous, *it.Period
	if q == nil || len(d.asked) > 0 || len(d.periods) > 1 || q.From != day(p.From) || q.To != day(p.To) ||
		!p.LastDays {
		return
	}
	p.From, p.To = p.From.AddDate(0, 0, -7), p.To.AddDate(0, 0, -7)
	it.Period = &p
}

// ofYearBefore reports whether a period is the year before that of the shorter period of the answer before: October
// compared "с прошлым годом" is compared with October of that year (rule R851). So is what "grew over the year": the
// year up to now holds the shorter period itself.
func (d *draft) ofYearBefore(p *quantity.Period) bool {
	q := d.Previous
	if q.From == "" {
		return false
	}
	from, to := q.From.Time(), q.To.Time()
	const yearOrMore = 364 * 24 * time.Hour
	if p.To.Sub(p.From) >= yearOrMore && !p.From.After(from) && !p.To.Before(to) {
		return to.Sub(from) < 300*24*time.Hour
	}
	if unitOf(p) != "year" {
		return false
	}
	if !from.Before(p.From) && !from.After(p.To) && to.After(p.To) { // twelve months until now
		return true
	}
	return p.From.Year() == from.Year()-1 && to.Sub(from) < 300*24*time.Hour
}

// ofYear reads "в прошлом году в ноябре": a part of the year that stands beside it, and no second period.
func (d *draft) ofYear() bool {
	if len(d.periods) != 2 || d.compares {
		return false
	}
	for i := range d.periods {
		year, part := d.periods[i], d.periods[1-i]
		of := unitOf(part.Period)
		between := d.Tokens[min(year.End, part.End):max(year.At, part.At)]
		beside := !slices.ContainsFunc(between, func(t token.Token) bool { return t.Norm != "в" && t.Norm != "in" })
		if !beside || of == "year" || of == "" || of == "day" || of == "week" || !ofCalendarYear(year.Period) {
			continue
		}
		p := *part.Period
		shift := year.Period.From.Year() - p.From.Year()
		p.From, p.To = p.From.AddDate(shift, 0, 0), p.To.AddDate(shift, 0, 0)
		_, p.To = quantity.Whole(units[of], p.From)
		year.Used = true
		d.periods = []*typed.Item{part}
		part.Period = &p
		return true
	}
	return false
}

// ofCalendarYear reports whether a period is a year, or this one up to today.
func ofCalendarYear(p *quantity.Period) bool {
	return p.From.Month() == time.January && p.From.Day() == 1 && p.To.Year() == p.From.Year() &&
		(unitOf(p) == "year" || p.Previous == words.Year)
}

// governed reports whether a period is what others are compared with, although it comes first: "по сравнению с
// прошлым годом выручка за октябрь".
func (d *draft) governed(p *typed.Item) bool {
	i := slices.Index(d.Items, p) - 1
	if i < 0 || d.Items[i].Kind != typed.With {
		return false
	}
	it := d.Items[i]
	if len(d.periods) == 2 && slices.ContainsFunc(d.Items[i+1:], func(x *typed.Item) bool {
		return x.Kind == typed.With && x.At >= p.End && x.At < d.periods[1].At
	}) {
		return false // "во сколько раз октябрь больше сентября"
	}
	return it.End-it.At > 1 || governs[d.Tokens[it.At].Norm]
}

var governs = words.Set("относительно против against versus vs")

// compareAlone sets a comparison without a period: with the period before, or a year ago.
func (d *draft) compareAlone(now bool) {
	if !d.compares {
		return
	}
	if now { // figures of now have no other period, but rows
		for _, it := range d.Items {
			it.Used = it.Used && (it.Kind != typed.With && it.Kind != typed.OverYear && it.Kind != typed.OverMonth ||
				len(d.q.By) > 0)
		}
		return
	}
	if d.Previous != nil && d.Previous.Compare != nil && d.relative == "" && len(d.asked)+len(d.q.By) == 0 {
		return // "сравни их" after two periods
	}
	d.q.Compare = &analysis.Comparison{With: analysis.Previous}
	if d.relative != "" {
		d.q.Compare.With = d.relative
	}
	if d.overUnit != words.NoTime && d.Previous == nil {
		d.sameDays(d.overUnit)
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

// asFar returns the last day of an earlier period: as many days of "last week" as this one has had.
func (d *draft) asFar(p, other *quantity.Period) tool.Day {
	to := d.ended(other)
	unit := unitOf(other)
	if unit == "" || unit != unitOf(p) || other.Previous == words.NoTime || !p.To.After(d.Today) ||
		p.From.After(d.Today) {
		return to
	}
	return min(to, day(other.From.Add(d.Today.Sub(p.From))))
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
	if y.Period.From.Before(x.Period.From) {
		x, y = y, x
	}
	between := slices.Index(d.Items, d.periods[0]) + 1
	if between >= len(d.Items) || !d.joinedPeriods() || !x.Period.To.Before(y.Period.From) && !d.toward() {
		return false
	}
	x.Used, y.Used = true, true
	if d.toward() { // "октября к сентябрю"
		d.q.From, d.q.To = day(d.periods[0].Period.From), d.ended(d.periods[0].Period)
		d.q.Compare = &analysis.Comparison{From: day(d.periods[1].Period.From), To: d.ended(d.periods[1].Period)}
		if p := d.periods[0].Period; d.periods[1].Period.From.Equal(p.From.AddDate(-1, 0, 0)) && unitOf(p) != "year" {
			d.q.Compare = &analysis.Comparison{With: analysis.LastYear} // as many days
		}
		return true
	}
	ranges := x.Period.From.Before(x.Period.To) && y.Period.From.Before(y.Period.To) &&
		(unitOf(x.Period) == "" && unitOf(y.Period) == "" || d.numbered(x) && d.numbered(y)) // "за 1-10 и 11-20 ноября"
	if ranges || !x.Period.To.AddDate(0, 0, 1).Equal(y.Period.From) {
		d.q.From, d.q.To = day(y.Period.From), d.ended(y.Period)
		d.q.Compare = &analysis.Comparison{From: day(x.Period.From), To: day(x.Period.To)}
		return true
	}
	d.q.From, d.q.To = day(x.Period.From), d.ended(y.Period)
	if unit := unitOf(x.Period); unit != "" && unit == unitOf(y.Period) && len(d.q.By) == 0 {
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
	first, last := d.periods[0].Period, d.periods[n-1].Period
	unit := unitOf(first)
	for i, it := range d.periods[1:] {
		if unit == "" || unitOf(it.Period) != unit || !d.periods[i].Period.To.AddDate(0, 0, 1).Equal(it.Period.From) {
			return false
		}
	}
	for _, it := range d.periods {
		it.Used = true
	}
	d.q.From, d.q.To = day(first.From), d.ended(last)
	if len(d.q.By) == 0 {
		d.q.By = []string{unit}
	}
	return true
}

// untilNow reports whether "so far" only says that a period has not ended, or that figures are of now.
func (d *draft) untilNow(it *typed.Item) bool {
	left := func(x *typed.Item) bool { return x.Kind == typed.Measure && leftOver[x.ID] }
	if slices.ContainsFunc(d.Items, left) { // "ещё не приехали до сих пор"
		return true
	}
	return slices.ContainsFunc(d.Items, func(x *typed.Item) bool {
		if x.Kind == typed.Measure {
			m, ok := d.Catalogue.Measure(x.ID)
			return ok && m.Now
		}
		return x.Kind == typed.Period && !x.Period.To.Before(d.Today)
	})
}

// leftOver are measures of what has not been done yet, until now.
var leftOver = words.Set("not_received unshipped unpaid open_orders days_since days_since_sale")

// eachOf shows the parts of a period that names several: "вчера и сегодня".
func (d *draft) eachOf(it *typed.Item) {
	joined := slices.ContainsFunc(d.Tokens[it.At:it.End], func(t token.Token) bool {
		return t.Norm == "и" ||
			t.Norm == "and"
	})
	if !joined || len(d.q.By) > 0 || d.goods || d.compares {
		return
	}
	if d.q.By = []string{"day"}; it.Period.To.Sub(it.Period.From).Hours() > 24*14 {
		d.q.By = []string{"month"}
	}
}

// numbered reports whether a period is written with the numbers of its first and last day.
func (d *draft) numbered(it *typed.Item) bool {
	n := 0
	for _, t := range d.Tokens[it.At:it.End] {
		if t.Kind == token.Number {
			n++
		}
	}
	return n > 1
}

// toward reports whether "к" stands between the two periods: the first is compared with the second.
func (d *draft) toward() bool {
	for i := d.periods[0].End; i < d.periods[1].At; i++ {
		if w := d.Tokens[i].Norm; w == "к" || w == "ко" || w == "с" || w == "со" {
			return w == "к" || w == "ко"
		}
	}
	return false
}

// onlyAnd reports whether only "и" stands between the two periods, and the first is the earlier one: "сравни 2 и 3
// квартал" compares the third with the second.
func (d *draft) onlyAnd() bool {
	a, b := d.periods[0], d.periods[1]
	return b.At == a.End+1 && (d.Tokens[a.End].Norm == "и" || d.Tokens[a.End].Norm == "and" ||
		orWords[d.Tokens[a.End].Norm]) && a.Period.To.Before(b.Period.From)
}

// joinedPeriods reports whether nothing but "и" and prepositions stand between the two periods.
func (d *draft) joinedPeriods() bool {
	from, to := slices.Index(d.Items, d.periods[0]), slices.Index(d.Items, d.periods[1])
	return !slices.ContainsFunc(d.Items[from+1:to], func(it *typed.Item) bool {
		return it.Kind != typed.Joining && it.Kind != typed.Function && it.Kind != typed.Per
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
func (d *draft) comparedWith(p *typed.Item) bool {
	return slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.At < p.At && (it.Kind == typed.With || it.Kind == typed.Operator)
	})
}

// stockAt reads a past day of stock. Other figures of now have no period.
func (d *draft) stockAt(it *typed.Item) {
	p := it.Period
	if slices.Contains(d.q.Measures, "expected_on") && len(d.periods) == 1 && !d.compares {
		it.Used = true // what comes in these days
		d.where("expected_on", analysis.Between, string(day(p.From)), string(day(p.To)))
		return
	}
	if e := d.neighbour(slices.Index(d.Items, it), -1); is(e, typed.Unexplained) && endWords[d.Tokens[e.At].Norm] &&
		p.To.Before(d.Today) { // "at the end of september"
		e.Used = true
		p.From = p.To
	}
	switch {
	case len(d.periods) > 1 || d.compares || !p.From.Equal(p.To):
		return
	case p.To.Equal(d.Today):
		it.Used = true
	case p.To.Before(d.Today) && len(d.q.Measures) == 1 && atEnd[d.q.Measures[0]] != "" &&
		!slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
			return !d.allows(atEnd[d.q.Measures[0]],
				w.Field)
		}):
		it.Used = true
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
func (d *draft) aYearAgo(it *typed.Item) bool {
	unit, at := unitOf(it.Period), it.At-1
	for at > 0 && (typed.LastWords[d.Tokens[at].Norm] || d.Tokens[at].Norm == "last") {
		at--
	}
	for at > 0 && inTime[d.Tokens[at].Norm] { // "лучше, чем в прошлом ноябре"
		at--
	}
	return at >= 0 && toTime[d.Tokens[at].Norm] && (unit == "month" || unit == "quarter") &&
		it.Period.From.Year() == d.Today.Year()-1 && !it.Period.From.AddDate(1, 0, 0).After(d.Today)
}

// intervalOver are the intervals of "week over week" and its short forms.
var intervalOver = map[string]words.TimeUnit{"week": words.Week, "wow": words.Week, "w": words.Week,
	"quarter": words.Quarter, "qoq": words.Quarter, "q": words.Quarter}

var (
	inTime = words.Set("в за in for of the")
	toTime = words.Set("к ко чем с со против than vs versus against to with")
)

func earlierOf(x, y time.Time) time.Time {
	if x.Before(y) {
		return x
	}
	return y
}
