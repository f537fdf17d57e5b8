package results

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// partKey names a part of a result.
type partKey struct {
	result stockhand.ResultID
	part   int
}

// rowCache keeps decoded rows of the results that were looked at last, because a table that is sorted by one column is
// soon sorted, searched or paged again (rule R540). It grants nothing: who may see a result is checked before.
type rowCache struct {
	mu   sync.Mutex
	all  map[partKey]*keptRows
	used []partKey // the one used last is at the end
	size int       // cells
}

// keptRows are the rows of a part, once they are read.
type keptRows struct {
	read  func() (tool.Rows, error) // the first call reads, the others wait for it
	cells int
	end   *time.Timer
}

// The bounds of the kept rows: about 50 MB together, or one larger table, for a while after their last use.
const (
	mostCells = 1_000_000
	keepRows  = 10 * time.Minute
)

var decoded = rowCache{all: map[partKey]*keptRows{}}

// get returns the rows of a part, from the cache or from read. Rows that could not be read are not kept.
func (c *rowCache) get(k partKey, cells int, read func() (tool.Rows, error)) (tool.Rows, error) {
	c.mu.Lock()
	entry, ok := c.all[k]
	if !ok {
		entry = &keptRows{read: sync.OnceValues(read), cells: cells}
		entry.end = time.AfterFunc(keepRows, func() { c.drop(k, entry) })
		c.all[k] = entry
		c.size += cells
	}
	entry.end.Reset(keepRows)
	c.used = append(slices.DeleteFunc(c.used, func(x partKey) bool { return x == k }), k)
	for c.size > mostCells && len(c.used) > 1 {
		c.remove(c.used[0])
	}
	c.mu.Unlock()
	rows, err := entry.read()
	if err != nil {
		c.drop(k, entry)
	}
	return rows, err
}

// drop removes an entry if it is still kept.
func (c *rowCache) drop(k partKey, entry *keptRows) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all[k] == entry {
		c.remove(k)
	}
}

func (c *rowCache) remove(k partKey) {
	c.all[k].end.Stop()
	c.size -= c.all[k].cells
	delete(c.all, k)
	c.used = slices.DeleteFunc(c.used, func(x partKey) bool { return x == k })
}

// has reports whether a part's rows are kept or being read.
func (c *rowCache) has(k partKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all[k] != nil
}

// keepable reports whether the part's rows may be kept.
func (v *View) keepable() bool { return v.Count*len(v.Table.Columns) <= mostCells }

// rows returns all rows of the part. A person who leaves does not stop the reading, because others may wait for it.
func (v *View) rows(ctx context.Context, s Store) (tool.Rows, error) {
	part, first, count := v.Table, v.first, v.Count
	kept := stockhand.StoredResult{ID: v.ID, Org: v.Org}
	ctx = context.WithoutCancel(ctx)
	return decoded.get(partKey{v.ID, v.Part}, count*len(part.Columns), func() (tool.Rows, error) {
		return readRows(ctx, s, kept, part, first, count)
	})
}

// Readers work on spans of rows side by side.
const (
	mostReaders = 4
	leastSpan   = 5_000
)

func readRows(ctx context.Context, s Store, kept stockhand.StoredResult, part tool.Table, first, count int) (
	tool.Rows, error) {
	spans := min(mostReaders, runtime.GOMAXPROCS(0), count/leastSpan+1)
	all := make(tool.Rows, count)
	g, ctx := errgroup.WithContext(ctx)
	for i := range spans {
		from, to := count*i/spans, count*(i+1)/spans
		g.Go(func() error {
			at := from
			for rows, err := range rowsOf(ctx, s, kept, part, first+from, first+to) {
				if err != nil {
					return err
				}
				at += copy(all[at:to], rows)
			}
			if at != to {
				return stockhand.ErrResultExpired
			}
			return nil
		})
	}
	return all, g.Wait()
}

// ahead reads the rows of a large table while the person looks at its first page, so that the first click on a heading
// is answered at once. Reading fails where the request for them would, which reports it.
func (v *View) ahead(ctx context.Context, s Store) {
	if v.Few || v.Count < leastSpan || !v.keepable() || decoded.has(partKey{v.ID, v.Part}) {
		return
	}
	ahead := *v
	go func() { _, _ = ahead.rows(ctx, s) }()
}
