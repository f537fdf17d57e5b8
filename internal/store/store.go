// Package store keeps the record: organizations, their connections and sessions, and the runs with their logs, tool
// calls and results. SQLite is the default and needs nothing; a postgres:// URL makes any number of processes one
// service. Nothing is in memory: what a method has stored is there after a crash, and what it has not is not.
//
// It promises three things about the data, and knows no other rules:
//
//   - The organization is the first argument of every method and part of every statement and every foreign key, so
//     nothing crosses from one organization to another. What truly concerns all of them is in [System].
//   - A change of state is one conditional update that wins or finds nothing. A worker writes under the generation
//     it was given by [DB.ClaimRun]; once the run was taken over, cancelled or deleted, its every write is refused
//     with CONFLICT (or NOT_FOUND) and leaves no trace.
//   - A run's log has no holes: the event's number is taken from the run's own row in the transaction that stores it.
//
// The surprising decision is that both databases run the very same statements, generated once (decision record on the
// store): columns are only TEXT, BIGINT, BOOLEAN and BYTEA, times are integer microseconds, JSON is text. What
// differs is how they are opened and what their errors are called; see sqlite.go and postgres.go.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// DB is an open database. Its methods are safe for concurrent use. Errors are *stockhand.Error: NOT_FOUND for what
// this organization does not have, CONFLICT for a state that has changed, DATABASE_UNAVAILABLE while the database
// cannot be reached or cannot store anything, and otherwise INTERNAL with a hint for the operator where one is known.
type DB struct {
	where   string  // for logs: the kind and address of the database, without credentials
	dialect dialect // what differs
	writer  *sql.DB
	reader  *sql.DB // may be the same as writer
	read    *sqlc.Queries
	close   func() error
}

// dialect is what differs between the databases once they are open.
type dialect struct {
	transient   func(error) bool             // whether the same transaction may simply be tried again
	unavailable func(error) bool             // whether the database is away, or cannot do its work for now
	explain     func(error) *stockhand.Error // an error's meaning, or nil when it has none in particular
	// a query for the server's time in microseconds; empty where that is this machine's
	clock string
}

// Open opens the database and brings its schema up to date. The url is a file's path, or empty (or ":memory:") for
// a temporary database that Close removes, or a postgres:// URL. The log, which may be nil, hears of migrations and is
// never given the URL.
//
// A database whose schema is newer than this program is refused and left as it is.
func Open(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	var db *DB
	var err error
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		db, err = openPostgres(ctx, url, log)
	} else {
		db, err = openSQLite(ctx, url, log)
	}
	if err != nil {
		return nil, err
	}
	db.read = sqlc.New(db.reader)
	return db, nil
}

// Close ends all connections, and removes a temporary database.
func (db *DB) Close() error { return db.close() }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return db.fail("ping the database", db.writer.PingContext(ctx))
}

// String names the database, without credentials.
func (db *DB) String() string { return db.where }

// attempts is how often a transaction that lost to another one (deadlock, serialization) is tried.
const attempts = 5

// write runs fn in one transaction: all that it stores, or nothing. On Postgres fn may run more than once.
func (db *DB) write(ctx context.Context, doing string, fn func(q *sqlc.Queries) error) error {
	for attempt := 1; ; attempt++ {
		err := db.writeOnce(ctx, fn)
		if err == nil || attempt == attempts || !db.dialect.transient(err) {
			return db.fail(doing, err)
		}
		select {
		case <-ctx.Done():
			return db.fail(doing, ctx.Err())
		case <-time.After(time.Duration(attempt) * (5*time.Millisecond + rand.N(10*time.Millisecond))):
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, fn func(q *sqlc.Queries) error) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(sqlc.New(tx)); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

// ignoreDone forgets that a transaction was over already, which happens when its context ended.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// retryAfter is when a caller should ask again while the database is away. A server that restarts needs seconds.
const retryAfter = 2 * time.Second

// fail gives an error its code and says what was being done. Errors that have a code keep it.
func (db *DB) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		return own
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if db.dialect.unavailable(err) {
		return &stockhand.Error{Code: stockhand.CodeDatabaseUnavailable,
			Message: "the database is not available", Hint: "Try again in a few seconds.",
			RU:  stockhand.Words{Message: "база данных недоступна", Hint: "Повторите через несколько секунд."},
			Err: db.describe(doing, err), RetryAfter: retryAfter}
	}
	return db.describe(doing, err)
}

// describe gives an error the words that the log and the operator need. They may name the server and its user.
func (db *DB) describe(doing string, err error) error {
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		return own
	}
	if known := db.dialect.explain(err); known != nil {
		known.Message = doing + ": " + known.Message
		known.Err = err
		return known
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return stockhand.Errorf(stockhand.CodeInternal, "%s: %w", doing, err)
}

// one converts a row that was asked for by its id.
func one[R, T any](db *DB, what string, row R, err error, convert func(R) T) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		var none T
		return none, missing(what)
	}
	if err != nil {
		var none T
		return none, db.fail("read the "+what, err)
	}
	return convert(row), nil
}

// many converts rows.
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

// missing is the answer for what an organization does not have, whether another organization has it or none.
func missing(what string) error {
	return stockhand.Errorf(stockhand.CodeNotFound, "no such %s in this organization", what)
}

// touched turns a conditional update that found nothing into NOT_FOUND.
func touched(what string, rows int64, err error) error {
	if err == nil && rows == 0 {
		return missing(what)
	}
	return err
}

// belongs refuses a value that names another organization than the one it is stored in.
func belongs(org, named stockhand.OrgID) error {
	if org == "" || (named != "" && named != org) {
		return stockhand.Errorf(stockhand.CodeInternal, "a value of organization %q cannot be stored in %q", named, org)
	}
	return nil
}
