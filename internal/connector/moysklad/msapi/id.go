package msapi

import (
	"encoding/hex"
	"net/url"
	"strings"
)

// ID identifies an entity: 36 characters in the shape of a UUID. Many are not UUIDs by RFC 4122, so nothing here
// looks at the version and variant bits (fact M38).
type ID string

// Key is an ID in 16 bytes, for maps over a whole catalogue. The zero Key stands for no id.
type Key [16]byte

// ParseID reads an id of the API's form, in any case of letters; the result is in lower case.
func ParseID(s string) (ID, bool) {
	k, ok := parseKey(s)
	if !ok {
		return "", false
	}
	return k.ID(), true
}

// Key returns the compact form, and the zero Key for an id of another form.
func (id ID) Key() Key {
	k, _ := parseKey(string(id))
	return k
}

// ID returns the text form; the zero Key gives an empty one.
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
	return k, k != (Key{}) // nothing has the id of zeros, and the zero Key stands for none
}

// idOfHref takes the id from an href: the last part of its path. Report hrefs carry a query such as "?expand=supplier",
// so the end of the string is not the end of the path (fact M40). An href whose last part is no id, such as
// ".../context/employee", has none.
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
