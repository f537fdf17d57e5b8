package compute

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, a quoted name, a number, a text or a mark of the SQL text.
type token struct {
	kind  tokenKind
	text  string // of a name or text without its quotes
	upper string // of a word in upper case, or a mark; empty for others
	at    int    // in the SQL text
	end   int
}

type tokenKind uint8

const (
	end tokenKind = iota
	word
	quotedName
	numeral
	literal
	mark
)

// marks are the operators, longest first.
var marks = []string{"||", "<=", ">=", "<>", "!=", "==", "(", ")", ",", ".", "+", "-", "*", "/", "%", "<", ">", "=",
	";"}

// lex splits a SQL text. Comments are dropped.
func lex(sql string) ([]token, error) {
	var out []token
	for at := 0; at < len(sql); {
		rest := sql[at:]
		r, size := utf8.DecodeRuneInString(rest)
		t := token{at: at}
		switch {
		case unicode.IsSpace(r):
			at += size
			continue
		case strings.HasPrefix(rest, "--"):
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				i = len(rest)
			}
			at += i
			continue
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest, "*/")
			if i < 0 {
				return nil, mistake("a comment has no end")
			}
			at += i + 2
			continue
		case r == '\'' || r == '"' || r == '`' || r == '[':
			text, size, err := quoted(rest, byte(r))
			if err != nil {
				return nil, err
			}
			t.text, at, t.kind = text, at+size, quotedName
			if r == '\'' {
				t.kind = literal
			}
		case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			size := numeralSize(rest)
			if r, _ := utf8.DecodeRuneInString(rest[size:]); r == '_' || unicode.IsLetter(r) {
				return nil, mistake("near %q: this is not a number", clip(rest))
			}
			t.kind, t.text, at = numeral, rest[:size], at+size
		case r == '_' || unicode.IsLetter(r):
			size := strings.IndexFunc(rest, func(r rune) bool {
				return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
			if size < 0 {
				size = len(rest)
			}
			t.kind, t.text, at = word, rest[:size], at+size
			t.upper = strings.ToUpper(t.text)
		default:
			for _, m := range marks {
				if strings.HasPrefix(rest, m) {
					t.kind, t.text, t.upper, at = mark, m, m, at+len(m)
					break
				}
			}
			if t.kind != mark {
				return nil, mistake("near %q: this is not part of the SQL that compute runs", string(r))
			}
		}
		t.end = at
		out = append(out, t)
	}
	return append(out, token{kind: end, at: len(sql), end: len(sql)}), nil
}

// quoted reads a quoted text or name; a doubled quote stands for itself.
func quoted(s string, open byte) (text string, size int, err error) {
	closing := open
	if open == '[' {
		closing = ']'
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == 0:
			return "", 0, mistake("a text contains a NUL character")
		case s[i] != closing:
			b.WriteByte(s[i])
		case open != '[' && i+1 < len(s) && s[i+1] == closing:
			b.WriteByte(closing)
			i++
		default:
			return b.String(), i + 1, nil
		}
	}
	return "", 0, mistake("a quote %c has no end", open)
}

// numeralSize returns the length of the number at the beginning of a text.
func numeralSize(s string) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	i := digits(0)
	if i < len(s) && s[i] == '.' {
		i = digits(i + 1)
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		sign := i + 1
		if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
			sign++
		}
		if j := digits(sign); j > sign {
			i = j
		}
	}
	return i
}

// name quotes an identifier.
func name(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// text quotes a text.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// describe names a token in an error.
func (t token) describe() string {
	if t.kind == end {
		return "the end"
	}
	if len(t.text) > 40 {
		return fmt.Sprintf("%q…", t.text[:40])
	}
	return fmt.Sprintf("%q", t.text)
}
