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

// Parse reads a key ring from text: one key per line, the current key first. Empty lines and lines that start with #
// are ignored. A key is 32 bytes in base64 (standard or URL alphabet, with or without padding) or hexadecimal. Errors
// give the line number and never quote the line.
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
				WithHint("generate one with: openssl rand -base64 32")
		}
		keys = append(keys, k)
	}
	if lines.Err() != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key cannot be read: %w", lines.Err())
	}
	ring, err := newRing(keys)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key cannot be used: %w", err).
			WithHint("generate one with: openssl rand -base64 32")
	}
	return ring, nil
}

// Load reads a key ring from a file in the format of [Parse]. It does not check the file's permissions, because
// orchestrators that mount secrets make them readable to everyone in the container.
func Load(path string) (*Ring, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be read: %w", err).
			WithHint("set STOCKHAND_SECRET_KEY_FILE to its path; generate a key with: openssl rand -base64 32")
	}
	ring, err := Parse(string(text))
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		own.Message = path + ": " + own.Message
	}
	return ring, err
}

// LoadOrCreate loads the ring, and first creates the file with a new key if it does not exist. It is for the embedded
// default, where no operator provides a key. Only the owner can read the new file. It reports whether it created the
// file. When several processes start at once, one creates the file and all use it.
func LoadOrCreate(path string) (ring *Ring, created bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if created, err = create(path); err != nil {
			return nil, false, stockhand.Errorf(stockhand.CodeInternal, "the secret key file cannot be created: %w",
				err).
				WithHint("set STOCKHAND_SECRET_KEY_FILE to a path in a folder that this user can write to")
		}
	}
	ring, err = Load(path)
	return ring, created, err
}

// create writes the key to a temporary file and links it to path, so that no process reads half a key. It reports
// false, without an error, when path already exists.
func create(path string) (made bool, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".stockhand-key-*") // created with mode 0600
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	k := make([]byte, keySize)
	_, _ = rand.Read(k) // never fails since Go 1.24
	_, err = fmt.Fprintf(f, "# Decrypts the credentials in Stockhand's database. Keep a copy: without it every "+
		"account must be connected again.\n%s\n",
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

func decode(line string) ([]byte, bool) {
	if k, err := hex.DecodeString(line); err == nil {
		return k, len(k) == keySize
	}
	plain := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(line), "=")
	k, err := base64.RawStdEncoding.DecodeString(plain)
	return k, err == nil && len(k) == keySize
}
