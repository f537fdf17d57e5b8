package values

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Interval is what a text says of an interval of time. A part that it does not say is zero: "October" has no year.
type Interval struct {
	step analysis.Step
	// the number is of the step: a month of the year, a quarter, a week
	year, month, day, number int
}

// steps are the words for a step itself, which a text may repeat.
var steps = map[analysis.Step]words.TimeUnit{analysis.Day: words.Day, analysis.Week: words.Week,
	analysis.Month: words.Month, analysis.Quarter: words.Quarter, analysis.Year: words.Year}

// ReadInterval reads a value of a dimension of time that divides a period: "2026-10", "October 2026", "октябрь", "Q4",
// "15.10.2026". It reports whether the text is one.
func ReadInterval(step analysis.Step, s string) (Interval, bool) {
	i := Interval{step: step}
	var numbers []int
	yearFirst := false
	for _, part := range split(words.Fold(s)) {
		n, err := strconv.Atoi(part)
		switch {
		case err == nil && len(part) == 4 && i.year == 0:
			i.year, yearFirst = n, len(numbers) == 0 && i.month == 0
		case err == nil && len(part) <= 2 && n > 0:
			numbers = append(numbers, n)
		case err != nil && i.month == 0 && words.MonthOf(part) != 0:
			i.month = int(words.MonthOf(part))
		case err != nil && (words.TimeUnitOf(part) == steps[step] ||
			words.TimeUnitOf(part) == words.Year && i.year != 0 ||
			step == analysis.Quarter && part == "q" || step == analysis.Week && part == "w" || ordinal(part)):
		case step == analysis.Quarter && slices.Contains(roman, part):
			numbers = append(numbers, 1+slices.Index(roman, part))
		default:
			return i, false
		}
	}
	return i, i.place(numbers, yearFirst) && i.exists()
}

var roman = []string{"i", "ii", "iii", "iv"}

// ordinal reports whether a word is the ending of a number, as in "3-й".
func ordinal(s string) bool {
	return slices.Contains([]string{"й", "я", "е", "го", "st", "nd", "rd", "th"}, s)
}

// split cuts a text into runs of digits and of letters.
func split(s string) (parts []string) {
	kind := func(r rune) int {
		switch {
		case r >= '0' && r <= '9':
			return 1
		case r >= 'a' && r <= 'z' || r >= 'а' && r <= 'я':
			return 2
		}
		return 0
	}
	before := 0
	for _, r := range s {
		k := kind(r)
		if k != 0 && k != before {
			parts = append(parts, "")
		}
		if k != 0 {
			parts[len(parts)-1] += string(r)
		} else if !strings.ContainsRune(" -./,", r) {
			return []string{string(r)}
		}
		before = k
	}
	return parts
}

// place decides what the numbers are beside a year of four digits.
func (i *Interval) place(numbers []int, yearFirst bool) bool {
	named := i.month != 0
	switch n := len(numbers); {
	case i.step == analysis.Year:
		return n == 0 && !named && i.year != 0
	case i.step == analysis.Month && named:
		return n == 0
	case i.step == analysis.Month:
		if n == 1 {
			i.month = numbers[0]
		}
		return n == 1
	case n == 1 && !named && (i.step == analysis.Week || i.step == analysis.Quarter):
		i.number = numbers[0]
		return true
	case i.step == analysis.Quarter:
		return false
	case n == 1 && named:
		i.day = numbers[0]
	case n == 2 && !named && yearFirst:
		i.month, i.day = numbers[0], numbers[1]
	case n == 2 && !named:
		i.day, i.month = numbers[0], numbers[1]
	case n == 3 && !named && i.year == 0:
		i.day, i.month, i.year = numbers[0], numbers[1], 2000+numbers[2]
	default:
		return false
	}
	return true
}

// exists reports whether there can be such an interval.
func (i Interval) exists() bool {
	year := i.year
	if year == 0 {
		year = 2024 // has a 29 February
	}
	return i.month <= 12 && i.number <= map[analysis.Step]int{analysis.Week: 53, analysis.Quarter: 4}[i.step] &&
		(i.day == 0 || time.Date(year, time.Month(i.month), i.day, 0, 0, 0, 0, time.UTC).Day() == i.day)
}

// is reports whether it is the interval that begins, or within the period is first seen, on a day.
func (i Interval) is(p tool.Period) bool {
	t := p.From.Time()
	switch {
	case i.day != 0:
		for d := p.From; d <= p.To; d = d.Add(1) {
			x := d.Time()
			if x.Day() == i.day && int(x.Month()) == i.month && (i.year == 0 || x.Year() == i.year) {
				return true
			}
		}
		return false
	case i.step == analysis.Week:
		year, week := t.ISOWeek()
		return week == i.number && (i.year == 0 || year == i.year)
	case i.year != 0 && t.Year() != i.year:
		return false
	case i.step == analysis.Month:
		return int(t.Month()) == i.month
	case i.step == analysis.Quarter:
		return (int(t.Month())+2)/3 == i.number
	}
	return true
}

// Keys returns the keys of the intervals of a period that it may be.
func (i Interval) Keys(p tool.Period) (keys []string) {
	for _, in := range analysis.Intervals(i.step, p) {
		if i.is(in) {
			keys = append(keys, analysis.Interval(i.step, in.From.Time()))
		}
	}
	return keys
}

// Latest returns the whole interval: the latest one that has begun by a day, if the text does not say the year.
func (i Interval) Latest(today tool.Day) (p tool.Period, ok bool) {
	year := i.year
	if year == 0 {
		year = today.Time().Year()
	}
	// whole weeks, from a Monday
	from := tool.DayOf(time.Date(year-1, time.January, 1, 0, 0, 0, 0, time.UTC))
	if i.step == analysis.Week {
		from = from.Add(-(int(from.Time().Weekday()) + 6) % 7)
	}
	for _, in := range analysis.Intervals(i.step, tool.Period{From: from, To: from.Add(3 * 366)}) {
		if i.is(in) && (i.year != 0 || in.From <= today) {
			p, ok = in, true
		}
	}
	return p, ok
}
