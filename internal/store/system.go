package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// System is what the program itself asks, on behalf of no organization: these few questions go across all of them and
// must never be answered to a caller.
type System struct{ db *DB }

// System returns the questions that go across organizations.
func (db *DB) System() System { return System{db} }

// Organizations lists all organizations, the oldest first.
func (s System) Organizations(ctx context.Context) ([]stockhand.Organization, error) {
	rows, err := s.db.read.AllOrganizations(ctx)
	return many(s.db, "organizations", rows, err, organization)
}

// UnfinishedRuns lists the queued and running runs that have had no write since that moment, the longest silent first:
// after a start all of them (give the moment of the start), in a sweep those whose worker is gone. A worker that wants
// one must win it with [DB.ClaimRun].
func (s System) UnfinishedRuns(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error) {
	rows, err := s.db.read.UnfinishedRuns(ctx, silentSince.UnixMicro())
	return many(s.db, "unfinished runs", rows, err, run)
}

// Overlooked returns some of the runs that have had no write since that moment, the longest silent first: running ones
// whose worker is gone, and queued ones whose turn it is and that no worker took. The queued count as written to by
// this, so that a long queue is gone through in turn and not by every replica at once.
func (s System) Overlooked(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error) {
	rows, err := s.db.read.SilentRuns(ctx, sqlc.SilentRunsParams{UpdatedAt: silentSince.UnixMicro(), MaxRows: 500})
	all, err := many(s.db, "overlooked runs", rows, err, run)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	now := time.Now().UnixMicro()
	return all, s.db.write(ctx, "look after the queue", func(q *sqlc.Queries) error {
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

// UnfinishedLogs returns how many entries the logs of all unfinished runs have. A follower that has read fewer, or
// whose run is not among them, has missed something.
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
