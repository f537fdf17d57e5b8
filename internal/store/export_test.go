package store

import (
	"database/sql"
	"time"
)

// SetBusyTimeout changes how long a locked file is waited for, and returns the way back.
func SetBusyTimeout(d time.Duration) (restore func()) {
	before := busyTimeout
	busyTimeout = d
	return func() { busyTimeout = before }
}

// Writer lets tests reach below the methods.
func (db *DB) Writer() *sql.DB { return db.writer }

// Reader is the pool that methods read with.
func (db *DB) Reader() *sql.DB { return db.reader }
