package sandbox

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is a recorded request.
type Request struct {
	At        time.Time `json:"at"` // UTC, when the handler started
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Query     string    `json:"query"` // as sent, not decoded
	AccountID string    `json:"account_id"`
	Employee  string    `json:"employee"` // login; empty if the token was rejected
	Status    int       `json:"status"`   // 0 while in flight, and if the connection was dropped before a response
	SyncIDs   []string  `json:"sync_ids"`
}

// StockReport reports whether the request was for a stock report. Two of them are allowed per second (rule R24).
func (r Request) StockReport() bool { return strings.HasPrefix(r.Path, apiRoot+"/report/stock/") }

// recordLimit is the maximum number of recorded requests. Older ones are evicted.
const recordLimit = 100_000

// record holds the latest requests in order of arrival.
type record struct {
	mu    sync.Mutex
	ring  []Request
	first int // sequence number of the oldest request
	next  int // sequence number of the next one
	zero  int // sequence number of the first request after the last reset; numbers are never reused
}

// arrive records a request and returns its sequence number.
func (r *record) arrive(q Request) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ring) < recordLimit {
		r.ring = append(r.ring, q)
	} else {
		r.ring[(r.next-r.zero)%recordLimit] = q
		r.first++
	}
	r.next++
	return r.next - 1
}

// amend changes a request unless it was evicted.
func (r *record) amend(seq int, change func(*Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seq >= r.first && seq < r.next {
		change(&r.ring[(seq-r.zero)%recordLimit])
	}
}

func (r *record) all() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Request, 0, r.next-r.first)
	for seq := r.first; seq < r.next; seq++ {
		q := r.ring[(seq-r.zero)%recordLimit]
		q.SyncIDs = slices.Clone(q.SyncIDs)
		out = append(out, q)
	}
	return out
}

func (r *record) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ring, r.first, r.zero = nil, r.next, r.next // a request in flight must not amend later ones
}

// PeakPerSecond returns the maximum number of requests in any sliding second. If match is not nil, it counts only
// requests for which match returns true. Windows are half-open: requests exactly one second apart are not in the same
// window.
func PeakPerSecond(requests []Request, match func(Request) bool) int {
	var times []time.Time
	for _, q := range requests {
		if match == nil || match(q) {
			times = append(times, q.At)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	peak, from := 0, 0
	for i, at := range times {
		for at.Sub(times[from]) >= time.Second {
			from++
		}
		peak = max(peak, i-from+1)
	}
	return peak
}
