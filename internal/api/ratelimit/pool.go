package ratelimit

import (
	"context"
	"sync"

	"github.com/stockhand/stockhand"
)

// Share is how much of a [Pool] an actor may hold, and all actors of an organization together.
type Share struct{ OfActor, OfOrg int64 }

// Pool bounds what callers hold at the same time, such as memory or open streams: all of them together, each actor, and
// each organization.
type Pool struct {
	total int64
	share Share

	mu    sync.Mutex
	used  int64
	by    map[string]int64 // by actor, and by organization
	freed chan struct{}    // closed when something is given back
}

// NewPool returns a pool of total.
func NewPool(total int64, share Share) *Pool {
	return &Pool{total: total, share: share, by: map[string]int64{}, freed: make(chan struct{})}
}

// Take takes n for an actor, who gives it back with [Pool.Give]. It waits until there is room, and reports whether
// there was before ctx ended.
func (p *Pool) Take(ctx context.Context, a stockhand.Actor, n int64) bool {
	for {
		taken, freed := p.try(a, n)
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
	taken, _ := p.try(a, n)
	return taken
}

func (p *Pool) try(a stockhand.Actor, n int64) (taken bool, freed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used+n > p.total || p.by[a.Name]+n > p.share.OfActor || a.Org != "" && p.by[string(a.Org)]+n > p.share.OfOrg {
		return false, p.freed
	}
	p.add(a, n)
	return true, nil
}

// add requires p.mu.
func (p *Pool) add(a stockhand.Actor, n int64) {
	p.used += n
	for _, who := range []string{a.Name, string(a.Org)} {
		if who == "" { // of no organization
			continue
		}
		if p.by[who] += n; p.by[who] == 0 {
			delete(p.by, who)
		}
	}
}

// Give gives n back.
func (p *Pool) Give(a stockhand.Actor, n int64) {
	if n == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(a, -n)
	close(p.freed)
	p.freed = make(chan struct{})
}
