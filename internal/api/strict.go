package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
)

// maxDepth is how deep a request's JSON may be nested.
const maxDepth = 64

// strictJSON refuses what encoding/json would let pass or would answer in words that are not ours: text that is not UTF-8, what
// follows after the value, a key given twice, zero characters (which no database keeps), nesting without end, and numbers that no
// number holds. A nil error means that decoding into a type fails only for reasons of that type.
func strictJSON(body []byte) error {
	if !utf8.Valid(body) {
		return invalid("body", "is not valid UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return invalid("body", "is not valid JSON (at byte "+strconv.FormatInt(syntax.Offset, 10)+")")
		}
		return invalid("body", "is not valid JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	w := walk{decoder: decoder}
	return w.value()
}

// walk reads JSON that is known to be well-formed.
type walk struct {
	decoder *json.Decoder
	path    []string
}

func (w *walk) value() error {
	token, err := w.decoder.Token()
	if err != nil {
		return w.invalid("is not valid JSON")
	}
	switch token := token.(type) {
	case json.Delim:
		if len(w.path) >= maxDepth {
			return invalid("body", "is nested deeper than "+strconv.Itoa(maxDepth)+" levels")
		}
		if token == '{' {
			return w.object()
		}
		return w.array()
	case json.Number:
		if n, err := token.Float64(); err != nil || math.IsInf(n, 0) {
			return w.invalid("is a number out of range")
		}
	case string:
		if strings.ContainsRune(token, 0) {
			return w.invalid("contains a zero character")
		}
	}
	return nil
}

func (w *walk) object() error {
	seen := map[string]bool{}
	for w.decoder.More() {
		token, err := w.decoder.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return w.invalid("is not valid JSON")
		}
		w.path = append(w.path, key)
		switch {
		case seen[key]:
			return w.invalid("is given twice")
		case strings.ContainsRune(key, 0):
			return invalid("body", "contains a zero character in a name")
		}
		seen[key] = true
		if err := w.value(); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.decoder.Token()
	return w.end(err)
}

func (w *walk) array() error {
	for i := 0; w.decoder.More(); i++ {
		w.path = append(w.path, "["+strconv.Itoa(i)+"]")
		if err := w.value(); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.decoder.Token()
	return w.end(err)
}

func (w *walk) end(err error) error {
	if err != nil {
		return w.invalid("is not valid JSON")
	}
	return nil
}

func (w *walk) invalid(message string) *stockhand.Error {
	if len(w.path) == 0 {
		return invalid("body", message)
	}
	return invalid(fieldName(strings.ReplaceAll(strings.Join(w.path, "."), ".[", "[")), message)
}

// fieldName is a field's path as it may be told. Names come from the caller too: what is too long to be a name, or looks like a
// secret in the wrong place, is cut.
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
