package language

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// moneyRange is a range of prices that is written with a dash: "200-400 рублей".
var moneyRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[\s(])(\d{1,7})\s?[-–—]\s?(\d{1,7})(\s?(?:руб|р\.?(?:\s|$)|₽|rub|rouble|ruble))`)
})

// moneyRanges writes a range of prices in words, "от 200 до 400 рублей": a dash is not part of a name, and its last
// number is no new price (rule R1124).
func moneyRanges(task string) string {
	if !moneyRange().MatchString(task) {
		return task
	}
	return moneyRange().ReplaceAllStringFunc(task, func(found string) string {
		m := moneyRange().FindStringSubmatch(found)
		low, err := strconv.Atoi(m[2])
		high, err2 := strconv.Atoi(m[3])
		if err != nil || err2 != nil || low >= high {
			return found
		}
		if token.IsCyrillic(words.Fold(task)) {
			return m[1] + "от " + m[2] + " до " + m[3] + m[4]
		}
		return m[1] + "from " + m[2] + " to " + m[3] + m[4]
	})
}
