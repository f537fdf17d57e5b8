package llm

import (
	"io"
	"strings"
	"sync/atomic"
)

// doneMark notices the line that ends a stream, which tells a whole reply from a cut one where a server gives no reason
// for its end.
type doneMark struct {
	io.ReadCloser
	seen *atomic.Bool
	line []byte // the beginning of the present line
}

func (d *doneMark) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	for _, b := range p[:n] {
		switch {
		case b != '\n' && b != '\r':
			if len(d.line) < 16 {
				d.line = append(d.line, b)
			}
			continue
		case strings.TrimSpace(strings.TrimPrefix(string(d.line), "data:")) == "[DONE]":
			d.seen.Store(true)
		}
		d.line = d.line[:0]
	}
	return n, err
}
