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
// BIGINT, BOOLEAN and BYTEA, times are integer microseconds, and JSON is text. Only opening a database and interpreting
// its errors differ; see sqlite.go and postgres.go.
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

// DB is an open database. Its methods are safe for concurrent use. Errors are *stockhand.Error: NOT_FOUND when the
// organization does not have the object, CONFLICT when its state has changed, DATABASE_UNAVAILABLE while the database
// cannot be reached or cannot write, and otherwise INTERNAL, with a hint for the operator if the cause is known.
type DB struct {
	where   string // the kind and address of the database for logs, without credentials
	dialect dialect
	writer  *sql.DB
	reader  *sql.DB // may equal writer
	read    *sqlc.Queries
	close   func() error

	auditKey []byte // of the hashes of audit entries
	dataKeys dataKeys
}

// dialect is what differs between the databases once they are open.
type dialect struct {
	transient   func(error) bool             // whether the transaction can be retried
	unavailable func(error) bool             // whether the database is unreachable or temporarily failing
	full        func(error) bool             // whether it is unavailable because its disk is full
	explain     func(error) *stockhand.Error // an error for the operator, or nil if the cause is unknown
	// a query for the server's time in microseconds; empty to use this machine's clock
	clock string
}

// Open opens the database and updates its schema. The url is a postgres:// URL, a file path, or empty (or ":memory:")
// for a temporary database that Close removes. The logger, which may be nil, gets a line per migration and never the
// URL.
//
// Open refuses a database whose schema is newer than this program, and leaves it unchanged.
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
	db.dataKeys.known = map[string]knownKey{}
	return db, nil
}

// Close closes all connections, and removes a temporary database.
func (db *DB) Close() error { return db.close() }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return db.fail("ping the database", db.writer.PingContext(ctx))
}

// String returns the kind and address of the database, without credentials.
func (db *DB) String() string { return db.where }

// attempts is how often a transaction that failed with a deadlock or serialization failure is tried.
const attempts = 5

// write runs fn in a transaction. On Postgres, fn may run more than once.
func (db *DB) write(ctx context.Context, doing string, fn func(q *sqlc.Queries) error) error {
	return db.transact(ctx, doing, func(tx *sql.Tx) error { return fn(sqlc.New(tx)) })
}

// transact is write for statements that are not generated.
func (db *DB) transact(ctx context.Context, doing string, fn func(tx *sql.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.transactOnce(ctx, fn)
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

func (db *DB) transactOnce(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

// ignoreDone ignores that the transaction has already ended, which happens when its context ends.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// retryAfter is the delay after which a caller should retry while the database is unavailable. A restarting server
// needs seconds.
const retryAfter = 2 * time.Second

// fail adds a code and the failed operation to an error. An error that already has a code keeps it.
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
	if !db.dialect.unavailable(err) {
		return db.describe(doing, err)
	}
	e := &stockhand.Error{Code: stockhand.CodeDatabaseUnavailable,
		Message: "the database is not available", Hint: "Try again in a few seconds.",
		RU:  stockhand.Words{Message: "база данных недоступна", Hint: "Повторите через несколько секунд."},
		Err: db.describe(doing, err), RetryAfter: retryAfter}
	if db.dialect.full(err) {
		e.Message, e.Hint = "the disk of the server is full: nothing can be stored",
			"What is stored is safe. Ask the operator to free some space, and try again."
		e.RU = stockhand.Words{Message: "на диске сервера кончилось место: сохранить ничего нельзя",
			Hint: "Сохранённое цело. Попросите администратора сервера освободить место и повторите."}
	}
	return e
}

// describe explains an error to the operator. The message may contain the server's address and user, so it is only
// logged.
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

// one converts the row of a lookup by ID.
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
