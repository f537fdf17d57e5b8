package meter

import (
	"slices"
	"sync"
	"testing"
)

func TestAMeterCountsWhatWasSentAndNeeded(t *testing.T) {
	m := New(nil)
	ctx := With(t.Context(), m)
	if Of(ctx) != m || Of(t.Context()) != nil {
		t.Fatal("the meter of a context")
	}
	for range 3 { // a page, its retry, and the next page
		m.Sent("entity/demand", "a=1")
	}
	m.Sent("entity/store", "")
	m.Rows("entity/demand", "a=1", 1000)
	m.Rows("entity/demand", "a=1", 7)
	m.Rows("entity/store", "", 0)
	m.Needs("demands", 1)
	m.Needs("demands", 2) // the size is known now
	m.Needs("stores", 1)
	if m.Requests() != 4 || m.Needed() != 3 {
		t.Errorf("%d requests, %d needed", m.Requests(), m.Needed())
	}
	want := []Source{{"entity/demand", "a=1", 3, 1007}, {"entity/store", "", 1, 0}}
	if got := m.Sources(); !slices.Equal(got, want) {
		t.Errorf("sources %v", got)
	}
}

// What could have been read from the pages of the run is not needed more often than it was sent.
func TestNeededIsAtMostWhatWasSent(t *testing.T) { // rule R231
	m := New(nil)
	m.Needs("a list", 5)
	m.Sent("a list", "")
	if m.Needed() != 1 {
		t.Errorf("%d needed", m.Needed())
	}
}

func TestProgressNeverShowsMoreDoneThanPlanned(t *testing.T) {
	var seen []Progress
	m := New(func(p Progress) { seen = append(seen, p) })
	m.Plan(2, false)
	m.Plan(1, true)
	m.Answered()
	m.Answered()
	m.Plan(-1, false) // not needed after all: two are done already
	m.Answered()
	want := []Progress{{0, 2, 0}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}, {2, 2, 1}, {3, 3, 1}}
	if !slices.Equal(seen, want) || m.Planned() != 3 {
		t.Errorf("%v, want %v", seen, want)
	}
}

func TestAMeterIsSafeForConcurrentUse(t *testing.T) {
	m := New(func(Progress) {})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			m.Plan(1, false)
			m.Sent("x", "")
			m.Rows("x", "", 1)
			m.Answered()
		})
	}
	all.Wait()
	if s := m.Sources(); m.Requests() != 50 || len(s) != 1 || s[0].Rows != 50 || m.Planned() != 50 {
		t.Errorf("%d requests, %v", m.Requests(), s)
	}
}

// Requests without a meter, as those of a connection that is verified, are simply not counted.
func TestNoMeterCountsNothing(t *testing.T) {
	m := Of(t.Context())
	m.Plan(1, false)
	m.Sent("x", "")
	m.Answered()
	m.Rows("x", "", 1)
	m.Needs("x", 1)
}
