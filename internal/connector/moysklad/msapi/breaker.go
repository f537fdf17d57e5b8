package msapi

import (
	"net/http"
	"sync"
	"time"
)

// The vendor disables an employee's API access after more than 200 identical failures in a minute (fact M13), and
// counts failed logins per hour. These limits stay far below.
const (
	breakerWindow    = time.Minute
	breakerPermanent = 3  // identical permanent failures before requests are refused
	breakerTemporary = 24 // identical temporary failures: six calls of four attempts
	breakerRaw       = 60 // identical failures of either kind allowed to users' own programs
)

// breaker remembers requests that keep failing, so that a loop in a caller cannot send them endlessly. A request is
// identified by its token and URL; a rejected token blocks all its requests.
type breaker struct {
	permanent, temporary int // the limits

	mu      sync.Mutex
	entries map[string]*failures
}

type failures struct {
	permanent, temporary []time.Time // the latest ones, oldest first
	last                 *APIError
}

func newBreaker(permanent, temporary int) *breaker {
	return &breaker{permanent: permanent, temporary: temporary, entries: map[string]*failures{}}
}

// refuses returns the remembered error if the request failed too often within the last minute.
func (b *breaker) refuses(keys ...string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		f := b.entries[key]
		if f == nil {
			continue
		}
		recent := func(times []time.Time, limit int) bool {
			return len(times) >= limit && time.Since(times[len(times)-limit]) < breakerWindow
		}
		if recent(f.permanent, b.permanent) || recent(f.temporary, b.temporary) {
			again := *f.last
			again.remembered = true
			return &again
		}
	}
	return nil
}

// remember records the outcome of a request.
func (b *breaker) remember(key, employee string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := apiError(err)
	if !ok {
		if err == nil {
			delete(b.entries, key)
			delete(b.entries, employee)
		}
		return
	}
	if e.Status == http.StatusUnauthorized {
		key = employee
	}
	f := b.entries[key]
	if f == nil {
		b.prune()
		f = &failures{}
		b.entries[key] = f
	}
	f.last = e
	if _, passes := patience(e, 1); passes {
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
func (b *breaker) prune() {
	if len(b.entries) < 1000 {
		return
	}
	old := func(times []time.Time) bool {
		return len(times) == 0 || time.Since(times[len(times)-1]) >= breakerWindow
	}
	for key, f := range b.entries {
		if old(f.permanent) && old(f.temporary) {
			delete(b.entries, key)
		}
	}
}
