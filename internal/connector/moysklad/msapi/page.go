package msapi

import (
	"cmp"
	"context"
	"io"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// maxPage is the maximum number of rows per request, and expandPage the maximum with expand or fields, which the API
// silently ignores on larger pages (facts M17 and M18).
const (
	maxPage    = 1000
	expandPage = 100
)

// listing is a list to read.
type listing struct {
	path   string
	params url.Values
	filter Filter
	split  []condition // alternatives, as many per request as fit into the URL; nil for none
	none   bool        // the list of alternatives is empty, so nothing matches
	order  string
	page   int // rows per request; zero means maxPage
	first  int // maximum number of rows; zero means all
}

// only restricts the list to IDs, in as many requests as they need. Nil means no restriction, an empty list matches
// nothing.
func (l *listing) only(ids []ID) {
	if ids != nil {
		l.split, l.none = alternatives("id", texts(ids)), len(ids) == 0
	}
}

// expand requests linked objects inline.
func (l *listing) expand(fields ...string) {
	if len(fields) > 0 {
		l.params.Set("expand", strings.Join(fields, ","))
		l.page = expandPage
	}
}

// keyed rows have an identity, so that a row that moved to another page is not counted twice.
type keyed interface{ key() Key }

// chunk is a part of a listing with one filter and one size.
type chunk struct {
	filter  string
	label   string
	step    int // actual rows per page
	size    int // size in the last page's meta; -1 while unknown
	planned int // offset up to which pages are planned
	left    int // pages not yet received
	got     int // distinct rows
	moved   bool
	again   bool // in the second pass
	seen    map[Key]struct{}
}

// task is a page to fetch.
type task struct {
	chunk  *chunk
	offset int
}

// list reads a listing. The first page reports the size; the others are prefetched, at most Config.Ahead at once. Rows
// come in page order, each once. Rows move between pages when data changes during the read, so the count is compared
// with the size. If they differ, or the size changed, all pages are read once more for rows not seen yet. If rows are
// still missing, the last error is an [*Incomplete] (fact M17). One deleted and one added row between two pages leave
// the size unchanged and cannot be detected.
func list[T any](ctx context.Context, r *Reader, l listing) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if l.none {
			return
		}
		chunks, err := r.chunks(l)
		if err == nil {
			if s := survey.Of(ctx); s != nil {
				if err = noteList(ctx, s, r, l, chunks); err == nil {
					return
				}
			}
		}
		if err != nil {
			yield(zero, err)
			return
		}
		p := &pager[T]{reader: r, listing: l, several: len(chunks) > 1, seen: map[Key]struct{}{}}
		var cancel context.CancelFunc
		p.ctx, cancel = context.WithCancel(ctx)
		defer p.stop()
		defer cancel()
		for _, c := range chunks {
			p.plan(task{chunk: c})
		}
		if err := p.run(func(row T) bool { return yield(row, nil) }); err != nil {
			yield(zero, err)
		}
	}
}

// chunks distributes the alternatives over as few filters as possible.
func (r *Reader) chunks(l listing) ([]*chunk, error) {
	if r.bad != nil {
		return nil, r.bad
	}
	base, err := l.filter.Build()
	if err != nil {
		return nil, err
	}
	if len(l.split) == 0 {
		return []*chunk{{filter: base, label: base, size: -1}}, nil
	}
	room := maxURL - len(r.base.String()) - len(l.path) - len(l.query("", l.order, maxPage, 1000000)) - len(
		escape(base))
	var chunks []*chunk
	rest := slices.Compact(slices.Clone(l.split))
	for len(rest) > 0 {
		n, used, most := 0, 0, len(rest)
		if rest[0].field == "id" && l.page > 0 {
			most = min(most, l.page) // one row per ID: more would need a second page
		}
		for n < most {
			used += len(escape(rest[n].field + string(rest[n].op) + rest[n].value + ";"))
			if used > room {
				break
			}
			n++
		}
		if n == 0 {
			return nil, queryError("the other conditions on %s leave no room in the URL", l.path)
		}
		whole := Filter{append(slices.Clip(l.filter.conditions), rest[:n]...)}
		text, err := whole.Build()
		if err != nil {
			return nil, err
		}
		label := text
		if len(l.split) > 3 {
			label = strings.TrimPrefix(base+";"+rest[0].field+string(rest[0].op)+"…", ";")
		}
		chunks = append(chunks, &chunk{filter: text, label: label, size: -1})
		rest = rest[n:]
	}
	return chunks, nil
}

// query returns the parameters of one page.
func (l listing) query(filter, order string, limit, offset int) string {
	params := url.Values{"limit": {strconv.Itoa(limit)}}
	for name, values := range l.params {
		params[name] = values
	}
	if offset > 0 {
		params.Set("offset", strconv.Itoa(offset))
	}
	if order != "" {
		params.Set("order", order)
	}
	if filter != "" {
		params.Set("filter", filter)
	}
	return encode(params)
}

// encode is like url.Values.Encode, with %20 for a space.
func encode(params url.Values) string { return strings.ReplaceAll(params.Encode(), "+", "%20") }

// pager reads one listing for one consumer.
type pager[T any] struct {
	ctx     context.Context // valid during the loop over the list
	reader  *Reader
	listing listing
	several bool
	seen    map[Key]struct{} // of all chunks
	tasks   []task           // not started yet
	running []running[T]     // in row order
	wg      sync.WaitGroup
	got     int
	short   bool // some chunk is incomplete
	want    int  // rows announced by all chunks
}

type running[T any] struct {
	task   task
	result chan fetched[T]
}

type fetched[T any] struct {
	page page[T]
	err  error
}

func (p *pager[T]) plan(t task) {
	t.chunk.left++
	p.tasks = append(p.tasks, t)
	meter.Of(p.ctx).Plan(1, StockReport(p.listing.path))
}

// stop waits for running requests and withdraws planned ones from the meter.
func (p *pager[T]) stop() {
	p.wg.Wait()
	meter.Of(p.ctx).Plan(-len(p.tasks), StockReport(p.listing.path))
}

func (p *pager[T]) run(yield func(T) bool) error {
	for len(p.tasks)+len(p.running) > 0 {
		for len(p.tasks) > 0 && len(p.running) < p.reader.config.Ahead {
			t := p.tasks[0]
			p.tasks = p.tasks[1:]
			result := make(chan fetched[T], 1)
			p.running = append(p.running, running[T]{t, result})
			p.wg.Go(func() {
				got, err := p.fetch(t)
				result <- fetched[T]{got, err}
			})
		}
		next := p.running[0]
		p.running = p.running[1:]
		result := <-next.result
		if result.err != nil {
			return result.err
		}
		more, err := p.take(next.task, result.page, yield)
		if err != nil || !more {
			return err
		}
	}
	if p.short {
		return &Incomplete{Path: request{path: p.listing.path}.label(), Got: p.got, Size: p.want}
	}
	return nil
}

// limit returns the number of rows to request per page.
func (p *pager[T]) limit() int {
	if limit := p.listing.pageSize(); p.listing.first <= 0 || limit < p.listing.first {
		return limit
	}
	return p.listing.first
}

// pageSize returns the number of rows of a full page.
func (l listing) pageSize() int { return cmp.Or(l.page, maxPage) }

// unexpanded returns the parameters without linked objects.
func (l listing) unexpanded() url.Values {
	params := maps.Clone(l.params)
	params.Del("expand")
	return params
}

func (p *pager[T]) fetch(t task) (page[T], error) {
	var got page[T]
	read := func(body io.Reader) (err error) {
		got, err = decodePage[T](body)
		return err
	}
	q := request{
		path: p.listing.path, filter: t.chunk.label,
		query: p.listing.query(t.chunk.filter, p.listing.order, p.limit(), t.offset), again: t.chunk.again,
	}
	err := p.reader.fetch(p.ctx, q, read)
	if e, ok := apiError(err); ok && p.listing.order != "" && (e.Code == 1042 || e.Code == 1063 || e.Code == 1096) {
		// This list does not support our order. Rows that move are then detected only by their count.
		meter.Of(p.ctx).Plan(1, StockReport(p.listing.path))
		q.query = p.listing.query(t.chunk.filter, "", p.limit(), t.offset)
		err = p.reader.fetch(p.ctx, q, read)
	}
	return got, err
}

// take counts a page's rows, yields the new ones, and plans further pages. It returns false if the consumer stopped,
// and an error if the list is larger than the reader of its size accepts.
func (p *pager[T]) take(t task, got page[T], yield func(T) bool) (bool, error) {
	c := t.chunk
	c.left--
	size := t.offset + len(got.rows)
	if got.meta.Size != nil {
		size = *got.meta.Size
	}
	c.moved = c.moved || c.size >= 0 && c.size != size
	c.size = size
	if c.step == 0 {
		c.step = p.limit()
		if n := got.meta.Limit; n > 0 && n < c.step {
			c.step = n // the list reports a smaller maximum page size
		}
		if n := len(got.rows); n > 0 && n < c.step && n < size {
			c.step = n // or has one without reporting it
		}
		c.planned = c.step
		end := size
		if p.listing.first > 0 {
			end = min(end, p.listing.first)
		}
		q := request{path: p.listing.path, filter: c.label,
			query: p.listing.query(c.filter, p.listing.order, c.step, 0)}
		meter.Of(p.ctx).Needs(q.identity(), max(1, (end+c.step-1)/c.step))
		if err := sizedAs(p.ctx, p.listing.path, size); err != nil {
			return false, err
		}
	}

	rows := 0
	defer func() { meter.Of(p.ctx).Rows(request{path: p.listing.path}.label(), c.label, rows) }()
	for _, row := range got.rows {
		if !p.unseen(c, row) {
			continue
		}
		rows++
		p.got++
		if !yield(row) || p.got == p.listing.first {
			return false, nil
		}
	}

	end := c.size
	if first := p.listing.first; first > 0 {
		end = min(end, first)
	}
	for len(got.rows) > 0 && c.planned < end {
		p.plan(task{c, c.planned})
		c.planned += c.step
	}
	if c.left == 0 && p.listing.first == 0 {
		p.finish(c)
	}
	return true, nil
}

// unseen reports whether the row is new for the whole list; it may still be new within its chunk.
func (p *pager[T]) unseen(c *chunk, row T) bool {
	k, ok := any(row).(keyed)
	if !ok {
		k, ok = any(&row).(keyed)
	}
	var key Key
	if ok {
		key = k.key()
	}
	if key == (Key{}) {
		if c.again {
			return false // it cannot be distinguished from the row already yielded
		}
		c.got++
		return true
	}
	_, known := p.seen[key]
	if !p.several {
		if !known {
			c.got++
		}
	} else {
		if c.seen == nil {
			c.seen = map[Key]struct{}{}
		}
		if _, own := c.seen[key]; !own {
			c.got++
			c.seen[key] = struct{}{}
		}
	}
	p.seen[key] = struct{}{}
	return !known
}

// finish compares a chunk's count with its size after its last page.
func (p *pager[T]) finish(c *chunk) {
	whole := c.got >= c.size && !c.moved
	if !c.again && !whole && c.size > 0 {
		c.again = true
		c.planned = c.size // all pages of the second pass are planned here
		for offset := 0; offset < c.size; offset += c.step {
			p.plan(task{c, offset})
		}
		return
	}
	p.want += c.size
	if c.got < c.size {
		p.short = true
	} else {
		p.want += c.got - c.size // rows deleted after they were read
	}
	c.seen = nil
}
