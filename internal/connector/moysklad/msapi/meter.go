package msapi

import (
	"context"
	"sync"
)

// Source is a list or report that was read. It has the same fields as tool.Source and converts to it.
type Source struct {
	Path     string
	Filter   string // as sent, decoded
	Requests int
	Rows     int
}

// Meter counts the requests made with a context, for provenance and progress. It is safe for concurrent use.
type Meter struct {
	progress func(Progress)

	mu      sync.Mutex
	sent    int
	so      Progress
	needed  map[string]int // requests by what was read
	sources []*Source
}

// Progress is how many requests of a call were answered and are known to be needed so far.
type Progress struct {
	Done, Planned int
	Stock         int // stock reports among the planned ones
}

// NewMeter returns a meter. After each change it calls progress, if not nil. The call holds the meter's lock, so
// progress must not call the meter.
func NewMeter(progress func(Progress)) *Meter { return &Meter{progress: progress} }

type meterKey struct{}

type backgroundKey struct{}

// WithMeter returns a context whose requests m counts.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// WithBackground returns a context whose requests let interactive ones go first in the limiter's queue.
func WithBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

func meterOf(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Requests returns the number of requests sent, including retries.
func (m *Meter) Requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent
}

// Planned returns the number of requests known to be needed so far.
func (m *Meter) Planned() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.so.Planned
}

// Needed returns the fewest requests that could have read the same: full pages, and nothing twice.
func (m *Meter) Needed() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, requests := range m.needed {
		n += requests
	}
	return min(n, m.sent)
}

// Sources lists what was read, in the order of the first read. Requests with the same path and filter form one source.
func (m *Meter) Sources() []Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Source, len(m.sources))
	for i, s := range m.sources {
		list[i] = *s
	}
	return list
}

// plan announces n more requests to a path; a negative n withdraws requests that are not needed. Like all methods
// below, it does nothing on a nil meter.
func (m *Meter) plan(path string, n int) {
	m.change(func() {
		m.so.Planned = max(m.so.Planned+n, m.so.Done)
		if heavy(path) {
			m.so.Stock += n
		}
	})
}

func (m *Meter) change(f func()) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.so
	f()
	if m.progress != nil && m.so != before {
		m.progress(m.so)
	}
}

// needs notes how many requests a list or response takes at least.
func (m *Meter) needs(q request, n int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.needed == nil {
		m.needed = map[string]int{}
	}
	m.needed[q.path+"?"+q.query] = n
}

// source finds or creates the entry of a path and filter. The caller holds the lock.
func (m *Meter) source(path, filter string) *Source {
	for _, s := range m.sources {
		if s.Path == path && s.Filter == filter {
			return s
		}
	}
	s := &Source{Path: path, Filter: filter}
	m.sources = append(m.sources, s)
	return s
}

// rows adds rows to the entry of a request.
func (m *Meter) rows(q request, n int) {
	if m == nil || n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.source(q.label(), q.filter).Rows += n
}
