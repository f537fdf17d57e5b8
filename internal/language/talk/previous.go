package talk

import (
	"regexp"
	"time"

	"github.com/stockhand/stockhand/internal/language"
)

// lastAlone is "and last?" after figures of this week: the noun is in the question before.
var lastAlone = regexp.MustCompile(`^(?:and |so |what about |how about |vs |versus |compared to )?(?:the )?last$`)

// beforeThis returns "and last" after figures of this week, month, quarter or year, or of today, in full (rule R972):
// "and last week". It returns "" for any other message, and after any other period.
func beforeThis(folded string, done *language.Reading, now time.Time) string {
	if !lastAlone.MatchString(folded) {
		return ""
	}
	first, last := periodOf(done)
	from, err := time.Parse(time.DateOnly, string(first))
	to, err2 := time.Parse(time.DateOnly, string(last))
	today, err3 := time.Parse(time.DateOnly, now.Format(time.DateOnly))
	if err != nil || err2 != nil || err3 != nil || to.Before(today) {
		return ""
	}
	days := int(today.Sub(from).Hours() / 24)
	switch {
	case days == 0 && to.Equal(today):
		return "and yesterday"
	case days < 7 && from.Weekday() == time.Monday && to.Sub(from) < 7*24*time.Hour:
		return "and last week"
	case from.Day() == 1 && from.Month() == today.Month() && from.Year() == today.Year() &&
		to.Month() == today.Month():
		return "and last month"
	case from.YearDay() == 1 && from.Year() == today.Year():
		return "and last year"
	case from.Day() == 1 && from.Month()%3 == 1 && days < 92:
		return "and last quarter"
	}
	return ""
}
