package work_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/work"
)

// runOf is a run of an organization, an account and an actor.
func runOf(org stockhand.OrgID, connection stockhand.ConnectionID, by string) stockhand.Run {
	r := someRun()
	r.Org, r.Connection, r.By = org, connection, by
	return r
}

// attack publishes many runs of one actor.
func attack(t *testing.T, e *work.Engine, runs int, org stockhand.OrgID) {
	t.Helper()
	for range runs {
		e.Publish(t.Context(), runOf(org, "con_1", "key:key_1"))
	}
}

// Finding H3: one key queued its runs before everybody else's.
func TestAttackOneOrganizationCannotQueueBeforeAnother(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		attack(t, other, 50, "org_flood")
		for i := range 3 {
			other.Publish(t.Context(), runOf("org_victim", "con_2", fmt.Sprint("user:", i)))
		}
		var order []stockhand.OrgID
		over := make(chan struct{})
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer close(over)
			one.Work(ctx, 1, func(ctx context.Context, o *work.Delivery) error {
				for waiting := 0; len(order) == 0 && waiting < 52 && ctx.Err() == nil; time.Sleep(time.Millisecond) {
					waiting, _, _ = one.Load() // until all are fetched
				}
				order = append(order, o.Org)
				if len(order) == 20 {
					stop()
				}
				return nil
			})
		}()
		next(t, over, "the twentieth run")
		served := 0
		for _, org := range order[:20] {
			if org == "org_victim" {
				served++
			}
		}
		if served != 3 {
			t.Errorf("served %v", order)
		}
	})
}

// Finding H3: runs that waited for a slow server, or for their account's limits, held all workers.
func TestAttackRunsThatWaitHoldNoWorker(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		release, victim := make(chan struct{}), make(chan struct{})
		var waiting sync.WaitGroup
		waiting.Add(10)
		worker(t, one, func(ctx context.Context, o *work.Delivery) error { // four workers
			if o.Org == "org_victim" {
				close(victim)
				return nil
			}
			resume := o.Wait(ctx)
			waiting.Done()
			<-release
			resume()
			return nil
		})
		attack(t, other, 10, "org_flood")
		waiting.Wait()
		if _, started, working := one.Load(); started != 10 || working != 0 {
			t.Errorf("%d started, %d of them with a slot", started, working)
		}
		other.Publish(t.Context(), runOf("org_victim", "", ""))
		next(t, victim, "the run of the other organization")
		close(release)
		one.Wait()
	})
}

func TestWhatWaitsIsBoundedForActorConnectionAndOrganization(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		release := make(chan struct{})
		var begun sync.Map // by share, *atomic.Int64
		count := func(key string) *atomic.Int64 {
			n, _ := begun.LoadOrStore(key, new(atomic.Int64))
			return n.(*atomic.Int64) //nolint:forcetypeassert // nothing else is stored
		}
		runs := map[stockhand.RunID]string{}
		for _, s := range []struct {
			org, connection, actor string
			runs                   int
		}{{"a", "1", "x", 40}, {"a", "1", "y", 40}, {"a", "2", "x", 40}, {"b", "1", "x", 40}} {
			for range s.runs {
				r := runOf(stockhand.OrgID(s.org), stockhand.ConnectionID(s.connection), s.actor)
				runs[r.ID] = s.org + s.connection + s.actor
				other.Publish(t.Context(), r)
			}
		}
		worker(t, one, func(ctx context.Context, o *work.Delivery) error {
			count(runs[o.Run]).Add(1)
			resume := o.Wait(ctx)
			<-release
			resume()
			return nil
		})
		until := time.Now().Add(soon)
		got := [4]int64{}
		for got[0]+got[1]+got[2]+got[3] < 48 && time.Now().Before(until) {
			for i, key := range []string{"a1x", "a1y", "a2x", "b1x"} {
				got[i] = count(key).Load()
			}
		}
		if got[0]+got[1]+got[2] != 32 || got[0]+got[1] > 24 || max(got[0], got[1], got[2]) > 16 || got[3] != 16 {
			t.Errorf("begun: %v", got)
		}
		close(release)
		for _, key := range []string{"a1x", "a1y", "a2x", "b1x"} {
			for count(key).Load() != 40 && time.Now().Before(until) {
				time.Sleep(time.Millisecond)
			}
			if n := count(key).Load(); n != 40 {
				t.Errorf("%s: %d runs in the end", key, n)
			}
		}
	})
}

// A run that goes on has a slot again, and the bound of workers holds.
func TestWhatGoesOnAfterWaitingIsOneOfTheWorkers(t *testing.T) {
	e := work.Local(nil)
	defer e.Close()
	var now, most atomic.Int64
	worker(t, e, func(ctx context.Context, o *work.Delivery) error {
		for range 3 {
			var calls sync.WaitGroup
			for range 3 { // at once, as a model's calls are
				calls.Go(func() { o.Wait(ctx)() })
			}
			calls.Wait()
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
		}
		return nil
	})
	for i := range 60 {
		e.Publish(t.Context(), runOf(stockhand.OrgID(fmt.Sprint(i%7)), "", ""))
	}
	e.Wait()
	if most.Load() > 4 {
		t.Errorf("%d at once, 4 are allowed", most.Load())
	}
	if _, started, working := e.Load(); started != 0 || working != 0 {
		t.Errorf("%d started and %d working in the end", started, working)
	}
}

func TestACancelledRunDoesNotWaitForAWorker(t *testing.T) {
	e := work.Local(nil)
	defer e.Close()
	ended := make(chan error, 1)
	release, busy := make(chan struct{}), make(chan struct{}, 4)
	worker(t, e, func(ctx context.Context, o *work.Delivery) error {
		if o.Org == "org_busy" {
			busy <- struct{}{}
			<-release
			return nil
		}
		resume := o.Wait(ctx)
		for range 4 {
			e.Publish(ctx, runOf("org_busy", "", ""))
		}
		for range 4 {
			<-busy
		}
		e.Cancel(o.Run)
		resume()
		ended <- context.Cause(ctx)
		return nil
	})
	e.Publish(t.Context(), runOf("org_cancelled", "", ""))
	if err := next(t, ended, "the end"); !errors.Is(err, work.ErrCancelled) {
		t.Error(err)
	}
	close(release)
	e.Wait()
	if _, started, working := e.Load(); started != 0 || working != 0 {
		t.Errorf("%d started and %d working in the end", started, working)
	}
}
