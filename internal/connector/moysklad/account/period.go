package account

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// defaultDays is the length of the period that is taken when the question names none.
const defaultDays = 30

// Today is the current day in Moscow: the zone of all the account's naive times (fact M35).
func Today(env tool.Env) tool.Day { return tool.DayOf(env.Clock().In(msapi.Moscow)) }

// resolvePeriod fills the ends that were left out and reports whether anything was assumed. Both dates are always sent
// to the reports afterwards, because their own default is the last month only (fact M80).
func resolvePeriod(env tool.Env, from, to tool.Day) (p tool.Period, assumed bool, err error) {
	for _, end := range []struct {
		field string
		day   tool.Day
	}{{"from", from}, {"to", to}} {
		if end.day != "" && end.day.Time().IsZero() {
			return p, false, Invalid(end.field, "expected an existing day, YYYY-MM-DD")
		}
	}
	if assumed = from == "" || to == ""; to == "" {
		to = Today(env)
	}
	if from == "" {
		from = to.Add(1 - defaultDays)
	}
	if to < from {
		return p, false, Invalid("to", "the period ends before it begins")
	}
	return tool.Period{From: from, To: to}, assumed, nil
}

// DayStart is the beginning of the day, Moscow time.
func DayStart(d tool.Day) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, msapi.Moscow)
}

// DayEnd is the last second of the day: an end given as a bare date would mean its midnight and lose the whole day
// (fact M37).
func DayEnd(d tool.Day) time.Time { return DayStart(d.Add(1)).Add(-time.Second) }

// Before is the period of the same length that ends the day before p begins.
func Before(p tool.Period) tool.Period {
	return tool.Period{From: p.From.Add(-p.Days()), To: p.From.Add(-1)}
}

// Cut divides a period into n parts of nearly equal length; the longer ones come first.
func Cut(p tool.Period, n int) []tool.Period {
	days, parts := p.Days(), make([]tool.Period, 0, n)
	from := p.From
	for i := range n {
		length := days / n
		if i < days%n {
			length++
		}
		parts = append(parts, tool.Period{From: from, To: from.Add(length - 1)})
		from = from.Add(length)
	}
	return parts
}

// Invalid is an error about one argument, found after its schema was satisfied.
func Invalid(field, message string) *stockhand.Error {
	e := stockhand.Errorf(stockhand.CodeValidation, "the arguments do not fit: %s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("see the tool's schema")
}

// ReportPeriod is a period of days as the reports take it, its last second included (fact M37).
func ReportPeriod(p tool.Period) msapi.Period { return msapi.Days(p.From.Time(), p.To.Time()) }
