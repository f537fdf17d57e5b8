package work

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// Delivery is a run that someone should work on. It says nothing of the run but its name: the record knows whether it
// is still to be done.
type Delivery struct {
	Org stockhand.OrgID
	Run stockhand.RunID

	ack   ack
	mu    sync.Mutex
	acked bool
}

// ack is the queue's side of an offer.
type ack interface {
	done(ctx context.Context) error // off the queue; once it returns the run may be published again
	later(after time.Duration) error
	alive() error // still being worked on
}

// Done takes the run off the queue before the worker returns. Once it has returned, the run can be published again.
func (o *Delivery) Done(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.acked {
		return nil
	}
	o.acked = true
	return o.ack.done(ctx)
}

func (o *Delivery) later(after time.Duration) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.acked {
		return nil
	}
	o.acked = true
	return o.ack.later(after)
}

// alive extends the delivery while the worker is busy.
func (o *Delivery) alive() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.acked {
		return nil
	}
	return o.ack.alive()
}

// later is an instruction in the form of an error: offer the run again after that time.
type later struct{ after time.Duration }

func (l later) Error() string { return fmt.Sprintf("offer it again in %s", l.after) }

// Later is what a worker returns to have the run offered again, to any worker, after that time; at once for 0.
func Later(after time.Duration) error { return later{after} }

// setback is how long a run waits that could not be worked on, when the worker does not say.
const setback = 2 * time.Second

// Work takes offers, at most atOnce at a time, and calls do with each until ctx ends; it returns when all that it has
// taken is acked. The context that do is given does not end with ctx: it ends with the cause [ErrCancelled] when the
// run is cancelled. While do runs the offer is kept alive. Nil from do settles it; [Later] and any other error have the
// run offered again.
func (e *Engine) Work(ctx context.Context, atOnce int, do func(ctx context.Context, o *Delivery) error) {
	e.count(1)
	defer e.count(-1)
	slots := make(chan struct{}, atOnce)
	acquire := func() bool {
		select {
		case slots <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		}
	}
	var all sync.WaitGroup
	begin := func(o *Delivery) {
		working, end := e.take(ctx, o)
		all.Go(func() {
			defer func() { <-slots }()
			defer end()
			e.settle(working, o, do(working, o))
		})
	}
	all.Go(func() {
		for {
			o := e.own.next(ctx)
			if o == nil || !acquire() {
				return // what this process keeps for itself is in the record, should it not come back
			}
			begin(o)
		}
	})
	if e.nats != nil {
		all.Go(func() {
			for acquire() {
				o := e.nats.next(ctx)
				if o != nil && ctx.Err() == nil {
					begin(o)
					continue
				}
				if o != nil { // it came while the work was ending
					e.settle(ctx, o, Later(0))
				}
				<-slots
			}
		})
	}
	all.Wait()
}

// take puts an offer into a worker's keeping.
func (e *Engine) take(ctx context.Context, o *Delivery) (working context.Context, end func()) {
	working, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	e.mu.Lock()
	e.inFlight[o] = cancel
	e.mu.Unlock()
	stop := make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() {
		beat := time.NewTicker(AckWait / 3)
		defer beat.Stop()
		for {
			select {
			case <-stop:
				return
			case <-beat.C:
				if err := o.alive(); err != nil {
					e.logger.Debug("keep a run", "run", o.Run, "err", err)
				}
			}
		}
	})
	return working, func() {
		close(stop)
		beating.Wait()
		cancel(nil)
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.inFlight, o)
		e.idle.Broadcast()
	}
}

// settle acknowledges a delivery, or has it delivered again.
func (e *Engine) settle(ctx context.Context, o *Delivery, err error) {
	if err == nil {
		err = o.Done(context.WithoutCancel(ctx))
	} else if wait, ok := errors.AsType[later](err); ok {
		err = o.later(wait.after)
	} else {
		e.logger.Error("a run could not be worked on; it is offered again", "run", o.Run, "err", err)
		err = o.later(setback)
	}
	if err != nil { // the queue is gone: the sweeper finds what is still to be done
		e.logger.Warn("settle a run", "run", o.Run, "err", err)
	}
}

func (e *Engine) count(workers int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.workers += workers
	e.idle.Broadcast()
}
