package render

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
)

// Markdown is text as a chat program renders it. A constant is Markdown by itself; a text that is known only at run time
// (a tool's sentence, a notice, a name) does not compile where Markdown is wanted and goes through [Plain]. The
// conversion Markdown(s) is for text that cannot hold markup, such as our own ids, and for what [Sanitize] has checked.
type Markdown string

// Plain writes plain text so that a person sees exactly its characters (rule R94): what Markdown and HTML would read as
// markup is escaped, line breaks become spaces, invisible characters are left out, and no address becomes a link.
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
		s = innerEscape.ReplaceAllString(s, "${1}_$2") // in the middle of a word it is no markup
		s = innerEscape.ReplaceAllString(s, "${1}_$2") // a_b_c: the first pass took the b
	}
	s = entity.ReplaceAllString(s, "&amp;$1")
	return Markdown(strings.ReplaceAll(block.ReplaceAllString(s, `\$1`), "<", "&lt;"))
}

// disarm writes a word's addresses so that no program makes links of them.
func disarm(word string) string {
	return strings.ReplaceAll(dot.ReplaceAllString(word, "[.]$1"), "://", "[://]")
}

var (
	markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~",
		`\~`)
	innerEscape = regexp.MustCompile(`([\p{L}\d])\\_([\p{L}\d])`)
	block       = regexp.MustCompile(`^(>|[#+-]+ )`) // what begins a block at the beginning of a line
)

// format fills the verbs of a format, all of them %s.
func format(f Markdown, args ...Markdown) Markdown {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a
	}
	return Markdown(fmt.Sprintf(string(f), values...))
}

// number writes a count.
func number(n int64) Markdown { return Markdown(fmt.Sprint(n)) }

// pick chooses between two languages.
func pick(l stockhand.Language, ru, en Markdown) Markdown {
	return Markdown(l.Pick(string(ru), string(en)))
}

// join puts parts together.
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

// plain escapes each of some texts.
func plain(all []string) []Markdown {
	out := make([]Markdown, len(all))
	for i, s := range all {
		out[i] = Plain(s)
	}
	return out
}

// Terminal takes the escapes of [Plain] back, for where Markdown is shown as it is.
func Terminal(m string) string {
	return unescape.Replace(backslash.ReplaceAllString(m, "$1"))
}

var (
	backslash = regexp.MustCompile("\\\\([\\\\`*_\\[\\]|~>#+-])")
	unescape  = strings.NewReplacer("&lt;", "<", "&amp;", "&")
)
