package msapi

import (
	"context"
	"sync"
)

// Source is one list or report that was read. Its fields are those of tool.Source, into which it converts.
type Source struct {
	Path     string
	Filter   string // as sent, decoded
	Requests int
	Rows     int
}

// Meter counts the requests made under one context: for the provenance of a result and for progress. It may be used by
// several readers at once.
type Meter struct {
	progress func(done, planned int)

	mu      sync.Mutex
	done    int
	sent    int
	planned int
	sources []*Source
}

// NewMeter returns a meter. After each change progress, when it is not nil, receives how many requests are answered
// and how many are planned so far; both only grow. It is called under the meter's lock and must not call the meter.
func NewMeter(progress func(done, planned int)) *Meter { return &Meter{progress: progress} }

type meterKey struct{}

type backgroundKey struct{}

// WithMeter returns a context whose requests m counts.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// WithBackground returns a context whose requests yield to interactive ones in the limiter's queue.
func WithBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

func meterOf(ctx context.Context) *Meter {
	m, _ := ctx.Value(meterKey{}).(*Meter)
	return m
}

// Requests is the number of requests that were sent, repeated ones included.
func (m *Meter) Requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent
}

// Planned is the number of requests known to be needed so far.
func (m *Meter) Planned() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.planned
}

// Sources lists what was read, in the order of first reading. Requests of one path and filter are one source.
func (m *Meter) Sources() []Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Source, len(m.sources))
	for i, s := range m.sources {
		list[i] = *s
	}
	return list
}

// Plan announces n more requests; a negative n takes back what turned out not to be needed. A nil meter ignores it,
// as every method below does.
func (m *Meter) Plan(n int) {
	m.change(func() { m.planned = max(m.planned+n, m.done) })
}

func (m *Meter) change(f func()) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	done, planned := m.done, m.planned
	f()
	if m.progress != nil && (m.done != done || m.planned != planned) {
		m.progress(m.done, m.planned)
	}
}

// source finds or makes the record of a path and filter. The caller holds the lock.
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

// rows adds rows to the record of what q asked for.
func (m *Meter) rows(q request, n int) {
	if m == nil || n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.source(q.label(), q.filter).Rows += n
}
