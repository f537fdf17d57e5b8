package msapi

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // so that Moscow loads on a machine without zone files
)

// ZoneName is the IANA name of [Moscow].
const ZoneName = "Europe/Moscow"

// Moscow is the zone of every time that the API writes without one (fact M35).
var Moscow = load(ZoneName)

func load(name string) *time.Location {
	l, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zone is in the binary
	}
	return l
}

const momentLayout = "2006-01-02 15:04:05"

// Moment is a time of the API. The zero Moment means that the field was absent or null.
type Moment struct{ time.Time }

// ParseMoment reads "YYYY-MM-DD HH:MM:SS" with or without fractions of a second, without seconds, or a day alone, as
// Moscow time.
func ParseMoment(s string) (Moment, error) {
	// fractions are read after any seconds
	for _, layout := range [...]string{momentLayout, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, strings.TrimSpace(s), Moscow); err == nil {
			return Moment{t}, nil
		}
	}
	return Moment{}, fmt.Errorf("read moment %q: want YYYY-MM-DD HH:MM:SS", s)
}

// String writes the moment as the API takes it: Moscow time, to the second.
func (m Moment) String() string { return FormatMoment(m.Time) }

// FormatMoment writes a time as filters and parameters take it: Moscow time, to the second.
func FormatMoment(t time.Time) string { return t.In(Moscow).Format(momentLayout) }

// UnmarshalJSON reads a moment; null leaves it zero.
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

// Period is a span of time, both ends included. Reports need both: with one of them left out they choose the other
// in surprising ways (fact M80).
type Period struct{ From, To time.Time }

// Days is the period of whole Moscow days from the first day to the last one, both included. Only the calendar days
// of the arguments count, in the zone each is in. The end is the last second, because a bare day would mean its
// midnight (fact M37).
func Days(first, last time.Time) Period {
	y, m, d := first.Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, Moscow)
	y, m, d = last.Date()
	return Period{From: from, To: time.Date(y, m, d, 23, 59, 59, 0, Moscow)}
}
