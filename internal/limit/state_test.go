package limit_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// state returns what a limiter tells of the account a and the employee e.
func state(t *testing.T, l limit.Limiter) limit.State {
	t.Helper()
	s, ok, err := limit.StateOf(t.Context(), l, "a", "e")
	if !ok || err != nil {
		t.Fatalf("the limiter tells nothing: %v", err)
	}
	return s
}

// acquire sends a request of the account a and the employee e.
func acquire(t *testing.T, l limit.Limiter, heavy bool) func(limit.Feedback) {
	t.Helper()
	done, err := l.Acquire(t.Context(), limit.Request{Account: "a", Employee: "e", Heavy: heavy})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestALimiterTellsHowMuchIsUsed(t *testing.T) { // rule R449
	t.Parallel()
	l := limit.New(limit.Config{})
	if s := state(t, l); s != (limit.State{PerSecond: 6, HeavyPerSecond: 2, MostInFlight: 5}) {
		t.Errorf("at first: %+v", s)
	}
	heavy, light := acquire(t, l, true), acquire(t, l, false)
	if s := state(t, l); s.Recent != 2 || s.Heavy != 1 || s.InFlight != 2 || s.Units != 0 {
		t.Errorf("in flight: %+v", s)
	}
	light(limit.Feedback{Limit: 45, Remaining: 40, Interval: 3 * time.Second})
	heavy(limit.Feedback{Limit: 45, Remaining: 35, Interval: 3 * time.Second, Pause: time.Minute})
	s := state(t, l)
	if s.Recent != 2 || s.InFlight != 0 || s.Units != 45 || s.Left > 35 || s.Interval != 3*time.Second ||
		!s.Paused.After(time.Now()) {
		t.Errorf("after the responses: %+v", s)
	}
	if other, _, _ := limit.StateOf(t.Context(), l, "b", "f"); other.Recent != 0 || other.Units != 0 {
		t.Errorf("another account: %+v", other)
	}
}

func TestProcessesAndReplicasTellTheSame(t *testing.T) { // rule R449
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	machine := func() limit.Limiter {
		l, err := limit.OneMachine(limit.New(limit.Config{}), limit.Config{}, dir, "https://api.test")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	seen := func(t *testing.T, here, there limit.Limiter) {
		t.Helper()
		done := acquire(t, here, true)
		if s := state(t, there); s.Recent != 1 || s.Heavy != 1 || s.InFlight != 1 {
			t.Errorf("while the other waits for a response: %+v", s)
		}
		done(limit.Feedback{Limit: 45, Remaining: 40, Interval: time.Minute})
		if s := state(t, there); s.InFlight != 0 {
			t.Errorf("after the response: %+v", s)
		}
	}
	seen(t, machine(), machine())
	storetest.EachURL(t, func(t *testing.T, url string) {
		here, there := replica(t, url), replica(t, url)
		seen(t, here, there)
		if s := state(t, there); s.Left != 40 || s.Units != 45 {
			t.Errorf("the budget that another replica heard of: %+v", s)
		}
	})
}
