package msapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// Memo keeps the pages of a run; *tool.Memo implements it.
type Memo interface {
	// Page returns a page that was read before. If there is none, the caller reads it and calls done with it, or nil.
	Page(ctx context.Context, key string) (page []byte, done func([]byte), err error)
	Forget(key string)
}

type memoKey struct{}

// WithMemo returns a context whose requests are answered by the pages that the run has read before (rule R231).
func WithMemo(ctx context.Context, m Memo) context.Context {
	return context.WithValue(ctx, memoKey{}, m)
}

// memoPage is the maximum size of a page to keep.
const memoPage = 8 << 20

// once fetches a page that the run has not read yet. A list whose rows moved while it was read asks for its pages
// again.
func (r *Reader) once(ctx context.Context, q request, read func(io.Reader) error) error {
	memo, ok := ctx.Value(memoKey{}).(Memo)
	if !ok {
		return r.fetchPage(ctx, q, read)
	}
	key := r.employee + " " + r.base.String() + " " + q.path + "?" + q.query
	if q.again {
		memo.Forget(key)
		return r.fetchPage(ctx, q, read)
	}
	page, done, err := memo.Page(ctx, key)
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", q.label(), err)
	case page != nil:
		return read(bytes.NewReader(page))
	}
	var kept copied
	defer func() { done(kept.page) }()
	err = r.fetchPage(ctx, q, func(body io.Reader) error {
		kept = copied{page: []byte{}}
		return read(io.TeeReader(body, &kept))
	})
	if err != nil {
		kept.page = nil
	}
	return err
}

// copied keeps what is written to it, unless it is too large for a memo.
type copied struct {
	page []byte // nil: too large
}

func (c *copied) Write(b []byte) (int, error) {
	if c.page != nil {
		if c.page = append(c.page, b...); len(c.page) > memoPage {
			c.page = nil
		}
	}
	return len(b), nil
}
