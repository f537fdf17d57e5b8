package work_test

import (
	"context"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// The server's memory is lost with it: what was queued is in the record, and what is published meanwhile is worked on
// here.
func TestALostServerStopsNothingAndIsFoundAgain(t *testing.T) {
	noneLeft(t)
	c := worktest.New(t)
	one, other := open(t, c.URL()), open(t, c.URL())
	taken := make(chan stockhand.RunID, 10)
	held, release := make(chan struct{}), make(chan struct{})
	first := someRun()
	worker(t, one, func(_ context.Context, o *work.Delivery) error {
		if o.Run == first.ID {
			close(held)
			<-release
		}
		taken <- o.Run
		return nil
	})
	other.Publish(t.Context(), first)
	next(t, held, "the offer")

	c.Stop()
	meanwhile := someRun()
	one.Publish(t.Context(), meanwhile)
	if got := next(t, taken, "work without a server"); got != meanwhile.ID {
		t.Errorf("took %s", got)
	}
	close(release) // what was begun ends, though no replica can learn of it
	if got := next(t, taken, "the end of what was begun"); got != first.ID {
		t.Errorf("took %s", got)
	}
	if one.Ready() {
		t.Error("it says that the queue is there")
	}

	c.Start()
	next(t, one.Missed(), "the word that something may have been missed")
	next(t, other.Missed(), "the word that something may have been missed")
	after := someRun()
	other.Publish(t.Context(), after)
	if got := next(t, taken, "work with a new server"); got != after.ID {
		t.Errorf("took %s", got)
	}
	l := one.Listen(after.ID)
	defer l.Close()
	until := time.Now().Add(soon)
	for heard := false; !heard && time.Now().Before(until); {
		other.Notify(stockhand.Event{Run: after.ID, Type: stockhand.EventDelta})
		select {
		case <-l.Ready():
			heard = true
		case <-time.After(50 * time.Millisecond):
		}
	}
	if events, _ := l.Take(); len(events) == 0 {
		t.Error("nothing is heard any more")
	}
}

// The connection of a worker that dies is cut, and its run is offered to another within seconds.
func TestARunWhoseWorkerDiesIsOfferedToAnother(t *testing.T) {
	t.Parallel()
	c := worktest.New(t)
	one, err := work.Open(t.Context(), work.Config{URL: c.URL(), Ring: worktest.Ring()})
	if err != nil {
		t.Fatal(err)
	}
	other := open(t, c.URL())
	held, release, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		ctx, stop := context.WithCancel(context.Background())
		one.Work(ctx, 1, func(context.Context, *work.Delivery) error {
			close(held)
			<-release
			stop()
			return nil
		})
	}()
	other.Publish(t.Context(), someRun())
	next(t, held, "the offer")
	work.Cut(one)
	died := time.Now()
	taken := make(chan time.Duration, 1)
	worker(t, other, func(context.Context, *work.Delivery) error {
		taken <- time.Since(died)
		return nil
	})
	t.Logf("taken over after %s", next(t, taken, "the offer to another").Round(time.Millisecond))
	close(release)
	<-over
	one.Close()
}

// A worker that lives keeps its run for longer than the queue's patience.
func TestALongRunIsNotOfferedToAnotherWhileItsWorkerLives(t *testing.T) {
	t.Parallel()
	c := worktest.New(t)
	one, other := open(t, c.URL()), open(t, c.URL())
	offers := make(chan struct{}, 10)
	do := func(context.Context, *work.Delivery) error {
		offers <- struct{}{}
		time.Sleep(work.AckWait + work.AckWait/2) // what is tested is that this time passes
		return nil
	}
	worker(t, one, do)
	worker(t, other, do)
	one.Publish(t.Context(), someRun())
	next(t, offers, "the offer")
	one.Wait()
	other.Wait()
	if n := len(offers); n != 0 {
		t.Errorf("offered %d more times", n)
	}
}
