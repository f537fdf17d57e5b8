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

// Write writes a recording as the contents of the file with that name.
func (r *Recording) Write(w io.Writer, name string) error {
	return Packed(w, name, func(w io.Writer) error { return r.Cassette.Write(w, r.Secrets) })
}

// Packed writes the contents of the file with that name: compressed, if it ends with .gz.
func Packed(w io.Writer, name string, content func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return content(w)
	}
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := content(packed); err != nil {
		return err
	}
	return packed.Close()
}
