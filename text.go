package stockhand

import "unicode"

// Visible maps a character for one line of text, as [strings.Map] takes it: line breaks and other spaces become a space;
// control characters, and those that are invisible or change the direction of others, are left out. What external
// systems call their things is passed through it once, where it enters.
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
