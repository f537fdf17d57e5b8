package agent

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/work"
)

// How workers send heartbeats, and how missing ones are detected.
const (
	heartbeat  = 2 * time.Second  // between two heartbeats of a worker
	silence    = work.AckWait     // without a heartbeat for this long, a run that is delivered again may be taken over
	sweepEvery = 3 * time.Second  // between searches for runs that were not delivered
	overlooked = 2 * work.AckWait // age of such runs
	watchEvery = 15 * time.Second // between comparisons of followers with the database
	// delay before a comparison after a missed event, to catch other missed events too
	settling = 150 * time.Millisecond
)

// maxClaims is the maximum number of claims of a run: one interrupted that often probably crashes its workers.
const maxClaims = 20

// Why a run's context ends, besides work.ErrCancelled.
var (
	errLost       = errors.New("another worker has the run, or it was deleted")
	errHandedOver = errors.New("handed over to another worker")
)

// Run works on delivered runs and searches for unclaimed ones, until ctx ends or the agent is drained. It returns when
// all runs claimed here are finished.
func (a *Agent) Run(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	all.Go(func() {
		select {
		case <-a.stopping:
			stop()
		case <-ctx.Done():
		}
	})
	if a.system != nil {
		all.Go(func() { a.sweep(ctx) })
		all.Go(func() { a.watch(ctx) })
	}
	a.engine.Work(ctx, a.atOnce, a.take)
	all.Wait()
}

// Drain stops the work here without losing any: it claims no more runs, lets those finish that end before ctx does,
// releases the others to other replicas, and asks followers to reconnect elsewhere.
func (a *Agent) Drain(ctx context.Context) {
	a.drained.Do(func() { close(a.stopping) })
	handOver := context.AfterFunc(ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.handingOver = true
		for _, stop := range a.working {
			stop(errHandedOver)
		}
	})
	a.engine.Stopped()
	handOver()
	a.left.Do(func() { close(a.leaving) })
}

// take handles a delivery: it checks in the database whether the run still needs work, and does it.
func (a *Agent) take(ctx context.Context, o *work.Delivery) error {
	record := context.WithoutCancel(ctx) // store what happened even if ctx has ended
	r, err := a.store.Run(record, o.Org, o.Run)
	switch {
	case unavailable(err):
		return work.Retry(databasePause)
	case stockhand.CodeOf(err) == stockhand.CodeNotFound:
		return nil // its session was deleted
	case err != nil:
		return err
	case r.State.Finished(): // by a worker that may have died before it could acknowledge
		a.engine.Notify(stockhand.Event{Run: r.ID})
		a.next(record, r)
		return nil
	case r.State == stockhand.RunRunning:
		if left := silence - time.Since(r.Updated); left > 0 {
			return work.Retry(left)
		}
	}
	held, err := a.store.ClaimRun(record, r.Org, r.ID, r.Generation)
	switch {
	case errors.Is(err, stockhand.ErrEarlierTurn):
		// First remove the delivery, then look whose turn it is: if the earlier turn ends in between, one of the two
		// publications of this run is accepted.
		if err := o.Done(record); err != nil {
			a.logger.Debug("put a run aside", "run", r.ID, "err", err)
		}
		a.next(record, r)
		return nil
	case stockhand.CodeOf(err) == stockhand.CodeConflict, stockhand.CodeOf(err) == stockhand.CodeNotFound:
		return work.Retry(silence) // another worker was faster; if it dies, this delivery is still there
	case unavailable(err):
		return work.Retry(databasePause)
	case err != nil:
		return err
	}
	if held.Generation > 1 {
		a.logger.Info("resuming a run", "run", r.ID, "generation", held.Generation)
	}
	return a.work(ctx, record, o, held)
}

// next publishes the next run of a session if it is waiting.
func (a *Agent) next(ctx context.Context, r stockhand.Run) {
	next, err := a.store.NextRun(ctx, r.Org, r.Session)
	switch {
	case err == nil && next.State == stockhand.RunQueued:
		a.engine.Publish(ctx, next)
	case err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound:
		a.logger.Warn("find the session's next turn", "session", r.Session, "err", err) // the sweeper will find it
	}
}

// work does a run that this worker holds, and finishes it. It only returns database errors; any other error ends the
// run.
func (a *Agent) work(ctx, record context.Context, o *work.Delivery, r stockhand.Run) error {
	t := &turn{Agent: a, delivery: o, org: r.Org, run: r, requests: limit.Counter{Max: maxLookUps},
		memo: tool.NewMemo()}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	a.hold(t, stop)
	defer a.drop(t)
	beating := t.beat(record, stop)
	defer func() {
		if t.taped != nil {
			t.taped(record)
		}
	}()
	reply, err := t.attempt(stockhand.WithActor(limit.WithCounter(ctx, &t.requests),
		stockhand.Actor{Org: r.Org, Name: r.By}), record)
	beating()
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, work.ErrCancelled), errors.Is(cause, errLost):
		return t.gone(record)
	case errors.Is(cause, errHandedOver) && err != nil:
		return t.release(record)
	case unavailable(err):
	case err != nil:
		err = t.fail(record, err)
	default:
		err = t.complete(record, reply)
	}
	if unavailable(err) {
		return t.releaseLater(ctx, record)
	}
	if code := stockhand.CodeOf(err); err != nil && (code == stockhand.CodeConflict || code == stockhand.CodeNotFound) {
		return t.gone(record)
	}
	if err == nil {
		a.next(record, r)
	}
	return err
}

// attempt does the turn within the time limit of a run.
func (t *turn) attempt(ctx, record context.Context) (reply, error) {
	if t.run.Generation > maxClaims {
		return reply{}, stockhand.Errorf(stockhand.CodeInternal, "the run was interrupted %d times", maxClaims)
	}
	ctx, stop := context.WithTimeout(ctx, t.timeout)
	defer stop()
	return t.do(ctx, record)
}

func (a *Agent) hold(t *turn, stop context.CancelCauseFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.working[t] = stop
	if a.handingOver {
		stop(errHandedOver)
	}
}

func (a *Agent) drop(t *turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.working, t)
}

// beat sends heartbeats until the returned function is called, however long a tool call takes. It stops the work if the
// run was cancelled, deleted, or taken over.
func (t *turn) beat(record context.Context, stop context.CancelCauseFunc) (end func()) {
	over := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() {
		beat := time.NewTicker(heartbeat)
		defer beat.Stop()
		for {
			select {
			case <-over:
				return
			case <-beat.C:
			}
			_, err := t.store.AppendEvents(record, t.org, t.run.ID, t.run.Generation)
			switch code := stockhand.CodeOf(err); {
			case err == nil:
			case code == stockhand.CodeConflict, code == stockhand.CodeNotFound:
				stop(errLost)
				return
			default: // the database may return in time
				t.logger.Warn("send a heartbeat", "run", t.run.ID, "err", err)
			}
		}
	})
	return func() {
		close(over)
		beating.Wait()
	}
}

// gone stops the work on a run that was cancelled, deleted or taken over. It counts what a cancelled run has used.
func (t *turn) gone(record context.Context) error {
	r, err := t.store.Run(record, t.org, t.run.ID)
	if err != nil || r.State != stockhand.RunCancelled {
		t.logger.Info("a run is no longer this worker's", "run", t.run.ID, "generation", t.run.Generation)
		return nil //nolint:nilerr // its current worker does the rest
	}
	t.logger.Info("a run was cancelled", "run", t.run.ID)
	if err := t.store.AddUsage(record, t.org, stockhand.Usage{By: t.run.By, Used: t.spent()}); err != nil {
		t.logger.Warn("count what a cancelled run used", "run", t.run.ID, "err", err)
	}
	return nil
}

// release releases the run so that another replica can claim it immediately.
func (t *turn) release(record context.Context) error {
	if err := t.store.ReleaseRun(record, t.org, t.run.ID, t.run.Generation); err != nil {
		t.logger.Warn("release a run", "run", t.run.ID, "err", err) // it will be taken over without heartbeats
	} else {
		t.logger.Info("released a run", "run", t.run.ID)
	}
	return work.Retry(0)
}

// The delay between attempts to reach the database, and how long a follower retries.
const (
	databasePause    = 200 * time.Millisecond
	databasePatience = time.Minute
)

// unavailable reports whether the database was unavailable, which says nothing about the run itself.
func unavailable(err error) bool { return stockhand.CodeOf(err) == stockhand.CodeDatabaseUnavailable }

// releaseLater releases the run as soon as the database is available again. Its next worker continues after the last
// stored step, or finds the run finished.
func (t *turn) releaseLater(ctx, record context.Context) error {
	t.logger.Warn("the database is away: the run waits for it", "run", t.run.ID)
	for {
		err := t.store.ReleaseRun(record, t.org, t.run.ID, t.run.Generation)
		if !unavailable(err) {
			return work.Retry(0)
		}
		select {
		case <-ctx.Done():
			return work.Retry(0)
		case <-time.After(databasePause):
		}
	}
}

// sweep publishes unclaimed runs again: at the start all unfinished ones, which an earlier process may have left, and
// then those without writes for a while.
func (a *Agent) sweep(ctx context.Context) {
	for since := time.Now(); ; since = time.Now().Add(-overlooked) {
		runs, err := a.system.Overlooked(ctx, since)
		if err != nil && ctx.Err() == nil {
			a.logger.Warn("look for overlooked runs", "err", err)
		}
		for _, r := range runs {
			a.engine.Publish(ctx, r)
		}
		if !pause(ctx, sweepEvery) {
			return
		}
	}
}

// watch tells followers that have missed something to read the database, with one query for all of them.
func (a *Agent) watch(ctx context.Context) {
	for {
		every, stop := context.WithTimeout(ctx, spread(watchEvery))
		select {
		case <-every.Done():
		case <-a.engine.Missed():
			pause(ctx, settling)
		}
		stop()
		if ctx.Err() != nil {
			return
		}
		if a.engine.Followed() == 0 {
			continue
		}
		unfinished, err := a.system.UnfinishedLogs(ctx)
		if err == nil {
			a.engine.Compare(unfinished)
		} else if ctx.Err() == nil {
			a.logger.Warn("look what followers have missed", "err", err)
		}
	}
}

// spread returns d plus up to a third, so that replicas do not query at the same time.
func spread(d time.Duration) time.Duration { return d + rand.N(d/3) }

// pause waits about that long and reports whether ctx is still active.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(spread(d))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
