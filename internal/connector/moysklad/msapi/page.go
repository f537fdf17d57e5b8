package msapi

import (
	"context"
	"io"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxPage is the most rows a request may ask for; expandPage the most with expand or fields, above which they are
// silently ignored (facts M17 and M18).
const (
	maxPage    = 1000
	expandPage = 100
)

// listing is a list to read.
type listing struct {
	path   string
	params url.Values
	filter Filter
	split  []condition // alternatives, as many to a request as its URL holds; nil: no such condition
	none   bool        // the alternatives were given and there are none: nothing matches
	order  string
	page   int // rows of a request; zero means maxPage
	first  int // stop after so many rows; zero means all
}

// only narrows the list to ids, as many requests as they need; nil is no such condition, and an empty list nothing.
func (l *listing) only(ids []ID) {
	if ids != nil {
		l.split, l.none = alternatives("id", texts(ids)), len(ids) == 0
	}
}

// expand asks for linked objects to be written out, when there are any.
func (l *listing) expand(fields ...string) {
	if len(fields) > 0 {
		l.params.Set("expand", strings.Join(fields, ","))
		l.page = expandPage
	}
}

// keyed rows can be distinguished, so that a row that moved to another page meanwhile is not counted twice.
type keyed interface{ key() Key }

// chunk is a part of a listing that is counted by itself: one filter, one size.
type chunk struct {
	filter  string
	label   string
	step    int // rows a page really holds
	size    int // what the last page's meta said; -1 while unknown
	planned int // the offset that pages are planned up to
	left    int // pages still to come
	got     int // different rows
	moved   bool
	again   bool // the second pass is on
	seen    map[Key]struct{}
}

// task is one page to fetch.
type task struct {
	chunk  *chunk
	offset int
}

// list reads a listing: the first page names the size, the others are fetched ahead, at most Config.Ahead of them at
// once, and rows come in the order of the pages, each once. Data change while they are read and rows move between
// pages, so the count is compared with the size; when they differ, or the size changed on the way, all pages are read
// once more for the rows not yet seen. What is then still missing is an [*Incomplete] (fact M17). A row
// deleted and another added between two pages leave the size as it was and cannot be noticed.
func list[T any](ctx context.Context, r *Reader, l listing) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if l.none {
			return
		}
		chunks, err := r.chunks(l)
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

// chunks spreads the alternatives over as few filters as fit.
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
			most = min(most, l.page) // an id is a row: more of them would need a second page
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

// query builds the parameters of one page.
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

// encode is url.Values.Encode with %20 for a space.
func encode(params url.Values) string { return strings.ReplaceAll(params.Encode(), "+", "%20") }

// pager reads one listing for one reader of it.
type pager[T any] struct {
	ctx     context.Context // lives as long as the loop over the list
	reader  *Reader
	listing listing
	several bool
	seen    map[Key]struct{} // of all chunks
	tasks   []task           // not yet started
	running []running[T]     // in the order of their rows
	wg      sync.WaitGroup
	got     int
	short   bool // some chunk stayed incomplete
	want    int  // rows that all chunks promised
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
	meterOf(p.ctx).Plan(1)
}

// stop waits for what is still on the way and takes back what was planned and not asked for.
func (p *pager[T]) stop() {
	p.wg.Wait()
	meterOf(p.ctx).Plan(-len(p.tasks))
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
		if !p.take(next.task, result.page, yield) {
			return nil
		}
	}
	if p.short {
		return &Incomplete{Path: request{path: p.listing.path}.label(), Got: p.got, Size: p.want}
	}
	return nil
}

// limit is how many rows a page is asked for.
func (p *pager[T]) limit() int {
	limit := p.listing.page
	if limit == 0 {
		limit = maxPage
	}
	if p.listing.first > 0 {
		limit = min(limit, p.listing.first)
	}
	return limit
}

func (p *pager[T]) fetch(t task) (page[T], error) {
	var got page[T]
	read := func(body io.Reader) (err error) {
		got, err = decodePage[T](body)
		return err
	}
	q := request{
		path: p.listing.path, filter: t.chunk.label,
		query: p.listing.query(t.chunk.filter, p.listing.order, p.limit(), t.offset),
	}
	err := p.reader.fetch(p.ctx, q, read)
	if e, ok := apiError(err); ok && p.listing.order != "" && (e.Code == 1042 || e.Code == 1063 || e.Code == 1096) {
		// The order is ours and this list has no such one. Rows that move are then caught by their count alone.
		meterOf(p.ctx).Plan(1)
		q.query = p.listing.query(t.chunk.filter, "", p.limit(), t.offset)
		err = p.reader.fetch(p.ctx, q, read)
	}
	return got, err
}

// take counts a page's rows, passes the new ones on, and plans what follows from it. It is false when the reader
// wants no more.
func (p *pager[T]) take(t task, got page[T], yield func(T) bool) bool {
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
			c.step = n // the list knows a smaller maximum than ours
		}
		if n := len(got.rows); n > 0 && n < c.step && n < size {
			c.step = n // or does not even say so
		}
		c.planned = c.step
	}

	rows := 0
	defer func() { meterOf(p.ctx).rows(request{path: p.listing.path, filter: c.label}, rows) }()
	for _, row := range got.rows {
		if !p.unseen(c, row) {
			continue
		}
		rows++
		p.got++
		if !yield(row) || p.got == p.listing.first {
			return false
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
	return true
}

// unseen reports whether the row is new to the whole list; in a chunk's own count it may be new all the same.
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
			return false // nothing distinguishes it from the one already given
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

// finish compares a chunk's count with its size once all its pages are there.
func (p *pager[T]) finish(c *chunk) {
	whole := c.got >= c.size && !c.moved
	if !c.again && !whole && c.size > 0 {
		c.again = true
		c.planned = c.size // pages of the second pass are all planned here
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
