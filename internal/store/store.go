// Package store persists organizations, their connections and sessions, and runs with their logs, tool calls and
// results. The default is SQLite, which needs no setup; with a postgres:// URL, several processes form one service.
// Nothing is kept in memory: when a method returns without an error, its data survives a crash.
//
// It makes three guarantees and knows no other rules:
//
//   - The organization is the first argument of every method, and part of every statement and foreign key, so no data
//     crosses from one organization to another. Queries that span all organizations are methods of [System].
//   - A state change is one conditional update, which wins or matches nothing. A worker passes the generation that it
//     got from [DB.ClaimRun] to every write. Once the run is taken over, cancelled or deleted, its writes fail with
//     CONFLICT (or NOT_FOUND) and store nothing.
//   - A run's log has no gaps: an event's number comes from the run's row, in the transaction that stores the event.
//
// Both databases run the same statements, generated once (see the decision record on the store). Columns are only TEXT,
// BIGINT, BOOLEAN and BYTEA, times are integer microseconds, and JSON is text. What differs is in package database.
package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/activity"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/inbox"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/store/measures"
	"github.com/stockhand/stockhand/internal/store/pins"
	"github.com/stockhand/stockhand/internal/store/replicas"
	"github.com/stockhand/stockhand/internal/store/reports"
	"github.com/stockhand/stockhand/internal/store/requests"
	"github.com/stockhand/stockhand/internal/store/responses"
	"github.com/stockhand/stockhand/internal/store/sqlc"
	"github.com/stockhand/stockhand/internal/store/traffic"
)

// DB is an open database. Its methods are safe for concurrent use. Errors are *stockhand.Error: NOT_FOUND when the
// organization does not have the object, CONFLICT when its state has changed, DATABASE_UNAVAILABLE while the database
// cannot be reached or cannot write, and otherwise INTERNAL, with a hint for the operator if the cause is known.
type DB struct {
	base *database.DB
	read *sqlc.Queries

	auditKey []byte // of the hashes of audit entries
	keys     *datakey.Keys
}

// Open opens the database and updates its schema. See [database.Open].
func Open(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	base, err := database.Open(ctx, url, log)
	if err != nil {
		return nil, err
	}
	return &DB{base: base, read: sqlc.New(base.Reader()), keys: datakey.New(base)}, nil
}

// Close closes all connections, and removes a temporary database.
func (db *DB) Close() error { return db.base.Close() }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.base.Ping(ctx) }

// String returns the kind and address of the database, without credentials.
func (db *DB) String() string { return db.base.String() }

// write runs fn in a transaction. On Postgres, fn may run more than once.
func (db *DB) write(ctx context.Context, doing string, fn func(q *sqlc.Queries) error) error {
	return db.base.Transact(ctx, doing, func(tx *sql.Tx) error { return fn(sqlc.New(tx)) })
}

// snapshot runs fn on one snapshot of the database.
func (db *DB) snapshot(ctx context.Context, doing string, fn func(q *sqlc.Queries) error) error {
	return db.base.Snapshot(ctx, doing, func(tx *sql.Tx) error { return fn(sqlc.New(tx)) })
}

// fail adds a code and the failed operation to an error. An error that already has a code keeps it.
func (db *DB) fail(doing string, err error) error { return db.base.Fail(doing, err) }

// one converts the row of a lookup by ID.
func one[R, T any](db *DB, what string, row R, err error, convert func(R) T) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		err = missing(what)
	}
	if err != nil {
		var none T
		return none, db.fail("read the "+what, err)
	}
	return convert(row), nil
}

func many[R, T any](db *DB, what string, rows []R, err error, convert func(R) T) ([]T, error) {
	if err != nil {
		return nil, db.fail("read the "+what, err)
	}
	all := make([]T, len(rows))
	for i, row := range rows {
		all[i] = convert(row)
	}
	return all, nil
}

// missing returns NOT_FOUND. It does not reveal whether another organization has the object.
func missing(what string) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "no such %s in this organization", what)
}

// touched returns NOT_FOUND if a conditional update matched no row.
func touched(what string, rows int64, err error) error {
	if err == nil && rows == 0 {
		return missing(what)
	}
	return err
}

// belongs rejects a value of another organization than the one it is stored for.
func belongs(org, named stockhand.OrgID) error {
	if org == "" || (named != "" && named != org) {
		return stockhand.Errorf(stockhand.CodeInternal, "a value of organization %q cannot be stored in %q", named, org)
	}
	return nil
}

// Kept returns what is kept of external accounts; see [kept.New].
func (s System) Kept(l kept.Limits, now func() time.Time) *kept.Store {
	return kept.New(s.db.base, s.db.keys, l, now)
}

// Activity returns the store that lists runs and what models were used.
func (s System) Activity() *activity.Store { return activity.New(s.db.base, s.db.keys) }

// Inbox returns the store that counts drafts.
func (s System) Inbox() inbox.Store { return inbox.New(s.db.base) }

// Measures returns the measures that organizations define.
func (s System) Measures() *measures.Store { return measures.New(s.db.base, s.db.appendAudit) }

// Pins returns the store of conversations at the top of people's lists.
func (s System) Pins() *pins.Store { return pins.New(s.db.base, s.db.keys, s.db.appendAudit) }

// Reports returns the questions that organizations keep.
func (s System) Reports() *reports.Store { return reports.New(s.db.base, s.db.keys, s.db.appendAudit) }

// Requests returns the latest requests to the API.
func (s System) Requests() requests.Store { return requests.New(s.db.base) }

// Replicas returns the processes that serve.
func (s System) Replicas() replicas.Store { return replicas.New(s.db.base) }

// Traffic returns what runs asked accounts and models.
func (s System) Traffic() *traffic.Store { return traffic.New(s.db.base, s.db.keys) }

// Responses returns the answers in the format of OpenAI's Responses API.
func (s System) Responses() *responses.Store { return responses.New(s.db.base, s.db.keys) }
