package secret

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
)

// An encrypted message is the ID of the key (8 bytes), a salt (16), a nonce (12), and AES-256-GCM's ciphertext and tag.
// HKDF-SHA256 derives a key per message from the salt, so that the number of messages per key is not limited.
const (
	saltSize        = 16
	messageHeadSize = idSize + saltSize + nonceSize
)

// SealMessage encrypts a message between the replicas of an installation. Only [Ring.OpenMessage] with the same topic
// can decrypt it. It uses the ring's last key, which every replica has while keys are rotated.
func (r *Ring) SealMessage(topic string, message []byte) ([]byte, error) {
	k := r.keys[len(r.keys)-1]
	sealed := make([]byte, messageHeadSize, messageHeadSize+len(message)+tagSize)
	copy(sealed, k.id[:])
	_, _ = rand.Read(sealed[idSize:]) // never fails since Go 1.24
	aead, err := k.messageCipher(topic, sealed)
	if err != nil {
		return nil, fmt.Errorf("encrypt a message: %w", err)
	}
	return aead.Seal(sealed, sealed[idSize+saltSize:], message, nil), nil
}

// OpenMessage decrypts the result of [Ring.SealMessage] for the same topic. It returns [ErrFormat], [ErrUnknownKey] or
// [ErrTampered].
func (r *Ring) OpenMessage(topic string, sealed []byte) ([]byte, error) {
	if len(sealed) < messageHeadSize+tagSize {
		return nil, ErrFormat
	}
	i := slices.IndexFunc(r.keys, func(k key) bool { return bytes.Equal(k.id[:], sealed[:idSize]) })
	if i < 0 {
		return nil, ErrUnknownKey
	}
	aead, err := r.keys[i].messageCipher(topic, sealed)
	if err != nil {
		return nil, fmt.Errorf("decrypt a message: %w", err)
	}
	message, err := aead.Open(nil, sealed[idSize+saltSize:messageHeadSize], sealed[messageHeadSize:], nil)
	if err != nil {
		return nil, ErrTampered
	}
	return message, nil
}

// messageCipher returns AES-256-GCM with the key of one message on a topic.
func (k key) messageCipher(topic string, sealed []byte) (cipher.AEAD, error) {
	salt := sealed[idSize : idSize+saltSize]
	derived, err := hkdf.Key(sha256.New, k.bytes[:], salt, "stockhand message on "+topic, keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
