package limit

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrCountSpent refuses a request beyond [Counter.Max].
var ErrCountSpent = errors.New("no more requests are allowed for this purpose")

// Counter counts the requests sent with a context; a run reports the number as its external requests.
type Counter struct {
	Max int64 // further requests fail with [ErrCountSpent]; 0 means unlimited
	n   atomic.Int64
}

// Requests returns how many requests were sent so far.
func (c *Counter) Requests() int { return int(c.n.Load()) }

type counterKey struct{}

// WithCounter returns a context whose requests are counted by c; see [Counted].
func WithCounter(ctx context.Context, c *Counter) context.Context {
	return context.WithValue(ctx, counterKey{}, c)
}

// Counted wraps a limiter so that each request it grants is counted by the [Counter] in the request's context.
func Counted(l Limiter) Limiter { return counted{l} }

type counted struct{ Limiter }

func (c counted) Acquire(ctx context.Context, r Request) (func(Feedback), error) {
	counter, ok := ctx.Value(counterKey{}).(*Counter)
	if !ok {
		return c.Limiter.Acquire(ctx, r)
	}
	if n := counter.n.Add(1); counter.Max > 0 && n > counter.Max {
		counter.n.Add(-1)
		return nil, ErrCountSpent
	}
	done, err := c.Limiter.Acquire(ctx, r)
	if err != nil {
		counter.n.Add(-1)
	}
	return done, err
}
