package compose

import (
	"github.com/stockhand/stockhand/internal/analysis"
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
		if e, end := x.at(ts, i); e != nil {
			for ; i < end; i++ {
				marks[i] = true
			}
			i--
		}
	}
}
