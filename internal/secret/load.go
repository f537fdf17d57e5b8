package secret

import (
	"bufio"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stockhand/stockhand"
)

// Parse reads a ring from text: one key a line, the current one first; empty lines and lines that begin with # are
// passed over. A key is 32 bytes in base64 (standard or URL, with or without padding) or hexadecimal. Errors name lines
// and never quote them.
func Parse(text string) (*Ring, error) {
	var keys [][]byte
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, ok := decode(line)
		if !ok {
			return nil, stockhand.Errorf(stockhand.CodeInternal,
				"line %d of the secret key is not 32 bytes in base64 or hexadecimal", n).
				WithHint("make one with: openssl rand -base64 32")
		}
		keys = append(keys, k)
	}
	if lines.Err() != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key cannot be read: %w", lines.Err())
	}
	ring, err := newRing(keys)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key cannot be used: %w", err).
			WithHint("make one with: openssl rand -base64 32")
	}
	return ring, nil
}

// Load reads a ring from a file of that form. Who may read the file is the operator's business: an orchestrator that
// mounts secrets makes them readable for all in the container.
func Load(path string) (*Ring, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be read: %w", err).
			WithHint("STOCKHAND_SECRET_KEY_FILE names it; make one with: openssl rand -base64 32")
	}
	ring, err := Parse(string(text))
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		own.Message = path + ": " + own.Message
	}
	return ring, err
}

// LoadOrCreate is Load for the embedded default, which has no operator: an absent file is made with a new key in it,
// readable by its owner alone. It tells whether it made one. Of several processes that start at once, one makes it and
// all use the same.
func LoadOrCreate(path string) (ring *Ring, created bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if created, err = create(path); err != nil {
			return nil, false, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be made: %w", err).
				WithHint("let STOCKHAND_SECRET_KEY_FILE name a file in a folder that this user can write to")
		}
	}
	ring, err = Load(path)
	return ring, created, err
}

// create writes a whole file beside path and links it to its name, so that half a key is never read; a name that
// is taken by then is left alone.
func create(path string) (made bool, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".stockhand-key-*") // made with mode 0600
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	k := make([]byte, keySize)
	_, _ = rand.Read(k) // never fails since Go 1.24
	_, err = fmt.Fprintf(f, "# Opens the credentials in Stockhand's database. Keep a copy: without it every account must be connected again.\n%s\n",
		base64.StdEncoding.EncodeToString(k))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, err
	}
	if err := os.Link(f.Name(), path); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return false, err
	}
	return true, nil
}

// decode reads one key.
func decode(line string) ([]byte, bool) {
	if k, err := hex.DecodeString(line); err == nil {
		return k, len(k) == keySize
	}
	plain := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(line), "=")
	k, err := base64.RawStdEncoding.DecodeString(plain)
	return k, err == nil && len(k) == keySize
}
