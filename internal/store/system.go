package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// System has the queries that span all organizations. Never return their results to a caller.
type System struct{ db *DB }

// System returns the queries that span all organizations.
func (db *DB) System() System { return System{db} }

// Organizations lists all organizations, oldest first.
func (s System) Organizations(ctx context.Context) ([]stockhand.Organization, error) {
	rows, err := s.db.read.AllOrganizations(ctx)
	return many(s.db, "organizations", rows, err, organization)
}

// UnfinishedRuns lists the queued and running runs without a write since silentSince, least recently written first.
// With the time of a restart these are all, with an earlier one those whose worker is gone; see [DB.ClaimRun].
func (s System) UnfinishedRuns(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error) {
	rows, err := s.db.read.UnfinishedRuns(ctx, silentSince.UnixMicro())
	return many(s.db, "unfinished runs", rows, err, run)
}

// Overlooked returns some of the runs without a write since silentSince, least recently written first: running ones
// whose worker is gone, and queued ones whose turn it is but that no worker claimed. It marks the queued ones as
// written, so that replicas process a long queue in turn instead of all at once.
func (s System) Overlooked(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error) {
	rows, err := s.db.read.SilentRuns(ctx, sqlc.SilentRunsParams{UpdatedAt: silentSince.UnixMicro(), MaxRows: 500})
	all, err := many(s.db, "overlooked runs", rows, err, run)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	now := time.Now().UnixMicro()
	return all, s.db.write(ctx, "update the queue", func(q *sqlc.Queries) error {
		for _, r := range all {
			if r.State != stockhand.RunQueued {
				continue
			}
			if err := q.TouchQueuedRun(ctx,
				sqlc.TouchQueuedRunParams{OrgID: string(r.Org), ID: string(r.ID), UpdatedAt: now}); err != nil {
				return err
			}
		}
		return nil
	})
}

// UnfinishedLogs returns the number of log entries of every unfinished run. A follower that has read fewer, or whose
// run is not in the map, has missed events.
func (s System) UnfinishedLogs(ctx context.Context) (map[stockhand.RunID]int64, error) {
	rows, err := s.db.read.UnfinishedLogs(ctx)
	if err != nil {
		return nil, s.db.fail("read the unfinished runs", err)
	}
	logs := make(map[stockhand.RunID]int64, len(rows))
	for _, row := range rows {
		logs[stockhand.RunID(row.ID)] = row.Events
	}
	return logs, nil
}
