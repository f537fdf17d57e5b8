package typed

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// NumberAt reads a number at a token, in digits or words, with its unit, and returns the token after it; 0 if there is
// none.
func NumberAt(c *analysis.Catalogue, ts []token.Token, i int) (value string, unit words.UnitKind, end int) {
	s := &Sentence{x: lexiconOf(c), Input: Input{Tokens: ts}}
	n, end := s.numberAt(i)
	return n.Value, n.Unit, end
}

// IsFunction reports whether a token is a function word, which is harmless in every context.
func IsFunction(c *analysis.Catalogue, t *token.Token) bool {
	x := lexiconOf(c)
	return t.Kind == token.Word && (x.function[t.Norm] || x.function[t.Stem] || t.Glued && len([]rune(t.Norm)) == 1)
}

// ScaledLike returns the number at a token with the unit of another one, if it has none of its own: 10 000 for the 10
// in "10 to 20 thousand".
func ScaledLike(c *analysis.Catalogue, ts []token.Token, i, other int) string {
	s := &Sentence{x: lexiconOf(c), Input: Input{Tokens: ts}}
	n, _ := s.numberAt(i)
	o, _ := s.numberAt(other)
	return n.Like(o).Value
}
