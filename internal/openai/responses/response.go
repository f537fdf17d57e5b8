package responses

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
)

// Response is an answer.
type Response struct {
	ID         stockhand.ResponseID `json:"id"`
	Object     string               `json:"object"` // "response"
	Created    int64                `json:"created_at"`
	Completed  *int64               `json:"completed_at"`
	Status     Status               `json:"status"`
	Background bool                 `json:"background"` // always false
	Error      *Failure             `json:"error"`
	Incomplete *Incomplete          `json:"incomplete_details"`
	Model      string               `json:"model"`
	Output     []OutputItem         `json:"output"`
	Usage      *Usage               `json:"usage"`
	Previous   *string              `json:"previous_response_id"`
	Store      bool                 `json:"store"`

	// What was asked for, as it came.
	Instructions json.RawMessage `json:"instructions"`
	MaxTokens    json.RawMessage `json:"max_output_tokens"`
	Metadata     json.RawMessage `json:"metadata"`
	Parallel     json.RawMessage `json:"parallel_tool_calls"`
	Reasoning    json.RawMessage `json:"reasoning"`
	Temperature  json.RawMessage `json:"temperature"`
	Text         json.RawMessage `json:"text"`
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Tools        json.RawMessage `json:"tools"`
	TopP         json.RawMessage `json:"top_p"`
	Truncation   json.RawMessage `json:"truncation"`
	User         json.RawMessage `json:"user"`

	// Ours.
	Session stockhand.SessionID `json:"session_id,omitempty"`
	More    any                 `json:"stockhand,omitempty"`
}

// Status is the state of a response.
type Status string

// The states of a response.
const (
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Stopped    Status = "incomplete" // by a limit; IncompleteDetails says which
	Failed     Status = "failed"
	Cancelled  Status = "cancelled"
)

// Failure is why a response failed.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Incomplete is the limit that stopped a response.
type Incomplete struct {
	Reason string `json:"reason"`
}

// OutputItem is a message of the model, or its call of a function.
type OutputItem struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Status    Status        `json:"status"`
	Role      string        `json:"role,omitempty"`
	Content   *[]OutputPart `json:"content,omitempty"`
	CallID    string        `json:"call_id,omitempty"`
	Name      string        `json:"name,omitempty"`
	Arguments *string       `json:"arguments,omitempty"`
}

// OutputPart is a part of a message: text or a refusal.
type OutputPart struct {
	Type        string    `json:"type"`
	Text        *string   `json:"text,omitempty"`
	Annotations *[]string `json:"annotations,omitempty"` // always empty, and not omitted with a text
	Logprobs    *[]string `json:"logprobs,omitempty"`    // the same
	Refusal     *string   `json:"refusal,omitempty"`
}

// Usage is what a response cost.
type Usage struct {
	Input        int         `json:"input_tokens"`
	InputDetails inputUsage  `json:"input_tokens_details"`
	Output       int         `json:"output_tokens"`
	OutDetails   outputUsage `json:"output_tokens_details"`
	Total        int         `json:"total_tokens"`
}

type inputUsage struct {
	Cached int `json:"cached_tokens"`
}

type outputUsage struct {
	Reasoning int `json:"reasoning_tokens"`
}

// NewUsage returns the usage of a model that reports no details.
func NewUsage(input, output int) *Usage {
	return &Usage{Input: input, Output: output, Total: input + output}
}

// New returns the response to a request, which has no output yet.
func (q Request) New(id stockhand.ResponseID, at time.Time) *Response {
	r := &Response{ID: id, Object: "response", Created: at.Unix(), Status: InProgress, Model: q.Model,
		Output: []OutputItem{}, Store: q.Store}
	if q.Previous != "" {
		previous := string(q.Previous)
		r.Previous = &previous
	}
	for _, f := range []struct {
		name  string
		to    *json.RawMessage
		usual string
	}{
		{"instructions", &r.Instructions, "null"}, {"max_output_tokens", &r.MaxTokens, "null"},
		{"metadata", &r.Metadata, "{}"}, {"parallel_tool_calls", &r.Parallel, "true"},
		{"reasoning", &r.Reasoning, `{"effort":null,"summary":null}`}, {"temperature", &r.Temperature, "null"},
		{"text", &r.Text, `{"format":{"type":"text"}}`}, {"tool_choice", &r.ToolChoice, `"auto"`},
		{"tools", &r.Tools, "[]"}, {"top_p", &r.TopP, "null"}, {"truncation", &r.Truncation, `"disabled"`},
		{"user", &r.User, "null"},
	} {
		if *f.to = q.fields[f.name]; *f.to == nil {
			*f.to = json.RawMessage(f.usual)
		}
	}
	return r
}

// itemID is the ID of an item of the output. It contains the response's, so that a reference finds it.
func (r *Response) itemID(prefix string) string {
	return fmt.Sprintf("%s_%s_%d", prefix, strings.TrimPrefix(string(r.ID), "resp_"), len(r.Output))
}

// ResponseOf returns the response that an item belongs to, by the item's ID.
func ResponseOf(item string) stockhand.ResponseID {
	_, rest, _ := strings.Cut(item, "_")
	id, _, _ := strings.Cut(rest, "_")
	return stockhand.ResponseID("resp_" + id)
}

// Said returns the output as messages of the chat format.
func (r *Response) Said() ([]Message, error) {
	all := make([]Item, len(r.Output))
	for i, o := range r.Output {
		all[i] = o.item()
	}
	return Messages(all)
}

// item returns the item as a later request would send it.
func (o OutputItem) item() Item {
	i := Item{Type: o.Type, ID: o.ID, Role: o.Role, CallID: o.CallID, Name: o.Name}
	if o.Arguments != nil {
		i.Arguments = *o.Arguments
	}
	if o.Content != nil {
		for _, p := range *o.Content {
			for _, text := range []*string{p.Text, p.Refusal} {
				if text != nil {
					i.Content.parts = append(i.Content.parts, part{Type: "output_text", Text: *text})
				}
			}
		}
	}
	return i
}
