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

// request is what is read of a request for a completion. Clients send many more fields, which an agent has no use for;
// unlike the native API this one lets unknown fields pass, because the format's own clients add new ones every year.
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
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content is a message's text, be it sent as a string or in parts.
type content struct {
	text  string
	other string // the type of the first part that is no text
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
	var q request
	if !utf8.Valid(body) {
		return q, invalid("body", "the body is not UTF-8 text")
	}
	if err := json.Unmarshal(body, &q); err != nil {
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
			return q, invalid(e.Field, "it is of the wrong type")
		}
		return q, invalid("body", "the body is not a JSON object of the chat format")
	}
	if q.Model == "" {
		return q, invalid("model", `no model is named; "stockhand" is the inventory agent`)
	}
	return q, nil
}

// invalid is VALIDATION_FAILED of one field.
func invalid(field, message string) *stockhand.Error {
	e := stockhand.Errorf(stockhand.CodeValidation, "%s: %s", field, message)
	e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
	return e.WithHint("see POST /v1/chat/completions in the documentation")
}

// task makes an agent's task of a request: the last message of the user is the turn, earlier ones are what was said
// before. What some clients put after it (reminders, the beginning of an answer) is theirs.
//
// Clients offer their tools with every request. The agent, as a model may, calls none of them; only a request that
// insists is refused.
func (s *Service) task(r *http.Request, q request, profile stockhand.AgentID) (agent.Task, error) {
	actor := stockhand.ActorOf(r.Context())
	t := agent.Task{Actor: actor, Agent: profile, Connection: q.Connection, Language: q.Language, Session: q.Session}
	if t.Session == "" {
		t.Session = stockhand.SessionID(r.Header.Get("X-Session-Id"))
	}
	switch {
	case len(q.Messages) == 0:
		return t, invalid("messages", "there is no message")
	case q.Language != "" && q.Language != stockhand.Russian && q.Language != stockhand.English:
		return t, invalid("language", `it is "ru" or "en"`)
	case q.Choices != nil && *q.Choices != 1:
		return t, invalid("n", "the agent gives one answer")
	case given(q.Tools) && insists(q.ToolChoice):
		return t, invalid("tool_choice",
			"the agent calls its own tools; leave this out, or name a model of a provider as provider/model")
	case given(q.Functions) && insists(q.FunctionCall):
		return t, invalid("function_call",
			"the agent calls its own tools; leave this out, or name a model of a provider as provider/model")
	case q.ResponseFormat != nil && q.ResponseFormat.Type != "" && q.ResponseFormat.Type != "text":
		return t, invalid("response_format",
			"the agent answers in text; its figures as data are results, see the stockhand object of the answer")
	}
	at := len(q.Messages) - 1
	for at >= 0 && q.Messages[at].Role != "user" {
		at--
	}
	if at < 0 {
		return t, invalid("messages", "there is no message of the user's")
	}
	last := q.Messages[at]
	switch {
	case last.Content.other != "":
		return t, invalid("messages", "the agent reads text; the user's last message holds "+clip(last.Content.other))
	case strings.TrimSpace(last.Content.text) == "":
		return t, invalid("messages", "the user's last message is empty")
	}
	t.Text = last.Content.text
	if t.Session != "" { // the session remembers
		known, err := s.Store.Session(r.Context(), actor.Org, t.Session)
		if err == nil && !actor.MaySee(known.By) {
			err = stockhand.Errorf(stockhand.CodeNotFound, "no such session in this organization")
		}
		return t, err
	}
	for _, m := range q.Messages[:at] {
		switch {
		case strings.TrimSpace(m.Content.text) == "": // of a call of a tool, or a picture
		case m.Role == "user":
			t.History = append(t.History, agent.HistoryMessage{Author: stockhand.FromPerson, Text: m.Content.text})
		case m.Role == "assistant":
			t.History = append(t.History, agent.HistoryMessage{Author: stockhand.FromAgent, Text: m.Content.text})
		default: // the agent has instructions of its own
		}
	}
	return t, nil
}

// given tells whether a list has something in it.
func given(list json.RawMessage) bool {
	trimmed := bytes.TrimSpace(list)
	return len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("null")) && !bytes.Equal(trimmed, []byte("[]"))
}

// insists tells whether a request wants a tool to be called whatever the answer is.
func insists(choice json.RawMessage) bool {
	return gjson.ParseBytes(choice).IsObject() && gjson.GetBytes(choice, "allowed_tools.mode").Str != "auto" ||
		gjson.ParseBytes(choice).Str == "required"
}
