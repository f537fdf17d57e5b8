package app

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/store"
)

// newLimiter returns a limiter that enforces the accounts' limits across all processes that may send requests. On
// Postgres, these are the replicas, which share the limits through the database. Otherwise, they are this user's
// processes on this machine. If the processes cannot coordinate, each enforces the limits by itself, and the log says
// so.
func newLimiter(c Config, db *store.DB, log *slog.Logger) limit.Limiter {
	own := limit.New(limit.Config{})
	server := c.servers()
	if c.onPostgres() {
		return limit.Shared(own, limit.Config{}, db.System(), server)
	}
	folders := []string{filepath.Join(os.TempDir(), fmt.Sprintf("stockhand-limits-%d", os.Getuid()))}
	if cache, err := os.UserCacheDir(); err == nil { // where another user took the first, it is taken for all processes
		folders = append(folders, filepath.Join(cache, "stockhand", "limits"))
	}
	var failed error
	for _, dir := range folders {
		shared, err := limit.OneMachine(own, limit.Config{}, dir, server)
		if err == nil {
			return shared
		}
		failed = errors.Join(failed, err)
	}
	log.Warn("limits are enforced for this process only", "err", failed)
	return own
}
