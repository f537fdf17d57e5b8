// Package visible removes invisible characters from what the account sends.
package visible

import (
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
)

// JSON returns a reader that passes every string in the JSON of another through [stockhand.Visible], whatever its
// field. So nothing that users typed in the account can break a line, control a terminal or change the text direction,
// and no field can be forgotten. Everything outside strings is unchanged.
func JSON(r io.Reader) io.Reader { return &reader{from: r, in: make([]byte, 0, 16<<10)} }

type reader struct {
	from io.Reader
	in   []byte // read but not checked yet: at most part of a character
	out  []byte // checked but not returned yet; shares memory with in
	err  error
}

func (v *reader) Read(p []byte) (int, error) {
	for len(v.out) == 0 {
		if v.err != nil {
			return 0, v.err
		}
		n, err := v.from.Read(v.in[len(v.in):cap(v.in)])
		all := v.in[:len(v.in)+n]
		v.err = err
		var rest []byte
		v.out, rest = onlyVisible(all, err != nil)
		if len(rest) > 0 { // a new buffer, because out is in the old one
			v.in = append(make([]byte, 0, cap(v.in)), rest...)
		} else {
			v.in = v.in[:0]
		}
	}
	n := copy(p, v.out)
	v.out = v.out[n:]
	return n, nil
}

// suspect are the bytes that can start an invisible character: those of an escape, and of characters from a block with
// invisible ones.
var suspect = func() (t [256]bool) {
	t['\\'], t[0x7f] = true, true
	for b := 0xc2; b <= 0xf4; b++ {
		t[b] = b != 0xd0 && b != 0xd1 // Cyrillic
	}
	return t
}()

// onlyVisible rewrites JSON in place. It returns an incomplete escape or character at the end as rest, unless the input
// ends there.
func onlyVisible(b []byte, end bool) (out, rest []byte) {
	w, from := 0, 0 // from: the start of what is not copied yet
	for i := 0; i < len(b); {
		if !suspect[b[i]] {
			i++
			continue
		}
		r, n := character(b[i:])
		if n == 0 && !end {
			return append(b[:w], b[from:i]...), b[i:]
		}
		if n == 0 {
			break
		}
		if to := stockhand.Visible(r); to != r {
			w += copy(b[w:], b[from:i])
			if to >= 0 {
				b[w] = ' '
				w++
			}
			from = i + n
		}
		i += n
	}
	return append(b[:w], b[from:]...), nil
}

// character decodes the character or escape at the start of a text, and returns its length in bytes, or 0 if it is
// incomplete. Syntactic escapes such as \" count as a letter.
func character(b []byte) (rune, int) {
	if b[0] != '\\' {
		if !utf8.FullRune(b) {
			return 0, 0
		}
		r, n := utf8.DecodeRune(b)
		return r, n
	}
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case 'n', 'r', 't', 'b', 'f':
		return '\n', 2
	case 'u':
	default:
		return 'a', 2
	}
	if len(b) < 6 {
		return 0, 0
	}
	r := hexadecimal(b[2:6])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(b) < 12 {
		return 0, 0
	}
	if b[6] == '\\' && b[7] == 'u' {
		if pair := utf16.DecodeRune(r, hexadecimal(b[8:12])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return 'a', 6
}

func hexadecimal(b []byte) rune {
	n, err := strconv.ParseUint(string(b), 16, 32)
	if err != nil {
		return 'a' // the decoder will reject it
	}
	return rune(n)
}
