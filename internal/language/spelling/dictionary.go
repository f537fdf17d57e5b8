// Package spelling corrects misspelt words of a task, before any reader of tasks reads it.
package spelling

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// The lists are generated; see package collect beside this one.
var (
	//go:embed known.txt
	knownText string
	//go:embed real.txt
	realText string
)

// Known returns the dictionary of all words that the readers of tasks know. It is built once.
var Known = sync.OnceValue(func() *Dictionary { return NewDictionary(lines(knownText), lines(realText)) })

// lines returns the lines of a list without its comments.
func lines(text string) (list []string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			list = append(list, l)
		}
	}
	return list
}

// Dictionary corrects words with one wrong letter: one missing, one too many, two swapped, one in place of another.
type Dictionary struct {
	forms  map[string]bool // words as they are written in the lists
	stems  map[string]bool // their stems
	starts map[string]bool // their first letters
	ends   map[string]bool // the endings that words have behind their stems
	real   []string        // other words of the language, which are no misspellings, sorted
}

// startLen is how many letters of a word are looked up first.
const startLen = 3

// commonEnding is how many of the words must have an ending, for others to be read with it.
const commonEnding = 3

// NewDictionary returns a dictionary of folded words. It leaves those in real alone, which must be sorted.
func NewDictionary(known, real []string) *Dictionary {
	d := &Dictionary{forms: map[string]bool{}, stems: map[string]bool{}, starts: map[string]bool{},
		ends: map[string]bool{"": true}, real: real}
	ends := map[string]int{}
	for _, w := range known {
		stem := token.StemOf(w)
		d.forms[w], d.stems[stem] = true, true
		if rs := []rune(w); len(rs) >= startLen {
			d.starts[string(rs[:startLen])] = true
		}
		if end, ok := strings.CutPrefix(w, stem); ok {
			ends[end]++
		}
	}
	for end, n := range ends {
		d.ends[end] = d.ends[end] || n >= commonEnding
	}
	return d
}

// Knows reports whether a folded word is spelt right: it is in the dictionary in some form, or another word of the
// language that looks like one.
func (d *Dictionary) Knows(w string) bool {
	_, real := slices.BinarySearch(d.real, w)
	return real || d.forms[w] || d.stems[token.StemOf(w)]
}

// Has reports whether a folded word is in the dictionary as it is written.
func (d *Dictionary) Has(w string) bool { return d.forms[w] }

// shortest is how many letters a word has that Correct corrects.
const shortest = 5

// Correct returns the word of the dictionary that a folded word is one wrong letter away from; empty if there is none,
// or if there are several that differ in more than their endings.
func (d *Dictionary) Correct(w string) string {
	rs := []rune(w)
	if len(rs) < shortest || len(rs) > 24 || d.Knows(w) {
		return ""
	}
	best, exact, several := "", false, false
	try := func(v []rune) {
		if len(v) < startLen || !d.starts[string(v[:startLen])] {
			return
		}
		text := string(v)
		form := d.forms[text]
		if !form && (len(rs) == shortest || !d.inflected(v)) || exact && !form {
			return
		}
		switch {
		case best == "" || form && !exact:
			best, exact, several = text, form, false
		case text != best && token.StemOf(text) != token.StemOf(best):
			several = true
		}
	}
	ways := []func([]rune, func([]rune)){slips, extras}
	if len(rs) > shortest {
		ways = append(ways, replacements)
	}
	for _, way := range ways { // the likelier first
		if way(rs, try); best != "" {
			break
		}
	}
	if several {
		return ""
	}
	return best
}

// Text returns a text with its misspelt words corrected, but for those that begin with a capital inside a sentence.
func (d *Dictionary) Text(text string) string {
	var b strings.Builder
	done := 0
	for x := range words.Scan(text) {
		raw := text[x.Start:x.End]
		if first, _ := utf8.DecodeRuneInString(raw); x.Kind != words.Word || x.Start > 0 && unicode.IsUpper(first) {
			continue
		}
		if w := d.Correct(words.Fold(raw)); w != "" {
			b.WriteString(text[done:x.Start] + w)
			done = x.End
		}
	}
	return b.String() + text[done:]
}

// inflected reports whether letters are a known stem with a common ending.
func (d *Dictionary) inflected(v []rune) bool {
	const longestEnding = 4
	for cut := len(v); cut >= max(shortest-1, len(v)-longestEnding); cut-- {
		stem := string(v[:cut])
		if d.stems[stem] && d.ends[string(v[cut:])] && token.StemOf(string(v)) == stem {
			return true
		}
	}
	return false
}

// slips tries what a word may be that has two letters swapped, one letter twice or too few, or one vowel for another
// that sounds like it.
func slips(rs []rune, try func([]rune)) {
	v := make([]rune, 0, len(rs)+1)
	for i := 0; i+1 < len(rs); i++ {
		v = append(v[:0], rs...)
		if v[i], v[i+1] = v[i+1], v[i]; v[i] == v[i+1] {
			v = append(v[:i], rs[i+1:]...)
		}
		try(v)
	}
	letters := lettersOf(rs[0])
	for i := 1; i <= len(rs); i++ {
		for _, l := range letters {
			v = append(append(append(v[:0], rs[:i]...), l), rs[i:]...)
			try(v)
		}
	}
	for i := range rs {
		for _, l := range likeSounding(rs[i]) {
			v = append(v[:0], rs...)
			v[i] = l
			try(v)
		}
	}
}

// extras tries what a word may be without one of its letters; the first is hardly ever wrong.
func extras(rs []rune, try func([]rune)) {
	v := make([]rune, 0, len(rs))
	for i := 1; i < len(rs); i++ {
		v = append(append(v[:0], rs[:i]...), rs[i+1:]...)
		try(v)
	}
}

// replacements tries what a word may be with another letter in place of one of its own.
func replacements(rs []rune, try func([]rune)) {
	letters := lettersOf(rs[0])
	v := make([]rune, len(rs))
	for i := 1; i < len(rs); i++ {
		for _, l := range letters {
			if l != rs[i] {
				copy(v, rs)
				v[i] = l
				try(v)
			}
		}
	}
}

const (
	russianLetters = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
	latinLetters   = "abcdefghijklmnopqrstuvwxyz"
)

func lettersOf(first rune) []rune {
	if first >= 'а' {
		return []rune(russianLetters)
	}
	return []rune(latinLetters)
}

// likeSounding returns the letters that are written for another because they sound alike.
func likeSounding(r rune) []rune {
	switch r {
	case 'а':
		return []rune("о")
	case 'о':
		return []rune("а")
	case 'е':
		return []rune("иэ")
	case 'и':
		return []rune("еы")
	case 'ы':
		return []rune("и")
	case 'э':
		return []rune("е")
	}
	return nil
}
