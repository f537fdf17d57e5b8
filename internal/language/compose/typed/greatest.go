package typed

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// greatest reads adjectives such as "основной" and "key" before what has rows or before a figure as "the greatest
// first": "ключевые поставщики", "main expenses" (rule R1021). Before a warehouse they may be its name.
func (s *Sentence) greatest() {
	for i, it := range s.Items {
		if it.Kind != Unexplained || i+1 == len(s.Items) || !Great(s.Catalogue, s.Tokens, it.At) {
			continue
		}
		if it.Kind = Best; i > 0 && s.Items[i-1].Kind == Per { // "по основным группам"
			s.Items[i-1].Kind, it.Kind = Best, Per
		}
	}
}

// Great reports whether the word at a token says that the greatest are meant of what stands behind it.
func Great(c *analysis.Catalogue, ts []token.Token, i int) bool {
	if !greatWords[ts[i].Stem] || ts[i].Kind != token.Word || ts[i].Use != token.Unused || i+1 == len(ts) ||
		i > 0 && placePrepositions[ts[i-1].Norm] {
		return false
	}
	e, _ := lexiconOf(c).at(ts, i+1)
	return e != nil && (e.kind == Dimension && e.id != "store" && e.id != "account" && e.id != "legal_entity" ||
		e.kind == Measure && e.id != "stock" && e.id != "average_receipt")
}

var (
	greatWords = token.Stems("основной основная основные основных главный главная главные главных ключевой ключевая " +
		"ключевые ключевых ведущий ведущие ведущих значимый значимые значимых весомый весомые весомых приоритетный " +
		"приоритетные крупный крупные крупных значительный значительные центральный топовый main key major principal " +
		"primary chief foremost core")
	placePrepositions = words.Set("на в во с со из от к ко у без кроме on at in from to of without except")
)
