package talk

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// dayBefore are "vs the friday before", "с пятницей до этого", "а неделей раньше?" after figures of a day.
	dayBefore = regexp.MustCompile(`^((?:.* )?)(?:the )?(\p{L}+) (?:before|earlier|before that|` +
		`до (?:этого|того|нее|него)|перед (?:этим|этой|ней))$`)
	beforeOf = map[bool]string{true: "02.01.2006", false: "2 January 2006"}
)

// whyThen reads "почему упал в октябре" after figures by month as a question for what the figure of October consists of
// (rule R924): the table itself says no more. It returns nil for any other message.
func (t *talk) whyThen(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return whyWords[x.Norm] }) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	q := base.Query
	if len(s.parts) != 1 || s.parts[0].slots[0] != slot(typed.SpanPeriod) || q == nil || len(q.By) != 1 ||
		!timeRows[q.By[0]] || q.By[0] == "weekday" || q.By[0] == "hour" || q.Compare != nil {
		return nil
	}
	then := language.Read("а "+s.words(s.parts[0].from, s.parts[0].to), in)
	from, to := periodOf(&then)
	if !complete(&then) || from == "" || to == "" || from < q.From || to > q.To {
		return nil
	}
	row := *q
	row.By, row.From, row.To, row.Order, row.Limit = nil, from, to, nil, 0
	in.Previous, in.Rows = changedTo(task, base.Language, &row), nil
	x := language.Read(base.Language.Pick("почему", "why"), in)
	if !complete(&x) || x.Query == nil {
		return nil
	}
	x.Task = task
	return &x
}

var whyWords = words.Set("почему отчего зачем why")

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

// wholeWeek makes the period of a follow-up a whole week where none of its days is one of the weekdays: "а в будни"
// after the figures of a weekend (rule R927).
func wholeWeek(x *language.Reading) {
	q := x.Query
	if !x.FollowUp || q == nil || q.From == "" || q.To == "" {
		return
	}
	from, _ := time.Parse(time.DateOnly, string(q.From))
	to, _ := time.Parse(time.DateOnly, string(q.To))
	i := slices.IndexFunc(q.Where, func(w analysis.Condition) bool {
		return w.Field == "weekday" && w.Op == analysis.In
	})
	if i < 0 || to.Sub(from) > 6*24*time.Hour {
		return
	}
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		if slices.Contains(q.Where[i].Values, analysis.Scalar(strconv.Itoa((int(day.Weekday())+6)%7+1))) {
			return
		}
	}
	monday := from.AddDate(0, 0, -(int(from.Weekday())+6)%7)
	week := *q
	week.From, week.To = dayOf(monday), dayOf(monday.AddDate(0, 0, 6))
	x.Query = &week
}

func dayOf(t time.Time) tool.Day { return tool.Day(t.Format(time.DateOnly)) }
