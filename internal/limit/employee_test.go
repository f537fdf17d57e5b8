package limit

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestFiveOfOneEmployeeAreInFlightAndCrowdedAnswersMakeItFewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{PerSecond: 100})
		var dones []func(Feedback)
		for range 5 {
			done, _ := take(t, m, Request{Account: "a", Employee: "e"})
			dones = append(dones, done)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.Acquire(ctx, Request{Account: "a", Employee: "e"}); err == nil {
			t.Error("a sixth went out")
		}
		other, wait := take(t, m, Request{Account: "a", Employee: "other"})
		if wait != 0 {
			t.Error("another employee had to wait")
		}
		other(Feedback{})
		for _, done := range dones {
			done(Feedback{Crowded: true})
		}
		if got := m.employees["e"].cap; got != 1 {
			t.Errorf("cap %d after five crowded answers, want 1", got)
		}
		for range 10 {
			time.Sleep(time.Second)
			done, _ := take(t, m, Request{Account: "a", Employee: "e"})
			done(Feedback{})
		}
		if got := m.employees["e"].cap; got != 5 {
			t.Errorf("cap %d after recovery, want 5", got)
		}
	})
}

func TestPauseBlocksThatEmployeeForThatLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		done, _ := take(t, m, Request{Account: "a", Employee: "e"})
		done(Feedback{Pause: 2500 * time.Millisecond})
		other, wait := take(t, m, Request{Account: "a", Employee: "other"})
		if wait != 0 {
			t.Error("another employee had to wait")
		}
		other(Feedback{})
		done, wait = take(t, m, Request{Account: "a", Employee: "e"})
		if wait != 2500*time.Millisecond {
			t.Errorf("waited %v", wait)
		}
		done(Feedback{})
	})
}

// vendor is a budget as the other side keeps it.
type vendor struct {
	limit, light, heavy int
	sliding             bool
	counted             []struct {
		at    time.Time
		units int
	}
	overrun int
}

func (v *vendor) receive(heavy bool, foreign int) Feedback {
	const interval = 3 * time.Second
	now := time.Now()
	used := 0
	for _, c := range v.counted {
		if v.sliding && now.Sub(c.at) < interval || !v.sliding &&
			now.Truncate(interval).Equal(c.at.Truncate(interval)) {
			used += c.units
		}
	}
	units := v.light
	if heavy {
		units = v.heavy
	}
	units += foreign
	v.counted = append(v.counted, struct {
		at    time.Time
		units int
	}{now, units})
	if used+units > v.limit {
		v.overrun++
	}
	return Feedback{Limit: v.limit, Remaining: max(0, v.limit-used-units), Interval: interval}
}

func TestVendorsWeightsAreLearntAndItsBudgetKept(t *testing.T) {
	for _, v := range []vendor{
		{limit: 45, light: 4, heavy: 5, sliding: true}, {limit: 45, light: 4, heavy: 5},
		{limit: 20, light: 3, heavy: 9, sliding: true}, {limit: 45, light: 1, heavy: 5},
	} {
		t.Run(fmt.Sprintf("%d/%d of %d sliding %v", v.light, v.heavy, v.limit, v.sliding), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := New(Config{})
				start := time.Now()
				done, _ := take(t, m, Request{Account: "a", Employee: "e"})
				done(v.receive(false, 0))
				var wg sync.WaitGroup
				var mu sync.Mutex
				n := 80
				for range n {
					wg.Go(func() {
						done, _ := take(t, m, Request{Account: "a", Employee: "e"})
						time.Sleep(5 * time.Millisecond)
						mu.Lock()
						f := v.receive(false, 0)
						mu.Unlock()
						time.Sleep(5 * time.Millisecond)
						done(f)
					})
				}
				wg.Wait()
				if v.overrun > 0 {
					t.Errorf("%d requests over the vendor's budget", v.overrun)
				}
				if got := m.employees["e"].cost("light", 0); got != v.light {
					t.Errorf("light weight %d, want %d", got, v.light)
				}
				bound := Bound(n+1, 0, Config{},
					Vendor{Limit: v.limit, Interval: 3 * time.Second, Light: v.light, Heavy: v.heavy})
				if got := time.Since(start); float64(got) > 1.05*float64(bound) {
					t.Errorf("%v, bound %v", got, bound)
				}
				time.Sleep(time.Minute)
				done, _ = take(t, m, Request{Account: "a", Employee: "e", Heavy: true})
				done(v.receive(true, 0))
				if got := m.employees["e"].cost("heavy", 0); got != v.heavy {
					t.Errorf("heavy weight %d, want %d", got, v.heavy)
				}
			})
		})
	}
}

func TestWeightIsLearntFromTheDifferenceOfTwoAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		v := &vendor{limit: 45, light: 2, heavy: 5, sliding: true}
		for _, heavy := range []bool{false, true, false} {
			done, _ := take(t, m, Request{Account: "a", Employee: "e", Heavy: heavy})
			done(v.receive(heavy, 0))
		}
		e := m.employees["e"]
		if e.cost("light", 0) != 2 || e.cost("heavy", 0) != 5 || e.foreign != 0 {
			t.Errorf("light %d, heavy %d, foreign %d", e.cost("light", 0), e.cost("heavy", 0), e.foreign)
		}
	})
}

func TestUnitsThatOthersSpendAreObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		v := &vendor{limit: 45, light: 2, heavy: 5, sliding: true}
		for _, foreign := range []int{0, 0, 39} { // two left
			done, _ := take(t, m, Request{Account: "a", Employee: "e"})
			done(v.receive(false, foreign))
		}
		done, wait := take(t, m, Request{Account: "a", Employee: "e", Heavy: true})
		if wait < 3*time.Second {
			t.Errorf("waited %v with no units left", wait)
		}
		done(v.receive(true, 0))
		if v.overrun > 0 {
			t.Error("over the budget")
		}
	})
}

// Another replica has just used the account. A replica that is new to it took all of that for the cost of its first
// request, and let later ones wait for whole intervals.
func TestUnitsThatOthersSpendAreNotTheCostOfARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		v := &vendor{limit: 45, light: 3, heavy: 5, sliding: true}
		v.receive(false, 21)
		for range 4 {
			done, wait := take(t, m, Request{Account: "a", Employee: "e", MaxUnits: 4})
			if wait > 0 {
				t.Errorf("waited %v with units left", wait)
			}
			done(v.receive(false, 0))
		}
		if got := m.employees["e"].cost("light", 4); got != 3 || v.overrun > 0 {
			t.Errorf("cost %d, want 3; %d requests over the budget", got, v.overrun)
		}
	})
}

// The vendor charges the short stock reports less than the extended ones (fact M10); both are stock
// reports to us.
func TestWeightsAreLearntByKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		for _, c := range []struct {
			kind  string
			units int
		}{{"report/stock/all", 5}, {"report/stock/all/current", 3}, {"", 2}} {
			time.Sleep(4 * time.Second) // each alone in its interval
			done, _ := take(t, m, Request{Account: "a", Employee: "e", Heavy: c.kind != "", Kind: c.kind})
			done(Feedback{Limit: 45, Remaining: 45 - c.units, Interval: 3 * time.Second})
		}
		e := m.employees["e"]
		for kind, want := range map[string]int{"report/stock/all": 5, "report/stock/all/current": 3, "light": 2,
			"never seen": 10} {
			if got := e.cost(kind, 0); got != want {
				t.Errorf("%s costs %d, want %d", kind, got, want)
			}
		}
	})
}

// The answers of requests that were on the way together may come in any order; the units left tell the order in which
// the vendor counted them, and the steps between are the weights.
func TestWeightsAreLearntFromRequestsOnTheWayTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		request := func(kind string) func(Feedback) {
			done, _ := take(t, m, Request{Account: "a", Employee: "e", Heavy: kind != "", Kind: kind})
			return done
		}
		light, extended, current := request(""), request("report/stock/all"), request("report/stock/all/current")
		left := func(n int) Feedback { return Feedback{Limit: 45, Remaining: n, Interval: 3 * time.Second} }
		current(left(34)) // counted last, answered first
		light(left(42))
		extended(left(37))
		e := m.employees["e"]
		for kind, want := range map[string]int{"light": 3, "report/stock/all": 5, "report/stock/all/current": 3} {
			if got := e.cost(kind, 0); got != want {
				t.Errorf("%s costs %d, want %d", kind, got, want)
			}
		}
	})
}
