package cli

import (
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/table"
)

// style returns the style of a stream: none if it is not a terminal, or if NO_COLOR or TERM=dumb is set.
func (e *env) style(stream any) table.Style {
	_, ok := terminal(stream)
	return table.Style{On: ok && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"}
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
