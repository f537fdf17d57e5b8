package agent_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// longTask asks for several lists and reports; at 50 ms an answer there is time to kill.
const longTask = "что заканчивается на складах?"

// A run survives the process (rule R53). Killed in the middle of a tool call of several requests, again and
// again, it goes on after each restart; the reader that reconnects sees each entry once; nothing is asked after the
// call was finished.
func TestARunKilledAtRandomTimesIsFinishedAndReadCompletely(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		faster := o.slowly(".", 60*time.Millisecond)
		front := o.replica("", false) // takes the task, works on nothing
		turn, err := front.Start(t.Context(), o.org, agent.Task{Text: longTask, Connection: o.account})
		if err != nil {
			t.Fatal(err)
		}
		var r reader
		kills := 3
		if testing.Short() { // each is followed by seconds of waiting
			kills = 1
		}
		killed := 0
		for {
			if killed == kills {
				faster()
			}
			p := o.process("", turn.Run, r.last())
			var dying *time.Timer
			for {
				e, more := p.event()
				if !more {
					break
				}
				r.see(e)
				if e.Type == stockhand.EventToolStarted && killed < kills {
					dying = time.AfterFunc(rand.N(150*time.Millisecond), func() { _ = p.cmd.Process.Kill() })
				}
			}
			if dying != nil {
				dying.Stop()
			}
			p.kill()
			if r.count(stockhand.EventComplete)+r.count(stockhand.EventError) > 0 {
				break
			}
			killed++
		}
		r.whole(t)
		if n := r.count(stockhand.EventToolCompleted); n != 1 {
			t.Errorf("the call was finished %d times", n)
		}
		f, err := front.Finished(t.Context(), o.org, turn.Run)
		if err != nil || len(f.ToolCalls) != 1 || len(f.Results) != 1 || f.FinalResponse == "" {
			t.Errorf("%+v, %v", f, err)
		}
		t.Logf("%d kills; the call was begun %d times; %d requests in all, the last worker sent %d",
			killed, r.count(stockhand.EventToolStarted), len(o.server.Requests()), f.ExternalRequests)
	})
}

// Two replicas on one Postgres and one NATS: the first is killed, and the second goes on within seconds.
func TestAKilledReplicasRunContinuesElsewhereWithinSeconds(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		nats := worktest.New(t)
		o := newOffice(t, database)
		faster := o.slowly("report", 30*time.Second) // longer than the second replica takes to start
		front := o.replica(nats.URL(), false)
		first := o.process(nats.URL(), "", 0)
		turn, err := front.Start(t.Context(), o.org, agent.Task{Text: longTask, Connection: o.account})
		if err != nil {
			t.Fatal(err)
		}
		var r reader
		followed := make(chan error, 1)
		go func() { followed <- r.follow(t.Context(), front.Agent, o.org, turn.Run) }()
		o.awaitReport()
		o.process(nats.URL(), "", 0)
		first.kill()
		died := time.Now()
		faster()
		for r.count(stockhand.EventToolStarted) < 2 && time.Since(died) < time.Minute {
			time.Sleep(5 * time.Millisecond)
		}
		took := time.Since(died)
		if err := <-followed; err != nil {
			t.Fatal(err)
		}
		r.whole(t)
		t.Logf("the second replica took the run over %s after the first was killed, and finished it after %s",
			took.Round(time.Millisecond), time.Since(died).Round(time.Millisecond))
		if r.count(stockhand.EventToolStarted) != 2 || r.count(stockhand.EventToolCompleted) != 1 {
			t.Errorf("the call was begun %d times and finished %d times", r.count(stockhand.EventToolStarted),
				r.count(stockhand.EventToolCompleted))
		}
		if got, err := front.db.Run(t.Context(), o.org, turn.Run); err != nil || got.Generation != 2 ||
			got.State != stockhand.RunDone {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// A replica that is shut down hands its runs over, and its followers go on elsewhere.
func TestADrainedReplicaReleasesItsRunsImmediately(t *testing.T) {
	t.Parallel()
	nats := worktest.New(t)
	o := newOffice(t, storetest.SQLite(t))
	faster := o.slowly("report", 30*time.Second)
	first := o.replica(nats.URL(), true)
	turn, err := first.Start(t.Context(), o.org, agent.Task{Text: longTask, Connection: o.account})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	followed := make(chan error, 1)
	go func() { followed <- r.follow(t.Context(), first.Agent, o.org, turn.Run) }()
	o.awaitReport()
	second := o.replica(nats.URL(), true)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond) // what is not finished by then is handed over
	defer stop()
	first.Drain(ctx)
	drained := time.Now()
	faster()
	if err := <-followed; !errors.Is(err, agent.ErrLeaving) {
		t.Errorf("the follower got %v", err)
	}
	if err := r.follow(t.Context(), second.Agent, o.org, turn.Run); err != nil {
		t.Fatal(err)
	}
	r.whole(t)
	t.Logf("finished elsewhere %s after the drain", time.Since(drained).Round(time.Millisecond))
	if got, err := second.db.Run(t.Context(), o.org, turn.Run); err != nil || got.Generation != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestADrainedReplicaLetsShortRunsFinish(t *testing.T) {
	t.Parallel()
	o := newOffice(t, storetest.SQLite(t))
	o.slowly(".", 20*time.Millisecond)
	only := o.replica("", true)
	turn, err := only.Start(t.Context(), o.org, agent.Task{Text: longTask, Connection: o.account})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	followed := make(chan error, 1)
	go func() { followed <- r.follow(t.Context(), only.Agent, o.org, turn.Run) }()
	r.await(t, stockhand.EventToolStarted)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	only.Drain(ctx)
	if err := <-followed; err != nil {
		t.Error(err)
	}
	r.whole(t)
}

// NATS is stopped in the middle and started again with an empty memory: what was begun ends, what came meanwhile is
// done, what waited is found again.
func TestALostQueueLosesNoRun(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		nats := worktest.New(t)
		o := newOffice(t, database)
		o.slowly(".", 30*time.Millisecond)
		replicas := []*replica{o.replica(nats.URL(), true), o.replica(nats.URL(), true)}
		var readers [30]reader
		var followed sync.WaitGroup
		start := func(i int) {
			turn, err := replicas[i%2].Start(t.Context(), o.org,
				agent.Task{Text: "сколько денег на счетах?", Connection: o.account})
			if err != nil {
				t.Error(err)
				return
			}
			followed.Go(func() {
				if err := readers[i].follow(t.Context(), replicas[(i+1)%2].Agent, o.org, turn.Run); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			})
		}
		for i := range 10 {
			start(i)
		}
		nats.Stop()
		for i := 10; i < 20; i++ {
			start(i)
		}
		nats.Start()
		for i := 20; i < 30; i++ {
			start(i)
		}
		followed.Wait()
		for i := range readers {
			readers[i].whole(t)
		}
	})
}

// Turns of one session run one after another (rule R54), in the order they were sent.
func TestConcurrentTurnsOfASessionRunInOrder(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		nats := worktest.New(t)
		o := newOffice(t, database)
		replicas := []*replica{o.replica(nats.URL(), true), o.replica(nats.URL(), true)}
		first, err := replicas[0].Start(t.Context(), o.org, agent.Task{Text: "привет", Connection: o.account})
		if err != nil {
			t.Fatal(err)
		}
		const turns = 20
		var all sync.WaitGroup
		for i := range turns {
			all.Go(func() {
				turn, err := replicas[i%2].Start(t.Context(), o.org,
					agent.Task{Text: "сколько денег на счетах?", Session: first.Session})
				if err != nil {
					t.Error(err)
					return
				}
				var r reader
				if err := r.follow(t.Context(), replicas[(i+1)%2].Agent, o.org, turn.Run); err != nil {
					t.Error(err)
					return
				}
				r.whole(t)
			})
		}
		all.Wait()
		db := replicas[0].db
		var asked, answered []stockhand.RunID
		messages, err := db.Messages(t.Context(), o.org, first.Session, "", 200)
		if err != nil {
			t.Fatal(err)
		}
		var ended time.Time
		for _, m := range messages {
			if m.Author == stockhand.FromAgent {
				answered = append(answered, m.Run)
				continue
			}
			asked = append(asked, m.Run)
			// after the first, which is there before it is worked on
			events, err := db.Events(t.Context(), o.org, m.Run, 1, 200)
			if err != nil || len(events) == 0 {
				t.Fatal(events, err)
			}
			if events[0].At.Before(ended) {
				t.Errorf("turn %d began at %s, before the one before it ended at %s", len(asked), events[0].At, ended)
			}
			ended = events[len(events)-1].At
			if got, err := db.Run(t.Context(), o.org, m.Run); err != nil || got.State != stockhand.RunDone ||
				got.Generation != 1 {
				t.Errorf("%+v, %v", got, err)
			}
		}
		if len(asked) != turns+1 || !slices.Equal(asked, answered) {
			t.Errorf("%d tasks, %d answers, in another order", len(asked), len(answered))
		}
	})
}

func TestAQueuedTurnCanBeCancelledOnceAndLaterOnesContinue(t *testing.T) {
	t.Parallel()
	o := newOffice(t, storetest.SQLite(t))
	faster := o.slowly("report", 20*time.Second)
	only := o.replica("", true)
	var turns [3]agent.Turn
	for i := range turns {
		var err error
		turns[i], err = only.Start(t.Context(), o.org,
			agent.Task{Text: "сколько денег на счетах?", Connection: o.account, Session: turns[0].Session})
		if err != nil {
			t.Fatal(err)
		}
	}
	var last reader
	followed := make(chan error, 1)
	go func() { followed <- last.follow(t.Context(), only.Agent, o.org, turns[2].Run) }()
	o.awaitReport()
	if err := only.Cancel(t.Context(), o.org, turns[1].Run); err != nil {
		t.Error(err)
	}
	faster()
	if err := only.Cancel(t.Context(), o.org, turns[0].Run); err != nil { // running
		t.Error(err)
	}
	for _, turn := range turns[:2] {
		if err := only.Cancel(t.Context(), o.org, turn.Run); stockhand.CodeOf(err) != stockhand.CodeConflict {
			t.Errorf("cancelled twice: %v", err)
		}
		if f, err := only.Finished(t.Context(), o.org, turn.Run); err != nil || !f.Cancelled {
			t.Errorf("%+v, %v", f, err)
		}
	}
	if err := <-followed; err != nil {
		t.Error(err)
	}
	last.whole(t)
}

func TestCancellingOnOneReplicaStopsTheWorkOnAnother(t *testing.T) {
	t.Parallel()
	nats := worktest.New(t)
	o := newOffice(t, storetest.SQLite(t))
	o.slowly("report", 30*time.Second)
	working, other := o.replica(nats.URL(), true), o.replica(nats.URL(), false)
	turn, err := other.Start(t.Context(), o.org,
		agent.Task{Text: longTask, Connection: o.account, Actor: stockhand.Actor{Name: "user:1"}})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	followed := make(chan error, 1)
	go func() { followed <- r.follow(t.Context(), working.Agent, o.org, turn.Run) }()
	o.awaitReport()
	if err := other.Cancel(t.Context(), o.org, turn.Run); err != nil {
		t.Fatal(err)
	}
	cancelled := time.Now()
	if err := <-followed; err != nil {
		t.Error(err)
	}
	working.Wait() // long before the external system would have answered
	t.Logf("the worker stopped %s after the cancelling", time.Since(cancelled).Round(time.Millisecond))
	if time.Since(cancelled) > 20*time.Second {
		t.Error("the worker went on")
	}
	if len(r.faults) > 0 || r.count(stockhand.EventCancelled) != 1 {
		t.Errorf("%v, %d times cancelled", r.faults, r.count(stockhand.EventCancelled))
	}
	today := time.Now().UTC().Format(time.DateOnly)
	if used, err := other.db.Usage(t.Context(), o.org, today, today); err != nil || len(used) != 1 ||
		used[0].Runs != 1 || used[0].Requests == 0 {
		t.Errorf("%+v, %v", used, err)
	}
}

func TestARunOfADeletedSessionEnds(t *testing.T) {
	t.Parallel()
	o := newOffice(t, storetest.SQLite(t))
	o.slowly("report", 30*time.Second)
	only := o.replica("", true)
	turn, err := only.Start(t.Context(), o.org, agent.Task{Text: longTask, Connection: o.account})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	go func() { _ = r.follow(t.Context(), only.Agent, o.org, turn.Run) }()
	r.await(t, stockhand.EventToolStarted)
	if err := only.db.DeleteSession(t.Context(), o.org, turn.Session, stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	only.Wait() // the next sign of life finds nothing
}

// What ends its worker each time must not be taken up for ever.
func TestARunThatWasInterruptedTooOftenFails(t *testing.T) {
	s := newShop(t, 1)
	first := s.ask("сколько денег на счетах?")
	crashed, _, _ := s.interrupted("сколько денег на счетах?", first)
	for range 20 {
		var err error
		if crashed, err = s.db.ClaimRun(t.Context(), s.org, crashed.ID, crashed.Generation); err != nil {
			t.Fatal(err)
		}
	}
	f := s.resumed(crashed)
	if f.Failure == nil || f.Failure.Code != stockhand.CodeInternal || len(f.ToolCalls) != 0 {
		t.Errorf("%+v", f)
	}
}

func TestAReaderOfAFinishedRunGetsTheRestOfItsLogAndTheEnd(t *testing.T) {
	s := newShop(t, 1)
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "сколько денег на счетах?"})
	if err != nil {
		t.Fatal(err)
	}
	var r reader
	if err := r.follow(t.Context(), s.Agent, s.org, turn.Run); err != nil {
		t.Fatal(err)
	}
	r.whole(t)
	for after := int64(0); after <= r.last()+5; after++ {
		n := int64(0)
		for e, err := range s.Follow(t.Context(), s.org, turn.Run, after) {
			if err != nil || e.Seq != after+n+1 {
				t.Errorf("after %d: %+v, %v", after, e, err)
			}
			n++
		}
		if n != max(0, r.last()-after) {
			t.Errorf("after %d: %d entries", after, n)
		}
	}
}

// counting counts what followers ask of the record.
type counting struct {
	agent.Store
	logs atomic.Int64
}

func (c *counting) Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64,
	limit int) ([]stockhand.Event, error) {
	c.logs.Add(1)
	return c.Store.Events(ctx, org, of, after, limit)
}

func TestFollowersQueryTheDatabaseOnceAndReceiveTheRest(t *testing.T) {
	s := newShop(t, 1)
	record := &counting{Store: s.db}
	a := agent.New(agent.Config{Store: record, System: s.db.System()})
	session, err := s.db.CreateSession(t.Context(), s.org, stockhand.Session{})
	if err != nil {
		t.Fatal(err)
	}
	_, run, err := s.db.CreateRun(t.Context(), s.org, stockhand.Message{Session: session.ID, Text: "x"},
		stockhand.Event{Type: stockhand.EventStart})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.db.DeleteSession(t.Context(), s.org, stockhand.NewID[stockhand.SessionID]("ses"),
		stockhand.AuditEntry{}); stockhand.CodeOf(err) != stockhand.CodeNotFound {
		t.Fatal(err)
	}
	const followers = 200
	var begun, all sync.WaitGroup
	begun.Add(followers)
	for range followers {
		all.Go(func() {
			first := true
			for e, err := range a.Follow(t.Context(), s.org, run.ID, 0) {
				if err != nil {
					t.Error(err)
				}
				if first {
					begun.Done()
				}
				first = false
				_ = e
			}
		})
	}
	begun.Wait()
	if err := a.Cancel(t.Context(), s.org, run.ID); err != nil { // something happens
		t.Fatal(err)
	}
	all.Wait()
	if n := record.logs.Load(); n > followers {
		t.Errorf("%d reads of the log by %d followers", n, followers)
	}
}
