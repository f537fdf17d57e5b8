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

// IDs are the names of the ring's keys, the sealing one first. They tell nothing about the keys.
func (r *Ring) IDs() []string {
	ids := make([]string, len(r.keys))
	for i, k := range r.keys {
		ids[i] = hex.EncodeToString(k.id[:])
	}
	return ids
}

// Prepend puts a new key before the others in a file of the form that [Load] reads, and returns the ring as it is then.
// The file is replaced atomically and stays readable by its owner only; a concurrent reader gets the old or the new
// ring.
func Prepend(path string) (*Ring, error) {
	old, err := os.ReadFile(path)
	if err == nil {
		_, err = Load(path) // what cannot be used is not made longer
	}
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be read: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".stockhand-key-*") // made with mode 0600
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
