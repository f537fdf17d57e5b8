package store

import (
	"context"
	"time"

	"github.com/stockhand/stockhand"
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

// UnfinishedRuns lists the queued and running runs that nobody has written to since that moment, the longest silent
// first: after a start all of them (give the moment of the start), in a sweep those whose worker is gone. Whoever wants one
// must win it with [DB.ClaimRun].
func (s System) UnfinishedRuns(ctx context.Context, silentSince time.Time) ([]stockhand.Run, error) {
	rows, err := s.db.read.UnfinishedRuns(ctx, silentSince.UnixMicro())
	return many(s.db, "unfinished runs", rows, err, run)
}
