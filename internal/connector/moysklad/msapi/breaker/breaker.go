// Package breaker stops requests that keep failing.
package breaker

import (
	"sync"
	"time"
)

// window is how long failures count.
const window = time.Minute

// Breaker remembers requests that keep failing, so that a loop in a caller cannot send them endlessly. It is safe for
// concurrent use.
type Breaker struct {
	permanent, temporary int // the limits

	mu      sync.Mutex
	entries map[string]*failures
}

type failures struct {
	permanent, temporary []time.Time // the latest ones, oldest first
	last                 error
}

// New returns a breaker that refuses a request after so many failures of one kind within a minute.
func New(permanent, temporary int) *Breaker {
	return &Breaker{permanent: permanent, temporary: temporary, entries: map[string]*failures{}}
}

// Refuses returns the last failure if one of the keys failed too often within the last minute, and nil otherwise.
func (b *Breaker) Refuses(keys ...string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		f := b.entries[key]
		if f == nil {
			continue
		}
		recent := func(times []time.Time, limit int) bool {
			return len(times) >= limit && time.Since(times[len(times)-limit]) < window
		}
		if recent(f.permanent, b.permanent) || recent(f.temporary, b.temporary) {
			return f.last
		}
	}
	return nil
}

// Succeeded forgets the failures of keys.
func (b *Breaker) Succeeded(keys ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		delete(b.entries, key)
	}
}

// Failed counts a failure.
func (b *Breaker) Failed(key string, err error, temporary bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.entries[key]
	if f == nil {
		b.prune()
		f = &failures{}
		b.entries[key] = f
	}
	f.last = err
	if temporary {
		f.temporary = appendLast(f.temporary, b.temporary)
	} else {
		f.permanent = appendLast(f.permanent, b.permanent)
	}
}

func appendLast(times []time.Time, n int) []time.Time {
	times = append(times, time.Now())
	return times[max(0, len(times)-n):]
}

// prune drops expired entries once there are many. The caller holds the lock.
func (b *Breaker) prune() {
	if len(b.entries) < 1000 {
		return
	}
	old := func(times []time.Time) bool {
		return len(times) == 0 || time.Since(times[len(times)-1]) >= window
	}
	for key, f := range b.entries {
		if old(f.permanent) && old(f.temporary) {
			delete(b.entries, key)
		}
	}
}
