package quantity

import (
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// MonthOf returns the month that a word of a task names, as a noun or as an adjective in any form: "октябрь",
// "октябрьские" (rule R870). It is 0 for any other word.
func MonthOf(w string) time.Month {
	if m := words.MonthOf(w); m != 0 {
		return m
	}
	return monthAdjectives[adjectiveStem(w)]
}

// monthAdjectives are the adjectives of months, without their endings. "Майские" are holidays.
var monthAdjectives = words.Table(map[time.Month]string{
	time.January: "январск", time.February: "февральск", time.March: "мартовск", time.April: "апрельск",
	time.May: "майск", time.June: "июньск", time.July: "июльск", time.August: "августовск",
	time.September: "сентябрьск", time.October: "октябрьск", time.November: "ноябрьск", time.December: "декабрьск",
})

// adjectiveStem returns a Russian adjective without its ending; empty if the word does not end like one.
func adjectiveStem(w string) string {
	if w == "майские" || w == "майских" || w == "майским" {
		return ""
	}
	for _, ending := range []string{"ого", "ому", "ими", "его", "ему", "ий", "ый", "ая", "ое", "ие", "ую", "ой", "их",
		"им", "ом", "ые", "ых", "ым", "яя", "ее", "юю", "ей", "ем"} {
		if stem, ok := strings.CutSuffix(w, ending); ok {
			return stem
		}
	}
	return ""
}

// ofLength reads an adjective of a unit of time before what it is about: "недельная выручка" is that of the last week
// of days, like "выручка за неделю" (rule R870).
func (c *calendar) ofLength(i int) (Period, bool) {
	l := lengthAdjectives[adjectiveStem(c.norm(i))]
	if l == noLength || c.ahead || i+1 >= len(c.ts) || c.ts[i+1].Kind != token.Word || averageWord(c.norm(i-1)) {
		return Period{}, false
	}
	if p := c.norm(i - 1); p == "за" || p == "в" || p == "на" || c.length(i+1) != noLength {
		return Period{}, false
	}
	from := Shift(l, c.today, -1).AddDate(0, 0, 1)
	return Period{From: from, To: c.today, End: i + 1, Rolling: int(c.today.Sub(from).Hours()/24) + 1}, true
}

// averageWord reports whether a word means an average: "средняя месячная выручка" is of each month.
func averageWord(w string) bool {
	return strings.HasPrefix(w, "средн") || strings.HasPrefix(w, "ср") && len(w) <= 4
}

var lengthAdjectives = words.Table(map[length]string{week: "недельн", month: "месячн", quarter: "квартальн",
	half: "полугодов", year: "годов"})
