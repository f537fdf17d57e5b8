package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Now returns the time of the clock that all replicas share: the Postgres server's, or this machine's for SQLite.
func (s System) Now(ctx context.Context) (time.Time, error) { return s.db.base.Now(ctx) }

// RequestSlots returns what internal/limit stores for an account at a server, with its version; "" and 0 if nothing.
func (s System) RequestSlots(ctx context.Context, server, account string) (places string, version int64, err error) {
	row, err := s.db.read.RequestPlaces(ctx, sqlc.RequestPlacesParams{Server: server, Account: account})
	if errors.Is(err, sql.ErrNoRows) {
		return "", 0, nil
	}
	return row.Places, row.Version, s.db.fail("read the request slots", err)
}

// AllRequestSlots returns the stored state of every account at a server.
func (s System) AllRequestSlots(ctx context.Context, server string) (map[string]string, error) {
	rows, err := s.db.read.AllRequestPlaces(ctx, server)
	if err != nil {
		return nil, s.db.fail("read the request slots", err)
	}
	all := make(map[string]string, len(rows))
	for _, row := range rows {
		all[row.Account] = row.Places
	}
	return all, nil
}

// MoveRequestSlots stores a new state if the version is still the one seen, and reports whether it did. Each new state
// raises the version by one.
func (s System) MoveRequestSlots(ctx context.Context, server, account string, seen int64, places string) (won bool,
	err error) {
	at := micros(time.Now())
	err = s.db.write(ctx, "store the request slots", func(q *sqlc.Queries) (err error) {
		var n int64
		if seen == 0 {
			n, err = q.FirstRequestPlaces(ctx, sqlc.FirstRequestPlacesParams{Server: server, Account: account,
				Places: places, UpdatedAt: at})
		} else {
			n, err = q.MoveRequestPlaces(ctx, sqlc.MoveRequestPlacesParams{Server: server, Account: account,
				Version: seen, Places: places, UpdatedAt: at})
		}
		won = n == 1
		return err
	})
	return won, err
}

// CountUnfinishedRuns counts the queued and the running runs of all organizations.
func (s System) CountUnfinishedRuns(ctx context.Context) (map[stockhand.RunState]int64, error) {
	rows, err := s.db.read.CountUnfinishedRuns(ctx)
	if err != nil {
		return nil, s.db.fail("count the unfinished runs", err)
	}
	all := map[stockhand.RunState]int64{stockhand.RunQueued: 0, stockhand.RunRunning: 0}
	for _, row := range rows {
		all[stockhand.RunState(row.State)] = row.N
	}
	return all, nil
}
