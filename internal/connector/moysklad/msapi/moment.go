package msapi

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/timezone"
)

// ZoneName is the IANA name of [Moscow].
const ZoneName = "Europe/Moscow"

// Moscow is the time zone of the API's times, which have no zone (fact M35).
var Moscow = load(ZoneName)

func load(name string) *time.Location {
	l, err := timezone.Load(name)
	if err != nil {
		panic(err) // the zone is part of the binary
	}
	return l
}

const momentLayout = "2006-01-02 15:04:05"

// Moment is a time in the API. The zero Moment means that the field was missing or null.
type Moment struct{ time.Time }

// ParseMoment parses "YYYY-MM-DD HH:MM:SS" in Moscow time. Fractions, seconds and the whole time are optional.
func ParseMoment(s string) (Moment, error) {
	// time.Parse accepts fractions after the seconds
	for _, layout := range [...]string{momentLayout, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, strings.TrimSpace(s), Moscow); err == nil {
			return Moment{t}, nil
		}
	}
	return Moment{}, fmt.Errorf("read moment %q: want YYYY-MM-DD HH:MM:SS", s)
}

// String formats the moment like [FormatMoment].
func (m Moment) String() string { return FormatMoment(m.Time) }

// FormatMoment formats a time for filters and parameters: Moscow time, to the second.
func FormatMoment(t time.Time) string { return t.In(Moscow).Format(momentLayout) }

// UnmarshalJSON parses a moment; null is the zero Moment.
func (m *Moment) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*m = Moment{}
		return nil
	}
	parsed, err := ParseMoment(string(bytes.Trim(b, `"`)))
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}

// Period is a time range including both ends. Reports need both: if one is missing, they choose surprising defaults
// (fact M80).
type Period struct{ From, To time.Time }

// Days returns the period of whole Moscow days from the first day to the last, inclusive. Only the calendar dates of
// the arguments count, each in its own zone. The end is the last second, because a bare date would mean midnight (fact
// M37).
func Days(first, last time.Time) Period {
	y, m, d := first.Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, Moscow)
	y, m, d = last.Date()
	return Period{From: from, To: time.Date(y, m, d, 23, 59, 59, 0, Moscow)}
}
