package quantity

import (
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// dayStems are the ordinals of the days of a month, without their endings.
var dayStems = map[string]int{"перв": 1, "втор": 2, "трет": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7,
	"восьм": 8,
	"девят": 9, "десят": 10, "одиннадцат": 11, "двенадцат": 12, "тринадцат": 13, "четырнадцат": 14, "пятнадцат": 15,
	"шестнадцат": 16, "семнадцат": 17, "восемнадцат": 18, "девятнадцат": 19, "двадцат": 20, "тридцат": 30}

// spokenDay reads the ordinal of a day in words: "первое", "пятнадцатого", "двадцать пятому". It returns the number of
// its tokens; 0 if there is none.
func (c *calendar) spokenDay(i int) (d, n int) {
	w := c.norm(i)
	for _, ending := range []string{"ьего", "ьему", "ье", "ого", "ому", "ое"} {
		if s, ok := strings.CutSuffix(w, ending); ok && dayStems[s] > 0 {
			return dayStems[s], 1
		}
	}
	if tens := map[string]int{"двадцать": 20, "тридцать": 30}[w]; tens > 0 {
		if ones, n := c.spokenDay(i + 1); n == 1 && ones < 10 {
			return tens + ones, 2
		}
	}
	return 0, 0
}

// dayOfMonth are the words behind the number of a day without a month.
var dayOfMonth = words.Set("числа число числу числом")

// qualifiers stand between "last" and a unit of time and say nothing beside it: every year here is a calendar year.
var qualifiers = words.Set("отчетный отчетную отчетном отчетного календарный календарную календарном календарного " +
	"полный полную полном полного целый целую целом финансовый финансовом финансового рабочую рабочей fiscal calendar " +
	"full whole complete financial reporting business")

// lists reads the first of two quarters or half-years whose unit is named once: "третий и второй квартал", "2 и 3
// квартал", "Q2" needs none.
func (c *calendar) lists(i int) (Period, bool) {
	number := func(i int) (v, n int) {
		if v := ordinals[c.norm(i)]; v > 0 {
			return v, 1
		}
		if v, n := c.count(i); n > 0 && i < len(c.ts) && c.ts[i].Kind == token.Number && v <= 4 {
			return v, n
		}
		return 0, 0
	}
	v, n := number(i)
	if n == 0 || v < 1 || v > 4 {
		return Period{}, false
	}
	if l := c.unitBehind(i); l != noLength && c.length(i+n) == noLength { // "за первое полугодие и второе"
		p, ok := c.part(l, v, i+n)
		p.End = i + n
		return p, ok
	}
	if !listWords[c.norm(i+n)] {
		return Period{}, false
	}
	_, m := number(i + n + 1)
	j := i + n + 1 + m
	l := c.length(j)
	if m > 0 && (c.norm(j) == "half" || strings.HasPrefix(c.norm(j), "половин")) {
		// "первую и вторую половину октября"
		p, ok := c.halfOfMonth(j-1, v)
		p.End = i + n
		return p, ok
	}
	if m == 0 || l != quarter && l != half {
		return Period{}, false
	}
	p, ok := c.part(l, v, j+1) // with the year of both
	p.End = i + n
	return p, ok
}

// unitBehind returns the quarter or half-year that a list before token i ends with: "полугодие и".
func (c *calendar) unitBehind(i int) length {
	if i < 2 || c.norm(i-1) != "и" && c.norm(i-1) != "and" {
		return noLength
	}
	if l := words.TimeUnitOf(c.ts[i-2].Norm); l == quarter || l == half {
		return l
	}
	return noLength
}

var listWords = words.Set("и and с со к против vs versus , или or & + /")

// ofYear reads the first months of a year as accountants say them: "за 9 месяцев 2026 года", "first 6 months of 2026",
// "за первые три месяца этого года".
func (c *calendar) ofYear(i int) (Period, bool) {
	j := i
	w := c.norm(j)
	if w != "за" && w != "for" && w != "первые" && w != "первых" && w != "first" {
		return Period{}, false
	}
	for j++; c.norm(j) == "the" || c.norm(j) == "первые" || c.norm(j) == "первых" || c.norm(j) == "first"; j++ {
	}
	k, n := c.count(j)
	if n == 0 || k < 1 || k > 12 || c.length(j+n) != month {
		return Period{}, false
	}
	y, end := c.yearAt(j + n + 1)
	if y == 0 {
		return Period{}, false
	}
	return Period{From: dayOf(y, 1, 1), To: dayOf(y, time.Month(k)+1, 0), End: end}, true
}

// partOfNamed reads a week, a decade or some days of a month: "первая неделя ноября", "вторая декада октября", "первые
// 10 дней ноября", "last week of October".
func (c *calendar) partOfNamed(i int) (Period, bool) {
	n, last := ordinals[c.norm(i)], rollingWords[c.norm(i)] && !strings.HasPrefix(c.norm(i), "прош")
	many := c.norm(i) == "первые" || c.norm(i) == "первых" || c.norm(i) == "first"
	if n == 0 && !last && !many {
		return Period{}, false
	}
	j, size := i+1, 0
	switch w := c.norm(j); {
	case c.length(j) == week && n < 5:
		size, j = 7, j+1
	case strings.HasPrefix(w, "декад") && n < 4:
		size, j = 10, j+1
	default:
		k, m := c.count(j)
		unit := c.length(j + m)
		if m == 0 || k > 31 || !many && !last || unit != day && (unit != week || k > 4) {
			return Period{}, false
		}
		if size = k; unit == week { // "первые две недели ноября"
			size *= 7
		}
		j, n = j+m+1, 1
	}
	for c.norm(j) == "of" || c.norm(j) == "in" || c.norm(j) == "в" {
		j++
	}
	p, ok := c.named(j)
	if _, named := c.month(j); !named { // "первая неделя прошлого месяца"
		p, ok = c.relative(j)
		p.Previous = noLength
	}
	if !ok || p.From.Day() != 1 || !p.To.Equal(p.From.AddDate(0, 1, -1)) {
		return Period{}, false
	}
	switch {
	case last:
		p.From = p.To.AddDate(0, 0, 1-size)
	default:
		p.From = p.From.AddDate(0, 0, size*(n-1))
		if to := p.From.AddDate(0, 0, size-1); to.Before(p.To) && !(size == 10 && n == 3) {
			p.To = to
		}
	}
	return p, true
}

// weekends reads "прошлые выходные", "last weekend": those before the ones that are now.
func (c *calendar) weekends(i int) (Period, bool) {
	w, next := c.norm(i), c.norm(i+1)
	if !weekendWords[next] {
		return Period{}, false
	}
	sat := c.saturday()
	switch {
	case theseWords[w] || thisWords[w]:
	case previousWords[w] || rollingWords[w] || lastOnes[w]:
		if !sat.AddDate(0, 0, 1).Before(c.today) {
			sat = sat.AddDate(0, 0, -7)
		}
	default:
		return Period{}, false
	}
	return Period{From: sat, To: sat.AddDate(0, 0, 1), End: i + 2}, true
}

// weekdaysBetween reads "с понедельника по пятницу", "from Monday to Friday": the latest such days.
func (c *calendar) weekdaysBetween(i int) (Period, bool) {
	if !fromWords[c.norm(i)] || c.ahead {
		return Period{}, false
	}
	a, ok := weekdays[c.norm(i+1)]
	if sep := c.norm(i + 2); !ok || sep != "по" && sep != "до" && sep != "to" && sep != "through" && sep != "till" {
		return Period{}, false
	}
	b, ok := weekdays[c.norm(i+3)]
	if !ok {
		return Period{}, false
	}
	to := c.weekday(b)
	return Period{From: to.AddDate(0, 0, -(int(b)-int(a)+7)%7), To: to, End: i + 4}, true
}

// elided reads "эту неделю с прошлой", "этот месяц к прошлому", "прошлый месяц и позапрошлый": the unit is named
// before.
func (c *calendar) elided(i int) (Period, bool) {
	w, before := c.norm(i), c.norm(i-1)
	joined := (before == "за" || before == "в") && c.norm(i-2) == "и" || // "за эту неделю и за прошлую"
		(before == "и" || before == "and") && i > 1 && words.TimeUnitOf(c.ts[i-2].Norm) != words.NoTime
	back, ok := 0, thisWords[w]
	if previousWords[w] {
		back, ok = -1, true
	} else if beforeLast[w] {
		back, ok = -2, true
	}
	if !ok || !joined && !elidedAfter[before] ||
		i+1 < len(c.ts) && c.ts[i+1].Kind != token.Mark && c.norm(i+1) != "по" && c.norm(i+1) != "и" &&
			c.norm(i+1) != "by" {
		return Period{}, false
	}
	for k := i - 1; k >= 0; k-- {
		l := words.NoTime
		if k < len(c.ts) && c.ts[k].Kind == token.Word {
			l = words.TimeUnitOf(c.ts[k].Norm)
		}
		if l == noLength {
			continue
		}
		from, to := Whole(l, Shift(l, Begin(l, c.today), back))
		p := Period{From: from, To: to, End: i + 1}
		if back == -1 {
			p.Previous = l
		}
		return p, true
	}
	return Period{}, false
}

// elidedAfter are words behind which "last" may stand without its unit.
var elidedAfter = words.Set("с со к ко против в vs the")

// lastWeek reads "на прошлой", "на этой" at the end of a clause: the week is left unsaid.
func (c *calendar) lastWeek(i int) (Period, bool) {
	w := c.norm(i)
	if c.norm(i-1) != "на" || w != "прошлой" && w != "этой" && w != "позапрошлой" ||
		i+1 < len(c.ts) && c.ts[i+1].Kind != token.Mark && c.norm(i+1) != "по" && c.norm(i+1) != "и" {
		return Period{}, false
	}
	k := map[string]int{"прошлой": -1, "позапрошлой": -2}[w]
	from, to := Whole(week, Shift(week, Begin(week, c.today), k))
	p := Period{From: from, To: to, End: i + 1}
	if k == -1 {
		p.Previous = week
	}
	return p, true
}

// oldest is the first day of all times: no document of an account is older.
var oldest = dayOf(2007, time.January, 1)

// allTime reads "за всё время", "за всю историю", "of all time" (rule R856).
func (c *calendar) allTime(i int) (Period, bool) {
	if c.norm(i) == "ever" && beforeEver[c.norm(i-1)] { // "biggest sale we ever made"
		return Period{From: oldest, To: c.today, End: i + 1}, !c.ahead
	}
	j := i
	for c.norm(j) == "за" || c.norm(j) == "of" || c.norm(j) == "for" || c.norm(j) == "over" {
		j++
	}
	every := c.norm(j) == "все" || c.norm(j) == "всю" || c.norm(j) == "all"
	what := c.norm(j + 1)
	if !every || j == i || what != "время" && what != "историю" && what != "time" {
		return Period{}, false
	}
	end := j + 2
	if c.norm(end) == "работы" || c.norm(end) == "торговли" {
		end++
	}
	return Period{From: oldest, To: c.today, End: end}, !c.ahead
}

// beforeEver are words before "ever" that make it a time.
var beforeEver = words.Set("we i you they day week month year")

// afterDay reads "после 15 ноября" as the days behind that one.
func (c *calendar) afterDay(i int) (Period, bool) {
	if c.norm(i) != "после" && c.norm(i) != "after" || c.ahead {
		return Period{}, false
	}
	p, ok := c.date(i + 1)
	if !ok || !p.To.Before(c.today) {
		return Period{}, false
	}
	return Period{From: p.To.AddDate(0, 0, 1), To: c.today, End: p.End}, true
}

// sinceMorning reads "с утра" as today.
func (c *calendar) sinceMorning(i int) (Period, bool) {
	until := i+2 < len(c.ts) && (c.ts[i+2].Norm == "до" || c.ts[i+2].Norm == "и")
	if until || c.norm(i) != "с" || c.norm(i+1) != "утра" {
		return Period{}, false
	}
	return Period{From: c.today, To: c.today, End: i + 2}, true
}
