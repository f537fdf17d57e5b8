package work_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

func TestAPublishedRunIsOfferedOnceHoweverOftenItIsPublished(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		r := someRun()
		offered, release := make(chan work.Delivery, 10), make(chan struct{})
		do := func(_ context.Context, o *work.Delivery) error {
			offered <- work.Delivery{Org: o.Org, Run: o.Run}
			if o.Run == r.ID {
				<-release
			}
			return nil
		}
		worker(t, one, do)
		if other != one {
			worker(t, other, do)
		}
		for range 5 {
			one.Publish(t.Context(), r)
			other.Publish(t.Context(), r)
		}
		if o := next(t, offered, "the offer"); o.Run != r.ID || o.Org != r.Org {
			t.Errorf("offered %s of %s", o.Run, o.Org)
		}
		for range 5 { // being worked on
			other.Publish(t.Context(), r)
		}
		last := someRun()
		other.Publish(t.Context(), last)
		if o := next(t, offered, "the next offer"); o.Run != last.ID {
			t.Errorf("the same run was offered again")
		}
		close(release)
		one.Wait()
		other.Wait()
		if n := len(offered); n != 0 {
			t.Errorf("%d more offers", n)
		}
	})
}

func TestARunThatIsDoneWithCanBePublishedAgain(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		r := someRun()
		var times atomic.Int64
		over := make(chan struct{})
		worker(t, one, func(ctx context.Context, o *work.Delivery) error {
			if times.Add(1) == 3 {
				close(over)
				return nil
			}
			if err := o.Done(ctx); err != nil {
				t.Error(err)
			}
			other.Publish(ctx, r)
			return nil
		})
		one.Publish(t.Context(), r)
		next(t, over, "the third offer")
	})
}

func TestARunIsOfferedAgainWhenItsWorkerCannotOrWillNot(t *testing.T) {
	each(t, func(t *testing.T, one, _ *work.Engine) {
		var times atomic.Int64
		over := make(chan time.Duration, 1)
		var before time.Time
		worker(t, one, func(context.Context, *work.Delivery) error {
			switch times.Add(1) {
			case 1:
				return work.Retry(0)
			case 2:
				before = time.Now()
				return work.Retry(300 * time.Millisecond)
			case 3:
				over <- time.Since(before)
				return errors.New("no database")
			case 4:
				over <- 0
			}
			return nil
		})
		one.Publish(t.Context(), someRun())
		if d := next(t, over, "the third offer"); d < 300*time.Millisecond {
			t.Errorf("offered again after %s", d)
		}
		next(t, over, "the offer after a failure")
	})
}

func TestCancellingReachesTheWorkerWhereverItIs(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		begun, ended := make(chan struct{}), make(chan error, 1)
		worker(t, one, func(ctx context.Context, _ *work.Delivery) error {
			close(begun)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil
		})
		r := someRun()
		other.Publish(t.Context(), r)
		next(t, begun, "the offer")
		other.Cancel(stockhand.NewID[stockhand.RunID]("run"))
		other.Cancel(r.ID)
		if err := next(t, ended, "the end"); !errors.Is(err, work.ErrCancelled) {
			t.Error(err)
		}
	})
}

func TestNoMoreThanAtOnceAreWorkedOnAndAllAreInTheEnd(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		const runs = 60
		var now, most, all atomic.Int64
		over := make(chan struct{})
		worker(t, one, func(context.Context, *work.Delivery) error {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
			if all.Add(1) == runs {
				close(over)
			}
			return nil
		})
		for range runs {
			other.Publish(t.Context(), someRun())
		}
		next(t, over, "the last run")
		if most.Load() > 4 {
			t.Errorf("%d at once, 4 are allowed", most.Load())
		}
	})
}

func TestEventsArriveEverywhereInTheirOrder(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		for _, here := range []*work.Engine{one, other} {
			r := someRun()
			l := here.Listen(r.ID)
			defer l.Close()
			other.Notify(stockhand.Event{Run: stockhand.NewID[stockhand.RunID]("run"), Seq: 9,
				Type: stockhand.EventNotice})
			for i := range 50 {
				one.Notify(stockhand.Event{Run: r.ID, Seq: int64(i + 1), Type: stockhand.EventNotice,
					Data: json.RawMessage(`{"n":1}`)},
					stockhand.Event{Run: r.ID, Type: stockhand.EventDelta})
			}
			last, deltas := int64(0), 0
			for last < 50 || deltas < 50 {
				next(t, l.Ready(), "the rest")
				events, missed := l.Take()
				if missed {
					t.Fatal("missed something")
				}
				for _, e := range events {
					if e.Seq == 0 {
						deltas++
						continue
					}
					stored := `{"n":1}`
					if here != one {
						stored = "null" // it is in the database
					}
					if e.Seq != last+1 || e.Run != r.ID || string(e.Data) != stored {
						t.Fatalf("%+v after %d", e, last)
					}
					last = e.Seq
				}
			}
		}
	})
}

func TestASlowListenerIsSentToTheRecordAndKeepsLittle(t *testing.T) {
	e := work.Local(nil)
	defer e.Close()
	r := someRun()
	l := e.Listen(r.ID)
	defer l.Close()
	for i := range 5000 {
		e.Notify(stockhand.Event{Run: r.ID, Seq: int64(i + 1), Type: stockhand.EventNotice})
	}
	events, missed := l.Take()
	if !missed || len(events) > 300 || events[0].Seq != 1 {
		t.Errorf("%d events kept, missed %v", len(events), missed)
	}
}

func TestAnEventTooLargeToSendIsAWakeUp(t *testing.T) {
	each(t, func(t *testing.T, one, other *work.Engine) {
		if one == other {
			t.Log("nothing is sent within a process")
			return
		}
		r := someRun()
		l := other.Listen(r.ID)
		defer l.Close()
		text, err := json.Marshal(strings.Repeat("x", 2<<20))
		if err != nil {
			t.Fatal(err)
		}
		one.Notify(stockhand.Event{Run: r.ID, Type: stockhand.EventDelta, Data: text})
		next(t, l.Ready(), "the wake-up")
		if events, missed := l.Take(); !missed || len(events) != 0 {
			t.Errorf("%d events, missed %v", len(events), missed)
		}
	})
}

func TestAListenerThatMissedSomethingIsFoundByComparingWithTheRecord(t *testing.T) {
	e := work.Local(nil)
	defer e.Close()
	behind, even, gone := someRun(), someRun(), someRun()
	var all []*work.Listener
	for _, r := range []stockhand.Run{behind, even, gone} {
		l := e.Listen(r.ID)
		defer l.Close()
		l.Reached(2)
		all = append(all, l)
	}
	if e.Followed() != 3 {
		t.Errorf("%d followed", e.Followed())
	}
	e.Compare(map[stockhand.RunID]int64{behind.ID: 3, even.ID: 2})
	for i, want := range []bool{true, false, true} {
		if _, missed := all[i].Take(); missed != want {
			t.Errorf("listener %d: sent to the record %v, want %v", i, missed, want)
		}
	}
}

func TestAnUnreachableServerIsAnErrorThatDoesNotShowThePassword(t *testing.T) {
	for _, url := range []string{"nats://user:hidden-word@127.0.0.1:1", "nats://user:hidden-word@%zz",
		"nats://user:hidden-word@127.0.0.1:port"} {
		_, err := work.Open(t.Context(), work.Config{URL: url, Ring: worktest.Ring()})
		if err == nil || strings.Contains(err.Error(), "hidden-word") {
			t.Errorf("%v", err)
		}
	}
}
