package render

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
)

// Markdown is text to be rendered as Markdown. String constants convert implicitly; text known only at run time (a
// tool's answer, a notice, a name) does not compile as Markdown and must go through [Plain]. Use the conversion
// Markdown(s) only for text that cannot contain markup, such as our IDs, and for the output of [Sanitize].
type Markdown string

// Plain escapes plain text so that a user sees exactly its characters (rule R94): it escapes markup of Markdown and
// HTML, replaces line breaks by spaces, removes invisible characters, and prevents addresses from becoming links.
func Plain(s string) Markdown {
	s = strings.Map(stockhand.Visible, s)
	if strings.ContainsAny(s, `/.`) {
		words := strings.Split(s, " ")
		for i, w := range words {
			if strings.ContainsAny(w, `/.`) && address.MatchString(w) {
				words[i] = disarm(w)
			}
		}
		s = strings.Join(words, " ")
	}
	s = markup.Replace(s)
	if innerEscape.MatchString(s) {
		s = innerEscape.ReplaceAllString(s, "${1}_$2") // not markup within a word
		s = innerEscape.ReplaceAllString(s, "${1}_$2") // a_b_c: the first pass consumed the b
	}
	s = entity.ReplaceAllString(s, "&amp;$1")
	return Markdown(strings.ReplaceAll(block.ReplaceAllString(s, `\$1`), "<", "&lt;"))
}

// disarm changes a word's addresses so that no program turns them into links.
func disarm(word string) string {
	return strings.ReplaceAll(dot.ReplaceAllString(word, "[.]$1"), "://", "[://]")
}

var (
	markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~",
		`\~`)
	innerEscape = regexp.MustCompile(`([\p{L}\d])\\_([\p{L}\d])`)
	block       = regexp.MustCompile(`^(>|[#+-]+ )`) // starts a block at the start of a line
)

// format formats Markdown with %s verbs only.
func format(f Markdown, args ...Markdown) Markdown {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a
	}
	return Markdown(fmt.Sprintf(string(f), values...))
}

// number formats a count.
func number(n int64) Markdown { return Markdown(fmt.Sprint(n)) }

// pick returns the text in the language.
func pick(l stockhand.Language, ru, en Markdown) Markdown {
	return Markdown(l.Pick(string(ru), string(en)))
}

// join joins parts with a separator.
func join(parts []Markdown, separator string) Markdown {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(string(p))
	}
	return Markdown(b.String())
}

// plain escapes each of the texts.
func plain(all []string) []Markdown {
	out := make([]Markdown, len(all))
	for i, s := range all {
		out[i] = Plain(s)
	}
	return out
}

// Terminal returns Markdown as plain text: links with their addresses behind them, without the signs of bold text and
// the escapes of [Plain].
func Terminal(m string) string {
	m = markdownLink.ReplaceAllString(m, "$1$2 $3")
	m = bold.ReplaceAllString(m, "$1$2")
	return unescape.Replace(backslash.ReplaceAllString(m, "$1"))
}

var (
	markdownLink = regexp.MustCompile(`(^|[^\\!])\[((?:[^\[\]\\]|\\.)+)\]\((https?://[^\s()]+)\)`)
	bold         = regexp.MustCompile(`(^|[^\\*])\*\*((?:[^*\\\n]|\\.)+)\*\*`)

	backslash = regexp.MustCompile("\\\\([\\\\`*_\\[\\]|~>#+-])")
	unescape  = strings.NewReplacer("&lt;", "<", "&amp;", "&")
)
