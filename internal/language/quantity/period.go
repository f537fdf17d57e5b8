package quantity

import (
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Period is a range of days, both ends inclusive. Weeks start on Monday. "Прошлый месяц" and "last month" mean the
// previous calendar month; "за месяц" and "past month" mean the days up to today. A month or day without a year is the
// latest one that is not in the future.
type Period struct {
	From, To time.Time      // midnights in UTC; a zero From means "up to"
	At, End  int            // tokens [at, end)
	Previous words.TimeUnit // for "прошлый X": X, so that "сравни с прошлым X" can mean this X
	Rolling  int            // the number of days if the period is the last n days; otherwise 0
	LastDays bool           // a weekday or weekend that the words call the last one: "прошлая суббота"
	moment   bool           // a single day after "на" or "as of"
}

type length = words.TimeUnit

const (
	noLength = words.NoTime
	day      = words.Day
	week     = words.Week
	month    = words.Month
	quarter  = words.Quarter
	half     = words.HalfYear
	year     = words.Year
)

// calendar reads periods relative to a day.
type calendar struct {
	ts    []token.Token
	today time.Time
	ahead bool // periods lie ahead
}

func dayOf(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// Day returns the day of t in its own time zone, as midnight in UTC.
func Day(t time.Time) time.Time { return dayOf(t.Date()) }

// Begin returns the first day of the week, month, quarter, half-year or year that contains t.
func Begin(l length, t time.Time) time.Time {
	y, m, d := t.Date()
	switch l {
	case week:
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case month:
		return dayOf(y, m, 1)
	case quarter:
		return dayOf(y, m-(m-1)%3, 1)
	case half:
		return dayOf(y, m-(m-1)%6, 1)
	case year:
		return dayOf(y, 1, 1)
	default:
		return dayOf(y, m, d)
	}
}

// Shift moves t by n lengths. A day past the end of the target month becomes its last day: a month before 31 March is
// 28 February.
func Shift(l length, t time.Time, n int) time.Time {
	switch l {
	case week:
		return t.AddDate(0, 0, 7*n)
	case month, quarter, half, year:
		k := map[length]int{month: 1, quarter: 3, half: 6, year: 12}[l] * n
		first := dayOf(t.Year(), t.Month()+time.Month(k), 1)
		last := first.AddDate(0, 1, -1).Day()
		return first.AddDate(0, 0, min(t.Day(), last)-1)
	default:
		return t.AddDate(0, 0, n)
	}
}

// Whole returns the first and last day of the length that starts at from.
func Whole(l length, from time.Time) (time.Time, time.Time) {
	return from, Shift(l, from, 1).AddDate(0, 0, -1)
}

func (c *calendar) norm(i int) string {
	if i < 0 || i >= len(c.ts) || c.ts[i].Use != token.Unused || c.ts[i].Kind == token.Quoted {
		return ""
	}
	return c.ts[i].Norm
}

func (c *calendar) length(i int) length {
	if i < 0 || i >= len(c.ts) {
		return noLength
	}
	return words.TimeUnitOf(c.norm(i))
}

// Periods reads the periods of a task and marks their tokens, relative to today. It leaves all other numbers.
func Periods(ts []token.Token, today time.Time) []Period {
	return (&calendar{ts: ts, today: today}).periods()
}

// periods reads and marks every period of the task, in order.
func (c *calendar) periods() []Period {
	var out []Period
	for i := 0; i < len(c.ts); i++ {
		if c.norm(i) == "" {
			continue
		}
		p, ok := c.period(i)
		if !ok {
			continue
		}
		p.At = i
		if len(out) > 0 {
			p = c.apart(&out[len(out)-1], p)
		}
		p.LastDays = c.nameDays(p) && c.saysLast(p)
		if i > 0 && (c.norm(i-1) == "на" || c.norm(i-1) == "of" && c.norm(i-2) == "as" || c.norm(i-1) == "at") &&
			p.From.Equal(p.To) {
			p.moment = true
		}
		for j := i; j < p.End; j++ {
			if c.ts[j].Use == token.Unused {
				c.ts[j].Use = token.AsPeriod
			}
		}
		out = append(out, p)
		i = p.End - 1
	}
	return out
}

// period reads the longest period that begins at token i.
func (c *calendar) period(i int) (Period, bool) {
	best, found := Period{}, false
	for _, read := range []func(int) (Period, bool){c.between, c.since, c.relative, c.rollingBack, c.toDate, c.named,
		c.date, c.season, c.holiday, c.partOfMonth, c.weekNumber, c.until, c.upTo, c.next, c.both,
		c.lists, c.ofYear, c.partOfNamed, c.weekends, c.weekdaysBetween, c.lastWeek, c.elided, c.elidedDays,
		c.elidedMonth, c.dayOfBoth, c.ofLength, c.allTime, c.afterDay, c.sinceMorning} {
		if p, ok := read(i); ok && (!found || p.End > best.End) {
			best, found = p, true
		}
	}
	if found {
		best = c.withoutToday(best)
	}
	return best, found
}

// both reads neighbouring days as one period: "вчера и сегодня", "пятница и суббота".
func (c *calendar) both(i int) (Period, bool) {
	a, ok := c.relative(i)
	if !ok {
		return Period{}, false
	}
	next := a.End
	if joinsDays[c.norm(next)] {
		next++
	} else if !a.From.Equal(a.To) { // "сегодня завтра", but no "вчера прошлая неделя"
		return Period{}, false
	}
	b, ok := c.relative(next)
	if !ok || c.compares() || next == a.End && !b.From.Equal(b.To) {
		return Period{}, false
	}
	if b.To.Before(a.From) {
		a.From, a.To, b.From, b.To = b.From, b.To, a.From, a.To
	}
	return Period{From: a.From, To: b.To, End: b.End}, a.To.AddDate(0, 0, 1).Equal(b.From)
}

var joinsDays = words.Set("и and + - или or / ,")

// compares reports whether the task compares: then two periods stay two.
func (c *calendar) compares() bool {
	for i := range c.ts {
		switch w := c.norm(i); {
		case strings.HasPrefix(w, "сравн"), strings.HasPrefix(w, "разниц"), strings.HasPrefix(w, "отлич"), w == "vs",
			w == "versus", w == "против", strings.HasPrefix(w, "compar"), w == "difference":
			return true
		}
	}
	return false
}

// halfOfMonth reads "первая половина ноября", "the second half of October": the days up to the 15th, and the rest.
func (c *calendar) halfOfMonth(i, n int) (Period, bool) {
	if w := c.norm(i + 1); n > 2 || w != "half" && !strings.HasPrefix(w, "половин") {
		return Period{}, false
	}
	j := i + 2
	if c.norm(j) == "of" {
		j++
	}
	if _, ok := c.month(j); !ok {
		return Period{}, false
	}
	p, ok := c.named(j)
	if ok && n == 1 {
		p.To = p.From.AddDate(0, 0, 14)
	} else if ok {
		p.From = p.From.AddDate(0, 0, 15)
	}
	return p, ok
}

// relative reads today, yesterday, weekdays, weekends, and this, last or next week, month or year.
func (c *calendar) relative(i int) (Period, bool) {
	one := func(days, n int) (Period, bool) {
		d := c.today.AddDate(0, 0, days)
		return Period{From: d, To: d, End: i + n}, true
	}
	w := c.norm(i)
	if back, ok := daysBack(w); ok {
		n := 1
		if c.length(i+1) == day {
			n = 2
		}
		return one(-back, n)
	}
	switch w {
	case "выходные", "выходных", "выходным", "выходными", "уикенд", "weekend":
		sat := c.saturday()
		if previousWords[c.norm(i-1)] && sat.AddDate(0, 0, 1).After(c.today) {
			sat = sat.AddDate(0, 0, -7)
		}
		return Period{From: sat, To: sat.AddDate(0, 0, 1), End: i + 1}, true
	case "завтра", "tomorrow":
		return one(1, 1)
	case "day":
		if c.norm(i+1) == "before" && c.norm(i+2) == "yesterday" {
			return one(-2, 3)
		}
		if c.norm(i+1) == "before" && c.afterYesterday(i) {
			return one(-2, 2)
		}
	}
	this, prev, older, next := thisWords[w], previousWords[w], beforeLast[w], nextWords[w]
	if thatWords[w] && c.length(i+1) > day { // "на той неделе": the one before
		prev, next = !c.ahead, c.ahead
	}
	if this || prev || older || next {
		n := 2
		if qualifiers[c.norm(i+1)] {
			n = 3
		}
		l := c.length(i + n - 1)
		if l == noLength {
			return c.relativeWeekday(i)
		}
		k := 0
		switch {
		case prev:
			k = -1
		case older:
			k = -2
		case next:
			k = 1
		}
		from, to := Whole(l, Shift(l, Begin(l, c.today), k))
		p := Period{From: from, To: to, End: i + n}
		if prev {
			p.Previous = l
		}
		return p, true
	}
	if wd, ok := weekdays[w]; ok {
		before := c.norm(i - 1)
		if len([]rune(w)) <= 3 && !c.besideWeekday(i) && !beforeWeekday[before] {
			return Period{}, false
		}
		d := c.weekday(wd)
		return Period{From: d, To: d, End: i + 1}, true
	}
	return Period{}, false
}

// beforeWeekday are prepositions behind which an abbreviation is a weekday.
var beforeWeekday = words.Set("в во за с on since")

// daysBack reads a word for one of the last three days, and its adjective in any form: "вчерашняя касса".
func daysBack(w string) (days int, ok bool) {
	for days, day := range []struct {
		words     map[string]bool
		adjective string
	}{{todayWords, "сегодняшн"}, {yesterdayWords, "вчерашн"}, {beforeYesterday, "позавчерашн"}} {
		if day.words[w] || strings.HasPrefix(w, day.adjective) {
			return days, true
		}
	}
	return 0, false
}

var (
	todayWords      = words.Set("сегодня today tonight")
	yesterdayWords  = words.Set("вчера вчерась yesterday yday yest")
	beforeYesterday = words.Set("позавчера")
)

func (c *calendar) weekday(w time.Weekday) time.Time {
	if c.ahead {
		return c.today.AddDate(0, 0, (int(w)-int(c.today.Weekday())+6)%7+1)
	}
	return c.today.AddDate(0, 0, -(int(c.today.Weekday())-int(w)+7)%7)
}

// rollingBack reads "последние 30 дней", "за неделю", "past two weeks", "30 дней назад".
func (c *calendar) rollingBack(i int) (Period, bool) {
	j, marked := i, false
	switch w := c.norm(i); {
	case rollingWords[w]:
		j, marked = i+1, true
		if c.norm(j) == "the" {
			j++
		}
		_, _, _, n := c.days(j, false)
		if n == 0 && (w == "last" || w == "previous") { // "last week" is the previous one
			return Period{}, false
		}
	case w == "за" || w == "течение" || w == "during":
		j = i + 1
		marked = true
		if rollingWords[c.norm(j)] || thisWords[c.norm(j)] || w == "during" && c.norm(j) == "the" {
			return Period{}, false // the next word begins the period
		}
	case w == "for" || w == "over" || w == "in":
		j = i + 1
		if _, n := c.count(j); n == 0 && c.norm(j) != "a" && c.norm(j) != "half" || w == "in" {
			return Period{}, false
		}
		marked = true
	}
	if c.ahead {
		return Period{}, false
	}
	if c.norm(j) == "весь" || c.norm(j) == "всю" || c.norm(j) == "целый" || c.norm(j) == "целую" {
		j++
	}
	_, l, k, n := c.days(j, marked)
	next := c.norm(j + 1)
	if n == 0 && (c.length(j) == week || c.length(j) == month) && (next == "назад" || next == "ago") {
		l, k, n = c.length(j), 1, 1
	}
	if n == 0 {
		return Period{}, false
	}
	if w := c.norm(j + n - 1); n > 1 && (w == "квартал" || w == "полугодие" || w == "кв") && k > 1 {
		return Period{}, false // "за 3 квартал" is the third
	}
	if ordinalWeek[c.norm(j+n-1)] && k > 4 && k%10 != 1 {
		return Period{}, false // "за 46-ю неделю" is one week
	}
	end := j + n
	back := c.norm(end)
	if back == "назад" || back == "ago" {
		d := Shift(l, c.today, -k)
		return Period{From: d, To: d, End: end + 1}, true
	}
	if rollingWords[c.norm(j+1)] && !marked { // "30 последних дней"
		marked = true
	}
	if !marked {
		return Period{}, false
	}
	from := Shift(l, c.today, -k).AddDate(0, 0, 1)
	return Period{From: from, To: c.today, End: end, Rolling: int(c.today.Sub(from).Hours()/24) + 1}, true
}

// toDate reads "с начала года", "year to date", "YTD".
func (c *calendar) toDate(i int) (Period, bool) {
	upTo := func(l length, n int) (Period, bool) {
		return Period{From: Begin(l, c.today), To: c.today, End: i + n}, true
	}
	switch w := c.norm(i); w {
	case "ytd":
		return upTo(year, 1)
	case "mtd":
		return upTo(month, 1)
	case "qtd":
		return upTo(quarter, 1)
	case "wtd":
		return upTo(week, 1)
	case "начала", "beginning", "start", "начало":
		j := i + 1
		for c.norm(j) == "of" || c.norm(j) == "the" || thisWords[c.norm(j)] {
			j++
		}
		if l := c.length(j); l != noLength && l != day &&
			(fromWords[c.norm(i-1)] || w != "начало" && (previousWords[c.norm(i+1)] || c.norm(i-1) == "the" &&
				c.norm(i-2) != "at" && c.norm(i-2) != "in")) {
			return upTo(l, j+1-i)
		}
		for _, read := range []func(int) (Period, bool){c.named, c.season} { // "с начала осени"
			if p, ok := read(j); ok && fromWords[c.norm(i-1)] {
				return Period{From: p.From, To: c.today, End: p.End}, true
			}
		}
	default:
		if l := c.length(i); l != noLength && c.norm(i+1) == "to" && c.norm(i+2) == "date" {
			return upTo(l, 3)
		}
	}
	return Period{}, false
}

// yearAt reads a year at token i, perhaps after "of" or "прошлого".
func (c *calendar) yearAt(i int) (y, end int) {
	j := i
	for c.norm(j) == "of" || c.norm(j) == "," || c.norm(j) == "in" {
		j++
	}
	switch {
	case previousWords[c.norm(j)] && c.length(j+1) == year:
		return c.today.Year() - 1, j + 2
	case beforeLast[c.norm(j)] && c.length(j+1) == year:
		return c.today.Year() - 2, j + 2
	case thisWords[c.norm(j)] && c.length(j+1) == year:
		return c.today.Year(), j + 2
	}
	if j >= len(c.ts) || c.ts[j].Kind != token.Number {
		return 0, i
	}
	v, err := strconv.Atoi(c.norm(j))
	if err != nil {
		return 0, i
	}
	if len(c.norm(j)) == 2 && c.length(j+1) == year {
		v += 2000
	}
	if v < 1990 || v > 2100 || len(c.norm(j)) > 4 {
		return 0, i
	}
	if c.length(j+1) == year {
		j++
	}
	return v, j + 1
}

// named reads months, quarters, half-years and years by name, and ranges of months.
func (c *calendar) named(i int) (Period, bool) {
	w := c.norm(i)
	if m, ok := c.month(i + 1); ok && strings.HasPrefix(w, lastYears) { // "прошлогодний октябрь"
		y := c.today.Year() - 1
		return Period{From: dayOf(y, m, 1), To: dayOf(y, m+1, 0), End: i + 2}, true
	}
	if strings.HasPrefix(w, lastYears) && c.length(i+1) == noLength { // "прошлогодние продажи"
		y := c.today.Year() - 1
		return Period{From: dayOf(y, 1, 1), To: dayOf(y, 12, 31), End: i + 1, Previous: year}, true
	}
	if m, ok := c.month(i); ok {
		j := i + 1
		to, last := m, c.norm(j)
		if last == "-" || last == "по" || last == "и" || last == "to" || last == "and" || last == "through" ||
			last == "до" {
			joined := last == "и" || last == "and" && !fromWords[c.norm(i-1)] && c.norm(i-1) != "between"
			if m2, ok := c.month(j + 1); ok && (!joined || m2 == m%12+1 && !c.compares()) {
				to, j = m2, j+2
			}
		}
		if y2, end := c.yearAt(j); y2 != 0 {
			from := dayOf(y2, m, 1)
			if to < m {
				from = dayOf(y2-1, m, 1)
			}
			return Period{From: from, To: dayOf(y2, to+1, 0), End: end}, true
		}
		y := c.today.Year()
		switch begins := dayOf(y, m, 1); {
		case c.ahead && begins.AddDate(0, 1, -1).Before(c.today):
			y++
		case !c.ahead && begins.After(c.today), previousWords[c.norm(i-1)] && m == c.today.Month():
			y--
		}
		y2 := y
		if to < m {
			y2++
		}
		return Period{From: dayOf(y, m, 1), To: dayOf(y2, to+1, 0), End: j}, true
	}
	if len(w) == 2 && (w[0] == 'q' || w[0] == 'h') && w[1] >= '1' && w[1] <= '4' {
		l := map[byte]length{'q': quarter, 'h': half}[w[0]]
		if l == half && w[1] > '2' {
			return Period{}, false
		}
		return c.part(l, int(w[1]-'0'), i+1)
	}
	if n, ok := ordinals[w]; ok {
		if l := c.length(i + 1); l == quarter || l == half {
			return c.part(l, n, i+2)
		}
		if p, ok := c.halfOfMonth(i, n); ok {
			return p, true
		}
		if c.norm(i+1) == "half" && n <= 2 {
			return c.part(half, n, i+2)
		}
	}
	if v, n := c.count(i); n > 0 && c.ts[i].Kind == token.Number && v >= 1 && v <= 4 {
		if l := c.length(i + n); l == quarter || l == half {
			next := c.norm(i + n)
			if next == "квартала" && v > 1 && n == 1 && rollingWords[c.norm(i-1)] {
				return Period{}, false // последние 3 квартала
			}
			return c.part(l, v, i+n+1)
		}
	}
	if y, end := c.yearAt(i); y != 0 && c.ts[i].Kind == token.Number {
		before := c.norm(i - 1)
		if end == i+2 || before == "за" || before == "в" || before == "in" || before == "for" || before == "during" ||
			before == "since" || before == "с" || before == "from" || before == "of" {
			return Period{From: dayOf(y, 1, 1), To: dayOf(y, 12, 31), End: end}, true
		}
	}
	return Period{}, false
}

// part reads the year after the n-th quarter or half-year, whose words end before token j.
func (c *calendar) part(l length, n, j int) (Period, bool) {
	size := time.Month(map[length]int{quarter: 3, half: 6}[l])
	if l == half && n > 2 {
		return Period{}, false
	}
	y, end := c.yearAt(j)
	if c.norm(j) == "of" && c.norm(j+1) == "the" && c.length(j+2) == year {
		end = j + 3 // "the first half of the year"
	}
	if y == 0 {
		y = c.today.Year()
		switch begins := dayOf(y, time.Month(n-1)*size+1, 1); {
		case c.ahead && begins.AddDate(0, int(size), -1).Before(c.today):
			y++
		case !c.ahead && begins.After(c.today):
			y--
		}
	}
	from := dayOf(y, time.Month(n-1)*size+1, 1)
	f, t := Whole(l, from)
	return Period{From: f, To: t, End: end}, true
}

// month reads the name of a month. "may" and "march" are months only where a month can stand.
func (c *calendar) month(i int) (time.Month, bool) {
	w := c.norm(i)
	m := MonthOf(w)
	ok := m != 0
	if !ok {
		return 0, false
	}
	if w == "may" || w == "march" || w == "mar" {
		before := c.norm(i - 1)
		y, _ := c.yearAt(i + 1)
		ok = fillers[before] && before != "a" || fromWords[before] || toWords[before] || previousWords[before] ||
			before == "-" || y != 0 || i > 0 && c.ts[i-1].Kind == token.Number || i+1 < len(c.ts) &&
			c.ts[i+1].Kind == token.Number
	}
	return m, ok
}
