package cli

import (
	"strings"

	"github.com/stockhand/stockhand"
)

// style adds terminal formatting to text; its zero value adds none.
type style struct{ on bool }

// style returns the style of a stream: none if it is not a terminal, or if NO_COLOR or TERM=dumb is set.
func (e *env) style(stream any) style {
	_, ok := terminal(stream)
	return style{ok && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"}
}

func (s style) bold(text string) string { return s.mark("1", text) }
func (s style) dim(text string) string  { return s.mark("2", text) }
func (s style) red(text string) string  { return s.mark("31", text) }

// mark formats each line separately, so that a pager can cut the text anywhere.
func (s style) mark(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "\x1b[" + code + "m" + line + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

// language returns the language of the user's environment, for texts before a task is read.
func (e *env) language() stockhand.Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := e.getenv(name); v != "" {
			if strings.HasPrefix(v, "ru") {
				return stockhand.Russian
			}
			break
		}
	}
	return stockhand.English
}

// usageWords translate the start of the parser's usage errors into Russian.
var usageWords = strings.NewReplacer(
	"unknown flag ", "неизвестный параметр ", "unexpected argument ", "лишний аргумент ", ", did you mean ",
	", может быть, ",
	"missing flags: ", "не указано: ", "expected one of ", "нужно одно из: ", "must be one of ",
	"должно быть одним из: ",
	" but got ", ", а не ", "missing value", "нет значения", "expected ", "нужно: ",
)

func usageError(err error, l stockhand.Language) string {
	if l == stockhand.Russian {
		return usageWords.Replace(err.Error())
	}
	return err.Error()
}
