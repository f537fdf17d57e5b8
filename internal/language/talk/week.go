package talk

import (
	"slices"
	"strconv"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/words"
)

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
	if i < 0 || to.Sub(from) > 6*day {
		return
	}
	for x := from; !x.After(to); x = x.AddDate(0, 0, 1) {
		if slices.Contains(q.Where[i].Values, analysis.Scalar(strconv.Itoa((int(x.Weekday())+6)%7+1))) {
			return
		}
	}
	monday := from.AddDate(0, 0, -(int(from.Weekday())+6)%7)
	week := *q
	week.From, week.To = dayOf(monday), dayOf(monday.AddDate(0, 0, 6))
	if v := q.Where[i].Values; slices.Contains(q.By, "day") && len(v) == 5 &&
		!slices.Contains(v, "6") && !slices.Contains(v, "7") {
		week.Where, week.To = slices.Delete(slices.Clone(q.Where), i, i+1), dayOf(monday.AddDate(0, 0, 4))
	}
	x.Query = &week
}

// weekendShown makes "а в выходные" after the figures of a period that of the weekends in it (rule R996): the last
// weekend may lie outside.
func weekendShown(_ string, x *language.Reading, in language.Input) {
	if !x.FollowUp || in.Previous == nil || !complete(x) {
		return
	}
	composed := x.Composed(in.Catalogue)
	shown, until := periodOf(in.Previous)
	from, to := shown.Time(), until.Time()
	if !has(x.Task, weekendWords) || has(x.Task, whichWeekend) ||
		shown == "" || until == "" || composed.Query == nil || composed.Query.From == shown ||
		composed.Query.To.Time().Sub(composed.Query.From.Time()) != day {
		return
	}
	saturday := from.AddDate(0, 0, (int(time.Saturday)-int(from.Weekday())+7)%7)
	q := *composed.Query
	switch length := to.Sub(from); {
	case length < 2*day || saturday.After(to):
		return
	case length < 7*day:
		q.From, q.To = dayOf(saturday), dayOf(saturday.AddDate(0, 0, 1))
	default:
		q.From, q.To = shown, until
		q.Where = append(slices.Clone(q.Where), oneOf("weekday", []string{"6", "7"}))
	}
	if !query.Possible(in.Catalogue, q) {
		q.By, q.Order = nil, nil // weekdays and days do not go together
	}
	if !query.Possible(in.Catalogue, q) {
		*x = withoutOptions(notSure(*x, x.Task, in.Previous))
		return
	}
	composed.Query = &q
	*x = composed
}

const day = 24 * time.Hour

var (
	weekendWords = words.Set("выходные выходных выходным weekend weekends")
	// which weekend is meant
	whichWeekend = words.Set("эти этих прошлые прошлых последние последних предыдущие this last previous past")
)
