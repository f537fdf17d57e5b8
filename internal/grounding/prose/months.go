package prose

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Months is a month, or a range of months, that a text names, or another calendar period. Without a year it is that
// month of any year.
type Months struct {
	Span
	from, to    time.Month
	year        int
	first, last tool.Day // of another period; otherwise empty
}

// FindMonths returns the months and other calendar periods that a text names, without the months of dates with a day.
// Today is the day on which the data was read; empty if it is not known.
func FindMonths(text string, l stockhand.Language, years [2]int, today tool.Day, dates []Date) []Months {
	var out []Months
	for _, t := range Tokens(text) {
		m := monthNamed(text[t.Start:t.End], t.Folded)
		if m == 0 || slices.ContainsFunc(dates, func(d Date) bool {
			return len(d.Key) > len("2026-11") && d.Start < t.End+2 && d.End > t.Start-1
		}) {
			continue
		}
		w := Months{Span: t.Span, from: m, to: m}
		s := &scanner{text: text, l: l, years: years}
		if end, year := s.year(t.End); end > t.End {
			w.End, w.year = end, year
		}
		if n := len(out); n > 0 && ranges(text[out[n-1].End:w.Start]) {
			out[n-1].End, out[n-1].to = w.End, m
			continue
		}
		out = append(out, w)
	}
	return byPlace(append(out, findPeriods(text, years, today)...))
}

// monthNamed returns the month of a word, also of an adjective ("октябрьский"), or 0. "May" is a month only with a
// capital letter.
func monthNamed(word, folded string) time.Month {
	folded = strings.TrimSuffix(folded, "'s")
	if stem, _, ok := strings.Cut(folded, "ск"); ok && strings.HasSuffix(stem, "ь") {
		folded = stem
	}
	m := words.MonthOf(folded)
	if m == time.May && strings.HasPrefix(word, "m") || len([]rune(folded)) < 4 && m != time.May {
		return 0
	}
	return m
}

// ranges reports whether the text between two months makes them the ends of a range.
func ranges(between string) bool {
	switch strings.TrimSpace(between) {
	case "по", "-", "–", "—", "to", "through", "до":
		return true
	}
	return false
}

// Joined reports whether the text between two months makes the figures after them those of both.
func Joined(between string) bool {
	switch strings.TrimSpace(between) {
	case "и", "and", ",", "и в", "and in":
		return true
	}
	return false
}

// Contains reports whether a period lies within the months.
func (w Months) Contains(p tool.Period) bool {
	if w.first != "" {
		return p.From >= w.first && p.To <= w.last
	}
	from, to := p.From.Time(), p.To.Time()
	if w.year != 0 && (from.Year() > w.year || to.Year() < w.year) {
		return false
	}
	if w.from > w.to { // over the turn of a year
		return from.Month() >= w.from || to.Month() <= w.to
	}
	return from.Month() >= w.from && to.Month() <= w.to && to.Sub(from) < 366*24*time.Hour && from.Month() <= to.Month()
}

// Before reports whether months are before others.
func (w Months) Before(o Months) bool {
	if w.first != "" && o.first != "" {
		return w.first < o.first
	}
	if w.year != o.year && w.year != 0 && o.year != 0 {
		return w.year < o.year
	}
	return w.from < o.from
}
