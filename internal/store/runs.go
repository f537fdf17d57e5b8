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
func (db *DB) CreateRun(ctx context.Context, org stockhand.OrgID, task stockhand.Message, events ...stockhand.Event) (
	stockhand.Message, stockhand.Run, error) {
	return db.addTask(ctx, org, task, stockhand.RunQueued, events,
		func(*sqlc.Queries, stockhand.Run) error { return nil })
}

// AnswerTask stores a person's message together with its answer and the whole log of a run that is done already: for
// what needs no work.
func (db *DB) AnswerTask(ctx context.Context, org stockhand.OrgID, task, answer stockhand.Message,
	events ...stockhand.Event) (stockhand.Message, stockhand.Run, error) {
	return db.addTask(ctx, org, task, stockhand.RunDone, events, func(q *sqlc.Queries, r stockhand.Run) error {
		answer.Org, answer.Session, answer.Run, answer.Author = org, r.Session, r.ID, stockhand.FromAgent
		answer.ID = orNew(answer.ID, "msg")
		if err := addMessage(ctx, q, answer); err != nil {
			return err
		}
		return addUsage(ctx, q, stockhand.Usage{Org: org, By: r.By, Runs: 1}, r.Created)
	})
}

// addTask stores a person's message and a run in that state with the events of its log, and does what then is to be
// done, all or nothing.
func (db *DB) addTask(ctx context.Context, org stockhand.OrgID, task stockhand.Message, state stockhand.RunState,
	events []stockhand.Event, then func(*sqlc.Queries, stockhand.Run) error) (stockhand.Message, stockhand.Run, error) {
	if err := belongs(org, task.Org); err != nil {
		return stockhand.Message{}, stockhand.Run{}, err
	}
	task.Org = org
	task.ID, task.Run = orNew(task.ID, "msg"), orNew(task.Run, "run")
	task.Author, task.Text = stockhand.FromPerson, text(task.Text)
	task.Created = moment(micros(task.Created))
	r := stockhand.Run{
		ID: task.Run, Org: org, Session: task.Session, Message: task.ID, State: state, By: task.By,
		Created: task.Created, Updated: task.Created,
	}
	err := db.write(ctx, "store the task", func(q *sqlc.Queries) error {
		if err := addMessage(ctx, q, task); err != nil {
			return err
		}
		if err := addRun(ctx, q, r, events); err != nil {
			return err
		}
		return then(q, r)
	})
	if err != nil {
		return stockhand.Message{}, stockhand.Run{}, err
	}
	return task, r, nil
}

// addRun stores a run and its first events.
func addRun(ctx context.Context, q *sqlc.Queries, r stockhand.Run, events []stockhand.Event) error {
	err := q.InsertRun(ctx, sqlc.InsertRunParams{
		OrgID: string(r.Org), ID: string(r.ID), SessionID: string(r.Session), MessageID: string(r.Message),
		State:  string(r.State),
		Events: int64(len(events)), CreatedAt: micros(r.Created), CreatedBy: r.By,
	})
	if err != nil {
		return err
	}
	return addEvents(ctx, q, r.Org, r.ID, int64(len(events)), r.Created, slices.Clone(events))
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

// NextRun returns the run of a session whose turn it is: the first that is not finished. NOT_FOUND when there is none.
func (db *DB) NextRun(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) (stockhand.Run, error) {
	row, err := db.read.NextRun(ctx, sqlc.NextRunParams{OrgID: string(org), SessionID: string(of)})
	return one(db, "run", row, err, run)
}

// RunBefore returns the run of the turn before the one that this message began. NOT_FOUND for a session's first.
func (db *DB) RunBefore(ctx context.Context, org stockhand.OrgID, of stockhand.MessageID) (stockhand.Run, error) {
	row, err := db.read.RunBefore(ctx, sqlc.RunBeforeParams{OrgID: string(org), ID: string(of)})
	return one(db, "run", row, err, run)
}

// ClaimRun takes a queued run, or takes over a running one whose worker is gone, and returns it with the generation
// that the worker writes under. The caller says which generation it saw: of several that saw the same, one wins and the
// others get CONFLICT, as does anyone who comes to a finished run. While an earlier turn of the session is not finished
// the cause of the CONFLICT is [stockhand.ErrEarlierTurn].
func (db *DB) ClaimRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, seen int64) (stockhand.Run,
	error) {
	var row sqlc.Run
	err := db.write(ctx, "claim the run", func(q *sqlc.Queries) (err error) {
		row, err = q.ClaimRun(ctx, sqlc.ClaimRunParams{OrgID: string(org), ID: string(id), Generation: seen,
			UpdatedAt: micros(time.Now())})
		return lost(ctx, q, org, id, seen, err)
	})
	return run(row), err
}

// ReleaseRun gives a run back that the worker holds and will not finish: it is queued again, for another to take at
// once.
func (db *DB) ReleaseRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64) error {
	return db.write(ctx, "give the run back", func(q *sqlc.Queries) error {
		rows, err := q.ReleaseRun(ctx, sqlc.ReleaseRunParams{OrgID: string(org), ID: string(id), Generation: generation,
			UpdatedAt: micros(time.Now())})
		if err == nil && rows == 0 {
			err = lost(ctx, q, org, id, unheld, sql.ErrNoRows)
		}
		return err
	})
}

// AppendEvents adds to the log of a run that the worker holds, and returns the events with their numbers and times.
// Without events it is a heartbeat: it moves the run's Updated and tells the worker whether the run is still its own.
func (db *DB) AppendEvents(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	return db.inRun(ctx, "append to the log", org, id, generation, events, nil)
}

// Events returns a run's log in its order: at most limit (1–200, 0 for 50) events after the one with that number; 0
// begins at the first.
func (db *DB) Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64,
	limit int) ([]stockhand.Event, error) {
	rows, err := db.read.EventsAfter(ctx,
		sqlc.EventsAfterParams{OrgID: string(org), RunID: string(of), Seq: after, MaxRows: bounded(limit)})
	return many(db, "log", rows, err, event)
}

// FinishRun ends a run that the worker holds: its state, what it used (which counts for its actor and day as well), the
// last events of its log and the agent's answer, all or nothing. The answer may be nil; its session and run are set
// here.
func (db *DB) FinishRun(ctx context.Context, org stockhand.OrgID, end stockhand.RunEnd) ([]stockhand.Event, error) {
	if !stockhand.RunRunning.CanBecome(end.State) || !end.State.Finished() {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "a run cannot end as %q", end.State)
	}
	at := time.Now()
	var reply stockhand.Message
	if end.Answer != nil {
		reply = *end.Answer
		reply.Org, reply.Run, reply.Author = org, end.Run, stockhand.FromAgent
		reply.ID = orNew(reply.ID, "msg")
	}
	stored := slices.Clone(end.Events)
	err := db.write(ctx, "finish the run", func(q *sqlc.Queries) error {
		if end.Answer != nil {
			row, err := q.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(end.Run)})
			if err != nil {
				return absent("run", err)
			}
			reply.Session = stockhand.SessionID(row.SessionID)
			if err := addMessage(ctx, q, reply); err != nil {
				return err
			}
		}
		row, err := q.FinishRun(ctx, sqlc.FinishRunParams{
			OrgID: string(org), ID: string(end.Run), Generation: end.Generation, State: string(end.State),
			Added:    int64(len(stored)),
			At:       micros(at),
			Requests: int64(end.Used.Requests), InputTokens: int64(end.Used.InputTokens),
			OutputTokens: int64(end.Used.OutputTokens),
		})
		if err != nil {
			return lost(ctx, q, org, end.Run, unheld, err)
		}
		if err := addEvents(ctx, q, org, end.Run, row.Events, at, stored); err != nil {
			return err
		}
		return addUsage(ctx, q, stockhand.Usage{Org: org, By: row.CreatedBy, Runs: 1, Used: end.Used}, at)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// CancelRun ends a run for a person, whichever worker has it: the worker finds out at its next write. CONFLICT when the
// run was finished already. It counts as a run of its actor; what it had used by then is the worker's to add.
func (db *DB) CancelRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, events ...stockhand.Event) (
	[]stockhand.Event, error) {
	at := time.Now()
	stored := slices.Clone(events)
	err := db.write(ctx, "cancel the run", func(q *sqlc.Queries) error {
		row, err := q.CancelRun(ctx, sqlc.CancelRunParams{OrgID: string(org), ID: string(id), Added: int64(len(stored)),
			At: micros(at)})
		if err != nil {
			return lost(ctx, q, org, id, unheld, err)
		}
		if err := addEvents(ctx, q, org, id, row.Events, at, stored); err != nil {
			return err
		}
		return addUsage(ctx, q, stockhand.Usage{Org: org, By: row.CreatedBy, Runs: 1}, at)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// inRun is every write of a worker: the fence, what more there is to store, and the events about it.
func (db *DB) inRun(ctx context.Context, doing string, org stockhand.OrgID, id stockhand.RunID, generation int64,
	events []stockhand.Event, more func(q *sqlc.Queries) error) ([]stockhand.Event, error) {
	at := time.Now()
	stored := slices.Clone(events)
	err := db.write(ctx, doing, func(q *sqlc.Queries) error {
		last, err := q.ExtendRun(ctx, sqlc.ExtendRunParams{OrgID: string(org), ID: string(id), Generation: generation,
			Added: int64(len(stored)), At: micros(at)})
		if err != nil {
			return lost(ctx, q, org, id, unheld, err)
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
func addEvents(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.RunID, last int64, at time.Time,
	events []stockhand.Event) error {
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
		err = q.InsertEvent(ctx, sqlc.InsertEventParams{OrgID: string(org), RunID: string(id), Seq: e.Seq,
			Type: string(e.Type), Data: data, At: micros(e.At)})
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

// unheld is a generation that no run is in.
const unheld = -1

// lost says why a conditional update of a run found nothing. A claimer says which generation it saw: when that is still
// so, it is not yet this run's turn.
func lost(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, id stockhand.RunID, seen int64, err error) error {
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
	if row.Generation == seen {
		return stockhand.Errorf(stockhand.CodeConflict, "%w", stockhand.ErrEarlierTurn)
	}
	return stockhand.Errorf(stockhand.CodeConflict, "the run is held by another worker: it is %s in generation %d",
		row.State, row.Generation)
}

func run(row sqlc.Run) stockhand.Run {
	return stockhand.Run{
		ID: stockhand.RunID(row.ID), Org: stockhand.OrgID(row.OrgID), Session: stockhand.SessionID(row.SessionID),
		Message: stockhand.MessageID(row.MessageID),
		State:   stockhand.RunState(row.State), Generation: row.Generation, By: row.CreatedBy,
		Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens),
			OutputTokens: int(row.OutputTokens)}, Created: moment(row.CreatedAt), Updated: moment(row.UpdatedAt),
	}
}

func event(row sqlc.Event) stockhand.Event {
	return stockhand.Event{Run: stockhand.RunID(row.RunID), Seq: row.Seq, Type: stockhand.EventType(row.Type),
		Data: []byte(row.Data), At: moment(row.At)}
}
