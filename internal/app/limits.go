package app

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/store"
)

// newLimiter keeps the limits of the accounts at the server over every process that may send to them. On Postgres these
// are the replicas, wherever they run, and the record keeps the limits. Otherwise they are those that this user runs on
// this machine: two commands at once, or one after another, are one caller to the other side. Where the processes
// cannot know of each other, each keeps the limits by itself, and the log says so.
func newLimiter(c Config, db *store.DB, log *slog.Logger) limit.Limiter {
	own := limit.New(limit.Config{})
	server := c.servers()
	if c.onPostgres() {
		return limit.Shared(own, limit.Config{}, db.System(), server)
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("stockhand-limits-%d", os.Getuid()))
	shared, err := limit.OneMachine(own, limit.Config{}, dir, server)
	if err != nil {
		log.Warn("limits are kept by this process alone", "err", err)
		return own
	}
	return shared
}
