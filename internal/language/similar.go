package language

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// code finds a text that is written as a code: an article, a barcode, or a name with digits.
func (m *matcher) code(codes map[string][]int, text string, also bool) ([]int, bool) {
	if !also && !token.HasDigit(text) {
		return nil, false
	}
	c := compact(text)
	at, ok := codes[c]
	return at, ok && (m.codeCounts(c, at) || m.written(text, at))
}

func firstRunes(s string, n int) string {
	k := 0
	for i := range s {
		if k == n {
			return s[:i]
		}
		k++
	}
	return s
}

// compact keeps the letters and digits of a code.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, words.Fold(s))
}

// codes returns the runs of the task without spaces, compacted, with their tokens.
func (m *matcher) codes() map[string][]int {
	out := map[string][]int{}
	for i := range m.ts {
		if m.ts[i].Use != token.Unused || m.ts[i].Kind == token.Mark {
			continue
		}
		if m.ts[i].Kind == token.Quoted {
			out[compact(m.ts[i].Raw)] = []int{i}
			continue
		}
		s, at := "", []int(nil)
		for j := i; j < len(m.ts) && j < i+12 && (j == i || m.ts[j].Glued) && m.ts[j].Use == token.Unused &&
			m.ts[j].Kind != token.Quoted; j++ {
			s += compact(m.ts[j].Raw)
			at = append(at, j)
			if m.ts[j].Kind != token.Mark && len(s) >= 2 {
				if _, ok := out[s]; !ok {
					out[s] = slices.Clone(at)
				}
			}
		}
	}
	return out
}

// written reports whether a code with a separator is in the task exactly so: 10-200.
func (m *matcher) written(code string, at []int) bool {
	if strings.Trim(code, "0123456789") == "" {
		return false
	}
	raw := ""
	for _, i := range at {
		raw += m.ts[i].Raw
	}
	return words.Fold(raw) == words.Fold(code)
}

// codeCounts reports whether a code found in the task is one, and not a year, an amount or an everyday word.
func (m *matcher) codeCounts(code string, at []int) bool {
	t := &m.ts[at[0]]
	if t.Kind == token.Quoted {
		return true
	}
	if !token.HasDigit(code) {
		return false
	}
	if strings.IndexFunc(code, unicode.IsLetter) >= 0 || len(code) >= 8 || code[0] == '0' {
		return true
	}
	for j := at[0] - 1; j >= 0 && j >= at[0]-2; j-- {
		if kindWords[m.ts[j].Norm] == connector.NameProduct {
			return true
		}
	}
	return false
}

// fuzzyWord returns the word of the name that token i may be a misspelling of.
func (m *matcher) fuzzyWord(w nameWords, i int, fuzzy bool) string {
	if !fuzzy || !m.unexplained(i) || m.ts[i].Kind != token.Word {
		return ""
	}
	t := &m.ts[i]
	for i, k := range w.core {
		n, f := len([]rune(k)), len([]rune(w.forms[i]))
		if n >= 5 && near(k, t.Stem) || f >= 5 && near(w.forms[i], t.Norm) || n >= 6 &&
			alike(k, t.Stem) >= typoLikeness {
			return k
		}
	}
	return ""
}

// alike returns the share of letter triples that two words have in common: the Dice coefficient, 0 to 1.
func alike(a, b string) float64 {
	x, y := trigrams(a), trigrams(b)
	shared := 0
	for g := range x {
		if y[g] {
			shared++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(len(x)+len(y))
}

func trigrams(s string) map[[3]rune]bool {
	rs := []rune(" " + s + " ")
	m := map[[3]rune]bool{}
	for i := 0; i+3 <= len(rs); i++ {
		m[[3]rune(rs[i:i+3])] = true
	}
	return m
}
