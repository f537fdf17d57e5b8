package work

import (
	"context"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// queue is an in-process queue.
type queue struct {
	mu      sync.Mutex
	waiting []*Delivery
	known   map[stockhand.RunID]*time.Timer // nil while waiting or being worked on; the timer of a delayed run
	wake    chan struct{}
	closed  bool
}

func (q *queue) init() {
	q.known, q.wake = map[stockhand.RunID]*time.Timer{}, make(chan struct{}, 1)
}

// push adds a run unless the queue already knows it.
func (q *queue) push(org stockhand.OrgID, id stockhand.RunID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.known[id]; known || q.closed {
		return
	}
	q.add(org, id)
}

func (q *queue) add(org stockhand.OrgID, id stockhand.RunID) {
	d := &Delivery{Org: org, Run: id}
	d.ack = localAck{q, d}
	q.known[id] = nil
	q.waiting = append(q.waiting, d)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// next blocks until a run is available. It returns nil when ctx is done.
func (q *queue) next(ctx context.Context) *Delivery {
	for {
		if ctx.Err() != nil {
			return nil
		}
		q.mu.Lock()
		if len(q.waiting) > 0 {
			d := q.waiting[0]
			q.waiting = q.waiting[1:]
			q.mu.Unlock()
			return d
		}
		q.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil
		case <-q.wake:
		}
	}
}

// busy reports whether a run is waiting or being worked on. Delayed runs do not count.
func (q *queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, delay := range q.known {
		if delay == nil {
			return true
		}
	}
	return false
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.waiting = true, nil
	for _, delay := range q.known {
		if delay != nil {
			delay.Stop()
		}
	}
	clear(q.known)
}

// localAck acknowledges a delivery of the in-process queue.
type localAck struct {
	q *queue
	d *Delivery
}

func (a localAck) done(context.Context) error {
	a.q.mu.Lock()
	defer a.q.mu.Unlock()
	delete(a.q.known, a.d.Run)
	return nil
}

func (a localAck) retry(after time.Duration) error {
	a.q.mu.Lock()
	defer a.q.mu.Unlock()
	if a.q.closed {
		return nil
	}
	a.q.known[a.d.Run] = time.AfterFunc(after, func() {
		a.q.mu.Lock()
		defer a.q.mu.Unlock()
		if !a.q.closed {
			a.q.add(a.d.Org, a.d.Run)
		}
	})
	return nil
}

func (localAck) extend() error { return nil }
