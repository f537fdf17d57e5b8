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
)

// chain asks the first model and falls back to the others when it fails.
type chain struct {
	targets []target
	log     *slog.Logger
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

func (c *chain) Complete(ctx context.Context, r Request, onText func(offset int, text string)) (Reply, error) {
	var spent Usage // by failed attempts
	var paid int64
	var last *failure
	cut := false
	for i, t := range c.targets {
		for attempt := range attempts {
			if err := c.wait(ctx, i, attempt, last); err != nil {
				if ctx.Err() != nil {
					return Reply{Usage: spent, Cost: paid}, context.Cause(ctx)
				}
				break
			}
			reply, failed := t.once(ctx, r, onText)
			if failed == nil {
				reply.Usage, reply.Cost = reply.Usage.Plus(spent), reply.Cost+paid
				return reply, nil
			}
			spent, paid = spent.Plus(failed.used), paid+cost(t.model, failed.used)
			if ctx.Err() != nil {
				return Reply{Usage: spent, Cost: paid}, context.Cause(ctx)
			}
			last = failed
			c.log.Warn("a model failed", "model", t.name(), "attempt", attempt+1, "err", failed.err, "retry_after",
				failed.after)
			if failed.after > 0 {
				c.rest[i].Store(time.Now().Add(failed.after).UnixMicro())
			}
			if failed.begun {
				if cut {
					return Reply{Usage: spent, Cost: paid}, unavailable(last)
				}
				cut = true
			}
			if !failed.again {
				break
			}
		}
	}
	return Reply{Usage: spent, Cost: paid}, unavailable(last)
}

// wait waits until the provider accepts requests again, or with exponential backoff between attempts. It returns an
// error when the next provider should be asked instead: the requested delay is too long, or another provider is
// available now.
func (c *chain) wait(ctx context.Context, i, attempt int, last *failure) error {
	var delay time.Duration
	if until := c.rest[i].Load(); until > 0 {
		delay = time.Until(time.UnixMicro(until))
	}
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
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

var errResting = errors.New("the provider asked not to be called yet")

// unavailable returns the error for the user when no model answered. Its cause, for the log, has the reasons.
func unavailable(last *failure) error {
	err := errResting
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
