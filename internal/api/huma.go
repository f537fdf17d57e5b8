package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/decode"
	"github.com/stockhand/stockhand/internal/api/problem"
	"github.com/stockhand/stockhand/internal/api/wire"
)

// init sets huma's process-wide options: our error body, case-sensitive field names, arrays that are never null, and
// messages without values.
func init() {
	huma.DefaultArrayNullable = false
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		b := errorBody(ctx.Context(), fromHuma(status, message, errs))
		for name, values := range b.Header() {
			ctx.SetHeader(name, values[0])
		}
		return b
	}
	huma.NewError = func(status int, message string, _ ...error) huma.StatusError {
		return problem.New(status, message)
	}
	huma.ValidateStrictCasing = true
	huma.ErrorFormatter = func(format string, args ...any) string {
		for _, arg := range args {
			if _, ok := arg.(error); ok { // a parser's error quotes the value
				return strings.TrimSuffix(format, ": %v")
			}
		}
		return fmt.Sprintf(format, args...)
	}
}

// fromHuma converts a huma error. It returns a handler's *stockhand.Error unchanged, and drops values that huma quotes.
func fromHuma(status int, message string, errs []error) error {
	for _, err := range errs {
		if own, ok := errors.AsType[*stockhand.Error](err); ok {
			return own
		}
	}
	switch {
	case status >= http.StatusInternalServerError || status < http.StatusBadRequest:
		return fmt.Errorf("%s: %w", message, errors.Join(errs...))
	case status == http.StatusRequestEntityTooLarge:
		return tooLarge(maxBody)
	case status == http.StatusUnsupportedMediaType:
		return errMediaType
	}
	e := &stockhand.Error{Code: stockhand.CodeValidation, Message: "the request is not valid",
		RU: stockhand.Words{Message: "запрос составлен неверно"}}
	for _, err := range errs {
		if field, ok := fieldOf(err); ok {
			e.Fields = append(e.Fields, field)
		}
	}
	if len(errs) == 0 { // "request body is required"
		e.Fields = []stockhand.FieldError{{Field: "body", Message: "is required"}}
	}
	if len(e.Fields) == 1 {
		e.Message += ": " + e.Fields[0].Field + ": " + e.Fields[0].Message
		e.RU.Message += ": " + e.Fields[0].Field + ": " + wire.InRussian(e.Fields[0].Message)
	}
	return e
}

// fieldOf converts a huma error detail.
func fieldOf(err error) (stockhand.FieldError, bool) {
	var d huma.ErrorDetailer
	if !errors.As(err, &d) {
		return stockhand.FieldError{Field: "body", Message: "is not valid"}, true
	}
	detail := d.ErrorDetail()
	field, message := detail.Location, detail.Message
	for _, in := range []string{"body.", "query.", "path.", "header."} {
		field = strings.TrimPrefix(field, in)
	}
	if name, ok := between(message, "expected required property ", " to be present"); ok {
		field, message = strings.TrimPrefix(field+"."+name, "body."), "is required"
	}
	if at, rest, ok := strings.Cut(message, decode.Mark); ok && detail.Location == "body" {
		field, message = at, rest
	}
	return stockhand.FieldError{Field: decode.FieldName(field), Message: message}, true
}

func between(s, before, after string) (string, bool) {
	s, ok := strings.CutPrefix(s, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, after)
}

// formats contains the only format of bodies: JSON.
var formats = map[string]huma.Format{
	"application/json": {Unmarshal: decode.Body, Marshal: func(w io.Writer, v any) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	}},
}
