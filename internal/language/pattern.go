package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// pattern is a word or phrase that means a concept.
type pattern struct {
	concept concept
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

// parsePattern reads the notation that lexicon/ru.words describes.
func parsePattern(c concept, text string) pattern {
	p := pattern{concept: c}
	gapped := false
	for _, t := range patternWords(text) {
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

// patternWords splits a pattern as a task would be split, keeping the marks of the notation.
func patternWords(s string) []string {
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

// found is a pattern found in a task.
type found struct {
	concept concept
	at      []int // tokens, in order
}

// find returns the concepts of the unused tokens. A longer phrase hides the shorter patterns inside it. Open
// concepts neither hide others nor are hidden.
func (x *lexicon) find(ts []token.Token) []found {
	var all []found
	for i := range ts {
		if ts[i].Kind != token.Word || ts[i].Use != token.Unused {
			continue
		}
		x.eachFirst(&ts[i], func(p int) {
			if at := x.patterns[p].at(ts, i); at != nil {
				all = append(all, found{x.patterns[p].concept, at})
			}
		})
	}
	longest := make([]int, len(ts)) // length of the longest phrase over each token
	for _, f := range all {
		if x.open[f.concept] {
			continue
		}
		for _, i := range f.at {
			longest[i] = max(longest[i], len(f.at))
		}
	}
	return slices.DeleteFunc(all, func(f found) bool {
		return !x.open[f.concept] &&
			slices.ContainsFunc(f.at, func(i int) bool { return longest[i] > len(f.at) })
	})
}
