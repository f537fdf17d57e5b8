package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/migrations"
)

// applicationID ("Stkh") marks our files, so that we never write to another program's database.
const applicationID = 0x53746b68

// busyTimeout is how long a statement waits while another process has locked the file. Writers of this process queue
// for the single write connection instead.
var busyTimeout = 10 * time.Second

// openSQLite opens two handles on one file. The write handle is a single connection whose transactions take the write
// lock when they begin. With deferred transactions or several writers, a transaction that reads first and then writes
// would fail with BUSY immediately, regardless of the timeout. Readers never wait, because the journal is a write-ahead
// log.
func openSQLite(ctx context.Context, path string, log *slog.Logger) (*DB, error) {
	temporary := path == "" || path == ":memory:"
	cleanup := func() error { return nil }
	if temporary {
		folder, err := os.MkdirTemp("", "stockhand-")
		if err != nil {
			return nil, stockhand.Errorf(stockhand.CodeInternal, "create a temporary database: %w", err)
		}
		cleanup = func() error { return os.RemoveAll(folder) }
		path = filepath.Join(folder, "stockhand.db")
	}
	db, err := openFile(ctx, path, temporary, log)
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	files := db.close
	db.close = func() error { return errors.Join(files(), cleanup()) }
	if temporary {
		db.where = "sqlite, temporary"
	}
	return db, nil
}

func openFile(ctx context.Context, path string, temporary bool, log *slog.Logger) (_ *DB, err error) {
	if err := createFile(path); err != nil {
		return nil, err
	}
	durability := "full" // a commit returns after it is on disk
	if temporary {
		durability = "off" // nothing reads the file after a crash
	}
	writer, err := sql.Open("sqlite", dsn(path, "_txlock=immediate", "_pragma=auto_vacuum(2)",
		"_pragma=journal_mode(wal)",
		"_pragma=synchronous("+durability+")", "_pragma=foreign_keys(1)"))
	if err != nil {
		return nil, sqliteFailure(path, err)
	}
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", dsn(path, "_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(sqliteFailure(path, err), writer.Close())
	}
	readers := max(4, runtime.NumCPU())
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	db := &DB{
		where: "sqlite " + path, writer: writer, reader: reader,
		dialect: dialect{
			transient:   func(error) bool { return false },
			unavailable: unavailableSQLite,
			full:        fullSQLite,
			explain:     func(err error) *stockhand.Error { return explainSQLite(path, err) },
		},
		close: func() error { return errors.Join(reader.Close(), writer.Close()) },
	}
	if err := prepareFile(ctx, path, writer, log); err != nil {
		return nil, errors.Join(sqliteFailure(path, err), db.close())
	}
	return db, nil
}

// dsn returns the URI of the file with connection settings. It escapes the characters that have a meaning in a URI.
func dsn(path string, settings ...string) string {
	settings = append(settings, "_dqs=0", "_pragma=busy_timeout("+strconv.FormatInt(busyTimeout.Milliseconds(), 10)+")")
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path)) + "?" +
		strings.Join(settings, "&")
}

// createFile creates a missing file that only its owner can read, because it will contain a company's figures. It never
// opens an existing file: closing it would release the locks that this process may hold on it.
func createFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case errors.Is(err, fs.ErrExist):
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return stockhand.Errorf(stockhand.CodeInternal, "the database %s is a folder",
				path).WithHint("use the path of a file in it")
		}
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return stockhand.Errorf(stockhand.CodeInternal, "the database's folder %s does not exist",
			filepath.Dir(path)).WithHint("create it, or use another file")
	}
	return stockhand.Errorf(stockhand.CodeInternal, "create the database: %w",
		err).WithHint("this user must be able to write to %s", filepath.Dir(path))
}

// prepareFile checks that the file is ours and updates its schema. Several processes may start with one new file at the
// same time, and no SQLite lock spans all these steps, so a process that fails retries. In particular, switching to
// write-ahead logging never waits for another process, regardless of the timeout.
func prepareFile(ctx context.Context, path string, db *sql.DB, log *slog.Logger) error {
	until := time.Now().Add(busyTimeout)
	for tries := 1; ; tries++ {
		err := claimFile(ctx, path, db)
		if err == nil {
			err = migrations.Run(ctx, db, goose.DialectSQLite3, log)
		}
		if _, refused := errors.AsType[*stockhand.Error](err); err == nil || refused {
			return err
		}
		failure, ok := errors.AsType[*sqlite.Error](err)
		busy := ok && failure.Code()&0xff == sqlite3.SQLITE_BUSY
		if (busy && time.Now().After(until)) || (!busy && tries == attempts) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// claimFile rejects files of other programs and marks a new file as ours.
func claimFile(ctx context.Context, path string, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if mode != "wal" {
		return stockhand.Errorf(stockhand.CodeInternal,
			"the file system of %s does not support write-ahead logging (the journal is %q)", path, mode).
			WithHint("put the database on a local disk")
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	var id, tables int64
	if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master").Scan(&tables); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if id == applicationID {
		return nil
	}
	if id != 0 || tables > 0 {
		return stockhand.Errorf(stockhand.CodeInternal, "%s belongs to another program",
			path).WithHint("use another file; nothing was changed")
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID)); err != nil {
		return fmt.Errorf("mark the database: %w", err)
	}
	return tx.Commit()
}

// sqliteFailure converts an error that occurred while opening the database.
func sqliteFailure(path string, err error) error {
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		return own
	}
	if known := explainSQLite(path, err); known != nil {
		known.Err = err
		return known
	}
	return stockhand.Errorf(stockhand.CodeInternal, "open the database %s: %w", path, err)
}

// unavailableSQLite reports whether another process has locked the file, or its disk is full or failing.
func unavailableSQLite(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch failure.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// fullSQLite reports whether the disk of the file is full.
func fullSQLite(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	return ok && failure.Code()&0xff == sqlite3.SQLITE_FULL
}

// explainSQLite returns an error for the operator, or nil if the code is unknown.
func explainSQLite(path string, err error) *stockhand.Error {
	failure, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return nil
	}
	switch failure.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE:
		return stockhand.Errorf(stockhand.CodeConflict, "it already exists")
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return stockhand.Errorf(stockhand.CodeNotFound, "it belongs to something that this organization does not have")
	}
	internal := func(hint, message string, args ...any) *stockhand.Error {
		return stockhand.Errorf(stockhand.CodeInternal, message, args...).WithHint("%s", hint)
	}
	switch failure.Code() & 0xff { // the primary code; the higher bits give details
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return internal("another stockhand, a backup or a database browser has it open: wait until it finishes, or "+
			"close it",
			"another process has locked the database %s for longer than %s", path, busyTimeout)
	case sqlite3.SQLITE_FULL:
		return internal("free some space and try again; stored data is safe",
			"the disk of the database %s is full", path)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		return internal("this user must be able to write to the file and its folder", "the database %s cannot be "+
			"written",
			path)
	case sqlite3.SQLITE_NOTADB:
		return internal("use another file; nothing was changed", "%s is not a SQLite database", path)
	case sqlite3.SQLITE_CORRUPT:
		return internal("restore it from a backup", "the database %s is damaged", path)
	case sqlite3.SQLITE_IOERR:
		return internal("check the disk and the system log", "the disk of the database %s fails", path)
	}
	return nil
}

// shrinkPages is how many pages of 4 KiB one call of Shrink frees at most.
const shrinkPages = "500"

// Shrink gives some unused space of a SQLite file back to the file system, and returns whether there is more. Postgres
// uses space again by itself.
func (db *DB) Shrink(ctx context.Context) (more bool, err error) {
	if db.reader == db.writer { // Postgres
		return false, nil
	}
	unused := func() (pages int, err error) {
		err = db.writer.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&pages)
		return pages, db.Fail("shrink the database", err)
	}
	before, err := unused()
	if err != nil || before == 0 {
		return false, err
	}
	rows, err := db.writer.QueryContext(ctx, "PRAGMA incremental_vacuum("+shrinkPages+")")
	if err != nil {
		return false, db.Fail("shrink the database", err)
	}
	defer rows.Close()
	for rows.Next() { // each step frees a page
	}
	if err := rows.Err(); err != nil {
		return false, db.Fail("shrink the database", err)
	}
	after, err := unused()
	return after > 0 && after < before, err // a file from before this setting does not shrink
}
