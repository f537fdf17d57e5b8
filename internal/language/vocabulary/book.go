package vocabulary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// Book holds phrases by their first stem, longest first. M is what a phrase means.
type Book[M any] map[string][]Phrase[M]

// Phrase is words with a meaning.
type Phrase[M any] struct {
	Meaning M
	Words   []string // stems
	Forms   []string // as written in the file
	Exact   bool     // only in these forms
}

// Add adds a phrase; one that begins with "=" counts only in that form. Sort has to follow.
func (b Book[M]) Add(phrase string, meaning M) error {
	p := Phrase[M]{Meaning: meaning}
	phrase, p.Exact = strings.CutPrefix(phrase, "=")
	for _, t := range token.Split(phrase) {
		if t.Kind != token.Mark {
			p.Words, p.Forms = append(p.Words, t.StemOrNumber()), append(p.Forms, t.Norm)
		}
	}
	if len(p.Words) == 0 {
		return fmt.Errorf("the phrase %q has no words", phrase)
	}
	b[p.Words[0]] = append(b[p.Words[0]], p)
	return nil
}

// Sort puts longer phrases first, and of equal ones those that count only in their form.
func (b Book[M]) Sort() {
	for first := range b {
		slices.SortStableFunc(b[first], func(x, y Phrase[M]) int {
			n := cmp.Compare(len(y.Words), len(x.Words))
			switch {
			case n != 0 || x.Exact == y.Exact:
				return n
			case x.Exact:
				return -1
			}
			return 1
		})
	}
}

// At returns the longest phrase that begins at token i, and the token after it. Of two with the same stems, such as
// "расход" of goods and "расходы" of money, the one in the form of the task counts.
func (b Book[M]) At(ts []token.Token, i int) (found *Phrase[M], end int) {
	list := b[ts[i].StemOrNumber()]
	for k := range list {
		p := &list[k]
		if found != nil && len(p.Words) < len(found.Words) {
			break
		}
		if n := p.matches(ts, i); n > 0 && (found == nil || p.isForm(ts, n) && !found.isForm(ts, n)) {
			found, end = p, n
		}
	}
	return found, end
}

// Word returns the phrase of a single word that satisfies a condition; nil if there is none.
func (b Book[M]) Word(t *token.Token, is func(M) bool) *Phrase[M] {
	list := b[t.StemOrNumber()]
	for k := range list {
		if p := &list[k]; len(p.Words) == 1 && (!p.Exact || p.Forms[0] == t.Norm) && is(p.Meaning) {
			return p
		}
	}
	return nil
}

// isForm reports whether the last word of the phrase, which ends before token end, is written as in the file.
func (p *Phrase[M]) isForm(ts []token.Token, end int) bool {
	return ts[end-1].Norm == p.Forms[len(p.Forms)-1]
}

// matches returns the token after the phrase, or 0.
func (p *Phrase[M]) matches(ts []token.Token, i int) int {
	for k, w := range p.Words {
		for k > 0 && i < len(ts) && ts[i].Kind == token.Mark && (ts[i].Norm == "-" || ts[i].Norm == "–") {
			i++
		}
		if i >= len(ts) || ts[i].Use != token.Unused || ts[i].Kind == token.Quoted || ts[i].StemOrNumber() != w ||
			p.Exact && ts[i].Norm != p.Forms[k] {
			return 0
		}
		i++
	}
	return i
}
