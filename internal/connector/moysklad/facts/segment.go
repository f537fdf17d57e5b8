package facts

import (
	"cmp"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// month is a month in the account's time zone, as year × 12 + month − 1.
type month int

func monthOf(t time.Time) month {
	y, m, _ := t.In(msapi.Moscow).Date()
	return month(y*12 + int(m) - 1)
}

// start returns when a day of the month begins; days are counted from 1 and may lie outside the month.
func (m month) start(day int) time.Time {
	return time.Date(int(m)/12, time.Month(int(m)%12+1), day, 0, 0, 0, 0, msapi.Moscow)
}

// days is a set of days of a month.
type days uint32

func (d days) has(day int) bool { return d&(1<<day) != 0 }

// span is a range of time, including both ends, which are whole seconds.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return !t.Before(s.from) && !t.After(s.to) }

// segment is the posted documents of one type that are kept of a month.
//
// Its invariant: of the covered days, all changes up to newest are in it, apart from deletions. So it has every
// document that the account has, and perhaps deleted ones. If the account has as many documents, they are the same.
type segment struct {
	month   month
	version int64     // of the stored piece
	read    time.Time // the oldest reading
	covered days
	lines   days // of these the documents have their lines

	state // of the account when the segment was compared with it

	documents []msapi.Order
}

// state is all documents of a type as one response described them.
type state struct {
	total  int         // how many there were
	newest time.Time   // their last change
	recent []msapi.Key // those that were changed shortly before it, as far as they are known
}

// bound returns the time after which there may be changes that were not visible then.
func (s state) bound() time.Time { return s.newest.Add(-overlap) }

// covers reports whether the segment has a day, with lines if they are needed.
func (s *segment) covers(day int, lines bool) bool {
	if s == nil {
		return false
	}
	return s.covered.has(day) && (!lines || s.lines.has(day))
}

// remove removes documents.
func (s *segment) remove(drop func(*msapi.Order) bool) {
	s.documents = slices.DeleteFunc(s.documents, func(o msapi.Order) bool { return drop(&o) })
}

// add adds a document if its day is covered.
func (s *segment) add(o msapi.Order) {
	day := o.Moment.In(msapi.Moscow).Day()
	if monthOf(o.Moment.Time) != s.month || !s.covered.has(day) {
		return
	}
	if !s.lines.has(day) {
		o.Positions = nil
	}
	s.documents = append(s.documents, o)
}

// replace takes the documents of a range of time from a new reading.
func (s *segment) replace(within span, documents []msapi.Order) {
	s.remove(func(o *msapi.Order) bool { return within.has(o.Moment.Time) })
	for _, o := range documents {
		s.add(o)
	}
}

// runs returns the covered ranges of segments, each as long as possible.
func runs(segments []*segment) (list []span) {
	slices.SortFunc(segments, func(x, y *segment) int { return cmp.Compare(x.month, y.month) })
	for _, s := range segments {
		for day := 1; day <= 31; day++ {
			if s.covered.has(day) {
				list = extend(list, s.month, day)
			}
		}
	}
	return list
}

// extend adds a day after the last one.
func extend(list []span, m month, day int) []span {
	from, to := m.start(day), m.start(day+1).Add(-time.Second)
	if n := len(list); n > 0 && list[n-1].to.Add(time.Second).Equal(from) {
		list[n-1].to = to
		return list
	}
	return append(list, span{from, to})
}
