// Package token splits a task into tokens for the reader (package language).
package token

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"

	"github.com/stockhand/stockhand/internal/words"
)

// MaxTask is the number of bytes of a task that are read. No task is longer, and a pasted document must not take
// seconds.
const MaxTask = 4000

// maxWord is the maximum length of a word in bytes. Longer words are ignored.
const maxWord = 120

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota // letters, perhaps with digits
	Number             // digits, perhaps with a decimal part
	Quoted             // the text between quotation marks
	Mark               // a significant character: ? % , . : ! - / +
)

// Use is what a token was read as. Each token has at most one use.
type Use uint8

// The uses of tokens.
const (
	Unused Use = iota
	AsPeriod
	AsNumber // an amount, a count, a percentage, with its unit
	AsName
	AsAccount
)

// Token is a word, number, quoted text or mark in a task.
type Token struct {
	Kind       Kind
	Raw        string // as written
	Norm       string // lower case, ё as е, look-alike letters of the other alphabet replaced
	Stem       string
	Start, End int  // bytes of the task
	Cyrillic   bool // most letters are Cyrillic
	Glued      bool // no space before it
	Use        Use
	Typo       bool // Norm was corrected to a word of the lexicon
}

// Punctuation reports whether a token says nothing by itself: a mark that is no sign of a unit, sum or comparison.
func (t Token) Punctuation() bool {
	return t.Kind == Mark && !strings.ContainsAny(t.Norm, "%$€₽<>=≤≥+")
}

// closing maps an opening quotation mark to its closing marks.
var closing = map[rune]string{'«': "»", '“': "”\"", '„': "“”\"", '"': "\"”", '‹': "›"}

// Split splits a task into tokens. Text between quotation marks is always one token.
func Split(s string) []Token {
	if len(s) > MaxTask {
		end := MaxTask
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	var out []Token
	end := 0 // of the last quoted text
	for w := range words.Scan(s) {
		if w.Start < end {
			continue
		}
		raw := s[w.Start:w.End]
		t := Token{Raw: raw, Start: w.Start, End: w.End, Glued: w.Glued}
		switch w.Kind {
		case words.Word:
			out = append(out, splitApostrophe(newWord(t))...)
			continue
		case words.Number:
			t.Kind, t.Norm = Number, raw
		case words.Mark:
			inner, behind := insideQuotes(s[w.Start:])
			switch {
			case behind > 0:
				end = w.Start + behind
				if inner == "" {
					continue
				}
				t.Kind, t.Raw, t.Norm, t.End = Quoted, inner, words.Fold(inner), end
			case strings.Contains("?%,.:;!-/+№#&–—₽$€¥£₸", raw), Compares(raw):
				t.Kind, t.Norm = Mark, words.Fold(raw)
			default:
				continue
			}
		}
		out = append(out, t)
	}
	return dozens(shortened(comparisons(out)), s)
}

// dozens turns "half a dozen", "a dozen" and "a couple of" into the numbers that they are.
func dozens(ts []Token, s string) []Token {
	norm := func(i int) string {
		if i < 0 || i >= len(ts) || ts[i].Kind == Quoted {
			return ""
		}
		return ts[i].Norm
	}
	for i := 0; i < len(ts); i++ {
		from, to, n := i, i+1, ""
		switch norm(i) {
		case "dozen":
			switch n = "12"; {
			case norm(i-1) == "half":
				from, n = i-1, "6"
			case norm(i-1) == "a" && norm(i-2) == "half":
				from, n = i-2, "6"
			case norm(i-1) == "a" || norm(i-1) == "one":
				from = i - 1
			case norm(i-1) == "two" || norm(i-1) == "2":
				from, n = i-1, "24"
			case norm(i-1) == "three" || norm(i-1) == "3":
				from, n = i-1, "36"
			}
		case "couple":
			if norm(i-1) != "a" || norm(i+1) != "of" {
				continue
			}
			from, to, n = i-1, i+2, "2"
		default:
			continue
		}
		t := Token{Kind: Number, Raw: s[ts[from].Start:ts[to-1].End], Norm: n, Start: ts[from].Start, End: ts[to-1].End}
		ts = append(ts[:from], append([]Token{t}, ts[to:]...)...)
		i = from
	}
	return ts
}

// insideQuotes returns the text between the quotation mark at the start of s and the closing one, and the offset behind
// it, or 0 if there is no closing mark.
func insideQuotes(s string) (inner string, behind int) {
	opening, size := utf8.DecodeRuneInString(s)
	ends, ok := closing[opening]
	if !ok {
		return "", 0
	}
	n := strings.IndexAny(s[size:], ends)
	if n <= 0 {
		return "", 0
	}
	_, closer := utf8.DecodeRuneInString(s[size+n:])
	return strings.TrimSpace(s[size : size+n]), size + n + closer
}

// Normal returns a word in the form of [Token.Norm], and whether it is Cyrillic.
func Normal(raw string) (norm string, cyrillic bool) {
	norm, cyrillic = oneAlphabet(words.Fold(raw))
	if len(norm) > maxWord {
		norm = strings.ToValidUTF8(norm[:maxWord], "")
	}
	return norm, cyrillic
}

func newWord(t Token) Token {
	t.Norm, t.Cyrillic = Normal(t.Raw)
	t.Stem = Stem(t.Norm, t.Cyrillic)
	return t
}

// splitApostrophe turns "haven't" into "have not" and drops the rest of English clitics.
func splitApostrophe(t Token) []Token {
	base, clitic, ok := strings.Cut(t.Norm, "'")
	if !ok {
		if full, ok := contracted[t.Norm]; ok {
			base, clitic = full, "t"
		} else if full, ok := runTogether[t.Norm]; ok {
			base = full
		} else {
			return []Token{t}
		}
	} else if clitic == "t" {
		base = strings.TrimSuffix(base, "n")
	}
	t.Norm = base
	t.Stem = Stem(base, t.Cyrillic)
	if clitic != "t" {
		return []Token{t}
	}
	not := t
	not.Norm, not.Stem, not.Start = "not", "not", t.End // the tokens do not overlap
	return []Token{t, not}
}

var (
	toCyrillic = strings.NewReplacer("a", "а", "b", "в", "c", "с", "e", "е", "h", "н", "k", "к", "m", "м", "o", "о",
		"p", "р", "t", "т", "x", "х", "y", "у", "u", "и", "i", "і")
	toLatin = strings.NewReplacer("а", "a", "в", "b", "с", "c", "е", "e", "н", "h", "к", "k", "м", "m", "о", "o",
		"р", "p", "т", "t", "х", "x", "у", "y")
)

// oneAlphabet replaces look-alike letters in a word that mixes alphabets, in favour of the more frequent alphabet.
func oneAlphabet(w string) (string, bool) {
	cyr, lat := 0, 0
	for _, r := range w {
		switch {
		case unicode.Is(unicode.Cyrillic, r):
			cyr++
		case r >= 'a' && r <= 'z':
			lat++
		}
	}
	switch {
	case cyr == 0 || lat == 0:
		return w, cyr > 0
	case cyr >= lat:
		return toCyrillic.Replace(w), true
	default:
		return toLatin.Replace(w), false
	}
}

// StemOf returns the Snowball stem of a folded word in its alphabet.
func StemOf(w string) string { return Stem(w, IsCyrillic(w)) }

// Stems returns the set of stems of words with spaces between them.
func Stems(of string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(of) {
		set[StemOf(w)] = true
	}
	return set
}

// Stem returns the Snowball stem of a folded word.
func Stem(w string, cyrillic bool) string {
	if len(w) < 3 {
		return w
	}
	env := snowballstem.NewEnv(w)
	if cyrillic {
		russian.Stem(env)
	} else {
		english.Stem(env)
	}
	return env.Current()
}

// IsCyrillic reports whether a folded text has a Russian letter.
func IsCyrillic(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'а' && r <= 'я' })
}

// StemOrNumber returns the stem of a word, and the normalized text of any other token.
func (t *Token) StemOrNumber() string {
	if t.Kind == Word {
		return t.Stem
	}
	return t.Norm
}

// HasDigit reports whether a text has a digit.
func HasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
