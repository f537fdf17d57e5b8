package secret

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stockhand/stockhand"
)

// IDs returns the identifiers of the ring's keys, the encrypting key first. They reveal nothing about the keys.
func (r *Ring) IDs() []string {
	ids := make([]string, len(r.keys))
	for i, k := range r.keys {
		ids[i] = hex.EncodeToString(k.id[:])
	}
	return ids
}

// Prepend adds a new key before the others in the file at path and returns the new ring. The file is replaced
// atomically and only its owner can read it; a concurrent reader gets either the old or the new ring.
func Prepend(path string) (*Ring, error) {
	old, err := os.ReadFile(path)
	if err == nil {
		_, err = Load(path) // never extend a file that is not valid
	}
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be read: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".stockhand-key-*") // created with mode 0600
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be replaced: %w", err)
	}
	k := make([]byte, keySize)
	_, _ = rand.Read(k) // never fails since Go 1.24
	_, err = fmt.Fprintf(f, "%s\n%s", base64.StdEncoding.EncodeToString(k), old)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, errors.Join(stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be replaced: %w",
			err), os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, errors.Join(stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be replaced: %w",
			err), os.Remove(f.Name()))
	}
	return Load(path)
}
