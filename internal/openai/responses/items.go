package responses

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Item is one item of an input: a message, a call of a function, its output, or a reference to an earlier item.
type Item struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Role      string  `json:"role"`
	Content   content `json:"content"`
	CallID    string  `json:"call_id"`
	Name      string  `json:"name"`
	Arguments string  `json:"arguments"`
	Output    content `json:"output"`
}

// The types of items that are read.
const (
	typeMessage   = "message"
	typeCall      = "function_call"
	typeOutput    = "function_call_output"
	typeReasoning = "reasoning" // has no place in the chat format
	typeReference = "item_reference"
)

// content is a string, or a list of parts.
type content struct {
	parts []part
}

type part struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Refusal  string          `json:"refusal"`
	ImageURL string          `json:"image_url"`
	Detail   string          `json:"detail"`
	FileID   string          `json:"file_id"`
	FileData string          `json:"file_data"`
	FileName string          `json:"filename"`
	Audio    json.RawMessage `json:"input_audio"`
}

// written returns the text of a part, if it is one.
func (p part) written() (string, bool) {
	switch p.Type {
	case "input_text", "output_text", "text", "summary_text":
		return p.Text, true
	case "refusal":
		return p.Refusal, true
	}
	return "", false
}

func (c *content) UnmarshalJSON(b []byte) error {
	if absent(b) {
		return nil
	}
	var text string
	if json.Unmarshal(b, &text) == nil {
		c.parts = []part{{Type: "input_text", Text: text}}
		return nil
	}
	return json.Unmarshal(b, &c.parts)
}

// text returns the text, and the type of the first part that is something else.
func (c content) text() (text, other string) {
	var all []string
	for _, p := range c.parts {
		if written, ok := p.written(); ok {
			all = append(all, written)
		} else if other == "" {
			other = p.Type
		}
	}
	return strings.Join(all, "\n"), other
}

// items reads an input: a string is one message of the user.
func items(input json.RawMessage) ([]Item, error) {
	if absent(input) {
		return nil, nil
	}
	var text string
	if json.Unmarshal(input, &text) == nil {
		said := content{[]part{{Type: "input_text", Text: text}}}
		return []Item{{Type: typeMessage, Role: "user", Content: said}}, nil
	}
	var raw []json.RawMessage
	if json.Unmarshal(input, &raw) != nil {
		return nil, Invalid("input", "must be a string or a list of items")
	}
	all := make([]Item, 0, len(raw))
	for i, r := range raw {
		var item Item
		if json.Unmarshal(r, &item) != nil {
			return nil, Invalid(fmt.Sprintf("input[%d]", i), "is not an item of the responses format")
		}
		if item.Type == "" && (item.Role != "" || item.ID == "") {
			item.Type = typeMessage
		} else if item.Type == "" {
			item.Type = typeReference
		}
		if wrong := item.wrong(); wrong != "" {
			return nil, Invalid(fmt.Sprintf("input[%d]", i), wrong)
		}
		all = append(all, item)
	}
	return all, nil
}

// wrong says what is wrong with an item.
func (i Item) wrong() string {
	switch i.Type {
	case typeMessage:
		switch i.Role {
		case "user", "assistant", "system", "developer":
			return ""
		}
		return "needs the role user, assistant, system or developer"
	case typeCall:
		if i.CallID == "" || i.Name == "" {
			return "needs call_id and name"
		}
	case typeOutput:
		if i.CallID == "" {
			return "needs call_id"
		}
	case typeReference:
		if i.ID == "" {
			return "needs id"
		}
	case typeReasoning:
	default:
		return "has the type " + short(i.Type) + ", which is not offered"
	}
	return ""
}

// Spoken is a message as an agent reads it.
type Spoken struct {
	Role  string
	Text  string
	Other string // the type of the first part that is not text
}

// SpokenOf returns the messages among items.
func SpokenOf(all []Item) []Spoken {
	var out []Spoken
	for _, i := range all {
		if i.Type == typeMessage {
			text, other := i.Content.text()
			out = append(out, Spoken{Role: i.Role, Text: text, Other: other})
		}
	}
	return out
}

// Resolved replaces the references among items by what find returns.
func Resolved(ctx context.Context, all []Item, find func(ctx context.Context, id string) (OutputItem, error)) ([]Item,
	error) {
	out := make([]Item, 0, len(all))
	for _, i := range all {
		if i.Type != typeReference {
			out = append(out, i)
			continue
		}
		if strings.HasPrefix(i.ID, "rs_") { // reasoning, which has no place in the chat format
			continue
		}
		found, err := find(ctx, i.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, found.item())
	}
	return out, nil
}
