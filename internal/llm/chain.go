package llm

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/stockhand/stockhand"
)

const (
	// attempts is how often a provider is tried before the next one.
	attempts = 3
	// longest is the longest Retry-After delay that is waited for.
	longest = 30 * time.Second
	// mostPatience is the longest that failing providers are waited for: less than a reservation is valid.
	mostPatience = 15 * time.Minute
)

// chain asks the first model and falls back to the others when it fails.
type chain struct {
	targets []target
	log     *slog.Logger
	clock   Clock
	rest    []atomic.Int64 // by target: the time in microseconds until which its provider asked not to be called
}

func (c *chain) Name() string { return c.targets[0].name() }

func (c *chain) Cost(u Usage) int64 {
	most := int64(0)
	for _, t := range c.targets {
		most = max(most, cost(t.model, u))
	}
	return most
}

// Complete asks the models one after another, each several times. While all of them fail for the moment, it does so
// again and again until the request's patience is over (rule R375).
func (c *chain) Complete(ctx context.Context, r Request, onText func(offset int, text string)) (Reply, error) {
	w := &wait{until: c.clock.Now().Add(min(r.Patience, mostPatience))}
	for round := 0; ; round++ {
		reply, answered, err := c.ask(ctx, r, onText, w)
		if answered || err != nil {
			return reply, err
		}
		pause := c.pause(round)
		if !w.again() || c.clock.Now().Add(pause).After(w.until) {
			return w.spent, unavailable(w.last)
		}
		if r.Waiting != nil {
			r.Waiting()
		}
		if err := c.clock.Sleep(ctx, pause); err != nil {
			return w.spent, context.Cause(ctx)
		}
	}
}

// wait is what the failed attempts of a request have come to.
type wait struct {
	until time.Time
	last  *failure // nil if every provider asked not to be called yet
	spent Reply    // only what was used and paid
	cut   bool     // a reply was interrupted
	later bool     // a provider failed for the moment, or asked not to be called yet
}

// again reports whether the request may succeed later.
func (w *wait) again() bool { return w.later && !w.cut && (w.last == nil || !IsTooLong(w.last.err)) }

// ask asks each model. It returns an error if the request must not be repeated.
func (c *chain) ask(ctx context.Context, r Request, onText func(offset int, text string), w *wait) (_ Reply,
	answered bool, _ error) {
	var last *failure
	w.later = false
	for i, t := range c.targets {
		for attempt := range attempts {
			if err := c.rests(ctx, i, attempt, last); err != nil {
				if ctx.Err() != nil {
					return w.spent, false, context.Cause(ctx)
				}
				w.later = true
				break
			}
			reply, failed := t.once(ctx, r, onText)
			if failed == nil {
				reply.Usage, reply.Cost = reply.Usage.Plus(w.spent.Usage), reply.Cost+w.spent.Cost
				return reply, true, nil
			}
			w.spent.Usage = w.spent.Usage.Plus(failed.used)
			w.spent.Cost += cost(t.model, failed.used)
			if ctx.Err() != nil {
				return w.spent, false, context.Cause(ctx)
			}
			last, w.later = failed, w.later || failed.again
			c.log.Warn("a model failed", "model", t.name(), "attempt", attempt+1, "err", failed.err, "retry_after",
				failed.after)
			if failed.after > 0 {
				c.rest[i].Store(c.clock.Now().Add(failed.after).UnixMicro())
			}
			if failed.begun {
				if w.cut {
					return w.spent, false, unavailable(last)
				}
				w.cut = true
			}
			if !failed.again {
				break
			}
		}
	}
	w.last = last
	return w.spent, false, nil
}

// rests waits until the provider accepts requests again, or with exponential backoff between attempts. It returns an
// error when the next provider should be asked instead: the requested delay is too long, or another provider is
// available now.
func (c *chain) rests(ctx context.Context, i, attempt int, last *failure) error {
	delay := c.resting(i)
	if attempt > 0 && delay <= 0 && last != nil && !last.begun {
		delay = time.Duration(1<<attempt) * 250 * time.Millisecond
		delay += rand.N(delay / 4)
	}
	if delay <= 0 {
		return ctx.Err()
	}
	if delay > longest || delay > 2*time.Second && i < len(c.targets)-1 {
		return errResting
	}
	return c.clock.Sleep(ctx, delay)
}

// resting returns how long a provider asked not to be called.
func (c *chain) resting(i int) time.Duration {
	until := c.rest[i].Load()
	if until == 0 {
		return 0
	}
	return time.UnixMicro(until).Sub(c.clock.Now())
}

// pause returns how long to wait after a round in which every provider failed: longer each time, and until the first
// of them accepts requests again.
func (c *chain) pause(round int) time.Duration {
	first := c.resting(0)
	for i := range c.targets {
		first = min(first, c.resting(i))
	}
	pause := min(time.Duration(1<<min(round, 10))*2*time.Second, time.Minute)
	return max(first, pause+rand.N(pause/4))
}

var errResting = errors.New("the provider asked not to be called yet")

// unavailable returns the error for the user when no model answered. Its cause, for the log, has the reasons.
func unavailable(last *failure) error {
	err := errResting
	if last != nil && IsTooLong(last.err) {
		return TooLong()
	}
	if last != nil {
		err = last.err
	}
	return &stockhand.Error{
		Code: stockhand.CodeModelUnavailable, Err: err,
		Message: "the language model did not answer",
		Hint:    "try again in a minute; the server's log contains the reason",
		RU: stockhand.Words{Message: "языковая модель не ответила",
			Hint: "повторите через минуту; причина записана в журнале сервера"},
	}
}
