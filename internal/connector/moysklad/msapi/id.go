package msapi

import (
	"encoding/hex"
	"net/url"
	"strings"
)

// ID identifies an entity: 36 characters in the format of a UUID. Many are not valid UUIDs by RFC 4122, so the version
// and variant bits are not checked (fact M38).
type ID string

// Key is an ID in 16 bytes, for maps over a whole catalogue. The zero Key means no ID.
type Key [16]byte

// ParseID parses an ID in upper or lower case and returns it in lower case.
func ParseID(s string) (ID, bool) {
	k, ok := parseKey(s)
	if !ok {
		return "", false
	}
	return k.ID(), true
}

// Key returns the compact form, or the zero Key for a malformed ID.
func (id ID) Key() Key {
	k, _ := parseKey(string(id))
	return k
}

// ID returns the text form, or "" for the zero Key.
func (k Key) ID() ID {
	if k == (Key{}) {
		return ""
	}
	var b [36]byte
	hex.Encode(b[0:8], k[0:4])
	hex.Encode(b[9:13], k[4:6])
	hex.Encode(b[14:18], k[6:8])
	hex.Encode(b[19:23], k[8:10])
	hex.Encode(b[24:36], k[10:16])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return ID(b[:])
}

// MarshalText writes the text form.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.ID()), nil }

func parseKey(s string) (k Key, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return Key{}, false
	}
	var digits [32]byte
	n := 0
	for _, part := range [...]string{s[0:8], s[9:13], s[14:18], s[19:23], s[24:36]} {
		n += copy(digits[n:], part)
	}
	if _, err := hex.Decode(k[:], digits[:]); err != nil {
		return Key{}, false
	}
	return k, k != (Key{}) // no entity has the zero ID, and the zero Key means none
}

// idOfHref returns the ID in an href: the last part of its path. Report hrefs have a query such as "?expand=supplier",
// so the end of the string is not the end of the path (fact M40). It returns "" if the last part is not an ID, as in
// ".../context/employee".
func idOfHref(href string) ID {
	path, _, _ := strings.Cut(href, "#")
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimRight(path, "/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	if unescaped, err := url.PathUnescape(last); err == nil {
		last = unescaped
	}
	id, _ := ParseID(last)
	return id
}
