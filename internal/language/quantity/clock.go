package quantity

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Clock is a part of every day (rule R318).
type Clock struct {
	Hours []int // from 0 to 23
	End   int   // the token after it
}

// partsOfDay are hours by their words: [first, last].
var partsOfDay = map[string][2]int{"утром": {5, 11}, "днем": {12, 17}, "вечером": {18, 23}, "ночью": {0, 4},
	"morning": {5, 11}, "afternoon": {12, 17}, "evening": {18, 23}, "mornings": {5, 11}, "afternoons": {12, 17},
	"evenings": {18, 23}, "вечерами": {18, 23}}

// ofTheDay are the same behind a preposition: "за вечер", "по утрам".
var ofTheDay = map[string][2]int{"вечер": {18, 23}, "вечерам": {18, 23}, "утро": {5, 11}, "утрам": {5, 11},
	"ночь": {0, 4}, "ночам": {0, 4}}

var (
	shifting = words.Set("раньше ранее позже позднее")
	ofThat   = words.Set("этого того")
)

// ClockAt reads hours of the day at a token: "утром", "после обеда", "с 9 до 12".
func ClockAt(ts []token.Token, i int) (Clock, bool) {
	c := &calendar{ts: ts}
	w := c.norm(i)
	j := i
	if w == "in" || w == "the" {
		j++
		if c.norm(j) == "the" {
			j++
		}
	}
	if shifting[c.norm(j+1)] || c.norm(j+1) == "до" && ofThat[c.norm(j+2)] {
		return Clock{}, false // "днем раньше" is a day earlier
	}
	if part, ok := partsOfDay[c.norm(j)]; ok && (token.IsCyrillic(c.norm(j)) || j > i) {
		return Clock{Hours: hours(part[0], part[1]), End: j + 1}, true
	}
	if part, ok := ofTheDay[c.norm(i+1)]; ok && (w == "за" || w == "по") {
		return Clock{Hours: hours(part[0], part[1]), End: i + 2}, true
	}
	return c.hours(i)
}

func hours(first, last int) []int {
	var out []int
	for h := first; h <= last; h++ {
		out = append(out, h)
	}
	return out
}

// hours reads "с 9 до 12", "после 18:00", "до обеда", "before noon".
func (c *calendar) hours(i int) (Clock, bool) {
	w := c.norm(i)
	before := w == "до" || w == "before"
	after := w == "после" || w == "after"
	from := w == "с" || w == "from" || w == "between"
	if !before && !after && !from {
		return Clock{}, false
	}
	if n := c.norm(i + 1); n == "обеда" || n == "полудня" || n == "noon" || n == "lunch" {
		if before {
			return Clock{Hours: hours(0, 12), End: i + 2}, true
		}
		return Clock{Hours: hours(13, 23), End: i + 2}, after
	}
	first, end, exact := c.hour(i + 1)
	if end == 0 {
		return Clock{}, false
	}
	switch {
	case from:
		sep := c.norm(end)
		if sep != "до" && sep != "to" && sep != "and" && sep != "till" && sep != "until" &&
			!(sep == "по" && c.namesDay()) {
			return Clock{}, false
		}
		last, after, sure := c.hour(end + 1)
		if after == 0 || last <= first || !exact && !sure && c.counted(after) {
			return Clock{}, false
		}
		return Clock{Hours: hours(first, last-1), End: after}, true
	case !exact:
		return Clock{}, false
	case before:
		return Clock{Hours: hours(0, first-1), End: end}, first > 0
	}
	return Clock{Hours: hours(first, 23), End: end}, true
}

// counted reports whether the token behind a number says that it is no hour.
func (c *calendar) counted(i int) bool {
	w := c.norm(i)
	_, isMonth := c.month(i)
	return isMonth || isCurrency(w) || isPercent(w) || scale(w) > 1 || UnitKind(w) != words.NoUnit || w == "числа"
}

// hour reads an hour of the day and reports whether it can be nothing else: "18:00", "9 утра", "6 pm".
func (c *calendar) hour(i int) (h, end int, exact bool) {
	if i >= len(c.ts) || c.ts[i].Kind != token.Number || c.norm(i) == "" {
		return 0, 0, false
	}
	h, err := strconv.Atoi(c.norm(i))
	if err != nil || h > 24 {
		return 0, 0, false
	}
	end = i + 1
	if c.norm(end) == ":" && c.glued(end) && c.norm(end+1) == "00" {
		end, exact = end+2, true
	}
	switch w := c.norm(end); {
	case w == "pm" || w == "вечера" || w == "дня":
		if h < 12 {
			h += 12
		}
		return h, end + 1, true
	case w == "am" || w == "утра" || w == "ч" || strings.HasPrefix(w, "час") || w == "oclock":
		return h, end + 1, true
	}
	return h, end, exact
}

// Scale returns the factor of an informal word for thousands or millions, such as "тыщ" or "лям"; 0 for any other.
func Scale(w string) int64 { return informalScales[w] }
