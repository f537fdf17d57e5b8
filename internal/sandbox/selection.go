package sandbox

import (
	"sync"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// selectionKey identifies a list request, regardless of the page.
type selectionKey struct {
	table                 any // *entity[R]
	employee              company.ID
	base                  string // to compare hrefs in filters
	version               uint64 // of the company: a change invalidates older selections
	filter, search, order string
}

// selections caches the latest few selected lists, so that a long list is not filtered and sorted again for each page.
type selections struct {
	mu     sync.Mutex
	latest [16]struct {
		key  selectionKey
		rows any // []R of the key's table
	}
	next int
}

func (s *selections) find(key selectionKey) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.latest {
		if s.latest[i].key == key {
			return s.latest[i].rows
		}
	}
	return nil
}

func (s *selections) keep(key selectionKey, rows any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest[s.next].key, s.latest[s.next].rows = key, rows
	s.next = (s.next + 1) % len(s.latest)
}
