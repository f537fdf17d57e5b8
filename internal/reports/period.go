package reports

import (
	"encoding/json"
	"maps"
	"time"

	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is the kind of a period.
type Kind string

// The kinds of periods. The zero value is one that does not move.
const (
	Days   Kind = "days"   // N days that end Back days before today
	Months Kind = "months" // N calendar months, the last of them Back months before this one
	Year   Kind = "year"   // the calendar year Back years ago
)

// Period is a period that moves with the calendar.
type Period struct {
	Kind   Kind `json:"kind,omitempty"`
	N      int  `json:"n,omitempty"`
	Back   int  `json:"back,omitempty"`
	ToDate bool `json:"to_date,omitempty"` // of months and years: it ends today instead of with the month or year
}

// dated are the arguments of a call that have a period.
type dated struct {
	From    tool.Day `json:"from"`
	To      tool.Day `json:"to"`
	Compare *struct {
		From tool.Day `json:"from"`
	} `json:"compare"`
}

// mostYears is how many years back a period counts as one that moves.
const mostYears = 1

// Moving returns the moving period that the arguments of a call have on a day, or a zero one: a period that ends long
// ago, or is compared with certain days, stays where it is.
func Moving(arguments json.RawMessage, today tool.Day) Period {
	var d dated
	if json.Unmarshal(arguments, &d) != nil || d.Compare != nil && d.Compare.From != "" {
		return Period{}
	}
	from, to, now := d.From.Time(), d.To.Time(), today.Time()
	if from.IsZero() || to.IsZero() || to.Before(from) {
		return Period{}
	}
	years := now.Year() - from.Year()
	wholeYear := to.Year() == from.Year() && to.YearDay() == lastDay(to.Year(), time.December).YearDay()
	wholeMonths := to.Equal(lastDay(to.Year(), to.Month()))
	back := monthsBetween(to, now)
	switch toDate := d.To == today; {
	case from.YearDay() == 1 && years >= 0 && years <= mostYears && (wholeYear ||
		years == 0 && toDate && now.Month() > 1):
		return Period{Kind: Year, Back: years, ToDate: !wholeYear}
	case from.Day() == 1 && back >= 0 && back <= 12*mostYears && (wholeMonths || toDate):
		return Period{Kind: Months, N: monthsBetween(from, to) + 1, Back: back, ToDate: !wholeMonths}
	}
	if late := int(now.Sub(to).Hours() / 24); late == 0 || late == 1 {
		return Period{Kind: Days, N: int(to.Sub(from).Hours()/24) + 1, Back: late}
	}
	return Period{}
}

func lastDay(year int, month time.Month) time.Time {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
}

// monthsBetween counts the calendar months from a to b.
func monthsBetween(a, b time.Time) int {
	return (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())
}

// On returns the first and the last day of the period on a day.
func (p Period) On(today tool.Day) (from, to tool.Day) {
	now := today.Time()
	switch p.Kind {
	case Year:
		year := now.Year() - p.Back
		from, to = tool.DayOf(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)), tool.DayOf(lastDay(year, time.December))
	case Months:
		last := time.Date(now.Year(), now.Month()-time.Month(p.Back), 1, 0, 0, 0, 0, time.UTC)
		from, to = tool.DayOf(last.AddDate(0, 1-p.N, 0)), tool.DayOf(lastDay(last.Year(), last.Month()))
	default:
		to = today.Add(-p.Back)
		return to.Add(1 - p.N), to
	}
	if p.ToDate {
		to = today
	}
	return from, to
}

// On returns the arguments of the report's call on a day.
func (d Definition) On(today tool.Day) json.RawMessage {
	var arguments map[string]json.RawMessage
	if d.Period.Kind == "" || json.Unmarshal(d.Arguments, &arguments) != nil {
		return d.Arguments
	}
	from, to := d.Period.On(today)
	moved := maps.Clone(arguments)
	moved["from"], moved["to"] = quoted(from), quoted(to)
	raw, err := json.Marshal(moved)
	if err != nil {
		return d.Arguments
	}
	return raw
}

func quoted(d tool.Day) json.RawMessage { return json.RawMessage(`"` + string(d) + `"`) }
