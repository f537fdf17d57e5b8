package prose

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// unitWords are the beginnings of words for calendar periods.
var unitWords = []struct {
	prefix string
	unit   string
}{{"месяц", "month"}, {"month", "month"}, {"квартал", "quarter"}, {"quarter", "quarter"}, {"год", "year"},
	{"year", "year"}, {"недел", "week"}, {"week", "week"}}

// ordinals are the beginnings of the words for the first four, and how numbers are written.
var ordinals = [][]string{
	{"1", "1-й", "1-м", "1-го", "i", "перв", "first"},
	{"2", "2-й", "2-м", "2-го", "ii", "втор", "second"},
	{"3", "3-й", "3-м", "3-го", "iii", "треть", "third"},
	{"4", "4-й", "4-м", "4-го", "iv", "четверт", "fourth"},
}

func calendarUnit(word string) string {
	for _, u := range unitWords {
		if strings.HasPrefix(word, u.prefix) && len(word)-len(u.prefix) <= len("ами") {
			return u.unit
		}
	}
	return ""
}

func ordinal(word string) int {
	for i, all := range ordinals {
		for _, w := range all {
			if word == w || len(w) > 6 && strings.HasPrefix(word, w) {
				return i + 1
			}
		}
	}
	return 0
}

// back returns how many periods ago a word means: "прошлый" 1, "this" 0; −1 for another word.
func back(word string) int {
	switch {
	case strings.HasPrefix(word, "позапрошл"):
		return 2
	case strings.HasPrefix(word, "прошл"), strings.HasPrefix(word, "предыдущ"), word == "previous", word == "last":
		return 1
	case strings.HasPrefix(word, "текущ"), word == "этот", word == "этом", word == "этого", word == "этой",
		word == "эта", word == "эту", word == "this", word == "current":
		return 0
	}
	return -1
}

// findPeriods returns the calendar periods that a text names otherwise than by months: quarters, years, and those that
// are counted from today. Today is the day on which the data was read, and empty if it is not known.
func findPeriods(text string, years [2]int, today tool.Day) []Months {
	var out []Months
	add := func(from, to Token, first, last time.Time) {
		out = append(out, Months{Span: Span{Start: from.Start, End: to.End}, first: tool.DayOf(first),
			last: tool.DayOf(last)})
	}
	all := Tokens(text)
	word := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return all[i].Folded
	}
	now := today.Time()
	before := "" // the unit of the period before: "in the month before 5 ₽, in the one before that 6 ₽"
	for i := 0; i < len(all); i++ {
		w := word(i)
		unit := calendarUnit(w)
		switch n := back(word(i - 1)); {
		case len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4':
			end, y := yearAfter(all, i, years)
			add(all[i], all[end], quarter(y, int(w[1]-'0')), quarter(y, int(w[1]-'0')+1).AddDate(0, 0, -1))
		case unit == "quarter" && ordinal(word(i-1)) > 0:
			q := ordinal(word(i - 1))
			end, y := yearAfter(all, i, years)
			add(all[i-1], all[end], quarter(y, q), quarter(y, q+1).AddDate(0, 0, -1))
		case unit == "year" && len(word(i-1)) == 4 && isYear(word(i-1), years) && words.MonthOf(word(i-2)) == 0:
			y := atoi(word(i - 1))
			add(all[i-1], all[i], newYear(y), newYear(y+1).AddDate(0, 0, -1))
		case today == "":
		case unit != "" && n >= 0 && (word(i-1) != "last" || word(i-2) != "the"):
			first, last := ago(now, unit, n)
			add(all[i-1], all[i], first, last)
			before = unit
		case before != "" && back(w) > 0 && len(w) > len("previous") &&
			(word(i+1) == "" || isDigit(rune(word(i + 1)[0]))):
			first, last := ago(now, before, back(w))
			add(all[i], all[i], first, last)
		case w == "ytd", unit == "year" && word(i-1) == "начала" && word(i-2) == "с",
			w == "date" && word(i-1) == "to" && calendarUnit(word(i-2)) == "year":
			add(all[max(0, i-len(strings.Fields(w))+1)], all[i], newYear(now.Year()), now)
		case w == "вчера", w == "yesterday":
			add(all[i], all[i], now.AddDate(0, 0, -1), now.AddDate(0, 0, -1))
		case w == "позавчера":
			add(all[i], all[i], now.AddDate(0, 0, -2), now.AddDate(0, 0, -2))
		}
	}
	return out
}

func isYear(digits string, years [2]int) bool {
	y := atoi(digits)
	return years[1] > 0 && y >= years[0]-10 && y <= years[1]+10
}

func newYear(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func quarter(year, n int) time.Time {
	return time.Date(year, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC)
}

// yearAfter returns the last year of the data, or the year after a token and the index of its last token.
func yearAfter(all []Token, i int, years [2]int) (end, year int) {
	if i+1 < len(all) && len(all[i+1].Folded) == 4 && isYear(all[i+1].Folded, years) {
		return i + 1, atoi(all[i+1].Folded)
	}
	return i, years[1]
}

// ago returns the calendar period that was n before the one of a day.
func ago(now time.Time, unit string, n int) (first, last time.Time) {
	switch unit {
	case "month":
		first = time.Date(now.Year(), now.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		return first, first.AddDate(0, 1, -1)
	case "quarter":
		first = quarter(now.Year(), (int(now.Month())+2)/3-n)
		return first, first.AddDate(0, 3, -1)
	case "year":
		return newYear(now.Year() - n), newYear(now.Year()-n+1).AddDate(0, 0, -1)
	}
	first = now.AddDate(0, 0, -(int(now.Weekday())+6)%7-7*n)
	return first, first.AddDate(0, 0, 6)
}

// Days returns the first and the last day, if the text says them.
func (w Months) Days() (first, last tool.Day, ok bool) { return w.first, w.last, w.first != "" }

// byPlace sorts periods by where they stand, and drops those within others.
func byPlace(all []Months) []Months {
	slices.SortStableFunc(all, func(a, b Months) int { return a.Start - b.Start })
	var out []Months
	for _, m := range all {
		if n := len(out); n == 0 || m.Start >= out[n-1].End {
			out = append(out, m)
		}
	}
	return out
}
