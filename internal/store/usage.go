package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AddUsage counts usage outside of runs; FinishRun counts the usage of runs. An empty day means today (UTC).
func (db *DB) AddUsage(ctx context.Context, org stockhand.OrgID, u stockhand.Usage) error {
	if err := belongs(org, u.Org); err != nil {
		return err
	}
	u.Org = org
	return db.write(ctx, "count the usage", func(q *sqlc.Queries) error { return addUsage(ctx, q, u, time.Now()) })
}

// Usage lists the usage from one day to another, inclusive (UTC, for example 2026-11-21), by day and actor.
func (db *DB) Usage(ctx context.Context, org stockhand.OrgID, from, to string) ([]stockhand.Usage, error) {
	rows, err := db.read.UsageBetween(ctx, sqlc.UsageBetweenParams{OrgID: string(org), FirstDay: from, LastDay: to})
	return many(db, "usage", rows, err, func(row sqlc.Usage) stockhand.Usage {
		return stockhand.Usage{
			Org: stockhand.OrgID(row.OrgID), Day: row.Day, By: row.CreatedBy, Runs: int(row.Runs),
			Used: stockhand.Used{Requests: int(row.Requests), InputTokens: int(row.InputTokens),
				OutputTokens: int(row.OutputTokens), CachedTokens: int(row.CachedTokens), Cost: row.Cost},
		}
	})
}

// addUsage comes last in its transaction: all runs of an actor update one row per day, so the row lock should be short.
func addUsage(ctx context.Context, q *sqlc.Queries, u stockhand.Usage, at time.Time) error {
	if u.Day == "" {
		u.Day = at.UTC().Format(time.DateOnly)
	}
	return q.AddUsage(ctx, sqlc.AddUsageParams{
		OrgID: string(u.Org), Day: u.Day, CreatedBy: u.By, Runs: int64(u.Runs),
		Requests: int64(u.Requests), InputTokens: int64(u.InputTokens), OutputTokens: int64(u.OutputTokens),
		CachedTokens: int64(u.CachedTokens), Cost: u.Cost,
	})
}
