// Package content encrypts what people write and what tools return: the columns of the database that hold the text of
// messages, results and drafts.
//
// A [Content] is such a column's value. Only a [Key] makes one, so no statement can store text that did not pass here;
// the nil Key leaves text as it is. Content decrypts only with the key of its organization and only in the place, a
// column of a row, that it was encrypted for. So neither another row nor another organization can be given it.
//
// The first byte of plain text is never 0, or it is stored after the bytes 0 0. Encrypted text follows the bytes 0 1: a
// random nonce (12 bytes) and AES-256-GCM's ciphertext and tag. HKDF-SHA256 derives the key of each place from
// the organization's, so the number of texts per organization is not limited.
package content

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/stockhand/stockhand"
)

// The reasons why a content cannot be read.
var (
	ErrFormat = errors.New("not a content")
	ErrKey    = errors.New("changed, moved from another row, or encrypted with another data key")
)

var (
	escape = []byte{0, 0}
	mark   = []byte{0, 1}
)

// Mark returns the bytes that encrypted content begins with, and no other.
func Mark() []byte { return bytes.Clone(mark) }

// Content is the stored form of a text. The zero Content is the empty text, which is not encrypted.
type Content struct{ stored []byte }

// Scan reads a column.
func (c *Content) Scan(from any) error {
	switch v := from.(type) {
	case []byte:
		c.stored = bytes.Clone(v)
	case string:
		c.stored = []byte(v)
	default:
		return fmt.Errorf("%w: a column of type %T", ErrFormat, from)
	}
	return nil
}

// Value returns what the column holds.
func (c Content) Value() (driver.Value, error) {
	if c.stored == nil {
		return []byte{}, nil
	}
	return c.stored, nil
}

// Encrypted reports whether a key is needed to read it.
func (c Content) Encrypted() bool { return bytes.HasPrefix(c.stored, mark) }

const keySize = 32

// Key encrypts the contents of one organization. Printing a Key does not show it.
type Key struct {
	org   stockhand.OrgID
	bytes []byte
}

// NewKey returns a new key of the organization.
func NewKey(org stockhand.OrgID) *Key {
	k := &Key{org, make([]byte, keySize)}
	_, _ = rand.Read(k.bytes) // never fails since Go 1.24
	return k
}

// KeyOf returns the key of the organization with these bytes; see [Key.Bytes].
func KeyOf(org stockhand.OrgID, b []byte) (*Key, error) {
	if len(b) != keySize {
		return nil, fmt.Errorf("a data key has %d bytes, not %d", keySize, len(b))
	}
	return &Key{org, bytes.Clone(b)}, nil
}

// Bytes returns the key itself, to be stored encrypted.
func (k *Key) Bytes() []byte { return bytes.Clone(k.bytes) }

// Format writes whose key it is, for every verb.
func (k *Key) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "the data key of %s", k.org) }

// Seal encrypts a text for a column of a row, which the values of its primary key without the organization name. The
// nil Key does not encrypt.
func (k *Key) Seal(text []byte, column string, row ...any) Content {
	switch {
	case len(text) == 0:
		return Content{}
	case k == nil && text[0] == 0:
		return Content{append(bytes.Clone(escape), text...)}
	case k == nil:
		return Content{text}
	}
	aead, place := k.cipher(column, row)
	stored := make([]byte, len(mark), len(mark)+len(text)+aead.Overhead())
	copy(stored, mark)
	return Content{aead.Seal(stored, nil, text, place)} //nolint:gosec // this cipher makes its own random nonce
}

// Open returns the text of a content in a column of a row. It returns [ErrKey] if it was encrypted with another key or
// for another place; the nil Key reads what is not encrypted.
func (k *Key) Open(c Content, column string, row ...any) ([]byte, error) {
	switch {
	case bytes.HasPrefix(c.stored, escape):
		return c.stored[len(escape):], nil
	case len(c.stored) == 0 || c.stored[0] != 0:
		return c.stored, nil
	case !c.Encrypted():
		return nil, ErrFormat
	case k == nil:
		return nil, ErrKey
	}
	aead, place := k.cipher(column, row)
	text, err := aead.Open(nil, nil, c.stored[len(mark):], place)
	if err != nil {
		return nil, ErrKey
	}
	return text, nil
}

// cipher returns AES-256-GCM with the key of a place, and the place as additional data. Each part of it follows its
// length, so that no two places have the same encoding.
func (k *Key) cipher(column string, row []any) (aead cipher.AEAD, place []byte) {
	for _, part := range append([]any{k.org, column}, row...) {
		s := fmt.Sprint(part)
		place = fmt.Appendf(place, "%d:%s", len(s), s)
	}
	derived, err := hkdf.Expand(sha256.New, k.bytes, "stockhand content "+string(place), keySize)
	if err == nil {
		var block cipher.Block
		if block, err = aes.NewCipher(derived); err == nil {
			aead, err = cipher.NewGCMWithRandomNonce(block)
		}
	}
	if err != nil {
		panic(err) // the sizes are constants that all three accept
	}
	return aead, place
}
