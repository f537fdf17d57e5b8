// Package decode decodes request bodies with errors that name fields and never quote values.
package decode

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"unicode/utf8"
)

// FieldName shortens a field's path for an error. The caller chose it, so it may be long or contain a secret.
func FieldName(path string) string {
	for _, prefix := range []string{"sk-org-", "sk-usr-"} {
		if i := strings.Index(path, prefix); i >= 0 {
			return path[:i+len(prefix)] + "…"
		}
	}
	const most = 100
	if utf8.RuneCountInString(path) > most {
		return string([]rune(path)[:most]) + "…"
	}
	return path
}

// Body decodes a body for huma. Errors name the field and the expected type, never the value.
func Body(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return errors.New(wrong.Field + Mark + "expected " + kindName(wrong.Type.Kind()))
	}
	return errors.New("body" + Mark + "cannot be decoded")
}

// Mark separates the field from the message in the errors of [Body], which huma passes on as text.
const Mark = ": "

// kindName returns the JSON name of a Go kind.
func kindName(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Float32, reflect.Float64:
		return "number"
	default:
		return "integer within range, written without a point or an exponent"
	}
}
