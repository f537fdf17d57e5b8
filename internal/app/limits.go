package app

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/stockhand/stockhand/internal/limit"
)

// newLimiter keeps the limits of the accounts at that server over every process that this user runs on this machine:
// two commands at once, or one after another, are one caller to the other side. Where the processes cannot know of each
// other, each keeps the limits by itself, and the log says so.
func newLimiter(server string, log *slog.Logger) limit.Limiter {
	own := limit.New(limit.Config{})
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("stockhand-limits-%d", os.Getuid()))
	shared, err := limit.OneMachine(own, limit.Config{}, dir, server)
	if err != nil {
		log.Warn("limits are kept by this process alone", "err", err)
		return own
	}
	return shared
}
