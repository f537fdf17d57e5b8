package quantity

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// elidedDays reads "эту субботу с прошлой", "за эти выходные и за прошлые": the weekday or weekend is named before, and
// is left out the second time (rule R850).
func (c *calendar) elidedDays(i int) (Period, bool) {
	w := c.norm(i)
	ends := i+1 >= len(c.ts) || c.ts[i+1].Kind == token.Mark || endsElided[c.norm(i+1)]
	if !ends || !previousWords[w] && !lastOnes[w] && !beforeLast[w] {
		return Period{}, false
	}
	k, ok := c.periodBefore(i)
	if !ok {
		return Period{}, false
	}
	name := c.ts[k].Norm
	day, ok := weekdays[name]
	switch {
	case ok && !lastOnes[w]:
		d := c.weekday(day).AddDate(0, 0, -7)
		if beforeLast[w] && (!previousWords[c.before(k)] || d.AddDate(0, 0, 7).Equal(c.today)) {
			d = d.AddDate(0, 0, -7)
		}
		return Period{From: d, To: d, End: i + 1}, true
	case weekendWords[name] && lastOnes[w]:
		sat := c.saturday().AddDate(0, 0, -7)
		return Period{From: sat, To: sat.AddDate(0, 0, 1), End: i + 1}, true
	}
	return Period{}, false
}

// elidedMonth reads the second of two ranges of days, of which only the first names its month: "1-10 ноября против
// 11-20" (rule R850).
func (c *calendar) elidedMonth(i int) (Period, bool) {
	k, ok := c.periodBefore(i)
	if !ok || c.counted(i) {
		return Period{}, false
	}
	m := c.monthAt(k)
	if fromWords[c.norm(i)] {
		i++
	}
	a, ok := c.writtenDay(i, true)
	if m == 0 || !ok || a.month != 0 || c.norm(a.end) != "-" && c.norm(a.end) != "по" && c.norm(a.end) != "to" {
		return Period{}, false
	}
	b, ok := c.writtenDay(a.end+1, true)
	if !ok || b.month != 0 || b.day <= a.day || c.counted(b.end) {
		return Period{}, false
	}
	a.month, b.month = m, m
	from := a.on(c.today)
	b.year = from.Year()
	return Period{From: from, To: b.on(c.today), End: b.end}, true
}

// monthAt returns the month that token k, the last one of a period, names in words; otherwise 0.
func (c *calendar) monthAt(k int) time.Month { return MonthOf(c.ts[k].Norm) }

// dayOfBoth reads the first of two days of one month: "за 3 и 4 ноября", "on 3 and 4 November" (rule R850).
func (c *calendar) dayOfBoth(i int) (Period, bool) {
	w, and := c.norm(i-1), c.norm(i+1)
	if w != "за" && w != "в" && w != "on" && w != "for" || and != "и" && and != "and" {
		return Period{}, false
	}
	a, ok := c.writtenDay(i, true)
	if !ok || a.month != 0 || a.end != i+1 {
		return Period{}, false
	}
	b, ok := c.writtenDay(i+2, true)
	if !ok || b.month == 0 || c.norm(b.end) == "-" {
		return Period{}, false
	}
	a.month, a.year = b.month, b.year
	d := a.on(c.today)
	return Period{From: d, To: d, End: i + 1}, true
}

// periodBefore returns the last token of the period in front of token i, if only words of comparing stand between.
func (c *calendar) periodBefore(i int) (int, bool) {
	k := i - 1
	for k >= 0 && c.ts[k].Use == token.Unused && betweenElided[c.ts[k].Norm] {
		k--
	}
	return k, k >= 0 && k < i-1 && c.ts[k].Use == token.AsPeriod
}

// besideWeekday reports whether the abbreviation of a weekday stands beside another weekday: "чт против ср". Alone it
// may be something else: "20 вт".
func (c *calendar) besideWeekday(i int) bool {
	weekday := func(k int) bool { return k >= 0 && k < len(c.ts) && IsWeekday(c.ts[k].Norm) }
	return betweenElided[c.norm(i+1)] && weekday(i+2) || betweenElided[c.norm(i-1)] && weekday(i-2)
}

// apart tells a period from the one before it where the words for both say the same days: of "эта суббота к прошлой
// субботе" the previous one is a week earlier. What stands beside the last n days and is called "the previous one"
// without a noun has as many days, right before them: "за квартал к прошлому" (rule R850).
func (c *calendar) apart(first *Period, p Period) Period {
	bare := p.End == p.At+1 && previousWords[c.ts[p.At].Norm]
	switch {
	case bare && first.Rolling > 0 && p.Previous != noLength:
		p.From, p.To = first.From.AddDate(0, 0, -first.Rolling), first.From.AddDate(0, 0, -1)
		p.Previous = noLength
	case !first.From.Equal(p.From) || !first.To.Equal(p.To) || !c.nameDays(*first) || !c.nameDays(p):
	case c.saysLast(p) && !c.saysLast(*first):
		p.From, p.To = p.From.AddDate(0, 0, -7), p.To.AddDate(0, 0, -7)
	case c.saysLast(*first) && !c.saysLast(p):
		first.From, first.To = first.From.AddDate(0, 0, -7), first.To.AddDate(0, 0, -7)
	}
	return p
}

// nameDays reports whether a period is said by the name of its weekday, or as a weekend.
func (c *calendar) nameDays(p Period) bool {
	return slices.ContainsFunc(c.ts[p.At:p.End], func(t token.Token) bool {
		return IsWeekday(t.Norm) || weekendWords[t.Norm]
	})
}

func (c *calendar) saysLast(p Period) bool {
	return slices.ContainsFunc(c.ts[p.At:p.End], func(t token.Token) bool {
		return previousWords[t.Norm] || lastOnes[t.Norm]
	}) || p.At > 0 && (previousWords[c.ts[p.At-1].Norm] || lastOnes[c.ts[p.At-1].Norm])
}

// saturday returns the Saturday of the latest weekend that has begun.
func (c *calendar) saturday() time.Time {
	return c.today.AddDate(0, 0, -(int(c.today.Weekday())+1)%7)
}

var (
	weekendWords = words.Set("выходные выходных выходным выходными уикенд weekend")
	theseWords   = words.Set("эти этих этим этими")
	lastOnes     = words.Set("прошлые прошлых прошлым прошлыми предыдущие предыдущих предыдущим предыдущими")
	// betweenElided are words between a period and one that leaves out its noun.
	betweenElided = words.Set("и с со к ко против в во vs versus and the за чем than on to хуже лучше больше меньше " +
		"слабее сильнее better worse more less")
	endsElided = words.Set("по и by and")
)
