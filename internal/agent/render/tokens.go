package render

import "unicode"

// About how many thousandths of a token a character is in the tables of accounts: what the tokenizers of current models
// make of names, codes and figures, within a tenth. A test compares it with one.
const (
	ofDigit   = 600
	ofSpace   = 110
	ofBreak   = 930 // between cells and lines
	ofCapital = 730
	ofLetter  = 430 // Cyrillic
	ofLatin   = 320
	ofMark    = 800
	ofOther   = 1330
	aToken    = 1000
)

// tokens estimates the tokens of a text.
func tokens(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n += ofDigit
		case r == ' ':
			n += ofSpace
		case r == '|' || r == '\n':
			n += ofBreak
		case unicode.IsUpper(r):
			n += ofCapital
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			n += ofLatin
		case unicode.IsLetter(r):
			n += ofLetter
		case r < unicode.MaxASCII:
			n += ofMark
		default:
			n += ofOther
		}
	}
	return n / aToken
}
