// Package secret encrypts credentials before they are stored, so that a copy of the database is useless without the
// key.
//
// An encrypted credential can be decrypted only with the key that encrypted it, only for the same organization and
// connection, and only if it is unchanged: a blob copied to another row or another organization does not decrypt there.
// [ErrUnknownKey] means that the key is missing from the ring, [ErrTampered] that the blob was changed or moved.
//
// Keys do not encrypt directly. HKDF-SHA256 derives one key per organization, so that random nonces are spread over
// many keys. An encrypted credential is a version byte (1), the ID of the key (8 bytes), a random nonce (12 bytes), and
// AES-256-GCM's ciphertext and tag.
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

// The reasons why a credential cannot be decrypted.
var (
	ErrFormat     = errors.New("not an encrypted credential")
	ErrUnknownKey = errors.New("encrypted with a key that is not in the ring")
	ErrTampered   = errors.New("changed after encryption, or encrypted for another connection or organization")
)

const (
	version   = 1
	keySize   = 32
	idSize    = 8
	nonceSize = 12
	tagSize   = 16
	headSize  = 1 + idSize + nonceSize
)

// key is a master key with the ID that encrypted credentials refer to it by.
type key struct {
	id    [idSize]byte
	bytes [keySize]byte
}

// Ring holds the keys that decrypt credentials; the first one also encrypts. To rotate keys, put a new key before the
// old one, encrypt again what [Ring.Stale] reports, and remove the old key. Printing or logging a Ring shows key IDs
// only.
type Ring struct{ keys []key }

// newRing derives each key's ID with HKDF, so that the ID reveals nothing about the key.
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
			return nil, fmt.Errorf("derive the key's ID: %w", err)
		}
		copy(k.id[:], id)
		if slices.ContainsFunc(r.keys, func(other key) bool { return other.id == k.id }) {
			return nil, fmt.Errorf("key %d is in the ring twice", i+1)
		}
		r.keys = append(r.keys, k)
	}
	return r, nil
}

// Seal encrypts a credential for one connection of an organization with the ring's first key. Each call uses a new
// nonce, so equal credentials give different results.
func (r *Ring) Seal(org stockhand.OrgID, connection stockhand.ConnectionID, credential []byte) (stockhand.Sealed,
	error) {
	if org == "" || connection == "" {
		return nil, errors.New("encrypt a credential: the organization or the connection is empty")
	}
	k := r.keys[0]
	aead, err := k.cipher(org)
	if err != nil {
		return nil, fmt.Errorf("encrypt a credential: %w", err)
	}
	sealed := make([]byte, headSize, headSize+len(credential)+tagSize)
	sealed[0] = version
	copy(sealed[1:], k.id[:])
	nonce := sealed[1+idSize : headSize]
	_, _ = rand.Read(nonce) // never fails since Go 1.24
	return aead.Seal(sealed, nonce, credential, bound(sealed[:1+idSize], org, connection)), nil
}

// Open decrypts the result of [Ring.Seal] for the same organization and connection. It returns [ErrFormat],
// [ErrUnknownKey] or [ErrTampered] with a hint for the operator; no error contains the credential.
func (r *Ring) Open(org stockhand.OrgID, connection stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error) {
	if len(sealed) < headSize+tagSize || sealed[0] != version {
		return nil, refuse(connection, ErrFormat, "reconnect the account")
	}
	k, ok := r.find(sealed)
	if !ok {
		return nil, refuse(connection, fmt.Errorf("%w (key %x; the ring has %s)", ErrUnknownKey,
			[]byte(sealed[1:1+idSize]), r),
			"use the secret key that this database was created with, or reconnect the account")
	}
	aead, err := k.cipher(org)
	if err != nil {
		return nil, fmt.Errorf("decrypt the credential of %s: %w", connection, err)
	}
	credential, err := aead.Open(nil, sealed[1+idSize:headSize], sealed[headSize:],
		bound(sealed[:1+idSize], org, connection))
	if err != nil {
		return nil, refuse(connection, ErrTampered, "restore the database from a backup, or reconnect the account")
	}
	return credential, nil
}

// Stale reports whether a credential was encrypted with a key other than the current one.
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

// String returns the IDs of the keys.
func (r *Ring) String() string { return strings.Join(r.IDs(), ", ") }

// Format writes the IDs of the keys for every verb, so that no verb prints a key.
func (r *Ring) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(r.String())) }

// LogValue returns the IDs of the keys.
func (r *Ring) LogValue() slog.Value { return slog.StringValue(r.String()) }

// cipher returns AES-256-GCM with the key derived for the organization.
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

// bound returns the additional authenticated data of an encrypted credential: its header, the organization and the
// connection. Each part is preceded by its length, so that no two pairs have the same encoding.
func bound(head []byte, org stockhand.OrgID, connection stockhand.ConnectionID) []byte {
	b := bytes.Clone(head)
	for _, part := range []string{string(org), string(connection)} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	return b
}

func refuse(connection stockhand.ConnectionID, why error, hint string) error {
	return stockhand.Errorf(stockhand.CodeInternal, "the credential of %s cannot be decrypted: %w", connection,
		why).WithHint("%s", hint)
}
