package quantity

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Duration is a number of days that is not a period: "дольше 90 дней", "на две недели вперёд".
type Duration struct {
	Days    int
	at, end int
	Over    bool // after a comparison such as "more than", "older than"
	Ahead   bool // the coming days
	Next    bool // after a word such as "следующие"
}

// count reads a whole number at token i, in digits or words. It returns the number and how many tokens it takes.
func (c *calendar) count(i int) (value, n int) {
	w := c.norm(i)
	if w == "" {
		return 0, 0
	}
	if c.ts[i].Kind == token.Number {
		v, err := strconv.Atoi(w)
		if err != nil || v > 100_000 {
			return 0, 0
		}
		n = 1
		// 3-й, 3х: the ending belongs to the number.
		if next := c.norm(i + 1); c.norm(i+1) == "-" && len(c.ts) > i+2 && c.ts[i+2].Glued &&
			len([]rune(c.norm(i+2))) <= 3 && c.ts[i+2].Kind == token.Word &&
			words.TimeUnitOf(c.norm(i+2)) == noLength &&
			words.MonthOf(c.norm(i+2)) == 0 {
			n = 3
		} else if len(c.ts) > i+1 && c.ts[i+1].Glued &&
			(next == "й" || next == "го" || next == "ой" || next == "я" || next == "е" || next == "х" || next == "ый" ||
				next == "st" || next == "nd" || next == "rd" || next == "th") {
			n = 2
		}
		return v, n
	}
	v := Numeral(w)
	if v == 0 {
		return 0, 0
	}
	n = 1
	if next := Numeral(c.norm(i + 1)); next > 0 && v >= 20 && next < 10 { // двадцать пять
		return v + next, 2
	}
	if c.norm(i+1) == "of" {
		n = 2
	}
	return v, n
}

// HalfYear is how many days half a year counts.
const HalfYear = 180

// days reads a duration at token i: "90 дней", "две недели", "полгода", "неделю". With bare, a unit needs no number.
func (c *calendar) days(i int, bare bool) (d int, l length, k, n int) {
	w := c.norm(i)
	switch {
	case w == "полгода" || w == "полугода":
		return HalfYear, half, 1, 1
	case w == "полмесяца":
		return 15, day, 15, 1
	case w == "полтора" && c.length(i+1) == month:
		return 45, day, 45, 2
	case (w == "half") && (c.norm(i+1) == "a" || c.norm(i+1) == "year"):
		if c.norm(i+1) == "year" {
			return 180, half, 1, 2
		}
		if c.norm(i+2) == "year" {
			return 180, half, 1, 3
		}
	case w == "fortnight":
		return 14, day, 14, 1
	}
	k, n = c.count(i)
	if n == 0 {
		if l = c.length(i); bare && l != noLength && len([]rune(w)) > 2 {
			return l.Days(), l, 1, 1
		}
		if (w == "a" || w == "an") && bare && c.length(i+1) != noLength {
			return c.length(i + 1).Days(), c.length(i + 1), 1, 2
		}
		return 0, noLength, 0, 0
	}
	j := i + n
	if c.norm(j) == "+" || c.norm(j) == "-" || c.norm(j) == "ти" {
		j++
	}
	if w := c.norm(j); w == "календарных" || w == "последних" || w == "рабочих" || w == "полных" || w == "calendar" ||
		w == "full" {
		j++
	}
	l = c.length(j)
	if w := c.norm(j); l == noLength && c.ts[i].Kind == token.Number && (w == "d" || w == "д" || w == "w") &&
		c.ts[j].Glued {
		l = map[string]length{"d": day, "д": day, "w": week}[w]
	}
	if l == noLength || k == 0 || k > 5000 || l == year && k > 20 {
		return 0, noLength, 0, 0
	}
	return l.Days() * k, l, k, j + 1 - i
}

// durations reads and marks the numbers of days that are not periods.
func (c *calendar) durations() []Duration {
	var out []Duration
	for i := 0; i < len(c.ts); i++ {
		d, _, _, n := c.days(i, true)
		if n == 0 {
			continue
		}
		_, counted := c.count(i)
		before, before2 := c.norm(i-1), c.norm(i-2)
		after := c.norm(i + n)
		x := Duration{Days: d, at: i, end: i + n}
		switch {
		case before == "over" && c.length(i-2) != noLength: // week over week
			continue
		case overWords[before] && (counted > 0 || before != "от"), before == "than" &&
			(before2 == "more" || overWords[before2]), before == "чем" && overWords[before2],
			counted > 0 && (before == "least" || before == "менее" && before2 == "не" || before == "меньше" &&
				before2 == "не"):
			x.Over = true
			x.at--
		case after == "+" || counted > 0 && strings.HasSuffix(c.ts[i+n-1].Raw, "+") || counted > 0 &&
			c.norm(i+counted) == "+",
			(after == "и" || after == "or" || after == "and" || after == "plus") &&
				(overWords[c.norm(i+n+1)] || c.norm(i+n+1) == "more"):
			x.Over = true
		case nextWords[before]:
			x.Ahead, x.Next = true, true
			x.at--
		case after == "вперед" || after == "ahead" || after == "наперед" || after == "запаса" || after == "cover" ||
			after == "supply":
			x.Ahead = true
			x.end++
		case before == "на" && c.norm(i+n) != "назад", before == "within", before == "через", before == "in" &&
			c.length(i+n-1) != year && (counted > 0 || n == 2):
			x.Ahead = true
		// "stock to last 60 days"
		case before == "last" && (before2 == "to" || before2 == "us" || before2 == "will" || before2 == "stock" ||
			before2 == "it"):
			x.Ahead = true
			x.at--
		case before == "another":
			x.Ahead = true
		case counted > 0 && before != "за" && !rollingWords[before] && !rollingWords[c.norm(i+counted)] &&
			before != "течение" && before != "for" && before != "during" && before != "с" && before != "по" &&
			before != "и" &&
			after != "назад" && after != "ago" && c.length(i+n-1) != year && c.length(i+n-1) != quarter &&
			c.norm(i+counted) != "-" && before != "-" && !fromWords[before] && !toWords[before]:
			// "лежит 90 дней"
		default:
			continue
		}
		for j := x.at; j < x.end; j++ {
			c.ts[j].Use = token.AsNumber
		}
		if x.end < len(c.ts) && c.ts[x.end].Norm == "вперед" {
			c.ts[x.end].Use = token.AsNumber
		}
		out = append(out, x)
		i = x.end - 1
	}
	return out
}
