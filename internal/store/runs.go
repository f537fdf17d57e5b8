package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// CreateRun stores a user's message, the queued run that will answer it, and the first events of the run's log, in one
// transaction. The message needs a session and a text; empty IDs are generated.
func (db *DB) CreateRun(ctx context.Context, org stockhand.OrgID, task stockhand.Message, events ...stockhand.Event) (
	stockhand.Message, stockhand.Run, error) {
	return db.addTask(ctx, org, task, stockhand.RunQueued, events,
		func(*sqlc.Queries, *content.Key, stockhand.Run) error { return nil })
}

// CreateCall is [DB.CreateRun] for a run that is a single tool call. The call is stored as one that is still to begin.
func (db *DB) CreateCall(ctx context.Context, org stockhand.OrgID, task stockhand.Message, call stockhand.ToolCall,
	events ...stockhand.Event) (stockhand.Message, stockhand.Run, error) {
	return db.addTask(ctx, org, task, stockhand.RunQueued, events,
		func(q *sqlc.Queries, key *content.Key, r stockhand.Run) error {
			call.Run = r.ID
			_, err := beginToolCall(ctx, q, key, org, call)
			return err
		})
}

// AnswerTask stores a user's message together with its answer and a finished run with its whole log, for tasks that
// need no work.
func (db *DB) AnswerTask(ctx context.Context, org stockhand.OrgID, task, answer stockhand.Message,
	events ...stockhand.Event) (stockhand.Message, stockhand.Run, error) {
	return db.addTask(ctx, org, task, stockhand.RunDone, events,
		func(q *sqlc.Queries, key *content.Key, r stockhand.Run) error {
			answer.Org, answer.Session, answer.Run, answer.Author = org, r.Session, r.ID, stockhand.FromAgent
			answer.ID = orNew(answer.ID, "msg")
			if err := addMessage(ctx, q, key, answer); err != nil {
				return err
			}
			return addUsage(ctx, q, stockhand.Usage{Org: org, By: r.By, Runs: 1}, r.Created)
		})
}

// addTask stores a person's message and a run in that state with the events of its log, and does what then is to be
// done, all or nothing.
func (db *DB) addTask(ctx context.Context, org stockhand.OrgID, task stockhand.Message, state stockhand.RunState,
	events []stockhand.Event, then func(*sqlc.Queries, *content.Key, stockhand.Run) error) (stockhand.Message,
	stockhand.Run, error) {
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
	err := db.writeContent(ctx, "store the task", org, func(q *sqlc.Queries, key *content.Key) error {
		if err := addMessage(ctx, q, key, task); err != nil {
			return err
		}
		if err := addRun(ctx, q, key, &r, events); err != nil {
			return err
		}
		return then(q, key, r)
	})
	if err != nil {
		return stockhand.Message{}, stockhand.Run{}, err
	}
	return task, r, nil
}

// addRun stores a run and its first events, and fills in the connection of its session.
func addRun(ctx context.Context, q *sqlc.Queries, key *content.Key, r *stockhand.Run, events []stockhand.Event) error {
	connection, err := q.InsertRun(ctx, sqlc.InsertRunParams{
		OrgID: string(r.Org), ID: string(r.ID), SessionID: string(r.Session), MessageID: string(r.Message),
		State:  string(r.State),
		Events: int64(len(events)), CreatedAt: micros(r.Created), CreatedBy: r.By,
	})
	if err != nil {
		return absent("session", err)
	}
	r.Connection = stockhand.ConnectionID(connection)
	return addEvents(ctx, q, key, r.Org, r.ID, int64(len(events)), r.Created, slices.Clone(events))
}

// CountUnfinished counts the queued and running runs of an organization, and those of one of its actors.
func (db *DB) CountUnfinished(ctx context.Context, org stockhand.OrgID, by string) (ofOrg, ofActor int, err error) {
	row, err := db.read.CountUnfinished(ctx, sqlc.CountUnfinishedParams{OrgID: string(org), CreatedBy: by})
	return int(row.OfOrg), int(row.OfActor), db.fail("count the unfinished runs", err)
}

// Run returns a run.
func (db *DB) Run(ctx context.Context, org stockhand.OrgID, id stockhand.RunID) (stockhand.Run, error) {
	row, err := db.read.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(id)})
	return one(db, "run", row, err, run)
}

// Runs returns all runs of a session, oldest first.
func (db *DB) Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error) {
	rows, err := db.read.RunsOfSession(ctx, sqlc.RunsOfSessionParams{OrgID: string(org), SessionID: string(of)})
	return many(db, "runs", rows, err, run)
}

// NextRun returns the first unfinished run of a session. It returns NOT_FOUND when there is none.
func (db *DB) NextRun(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) (stockhand.Run, error) {
	row, err := db.read.NextRun(ctx, sqlc.NextRunParams{OrgID: string(org), SessionID: string(of)})
	return one(db, "run", row, err, run)
}

// RunBefore returns the run of the previous turn of the message's session. It returns NOT_FOUND for the first turn.
func (db *DB) RunBefore(ctx context.Context, org stockhand.OrgID, of stockhand.MessageID) (stockhand.Run, error) {
	row, err := db.read.RunBefore(ctx, sqlc.RunBeforeParams{OrgID: string(org), ID: string(of)})
	return one(db, "run", row, err, run)
}

// ClaimRun claims a queued run, or takes over a running one whose worker is gone. It returns the run with its new
// generation, which the worker passes to every write. The caller passes the generation that it saw: of several callers
// one wins, and the others get CONFLICT, as for a finished run. While an earlier turn of the session is unfinished, the
// CONFLICT wraps [stockhand.ErrEarlierTurn].
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

// ReleaseRun returns a run that the worker will not finish to the queue, so that another worker can claim it
// immediately.
func (db *DB) ReleaseRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64) error {
	return db.write(ctx, "release the run", func(q *sqlc.Queries) error {
		rows, err := q.ReleaseRun(ctx, sqlc.ReleaseRunParams{OrgID: string(org), ID: string(id), Generation: generation,
			UpdatedAt: micros(time.Now())})
		if err == nil && rows == 0 {
			err = lost(ctx, q, org, id, unheld, sql.ErrNoRows)
		}
		return err
	})
}

// AppendEvents appends events to the log of a run that the worker holds, and returns them with their numbers and times.
// Without events it is a heartbeat: it updates the run's time and checks that the worker still holds the run.
func (db *DB) AppendEvents(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, generation int64,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	return db.inRun(ctx, "append to the log", org, id, generation, events, nil)
}

// Events returns up to limit (1–200, 0 for 50) events of a run's log in order, after the event with number after; 0
// starts at the first.
func (db *DB) Events(ctx context.Context, org stockhand.OrgID, of stockhand.RunID, after int64,
	limit int) ([]stockhand.Event, error) {
	rows, err := db.read.EventsAfter(ctx,
		sqlc.EventsAfterParams{OrgID: string(org), RunID: string(of), Seq: after, MaxRows: bounded(limit)})
	return openMany(ctx, db, "log", rows, err, event)
}

// FinishRun ends a run that the worker holds. It stores the state, the usage (also added to the actor's usage of the
// day), the last events and the agent's answer, in one transaction. The answer may be nil; its session and run are set
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
	err := db.writeContent(ctx, "finish the run", org, func(q *sqlc.Queries, key *content.Key) error {
		if end.Answer != nil {
			row, err := q.Run(ctx, sqlc.RunParams{OrgID: string(org), ID: string(end.Run)})
			if err != nil {
				return absent("run", err)
			}
			reply.Session = stockhand.SessionID(row.SessionID)
			if err := addMessage(ctx, q, key, reply); err != nil {
				return err
			}
		}
		row, err := q.FinishRun(ctx, sqlc.FinishRunParams{
			OrgID: string(org), ID: string(end.Run), Generation: end.Generation, State: string(end.State),
			Added:    int64(len(stored)),
			At:       micros(at),
			Requests: int64(end.Used.Requests), InputTokens: int64(end.Used.InputTokens),
			OutputTokens: int64(end.Used.OutputTokens), CachedTokens: int64(end.Used.CachedTokens), Cost: end.Used.Cost,
		})
		if err != nil {
			return lost(ctx, q, org, end.Run, unheld, err)
		}
		if err := addEvents(ctx, q, key, org, end.Run, row.Events, at, stored); err != nil {
			return err
		}
		return addUsage(ctx, q, stockhand.Usage{Org: org, By: row.CreatedBy, Runs: 1, Used: end.Used}, at)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// CancelRun ends a run on behalf of a user; the worker that holds it finds out at its next write. It returns CONFLICT
// when the run is already finished. The run counts towards its actor's usage; the worker adds the requests and tokens
// used so far.
func (db *DB) CancelRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID, events ...stockhand.Event) (
	[]stockhand.Event, error) {
	stored := slices.Clone(events)
	err := db.writeContent(ctx, "cancel the run", org, func(q *sqlc.Queries, key *content.Key) error {
		return cancelRun(ctx, q, key, org, id, time.Now(), stored)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

func cancelRun(ctx context.Context, q *sqlc.Queries, key *content.Key, org stockhand.OrgID, id stockhand.RunID,
	at time.Time, events []stockhand.Event) error {
	row, err := q.CancelRun(ctx, sqlc.CancelRunParams{OrgID: string(org), ID: string(id), Added: int64(len(events)),
		At: micros(at)})
	if err != nil {
		return lost(ctx, q, org, id, unheld, err)
	}
	if err := addEvents(ctx, q, key, org, id, row.Events, at, events); err != nil {
		return err
	}
	return addUsage(ctx, q, stockhand.Usage{Org: org, By: row.CreatedBy, Runs: 1}, at)
}

// cancelRunsBy cancels the unfinished runs of an actor who may no longer call, and returns how many these were.
func cancelRunsBy(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, by string, at time.Time) (int, error) {
	ids, err := q.UnfinishedRunsBy(ctx, sqlc.UnfinishedRunsByParams{OrgID: string(org), CreatedBy: by})
	if err != nil {
		return 0, err
	}
	return cancelRuns(ctx, q, org, ids, at)
}

// cancelRuns cancels runs that are unfinished, and returns how many these were. The events have no content to encrypt.
func cancelRuns(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, ids []string, at time.Time) (int, error) {
	cancelled := 0
	for _, id := range ids {
		err := cancelRun(ctx, q, nil, org, stockhand.RunID(id), at,
			[]stockhand.Event{{Type: stockhand.EventCancelled, Data: []byte("{}")}})
		switch {
		case err == nil:
			cancelled++
		case stockhand.CodeOf(err) != stockhand.CodeConflict: // it has just finished
			return 0, err
		}
	}
	return cancelled, nil
}

// inRun is the transaction of every write by a worker: it checks the generation, runs more, and appends the events.
func (db *DB) inRun(ctx context.Context, doing string, org stockhand.OrgID, id stockhand.RunID, generation int64,
	events []stockhand.Event, more func(q *sqlc.Queries, key *content.Key) error) ([]stockhand.Event, error) {
	at := time.Now()
	stored := slices.Clone(events)
	err := db.writeContent(ctx, doing, org, func(q *sqlc.Queries, key *content.Key) error {
		last, err := q.ExtendRun(ctx, sqlc.ExtendRunParams{OrgID: string(org), ID: string(id), Generation: generation,
			Added: int64(len(stored)), At: micros(at)})
		if err != nil {
			return lost(ctx, q, org, id, unheld, err)
		}
		if more != nil {
			if err := more(q, key); err != nil {
				return err
			}
		}
		return addEvents(ctx, q, key, org, id, last, at, stored)
	})
	if err != nil {
		return nil, err
	}
	return stored, nil
}

// addEvents stores events numbered up to last, and sets their run, number and time.
func addEvents(ctx context.Context, q *sqlc.Queries, key *content.Key, org stockhand.OrgID, id stockhand.RunID,
	last int64, at time.Time, events []stockhand.Event) error {
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
			Type: string(e.Type), Data: key.Seal([]byte(data), "events.data", id, e.Seq), At: micros(e.At)})
		if err != nil {
			return err
		}
	}
	return nil
}

// absent returns NOT_FOUND for sql.ErrNoRows.
func absent(what string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return missing(what)
	}
	return err
}

// unheld is a generation that no run has.
const unheld = -1

// lost explains why a conditional update of a run matched no row. For a claim, seen is the generation that the caller
// saw; if it is unchanged, an earlier turn is unfinished.
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
		Message: stockhand.MessageID(row.MessageID), Connection: stockhand.ConnectionID(row.ConnectionID),
		State: stockhand.RunState(row.State), Generation: row.Generation, By: row.CreatedBy,
		Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens),
			OutputTokens: int(row.OutputTokens), CachedTokens: int(row.CachedTokens), Cost: row.Cost},
		Created: moment(row.CreatedAt), Updated: moment(row.UpdatedAt),
	}
}

func event(o *datakey.Opener, row sqlc.Event) stockhand.Event {
	return stockhand.Event{Run: stockhand.RunID(row.RunID), Seq: row.Seq, Type: stockhand.EventType(row.Type),
		Data: o.Open(row.OrgID, row.Data, "events.data", row.RunID, row.Seq), At: moment(row.At)}
}
