// Package survey finds out what reading an account would take.
package survey

import (
	"context"
	"sync"
)

// Survey finds out what reading would take, without reading it. With the context of [With], lists of entities
// report their size to the smallest request and yield no rows; reports are asked once for each path, since all readings
// of one report are about as large; what is one response whatever its size is not asked at all.
type Survey struct {
	mu       sync.Mutex
	readings []Reading
	reports  map[string]int // rows by path
}

// Reading is a list or report that would be read.
type Reading struct {
	Path     string
	Filter   string // as it would be sent, decoded
	Rows     int    // -1 if not known
	Requests int
	Exact    bool // Requests is known and not an estimate
}

type key struct{}

// With returns a context in which nothing is read, and s notes what would be.
func With(ctx context.Context, s *Survey) context.Context {
	return context.WithValue(ctx, key{}, s)
}

// Without returns a context in which everything is read, for what must be known to make a plan.
func Without(ctx context.Context) context.Context {
	if Of(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, (*Survey)(nil))
}

// Of returns the survey of a context, or nil if everything is read. A caller adds readings to it that depend on
// rows, which a survey has none of.
func Of(ctx context.Context) *Survey {
	s, _ := ctx.Value(key{}).(*Survey)
	return s
}

// Readings returns what was noted, in no particular order.
func (s *Survey) Readings() []Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Reading(nil), s.readings...)
}

// Rows returns the rows of the readings that are known.
func (s *Survey) Rows() (n int) {
	for _, r := range s.Readings() {
		n += max(r.Rows, 0)
	}
	return n
}

// Add notes a reading.
func (s *Survey) Add(r Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readings = append(s.readings, r)
}

// Report returns the number of rows of a report, which ask asks for once for each path: the next reading of the path
// waits for the answer. It is not exact if it is that of an earlier reading.
func (s *Survey) Report(path string, ask func() (int, error)) (rows int, exact bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.reports[path]; ok {
		return known, false, nil
	}
	if rows, err = ask(); err != nil {
		return 0, false, err
	}
	if s.reports == nil {
		s.reports = map[string]int{}
	}
	s.reports[path] = rows
	return rows, true, nil
}
