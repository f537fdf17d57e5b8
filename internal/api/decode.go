package api

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// fieldName is a field's path as it may be told. Names come from the caller too: what is too long to be a name, or
// looks like a secret in the wrong place, is cut.
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

// decode is how huma decodes bodies. A failure names the field and what it has to be, never the value that it was.
func decode(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return errors.New(wrong.Field + decodeMark + "expected " + kindName(wrong.Type.Kind()))
	}
	return errors.New("body" + decodeMark + "cannot be read as what is expected here")
}

// decodeMark parts the field from the message in decode's errors, which huma passes on as text.
const decodeMark = ": "
