package limit

import (
	"context"
	"time"
)

// Config says what an account allows. The zero Config means the specification's limits.
type Config struct {
	PerSecond      int           // requests in any sliding second; zero means 6
	HeavyPerSecond int           // stock reports among them; zero means 2
	InFlight       int           // requests of one employee on the way at once; zero means 5
	Margin         time.Duration // added to the second, for clocks that differ
}

// Memory is a limiter for one process.
type Memory struct{ config Config }

// New returns a limiter for one process.
func New(c Config) *Memory { return &Memory{c} }

// Acquire implements [Limiter].
func (m *Memory) Acquire(ctx context.Context, r Request) (func(Feedback), error) {
	return func(Feedback) {}, ctx.Err()
}
