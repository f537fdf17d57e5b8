// Package requestlog keeps the latest requests of each organization to the API, for those who write programs: method,
// route, status, time taken and caller. It keeps no body, no query and no ID of a path (rule R386).
//
// The audit log is no substitute: it has what mattered, for years, counts repetitions together, and knows nothing of
// errors of the caller and of time.
package requestlog

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
)

// kept is how much an organization's log has.
var kept = stockhand.KeptRequests{Most: 1000, For: 7 * 24 * time.Hour}

const (
	writeEvery  = time.Second
	writeTime   = 10 * time.Second
	mostAtOnce  = 200    // of an organization between two writes; more are left out
	mostWaiting = 20_000 // of all organizations
)

// Store keeps requests; internal/store/requests documents the methods.
type Store interface {
	Add(ctx context.Context, org stockhand.OrgID, all []stockhand.APIRequest, keep stockhand.KeptRequests,
		now time.Time) error
	Latest(ctx context.Context, org stockhand.OrgID, f stockhand.RequestFilter, before stockhand.APIRequestID,
		limit int) ([]stockhand.APIRequest, error)
}

// Log collects requests and writes them once a second, so that no request waits for the database. Its methods are safe
// for concurrent use.
type Log struct {
	store Store
	log   *slog.Logger
	now   func() time.Time

	writing sync.Mutex // held while a batch is written

	mu     sync.Mutex
	fresh  map[stockhand.OrgID][]stockhand.APIRequest
	count  int
	armed  bool
	closed bool
}

// New returns a Log. A nil clock means the system's.
func New(store Store, log *slog.Logger, now func() time.Time) *Log {
	if now == nil {
		now = time.Now
	}
	return &Log{store: store, log: log, now: now, fresh: map[stockhand.OrgID][]stockhand.APIRequest{}}
}

// Note adds a request to the log of an organization. A nil Log ignores it.
func (l *Log) Note(org stockhand.OrgID, r stockhand.APIRequest) {
	if l == nil || org == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.fresh[org]) >= mostAtOnce || l.count >= mostWaiting {
		return
	}
	r.ID, r.At = stockhand.NewID[stockhand.APIRequestID]("api"), l.now()
	l.fresh[org] = append(l.fresh[org], r)
	l.count++
	if !l.armed {
		l.armed = true
		time.AfterFunc(writeEvery, l.flushDue)
	}
}

// flushDue has a context of its own: entries outlive the requests that they are about.
func (l *Log) flushDue() { l.Flush(context.Background()) }

// Flush writes what was collected. What cannot be written is lost: the log is a help, not a record.
func (l *Log) Flush(ctx context.Context) {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	batch := l.fresh
	l.fresh, l.count, l.armed = map[stockhand.OrgID][]stockhand.APIRequest{}, 0, false
	l.mu.Unlock()
	ctx, stop := context.WithTimeout(ctx, writeTime)
	defer stop()
	for org, all := range batch {
		if err := l.store.Add(ctx, org, all, kept, l.now()); err != nil {
			l.log.WarnContext(ctx, "the request log cannot be written", "org", org, "requests", len(all),
				"err", err)
		}
	}
}

// Close writes what was collected. Requests noted afterwards are lost.
func (l *Log) Close(ctx context.Context) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.Flush(ctx)
}

// Keeps returns how much an organization's log has.
func (l *Log) Keeps() stockhand.KeptRequests { return kept }

// Latest returns requests of an organization, newest first; see [Store]. What was collected is written first, so that
// the log shows what this replica has just answered.
func (l *Log) Latest(ctx context.Context, org stockhand.OrgID, f stockhand.RequestFilter,
	before stockhand.APIRequestID, limit int) ([]stockhand.APIRequest, error) {
	l.Flush(ctx)
	if oldest := l.now().Add(-kept.For); f.Since.Before(oldest) {
		f.Since = oldest
	}
	return l.store.Latest(ctx, org, f, before, limit)
}
