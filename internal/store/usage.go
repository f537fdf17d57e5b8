package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AddUsage counts what an actor used outside of runs; those count what they used when they end. An empty day is today
// (UTC).
func (db *DB) AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error {
	if err := belongs(org, u.Org); err != nil {
		return err
	}
	u.Org = org
	return db.write(ctx, "count what was used", func(q *sqlc.Queries) error { return addUsage(ctx, q, u, time.Now()) })
}

// Usage lists what was used from one day to another (UTC, as in 2026-11-21, both included), by day and actor.
func (db *DB) Usage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.Usage, error) {
	rows, err := db.read.UsageBetween(ctx, sqlc.UsageBetweenParams{OrgID: string(org), FirstDay: from, LastDay: to})
	return many(db, "usage", rows, err, func(row sqlc.Usage) stockhand.Usage {
		return stockhand.Usage{
			Org: stockhand.OrgID(row.OrgID), Day: row.Day, By: row.CreatedBy, Runs: int(row.Runs),
			Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens),
				OutputTokens: int(row.OutputTokens)},
		}
	})
}

// addUsage is the last write of a transaction: the row of an actor's day is where all its runs meet, and is held for as
// short a time as can be.
func addUsage(ctx context.Context, q *sqlc.Queries, u stockhand.Usage, at time.Time) error {
	if u.Day == "" {
		u.Day = at.UTC().Format(time.DateOnly)
	}
	return q.AddUsage(ctx, sqlc.AddUsageParams{
		OrgID: string(u.Org), Day: u.Day, CreatedBy: u.By, Runs: int64(u.Runs),
		Requests: int64(u.Requests), InputTokens: int64(u.InputTokens), OutputTokens: int64(u.OutputTokens),
	})
}
