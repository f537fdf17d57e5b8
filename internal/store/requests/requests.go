// Package requests stores the latest requests of each organization to the API; see internal/api/requestlog.
package requests

import (
	"context"
	"database/sql"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the requests of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
}

// New returns the store of a database.
func New(base *database.DB) Store { return Store{base, sqlc.New(base.Reader())} }

// Add stores requests of an organization, and removes those that it no longer keeps.
func (s Store) Add(ctx context.Context, org stockhand.OrgID, all []stockhand.APIRequest, keep stockhand.KeptRequests,
	now time.Time) error {
	return s.base.Transact(ctx, "store the requests", func(tx *sql.Tx) error {
		q := sqlc.New(tx)
		for _, r := range all {
			err := q.AddRequest(ctx, sqlc.AddRequestParams{OrgID: string(org), ID: string(r.ID), At: r.At.UnixMicro(),
				Method: r.Method, Route: r.Route, Status: int64(r.Status), Took: r.Took.Microseconds(), CreatedBy: r.By,
				Code: string(r.Code), RequestID: r.Request})
			if err != nil {
				return err
			}
		}
		return q.TrimRequests(ctx, sqlc.TrimRequestsParams{OrgID: string(org), Most: int64(keep.Most - 1),
			Since: now.Add(-keep.For).UnixMicro()})
	})
}

// Latest returns requests of an organization, newest first: at most limit that are older than before, or the newest if
// it is empty.
func (s Store) Latest(ctx context.Context, org stockhand.OrgID, f stockhand.RequestFilter,
	before stockhand.APIRequestID, limit int) ([]stockhand.APIRequest, error) {
	if before == "" {
		before = "~" // after every ID
	}
	least := 0
	if f.Failed {
		least = firstFailure
	}
	rows, err := s.read.RequestsBefore(ctx, sqlc.RequestsBeforeParams{OrgID: string(org), Before: string(before),
		Actor: f.By, Least: int64(least), MaxRows: int64(limit), Since: f.Since.UnixMicro()})
	if err != nil {
		return nil, s.base.Fail("read the requests", err)
	}
	all := make([]stockhand.APIRequest, len(rows))
	for i, r := range rows {
		all[i] = stockhand.APIRequest{ID: stockhand.APIRequestID(r.ID), At: time.UnixMicro(r.At).UTC(),
			Method: r.Method, Route: r.Route, Status: int(r.Status),
			Took: time.Duration(r.Took) * time.Microsecond, By: r.CreatedBy,
			Code: stockhand.Code(r.Code), Request: r.RequestID}
	}
	return all, nil
}

// firstFailure is the lowest status of a request that failed.
const firstFailure = 400
