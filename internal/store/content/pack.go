package content

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// The encodings of a page's body.
const (
	encodedJSON = "json"
	encodedGzip = "gzip"

	// packFrom is the size in bytes from which bodies are compressed. A smaller row fits on a database page or two.
	packFrom = 4 << 10
)

// writers pools gzip writers, because each allocates several hundred kilobytes of tables.
var writers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid, so this cannot fail
	return w
}}

// Pack compresses a body that is large enough, and returns how it is encoded.
func Pack(body json.RawMessage) (encoding string, packed []byte, err error) {
	if len(body) < packFrom {
		return encodedJSON, body, nil
	}
	var b bytes.Buffer
	w := writers.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool contains only gzip writers
	defer writers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(body); err != nil {
		return "", nil, fmt.Errorf("compress the rows: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", nil, fmt.Errorf("compress the rows: %w", err)
	}
	return encodedGzip, b.Bytes(), nil
}

// Unpack decodes a body encoded by [Pack]. It fails if the length differs from the stored size, because a truncated
// table would give wrong answers.
func Unpack(encoding string, packed []byte, size int64) (json.RawMessage, error) {
	switch encoding {
	case encodedJSON:
		return packed, nil
	case encodedGzip:
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("decompress: %w", err)
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, fmt.Errorf("decompress: %w", err)
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF { //nolint:errorlint // as io.Reader requires
			return nil, fmt.Errorf("decompress: more than the %d bytes that were stored (%w)", size, err)
		}
		return body, nil
	}
	return nil, fmt.Errorf("unknown encoding %q", encoding)
}
