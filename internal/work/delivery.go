package work

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// Delivery hands a run to a worker. It holds only the run's ID: the database says whether there is still work to do.
type Delivery struct {
	Org stockhand.OrgID
	Run stockhand.RunID

	ack   ack
	mu    sync.Mutex
	acked bool
}

// ack is how a queue learns what became of a delivery.
type ack interface {
	done(ctx context.Context) error  // removes the run from the queue; it may then be published again
	retry(after time.Duration) error // delivers the run again after a delay
	extend() error                   // the worker is still busy
}

// Done removes the run from the queue before the worker returns. After that the run can be published again.
func (d *Delivery) Done(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.acked {
		return nil
	}
	d.acked = true
	return d.ack.done(ctx)
}

func (d *Delivery) retry(after time.Duration) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.acked {
		return nil
	}
	d.acked = true
	return d.ack.retry(after)
}

func (d *Delivery) extend() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.acked {
		return nil
	}
	return d.ack.extend()
}

// retryAfter is the error behind [Retry].
type retryAfter struct{ delay time.Duration }

func (r retryAfter) Error() string { return fmt.Sprintf("retry in %s", r.delay) }

// Retry is an error with which a worker asks for the run to be delivered again, to any worker, after a delay; 0 means
// at once.
func Retry(after time.Duration) error { return retryAfter{after} }

// retryDelay is the delay after a worker failed with an error other than [Retry].
const retryDelay = 2 * time.Second

// Work receives deliveries and calls do for each, at most limit at a time, until ctx is done. It returns when every
// delivery that it received is acknowledged. The context of do does not end with ctx; it is cancelled with the cause
// [ErrCancelled] when the run is cancelled. The delivery is extended while do runs. If do returns nil the run leaves
// the queue; with [Retry] or another error it is delivered again.
func (e *Engine) Work(ctx context.Context, limit int, do func(ctx context.Context, d *Delivery) error) {
	e.addWorkers(1)
	defer e.addWorkers(-1)
	slots := make(chan struct{}, limit)
	acquire := func() bool {
		select {
		case slots <- struct{}{}:
			return true
		case <-ctx.Done():
			return false
		}
	}
	var all sync.WaitGroup
	start := func(d *Delivery) {
		working, end := e.start(ctx, d)
		all.Go(func() {
			defer func() { <-slots }()
			defer end()
			e.acknowledge(working, d, do(working, d))
		})
	}
	all.Go(func() {
		for {
			d := e.local.next(ctx)
			if d == nil || !acquire() {
				return // a run dropped here is still in the database
			}
			start(d)
		}
	})
	if e.nats != nil {
		all.Go(func() {
			for acquire() {
				d := e.nats.next(ctx)
				if d != nil && ctx.Err() == nil {
					start(d)
					continue
				}
				if d != nil { // it arrived during shutdown
					e.acknowledge(ctx, d, Retry(0))
				}
				<-slots
			}
		})
	}
	all.Wait()
}

// start registers a delivery as in flight and extends it until end is called.
func (e *Engine) start(ctx context.Context, d *Delivery) (working context.Context, end func()) {
	working, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	e.mu.Lock()
	e.inFlight[d] = cancel
	e.mu.Unlock()
	stop := make(chan struct{})
	var heartbeat sync.WaitGroup
	heartbeat.Go(func() {
		tick := time.NewTicker(AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				if err := d.extend(); err != nil {
					e.logger.Debug("extend a delivery", "run", d.Run, "err", err)
				}
			}
		}
	})
	return working, func() {
		close(stop)
		heartbeat.Wait()
		cancel(nil)
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.inFlight, d)
		e.idle.Broadcast()
	}
}

// acknowledge tells the queue how the worker finished.
func (e *Engine) acknowledge(ctx context.Context, d *Delivery, err error) {
	if err == nil {
		err = d.Done(context.WithoutCancel(ctx))
	} else if r, ok := errors.AsType[retryAfter](err); ok {
		err = d.retry(r.delay)
	} else {
		e.logger.Error("the worker of a run failed; the run will be delivered again", "run", d.Run, "err", err)
		err = d.retry(retryDelay)
	}
	if err != nil { // the queue is gone; the sweeper finds the run in the database
		e.logger.Warn("acknowledge a delivery", "run", d.Run, "err", err)
	}
}

func (e *Engine) addWorkers(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.workers += n
	e.idle.Broadcast()
}
