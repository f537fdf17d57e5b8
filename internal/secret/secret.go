// Package secret seals credentials for their rest in the store, so that a copy of the database is worth nothing
// without the key beside it.
//
// It promises that a sealed credential opens only under the key that sealed it, only for the organization and the
// connection it was sealed for, and only unchanged: a blob copied to another row, or into another organization, does
// not open there. What is known to have failed is said apart: a key that is missing from the ring ([ErrUnknownKey]),
// and a blob that was changed or moved ([ErrTampered]).
//
// The surprising decision is that no key encrypts anything itself: each organization gets a key of its own, derived
// with HKDF-SHA256, so that random nonces are spread over as many keys as there are organizations. A sealed credential
// is: a version byte (1), the id of the key (8 bytes), a random nonce (12), AES-256-GCM's ciphertext and tag.
package secret

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
)

// The reasons why a sealed credential does not open.
var (
	ErrFormat     = errors.New("not a sealed credential")
	ErrUnknownKey = errors.New("sealed with a key that is not in the ring")
	ErrTampered   = errors.New("changed since it was sealed, or sealed for another connection or organization")
)

const (
	version   = 1
	keySize   = 32
	idSize    = 8
	nonceSize = 12
	tagSize   = 16
	headSize  = 1 + idSize + nonceSize
)

// key is one master key with the id that blobs name it by.
type key struct {
	id    [idSize]byte
	bytes [keySize]byte
}

// Ring holds the keys that open credentials; the first one seals. To rotate, put a new key before the old one, seal
// again what [Ring.Stale] names, and drop the old key. A Ring never prints its keys.
type Ring struct{ keys []key }

// newRing gives each key its id: derived, so that it tells nothing about the key.
func newRing(keys [][]byte) (*Ring, error) {
	if len(keys) == 0 {
		return nil, errors.New("no key")
	}
	r := &Ring{}
	for i, b := range keys {
		if len(b) != keySize {
			return nil, fmt.Errorf("key %d has %d bytes instead of %d", i+1, len(b), keySize)
		}
		var k key
		copy(k.bytes[:], b)
		id, err := hkdf.Key(sha256.New, b, nil, "stockhand secret key id", idSize)
		if err != nil {
			return nil, fmt.Errorf("derive the key's id: %w", err)
		}
		copy(k.id[:], id)
		if slices.ContainsFunc(r.keys, func(other key) bool { return other.id == k.id }) {
			return nil, fmt.Errorf("key %d is in the ring twice", i+1)
		}
		r.keys = append(r.keys, k)
	}
	return r, nil
}

// Seal encrypts a credential for one connection of one organization, under the ring's first key. Sealing the same
// twice gives different blobs.
func (r *Ring) Seal(org stockhand.OrgID, connection stockhand.ConnectionID, credential []byte) (stockhand.Sealed,
	error) {
	if org == "" || connection == "" {
		return nil, errors.New("seal: a credential is sealed for an organization and a connection")
	}
	k := r.keys[0]
	aead, err := k.cipher(org)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	sealed := make([]byte, headSize, headSize+len(credential)+tagSize)
	sealed[0] = version
	copy(sealed[1:], k.id[:])
	nonce := sealed[1+idSize : headSize]
	_, _ = rand.Read(nonce) // never fails since Go 1.24
	return aead.Seal(sealed, nonce, credential, bound(sealed[:1+idSize], org, connection)), nil
}

// Open decrypts what Seal gave, for the same organization and connection. It fails with [ErrFormat], [ErrUnknownKey] or
// [ErrTampered], each with a hint for the operator, and never quotes the credential.
func (r *Ring) Open(org stockhand.OrgID, connection stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error) {
	if len(sealed) < headSize+tagSize || sealed[0] != version {
		return nil, refuse(connection, ErrFormat, "connect the account again")
	}
	k, ok := r.find(sealed)
	if !ok {
		return nil, refuse(connection, fmt.Errorf("%w (key %x; the ring has %s)", ErrUnknownKey,
			[]byte(sealed[1:1+idSize]), r),
			"start with the secret key that this database was used with, or connect the account again")
	}
	aead, err := k.cipher(org)
	if err != nil {
		return nil, fmt.Errorf("open the credential of %s: %w", connection, err)
	}
	credential, err := aead.Open(nil, sealed[1+idSize:headSize], sealed[headSize:],
		bound(sealed[:1+idSize], org, connection))
	if err != nil {
		return nil, refuse(connection, ErrTampered, "restore the database from a backup, or connect the account again")
	}
	return credential, nil
}

// Stale tells whether a credential is sealed under another key than the one that seals now.
func (r *Ring) Stale(sealed stockhand.Sealed) bool {
	return len(sealed) < headSize || !bytes.Equal(sealed[1:1+idSize], r.keys[0].id[:])
}

func (r *Ring) find(sealed []byte) (key, bool) {
	i := slices.IndexFunc(r.keys, func(k key) bool { return bytes.Equal(k.id[:], sealed[1:1+idSize]) })
	if i < 0 {
		return key{}, false
	}
	return r.keys[i], true
}

// String lists the ids of the keys.
func (r *Ring) String() string { return strings.Join(r.IDs(), ", ") }

// Format writes the ids of the keys, whatever the verb: no verb gives the keys.
func (r *Ring) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(r.String())) }

// LogValue gives logs the ids of the keys.
func (r *Ring) LogValue() slog.Value { return slog.StringValue(r.String()) }

// cipher is AES-256-GCM under the organization's own key.
func (k key) cipher(org stockhand.OrgID) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, k.bytes[:], nil, "stockhand credential of "+string(org), keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// bound is what a blob is bound to besides its key: its own head, the organization and the connection. Lengths go
// first, so that no two pairs read alike.
func bound(head []byte, org stockhand.OrgID, connection stockhand.ConnectionID) []byte {
	b := bytes.Clone(head)
	for _, part := range []string{string(org), string(connection)} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	return b
}

func refuse(connection stockhand.ConnectionID, why error, hint string) error {
	return stockhand.Errorf(stockhand.CodeInternal, "the credential of %s does not open: %w", connection,
		why).WithHint("%s", hint)
}
