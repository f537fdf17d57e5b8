package quantity

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// written is a day as a task writes it. The month and the year may be missing.
type written struct {
	day   int
	month time.Month
	year  int
	end   int // the token after it
}

// writtenDay reads a day at token i: 15 октября 2026, October 15, 15.10.2026, 2026-10-15, 15.
func (c *calendar) writtenDay(i int, bare bool) (written, bool) {
	if i >= len(c.ts) || c.norm(i) == "" {
		return written{}, false
	}
	if m, ok := c.month(i); ok { // October 15
		d, n := c.count(i + 1)
		if n == 0 || d < 1 || d > 31 || c.ts[i+1].Kind != token.Number || c.ts[i].Cyrillic {
			return written{}, false
		}
		w := written{day: d, month: m, end: i + 1 + n}
		w.year, w.end = c.yearAt(w.end)
		return w, true
	}
	if w, ok := c.digits(i); ok {
		return w, true
	}
	d, n := c.spokenDay(i)
	if c.ts[i].Kind == token.Number {
		d, n = c.count(i)
	}
	if n == 0 || d < 1 || d > 31 {
		return written{}, false
	}
	j := i + n
	if c.norm(j) == "of" {
		j++
	}
	if m, ok := c.month(j); ok {
		w := written{day: d, month: m, end: j + 1}
		w.year, w.end = c.yearAt(w.end)
		return w, true
	}
	if dayOfMonth[c.norm(j)] {
		return written{day: d, end: j + 1}, true
	}
	return written{day: d, end: i + n}, bare
}

// digits reads 15.10.2026, 15.10.26, 15.10, 2026-10-15, 15/10/2026.
func (c *calendar) digits(i int) (written, bool) {
	if c.ts[i].Kind != token.Number {
		return written{}, false
	}
	parts := strings.Split(strings.ReplaceAll(c.norm(i), ",", "."), ".")
	end := i + 1
	if len(parts) == 1 {
		sep := c.norm(i + 1)
		if sep != "-" && sep != "/" || !c.glued(i+1) || !c.glued(i+2) || c.norm(i+3) != sep || !c.glued(i+3) ||
			!c.glued(i+4) {
			return written{}, false
		}
		parts, end = []string{c.norm(i), c.norm(i + 2), c.norm(i + 4)}, i+5
	}
	if len(parts) < 2 || len(parts) > 3 {
		return written{}, false
	}
	ns := make([]int, 3)
	for k, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 {
			return written{}, false
		}
		ns[k] = v
	}
	w := written{day: ns[0], month: time.Month(ns[1]), year: ns[2], end: end}
	if len(parts[0]) == 4 {
		w.day, w.year = ns[2], ns[0]
	}
	if len(parts) == 3 && w.year < 100 {
		w.year += 2000
	}
	if len(parts) == 2 && (len(parts[1]) != 2 || strings.Contains(c.norm(i), ",")) { // 1,5 and 2.5 are numbers
		return written{}, false
	}
	if w.month < 1 || w.month > 12 || w.day < 1 || w.day > 31 || w.year != 0 && (w.year < 1990 || w.year > 2100) {
		return written{}, false
	}
	return w, true
}

func (c *calendar) glued(i int) bool { return i < len(c.ts) && c.ts[i].Glued }

// on returns the day in the year written, or else the latest such day that is not after the limit. A day past the end
// of the month is its last.
func (w written) on(limit time.Time) time.Time {
	m, y := w.month, w.year
	if m == 0 {
		m = limit.Month()
		if w.day > limit.Day() && w.year == 0 {
			m--
		}
	}
	if y == 0 {
		y = limit.Year()
	}
	inYear := func(y int) time.Time {
		last := dayOf(y, m+1, 0)
		return last.AddDate(0, 0, min(w.day, last.Day())-last.Day())
	}
	d := inYear(y)
	if w.year == 0 && d.After(limit) {
		d = inYear(y - 1)
	}
	for w.year == 0 && w.day == 29 && m == time.February && d.Day() != 29 { // only leap years have it
		d = inYear(d.Year() - 1)
	}
	return d
}

// between reads "с 1 по 15 октября", "1-15 октября", "from 1 to 15 October", "October 1-15", "between Oct 1 and Nov 3".
func (c *calendar) between(i int) (Period, bool) {
	j := i
	opened := fromWords[c.norm(j)] || c.norm(j) == "between" || c.norm(j) == "между"
	if opened {
		j++
		if c.norm(j) == "с" || c.norm(j) == "со" {
			j++
		}
	}
	if p, ok := c.betweenMonths(j, opened); ok {
		return p, true
	}
	a, ok := c.writtenDay(j, true)
	if !ok {
		return Period{}, false
	}
	sep := c.norm(a.end)
	switch {
	case sep == "-" || sep == "по" || sep == "to" || sep == "through" || sep == "till" || sep == "until" || sep == "до":
	case (sep == "and" || sep == "и") && opened:
	default:
		return Period{}, false
	}
	b, ok := c.writtenDay(a.end+1, true)
	if !ok {
		if opened && (c.norm(a.end+1) == "сегодня" || c.norm(a.end+1) == "today" || c.norm(a.end+1) == "now") &&
			a.month != 0 {
			return Period{From: a.on(c.today), To: c.today, End: a.end + 2}, true
		}
		return Period{}, false
	}
	if a.month == 0 && b.month == 0 {
		b.month, b.year = c.monthOfNext(b.end)
	}
	if a.month == 0 && b.month == 0 && !(opened && dayOfMonth[c.norm(b.end-1)]) && !c.bareDays(j, a, b) {
		return Period{}, false
	}
	if a.month == 0 {
		a.month = b.month
		if a.year == 0 {
			a.year = b.year
		}
		if b.month == 0 {
			f := written{day: a.day}.on(c.today)
			t := f
			if b.day < a.day { // "с 28 по 3"
				t = written{day: b.day}.on(c.today)
				f = written{day: a.day}.on(t)
			}
			a.month, b.month, a.year, b.year = f.Month(), t.Month(), f.Year(), t.Year()
		}
	} else if b.month == 0 { // October 1-15
		b.month = a.month
		if b.year == 0 && b.end < len(c.ts) {
			if y, end := c.yearAt(b.end); y != 0 {
				b.year, b.end = y, end
			}
		}
	}
	if a.year == 0 && b.year != 0 {
		a.year = b.year
		if a.month > b.month {
			a.year--
		}
	}
	from := a.on(c.today)
	to := b
	if b.year == 0 {
		to.year = from.Year()
		if b.month < from.Month() {
			to.year++
		}
	}
	until := to.on(c.today)
	if until.Before(from) {
		from, until = until, from
	}
	return Period{From: from, To: until, End: b.end}, true
}

// monthOfNext returns the month of a range that stands behind one without a month: "за 1-10 и 11-20 ноября".
func (c *calendar) monthOfNext(i int) (time.Month, int) {
	if w := c.norm(i); w != "и" && w != "," && w != "vs" && w != "против" && w != "к" && w != "and" {
		return 0, 0
	}
	if i++; c.norm(i) == "с" {
		i++
	}
	a, ok := c.writtenDay(i, true)
	if !ok || a.month != 0 || c.norm(a.end) != "-" && c.norm(a.end) != "по" && c.norm(a.end) != "to" {
		return 0, 0
	}
	b, ok := c.writtenDay(a.end+1, true)
	if !ok {
		return 0, 0
	}
	return b.month, b.year
}

// bareDays reports whether two numbers from token j are days of a month that nothing names: "выручка с 9 по 15"
// (rule R750). Beside another day they are hours, and before a unit they are quantities.
func (c *calendar) bareDays(j int, a, b written) bool {
	if j == 0 || c.norm(j-1) != "с" && c.norm(j-1) != "со" || c.norm(a.end) != "по" || a.day == b.day ||
		c.counted(a.end) || c.counted(b.end) || strings.HasPrefix(c.norm(b.end), "час") {
		return false
	}
	return !c.namesDay()
}

// namesDay reports whether the task names a single day: "вчера", "в пятницу".
func (c *calendar) namesDay() bool {
	return slices.ContainsFunc(c.ts, func(t token.Token) bool {
		_, named := daysBack(t.Norm)
		return named || IsWeekday(t.Norm)
	})
}

// betweenMonths reads "с января по март", "from January 2025 to March 2026".
func (c *calendar) betweenMonths(j int, opened bool) (Period, bool) {
	if _, ok := c.month(j); !ok || !opened {
		return Period{}, false
	}
	if _, ok := c.writtenDay(j, false); ok {
		return Period{}, false
	}
	y, end := c.yearAt(j + 1)
	sep := c.norm(end)
	if y == 0 || sep != "по" && sep != "to" && sep != "and" && sep != "до" && sep != "through" && sep != "till" &&
		sep != "until" && sep != "-" {
		p, ok := c.named(j) // without a year after the first month
		if !ok || p.End <= j+2 {
			return Period{}, false
		}
		return p, true
	}
	p, ok := c.named(end + 1)
	if !ok {
		return Period{}, false
	}
	m, _ := c.month(j)
	from := dayOf(y, m, 1)
	if y2, _ := c.yearAt(end + 2); y2 == 0 {
		m2, _ := c.month(end + 1)
		p.To = dayOf(y, m2+1, 0)
	}
	if p.To.Before(from) {
		return Period{}, false
	}
	return Period{From: from, To: p.To, End: p.End}, true
}

// lastYears begins the adjective that says "last year's".
const lastYears = "прошлогодн"

// withSeason are the seasons in that case.
var withSeason = words.Set("летом осенью весной весною зимой зимою")

// instrumental reports whether a word of the calendar is in the case that follows "сравни с".
func instrumental(w string) bool {
	return strings.HasSuffix(w, "ым") && (previousWords[w] || beforeLast[w] || w == "позапрошлым") ||
		strings.HasSuffix(w, "им") && (previousWords[w] || strings.HasPrefix(w, lastYears)) ||
		words.MonthOf(w) != 0 && (strings.HasSuffix(w, "ем") || strings.HasSuffix(w, "ом")) || withSeason[w] ||
		words.TimeUnitOf(w) != noLength &&
			(strings.HasSuffix(w, "ом") || strings.HasSuffix(w, "ем") || w == "неделей" || w == "днем")
}

// since reads a period without an end: "с 1 сентября", "since September", "с понедельника", "since 2025".
func (c *calendar) since(i int) (Period, bool) {
	w := c.norm(i)
	if !fromWords[w] || w == "от" || w == "after" || w == "после" {
		return Period{}, false
	}
	j := i + 1
	if c.norm(j) == "с" || c.norm(j) == "the" || c.norm(j) == "прошлого" && c.length(j+1) == noLength {
		j++
	}
	if (w == "с" || w == "со") && (instrumental(c.norm(j)) || instrumental(c.norm(j+1)) && previousWords[c.norm(j)]) {
		return Period{}, false // "по сравнению с прошлым годом" is no beginning
	}
	if p, ok := c.ofSpan(j); ok && w == "from" {
		return p, true
	}
	for _, read := range []func(int) (Period, bool){c.date, c.toDate, c.relative, c.named,
		c.season} {
		if p, ok := read(j); ok {
			if !p.From.After(c.today) {
				p.To = c.today
			}
			p.Previous = noLength
			// "с сегодня" means nothing else than today.
			return c.ended(p), true
		}
	}
	return Period{}, false
}

// ofSpan reads the span behind "from" where it is no beginning: "orders from last week" are those of that week, and
// "sales from October" those of October, but "from October on" and "from Monday" begin a period.
func (c *calendar) ofSpan(j int) (Period, bool) {
	if _, day := c.date(j); day || IsWeekday(c.norm(j)) || IsWeekday(c.norm(j+1)) {
		return Period{}, false
	}
	for _, read := range []func(int) (Period, bool){c.relative, c.named, c.season} {
		p, ok := read(j)
		if !ok {
			continue
		}
		if onwards[c.norm(p.End)] || p.End < len(c.ts) && c.ts[p.End].Kind == token.Mark && c.ts[p.End].Norm == "-" {
			return Period{}, false
		}
		return p, true
	}
	return Period{}, false
}

var onwards = words.Set("on onward onwards forward forwards to until till through up now")

// day is the day that is written; in plans the next one.
func (c *calendar) day(w written) time.Time {
	d := w.on(c.today)
	if !c.ahead || w.year != 0 || !d.Before(c.today) {
		return d
	}
	if w.month == 0 {
		return Shift(month, d, 1)
	}
	w.year = d.Year() + 1
	return w.on(c.today)
}

// date reads a single day.
func (c *calendar) date(i int) (Period, bool) {
	w, ok := c.writtenDay(i, false)
	if !ok {
		return Period{}, false
	}
	d := c.day(w)
	return Period{From: d, To: d, End: w.end}, true
}
