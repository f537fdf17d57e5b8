package company

import (
	"fmt"
	"slices"
	"sync"
)

// reportCache keeps the few reports last asked for until something changes, so that the pages of one are not computed
// again and a page cannot contradict the one before it.
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

// keptReports bounds the memory: a report over 100,000 goods takes some ten megabytes.
const keptReports = 8

// kept returns the report of that key, computed at most once for each version. The caller holds c.mu for reading,
// and compute runs under that lock: nothing changes meanwhile.
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
	r.order = append(r.order, key) // the last asked for is the last to go
	r.mu.Unlock()
	k.once.Do(func() { k.value = compute() })
	return k.value.(T)
}

// reportKey names a report with its query; an empty list differs from none. Pointers in the query must be nil, and what
// they point at be in the name: an address may be used again.
func reportKey(name string, query any) string {
	return fmt.Sprintf("%s %#v", name, query)
}
