package account

import (
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// defaultDays is the length of the default period.
const defaultDays = 30

// Today returns the current day in Moscow, the time zone of the account's times (fact M35).
func Today(env tool.Env) tool.Day { return tool.DayOf(env.Clock().In(msapi.Moscow)) }

// resolvePeriod fills in missing ends and reports whether it used a default. Reports always get both dates, because
// their default is only the last month (fact M80).
func resolvePeriod(env tool.Env, from, to tool.Day) (p tool.Period, assumed bool, err error) {
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

// DayStart returns the start of the day in Moscow time.
func DayStart(d tool.Day) time.Time {
	t := d.Time()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, msapi.Moscow)
}

// DayEnd returns the last second of the day. A bare date as the end of a period would mean midnight and exclude the
// whole day (fact M37).
func DayEnd(d tool.Day) time.Time { return DayStart(d.Add(1)).Add(-time.Second) }

// Invalid returns an error about one argument that the schema cannot detect.
func Invalid(field, message string) *stockhand.Error {
	e := stockhand.Errorf(stockhand.CodeValidation, "invalid arguments: %s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("see the tool's schema")
}

// ReportPeriod converts a period of days to the API's form, including its last second (fact M37).
func ReportPeriod(p tool.Period) msapi.Period { return msapi.Days(p.From.Time(), p.To.Time()) }
