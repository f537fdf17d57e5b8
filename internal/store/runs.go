package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateRun stores a person's message, the queued run that will answer it and the first events of the run's log, all or
// nothing. The message needs a session and a text; empty ids are filled in.
func (db *DB) CreateRun(ctx context.Context, org stockhand.OrgID, task stockhand.Message, events ...stockhand.Event) (stockhand.Message, stockhand.Run, error) {
	if err := belongs(org, task.Org); err != nil {
		return stockhand.Message{}, stockhand.Run{}, err
	}
	task.Org = org
	task.ID, task.Run = orNew(task.ID, "msg"), orNew(task.Run, "run")
	task.Author, task.Text = stockhand.FromPerson, text(task.Text)
	task.Created = moment(micros(task.Created))
	r := stockhand.Run{
		ID: task.Run, Org: org, Session: task.Session, Message: task.ID, State: stockhand.RunQueued, By: task.By,
		Created: task.Created, Updated: task.Created,
	}
	err := db.write(ctx, "store the task", func(q *sqlc.Queries) error {
		if err := addMessage(ctx, q, task); err != nil {
			return err
		}
		err := q.InsertRun(ctx, sqlc.InsertRunParams{
			OrgID: string(org), ID: string(r.ID), SessionID: string(r.Session), MessageID: string(r.Message),
			Events: int64(len(events)), CreatedAt: micros(r.Created), CreatedBy: r.By,
		})
		if err != nil {
			return err
		}
		return addEvents(ctx, q, org, r.ID, int64(len(events)), r.Created, slices.Clone(events))
	})
	if err != nil {
		return stockhand.Message{}, stockhand.Run{}, err
	}
	return task, r, nil
}

// Run returns one run.
func (db *DB) Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error) {
	row, err := db.read.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(id)})
	return one(db, "run", row, err, run)
}

// Runs returns all runs of a session, the oldest first.
func (db *DB) Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error) {
	rows, err := db.read.RunsOfSession(ctx, sqlc.RunsOfSessionParams{OrgID: string(org), SessionID: string(of)})
	return many(db, "runs", rows, err, run)
}

// ClaimRun takes a queued run, or takes over a running one whose worker is gone, and returns it with the generation
// that the worker writes under. The caller says which generation it saw: of several that saw the same, one wins and
// the others get CONFLICT, as does anyone who comes to a finished run.
func (db *DB) ClaimRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, seen int64) (stockhand.Run, error) {
	var row sqlc.Run
	err := db.write(ctx, "claim the run", func(q *sqlc.Queries) (err error) {
		row, err = q.ClaimRun(ctx, sqlc.ClaimRunParams{OrgID: string(org), ID: string(id), Generation: seen, UpdatedAt: micros(time.Now())})
		return lost(ctx, q, org, id, err)
	})
	return run(row), err
}

// AppendEvents adds to the log of a run that the worker holds, and returns the events with their numbers and times. Without
// events it is a heartbeat: it moves the run's Updated and tells the worker whether the run is still its own.
func (db *DB) AppendEvents(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64, events ...stockhand.Event) ([]stockhand.Event, error) {
	return db.inRun(ctx, "append to the log", org, id, generation, events, nil)
}

// Events returns a run's log in its order: at most limit (1–200, 0 for 50) events after the one with that number; 0 begins
// at the first.
func (db *DB) Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64, limit int) ([]stockhand.Event, error) {
	rows, err := db.read.EventsAfter(ctx, sqlc.EventsAfterParams{OrgID: string(org), RunID: string(of), Seq: after, MaxRows: bounded(limit)})
	return many(db, "log", rows, err, event)
}

// FinishRun ends a run that the worker holds: its state, the last events of its log and the agent's answer, all or
// nothing. The answer may be nil; its session and run are set here.
func (db *DB) FinishRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64, state stockhand.RunState, answer *stockhand.Message, events ...stockhand.Event) ([]stockhand.Event, error) {
	if !stockhand.RunRunning.CanBecome(state) || !state.Finished() {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "a run cannot end as %q", state)
	}
	at := time.Now()
	var reply stockhand.Message
	if answer != nil {
		reply = *answer
		reply.Org, reply.Run, reply.Author = org, id, stockhand.FromAgent
		reply.ID = orNew(reply.ID, "msg")
	}
	stored := slices.Clone(events)
	err := db.write(ctx, "finish the run", func(q *sqlc.Queries) error {
		if answer != nil {
			row, err := q.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(id)})
			if err != nil {
				return absent("run", err)
			}
			reply.Session = stockhand.SessionID(row.SessionID)
			if err := addMessage(ctx, q, reply); err != nil {
				return err
			}
		}
		last, err := q.FinishRun(ctx, sqlc.FinishRunParams{
			OrgID: string(org), ID: string(id), Generation: generation, State: string(state), Added: int64(len(stored)), At: micros(at),
		})
		if err != nil {
			return lost(ctx, q, org, id, err)
		}
		return addEvents(ctx, q, org, id, last, at, stored)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// CancelRun ends a run for a person, whoever holds it: the worker finds out at its next write. CONFLICT when the run
// was finished already.
func (db *DB) CancelRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, events ...stockhand.Event) ([]stockhand.Event, error) {
	at := time.Now()
	stored := slices.Clone(events)
	err := db.write(ctx, "cancel the run", func(q *sqlc.Queries) error {
		last, err := q.CancelRun(ctx, sqlc.CancelRunParams{OrgID: string(org), ID: string(id), Added: int64(len(stored)), At: micros(at)})
		if err != nil {
			return lost(ctx, q, org, id, err)
		}
		return addEvents(ctx, q, org, id, last, at, stored)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// inRun is every write of a worker: the fence, what more there is to store, and the events that tell of it.
func (db *DB) inRun(ctx context.Context, doing string, org stockhand.OrgID, id stockhand.RunID, generation int64, events []stockhand.Event, more func(q *sqlc.Queries) error) ([]stockhand.Event, error) {
	at := time.Now()
	stored := slices.Clone(events)
	err := db.write(ctx, doing, func(q *sqlc.Queries) error {
		last, err := q.ExtendRun(ctx, sqlc.ExtendRunParams{OrgID: string(org), ID: string(id), Generation: generation, Added: int64(len(stored)), At: micros(at)})
		if err != nil {
			return lost(ctx, q, org, id, err)
		}
		if more != nil {
			if err := more(q); err != nil {
				return err
			}
		}
		return addEvents(ctx, q, org, id, last, at, stored)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// addEvents stores events whose last gets the number last, and fills in what the store decides.
func addEvents(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.RunID, last int64, at time.Time, events []stockhand.Event) error {
	for i := range events {
		e := &events[i]
		data, err := object("an event", e.Data)
		if err != nil {
			return err
		}
		if e.At.IsZero() {
			e.At = at
		}
		e.Run, e.Seq, e.Data, e.At = id, last-int64(len(events)-1-i), []byte(data), moment(micros(e.At))
		err = q.InsertEvent(ctx, sqlc.InsertEventParams{OrgID: string(org), RunID: string(id), Seq: e.Seq, Type: string(e.Type), Data: data, At: micros(e.At)})
		if err != nil {
			return err
		}
	}
	return nil
}

// absent turns "no rows" into NOT_FOUND.
func absent(what string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return missing(what)
	}
	return err
}

// lost says why a conditional update of a run found nothing.
func lost(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.RunID, err error) error {
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	row, err := q.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(id)})
	if err != nil {
		return absent("run", err)
	}
	if stockhand.RunState(row.State).Finished() {
		return stockhand.Errorf(stockhand.CodeConflict, "the run is already %s", row.State)
	}
	return stockhand.Errorf(stockhand.CodeConflict, "the run is held by another worker: it is %s in generation %d", row.State, row.Generation)
}

func run(row sqlc.Run) stockhand.Run {
	return stockhand.Run{
		ID: stockhand.RunID(row.ID), Org: stockhand.OrgID(row.OrgID), Session: stockhand.SessionID(row.SessionID), Message: stockhand.MessageID(row.MessageID),
		State: stockhand.RunState(row.State), Generation: row.Generation, By: row.CreatedBy,
		Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens), OutputTokens: int(row.OutputTokens)}, Created: moment(row.CreatedAt), Updated: moment(row.UpdatedAt),
	}
}

func event(row sqlc.Event) stockhand.Event {
	return stockhand.Event{Run: stockhand.RunID(row.RunID), Seq: row.Seq, Type: stockhand.EventType(row.Type), Data: []byte(row.Data), At: moment(row.At)}
}
