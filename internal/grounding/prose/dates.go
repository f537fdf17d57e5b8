package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/words"
)

// date is a day, or a month when the key has no day, that the text names.
type Date struct {
	Span
	Key string // "2026-11-05" or "2026-11"; empty for a time of day and a year by itself
}

// date reads the date, month, year or time of day that begins with the digit at i.
func (s *scanner) date(i int) (d Date, ok bool) {
	for _, read := range []func(int) (Date, bool){s.isoDate, s.numericDate, s.timeOfDay, s.afterMonth, s.beforeMonth,
		s.dayAlone, s.yearAlone} {
		if d, ok := read(i); ok {
			return d, true
		}
	}
	return Date{}, false
}

func dayKey(year, month, day int) string { return fmt.Sprintf("%d-%02d-%02d", year, month, day) }

// isoDate reads "2026-11-05", with or without a time, and "2026-11".
func (s *scanner) isoDate(i int) (Date, bool) {
	text := s.text[i:]
	if DigitsIn(text) != 4 || !strings.HasPrefix(text[4:], "-") || DigitsIn(text[5:]) != 2 || !inside(text[5:7], 12) {
		return Date{}, false
	}
	if rest := text[7:]; strings.HasPrefix(rest, "-") && DigitsIn(rest[1:]) >= 2 && inside(rest[1:3], 31) {
		return Date{Span{i, s.clock(i+10, "T")}, text[:10]}, true
	}
	return Date{Span{i, i + 7}, text[:7]}, true
}

// numericDate reads "05.11.2026", "05/11/26", and "05.11" where the context says that it is a day.
func (s *scanner) numericDate(i int) (Date, bool) {
	text := s.text[i:]
	n := DigitsIn(text)
	if n > 2 || !inside(text[:n], 31) || !strings.HasPrefix(text[n:], ".") && !strings.HasPrefix(text[n:], "/") {
		return Date{}, false
	}
	m := DigitsIn(text[n+1:])
	if m == 0 || m > 2 || !inside(text[n+1:n+1+m], 12) {
		return Date{}, false
	}
	day, month, rest, end := atoi(text[:n]), atoi(text[n+1:n+1+m]), text[n+1+m:], i+n+1+m
	if strings.HasPrefix(rest, text[n:n+1]) {
		year := atoi(rest[1 : 1+DigitsIn(rest[1:])])
		switch DigitsIn(rest[1:]) {
		case 2:
			return Date{Span{i, end + 3}, dayKey(2000+year, month, day)}, true
		case 4:
			return Date{Span{i, end + 5}, dayKey(year, month, day)}, true
		}
		return Date{}, false
	}
	if n != 2 || m != 2 {
		return Date{}, false
	}
	if last, ok := s.rangeEnd(end); ok { // "24.08–22.11.2026"
		var y, to int
		if _, err := fmt.Sscanf(last.Key, "%d-%d", &y, &to); err == nil && month > to {
			y--
		}
		return Date{Span{i, end}, dayKey(y, month, day)}, true
	}
	if u, _, _ := s.unit(end); u.Kind != words.NoUnit || !s.dayContext(i) {
		return Date{}, false
	}
	return Date{Span{i, end}, dayKey(s.years[1], month, day)}, true
}

// rangeDashes join the two ends of a range of dates.
var rangeDashes = []string{"-", "–", "—", " по ", " to ", " и ", " and ", " – ", " — ", " - "}

// rangeEnd reads the numeric date with a year that ends a range whose first day ends at i.
func (s *scanner) rangeEnd(i int) (Date, bool) {
	for _, to := range rangeDashes {
		at := i + len(to)
		if strings.HasPrefix(s.text[i:], to) && at < len(s.text) && isDigit(rune(s.text[at])) {
			d, ok := s.numericDate(at)
			return d, ok && d.End-at > len("22.11")
		}
	}
	return Date{}, false
}

// timeOfDay reads "12:30" and "12:30:15".
func (s *scanner) timeOfDay(i int) (Date, bool) {
	text := s.text[i:]
	n := DigitsIn(text)
	if n > 2 || atoi(text[:n]) > 24 || !strings.HasPrefix(text[n:], ":") || DigitsIn(text[n+1:]) != 2 ||
		text[n+1] > '5' {
		return Date{}, false
	}
	end := i + n + 3
	if rest := s.text[end:]; strings.HasPrefix(rest, ":") && DigitsIn(rest[1:]) >= 2 {
		end += 3
	}
	return Date{Span: Span{i, end}}, true
}

// afterMonth reads the number after the name of a month: "Nov 5, 2026" and "ноябрь 2026". In Russian the day comes
// before the month, so the 15 of "в ноябре 15" is a day only when the word «числа» follows.
func (s *scanner) afterMonth(i int) (Date, bool) {
	month, russian := s.monthBefore(i)
	if month == 0 {
		return Date{}, false
	}
	end, groups, _ := s.digits(i)
	number := groups[0]
	if len(number) == 4 && s.isYear(number) {
		return Date{Span{i, i + 4}, fmt.Sprintf("%s-%02d", number, month)}, true
	}
	if len(number) > 2 || !inside(number, 31) {
		return Date{}, false
	}
	if len(groups) > 1 && (len(groups) > 2 || len(groups[1]) != 4 || !s.isYear(groups[1])) {
		return Date{}, false // "in September 29.8 %"
	}
	_, dayWord := s.dayAlone(i)
	switch {
	case dayWord:
	case russian:
		year := 2000 + atoi(number) // "ноябрь 26"
		if u, _, _ := s.unit(end); u.Kind != words.NoUnit || u.Scale || year < s.years[0] || year > s.years[1] {
			return Date{}, false
		}
		return Date{Span{i, end}, fmt.Sprintf("%d-%02d", year, month)}, true
	default:
		if u, _, _ := s.unit(i + len(number)); u.Kind != words.NoUnit || u.Scale {
			return Date{}, false
		}
	}
	end, year := s.year(i + len(number))
	return Date{Span{i, end}, dayKey(year, month, atoi(number))}, true
}

// beforeMonth reads the number before the name of a month: "5 ноября 2026 г.", and the first of "1–15 ноября".
func (s *scanner) beforeMonth(i int) (Date, bool) {
	n := DigitsIn(s.text[i:])
	if n > 2 || !inside(s.text[i:i+n], 31) {
		return Date{}, false
	}
	day, at := atoi(s.text[i:i+n]), i+n
	if month, behind := s.monthBehind(at); month > 0 {
		end, year := s.year(behind)
		return Date{Span{i, end}, dayKey(year, month, day)}, true
	}
	for _, to := range rangeDashes {
		rest, ok := strings.CutPrefix(s.text[at:], to)
		if m := DigitsIn(rest); ok && m > 0 && m <= 2 && inside(rest[:m], 31) {
			if month, _ := s.monthBehind(at + len(to) + m); month > 0 {
				return Date{Span{i, at}, dayKey(s.years[1], month, day)}, true
			}
		}
	}
	return Date{}, false
}

// dayAlone reads "29 числа".
func (s *scanner) dayAlone(i int) (Date, bool) {
	n := DigitsIn(s.text[i:])
	word := WordBehind(s.text, i+n)
	return Date{Span: Span{i, i + n}}, inside(s.text[i:i+n], 31) && (word == "числа" || word == "число")
}

// yearAlone reads a year where a word says that it is one: "в 2026 году".
func (s *scanner) yearAlone(i int) (Date, bool) {
	n := DigitsIn(s.text[i:])
	if n != 4 || !s.isYear(s.text[i:i+n]) || !s.yearContext(i, i+n) {
		return Date{}, false
	}
	return Date{Span: Span{i, i + n}}, true
}

// run is how many ASCII digits the text begins with.
func DigitsIn(text string) int {
	n := 0
	for n < len(text) && isDigit(rune(text[n])) {
		n++
	}
	return n
}

func inside(digits string, most int) bool { n := atoi(digits); return n >= 1 && n <= most }

// clock skips the time of an RFC 3339 timestamp.
func (s *scanner) clock(end int, sep string) int {
	rest := s.text[end:]
	if !strings.HasPrefix(rest, sep) {
		return end
	}
	n := strings.IndexFunc(rest[1:], func(r rune) bool {
		return !isDigit(r) && r != ':' && r != '.' && r != '+' &&
			r != 'Z'
	})
	if n < 0 {
		return len(s.text)
	}
	return end + 1 + n
}

// dayContext reports whether "12.05" at i is a day rather than a fraction: a preposition of dates precedes it.
func (s *scanner) dayContext(i int) bool {
	before := strings.TrimRight(s.text[:i], " \u00a0")
	if strings.HasSuffix(before, "–") || strings.HasSuffix(before, "—") {
		return len(s.dates) > 0 && i-s.dates[len(s.dates)-1].End < 8
	}
	if line := s.text[strings.LastIndexByte(s.text[:i], '\n')+1 : i]; s.l != stockhand.English &&
		strings.TrimSpace(line) == "|" {
		return true // the first cell of a row
	}
	switch strings.ToLower(LastWord(before)) {
	case "с", "по", "от", "до", "на", "за", "к", "from", "to", "on", "until", "since":
		return true
	}
	return false
}

// monthBefore returns the month whose name precedes i, and whether the name is Russian.
func (s *scanner) monthBefore(i int) (month int, russian bool) {
	before := strings.TrimRight(s.text[:i], " \u00a0")
	if len(before) == i {
		return 0, false
	}
	name := LastWord(strings.TrimSuffix(before, "."))
	month = int(words.MonthOf(words.Fold(name)))
	return month, month > 0 && name[0] >= utf8.RuneSelf
}

// wordBehind returns the word after i, folded.
func WordBehind(text string, i int) string {
	rest := strings.TrimLeft(text[i:], " \u00a0")
	return words.Fold(rest[:letters(rest)])
}

func (s *scanner) monthBehind(i int) (month, end int) {
	for i < len(s.text) && i >= 0 {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		if !isThin(r) && r != '-' {
			break
		}
		i += size
	}
	n := letters(s.text[i:])
	return int(words.MonthOf(words.Fold(s.text[i : i+n]))), i + n
}

// year reads the year after a month or a day. Without one it is the last year of the data.
func (s *scanner) year(i int) (end, year int) {
	rest := s.text[i:]
	trimmed := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, "."), ","), " \u00a0")
	if n := DigitsIn(trimmed); n == 4 && s.isYear(trimmed[:4]) {
		at := i + len(rest) - len(trimmed)
		if u, _, _ := s.unit(at + 4); u.Kind == words.NoUnit || u.Kind == words.Days && u.Factor == 365 ||
			strings.HasPrefix(strings.TrimLeft(trimmed[4:], " \u00a0"), "г") {
			return at + 4, atoi(trimmed[:4])
		}
	}
	return i, s.years[1]
}

func (s *scanner) isYear(digits string) bool {
	y := atoi(digits)
	return y >= s.years[0]-10 && y <= s.years[1]+10
}

// yearContext reports whether a word beside four digits without a unit says that they are a year.
func (s *scanner) yearContext(i, end int) bool {
	if r, _ := utf8.DecodeRuneInString(s.text[end:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
		return false
	}
	rest := strings.TrimLeft(s.text[end:], " \u00a0")
	word := strings.ToLower(rest[:letters(rest)])
	switch {
	case word == "г" || word == "год" || word == "года" || word == "году" || word == "годом" || word == "годах" ||
		word == "годы" || word == "гг":
		return true
	}
	if u, _, _ := s.unit(end); u.Kind != words.NoUnit {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(rest); r == ',' || r == '.' {
		if next := strings.TrimLeft(rest[1:], " "); len(rest) > 1 && rest[1] != ' ' && DigitsIn(next) > 0 {
			return false
		}
	}
	switch strings.ToLower(LastWord(strings.TrimRight(s.text[:i], " \u00a0"))) {
	case "in", "year", "since", "год", "году", "q", "квартал", "квартале", "квартала":
		return true
	}
	return false
}
