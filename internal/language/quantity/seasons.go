package quantity

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Coming reads the periods of a task as Periods does, but for plans: a month or a weekday is the next one, "на неделю"
// are the days from today on, and "до нового года" ends on its last day (rule R318).
func Coming(ts []token.Token, today time.Time) []Period {
	return (&calendar{ts: ts, today: today, ahead: true}).periods()
}

// Impossible returns the tokens [at, end) of a date that no calendar has, such as "31 февраля" (rule R317).
func Impossible(ts []token.Token) (at, end int, ok bool) {
	c := &calendar{ts: ts}
	for i := range ts {
		if w, read := c.writtenDay(i, false); read && w.month != 0 && w.day > longest(w.month, w.year) {
			return i, w.end, true
		}
	}
	return 0, 0, false
}

// Nearest returns the days on both sides of the impossible date at a token: the last of its month and the first of the
// next one.
func Nearest(ts []token.Token, at int, today time.Time) []time.Time {
	c := &calendar{ts: ts, today: today}
	w, ok := c.writtenDay(at, false)
	if !ok {
		return nil
	}
	d := w.on(today)
	return []time.Time{d, d.AddDate(0, 0, 1)}
}

// longest returns the number of days of a month; of any February, if no year is given.
func longest(m time.Month, year int) int {
	if year == 0 {
		year = 2000
	}
	return dayOf(year, m+1, 0).Day()
}

// seasons are the first months of the seasons, by the words that mean them.
var seasons = words.Table(map[time.Month]string{
	time.December:  "зимой зимою зима зиму зимы winter",
	time.March:     "весной весною весна весну весны",
	time.June:      "летом лето лета summer",
	time.September: "осенью осень осени autumn",
})

// IsSeason reports whether a period is one whole season.
func IsSeason(p *Period) bool {
	return p.From.Day() == 1 && int(p.From.Month())%3 == 0 && p.To.Equal(p.From.AddDate(0, 3, -1))
}

// SeasonOf returns the first and the last day of the season that a day is in.
func SeasonOf(day time.Time) (from, to time.Time) {
	from = dayOf(day.Year(), day.Month()-time.Month(int(day.Month())%3), 1)
	return from, from.AddDate(0, 3, -1)
}

// NamedSince returns the month or season that a period up to now begins with, as it was written: "с августа", "since
// summer"; false if it begins on a day or with anything else.
func NamedSince(ts []token.Token, p *Period, today time.Time) (Period, bool) {
	if !p.To.Equal(today) || !fromWords[ts[p.At].Norm] {
		return Period{}, false
	}
	written := slices.Clone(ts[p.At:p.End])
	for i := range written {
		written[i].Use = token.Unused
	}
	c := &calendar{ts: written, today: today}
	for i := range written {
		for _, read := range []func(int) (Period, bool){c.named, c.season} {
			if q, ok := read(i); ok && q.End == len(written) && q.From.Equal(p.From) && q.To.Before(today) {
				q.At, q.End = p.At, p.End
				return q, true
			}
		}
	}
	return Period{}, false
}

// season reads "летом", "прошлой зимой", "лето 2025", "last summer": the latest one that has begun, or with "last" the
// latest that has ended. "Весной 2026" is of that year; a winter is named by the year in which it ends.
func (c *calendar) season(i int) (Period, bool) {
	j := i
	prev, this := previousWords[c.norm(i)], thisWords[c.norm(i)]
	if prev || this {
		j++
	}
	w := c.norm(j)
	first, ok := seasons[w]
	if w == "spring" && (prev || this || beforeSpring[c.norm(i-1)]) {
		first, ok = time.March, true
	}
	if !ok {
		return Period{}, false
	}
	y, end := c.yearAt(j + 1)
	of := func(y int) Period {
		if first == time.December {
			y--
		}
		from := dayOf(y, first, 1)
		return Period{From: from, To: from.AddDate(0, 3, -1), End: end}
	}
	if y != 0 {
		return of(y), true
	}
	end = j + 1
	for y = c.today.Year() + 1; ; y-- {
		p := of(y)
		switch {
		case c.ahead && (p.To.Before(c.today) || p.From.After(c.today.AddDate(1, 0, 0))):
		case c.ahead, prev && p.To.Before(c.today), !prev && !p.From.After(c.today):
			return p, true
		}
	}
}

// beforeSpring are words before the English season, which is no spring of metal.
var beforeSpring = words.Set("in this since during")

// holiday is a time of the year with a name.
type holiday struct {
	phrase string // stems of its words
	days   func(year int) (from, to time.Time)
}

func fixed(m1 time.Month, d1 int, m2 time.Month, d2 int) func(int) (time.Time, time.Time) {
	return func(y int) (time.Time, time.Time) { return dayOf(y, m1, d1), dayOf(y, m2, d2) }
}

// blackFriday is the day after the fourth Thursday of November; later counts days from it.
func blackFriday(later int) func(int) (time.Time, time.Time) {
	return func(y int) (time.Time, time.Time) {
		first := dayOf(y, time.November, 1)
		d := first.AddDate(0, 0, (int(time.Thursday)-int(first.Weekday())+7)%7+22+later)
		return d, d
	}
}

var holidays = []holiday{
	{"чер пятниц", blackFriday(0)}, {"черн пятниц", blackFriday(0)}, {"black friday", blackFriday(0)},
	{"киберпонедельник", blackFriday(3)}, {"cyber monday", blackFriday(3)},
	{"майск праздник", fixed(5, 1, 5, 9)}, {"майск", fixed(5, 1, 5, 9)}, {"may holiday", fixed(5, 1, 5, 9)},
	{"новогодн праздник", fixed(1, 1, 1, 8)}, {"новогодн каникул", fixed(1, 1, 1, 8)},
	{"new year holiday", fixed(1, 1, 1, 8)},
	{"нов год", fixed(12, 31, 12, 31)}, {"new year", fixed(12, 31, 12, 31)}, {"new year eve", fixed(12, 31, 12, 31)},
	{"день святого валентина", fixed(2, 14, 2, 14)}, {"valentin day", fixed(2, 14, 2, 14)},
	{"женск день", fixed(3, 8, 3, 8)}, {"women day", fixed(3, 8, 3, 8)},
	{"день защитника отечества", fixed(2, 23, 2, 23)}, {"день побед", fixed(5, 9, 5, 9)},
	{"christma", fixed(12, 25, 12, 25)}, {"рождеств", fixed(1, 7, 1, 7)}, {"православн рождеств", fixed(1, 7, 1, 7)},
	{"день знаний", fixed(9, 1, 9, 1)}, {"halloween", fixed(10, 31, 10, 31)}, {"хэллоуин", fixed(10, 31, 10, 31)},
}

// holiday reads a holiday: the latest one that has begun, or in plans the next.
func (c *calendar) holiday(i int) (Period, bool) {
	best, found := Period{}, false
	for _, h := range holidays {
		j, ok := i, true
		for rest := h.phrase; rest != ""; {
			var s string
			s, rest, _ = strings.Cut(rest, " ")
			w := c.norm(j)
			if w == "'s" || w == "s" && c.glued(j) {
				j++
				w = c.norm(j)
			}
			if ok = w != "" && (c.ts[j].Stem == s || w == s || strings.HasPrefix(w, s) && len(s) > 6); !ok {
				break
			}
			j++
		}
		if !ok || found && j <= best.End {
			continue
		}
		if h.phrase == "new year" && !c.ahead && c.norm(i-1) != "on" && c.norm(i-1) != "for" {
			continue
		}
		y, end := c.yearAt(j)
		p := Period{End: end}
		if y != 0 {
			p.From, p.To = h.days(y)
		} else {
			for y = c.today.Year() + 1; ; y-- {
				p.From, p.To = h.days(y)
				if c.ahead && dayBefore(h, y).Before(c.today) || !c.ahead && !p.From.After(c.today) {
					break
				}
			}
		}
		best, found = p, true
	}
	return best, found
}

// dayBefore is the last day of the same holiday a year earlier.
func dayBefore(h holiday, y int) time.Time { _, to := h.days(y - 1); return to }

// parts of a month, by the words for them: the days up to the 10th, up to the 20th, and the rest.
var partsOfMonth = words.Table(map[int]string{1: "начало начале early beginning start",
	2: "середина середине середину mid middle",
	3: "конец конце late end"})

// partOfMonth reads "в начале ноября", "в середине прошлого месяца", "mid-November": about ten days. After "на" it is a
// moment, which is read elsewhere.
func (c *calendar) partOfMonth(i int) (Period, bool) {
	part := partsOfMonth[c.norm(i)]
	before := c.norm(i - 1)
	if part == 0 || before == "на" || before == "к" || fromWords[before] || toWords[before] ||
		before == "the" && fromWords[c.norm(i-2)] {
		return Period{}, false
	}
	if w := c.norm(i); (w == "end" || w == "middle") && (before == "as" || before == "at" ||
		before == "the" && (c.norm(i-2) == "at" || c.norm(i-2) == "until" || c.norm(i-2) == "by")) {
		return Period{}, false
	}
	j := i + 1
	for c.norm(j) == "of" || c.norm(j) == "the" || c.norm(j) == "-" {
		j++
	}
	p, ok := c.named(j)
	if !ok {
		if p, ok = c.relative(j); !ok && c.length(j) == month {
			from, to := Whole(month, Begin(month, c.today))
			p, ok = Period{From: from, To: to, End: j + 1}, true
		}
	}
	if !ok || p.From.Day() != 1 || !p.To.Equal(p.From.AddDate(0, 1, -1)) {
		return Period{}, false
	}
	switch part {
	case 1:
		p.To = p.From.AddDate(0, 0, 9)
	case 2:
		p.From, p.To = p.From.AddDate(0, 0, 10), p.From.AddDate(0, 0, 19)
	case 3:
		p.From = p.From.AddDate(0, 0, 20)
	}
	p.Previous = noLength
	return p, true
}

// weekNumber reads "47 неделя", "неделя 47", "week 47 of 2025", "W47": the week of ISO 8601.
func (c *calendar) weekNumber(i int) (Period, bool) {
	n, end := 0, 0
	switch w := c.norm(i); {
	case c.length(i) == week && c.ts[i].Kind == token.Word && !strings.HasSuffix(w, "s"):
		if v, k := c.count(i + 1); k == 1 && i+1 < len(c.ts) && c.ts[i+1].Kind == token.Number &&
			c.length(i+2) == noLength {
			n, end = v, i+2
		}
	case len(w) == 3 && w[0] == 'w' || len(w) == 2 && w[0] == 'w':
		if v, err := strconv.Atoi(w[1:]); err == nil {
			n, end = v, i+1
		}
	default:
		v, k := c.count(i)
		if k > 0 && c.ts[i].Kind == token.Number && c.length(i+k) == week && ordinalWeek[c.norm(i+k)] &&
			!rollingWords[c.norm(i-1)] && v > 4 {
			n, end = v, i+k+1
		}
	}
	if n < 1 || n > 53 {
		return Period{}, false
	}
	y, after := c.yearAt(end)
	if y != 0 {
		end = after
	}
	of := func(y int) time.Time { // the Monday of the week: 4 January is in the first one
		return Begin(week, dayOf(y, time.January, 4)).AddDate(0, 0, 7*(n-1))
	}
	if y == 0 {
		if y = c.today.Year(); of(y).After(c.today) && !c.ahead {
			y--
		}
	}
	from := of(y)
	return Period{From: from, To: from.AddDate(0, 0, 6), End: end}, true
}

// ordinalWeek are the forms of "week" behind its number: "47 неделя", but not "за 47 недель".
var ordinalWeek = words.Set("неделя неделю неделе недели")

// until reads "до нового года", "до конца месяца", "until Friday". In plans it begins today; else, on a past day, the
// beginning is open.
func (c *calendar) until(i int) (Period, bool) {
	w := c.norm(i)
	if w != "до" && w != "к" && w != "until" && w != "till" && w != "by" && w != "before" && w != "through" {
		return Period{}, false
	}
	if !c.ahead && (w == "к" || w == "by") {
		return Period{}, false
	}
	j := i + 1
	for c.norm(j) == "the" {
		j++
	}
	whole := false
	if e := c.norm(j); e == "конца" || e == "концу" || e == "end" {
		whole = true
		for j++; c.norm(j) == "of" || c.norm(j) == "the"; j++ {
		}
	}
	p, ok := Period{}, false
	for _, read := range []func(int) (Period, bool){c.date, c.relative, c.named, c.holiday, c.season} {
		if q, fits := read(j); fits && (!ok || q.End > p.End) {
			p, ok = q, true
		}
	}
	if l := c.length(j); !ok && whole && l != noLength && l != day {
		from, to := Whole(l, Begin(l, c.today))
		p, ok = Period{From: from, To: to, End: j + 1}, true
	}
	if !ok {
		return Period{}, false
	}
	to := p.To
	if !whole && !p.From.Equal(p.To) { // "до декабря" ends before it
		to = p.From.AddDate(0, 0, -1)
	}
	if to.Before(c.today) {
		return Period{To: to, End: p.End}, !c.ahead && !fromWords[c.norm(i-1)]
	}
	return Period{From: c.today, To: to, End: p.End}, c.ahead || whole
}

// next reads "на неделю", "на ближайшие 30 дней", "for the next two weeks" in plans.
func (c *calendar) next(i int) (Period, bool) {
	w := c.norm(i)
	if !c.ahead || w != "на" && w != "for" && w != "over" && w != "in" && w != "в" && w != "за" && !nextWords[w] {
		return Period{}, false
	}
	j := i
	if !nextWords[w] {
		j++
	}
	for c.norm(j) == "the" {
		j++
	}
	marked := w == "на" || w == "за" || w == "for"
	if nextWords[c.norm(j)] {
		if _, counted := c.count(j + 1); counted == 0 && c.length(j+1) != noLength {
			return Period{}, false // "на следующий месяц" is the calendar one
		}
		j, marked = j+1, true
	}
	_, l, k, n := c.days(j, marked)
	if n == 0 || !marked {
		return Period{}, false
	}
	end := j + n
	if w := c.norm(end); w == "вперед" || w == "ahead" {
		end++
	}
	return Period{From: c.today, To: Shift(l, c.today, k).AddDate(0, 0, -1), End: end}, true
}

// withoutToday reads the words behind a period that leave today out: "за последние 7 дней без сегодня" are the seven
// days up to yesterday.
func (c *calendar) withoutToday(p Period) Period {
	if !p.To.Equal(c.today) || p.From.Equal(p.To) {
		return p
	}
	j := p.End
	if c.norm(j) == "," || c.norm(j) == "(" {
		j++
	}
	switch w := c.norm(j); {
	case w == "не" && strings.HasPrefix(c.norm(j+1), "счита"), w == "не" && strings.HasPrefix(c.norm(j+1), "включ"),
		w == "not" && (c.norm(j+1) == "counting" || c.norm(j+1) == "including"):
		j += 2
	case w == "без", w == "кроме", w == "исключая", w == "without", w == "except", w == "excluding":
		j++
	default:
		return p
	}
	if t, ok := c.relative(j); ok && t.From.Equal(c.today) && t.To.Equal(c.today) {
		p.End = t.End
		p.To = p.To.AddDate(0, 0, -1)
		if p.Rolling > 0 {
			p.From = p.From.AddDate(0, 0, -1)
		}
	}
	return p
}
