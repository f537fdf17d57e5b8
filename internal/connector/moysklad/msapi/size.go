package msapi

import (
	"context"
	"errors"
	"io"

	"golang.org/x/sync/semaphore"
)

// The maximum decompressed size of a response in bytes: of a page, which has at most 1,000 rows, and of the current
// stock, which is one response with a short row for each product and warehouse. A small response can decompress to more
// than the available memory.
const (
	maxAnswer  = 32 << 20
	maxCurrent = 128 << 20
)

// errTooLarge means that a response is larger than its maximum; a retry would give the same.
var errTooLarge = errors.New("the response is too large")

// memory is the number of bytes that the responses of all accounts may have in memory beyond the first MiB of each.
// A response that grows above from waits for the rest of the stage. Those that wait for a later stage hold nothing of
// it, so some of those that have it can always go on.
var memory = []struct {
	from, to int64
	left     *semaphore.Weighted
}{
	{1 << 20, 8 << 20, semaphore.NewWeighted(256 << 20)},
	{8 << 20, maxCurrent, semaphore.NewWeighted(256 << 20)},
}

// sized reads a response of limited size.
type sized struct {
	from io.Reader
	ctx  context.Context //nolint:containedctx // of the request, as its body's
	most int64
	read int64
	held []int64 // by stage of memory
}

// Read implements io.Reader. It returns errTooLarge for a response that goes on after its maximum.
func (s *sized) Read(p []byte) (int, error) {
	if stage := len(s.held); stage < len(memory) && s.read >= memory[stage].from {
		size := min(memory[stage].to, s.most) - memory[stage].from
		if err := memory[stage].left.Acquire(s.ctx, size); err != nil {
			return 0, err
		}
		s.held = append(s.held, size)
	}
	next := s.most + 1 - s.read
	if stage := len(s.held); stage < len(memory) {
		next = min(next, memory[stage].from-s.read)
	}
	n, err := s.from.Read(p[:min(int64(len(p)), next)])
	if s.read += int64(n); s.read > s.most {
		return 0, errTooLarge
	}
	return n, err
}

// release gives the memory back once the response is decoded.
func (s *sized) release() {
	for stage, size := range s.held {
		memory[stage].left.Release(size)
	}
}
