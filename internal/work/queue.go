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
	waiting []*Offer
	known   map[stockhand.RunID]*time.Timer // waiting, in a worker's hands (nil), or put off until the timer fires
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
	o := &Offer{Org: org, Run: id}
	o.slip = place{q, o}
	q.known[id] = nil
	q.waiting = append(q.waiting, o)
	select {
	case q.some <- struct{}{}:
	default:
	}
}

// next waits for a run; nil when ctx has ended.
func (q *queue) next(ctx context.Context) *Offer {
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

// busy tells whether a run waits or is in a worker's hands; one that was put off does not count.
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
type place struct {
	q *queue
	o *Offer
}

func (p place) done(context.Context) error {
	p.q.mu.Lock()
	defer p.q.mu.Unlock()
	delete(p.q.known, p.o.Run)
	return nil
}

func (p place) later(after time.Duration) error {
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

func (p place) alive() error { return nil }
