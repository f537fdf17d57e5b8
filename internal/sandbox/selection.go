package sandbox

import (
	"sync"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// selectionKey identifies the request for a list, without its page.
type selectionKey struct {
	table                 any // *entity[R]
	employee              company.ID
	base                  string // hrefs in a filter are compared with it
	version               uint64 // of the company: a change makes older selections useless
	filter, search, order string
}

// selections keeps the latest few selected lists, so that the pages of a long one are not each filtered and sorted
// again.
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
