package render

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
)

// longestWord is how many bytes a [Filter] holds back at most. It splits longer words.
const longestWord = 2 << 10

// ownPath is the prefix of links to this service.
const ownPath = "/api/v1/"

// Filter makes a model's text safe to show while it is written (rule R76). Its output makes no client program fetch
// anything, or open a foreign address on a click, because an address can carry the account's figures to someone else's
// server.
//
//   - Images, reference definitions and HTML become plain text.
//   - Links are kept if they lead to an allowed address or to a path of this service; others show their target.
//   - Foreign addresses, with or without a scheme, are written so that no program links them: evil[.]example.
//   - Characters that are invisible or change the direction of others are removed.
//   - Words that would confirm a draft, offered for the reader to say, are removed: write "…" to go on (rule R97).
//
// It works word by word and holds back the last one. The result does not depend on how the text is split: the outputs
// together equal [Sanitize] of the whole text.
type Filter struct {
	allowed []string
	word    []byte
	invites bool // the words before are "write", "say yes," or the like
}

// NewFilter allows links to addresses with one of these prefixes, such as "https://online.moysklad.ru".
func NewFilter(allowed ...string) *Filter { return &Filter{allowed: allowed} }

// Sanitize passes a complete text through a [Filter].
func Sanitize(text string, allowed ...string) Markdown {
	f := NewFilter(allowed...)
	return Markdown(f.Add(text) + f.Close())
}

// Add processes the next piece of the text and returns what is safe so far.
func (f *Filter) Add(piece string) string {
	var out strings.Builder
	for i := range len(piece) {
		b := piece[i]
		if b == ' ' || b == '\n' || b == '\t' || b == '\r' {
			out.WriteString(f.Close())
			out.WriteByte(b)
			continue
		}
		if n := len(f.word); n >= longestWord && utf8.RuneStart(b) || n >= longestWord+utf8.UTFMax {
			out.WriteString(f.Close())
			out.WriteByte(' ')
		}
		f.word = append(f.word, b)
	}
	return out.String()
}

// Close returns the word held back.
func (f *Filter) Close() string {
	if len(f.word) == 0 {
		return ""
	}
	w := f.uninviting(f.safe(string(f.word)))
	f.word = f.word[:0]
	return w
}

var (
	inviting = regexp.MustCompile(`(?i)^(?:(?:напиши|ответь|скажи|введи|отправь|набери|напечатай)(?:те)?|` +
		`write|say|type|reply|answer|send|enter|respond)$`)
	confirming = regexp.MustCompile(`(?i)^(?:подтвер(?:ждаю|ждаем|ди|дить)|confirm|confirmed)$`)
	agreeing   = regexp.MustCompile(`(?i)^(?:да|yes)$`)
	linking    = regexp.MustCompile(`(?i)^(?:да|я|слово|yes|i|just|the|word)$`) // between "write" and the word
	ownWord    = regexp.MustCompile(`(?i)^подтвержда(?:ю|ем)$`)                 // only the person says it
)

// uninviting leaves a word out that the reader is invited to say and that would confirm a draft: one in quotation marks
// or emphasised, one after "write" (there "yes" as well), and "подтверждаю" anywhere.
func (f *Filter) uninviting(w string) string {
	bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(bare) > 30 {
		bare = "" // none of the words is so long
	}
	invited := f.invites
	f.invites = inviting.MatchString(bare) || invited && linking.MatchString(bare)
	rest := strings.Replace(w, bare, "", 1)
	marked := strings.ContainsAny(rest, "\"'`*_«»“”„")
	if ownWord.MatchString(bare) || confirming.MatchString(bare) && (marked || invited) ||
		agreeing.MatchString(bare) && invited {
		return strings.Replace(w, bare, "…", 1)
	}
	return w
}

var (
	// a scheme, "www.", a host name followed by a path, query or port, or a host name of three labels
	address = regexp.MustCompile(`(?i)://|www\.|[\p{L}\d]\.[\p{L}][\p{L}\d-]+(?:/|[?#]\S|:\d)|` +
		`[a-z\d]\.[a-z\d-]*[a-z][a-z\d-]*\.[a-z][a-z\d-]*[a-z\d](?:[^a-z\d]|$)`)
	dot = regexp.MustCompile(`\.([\p{L}\d])`)
	// Markdown reads it as the character, so it could hide an address
	escape  = regexp.MustCompile(`\\+([:/]|\.[\p{L}\d])`)
	entity  = regexp.MustCompile(`&(#?[\p{L}\d]+;)`)
	picture = regexp.MustCompile(`!+\[`)
	tag     = regexp.MustCompile(`<([A-Za-z/!?])`)
)

// plainEntities are HTML entities that cannot be part of an address.
var plainEntities = map[string]bool{"lt;": true, "gt;": true, "amp;": true, "quot;": true, "nbsp;": true}

// safe rewrites one word.
func (f *Filter) safe(w string) string {
	w = strings.Map(stockhand.Visible, w)
	if !strings.ContainsAny(w, `<[]&\/.`) {
		return w
	}
	w = escape.ReplaceAllString(w, "$1")
	w = entity.ReplaceAllStringFunc(w, func(e string) string {
		if plainEntities[e[1:]] {
			return e
		}
		return "&amp;" + e[1:]
	})
	if address.MatchString(f.foreign(w)) {
		w = disarm(w)
	}
	w = f.links(w)
	w = picture.ReplaceAllString(w, "[")
	w = strings.ReplaceAll(w, "]:", "] :")
	return tag.ReplaceAllString(w, "&lt;$1")
}

// foreign returns the word without allowed addresses.
func (f *Filter) foreign(w string) string {
	if !strings.Contains(w, "://") {
		return w
	}
	var rest strings.Builder
	for w != "" {
		if n := f.allowedPrefix(w); n > 0 {
			rest.WriteByte(' ')
			w = w[n:]
			continue
		}
		_, n := utf8.DecodeRuneInString(w)
		rest.WriteString(w[:n])
		w = w[n:]
	}
	return rest.String()
}

// links breaks links that lead anywhere but to an allowed address or a path of this service.
func (f *Filter) links(w string) string {
	parts := strings.Split(w, "](")
	for i := 1; i < len(parts); i++ {
		n := f.allowedPrefix(parts[i])
		if n == 0 && strings.HasPrefix(parts[i], ownPath) {
			n = pathLength(parts[i])
		}
		if n > 0 && strings.HasPrefix(parts[i][n:], ")") {
			parts[i] = "](" + parts[i]
		} else {
			parts[i] = "] (" + parts[i]
		}
	}
	return strings.Join(parts, "")
}

// allowedPrefix returns the length in bytes of the allowed address that a text starts with, or 0.
func (f *Filter) allowedPrefix(s string) int {
	for _, base := range f.allowed {
		path, ok := strings.CutPrefix(s, base)
		if !ok || base == "" {
			continue
		}
		if n := pathLength(path); n > 0 {
			return len(base) + n
		}
		if r, _ := utf8.DecodeRuneInString(path); path == "" || strings.ContainsRune(`)>]"'»”,;!*`, r) {
			return len(base)
		}
	}
	return 0
}

// pathLength returns the length in bytes of the path that a text starts with: plain characters, without empty segments
// and "..", which could lead elsewhere.
func pathLength(s string) int {
	if !strings.HasPrefix(s, "/") {
		return 0
	}
	n := strings.IndexFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!strings.ContainsRune("/#?=&_.%~+-:", r)
	})
	if n < 0 {
		n = len(s)
	}
	if path := s[:n]; strings.Contains(path, "//") || strings.Contains(path, "..") || strings.Contains(path, ":/") {
		return 0
	}
	return n
}
