package store

import (
	"context"
	"errors"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// errFull rolls back attempts of which one is not allowed.
var errFull = errors.New("too many attempts")

// TakeAttempts counts an attempt at the given time in each of all, or in none if one has too many: then it returns the
// name of that one, and how long to wait. Calls that count several name them in the same order of their kinds.
func (s System) TakeAttempts(ctx context.Context, at time.Time, all ...stockhand.Attempts) (full []byte,
	wait time.Duration, err error) {
	now := micros(at)
	err = s.db.write(ctx, "count the attempt", func(q *sqlc.Queries) error {
		for _, a := range all {
			step := a.Every.Microseconds()
			latest := now + int64(a.Burst)*step
			rows, err := q.TakeAttempt(ctx, sqlc.TakeAttemptParams{Name: a.Name, Now: now, Step: step, Latest: latest})
			if err != nil {
				return err
			}
			if rows == 1 {
				continue
			}
			free, err := q.AttemptsFreeAt(ctx, a.Name)
			if err != nil {
				return err
			}
			full, wait = a.Name, time.Duration(free+step-latest)*time.Microsecond
			return errFull
		}
		return nil
	})
	if errors.Is(err, errFull) {
		return full, wait, nil
	}
	return nil, 0, err
}

// ReturnAttempts takes back an attempt that TakeAttempts counted.
func (s System) ReturnAttempts(ctx context.Context, all ...stockhand.Attempts) error {
	return s.db.write(ctx, "take the attempt back", func(q *sqlc.Queries) error {
		for _, a := range all {
			if err := q.ReturnAttempt(ctx, sqlc.ReturnAttemptParams{Name: a.Name,
				Step: a.Every.Microseconds()}); err != nil {
				return err
			}
		}
		return nil
	})
}
