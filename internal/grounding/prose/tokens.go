package prose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/words"
)

// token is a word or a number of a text.
type Token struct {
	Span
	Folded string // a decimal comma is a point
}

// tokens returns the words and numbers of a text.
func Tokens(text string) []Token {
	var out []Token
	for w := range words.Scan(text) {
		if w.Kind != words.Mark {
			folded := words.Fold(text[w.Start:w.End])
			out = append(out, Token{Span{w.Start, w.End}, strings.ReplaceAll(folded, ",", ".")})
		}
	}
	return out
}
