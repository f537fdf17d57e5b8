package auth

import (
	"sync"
	"time"
)

// remembered is the size of each of the cache's two generations.
const remembered = 10_000

// memory caches callers, each with the number of changes at which it was read. It has two generations: when the young
// one is full, it replaces the old one, whose entries are dropped unless they were used in the meantime. So the cache
// is bounded, keeps frequent callers and costs one or two map lookups. An LRU cache would change a list on every
// request.
type memory struct {
	mu         sync.Mutex
	most       int // in a generation
	young, old map[digest]*record

	version int64     // the highest number of changes that was read
	looked  time.Time // when the last valid reading began; zero if there is none
	doubt   time.Time // readings that began before this time are not valid
}

func newMemory(most int) memory {
	return memory{most: most, young: map[digest]*record{}, old: map[digest]*record{}}
}

// recall returns the cached caller of a secret if it is valid: nothing changed between its lookup and the last reading
// of the number of changes, and that reading is recent.
func (m *memory) recall(d digest, now time.Time) *record {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.looked.IsZero() || now.Sub(m.looked) >= lookHolds {
		return nil
	}
	r, ok := m.young[d]
	if !ok {
		if r, ok = m.old[d]; !ok {
			return nil
		}
		delete(m.old, d)
		m.put(d, r)
	}
	if r.version < m.version {
		return nil
	}
	return r
}

// knows reports whether a caller is cached, valid or not.
func (m *memory) knows(d digest) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.young[d] != nil || m.old[d] != nil
}

// keep caches a record unless it was read before a later change.
func (m *memory) keep(d digest, r *record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.version >= m.version {
		m.put(d, r)
	}
}

func (m *memory) put(d digest, r *record) {
	if _, known := m.young[d]; !known && len(m.young) >= m.most {
		m.young, m.old = map[digest]*record{}, m.young
	}
	m.young[d] = r
}

// saw records the number of changes and when its reading began.
func (m *memory) saw(version int64, began time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version = max(m.version, version)
	if began.After(m.looked) && began.After(m.doubt) {
		m.looked = began
	}
}

// forget invalidates the cache until a reading begins after now. It is called after a change on this replica.
func (m *memory) forget(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looked, m.doubt = time.Time{}, now
}
