// Package replicas stores which processes serve, by their last signs of life.
package replicas

import (
	"context"
	"database/sql"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// Store stores the replicas of an installation. Its methods are safe for concurrent use.
type Store struct {
	base *database.DB
	read *sqlc.Queries
}

// New returns the store of a database.
func New(base *database.DB) Store { return Store{base, sqlc.New(base.Reader())} }

// Seen stores a sign of life, and forgets the replicas that gave none since a time.
func (s Store) Seen(ctx context.Context, r stockhand.Replica, since time.Time) error {
	return s.base.Transact(ctx, "store a replica", func(tx *sql.Tx) error {
		q := sqlc.New(tx)
		if err := q.PutReplica(ctx, sqlc.PutReplicaParams{ID: r.ID, Name: r.Name, Version: r.Version,
			StartedAt: r.Started.UnixMicro(), SeenAt: r.Seen.UnixMicro(), Memory: r.Memory, Working: int64(r.Working),
			Queue: r.Queue}); err != nil {
			return err
		}
		return q.ForgetReplicas(ctx, since.UnixMicro())
	})
}

// Gone removes a replica that was closed.
func (s Store) Gone(ctx context.Context, id string) error {
	return s.base.Transact(ctx, "remove a replica", func(tx *sql.Tx) error {
		return sqlc.New(tx).DeleteReplica(ctx, id)
	})
}

// All returns the replicas that gave a sign of life since a time, the one that began first being the first.
func (s Store) All(ctx context.Context, since time.Time) ([]stockhand.Replica, error) {
	rows, err := s.read.AllReplicas(ctx, since.UnixMicro())
	if err != nil {
		return nil, s.base.Fail("read the replicas", err)
	}
	all := make([]stockhand.Replica, len(rows))
	for i, r := range rows {
		all[i] = stockhand.Replica{ID: r.ID, Name: r.Name, Version: r.Version,
			Started: time.UnixMicro(r.StartedAt).UTC(), Seen: time.UnixMicro(r.SeenAt).UTC(), Memory: r.Memory,
			Working: int(r.Working), Queue: r.Queue}
	}
	return all, nil
}
