// Package words splits Russian and English text into words and numbers, and recognizes numerals, months, units,
// currencies and legal forms of companies.
//
// Package language uses it for users' tasks, package grounding for a model's answers. Both must agree on what a word
// and a number is; otherwise one finds a name that the other misses.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. White space is not a token.
const (
	Word   Kind = iota // letters, perhaps with digits: "чай", "3М", "haven't"
	Number             // digits, perhaps with points and commas inside: 5, 1,234.56, 01.09.2026
	Mark               // any other character
)

// Token is a piece of a text.
type Token struct {
	Kind       Kind
	Start, End int  // bytes of the text
	Glued      bool // no space before it
}

// Scan splits a text into tokens. A number directly followed by a unit ("10шт") is two tokens; a code ("3М-200") starts
// with a word.
func Scan(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		glued := false
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			t := Token{Kind: Mark, Start: i, End: i + size, Glued: glued}
			switch {
			case unicode.IsSpace(r):
				glued = false
				i = t.End
				continue
			case unicode.IsDigit(r):
				t.Kind, t.End = Number, numberEnd(text, i)
				if end := wordEnd(text, t.End); end > t.End && !attached[Fold(text[t.End:end])] {
					t.Kind, t.End = Word, end
				}
			case unicode.IsLetter(r):
				t.Kind, t.End = Word, wordEnd(text, i)
			}
			if !yield(t) {
				return
			}
			glued = true
			i = t.End
		}
	}
}

// attached are the words that may follow digits without a space.
var attached = Set(`к k тыс млн м m шт р руб rub ₽ д дн дня дней d day days wk w мес г гг й го я е ая ый ой ю th st nd
	rd кг л kk кк q кв ч h pcs mln`)

// numberEnd returns the end of the number at i. A point or comma between digits is part of it.
func numberEnd(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsDigit(r):
			i += size
		case (r == '.' || r == ',') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			i++
		default:
			return i
		}
	}
	return i
}

// wordEnd returns the end of the word at i. An apostrophe or underscore between its letters is part of it.
func wordEnd(text string, i int) int {
	start := i
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r):
		case i > start && (r == '\'' || r == '’' || r == 'ʼ' || r == '_'):
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			if !unicode.IsLetter(next) && (r != '_' || !unicode.IsDigit(next)) {
				return i
			}
		default:
			return i
		}
		i += size
	}
	return i
}

// Fold normalizes text for comparison: lower case, ё as е, and a single form of dash, apostrophe and space.
func Fold(s string) string { return strings.Map(foldRune, s) }

// AppendFold appends the folded form of s to buf.
func AppendFold(buf []byte, s string) []byte {
	for _, r := range s {
		buf = utf8.AppendRune(buf, foldRune(r))
	}
	return buf
}

func foldRune(r rune) rune {
	switch {
	case r >= 'а' && r <= 'я' || r >= 'a' && r <= 'z':
		return r
	case r >= 'А' && r <= 'Я':
		return r + 'а' - 'А'
	case r == 'ё' || r == 'Ё':
		return 'е'
	}
	switch r {
	case '–', '—', '‑', '−', '‐':
		return '-'
	case '’', 'ʼ', '`', '‘':
		return '\''
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	return unicode.ToLower(r)
}

// Set returns the set of words in a space-separated list.
func Set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// Table returns a map from each word of the space-separated lists to its list's key.
func Table[K comparable](lists map[K]string) map[string]K {
	m := map[string]K{}
	for k, list := range lists {
		for w := range strings.FieldsSeq(list) {
			m[w] = k
		}
	}
	return m
}

var legalForms = Set("ооо оао пао зао ао ип тоо чп нпо тд тк гк ltd llc inc gmbh co corp plc")

// IsLegalForm reports whether a folded word is the legal form of a company, which is often omitted from its name.
func IsLegalForm[T string | []byte](word T) bool { return legalForms[string(word)] }
