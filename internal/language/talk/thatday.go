package talk

import (
	"regexp"
	"slices"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

var (
	// thatDay matches words for a day that was shown.
	thatDay = regexp.MustCompile(`(?i)(?:^| )(?:(?:в|за) тот (?:же )?(?:самый )?день|` +
		`(?:on |for )?that (?:same )?day)(?:[ ?.!]|$)`)
	// thatMonth matches words for a longer time that was shown, which only its reader knows.
	thatMonth = regexp.MustCompile(`(?i)(?:^| )(?:в тот (?:же )?(?:самый )?месяц|в ту неделю|that month)(?:[ ?.!]|$)`)
	// shownDay matches also words that mean today, or nothing, where no day was shown.
	shownDay = regexp.MustCompile(`(?i) (?:(?:в|за) (?:этот|тот) (?:же )?(?:самый )?день|` +
		`(?:on |for )?(?:this|that) (?:same )?day)([ ?.!]|$)`)
	thenWords = regexp.MustCompile(`(?i)( (?:что|сколько|кто|кому)) тогда([ ?.!]|$)`)
	// boughtOfUs are words for what customers did on a day of sales.
	boughtOfUs = regexp.MustCompile(`(?i) (?:купили|покупали|брали|взяли)([ ?.!]|$)`)
)

// onShownDay writes the date for "в этот день" after the figures of one day, or after a ranking of days, whose first
// row is meant (rule R992): the words by themselves mean today. Any other message is returned as it is.
func onShownDay(task string, in language.Input) string {
	day := shownDayOf(in)
	text := thenWords.ReplaceAllString(" "+task, "$1 в тот день$2")
	if day == "" || !shownDay.MatchString(text) {
		return task
	}
	if ofSales(in.Previous) {
		text = boughtOfUs.ReplaceAllString(text, " продали$1")
	}
	cyrillic := token.Split(task)[0].Cyrillic
	on := map[bool]string{true: " за ", false: " on "}[cyrillic] + day.Time().Format(beforeOf[cyrillic])
	return shownDay.ReplaceAllString(text, on+"$1")[1:]
}

// shownDayOf returns the one day that the answer before was about; "" for none.
func shownDayOf(in language.Input) tool.Day {
	done := in.Previous
	if done == nil || !done.Skill.Reads() {
		return ""
	}
	if q := done.Query; q != nil && slices.Equal(q.By, []string{"day"}) {
		if len(in.Days) > 0 && (len(q.Order) > 0 || q.Limit == 1 || len(in.Days) == 1) {
			return in.Days[0]
		}
		return ""
	}
	if from, to := periodOf(done); from == to {
		return from
	}
	return ""
}

// saysThatDay reports whether a message means a day or a month of the answer before, which does not tell which one.
func saysThatDay(task string, in language.Input) bool {
	return thatDay.MatchString(task) || thatMonth.MatchString(task) ||
		in.Previous != nil && in.Previous.Skill.Reads() && shownDay.MatchString(" "+task)
}
