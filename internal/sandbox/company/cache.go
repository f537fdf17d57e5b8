package company

import (
	"fmt"
	"slices"
	"sync"
)

// reportCache keeps the latest few reports until something changes, so that a report is not computed again for each
// page and its pages are consistent.
type reportCache struct {
	mu      sync.Mutex
	version uint64
	order   []string
	kept    map[string]*keptReport
}

type keptReport struct {
	once  sync.Once
	value any
}

// keptReports limits memory: a report over 100,000 goods takes about ten megabytes.
const keptReports = 8

// kept returns the report with a key, computed at most once per version. The caller holds c.mu for reading, also during
// compute, so that nothing changes meanwhile.
func kept[T any](c *Company, key string, compute func() T) T {
	r := &c.reports
	r.mu.Lock()
	if r.kept == nil || r.version != c.version {
		r.version, r.kept, r.order = c.version, make(map[string]*keptReport), nil
	}
	k, ok := r.kept[key]
	if ok {
		r.order = slices.DeleteFunc(r.order, func(other string) bool { return other == key })
	} else {
		if len(r.order) == keptReports {
			delete(r.kept, r.order[0])
			r.order = slices.Delete(r.order, 0, 1)
		}
		k = new(keptReport)
		r.kept[key] = k
	}
	r.order = append(r.order, key) // least recently used first
	r.mu.Unlock()
	k.once.Do(func() { k.value = compute() })
	return k.value.(T)
}

// reportKey returns the key of a report and its query. An empty list differs from nil. Pointers in the query must be
// nil and their values part of the name, because addresses may be reused.
func reportKey(name string, query any) string {
	return fmt.Sprintf("%s %#v", name, query)
}
