package ratelimit

import (
	"context"
	"strings"
	"sync"
	"time"
)

// Replicas carries counts between the replicas.
type Replicas interface {
	TellCounts(counts map[string]int)  // to the others
	HearCounts() <-chan map[string]int // from the others
}

// shareEvery is how often a replica tells what it let through. Until then the others may let as much through again;
// they make up for it afterwards.
const shareEvery = 200 * time.Millisecond

// shares collects the tokens taken here since they were last sent.
type shares struct {
	mu     sync.Mutex
	counts map[string]int // nil while they are sent to no one
}

func (s *shares) spent(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts != nil {
		s.counts[name]++
	}
}

// take returns the counts and starts from zero.
func (s *shares) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := s.counts
	s.counts = map[string]int{}
	return counts
}

// Share lets the replicas count together until ctx is done (decision 33).
func (l *Limits) Share(ctx context.Context, r Replicas) {
	l.sharing.take()
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if counts := l.sharing.take(); len(counts) > 0 {
				r.TellCounts(counts)
			}
		case counts := <-r.HearCounts():
			now := time.Now()
			for name, n := range counts {
				for _, b := range []*buckets{l.actors, l.orgs, l.failures} {
					if own, ok := strings.CutPrefix(name, b.kind); ok {
						b.spend(own, n, now)
					}
				}
			}
		}
	}
}
