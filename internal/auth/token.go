package auth

import (
	"crypto/rand"
	"hash/crc32"
	"slices"
)

// A secret has 56 characters, in base 62 after its kind:
//
//	sk-org-, sk-usr- …           its kind, from the list below
//	10 characters                random; together with the kind, the public prefix
//	33 characters                random: 196 bits
//	6 characters                 CRC-32 (IEEE) of the rest
//
// The checksum detects mistyped tokens without a query, and helps scanners for leaked secrets to recognize real ones.
const (
	keyBegins        = "sk-org-"
	tokenBegins      = "sk-usr-"
	invitationBegins = "sk-inv-"
	signInBegins     = "sk-web-" // the cookie of a sign-in
	oneTimeBegins    = "sk-one-" // a link, or the state of a sign-in that takes several requests

	publicSize   = 10
	randomSize   = 33
	checksumSize = 6
	prefixSize   = len(keyBegins) + publicSize
	secretSize   = prefixSize + randomSize + checksumSize
)

var kinds = []string{keyBegins, tokenBegins, invitationBegins, signInBegins, oneTimeBegins}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// parse reports whether a string has the form of a secret, and returns its prefix, which says what kind it is.
func parse(s string) (begins string, ok bool) {
	if len(s) != secretSize {
		return "", false
	}
	begins = s[:len(keyBegins)]
	if !slices.Contains(kinds, begins) {
		return "", false
	}
	for _, c := range []byte(s[len(begins):]) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return "", false
		}
	}
	body, sum := s[:secretSize-checksumSize], s[secretSize-checksumSize:]
	return begins, checksum(body) == [checksumSize]byte([]byte(sum))
}

// newSecret returns a new secret and its public prefix.
func newSecret(begins string) (secret, prefix string) {
	b := make([]byte, 0, secretSize)
	b = append(b, begins...)
	var random [publicSize + randomSize]byte
	for len(b) < secretSize-checksumSize {
		_, _ = rand.Read(random[:]) // never fails since Go 1.24
		for _, r := range random {
			// The greatest multiple of 62 in a byte is 248: what is above would make the first characters likelier.
			if r < 248 && len(b) < secretSize-checksumSize {
				b = append(b, alphabet[r%62])
			}
		}
	}
	sum := checksum(string(b))
	return string(append(b, sum[:]...)), string(b[:prefixSize])
}

func checksum(body string) (sum [checksumSize]byte) {
	crc := crc32.ChecksumIEEE([]byte(body))
	for i := checksumSize - 1; i >= 0; i-- {
		sum[i] = alphabet[crc%62]
		crc /= 62
	}
	return sum
}
