package analysis

import (
	"errors"
	"fmt"
	"time"

	"github.com/stockhand/stockhand/internal/tool"
)

// Other returns the period to compare with.
//
// Previous is the calendar unit before, if the period is whole months, quarters or years: October is compared with
// September and its 30 days. A part of a month from its first day is compared with the same days of the month before.
// Any other period is compared with as many days before it. LastYear is the same days a year before; 29 February
// becomes the 28th.
func Other(p tool.Period, c Comparison) (tool.Period, error) {
	switch {
	case c.With != "" && (c.From != "" || c.To != ""):
		return tool.Period{}, errors.New("expected either with or from and to")
	case c.With == Previous:
		return previous(p), nil
	case c.With == LastYear:
		return tool.Period{From: shiftMonths(p.From, -12), To: endOf(p, -12)}, nil
	case c.With != "":
		return tool.Period{}, fmt.Errorf("expected %s, %s, or from and to", Previous, LastYear)
	case c.From == "" || c.To == "" || c.From.Time().IsZero() || c.To.Time().IsZero():
		return tool.Period{}, errors.New("expected with, or the existing days from and to")
	case c.To < c.From:
		return tool.Period{}, errors.New("the period ends before it begins")
	}
	return tool.Period{From: c.From, To: c.To}, nil
}

func previous(p tool.Period) tool.Period {
	from := p.From.Time()
	if from.Day() != 1 {
		return tool.Period{From: p.From.Add(-p.Days()), To: p.From.Add(-1)}
	}
	months := 1
	if lastDay(p.To) {
		to := p.To.Time()
		months = (to.Year()-from.Year())*12 + int(to.Month()-from.Month()) + 1
	} else if to := p.To.Time(); to.Year() != from.Year() || to.Month() != from.Month() {
		return tool.Period{From: p.From.Add(-p.Days()), To: p.From.Add(-1)}
	}
	return tool.Period{From: shiftMonths(p.From, -months), To: endOf(p, -months)}
}

// lastDay reports whether a day is the last of its month.
func lastDay(d tool.Day) bool { return d.Add(1).Time().Day() == 1 }

// endOf shifts the end of a period by months. The last day of a month stays one if the period starts with a month.
func endOf(p tool.Period, months int) tool.Day {
	if p.From.Time().Day() == 1 && lastDay(p.To) {
		return shiftMonths(p.To.Add(1), months).Add(-1)
	}
	return shiftMonths(p.To, months)
}

// shiftMonths returns the same day of another month, or that month's last day if it is shorter.
func shiftMonths(d tool.Day, months int) tool.Day {
	t := d.Time()
	first := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, months, 0)
	last := first.AddDate(0, 1, -1).Day()
	return tool.DayOf(first.AddDate(0, 0, min(t.Day(), last)-1))
}

// Interval returns the interval of a step that a time lies in, as a sortable key: 2026-10-01 for October's first day,
// 2026-10 for a month, 2026-W43 for a week, 2026-Q4, 2026, 1 (Monday) to 7, 00 to 23. The time is in the account's
// zone.
func Interval(s Step, t time.Time) string {
	switch s {
	case Week:
		year, week := t.ISOWeek()
		return fmt.Sprintf("%d-W%02d", year, week)
	case Month:
		return t.Format("2006-01")
	case Quarter:
		return fmt.Sprintf("%d-Q%d", t.Year(), (int(t.Month())+2)/3)
	case Year:
		return t.Format("2006")
	case Weekday:
		return fmt.Sprint((int(t.Weekday())+6)%7 + 1)
	case Hour:
		return t.Format("15")
	case Day:
	}
	return t.Format(time.DateOnly)
}

// Intervals divides a period into the intervals of a step; the first and the last may be parts of one.
func Intervals(s Step, p tool.Period) []tool.Period {
	var list []tool.Period
	for from := p.From; from <= p.To; {
		key, to := Interval(s, from.Time()), from
		for next := to.Add(1); next <= p.To && Interval(s, next.Time()) == key; next = to.Add(1) {
			to = next
		}
		list = append(list, tool.Period{From: from, To: to})
		from = to.Add(1)
	}
	return list
}

// alignment says which intervals of the two periods belong together.
type alignment struct {
	to    map[string]string // the interval of the period, by that of the other one at the same place
	alone map[string]bool   // the intervals of the period that have no counterpart
}

// aligned maps the intervals of the other period to those of the period at the same place: the second month of one to
// the second month of the other. Steps that recur need no alignment.
func aligned(s Step, p, other tool.Period) *alignment {
	if s == "" || s == Weekday || s == Hour {
		return nil
	}
	mine, theirs := Intervals(s, p), Intervals(s, other)
	a := &alignment{to: make(map[string]string, len(theirs)), alone: map[string]bool{}}
	for i, x := range mine {
		key := Interval(s, x.From.Time())
		if i < len(theirs) {
			a.to[Interval(s, theirs[i].From.Time())] = key
		} else {
			a.alone[key] = true
		}
	}
	return a
}
