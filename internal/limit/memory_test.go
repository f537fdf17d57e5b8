package limit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// take acquires and returns how long that took.
func take(t *testing.T, m *Memory, r Request) (func(Feedback), time.Duration) {
	t.Helper()
	start := time.Now()
	done, err := m.Acquire(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return done, time.Since(start)
}

func TestIdleAccountAnswersAtOnceAndTheSeventhWaitsASecondAfterAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{InFlight: 10})
		start := time.Now()
		var dones []func(Feedback)
		for range 6 {
			done, wait := take(t, m, Request{Account: "a"})
			if wait != 0 {
				t.Fatalf("waited %v for an idle account", wait)
			}
			dones = append(dones, done)
		}
		go func() {
			time.Sleep(300 * time.Millisecond)
			dones[0](Feedback{})
			time.Sleep(time.Minute)
			for _, done := range dones[1:] {
				done(Feedback{})
			}
		}()
		done, _ := take(t, m, Request{Account: "a"})
		if got, want := time.Since(start), 1305*time.Millisecond; got != want {
			t.Errorf("the seventh went after %v, want %v: a second after the first answer, not after the sending", got,
				want)
		}
		done(Feedback{})
		time.Sleep(2 * time.Minute)
	})
}

func TestLightRequestPassesAHeavyOneThatWaitsForItsOwnRule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		for range 2 {
			done, _ := take(t, m, Request{Account: "a", Heavy: true})
			done(Feedback{})
		}
		var heavyAt time.Time
		go func() {
			done, _ := take(t, m, Request{Account: "a", Heavy: true})
			heavyAt = time.Now()
			done(Feedback{})
		}()
		synctest.Wait()
		start := time.Now()
		done, wait := take(t, m, Request{Account: "a"})
		if wait != 0 {
			t.Errorf("a light request waited %v behind a heavy one", wait)
		}
		done(Feedback{})
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := heavyAt.Sub(start); got != 1005*time.Millisecond {
			t.Errorf("the third heavy request went after %v", got)
		}
	})
}

func TestHeavyRequestIsNotStarvedByAFloodOfLightOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		ctx, stop := context.WithCancel(t.Context())
		for i := range 5 {
			go func() {
				for {
					done, err := m.Acquire(ctx, Request{Account: "a", Employee: fmt.Sprint(i)})
					if err != nil {
						return
					}
					time.Sleep(time.Millisecond)
					done(Feedback{})
				}
			}()
		}
		time.Sleep(5 * time.Second)
		for range 4 {
			done, wait := take(t, m, Request{Account: "a", Heavy: true, Employee: "h"})
			if wait > 2100*time.Millisecond {
				t.Errorf("a heavy request waited %v", wait)
			}
			done(Feedback{})
		}
		stop()
		synctest.Wait()
	})
}

// A request of an unknown account needs a slot in every account, and one account was busy: all the others waited.
func TestAttackAnUnknownAccountBlocksNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{InFlight: 10})
		var busy []func(Feedback)
		for range 6 {
			done, _ := take(t, m, Request{Account: "busy"})
			busy = append(busy, done)
		}
		granted := make(chan time.Time, 2)
		for range 2 {
			go func() {
				done, _ := take(t, m, Request{})
				granted <- time.Now()
				done(Feedback{})
			}()
			synctest.Wait()
		}
		for i := range 5 { // the sixth slot is kept for the request that waits
			done, wait := take(t, m, Request{Account: "other"})
			if wait != 0 {
				t.Fatalf("request %d of another account waited %s", i, wait)
			}
			done(Feedback{})
		}
		time.Sleep(time.Minute)
		began := time.Now()
		for _, done := range busy {
			done(Feedback{})
		}
		for range 2 {
			if wait := (<-granted).Sub(began); wait != 1005*time.Millisecond {
				t.Errorf("the unknown account waited %s", wait)
			}
		}
	})
}

func TestAnUnknownAccountIsNotStarved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		ctx, stop := context.WithCancel(t.Context())
		var busy sync.WaitGroup
		for i := range 20 {
			busy.Go(func() {
				for {
					done, err := m.Acquire(ctx, Request{Account: fmt.Sprint(i % 2), Employee: fmt.Sprint(i)})
					if err != nil {
						return
					}
					time.Sleep(time.Millisecond * time.Duration(i))
					done(Feedback{})
				}
			})
		}
		time.Sleep(5 * time.Second)
		for range 4 {
			done, wait := take(t, m, Request{})
			if wait > 3*time.Second {
				t.Errorf("a request of an unknown account waited %s", wait)
			}
			done(Feedback{})
		}
		stop()
		busy.Wait()
	})
}

func TestInteractiveGoesBeforeBackgroundAndEachInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{PerSecond: 1})
		first, _ := take(t, m, Request{Account: "a"})
		var mu sync.Mutex
		var order []string
		ask := func(name string, background bool) {
			go func() {
				done, _ := take(t, m, Request{Account: "a", Background: background, Employee: name})
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
				done(Feedback{})
			}()
			synctest.Wait()
		}
		ask("b1", true)
		ask("b2", true)
		ask("i1", false)
		ask("i2", false)
		first(Feedback{})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if want := []string{"i1", "i2", "b1", "b2"}; !slices.Equal(order, want) {
			t.Errorf("order %v, want %v", order, want)
		}
	})
}

func TestEndedContextFreesItsPlaceInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{PerSecond: 1})
		first, _ := take(t, m, Request{Account: "a"})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := m.Acquire(ctx, Request{Account: "a"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if n := len(m.queues[0]); n != 0 {
			t.Errorf("%d still in the queue", n)
		}
		first(Feedback{})
		done, wait := take(t, m, Request{Account: "a"})
		if wait != 1005*time.Millisecond {
			t.Errorf("waited %v", wait)
		}
		done(Feedback{})
		done(Feedback{}) // a second call changes nothing
		if e := m.employees[""]; e.inFlight != 0 {
			t.Errorf("%d in flight", e.inFlight)
		}
	})
}

func TestUnknownAccountCountsAgainstEveryAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(Config{})
		for range 6 {
			done, _ := take(t, m, Request{Account: "a"})
			done(Feedback{})
		}
		done, wait := take(t, m, Request{})
		if wait != 1005*time.Millisecond {
			t.Errorf("an unknown account waited %v while a known one was full", wait)
		}
		done(Feedback{})
		for _, account := range []string{"a", "b"} {
			for i := range 6 {
				done, wait := take(t, m, Request{Account: account})
				if (wait > 0) != (i == 5 && account == "a") { // five beside the unknown one; later its second is over
					t.Errorf("request %d of %s waited %v", i, account, wait)
				}
				done(Feedback{})
			}
		}
	})
}

// TestNoSlidingSecondHoldsMore: whatever arrives, however long answers take, the receiving side sees at most six
// requests and two stock reports in any second, and the whole takes no longer than the rules make it.
func TestNoSlidingSecondHoldsMore(t *testing.T) {
	type request struct {
		Wait, There, Back int // milliseconds before asking, to the receiver, and from it
		Account           string
		Heavy, Background bool
		Cancel            bool
	}
	gen := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) request {
		return request{
			Wait: rapid.IntRange(0, 3000).Draw(t, "wait"), There: rapid.IntRange(0, 900).Draw(t, "there"),
			Back:    rapid.IntRange(0, 900).Draw(t, "back"),
			Account: rapid.SampledFrom([]string{"a", "a", "a", "b", ""}).Draw(t, "account"),
			Heavy:   rapid.Bool().Draw(t, "heavy"), Background: rapid.Bool().Draw(t, "background"),
			Cancel: rapid.IntRange(0, 9).Draw(t, "cancel") == 0,
		}
	}), 1, 60)
	rapid.Check(t, func(rt *rapid.T) {
		plan := gen.Draw(rt, "plan")
		seen := map[string][2][]time.Time{} // all, heavy
		synctest.Test(t, func(t *testing.T) {
			m := New(Config{})
			var mu sync.Mutex
			var wg sync.WaitGroup
			for i, r := range plan {
				wg.Go(func() {
					time.Sleep(time.Duration(r.Wait) * time.Millisecond)
					ctx := t.Context()
					if r.Cancel {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, time.Duration(r.Back)*time.Millisecond)
						defer cancel()
					}
					done, err := m.Acquire(ctx,
						Request{Account: r.Account, Employee: fmt.Sprint(i % 4), Heavy: r.Heavy,
							Background: r.Background})
					if err != nil {
						return
					}
					time.Sleep(time.Duration(r.There) * time.Millisecond)
					mu.Lock()
					for _, account := range []string{"a", "b"} {
						if r.Account == account || r.Account == "" {
							s := seen[account]
							s[0] = append(s[0], time.Now())
							if r.Heavy {
								s[1] = append(s[1], time.Now())
							}
							seen[account] = s
						}
					}
					mu.Unlock()
					time.Sleep(time.Duration(r.Back) * time.Millisecond)
					done(Feedback{})
				})
			}
			wg.Wait()
			if len(m.queues[0])+len(m.queues[1]) > 0 {
				rt.Error("a request is left in the queue")
			}
		})
		for account, s := range seen {
			for i, limit := range []int{6, 2} {
				if gap, ok := closest(s[i], limit); ok && gap <= time.Second {
					rt.Fatalf("account %s: %d requests within %v", account, limit+1, gap)
				}
			}
		}
	})
}

// closest is the shortest span that holds more than limit of the moments.
func closest(moments []time.Time, limit int) (time.Duration, bool) {
	moments = slices.SortedFunc(slices.Values(moments), time.Time.Compare)
	best, ok := time.Duration(0), false
	for i := limit; i < len(moments); i++ {
		if gap := moments[i].Sub(moments[i-limit]); !ok || gap < best {
			best, ok = gap, true
		}
	}
	return best, ok
}

func TestThroughputIsWithinATwentiethOfTheBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(40, 200).Draw(rt, "n")
		heavy := rapid.IntRange(0, n/4).Draw(rt, "heavy")
		latency := time.Duration(rapid.IntRange(0, 20).Draw(rt, "latency")) * time.Millisecond
		var took time.Duration
		synctest.Test(t, func(t *testing.T) {
			m := New(Config{})
			start := time.Now()
			var mu sync.Mutex
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					done, _ := take(t, m, Request{Account: "a", Employee: fmt.Sprint(i % 2), Heavy: i < heavy})
					mu.Lock()
					took = max(took, time.Since(start))
					mu.Unlock()
					time.Sleep(latency)
					done(Feedback{})
				})
				synctest.Wait()
			}
			wg.Wait()
		})
		if bound := Bound(n, heavy, Config{}, Vendor{}); float64(took) > 1.05*float64(bound) {
			rt.Fatalf("%d requests, %d heavy: %v, bound %v", n, heavy, took, bound)
		}
	})
}
