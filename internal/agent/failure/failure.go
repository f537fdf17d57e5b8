// Package failure says to people and models why something failed.
package failure

import (
	"context"
	"errors"
	"strings"

	"github.com/stockhand/stockhand"
)

// ForPeople translates an error for a user. An unexpected error becomes INTERNAL without details.
func ForPeople(err error, l stockhand.Language) *stockhand.Error {
	if e, ok := errors.AsType[*stockhand.Error](err); ok && e.Code != stockhand.CodeInternal {
		words := e.In(l)
		return &stockhand.Error{Code: e.Code, Message: words.Message, Hint: words.Hint, Fields: e.Fields, Err: err}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &stockhand.Error{
			Code: stockhand.CodeExternalUnavailable,
			Message: l.Pick("работа заняла слишком много времени и остановлена",
				"the work took too long and was stopped"),
			Hint: l.Pick("сузьте вопрос: один склад, одна группа, период короче",
				"narrow the question: one warehouse, one group, a shorter period"),
		}
	}
	return &stockhand.Error{
		Code:    stockhand.CodeInternal,
		Message: l.Pick("внутри Stockhand что-то сломалось", "something went wrong inside Stockhand"),
		Hint:    l.Pick("повторите; подробности — в журнале сервера", "try again; the server's log has the details"),
	}
}

// ForModel formats an error for a model, with each invalid field and the hint.
func ForModel(err error) string {
	e := ForPeople(err, stockhand.English)
	text := e.Message
	for _, f := range e.Fields {
		if one := f.Field + ": " + f.Message; !strings.Contains(text, one) { // the message may say the first itself
			text += "; " + one
		}
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return strings.TrimRight(text, ".") + "."
}
