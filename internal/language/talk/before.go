package talk

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

var (
	// dayBefore are "vs the friday before", "с пятницей до этого", "а неделей раньше?" after figures of a day.
	dayBefore = regexp.MustCompile(`^((?:.* )?)(?:the )?(\p{L}+) (?:before|earlier|before that|` +
		`до (?:этого|того|нее|него)|перед (?:этим|этой|ней))$`)
	beforeOf = map[bool]string{true: "02.01.2006", false: "2 January 2006"}
)

// beforeShown writes the date of the weekday before a day that was shown: after the sales of a Friday, "the friday
// before" is a week earlier (rule R865). Any other message is returned as it is.
func beforeShown(folded string, done *language.Reading) string {
	m := dayBefore.FindStringSubmatch(folded)
	if m == nil || !quantity.IsWeekday(m[2]) {
		return folded
	}
	from, to := periodOf(done)
	day, err := time.Parse(time.DateOnly, string(from))
	if err != nil || from != to {
		return folded
	}
	named, _ := quantity.Weekday(m[2])
	back := (int(day.Weekday()) - int(named) + 7) % 7
	if back == 0 {
		back = 7
	}
	russian := strings.ContainsAny(m[2], "абвгдеёжзийклмнопрстуфхцчшщъыьэюя")
	lead := m[1]
	if last := strings.TrimPrefix(strings.TrimPrefix(lead, "а "), "и "); last == "с " || last == "со " {
		if !strings.HasSuffix(m[2], "ом") && !strings.HasSuffix(m[2], "ей") && !strings.HasSuffix(m[2], "ой") {
			return folded // "с пятницы до этого" begins a period
		}
		lead = "сравни с "
	}
	return lead + day.AddDate(0, 0, -back).Format(beforeOf[russian])
}

// byThisTime are words for the hour of now: "вчера к этому времени".
var byThisTime = regexp.MustCompile(`(?i)(к этому (?:времени|часу|моменту)|на этот (?:час|момент)|в это же время|` +
	`до этого (?:времени|часа)|by this time|by this hour|at this time|this time of (?:the )?day)`)

// untilNow writes the hour for "к этому времени", so that a part of today is compared with as much of another day (rule
// R926).
func untilNow(task string, now time.Time) string {
	if !byThisTime.MatchString(task) || now.Hour() == 0 {
		return task
	}
	until := strconv.Itoa(now.Hour())
	if token.Split(task)[0].Cyrillic {
		return byThisTime.ReplaceAllString(task, "до "+until+" часов")
	}
	return byThisTime.ReplaceAllString(task, "before "+until+":00")
}

func dayOf(t time.Time) tool.Day { return tool.Day(t.Format(time.DateOnly)) }
