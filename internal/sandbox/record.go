package sandbox

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is one request as it arrived.
type Request struct {
	At        time.Time `json:"at"` // UTC, when the handler was entered, before any work
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Query     string    `json:"query"` // as sent, undecoded
	AccountID string    `json:"account_id"`
	Employee  string    `json:"employee"` // login; empty when the token was not accepted
	Status    int       `json:"status"`   // 0 while under way, and when the connection was cut before an answer
	SyncIDs   []string  `json:"sync_ids"`
}

// StockReport reports whether the request asked for a stock report, of which two a second are allowed (rule R24).
func (r Request) StockReport() bool { return strings.HasPrefix(r.Path, apiRoot+"/report/stock/") }

// recordLimit bounds the memory of the record; older requests are forgotten.
const recordLimit = 100_000

// record remembers what arrived, in the order of arrival.
type record struct {
	mu    sync.Mutex
	ring  []Request
	first int // sequence number of the oldest kept
	next  int // sequence number of the next one
	zero  int // sequence number of the first after the last reset; numbers are never given twice
}

// arrive notes a request and returns its sequence number.
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

// amend changes a request that is still kept.
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
	r.ring, r.first, r.zero = nil, r.next, r.next // a request under way will amend nothing that came after
}

// PeakPerSecond returns the largest number of requests in any sliding second, as they arrived: all of them, or only
// those that match accepts when it is not nil. A window is half open: requests exactly a second apart do not share
// one.
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
