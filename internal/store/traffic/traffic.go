// Package traffic stores what runs asked accounts and models; see internal/traffic.
package traffic

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the traffic of runs of all organizations. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
	keys *datakey.Keys
}

// New returns the store of a database.
func New(base *database.DB, keys *datakey.Keys) *Store {
	return &Store{base: base, read: sqlc.New(base.Reader()), keys: keys}
}

// column is where bodies are; see [content.Key.Seal].
const column = "run_traffic.body"

// Traffic returns what was kept of a run. It returns NOT_FOUND if nothing was, or not any more.
func (s *Store) Traffic(ctx context.Context, org stockhand.OrgID, run stockhand.RunID) (body []byte, err error) {
	row, err := s.read.RunTraffic(ctx, sqlc.RunTrafficParams{OrgID: string(org), RunID: string(run)})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, stockhand.Errorf(stockhand.CodeNotFound, "nothing is kept of this run")
	}
	if err == nil {
		opener := s.keys.Opener(ctx)
		body = opener.Open(row.OrgID, row.Body, column, row.RunID)
		err = opener.Err()
	}
	return body, s.base.Fail("read the traffic of a run", err)
}

// Put stores the traffic of a run, and deletes the oldest of the organization so that it has no more than most bytes.
func (s *Store) Put(ctx context.Context, org stockhand.OrgID, run stockhand.RunID, body []byte, at time.Time,
	most int64) error {
	return s.keys.Transact(ctx, "store the traffic of a run", org, func(tx *sql.Tx, key *content.Key) error {
		q := sqlc.New(tx)
		err := q.InsertRunTraffic(ctx, sqlc.InsertRunTrafficParams{OrgID: string(org), RunID: string(run),
			Body: key.Seal(body, column, string(run)), Size: int64(len(body)), CreatedAt: at.UnixMicro()})
		if err != nil {
			return err
		}
		kept, err := q.SizesOfRunTraffic(ctx, string(org))
		if err != nil {
			return err
		}
		total := int64(0)
		for _, k := range kept { // the newest first
			if total += k.Size; total <= most {
				continue
			}
			err := q.DeleteRunTraffic(ctx, sqlc.DeleteRunTrafficParams{OrgID: string(org), RunID: k.RunID})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// batch is of how many runs one transaction forgets the traffic.
const batch = 50

// Forget deletes some of what is older than a time, of all organizations, and reports whether there may be more.
func (s *Store) Forget(ctx context.Context, before time.Time) (more bool, err error) {
	err = s.base.Transact(ctx, "forget old traffic", func(tx *sql.Tx) error {
		rows, err := sqlc.New(tx).ForgetRunTraffic(ctx,
			sqlc.ForgetRunTrafficParams{Before: before.UnixMicro(), MaxRows: batch})
		more = rows == batch
		return err
	})
	return more, err
}
