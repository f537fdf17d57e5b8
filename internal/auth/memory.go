package auth

import (
	"sync"
	"time"
)

// remembered is how many callers a replica remembers, in each of two generations.
const remembered = 10_000

// memory holds records of callers, each with the number of changes it was read under. It has two generations: when the
// young one is full it becomes the old one, whose entries are lost unless they were asked for meanwhile. So it is
// bounded, keeps frequent callers, and costs one or two map lookups; unlike an LRU it needs no list that every request
// would change.
type memory struct {
	mu         sync.Mutex
	most       int // in a generation
	young, old map[digest]*record

	version int64     // the greatest number of changes that was seen
	looked  time.Time // when the last look at it began; zero when none counts
	doubt   time.Time // looks that did not begin after this moment do not count
}

func newMemory(most int) memory {
	return memory{most: most, young: map[digest]*record{}, old: map[digest]*record{}}
}

// recall returns what is known of a secret, if that still holds: nothing changed between the reading of the record and
// the last look, and the look is fresh.
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

// keep remembers a record. It may have been read long before: its number says whether it still holds.
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

// saw takes note of a look that began at that moment and found that number.
func (m *memory) saw(version int64, began time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version = max(m.version, version)
	if began.After(m.looked) && began.After(m.doubt) {
		m.looked = began
	}
}

// forget makes nothing be recalled until a look begins after that moment: something has just been changed here.
func (m *memory) forget(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looked, m.doubt = time.Time{}, now
}
