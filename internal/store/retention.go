package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// batch is how many sessions, results or pages of results one transaction removes, so that other writes wait for some
// milliseconds only.
const batch = 50

// What rows_state says about the rows of a result.
const (
	rowsStored   = "stored"
	rowsExpiring = "expiring" // they are being deleted; what remains is not read any more
	rowsExpired  = "expired"
)

// RemoveOld removes one batch of what is older than the cutoffs, unless an unfinished run or a draft that is open at
// the time now needs it. It returns what it removed, and whether there may be more. Each session gets an entry in the
// audit log like the given one, with a detail that names the session.
//
// A result keeps its head. Its rows go in several batches, the first of which makes all of them unreadable. A session
// goes in one batch, after the rows of its results.
func (db *DB) RemoveOld(ctx context.Context, org stockhand.OrgID, c stockhand.Cutoffs, now time.Time,
	entry stockhand.AuditEntry) (done stockhand.Removed, more bool, err error) {
	err = db.write(ctx, "remove what is past its retention time", func(q *sqlc.Queries) error {
		done = stockhand.Removed{}
		var err error
		if more, err = removeRows(ctx, q, org, &done); err != nil || more {
			return err
		}
		if more, err = expireResults(ctx, q, org, c.Results, now, &done); err != nil || more {
			return err
		}
		more, err = db.removeSessions(ctx, q, org, c.Sessions, now, entry, &done)
		return err
	})
	return done, more, err
}

// removeRows deletes pages of results that expire.
func removeRows(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, done *stockhand.Removed) (bool, error) {
	results, err := q.ExpiringResults(ctx, sqlc.ExpiringResultsParams{OrgID: string(org), MaxRows: batch})
	left := int64(batch)
	for _, id := range results {
		if left == 0 {
			break
		}
		sizes, err := q.DeleteResultPages(ctx,
			sqlc.DeleteResultPagesParams{OrgID: string(org), ResultID: id, MaxRows: left})
		if err != nil {
			return false, err
		}
		shrunk := sqlc.ShrinkResultParams{OrgID: string(org), ID: id, RowsState: rowsExpired}
		for _, size := range sizes {
			shrunk.Removed += size
		}
		if left -= int64(len(sizes)); left == 0 {
			shrunk.RowsState = rowsExpiring // it may have more
		}
		if err := q.ShrinkResult(ctx, shrunk); err != nil {
			return false, err
		}
		done.Bytes += shrunk.Removed
	}
	return len(results) > 0, err
}

// expireResults makes results from before a time unreadable.
func expireResults(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, before, now time.Time,
	done *stockhand.Removed) (bool, error) {
	if before.IsZero() {
		return false, nil
	}
	due, err := q.DueResults(ctx, sqlc.DueResultsParams{OrgID: string(org), Before: micros(before), Now: micros(now),
		MaxRows: batch})
	for _, r := range due {
		if err := q.ExpireResult(ctx, sqlc.ExpireResultParams{OrgID: string(org), ID: r.ID}); err != nil {
			return false, err
		}
	}
	done.Results += int64(len(due))
	return len(due) > 0, err
}

// removeSessions deletes sessions whose results have no rows left, and makes the results of the others unreadable.
func (db *DB) removeSessions(ctx context.Context, q *sqlc.Queries, org stockhand.OrgID, before, now time.Time,
	entry stockhand.AuditEntry, done *stockhand.Removed) (more bool, err error) {
	if before.IsZero() {
		return false, nil
	}
	due, err := q.DueSessions(ctx, sqlc.DueSessionsParams{OrgID: string(org), Before: micros(before), Now: micros(now),
		MaxRows: batch})
	if err != nil {
		return false, err
	}
	var entries []stockhand.AuditEntry
	for _, s := range due {
		if done.Results >= batch {
			break
		}
		results, err := q.StoredResultsOfSession(ctx, sqlc.StoredResultsOfSessionParams{OrgID: string(org),
			SessionID: s.ID, MaxRows: batch})
		if err != nil {
			return false, err
		}
		for _, id := range results {
			if err := q.ExpireResult(ctx, sqlc.ExpireResultParams{OrgID: string(org), ID: id}); err != nil {
				return false, err
			}
		}
		if done.Results += int64(len(results)); len(results) > 0 {
			continue
		}
		deleted, err := q.DeleteSessionBefore(ctx, sqlc.DeleteSessionBeforeParams{OrgID: string(org), ID: s.ID,
			Before: micros(before)})
		if err != nil {
			return false, err
		}
		if deleted == 0 {
			continue // it goes on
		}
		done.Sessions++
		e := entry
		e.Detail, err = json.Marshal(map[string]string{"session_id": s.ID, "created_by": s.CreatedBy})
		if err != nil {
			return false, err
		}
		entries = append(entries, e)
	}
	return len(due) > 0, db.appendAudit(ctx, q, org, entries...)
}

// CountOld counts what [DB.RemoveOld] would remove altogether, besides the results of sessions.
func (db *DB) CountOld(ctx context.Context, org stockhand.OrgID, c stockhand.Cutoffs, now time.Time) (
	stockhand.Removed, error) {
	var all stockhand.Removed
	if !c.Results.IsZero() {
		due, err := db.read.DueResults(ctx, sqlc.DueResultsParams{OrgID: string(org), Before: micros(c.Results),
			Now: micros(now), MaxRows: math.MaxInt64})
		if err != nil {
			return all, db.fail("read the results", err)
		}
		for _, r := range due {
			all.Bytes += r.Stored
		}
		all.Results = int64(len(due))
	}
	if !c.Sessions.IsZero() {
		due, err := db.read.DueSessions(ctx, sqlc.DueSessionsParams{OrgID: string(org), Before: micros(c.Sessions),
			Now: micros(now), MaxRows: math.MaxInt64})
		if err != nil {
			return all, db.fail("read the sessions", err)
		}
		all.Sessions = int64(len(due))
	}
	return all, nil
}

// Hold makes the holder the one that does a kind of work until a time. It returns false while another does. A holder
// calls it again to continue.
func (s System) Hold(ctx context.Context, work, holder string, until time.Time) (held bool, err error) {
	err = s.db.write(ctx, "hold the lease", func(q *sqlc.Queries) error {
		rows, err := q.HoldLease(ctx, sqlc.HoldLeaseParams{Name: work, Holder: holder, ExpiresAt: micros(until),
			Now: micros(time.Now())})
		held = rows > 0
		return err
	})
	return held, err
}

// Release ends what [System.Hold] began.
func (s System) Release(ctx context.Context, work, holder string) error {
	return s.db.write(ctx, "release the lease", func(q *sqlc.Queries) error {
		return q.ReleaseLease(ctx, sqlc.ReleaseLeaseParams{Name: work, Holder: holder})
	})
}

// Shrink gives some unused space of a SQLite file back to the file system, and returns whether there is more. Postgres
// uses space again by itself.
func (s System) Shrink(ctx context.Context) (more bool, err error) { return s.db.base.Shrink(ctx) }

// Writable returns why nothing can be stored now, or nil. It writes a row to find out, at most every two seconds.
func (s System) Writable(ctx context.Context) error {
	return s.db.base.Writable(ctx, func(tx *sql.Tx) error {
		_, err := sqlc.New(tx).HoldLease(ctx, sqlc.HoldLeaseParams{Name: "try to write", Holder: "any of us"})
		return err
	})
}

// Storage returns what the organization stores.
func (db *DB) Storage(ctx context.Context, org stockhand.OrgID) (stockhand.Storage, error) {
	row, err := db.read.Storage(ctx, string(org))
	return stockhand.Storage{Bytes: row.Bytes, Sessions: row.Sessions, Messages: row.Messages, Drafts: row.Drafts},
		db.fail("read what is stored", err)
}
