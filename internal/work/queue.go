package work

import (
	"context"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// queue is an in-process queue. Its runs wait in the pool.
type queue struct {
	pool *pool

	mu     sync.Mutex
	known  map[stockhand.RunID]*time.Timer // nil while waiting or being worked on; the timer of a delayed run
	closed bool
}

// push adds a run unless the queue already knows it.
func (q *queue) push(s share, id stockhand.RunID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.known[id]; known || q.closed {
		return
	}
	q.add(s, id)
}

func (q *queue) add(s share, id stockhand.RunID) {
	d := &Delivery{Org: s.Org, Run: id, share: s}
	d.ack = localAck{q, d}
	q.known[id] = nil
	q.pool.add(d, 0)
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
	q.closed = true
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
			a.q.add(a.d.share, a.d.Run)
		}
	})
	return nil
}

func (localAck) extend() error { return nil }
