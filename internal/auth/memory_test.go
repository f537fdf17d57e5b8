package auth

import (
	"encoding/binary"
	"testing"
	"time"
)

func digestOf(n int) (d digest) {
	binary.BigEndian.PutUint64(d[:], uint64(n))
	return d
}

func TestMemoryIsBoundedAndKeepsWhoCallsOften(t *testing.T) {
	now := time.Now()
	m := newMemory(10)
	m.saw(1, now)
	often := &record{version: 1}
	m.keep(digestOf(0), often)
	for n := 1; n < 1000; n++ {
		m.keep(digestOf(n), &record{version: 1})
		if n%5 == 0 && m.recall(digestOf(0), now) != often {
			t.Fatalf("after %d others who calls often is forgotten", n)
		}
		if len(m.young)+len(m.old) > 20 {
			t.Fatalf("%d are remembered, 20 are the most", len(m.young)+len(m.old))
		}
	}
	if m.recall(digestOf(1), now) != nil {
		t.Error("who called once long ago is still remembered")
	}
}

func TestWhatIsRememberedHoldsUnderItsNumberAlone(t *testing.T) {
	now := time.Now()
	m := newMemory(10)
	known := func(n int, at time.Time) bool { return m.recall(digestOf(n), at) != nil }
	m.keep(digestOf(1), &record{version: 5})
	if known(1, now) {
		t.Error("recalled before any look")
	}
	m.saw(5, now)
	if !known(1, now) || !known(1, now.Add(lookHolds-1)) {
		t.Error("not recalled although the look is fresh and nothing changed")
	}
	if known(1, now.Add(lookHolds)) {
		t.Error("recalled although the last look is a second old")
	}
	m.saw(6, now)
	m.keep(digestOf(1), &record{version: 5}) // a look-up that was on its way when the change was seen
	if known(1, now) {
		t.Error("recalled although something changed after it was read")
	}
	m.keep(digestOf(2), &record{version: 7}) // read after a change that no look has seen yet
	m.saw(5, now.Add(time.Millisecond))      // and a look that overtook none
	if !known(2, now) {
		t.Error("what was read later than the last look is not recalled")
	}
}

func TestAfterAChangeHereNothingIsRecalledUntilALookThatBeganLater(t *testing.T) {
	now := time.Now()
	m := newMemory(10)
	m.saw(5, now)
	m.keep(digestOf(1), &record{version: 5})
	m.forget(now.Add(10 * time.Millisecond))
	for _, began := range []time.Duration{-time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond} {
		m.saw(5, now.Add(began)) // it may have read the number before the change
		if m.recall(digestOf(1), now.Add(20*time.Millisecond)) != nil {
			t.Errorf("recalled after a look that began %s after the first, before the change", began)
		}
	}
	m.saw(6, now.Add(30*time.Millisecond))
	m.keep(digestOf(1), &record{version: 6})
	if m.recall(digestOf(1), now.Add(30*time.Millisecond)) == nil {
		t.Error("not recalled after a look that began later")
	}
}
