package work

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

	share share
	pool  *pool
	// Under the pool's lock.
	worker  bool          // the run has one
	waits   int           // calls of Wait that have not resumed
	resumed chan struct{} // closed when the run may continue; nil unless it waits for a worker
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

// Work receives deliveries and calls do for each until ctx is done, with at most limit workers. Workers are shared
// fairly (decision 26), and a run that waits for an external system has none (see [Delivery.Wait]). Work returns when
// every delivery that it received is acknowledged. The context of do does not end with ctx; it is cancelled with the
// cause [ErrCancelled] when the run is cancelled. A delivery is extended until do returns. If do returns nil the run
// leaves the queue; with [Retry] or another error it is delivered again.
func (e *Engine) Work(ctx context.Context, limit int, do func(ctx context.Context, d *Delivery) error) {
	e.addWorkers(1)
	defer e.addWorkers(-1)
	e.pool.hire(limit)
	defer e.pool.hire(-limit)
	var fetching, working, extending sync.WaitGroup
	done := make(chan struct{})
	extending.Go(func() { e.extend(done) })
	if e.nats != nil {
		fetching.Go(func() { e.nats.fetchAll(ctx, e.receive) })
	}
	for ctx.Err() == nil {
		d := e.pool.next()
		if d == nil {
			select {
			case <-ctx.Done():
			case <-e.pool.changed:
			}
			continue
		}
		run, end := e.start(ctx, d)
		working.Go(func() {
			defer end()
			e.acknowledge(run, d, do(run, d))
		})
	}
	fetching.Wait()
	for _, d := range e.pool.remove(func(d *Delivery) bool { _, local := d.ack.(localAck); return !local }) {
		e.acknowledge(ctx, d, Retry(0)) // a local run that is dropped here is still in the database
	}
	working.Wait()
	close(done)
	extending.Wait()
}

// maxWaiting is how many runs of one share wait in this process. The rest stays in NATS and is fetched again after
// refetch, so that a long queue of one actor does not hide the runs behind it.
const (
	maxWaiting = 128
	refetch    = time.Second
)

// receive puts a fetched run into the pool.
func (e *Engine) receive(d *Delivery) {
	if !e.pool.add(d, maxWaiting) {
		e.acknowledge(context.Background(), d, Retry(refetch+rand.N(refetch/2)))
	}
}

// start registers a delivery as in flight until end is called.
func (e *Engine) start(ctx context.Context, d *Delivery) (run context.Context, end func()) {
	run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	e.mu.Lock()
	e.inFlight[d] = cancel
	e.mu.Unlock()
	return run, func() {
		cancel(nil)
		e.pool.end(d)
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.inFlight, d)
		e.idle.Broadcast()
	}
}

// extend extends all deliveries, waiting and in flight, until done is closed.
func (e *Engine) extend(done <-chan struct{}) {
	tick := time.NewTicker(AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		e.mu.Lock()
		held := slices.Collect(maps.Keys(e.inFlight))
		e.mu.Unlock()
		for _, d := range append(held, e.pool.waiting()...) {
			if err := d.extend(); err != nil {
				e.logger.Debug("extend a delivery", "run", d.Run, "err", err)
			}
		}
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
	e.stopped = e.workers == 0
	e.idle.Broadcast()
}
