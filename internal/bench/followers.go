package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/work"
)

// followers is the number of followers open at once, each of a different run.
const followers = 10_000

// measureFollowers opens followers of waiting runs and sends them events. It prints the memory per follower and how
// many events per second reach their followers, without HTTP.
func measureFollowers(ctx context.Context, n int) (err error) {
	db, err := store.Open(ctx, "", nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	runs, err := waitingRuns(ctx, db, n)
	if err != nil {
		return err
	}
	engine, err := work.Open(ctx, work.Config{})
	if err != nil {
		return err
	}
	defer engine.Close()
	a := agent.New(agent.Config{Store: db, System: db.System(), Engine: engine})
	fmt.Printf("\n%d followers of as many runs, in this process\n", n)

	before := memory()
	began := time.Now()
	own := open(ctx, a, runs)
	opened := time.Since(began)
	after := memory()
	per := func(a, b uint64) float64 { return float64(int64(b)-int64(a)) / 1024 / float64(n) }
	fmt.Printf("%-44s %10.1f KiB (%.1f heap, %.1f stacks)\n", "memory of one",
		per(before.HeapAlloc+before.StackInuse, after.HeapAlloc+after.StackInuse),
		per(before.HeapAlloc, after.HeapAlloc), per(before.StackInuse, after.StackInuse))
	fmt.Printf("%-44s %10.0f a second\n", "opened, each reading the database once", float64(n)/opened.Seconds())
	const rounds = 30
	fmt.Printf("%-44s %10.0f a second\n", "events, each to the one follower of a run",
		own.receive(engine, runs, rounds))
	own.close()

	const crowd = 1000
	same := make([]stockhand.Run, crowd)
	for i := range same {
		same[i] = runs[0]
	}
	many := open(ctx, a, same)
	fmt.Printf("%-44s %10.0f a second\n", fmt.Sprintf("events of one run, to each of %d followers", crowd),
		many.receive(engine, runs[:1], 200))
	many.close()
	return nil
}

// waitingRuns stores runs that no worker claims.
func waitingRuns(ctx context.Context, db *store.DB, n int) ([]stockhand.Run, error) {
	org, err := db.CreateOrganization(ctx, stockhand.NewID[stockhand.OrgID]("org"), "bench")
	if err != nil {
		return nil, err
	}
	session, err := db.CreateSession(ctx, org.ID, stockhand.Session{})
	if err != nil {
		return nil, err
	}
	runs := make([]stockhand.Run, n)
	for i := range runs {
		if _, runs[i], err = db.CreateRun(ctx, org.ID, stockhand.Message{Session: session.ID, Text: "x"},
			stockhand.Event{Type: stockhand.EventStart}); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// audience is a set of open followers.
type audience struct {
	size  int
	heard atomic.Int64 // events received live
	stop  context.CancelFunc
	over  sync.WaitGroup
}

// open opens a follower of each run and returns when all have read the stored events.
func open(ctx context.Context, a *agent.Agent, runs []stockhand.Run) *audience {
	l := &audience{size: len(runs)}
	ctx, l.stop = context.WithCancel(ctx)
	var caught sync.WaitGroup
	caught.Add(len(runs))
	for _, r := range runs {
		l.over.Go(func() {
			for e, err := range a.Follow(ctx, r.Org, r.ID, 0) {
				switch {
				case err != nil: // closed
				case e.Seq == 1:
					caught.Done()
				default:
					l.heard.Add(1)
				}
			}
		})
	}
	caught.Wait()
	return l
}

// receive sends that many events to each run and returns how many per second reached a follower.
func (l *audience) receive(engine *work.Engine, runs []stockhand.Run, rounds int) float64 {
	began := time.Now()
	data := json.RawMessage(`{"content":"слово ","offset":120}`)
	for round := range rounds {
		for _, r := range runs {
			engine.Notify(stockhand.Event{Run: r.ID, Type: stockhand.EventDelta, Data: data, At: began})
		}
		for l.heard.Load() < int64(l.size)*int64(round+1) {
			runtime.Gosched()
		}
	}
	return float64(l.heard.Load()) / time.Since(began).Seconds()
}

func (l *audience) close() {
	l.stop()
	l.over.Wait()
}

// memory returns the memory statistics after a garbage collection.
func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC() // the second collection shrinks stacks
	runtime.ReadMemStats(&m)
	return m
}
