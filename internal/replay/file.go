package replay

import (
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/stockhand/stockhand/internal/cassette"
)

// ReadFile reads the cassette in a file.
func ReadFile(name string) (*cassette.Cassette, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read
	return cassette.Read(f)
}

// Write writes a recording as the contents of the file with that name: compressed, if it ends with .gz.
func (r *Recording) Write(w io.Writer, name string) error {
	if !strings.HasSuffix(name, ".gz") {
		return r.Cassette.Write(w, r.Secrets)
	}
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := r.Cassette.Write(packed, r.Secrets); err != nil {
		return err
	}
	return packed.Close()
}
