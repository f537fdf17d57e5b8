package database

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// writableFor is how long it counts whether the database was found to accept writes.
const writableFor = 2 * time.Second

// writable is what was found last.
type writable struct {
	mu  sync.Mutex
	why error // nil if a write succeeded
	at  time.Time
}

func (w *writable) found(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.why, w.at = why, time.Now()
}

// last returns whether it is still known, and what it is.
func (w *writable) last() (known bool, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.at.IsZero() && time.Since(w.at) < writableFor, w.why
}

// Writable returns why the database accepts no writes, or nil (rule R172). The answer is up to two seconds old: it is
// that the disk was full for a transaction, or else the outcome of one that runs the probe, which writes something
// small.
func (db *DB) Writable(ctx context.Context, probe func(tx *sql.Tx) error) error {
	if known, why := db.writable.last(); known {
		return why
	}
	why := db.Transact(ctx, "try to write", probe)
	if ctx.Err() == nil {
		db.writable.found(why)
	}
	return why
}
