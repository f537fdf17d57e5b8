// Package responses is the wire format of OpenAI's Responses API: it reads requests, writes answers and their events,
// and translates between them and the chat format, which is what models behind Stockhand speak. It keeps no state and
// sends no requests; internal/openai does.
package responses

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
)

// Request is what is read of a request. Unknown fields are kept for the provider, as in the chat format.
type Request struct {
	Model        string
	Stream       bool
	Progress     bool // sends the progress of an agent's tools
	Store        bool
	Input        []Item
	Instructions string
	Previous     stockhand.ResponseID
	MaxTokens    int // 0 is the provider's choice

	// Ours.
	Session    stockhand.SessionID
	Connection stockhand.ConnectionID
	Language   stockhand.Language

	tools     []tool
	choice    json.RawMessage
	format    format
	verbosity string
	effort    string
	fields    map[string]json.RawMessage // all of them
}

type tool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

type format struct {
	Type        string          `json:"type"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

// refused are the fields that change what is asked for in a way that is not offered.
var refused = map[string]string{
	"background":   "is not offered: the answer comes with this request",
	"conversation": "is not offered; use previous_response_id",
	"prompt":       "is not offered: there are no stored prompts; use instructions",
}

// Parse reads the body of a request.
func Parse(body []byte) (q Request, err error) {
	if !utf8.Valid(body) {
		return q, Invalid("body", "is not valid UTF-8")
	}
	if json.Unmarshal(body, &q.fields) != nil || q.fields == nil {
		return q, Invalid("body", "is not a JSON object of the responses format")
	}
	for name, value := range q.fields {
		if absent(value) {
			delete(q.fields, name)
		}
	}
	for name, why := range refused {
		if value, given := q.fields[name]; given && string(value) != "false" {
			return q, Invalid(name, why)
		}
	}
	var input json.RawMessage
	var options struct {
		Progress bool `json:"include_tool_progress"`
	}
	var text struct {
		Format    format `json:"format"`
		Verbosity string `json:"verbosity"`
	}
	var reasoning struct {
		Effort string `json:"effort"`
	}
	q.Store = true
	var ignored map[string]string
	for _, f := range []struct {
		name string
		to   any
	}{
		{"model", &q.Model}, {"stream", &q.Stream}, {"store", &q.Store}, {"input", &input},
		{"instructions", &q.Instructions}, {"previous_response_id", &q.Previous}, {"max_output_tokens", &q.MaxTokens},
		{"session_id", &q.Session}, {"connection_id", &q.Connection}, {"language", &q.Language}, {"tools", &q.tools},
		{"tool_choice", &q.choice}, {"text", &text}, {"reasoning", &reasoning}, {"stream_options", &options},
		{"metadata", &ignored}, // it is returned as it came
	} {
		if value, given := q.fields[f.name]; given && json.Unmarshal(value, f.to) != nil {
			return q, Invalid(f.name, "has the wrong type")
		}
	}
	q.Progress, q.format, q.verbosity, q.effort = options.Progress, text.Format, text.Verbosity, reasoning.Effort
	switch {
	case q.Model == "":
		return q, Invalid("model", `is required; "stockhand" is the inventory agent`)
	case q.MaxTokens < 0:
		return q, Invalid("max_output_tokens", "must be positive")
	case len(input) == 0 && q.Previous == "":
		return q, Invalid("input", "is required: a string or a list of items")
	}
	q.Input, err = items(input)
	return q, err
}

// Requires reports whether the request insists on a call of one of the caller's tools.
func (q Request) Requires() bool {
	if len(q.tools) == 0 {
		return false
	}
	var name string
	var choice struct{ Type, Mode string }
	switch {
	case json.Unmarshal(q.choice, &name) == nil:
		return name == "required"
	case json.Unmarshal(q.choice, &choice) != nil:
		return false
	}
	return choice.Type != "allowed_tools" || choice.Mode != "auto"
}

// WantsText reports whether the answer may be plain text.
func (q Request) WantsText() bool { return q.format.Type == "" || q.format.Type == "text" }

// Invalid is VALIDATION_FAILED of one field.
func Invalid(field, message string) *stockhand.Error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("See POST /v1/responses in /docs.")
}

// absent reports whether a field has no value.
func absent(value json.RawMessage) bool {
	trimmed := bytes.TrimSpace(value)
	return len(trimmed) == 0 || bytes.Equal(trimmed, []byte("null"))
}

// short is a caller's text for an error message.
func short(s string) string {
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return strings.ToValidUTF8(s, "")
}
