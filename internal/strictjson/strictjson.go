// Package strictjson checks untrusted JSON more strictly than encoding/json.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fault is an error in a document. Field is a path in it, with names chosen by the sender, or "body" for the whole.
type Fault struct{ Field, Message string }

// MaxDepth is the maximum nesting.
const MaxDepth = 64

// JSON refuses text that is not UTF-8, data after the value, repeated keys, NUL characters (which databases cannot
// store), deep nesting and numbers out of range. If it returns nil, decoding into a type fails only because of that
// type.
func JSON(body []byte) *Fault {
	if !utf8.Valid(body) {
		return fault("body", "is not valid UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return fault("body", "is not valid JSON (at byte "+strconv.FormatInt(syntax.Offset, 10)+")")
		}
		return fault("body", "is not valid JSON")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	w := walk{decoder: decoder}
	return w.value()
}

// walk reads well-formed JSON.
type walk struct {
	decoder *json.Decoder
	path    []string
}

func (w *walk) value() *Fault {
	token, err := w.decoder.Token()
	if err != nil {
		return w.invalid("is not valid JSON")
	}
	switch token := token.(type) {
	case json.Delim:
		if len(w.path) >= MaxDepth {
			return fault("body", "is nested deeper than "+strconv.Itoa(MaxDepth)+" levels")
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

func (w *walk) object() *Fault {
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
			return fault("body", "contains a zero character in a name")
		}
		seen[key] = true
		if f := w.value(); f != nil {
			return f
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.decoder.Token()
	return w.end(err)
}

func (w *walk) array() *Fault {
	for i := 0; w.decoder.More(); i++ {
		w.path = append(w.path, "["+strconv.Itoa(i)+"]")
		if f := w.value(); f != nil {
			return f
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.decoder.Token()
	return w.end(err)
}

func (w *walk) end(err error) *Fault {
	if err != nil {
		return w.invalid("is not valid JSON")
	}
	return nil
}

func (w *walk) invalid(message string) *Fault {
	if path := strings.ReplaceAll(strings.Join(w.path, "."), ".[", "["); path != "" {
		return fault(path, message)
	}
	return fault("body", message) // the whole, or a field with an empty name
}

func fault(field, message string) *Fault { return &Fault{field, message} }
