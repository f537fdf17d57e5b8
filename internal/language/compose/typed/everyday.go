package typed

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
)

// Everyday marks the tokens that mean something in queries: function words, and the words of measures, dimensions,
// conditions and comparisons. They are no names by themselves.
func Everyday(c *analysis.Catalogue, ts []token.Token, marks []bool) {
	x := lexiconOf(c)
	for i := 0; i < len(ts); i++ {
		t := &ts[i]
		if t.Use != token.Unused || t.Kind != token.Word {
			continue
		}
		if x.function[t.Norm] || x.function[t.Stem] {
			marks[i] = true
		}
		if c, ok := quantity.ClockAt(ts, i); ok { // "по вечерам"
			for k := i; k < c.End; k++ {
				marks[k] = true
			}
		}
		if e, end := x.at(ts, i); e != nil {
			for ; i < end; i++ {
				marks[i] = true
			}
			i--
		}
	}
}

// Harmless reports whether a word says nothing in any context.
func Harmless(c *analysis.Catalogue, t *token.Token) bool {
	x := lexiconOf(c)
	return x.function[t.Norm] || t.Kind == token.Word && x.function[t.Stem]
}

// Known reports whether the word at a token begins a phrase that means something in questions.
func Known(c *analysis.Catalogue, ts []token.Token, i int) bool {
	e, _ := lexiconOf(c).at(ts, i)
	return e != nil && e.kind != Unexplained
}
