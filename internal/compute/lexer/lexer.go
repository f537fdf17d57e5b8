// Package lexer splits SQL texts into tokens.
package lexer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a word, a quoted name, a number, a text or a mark of the SQL text.
type Token struct {
	Kind  Kind
	Text  string // of a name or text without its quotes
	Upper string // of a word in upper case, or a mark; empty for others
	At    int    // in the SQL text
	End   int
}

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End Kind = iota
	Word
	QuotedName
	Numeral
	Literal
	Mark
)

// marks are the operators, longest first.
var marks = []string{"||", "<=", ">=", "<>", "!=", "==", "(", ")", ",", ".", "+", "-", "*", "/", "%", "<", ">", "=",
	";"}

// Split splits a SQL text. Comments are dropped. The last token is [End].
func Split(sql string) ([]Token, error) {
	var out []Token
	for at := 0; at < len(sql); {
		rest := sql[at:]
		r, size := utf8.DecodeRuneInString(rest)
		t := Token{At: at}
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
				return nil, fmt.Errorf("a comment has no end")
			}
			at += i + 2
			continue
		case r == '\'' || r == '"' || r == '`' || r == '[':
			text, size, err := quoted(rest, byte(r))
			if err != nil {
				return nil, err
			}
			t.Text, at, t.Kind = text, at+size, QuotedName
			if r == '\'' {
				t.Kind = Literal
			}
		case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			size := numeralSize(rest)
			if r, _ := utf8.DecodeRuneInString(rest[size:]); r == '_' || unicode.IsLetter(r) {
				return nil, fmt.Errorf("near %.40q: this is not a number", rest)
			}
			t.Kind, t.Text, at = Numeral, rest[:size], at+size
		case r == '_' || unicode.IsLetter(r):
			size := strings.IndexFunc(rest, func(r rune) bool {
				return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
			})
			if size < 0 {
				size = len(rest)
			}
			t.Kind, t.Text, at = Word, rest[:size], at+size
			t.Upper = strings.ToUpper(t.Text)
		default:
			for _, m := range marks {
				if strings.HasPrefix(rest, m) {
					t.Kind, t.Text, t.Upper, at = Mark, m, m, at+len(m)
					break
				}
			}
			if t.Kind != Mark {
				return nil, fmt.Errorf("near %q: this is not part of the SQL that compute runs", string(r))
			}
		}
		t.End = at
		out = append(out, t)
	}
	return append(out, Token{Kind: End, At: len(sql), End: len(sql)}), nil
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
			return "", 0, fmt.Errorf("a text contains a NUL character")
		case s[i] != closing:
			b.WriteByte(s[i])
		case open != '[' && i+1 < len(s) && s[i+1] == closing:
			b.WriteByte(closing)
			i++
		default:
			return b.String(), i + 1, nil
		}
	}
	return "", 0, fmt.Errorf("a quote %c has no end", open)
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

// Name quotes an identifier.
func Name(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Text quotes a text.
func Text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Describe names a token in an error.
func (t Token) Describe() string {
	if t.Kind == End {
		return "the end"
	}
	if len(t.Text) > 40 {
		return fmt.Sprintf("%q…", t.Text[:40])
	}
	return fmt.Sprintf("%q", t.Text)
}
