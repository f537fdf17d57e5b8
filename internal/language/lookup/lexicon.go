package lookup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
)

// entry is a phrase and what it means.
type entry struct {
	words   []string // stems
	forms   []string // as written in the lexicon
	meaning meaning
	id      string
	form    bool // only in the form of the lexicon
}

// phraseBook holds the phrases by their first stem: longest first, and those of one form before those of every form.
type phraseBook map[string][]entry

var stem = func(w string) string { return token.Stem(w, token.IsCyrillic(w)) }

var lexicon = func() phraseBook {
	x := phraseBook{}
	for _, l := range lists {
		for phrase := range strings.SplitSeq(l.phrases, ",") {
			x.add(strings.TrimSpace(phrase), entry{meaning: l.meaning, id: l.id})
		}
	}
	for first := range x {
		slices.SortStableFunc(x[first], func(a, b entry) int {
			if n := len(b.words) - len(a.words); n != 0 || a.form == b.form {
				return n
			}
			if a.form {
				return -1
			}
			return 1
		})
	}
	return x
}()

// add adds a phrase; one that begins with "=" counts only in that form.
func (x phraseBook) add(phrase string, e entry) {
	phrase, e.form = strings.CutPrefix(phrase, "=")
	for _, t := range token.Split(phrase) {
		if t.Kind != token.Mark {
			e.words, e.forms = append(e.words, t.StemOrNumber()), append(e.forms, t.Norm)
		}
	}
	if len(e.words) == 0 {
		panic(fmt.Sprintf("lookup: the phrase %q has no words", phrase))
	}
	x[e.words[0]] = append(x[e.words[0]], e)
}

// at returns the longest entry that begins at token i, and the token after it.
func (x phraseBook) at(ts []token.Token, i int) (*entry, int) {
	list := x[ts[i].StemOrNumber()]
	for k := range list {
		if end := list[k].matches(ts, i); end > 0 {
			return &list[k], end
		}
	}
	return nil, 0
}

// word returns the entry of a single word with a meaning; nil if there is none.
func (x phraseBook) word(t *token.Token, m meaning) *entry {
	list := x[t.StemOrNumber()]
	for k := range list {
		if e := &list[k]; e.meaning == m && len(e.words) == 1 && (!e.form || e.forms[0] == t.Norm) {
			return e
		}
	}
	return nil
}

// matches returns the token after the phrase, or 0.
func (e *entry) matches(ts []token.Token, i int) int {
	for k, w := range e.words {
		for k > 0 && i < len(ts) && ts[i].Kind == token.Mark && (ts[i].Norm == "-" || ts[i].Norm == "–") {
			i++
		}
		if i >= len(ts) || ts[i].Use != token.Unused || ts[i].Kind == token.Quoted || ts[i].StemOrNumber() != w ||
			e.form && ts[i].Norm != e.forms[k] {
			return 0
		}
		i++
	}
	return i
}

// isOne reports whether the first word of the phrase, a noun, is in the singular.
func (e *entry) isOne(ts []token.Token) bool {
	for _, t := range ts {
		if t.Kind != token.Word {
			continue
		}
		if t.Cyrillic {
			return !plural(t.Norm)
		}
		return !strings.HasSuffix(t.Norm, "s")
	}
	return false
}

// plural reports whether a Russian noun or adjective looks like a plural. "Отгрузки" is both: it counts as a plural.
func plural(w string) bool {
	for _, ending := range []string{"ы", "и", "ов", "ев", "ей", "ам", "ям", "ах", "ях", "ами", "ями", "ые", "ие", "ых",
		"их", "та", "ок"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return w == "счета" || w == "ордера"
}
