package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/stockhand/stockhand"
)

// Error says what is wrong with the arguments.
type Error struct{ ru, en string }

func wrong(ru, en string, args ...any) *Error {
	return &Error{ru: fmt.Sprintf(ru, args...), en: fmt.Sprintf(en, args...)}
}

func (e *Error) Error() string { return e.en }

// In returns the error in a language.
func (e *Error) In(l stockhand.Language) string { return l.Pick(e.ru, e.en) }

// instead adds the names that were probably meant by a misspelt one.
func (e *Error) instead(name string, all []string) *Error {
	near := filter(all, func(s string) bool {
		return strings.HasPrefix(s, name) || distance(s, name) <= 1+len(name)/6
	})
	if len(near) == 0 {
		return e
	}
	return &Error{ru: e.ru + ", может быть, " + strings.Join(near, " или ") + "?",
		en: e.en + ", did you mean " + strings.Join(near, " or ") + "?"}
}

// distance is the number of letters to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// explained words an error of pflag.
func (c *Command) explained(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return e.GetFlag().Value.(*value).needed()
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if short := e.GetSpecifiedShortnames(); short != "" {
			return wrong("неизвестный параметр -%s", "unknown flag -%s", short)
		}
		name := "--" + e.GetSpecifiedName()
		return wrong("неизвестный параметр %s", "unknown flag %s", name).instead(name, c.flagNames())
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return wrong("неизвестный параметр %s", "unknown flag %s", e.GetSpecifiedFlag())
	}
	return err // ErrHelp
}
