package grounding

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/words"
)

// date reads the date, month, year or time of day that begins with the digit at i: where it ends, and the day or month
// it names, if it names one.
func (s *scanner) date(i int) (end int, key string, ok bool) {
	n := run(s.text[i:])
	first := s.text[i : i+n]
	after := s.text[i+n:]
	switch {
	case n == 4 && strings.HasPrefix(after, "-"):
		if m := run(after[1:]); m == 2 && inside(after[1:3], 12) {
			key, end = first+"-"+after[1:3], i+n+3
			if rest := s.text[end:]; strings.HasPrefix(rest, "-") && run(rest[1:]) >= 2 && inside(rest[1:3], 31) {
				return s.clock(end+3, "T"), key + "-" + rest[1:3], true
			}
			return end, key, true
		}
	case n <= 2 && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, "/")) && inside(first, 31):
		m := run(after[1:])
		if m == 0 || m > 2 || !inside(after[1:1+m], 12) {
			break
		}
		month, rest := after[1:1+m], after[1+m:]
		end = i + n + 1 + m
		if strings.HasPrefix(rest, after[:1]) {
			if y := run(rest[1:]); y == 4 || y == 2 {
				year := rest[1 : 1+y]
				if y == 2 {
					year = "20" + year
				}
				return end + 1 + y, fmt.Sprintf("%s-%02d-%02d", year, atoi(month), atoi(first)), true
			}
			break
		}
		if u, _, _ := s.unit(end); n == 2 && m == 2 && u.Kind == bare && s.dayContext(i) {
			return end, fmt.Sprintf("%d-%02d-%02d", s.years[1], atoi(month), atoi(first)), true
		}
	case n <= 2 && strings.HasPrefix(after, ":"):
		if m := run(after[1:]); m == 2 && inside("1"+after[1:2], 15) && atoi(first) < 25 {
			return s.seconds(i + n + 3), "", true
		}
	}
	return s.named(i, n)
}

// named reads a date with the month's name: "5 ноября 2026 г.", "Nov 5, 2026", "ноябрь 2026", and a year by itself.
func (s *scanner) named(i, n int) (end int, key string, ok bool) {
	first := s.text[i : i+n]
	if month := s.monthBefore(i); month > 0 {
		switch {
		case n <= 2 && inside(first, 31): // "Nov 5, 2026"
			if u, _, _ := s.unit(i + n); u.Kind != bare {
				break
			}
			end, year := s.year(i + n)
			return end, fmt.Sprintf("%d-%02d-%02d", year, month, atoi(first)), true
		case n == 4 && s.isYear(first): // "ноябрь 2026"
			return i + n, fmt.Sprintf("%s-%02d", first, month), true
		}
	}
	if n <= 2 && inside(first, 31) {
		at := i + n
		if month, stop := s.monthBehind(at); month > 0 {
			end, year := s.year(stop)
			return end, fmt.Sprintf("%d-%02d-%02d", year, month, atoi(first)), true
		}
		// "1–15 ноября"
		for _, to := range []string{"-", "–", "—", " по ", " to ", " и ", " and ", " – ", " — ", " - "} {
			if rest, ok := strings.CutPrefix(s.text[at:], to); ok {
				if m := run(rest); m > 0 && m <= 2 && inside(rest[:m], 31) {
					if month, _ := s.monthBehind(at + len(to) + m); month > 0 {
						return at, fmt.Sprintf("%d-%02d-%02d", s.years[1], month, atoi(first)), true
					}
				}
			}
		}
	}
	if n == 4 && s.isYear(first) && s.yearContext(i, i+n) {
		return i + n, "", true
	}
	return 0, "", false
}

// run is how many ASCII digits the text begins with.
func run(text string) int {
	n := 0
	for n < len(text) && isDigit(rune(text[n])) {
		n++
	}
	return n
}

func inside(digits string, most int) bool { n := atoi(digits); return n >= 1 && n <= most }

func (s *scanner) seconds(end int) int {
	if rest := s.text[end:]; strings.HasPrefix(rest, ":") && run(rest[1:]) >= 2 {
		return end + 3
	}
	return end
}

// clock goes over the time of an RFC 3339 moment.
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

// dayContext tells whether "12.05" at i is a day rather than a fraction: a word of dates stands before it.
func (s *scanner) dayContext(i int) bool {
	before := strings.TrimRight(s.text[:i], " \u00a0")
	if strings.HasSuffix(before, "–") || strings.HasSuffix(before, "—") {
		return len(s.dates) > 0 && i-s.dates[len(s.dates)-1].end < 8
	}
	if line := s.text[strings.LastIndexByte(s.text[:i], '\n')+1 : i]; s.l != stockhand.English &&
		strings.TrimSpace(line) == "|" {
		return true // the first cell of a row
	}
	switch strings.ToLower(lastWord(before)) {
	case "с", "по", "от", "до", "на", "за", "к", "from", "to", "on", "until", "since":
		return true
	}
	return false
}

func (s *scanner) monthBefore(i int) int {
	before := strings.TrimRight(s.text[:i], " \u00a0")
	if len(before) == i {
		return 0
	}
	before = strings.TrimSuffix(before, ".")
	return int(words.MonthOf(words.Fold(lastWord(before))))
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

// year reads a year behind a month or a day of one; without any it is the last year of the data.
func (s *scanner) year(i int) (end, year int) {
	rest := s.text[i:]
	trimmed := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, "."), ","), " \u00a0")
	if n := run(trimmed); n == 4 && s.isYear(trimmed[:4]) {
		at := i + len(rest) - len(trimmed)
		if u, _, _ := s.unit(at + 4); u.Kind == bare || u.Kind == days && u.Factor == 365 ||
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

// yearContext tells whether four digits without a unit are a year: a word says so.
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
	if u, _, _ := s.unit(end); u.Kind != bare {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(rest); r == ',' || r == '.' {
		if next := strings.TrimLeft(rest[1:], " "); len(rest) > 1 && rest[1] != ' ' && run(next) > 0 {
			return false
		}
	}
	switch strings.ToLower(lastWord(strings.TrimRight(s.text[:i], " \u00a0"))) {
	case "in", "year", "since", "год", "году", "q", "квартал", "квартале", "квартала":
		return true
	}
	return false
}
