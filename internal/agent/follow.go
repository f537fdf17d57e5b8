package agent

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/work"
)

// ErrLeaving means that this replica is shutting down: reconnect to another one with the last number.
var ErrLeaving = errors.New("this replica is shutting down: reconnect with the last entry's number")

// Follow yields the stored log entries of a run after the given number, each once and in order, then new entries as
// they are added, until the entry that ends the run. It serves live streams, reconnects and replay. Deltas and progress
// are yielded live with number 0 and are not part of the log.
//
// A follower that has caught up only queries the database for what another replica announces or what it has missed: the
// engine delivers events of this replica. Follow ends with [ErrLeaving] when the agent is drained.
func (a *Agent) Follow(ctx context.Context, org stockhand.OrgID, id stockhand.RunID,
	after int64) iter.Seq2[stockhand.Event, error] {
	return func(yield func(stockhand.Event, error) bool) {
		heard := a.engine.Listen(id)
		defer heard.Close()
		f := follower{agent: a, org: org, run: id, last: after, yield: yield}
		for f.read(ctx) {
			heard.Reached(f.last)
			if !f.live(ctx, heard) {
				return
			}
		}
	}
}

// follower is one reader of a run's log. Its methods report whether there is more to do.
type follower struct {
	agent *Agent
	org   stockhand.OrgID
	run   stockhand.RunID
	last  int64 // the number of the last yielded entry
	yield func(stockhand.Event, error) bool
}

// read yields the stored entries that the reader does not have. It retries while the database is unavailable.
func (f *follower) read(ctx context.Context) bool {
	began := time.Now()
	for {
		more, err := f.readOnce(ctx)
		if err == nil {
			return more
		}
		if !unavailable(err) || time.Since(began) > databasePatience || !pause(ctx, databasePause) {
			f.yield(stockhand.Event{}, err)
			return false
		}
	}
}

func (f *follower) readOnce(ctx context.Context) (more bool, err error) {
	r, err := f.agent.store.Run(ctx, f.org, f.run) // read the run first: the log of a finished run is complete
	if err != nil {
		return false, err
	}
	for {
		events, err := f.agent.store.Events(ctx, f.org, f.run, f.last, page)
		if err != nil {
			return false, err
		}
		for _, e := range events {
			if !f.entry(e) {
				return false, nil
			}
		}
		if len(events) < page {
			return !r.State.Finished(), nil
		}
	}
}

// live yields events as they arrive, until the database must be read again.
func (f *follower) live(ctx context.Context, heard *work.Listener) bool {
	for {
		select {
		case <-ctx.Done():
			f.yield(stockhand.Event{}, context.Cause(ctx))
			return false
		case <-f.agent.leaving:
			if again, more := f.take(ctx, heard); again || more {
				f.yield(stockhand.Event{}, ErrLeaving)
			}
			return false
		case <-heard.Ready():
			if again, more := f.take(ctx, heard); again || !more {
				return again
			}
		}
	}
}

// take yields the received events; again means that the database must be read, more that the run continues. An entry
// that another replica announced, or that follows a gap, is read from the database, to keep the order of the entries.
func (f *follower) take(ctx context.Context, heard *work.Listener) (again, more bool) {
	events, missed := heard.Take()
	for _, e := range events {
		switch {
		case e.Seq == 0:
			if !f.yield(e, nil) {
				return false, false
			}
		case e.Seq == f.last+1 && e.Type != "":
			if !f.entry(e) {
				return false, false
			}
		case e.Seq > f.last:
			if !f.read(ctx) {
				return false, false
			}
		}
	}
	return missed, true
}

// entry yields a log entry, and reports whether more can follow.
func (f *follower) entry(e stockhand.Event) bool {
	f.last = e.Seq
	return f.yield(e, nil) && !ends(e.Type)
}

// page is how many entries are read at once.
const page = 200

// log reads the complete log of a run.
func (a *Agent) log(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) ([]stockhand.Event, error) {
	var all []stockhand.Event
	for {
		after := int64(0)
		if len(all) > 0 {
			after = all[len(all)-1].Seq
		}
		events, err := a.store.Events(ctx, org, id, after, page)
		all = append(all, events...)
		if err != nil || len(events) < page {
			return all, err
		}
	}
}

// ends reports whether an entry of the type is the last of a log.
func ends(t stockhand.EventType) bool {
	return t == stockhand.EventComplete || t == stockhand.EventError || t == stockhand.EventCancelled
}
