// Package database opens SQLite files and Postgres databases and runs transactions on them. It knows nothing about the
// tables but how to create them. The two kinds differ here and nowhere else; see sqlite.go and postgres.go.
package database

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
)

// DB is an open database. Its methods are safe for concurrent use. Errors are *stockhand.Error: DATABASE_UNAVAILABLE
// while the database cannot be reached or cannot write, CONFLICT and NOT_FOUND for what its constraints reject, and
// otherwise INTERNAL, with a hint for the operator if the cause is known.
type DB struct {
	where   string // the kind and address of the database for logs, without credentials
	dialect dialect
	writer  *sql.DB
	reader  *sql.DB // may equal writer
	close   func() error

	writable writable
}

// dialect is what differs between the databases once they are open.
type dialect struct {
	transient   func(error) bool             // whether the transaction can be retried
	unavailable func(error) bool             // whether the database is unreachable or temporarily failing
	full        func(error) bool             // whether it is unavailable because its disk is full
	explain     func(error) *stockhand.Error // an error for the operator, or nil if the cause is unknown
	// a query for the server's time in microseconds; empty to use this machine's clock
	clock string
	// see Share and Exclude; empty where only one transaction writes at a time
	share, exclude string
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
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		return openPostgres(ctx, url, log)
	}
	return openSQLite(ctx, url, log)
}

// Reader returns the connections that read outside transactions.
func (db *DB) Reader() *sql.DB { return db.reader }

// Writer returns the connections that transactions run on, for tests; see [DB.Transact].
func (db *DB) Writer() *sql.DB { return db.writer }

// Close closes all connections, and removes a temporary database.
func (db *DB) Close() error { return db.close() }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return db.Fail("ping the database", db.writer.PingContext(ctx))
}

// String returns the kind and address of the database, without credentials.
func (db *DB) String() string { return db.where }

// attempts is how often a transaction that failed with a deadlock or serialization failure is tried.
const attempts = 5

// Transact runs fn in a transaction. On Postgres, fn may run more than once.
func (db *DB) Transact(ctx context.Context, doing string, fn func(tx *sql.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.transactOnce(ctx, fn)
		if err == nil || attempt == attempts || !db.dialect.transient(err) {
			return db.Fail(doing, err)
		}
		select {
		case <-ctx.Done():
			return db.Fail(doing, ctx.Err())
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

// Snapshot runs fn on one snapshot of the database. On SQLite every transaction has one.
func (db *DB) Snapshot(ctx context.Context, doing string, fn func(tx *sql.Tx) error) error {
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return db.Fail(doing, err)
	}
	defer tx.Rollback() // the transaction only reads
	return db.Fail(doing, fn(tx))
}

// Share is the end of a SELECT from a table in a transaction: until that ends, [DB.Exclude] waits, also if there was no
// such row. Make it the transaction's first statement, so that it holds nothing while it waits itself.
func (db *DB) Share() string { return db.dialect.share }

// Exclude waits until no transaction is running that selected from the table with [DB.Share], and keeps others from it
// until this transaction ends. Make it the first statement.
func (db *DB) Exclude(ctx context.Context, tx *sql.Tx, table string) error {
	if db.dialect.exclude == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf(db.dialect.exclude, table))
	return err
}

// Now returns the time of the clock that all replicas share: the Postgres server's, or this machine's for SQLite.
func (db *DB) Now(ctx context.Context) (time.Time, error) {
	if db.dialect.clock == "" {
		return time.Now(), nil
	}
	var at int64
	if err := db.writer.QueryRowContext(ctx, db.dialect.clock).Scan(&at); err != nil {
		return time.Time{}, db.Fail("read the clock", err)
	}
	return time.UnixMicro(at), nil
}

// retryAfter is the delay after which a caller should retry while the database is unavailable. A restarting server
// needs seconds.
const retryAfter = 2 * time.Second

// Fail adds a code and the failed operation to an error. An error that already has a code keeps it.
func (db *DB) Fail(doing string, err error) error {
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
		db.writable.found(e)
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
