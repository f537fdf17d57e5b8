package loop

import (
	"context"
	"time"
)

// answerTime is how much of a run's time is kept for its answer; a fifth of a shorter run.
const answerTime = 2 * time.Minute

// until is when the run may no longer call tools, so that the model has time to answer; false for never.
func (l *Loop) until(ctx context.Context) (time.Time, bool) {
	end, ok := ctx.Deadline()
	return end.Add(-min(answerTime, end.Sub(l.began)/5)), ok
}

// inTime returns the context of calls, which end in time for an answer.
func (l *Loop) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	until, ok := l.until(ctx)
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, until)
}
