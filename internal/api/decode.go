package api

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// fieldName shortens a field's path for an error. The caller chose it, so it may be long or contain a secret.
func fieldName(path string) string {
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

// decode decodes bodies for huma. Errors name the field and the expected type, never the value.
func decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return errors.New(wrong.Field + decodeMark + "expected " + kindName(wrong.Type.Kind()))
	}
	return errors.New("body" + decodeMark + "cannot be decoded")
}

// decodeMark separates the field from the message in decode's errors, which huma passes on as text.
const decodeMark = ": "
