package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
)

// request is the part of a completion request that we read. Unlike the native API, unknown fields are ignored, because
// OpenAI clients send many others and add new ones every year.
type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Options  struct {
		Usage    bool `json:"include_usage"`
		Progress bool `json:"include_tool_progress"`
	} `json:"stream_options"`
	Choices        *int            `json:"n"`
	Tools          json.RawMessage `json:"tools"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	Functions      json.RawMessage `json:"functions"`
	FunctionCall   json.RawMessage `json:"function_call"`
	ResponseFormat *struct {
		Type string `json:"type"`
	} `json:"response_format"`

	// Ours.
	Session    stockhand.SessionID    `json:"session_id"`
	Connection stockhand.ConnectionID `json:"connection_id"`
	Language   stockhand.Language     `json:"language"`

	list func(message string) *stockhand.Error // an error of the messages
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content is a message's text, sent as a string or in parts.
type content struct {
	text  string
	other string // the type of the first part that is not text
}

func (c *content) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	if b[0] == '"' {
		return json.Unmarshal(b, &c.text)
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		switch {
		case p.Type != "text":
			if c.other == "" {
				c.other = p.Type
			}
		case c.text == "":
			c.text = p.Text
		default:
			c.text += "\n" + p.Text
		}
	}
	return nil
}

func parse(body []byte) (request, error) {
	q := request{list: func(message string) *stockhand.Error { return invalid("messages", message) }}
	if !utf8.Valid(body) {
		return q, invalid("body", "is not valid UTF-8")
	}
	if err := json.Unmarshal(body, &q); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
			return q, invalid(e.Field, "has the wrong type")
		}
		return q, invalid("body", "is not a JSON object of the chat format")
	}
	if q.Model == "" {
		return q, invalid("model", `is required; "stockhand" is the inventory agent`)
	}
	return q, nil
}

// invalid is VALIDATION_FAILED of one field.
func invalid(field, message string) *stockhand.Error {
	return invalidAt("POST /v1/chat/completions", field, message)
}

func invalidAt(operation, field, message string) *stockhand.Error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("See %s in /docs.", operation)
}

// task converts a request to a task: the user's last message, with the earlier ones as history. Messages that some
// clients append (reminders, the beginning of an answer) are ignored.
//
// Clients offer their tools with every request. The agent never calls them, which a model may do; only a request that
// requires a call is refused.
func (s *Service) task(r *http.Request, q request, profile stockhand.AgentID) (agent.Task, error) {
	actor := stockhand.ActorOf(r.Context())
	t := agent.Task{Actor: actor, Agent: profile, Connection: q.Connection, Language: q.Language, Session: q.Session}
	if t.Session == "" {
		t.Session = stockhand.SessionID(r.Header.Get("X-Session-Id"))
	}
	switch {
	case len(q.Messages) == 0:
		return t, q.list("must not be empty")
	case q.Language != "" && q.Language != stockhand.Russian && q.Language != stockhand.English:
		return t, invalid("language", `must be "ru" or "en"`)
	case q.Choices != nil && *q.Choices != 1:
		return t, invalid("n", "must be 1: the agent gives one answer")
	case given(q.Tools) && insists(q.ToolChoice):
		return t, invalid("tool_choice",
			"the agent only calls its own tools; omit this, or use a provider's model (provider/model)")
	case given(q.Functions) && insists(q.FunctionCall):
		return t, invalid("function_call",
			"the agent only calls its own tools; omit this, or use a provider's model (provider/model)")
	case q.ResponseFormat != nil && q.ResponseFormat.Type != "" && q.ResponseFormat.Type != "text":
		return t, invalid("response_format",
			"the agent answers in text; for data, see the results in the response's stockhand object")
	}
	at := len(q.Messages) - 1
	for at >= 0 && q.Messages[at].Role != "user" {
		at--
	}
	if at < 0 {
		return t, q.list("must contain a message of the user")
	}
	last := q.Messages[at]
	switch {
	case last.Content.other != "":
		return t, q.list("the agent reads only text; the user's last message contains " + clip(last.Content.other))
	case strings.TrimSpace(last.Content.text) == "":
		return t, q.list("the user's last message is empty")
	}
	t.Text = last.Content.text
	if t.Session != "" { // the session has the history
		known, err := s.Store.Session(r.Context(), actor.Org, t.Session)
		if err == nil && !actor.MaySee(known.By) {
			err = stockhand.Errorf(stockhand.CodeNotFound, "no such session in this organization")
		}
		return t, err
	}
	for _, m := range q.Messages[:at] {
		switch {
		case strings.TrimSpace(m.Content.text) == "": // a tool call, or an image
		case m.Role == "user":
			t.History = append(t.History, agent.HistoryMessage{Author: stockhand.FromPerson, Text: m.Content.text})
		case m.Role == "assistant":
			t.History = append(t.History, agent.HistoryMessage{Author: stockhand.FromAgent, Text: m.Content.text})
		default: // the agent has its own instructions
		}
	}
	return t, nil
}

// given reports whether a list is not empty.
func given(list json.RawMessage) bool {
	trimmed := bytes.TrimSpace(list)
	return len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("null")) && !bytes.Equal(trimmed, []byte("[]"))
}

// insists reports whether a request requires a tool call.
func insists(choice json.RawMessage) bool {
	return gjson.ParseBytes(choice).IsObject() && gjson.GetBytes(choice, "allowed_tools.mode").Str != "auto" ||
		gjson.ParseBytes(choice).Str == "required"
}
