package stockhand

import "unicode"

// Visible maps a character for [strings.Map] so that the text fits on one line: line breaks and other spaces become a
// space; control characters, and those that are invisible or change the direction of others, are removed. Names from
// external systems pass through it once, where they enter.
func Visible(r rune) rune {
	switch {
	case r >= ' ' && r < 0x7f, r >= 'Ѐ' && r <= 'ӿ':
		return r
	case r == '\u00a0' || r == '\u2009' || r == '\u202f': // spaces between digits
		return r
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co):
		return -1
	}
	return r
}
