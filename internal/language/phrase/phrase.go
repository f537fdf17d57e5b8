// Package phrase finds words and phrases in a task by what they mean. The notation of phrases is described in
// lexicon/ru.words.
package phrase

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Meaning is what a phrase means: a concept of the lexicon.
type Meaning uint8

// Index is a set of phrases by their first words. It must not change once it is used.
type Index struct {
	Open     [256]bool // phrases of these meanings hide no other phrase and are not hidden
	patterns []pattern
	exact    map[string][]int // first word of a pattern as it is written, to patterns
	stems    map[string][]int // first word of a pattern by its stem
	prefixes map[string][]int // first word of a pattern by its beginning
}

// New returns an empty index.
func New() *Index {
	return &Index{exact: map[string][]int{}, stems: map[string][]int{}, prefixes: map[string][]int{}}
}

// pattern is a word or phrase and its meaning.
type pattern struct {
	meaning Meaning
	words   []wordPattern
}

type wordPattern struct {
	text   string // a form, a stem or a prefix
	form   string // as the file has it
	match  matching
	gapped bool // up to two words may stand before it
}

// matching says what part of a word a pattern compares.
type matching uint8

const (
	byStem matching = iota
	byForm
	byPrefix
)

// parse reads the notation that lexicon/ru.words describes.
func parse(m Meaning, text string) pattern {
	p := pattern{meaning: m}
	gapped := false
	for _, t := range split(text) {
		if t == "_" {
			gapped = true
			continue
		}
		w := wordPattern{gapped: gapped, form: t}
		gapped = false
		switch {
		case strings.HasPrefix(t, "="):
			w.match, w.text = byForm, t[1:]
			w.form = w.text
		case strings.HasSuffix(t, "*"):
			w.match, w.text = byPrefix, strings.TrimSuffix(t, "*")
			w.form = w.text
		default:
			w.text = token.Stem(t, token.IsCyrillic(t))
		}
		p.words = append(p.words, w)
	}
	return p
}

// split splits a pattern as a task would be split, keeping the marks of the notation.
func split(s string) []string {
	s = words.Fold(s)
	s = strings.NewReplacer("-", " ", "/", " ", "'t", " not", "'s", "", "'ve", "").Replace(s)
	s = strings.ReplaceAll(s, "n not", " not") // haven't
	return strings.Fields(s)
}

func (p wordPattern) matches(t *token.Token) bool {
	if t.Kind == token.Number {
		return p.match == byStem && t.Norm == p.form
	}
	if t.Kind != token.Word || t.Use != token.Unused {
		return false
	}
	switch p.match {
	case byForm:
		return t.Norm == p.text
	case byPrefix:
		return strings.HasPrefix(t.Norm, p.text)
	default:
		return t.Norm == p.form || t.Stem == p.text
	}
}

// at returns the tokens that the pattern takes when its first word is token i, or nil.
func (p pattern) at(ts []token.Token, i int) []int {
	out := []int{i}
	for _, w := range p.words[1:] {
		gap := 0
		if w.gapped {
			gap = 2
		}
		j := out[len(out)-1] + 1
		for ; j < len(ts); j++ {
			if ts[j].Use == token.AsNumber || // "markup 40% on cost"
				ts[j].Kind == token.Mark && strings.Contains("-/+&", ts[j].Norm) {
				continue
			}
			if w.matches(&ts[j]) {
				break
			}
			if gap == 0 || ts[j].Kind == token.Mark {
				return nil
			}
			gap--
		}
		if j >= len(ts) {
			return nil
		}
		out = append(out, j)
	}
	return out
}

// Found is a phrase found in a task.
type Found struct {
	Meaning Meaning
	At      []int // tokens, in order
}

// Find returns the phrases in the unused tokens. A longer phrase hides the shorter ones inside it. Those of open
// meanings neither hide others nor are hidden.
func (x *Index) Find(ts []token.Token) []Found {
	var all []Found
	for i := range ts {
		if ts[i].Kind != token.Word || ts[i].Use != token.Unused {
			continue
		}
		x.eachFirst(&ts[i], func(p *pattern) {
			if at := p.at(ts, i); at != nil {
				all = append(all, Found{p.meaning, at})
			}
		})
	}
	longest := make([]int, len(ts)) // length of the longest phrase over each token
	for _, f := range all {
		if x.Open[f.Meaning] {
			continue
		}
		for _, i := range f.At {
			longest[i] = max(longest[i], len(f.At))
		}
	}
	return slices.DeleteFunc(all, func(f Found) bool {
		return !x.Open[f.Meaning] &&
			slices.ContainsFunc(f.At, func(i int) bool { return longest[i] > len(f.At) })
	})
}

// Add indexes a word or phrase. It returns its first word as the notation has it and how many words there are.
func (x *Index) Add(m Meaning, text string) (first string, count int) {
	p := parse(m, text)
	if len(p.words) == 0 {
		return "", 0
	}
	i := len(x.patterns)
	x.patterns = append(x.patterns, p)
	w := p.words[0]
	switch w.match {
	case byForm:
		x.exact[w.text] = append(x.exact[w.text], i)
	case byPrefix:
		x.prefixes[w.text] = append(x.prefixes[w.text], i)
	case byStem:
		x.exact[w.form] = append(x.exact[w.form], i)
		x.stems[w.text] = append(x.stems[w.text], i)
	}
	return w.form, len(p.words)
}

// eachFirst calls do with every pattern whose first word t matches.
func (x *Index) eachFirst(t *token.Token, do func(*pattern)) {
	for _, p := range x.exact[t.Norm] {
		do(&x.patterns[p])
	}
	for _, p := range x.stems[t.Stem] {
		if x.patterns[p].words[0].form != t.Norm { // found above
			do(&x.patterns[p])
		}
	}
	for i := range t.Norm {
		if i > 0 {
			for _, p := range x.prefixes[t.Norm[:i]] {
				do(&x.patterns[p])
			}
		}
	}
	for _, p := range x.prefixes[t.Norm] {
		do(&x.patterns[p])
	}
}

// Means calls do with the meaning of every phrase that is this token alone, and whether the phrase has that very form.
func (x *Index) Means(t *token.Token, do func(m Meaning, exact bool)) {
	x.eachFirst(t, func(p *pattern) {
		if len(p.words) == 1 {
			do(p.meaning, p.words[0].form == t.Norm)
		}
	})
}

// Begins reports whether a token begins a phrase.
func (x *Index) Begins(t *token.Token) bool {
	known := false
	x.eachFirst(t, func(*pattern) { known = true })
	return known
}
