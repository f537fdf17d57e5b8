package grounding

import (
	"fmt"

	"github.com/stockhand/stockhand/internal/tool"
)

// Pages reads the rows of a result that has none in memory.
type Pages struct {
	Count int // of all rows
	// Read returns the rows from one position up to, but not including, another.
	Read func(from, to int) (tool.Rows, error)
}

const (
	chunkRows  = 200 // rows that are read at once, as many as a stored page has
	mostChunks = 4   // of a table in memory
)

// rows are the rows of a table. Of those in pages, only the chunks used last are in memory.
type rows struct {
	all tool.Rows // if there are no pages

	pages  *Pages
	chunks []chunk // the one used last first
	err    error   // the first error of reading; the rows are then incomplete
}

type chunk struct {
	first int
	rows  tool.Rows
}

func (r *rows) count() int {
	if r.pages != nil {
		return r.pages.Count
	}
	return len(r.all)
}

// at returns a row, or nil if it cannot be read.
func (r *rows) at(i int) tool.Row {
	if r.pages == nil {
		return r.all[i]
	}
	c, ok := r.find(i - i%chunkRows)
	if !ok {
		return nil
	}
	return c.rows[i-c.first]
}

// find returns the chunk that begins at a row.
func (r *rows) find(first int) (chunk, bool) {
	for at, c := range r.chunks {
		if c.first == first {
			copy(r.chunks[1:at+1], r.chunks[:at])
			r.chunks[0] = c
			return c, true
		}
	}
	if r.err != nil {
		return chunk{}, false
	}
	to := min(first+chunkRows, r.pages.Count)
	read, err := r.pages.Read(first, to)
	if err == nil && len(read) != to-first {
		err = fmt.Errorf("%d rows were read from %d to %d", len(read), first, to)
	}
	if err != nil {
		r.err = err
		return chunk{}, false
	}
	if len(r.chunks) < mostChunks {
		r.chunks = append(r.chunks, chunk{})
	}
	copy(r.chunks[1:], r.chunks)
	r.chunks[0] = chunk{first, read}
	return r.chunks[0], true
}

// unread returns why rows of a source could not be read, or nil.
func (x *evidence) unread() error {
	for i := range x.sources {
		if err := x.sources[i].rows.err; err != nil {
			return err
		}
	}
	return nil
}
