package tool

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/s2"
)

// Memo keeps the responses that a run has read from an external system, so that a second tool or measure that needs the
// same page gets it from the first reading (rule R231). It lives as long as its run and is never shared between runs.
// It is safe for concurrent use.
type Memo struct {
	mu    sync.Mutex
	pages map[string]*memoPage
	size  *atomic.Int64 // bytes kept by this memo
}

type memoPage struct {
	ready      chan struct{} // closed when it was read or could not be
	compressed []byte        // nil: it was not kept
}

// The bounds of what is kept, in compressed bytes: a run's first pages stay, later ones are read again.
const (
	memoRun = 16 << 20
	memoAll = 128 << 20
)

var memos atomic.Int64 // bytes kept by all memos

// NewMemo returns the memo of a run.
func NewMemo() *Memo {
	m := &Memo{pages: map[string]*memoPage{}, size: new(atomic.Int64)}
	runtime.AddCleanup(m, func(size *atomic.Int64) { memos.Add(-size.Load()) }, m.size)
	return m
}

// Page returns a page that was read before, waiting for it if it is being read. If there is none, the caller must read
// it and call done once, with the page or, if it could not be read or is too large, nil.
func (m *Memo) Page(ctx context.Context, key string) (page []byte, done func([]byte), err error) {
	for {
		m.mu.Lock()
		p, known := m.pages[key]
		if !known {
			p = &memoPage{ready: make(chan struct{})}
			m.pages[key] = p
			m.mu.Unlock()
			return nil, func(page []byte) { m.keep(key, p, page) }, nil
		}
		m.mu.Unlock()
		select {
		case <-p.ready:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		if p.compressed != nil {
			page, err = s2.Decode(nil, p.compressed)
			return page, nil, err
		}
		// it could not be read or was too large for the memo: this caller reads it
	}
}

// Forget drops a page, because it must be read again.
func (m *Memo) Forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.pages[key]; p != nil {
		n := int64(len(p.compressed))
		m.size.Add(-n)
		memos.Add(-n)
		delete(m.pages, key)
	}
}

// keep keeps a page if it fits and was not forgotten meanwhile.
func (m *Memo) keep(key string, p *memoPage, page []byte) {
	defer close(p.ready)
	var compressed []byte
	if page != nil {
		compressed = s2.Encode(nil, page)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages[key] != p {
		return
	}
	n := int64(len(compressed))
	if memos.Add(n) > memoAll || m.size.Load()+n > memoRun || page == nil {
		memos.Add(-n)
		delete(m.pages, key)
		return
	}
	m.size.Add(n)
	p.compressed = compressed
}
