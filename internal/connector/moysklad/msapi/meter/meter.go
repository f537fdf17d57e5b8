// Package meter counts the requests that are made with a context.
package meter

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

// New returns a meter. After each change it calls progress, if not nil. The call holds the meter's lock, so progress
// must not call the meter.
func New(progress func(Progress)) *Meter { return &Meter{progress: progress} }

type key struct{}

// With returns a context whose requests m counts.
func With(ctx context.Context, m *Meter) context.Context { return context.WithValue(ctx, key{}, m) }

// Of returns the meter of a context, or nil. The methods that count do nothing on a nil meter.
func Of(ctx context.Context) *Meter {
	m, _ := ctx.Value(key{}).(*Meter)
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

// Plan announces n more requests; a negative n withdraws requests that are not needed.
func (m *Meter) Plan(n int, stockReport bool) {
	m.change(func() {
		m.so.Planned = max(m.so.Planned+n, m.so.Done)
		if stockReport {
			m.so.Stock += n
		}
	})
}

// Sent counts a request that is sent, retries and redirects among them.
func (m *Meter) Sent(path, filter string) {
	m.change(func() { m.sent++; m.source(path, filter).Requests++ })
}

// Answered counts a planned request that was answered.
func (m *Meter) Answered() {
	m.change(func() { m.so.Done++; m.so.Planned = max(m.so.Planned, m.so.Done) })
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

// Needs notes how many requests a list or response takes at least. Asked again for the same, it replaces the number.
func (m *Meter) Needs(what string, n int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.needed == nil {
		m.needed = map[string]int{}
	}
	m.needed[what] = n
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

// Rows counts rows that were read.
func (m *Meter) Rows(path, filter string, n int) {
	if m == nil || n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.source(path, filter).Rows += n
}
