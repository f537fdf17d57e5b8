package ratelimit

import (
	"context"
	"io"
	"time"

	"github.com/stockhand/stockhand"
)

// Body reserves memory in a pool for a caller's body as it arrives, so that a slow one holds only what it has sent.
type Body struct {
	io.ReadCloser
	pool  *Pool
	actor stockhand.Actor
	ctx   context.Context //nolint:containedctx // of the request, as its body's
	least int64           // bytes that need no memory from the pool
	read  int64
	held  int64
	full  bool // there was no memory: the rest is only discarded
}

// NewBody returns a body that reserves memory beyond its first bytes. The caller releases it.
func NewBody(ctx context.Context, body io.ReadCloser, p *Pool, a stockhand.Actor, first int64) *Body {
	return &Body{ReadCloser: body, pool: p, actor: a, ctx: ctx, least: first}
}

const (
	bodyStep = 1 << 20         // how much memory is reserved at a time
	bodyWait = 2 * time.Second // for memory
)

// Read implements io.Reader. It returns RATE_LIMITED when there is no memory for the next bytes.
func (m *Body) Read(p []byte) (int, error) {
	if m.full {
		return m.ReadCloser.Read(p)
	}
	free := max(m.held, m.least+1) - m.read // one more byte shows whether the body is large
	if free == 0 {
		next := m.read - m.held + bodyStep
		ctx, cancel := context.WithTimeout(m.ctx, bodyWait)
		defer cancel()
		if !m.pool.Take(ctx, m.actor, next) {
			m.full = true
			return 0, TooMany(bodyWait)
		}
		m.held += next
		free = bodyStep
	}
	n, err := m.ReadCloser.Read(p[:min(int64(len(p)), free)])
	m.read += int64(n)
	return n, err
}

// Release gives the memory back once the body is no longer needed.
func (m *Body) Release() { m.pool.Give(m.actor, m.held) }
