package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/words"
)

// maxTask is how much of a task is read, in bytes. No question is longer, and a pasted document must not take seconds.
const maxTask = 4000

// maxWord is the longest word that is read, in bytes. Longer ones are noise.
const maxWord = 120

type tokenKind uint8

const (
	word   tokenKind = iota // letters, perhaps with digits
	number                  // digits, perhaps with a decimal part
	quoted                  // everything between quotation marks, as one token
	mark                    // a character that means something: ? % , . : ! - / +
)

// use is what a token was read as. A token is used once.
type use uint8

const (
	unused use = iota
	asPeriod
	asNumber // an amount, a count, a percentage, with its unit
	asName
	asAccount
)

type token struct {
	kind       tokenKind
	raw        string // as written
	norm       string // lower case, ё as е, look-alike letters of the other alphabet put right
	stem       string
	start, end int  // bytes of the task
	cyrillic   bool // most letters are Cyrillic
	glued      bool // no space before it
	use        use
	typo       bool // norm was corrected to a word of the lexicon
}

// closing maps an opening quotation mark to those that close it.
var closing = map[rune]string{'«': "»", '“': "”\"", '„': "“”\"", '"': "\"”", '‹': "›"}

// tokenize splits a task. Text between quotation marks is one token whatever it contains.
func tokenize(s string) []token {
	if len(s) > maxTask {
		end := maxTask
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	var out []token
	end := 0 // of the last quoted text
	for w := range words.Scan(s) {
		if w.Start < end {
			continue
		}
		raw := s[w.Start:w.End]
		t := token{raw: raw, start: w.Start, end: w.End, glued: w.Glued}
		switch w.Kind {
		case words.Word:
			out = append(out, splitApostrophe(newWord(t))...)
			continue
		case words.Number:
			t.kind, t.norm = number, raw
		case words.Mark:
			inner, behind := insideQuotes(s[w.Start:])
			switch {
			case behind > 0:
				end = w.Start + behind
				if inner == "" {
					continue
				}
				t.kind, t.raw, t.norm, t.end = quoted, inner, words.Fold(inner), end
			case strings.Contains("?%,.:;!-/+№#&–—", raw):
				t.kind, t.norm = mark, words.Fold(raw)
			default:
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// insideQuotes returns the text between the quotation mark that s begins with and the closing one, and the offset
// after that; 0 when there is none.
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

func newWord(t token) token {
	t.norm, t.cyrillic = oneAlphabet(words.Fold(t.raw))
	if len(t.norm) > maxWord {
		t.norm = strings.ToValidUTF8(t.norm[:maxWord], "")
	}
	t.stem = stem(t.norm, t.cyrillic)
	return t
}

// splitApostrophe turns "haven't" into "have not" and drops the rest of English clitics.
func splitApostrophe(t token) []token {
	base, clitic, ok := strings.Cut(t.norm, "'")
	if !ok {
		if full, ok := contracted[t.norm]; ok {
			base, clitic = full, "t"
		} else {
			return []token{t}
		}
	} else if clitic == "t" {
		base = strings.TrimSuffix(base, "n")
	}
	t.norm = base
	t.stem = stem(base, t.cyrillic)
	if clitic != "t" {
		return []token{t}
	}
	not := t
	not.norm, not.stem = "not", "not"
	return []token{t, not}
}

var contracted = map[string]string{"dont": "do", "doesnt": "does", "didnt": "did", "hasnt": "has", "havent": "have",
	"isnt": "is", "arent": "are", "wasnt": "was"}

var (
	toCyrillic = strings.NewReplacer("a", "а", "b", "в", "c", "с", "e", "е", "h", "н", "k", "к", "m", "м", "o", "о",
		"p", "р", "t", "т", "x", "х", "y", "у", "u", "и", "i", "і")
	toLatin = strings.NewReplacer("а", "a", "в", "b", "с", "c", "е", "e", "н", "h", "к", "k", "м", "m", "о", "o",
		"р", "p", "т", "t", "х", "x", "у", "y")
)

// oneAlphabet repairs a word that mixes letters of two alphabets that look alike, toward the alphabet with more of
// them.
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

// stem returns the Snowball stem of a folded word.
func stem(w string, cyrillic bool) string {
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

func isCyrillic(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'а' && r <= 'я' })
}

// languageOf returns the language of most words. Text in quotes does not count.
func languageOf(ts []token, previous *Reading) stockhand.Language {
	ru, en := 0, 0
	for _, t := range ts {
		if t.kind != word || hasDigit(t.norm) {
			continue
		}
		if t.cyrillic {
			ru += 2
		} else if isCyrillic(translit.Replace(t.norm)) {
			en++
			if englishWords[t.norm] {
				en += 2
			}
		}
	}
	switch {
	case ru == 0 && en == 0 && previous != nil:
		return previous.Language
	case en > ru:
		return stockhand.English
	}
	return stockhand.Russian
}

var englishWords = words.Set("the is are what how which who do we of in for our much many show me my to on and at by from all list with have has did any")
