package work

import (
	"context"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// queue is the queue of this process.
type queue struct {
	mu      sync.Mutex
	waiting []*Delivery
	known   map[stockhand.RunID]*time.Timer // waiting, in a worker's keeping (nil), or put off until the timer fires
	some    chan struct{}
	closed  bool
}

func (q *queue) init() {
	q.known, q.some = map[stockhand.RunID]*time.Timer{}, make(chan struct{}, 1)
}

// push adds a run unless it is there.
func (q *queue) push(org stockhand.OrgID, id stockhand.RunID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, there := q.known[id]; there || q.closed {
		return
	}
	q.add(org, id)
}

func (q *queue) add(org stockhand.OrgID, id stockhand.RunID) {
	o := &Delivery{Org: org, Run: id}
	o.ack = localAck{q, o}
	q.known[id] = nil
	q.waiting = append(q.waiting, o)
	select {
	case q.some <- struct{}{}:
	default:
	}
}

// next waits for a run; nil when ctx has ended.
func (q *queue) next(ctx context.Context) *Delivery {
	for {
		if ctx.Err() != nil {
			return nil
		}
		q.mu.Lock()
		if len(q.waiting) > 0 {
			o := q.waiting[0]
			q.waiting = q.waiting[1:]
			q.mu.Unlock()
			return o
		}
		q.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil
		case <-q.some:
		}
	}
}

// busy reports whether a run waits or is in a worker's keeping; one that was put off does not count.
func (q *queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, putOff := range q.known {
		if putOff == nil {
			return true
		}
	}
	return false
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.waiting = true, nil
	for _, putOff := range q.known {
		if putOff != nil {
			putOff.Stop()
		}
	}
	clear(q.known)
}

// place is an offer's place in the queue.
type localAck struct {
	q *queue
	o *Delivery
}

func (p localAck) done(context.Context) error {
	p.q.mu.Lock()
	defer p.q.mu.Unlock()
	delete(p.q.known, p.o.Run)
	return nil
}

func (p localAck) later(after time.Duration) error {
	p.q.mu.Lock()
	defer p.q.mu.Unlock()
	if p.q.closed {
		return nil
	}
	p.q.known[p.o.Run] = time.AfterFunc(after, func() {
		p.q.mu.Lock()
		defer p.q.mu.Unlock()
		if !p.q.closed {
			p.q.add(p.o.Org, p.o.Run)
		}
	})
	return nil
}

func (p localAck) alive() error { return nil }
