package lookup

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// known are the stems of all words of look-ups.
var known = func() map[string]bool {
	stems := map[string]bool{}
	for _, list := range lexicon {
		for _, p := range list {
			for _, w := range p.Words {
				stems[w] = true
			}
		}
	}
	return stems
}()

// Knows reports whether a word is one of look-ups: then it is no misspelt name.
func Knows(t *token.Token) bool { return known[t.Stem] && len([]rune(t.Norm)) > 4 }

// Repair corrects the words of a task that mean nothing: the wrong keyboard layout, Latin letters for Russian words,
// one wrong letter (rule R338). The names of the account have to be marked.
func Repair(c *analysis.Catalogue, ts []token.Token) {
	everyday := make([]bool, len(ts))
	typed.Everyday(c, ts, everyday)
	for i := range ts {
		t := &ts[i]
		if t.Kind != token.Word || t.Use != token.Unused || len([]rune(t.Norm)) < 4 || token.HasDigit(t.Norm) ||
			everyday[i] || known[t.Stem] || quantity.IsCalendarWord(t.Norm) || words.IsLegalForm(t.Norm) ||
			names.Kind(t.Norm) != "" {
			continue
		}
		if !t.Cyrillic {
			for _, way := range []string{names.Layout(t.Norm), names.Transliterate(t.Norm)} {
				if s := token.Stem(way, true); token.IsCyrillic(way) && known[s] {
					t.Norm, t.Stem, t.Cyrillic, t.Typo = way, s, true, true
					break
				}
			}
		}
	}
}
