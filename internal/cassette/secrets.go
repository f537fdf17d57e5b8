package cassette

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are texts that a cassette must not contain.
type Secrets struct {
	replaced []replacement
	refused  []string // they stop the writing if they are still there
}

type replacement struct{ old, new string }

// Token adds a credential. It can be nowhere in a cassette; if it is, Write fails.
func (s *Secrets) Token(token string) {
	if len(token) < 8 {
		return
	}
	s.refused = append(s.refused, token, base64.StdEncoding.EncodeToString([]byte(token)), url.QueryEscape(token))
}

// Employee adds the name and the login of the employee whose credential was used.
func (s *Secrets) Employee(name, login string) {
	s.replace(name, "Employee")
	s.replace(login, "employee@account")
}

// Server adds the address of an account's server, which [Site] replaces.
func (s *Secrets) Server(base string) {
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		s.replace(u.Scheme+"://"+u.Host, Site)
		s.replace(u.Host, strings.TrimPrefix(Site, "https://"))
	}
}

// Endpoint adds the address of an account that has a server of its own, and its ID, which is that address, too. Parts
// of the address that are as long as a key are one.
func (s *Secrets) Endpoint(address, account, with string) {
	s.Server(address)
	s.replace(address, with)
	s.replace(account, strings.TrimPrefix(with, "https://"))
	const long = 16
	if u, err := url.Parse(address); err == nil {
		for part := range strings.SplitSeq(u.EscapedPath(), "/") {
			if len(part) >= long {
				s.replace(part, "path")
			}
		}
	}
}

// Own adds the address of the Stockhand server, which [Server] replaces.
func (s *Secrets) Own(base string) {
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		s.replace(u.Scheme+"://"+u.Host, Server)
	}
}

func (s *Secrets) replace(old, with string) {
	if utf8.RuneCountInString(old) < 2 {
		return
	}
	for _, form := range []string{old, url.QueryEscape(old), url.PathEscape(old)} {
		quoted, err := marshal(form)
		if err != nil {
			return
		}
		r := replacement{strings.Trim(string(quoted), "\"\n"), with}
		if form != old {
			r.new = url.QueryEscape(with)
		}
		if !slices.ContainsFunc(s.replaced, func(k replacement) bool { return k.old == r.old }) {
			s.replaced = append(s.replaced, r)
		}
	}
	slices.SortStableFunc(s.replaced, func(a, b replacement) int { return len(b.old) - len(a.old) })
}

// remove replaces the secrets in JSON, where they are whole words.
func (s Secrets) remove(b []byte) []byte {
	for _, r := range s.replaced {
		b = replaceWords(b, []byte(r.old), []byte(r.new))
	}
	return b
}

// absent returns an error if a secret is still there.
func (s Secrets) absent(b []byte) error {
	for _, secret := range s.refused {
		if bytes.Contains(b, []byte(secret)) {
			return errors.New("a credential is in the recorded traffic; nothing is written")
		}
	}
	return nil
}

// replaceWords replaces a text in JSON where no letter or digit stands directly beside it.
func replaceWords(b, old, with []byte) []byte {
	var out []byte
	end := 0 // of what was copied
	for at := 0; ; {
		i := bytes.Index(b[at:], old)
		if i < 0 {
			break
		}
		i, at = at+i, at+i+len(old)
		before, _ := utf8.DecodeLastRune(b[:i])
		after, _ := utf8.DecodeRune(b[at:])
		if inWord(before) && !escaped(b[:i]) || inWord(after) {
			continue
		}
		out = append(append(out, b[end:i]...), with...)
		end = at
	}
	return append(out, b[end:]...)
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// escaped reports whether the last letter is part of an escape sequence such as \n, \u003c or %3D.
func escaped(b []byte) bool {
	n := len(b)
	return n >= 2 && b[n-2] == '\\' || n >= 3 && b[n-3] == '%' || n >= 6 && b[n-6] == '\\' && b[n-5] == 'u'
}

// numbers replaces random IDs by numbered ones, in the order in which they appear.
type numbers struct {
	of   map[string]string // ID → its number, in the form of an ID
	from map[string]string
}

func newNumbers() *numbers { return &numbers{of: map[string]string{}, from: map[string]string{}} }

// idShape matches IDs that stockhand.NewID makes.
var idShape = regexp.MustCompile(`\b([a-z]{2,8})_[0-9a-hjkmnp-tv-z]{26}\b`)

// WithoutIDs returns a text with the kinds of the random IDs in it instead of them.
func WithoutIDs(b []byte) []byte { return idShape.ReplaceAll(b, []byte("${1}_")) }

func (n *numbers) number(b []byte) []byte {
	return idShape.ReplaceAllFunc(b, func(id []byte) []byte {
		with, ok := n.of[string(id)]
		if !ok {
			prefix, _, _ := strings.Cut(string(id), "_")
			with = fmt.Sprintf("%s_%026d", prefix, len(n.of)+1)
			n.of[string(id)], n.from[with] = with, string(id)
		}
		return []byte(with)
	})
}

// known replaces the IDs that have a number.
func (n *numbers) known(b []byte) []byte {
	return idShape.ReplaceAllFunc(b, func(id []byte) []byte {
		if with, ok := n.of[string(id)]; ok {
			return []byte(with)
		}
		return id
	})
}

// restore replaces numbered IDs by those that they stand for.
func (n *numbers) restore(b []byte) []byte {
	return idShape.ReplaceAllFunc(b, func(id []byte) []byte {
		if live, ok := n.from[string(id)]; ok {
			return []byte(live)
		}
		return id
	})
}
