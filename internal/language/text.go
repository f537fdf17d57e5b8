package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
)

// maxTask is how much of a task is read, in bytes. Nobody asks in more; a pasted document must not cost seconds.
const maxTask = 4000

// maxWord is the longest word that is looked at, in bytes; longer ones are noise.
const maxWord = 120

type tokenKind uint8

const (
	word   tokenKind = iota // letters, perhaps with digits
	number                  // digits, perhaps with a decimal part
	quoted                  // everything between quotation marks, as one token
	mark                    // a character that means something: ? % , . : ! - / +
)

// use says what a token has been read as. A token is used once.
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

// normalize lowers, folds ё and maps the kinds of spaces and dashes to one of each.
func normalize(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'ё', 'Ё':
			return 'е'
		case '–', '—', '‑', '−', '‐':
			return '-'
		case '’', 'ʼ', '`', '‘':
			return '\''
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return unicode.ToLower(r)
	}, s)
}

// closing maps an opening quotation mark to those that close it.
var closing = map[rune]string{'«': "»", '“': "”\"", '„': "“”\"", '"': "\"”", '‹': "›"}

// tokenize splits a task. Text between quotation marks is one token whatever it holds.
func tokenize(s string) []token {
	if len(s) > maxTask {
		s = s[:maxTask]
		for len(s) > 0 && !utf8.ValidString(s[max(0, len(s)-4):]) && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
	}
	var out []token
	space := true
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if ends, ok := closing[r]; ok {
			if n := strings.IndexAny(s[i+size:], ends); n > 0 {
				inner := s[i+size : i+size+n]
				_, closer := utf8.DecodeRuneInString(s[i+size+n:])
				end := i + size + n + closer
				if strings.TrimSpace(inner) != "" {
					out = append(out, token{kind: quoted, raw: strings.TrimSpace(inner),
						norm: normalize(strings.TrimSpace(inner)), start: i, end: end, glued: !space})
				}
				i, space = end, false
				continue
			}
		}
		switch {
		case unicode.IsDigit(r):
			j := scanNumber(s, i)
			k := scanWord(s, j)
			if k > j && !unit[normalize(s[j:k])] { // a code such as 3М or 7up
				out = append(out, newWord(s, i, k, space))
				i = k
			} else {
				t := token{kind: number, raw: s[i:j], norm: s[i:j], start: i, end: j, glued: !space}
				out = append(out, t)
				i = j
				if k > j {
					out = append(out, newWord(s, j, k, false))
					i = k
				}
			}
			space = false
		case unicode.IsLetter(r):
			j := scanWord(s, i)
			out = append(out, splitApostrophe(newWord(s, i, j, space))...)
			i, space = j, false
		default:
			if strings.ContainsRune("?%,.:;!-/+№#&–—", r) {
				out = append(out, token{kind: mark, raw: s[i : i+size], norm: normalize(s[i : i+size]), start: i,
					end: i + size, glued: !space})
			}
			space = unicode.IsSpace(r)
			i += size
		}
	}
	return out
}

// unit holds the words that may be written against a number without a space.
var unit = set(`к k тыс млн м m шт р руб rub р ₽ д дн дня дней d day days wk w мес г гг й го я е ая ый ой ю th st nd rd
	кг л % kk кк q кв ч h pcs mln k`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func scanNumber(s string, i int) int {
	j := i
	for j < len(s) {
		r, size := utf8.DecodeRuneInString(s[j:])
		if unicode.IsDigit(r) {
			j += size
			continue
		}
		// A point or comma inside a number stays in it: 1,5 and 01.09.2026.
		if (r == '.' || r == ',') && j+1 < len(s) && s[j+1] >= '0' && s[j+1] <= '9' {
			j++
			continue
		}
		break
	}
	return j
}

func scanWord(s string, i int) int {
	j := i
	for j < len(s) {
		r, size := utf8.DecodeRuneInString(s[j:])
		apostrophe := (r == '\'' || r == '’' || r == 'ʼ') && j > i
		if apostrophe {
			next, _ := utf8.DecodeRuneInString(s[j+size:])
			apostrophe = unicode.IsLetter(next)
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && !unicode.Is(unicode.Mn, r) && !apostrophe {
			break
		}
		j += size
	}
	return j
}

func newWord(s string, i, j int, space bool) token {
	t := token{kind: word, raw: s[i:j], start: i, end: j, glued: !space}
	t.norm, t.cyrillic = oneAlphabet(normalize(t.raw))
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

// oneAlphabet repairs a word that mixes alphabets by the look of letters, toward the alphabet that has more of them.
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

// stem cuts a normalized word to its Snowball stem.
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
