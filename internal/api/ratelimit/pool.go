package ratelimit

import (
	"context"
	"sync"

	"github.com/stockhand/stockhand"
)

// Pool bounds what callers hold at the same time, such as memory or open streams: all of them together, and each.
type Pool struct {
	total, share int64

	mu    sync.Mutex
	used  int64
	by    map[string]int64 // by caller
	freed chan struct{}    // closed when something is given back
}

// NewPool returns a pool of total, of which a caller has at most share.
func NewPool(total, share int64) *Pool {
	return &Pool{total: total, share: share, by: map[string]int64{}, freed: make(chan struct{})}
}

// Take takes n for an actor, who gives it back with [Pool.Give]. It waits until there is room, and reports whether
// there was before ctx ended.
func (p *Pool) Take(ctx context.Context, a stockhand.Actor, n int64) bool {
	for {
		taken, freed := p.try(a.Name, n)
		if taken {
			return true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

// TryTake is Take without waiting.
func (p *Pool) TryTake(a stockhand.Actor, n int64) bool {
	taken, _ := p.try(a.Name, n)
	return taken
}

func (p *Pool) try(who string, n int64) (taken bool, freed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used+n > p.total || p.by[who]+n > p.share {
		return false, p.freed
	}
	p.used += n
	p.by[who] += n
	return true, nil
}

// Give gives n back.
func (p *Pool) Give(a stockhand.Actor, n int64) {
	if n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	who := a.Name
	p.used -= n
	if p.by[who] -= n; p.by[who] == 0 {
		delete(p.by, who)
	}
	close(p.freed)
	p.freed = make(chan struct{})
}
