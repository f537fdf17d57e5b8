package responses

import (
	"encoding/json"
)

// Message is a message of the chat format.
type Message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Calls   []Call          `json:"tool_calls,omitempty"`
	CallID  string          `json:"tool_call_id,omitempty"`
}

// Call is a call of a function in the chat format.
type Call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"` // "function"
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Say returns a message with text.
func Say(role, text string) Message { return Message{Role: role, Content: quoted(text)} }

// Messages translates items without references. Calls join the assistant's message before them, as the chat format has
// it.
func Messages(all []Item) ([]Message, error) {
	var out []Message
	for _, i := range all {
		switch i.Type {
		case typeMessage:
			m, err := i.message()
			if err != nil {
				return nil, err
			}
			out = append(out, m)
		case typeCall:
			if len(out) == 0 || out[len(out)-1].Role != "assistant" {
				out = append(out, Message{Role: "assistant", Content: json.RawMessage("null")})
			}
			last := &out[len(out)-1]
			last.Calls = append(last.Calls, Call{ID: i.CallID, Type: "function",
				Function: function{Name: i.Name, Arguments: i.Arguments}})
		case typeOutput:
			text, other := i.Output.text()
			if other != "" {
				return nil, Invalid("input", "the output of a function contains "+short(other)+
					"; only text is passed through")
			}
			out = append(out, Message{Role: "tool", Content: quoted(text), CallID: i.CallID})
		}
	}
	return out, nil
}

// message translates a message. A list of texts becomes a string, which every server reads.
func (i Item) message() (Message, error) {
	role := i.Role
	if role == "developer" {
		role = "system" // which every server knows
	}
	text, other := i.Content.text()
	if other == "" {
		return Say(role, text), nil
	}
	parts := make([]map[string]any, 0, len(i.Content.parts))
	for _, p := range i.Content.parts {
		translated, ok := p.chat()
		if !ok {
			return Message{}, Invalid("input", "a part of the type "+short(p.Type)+" is not passed through")
		}
		parts = append(parts, translated)
	}
	b, err := json.Marshal(parts)
	return Message{Role: role, Content: b}, err
}

// chat translates a part of a message.
func (p part) chat() (map[string]any, bool) {
	if text, ok := p.written(); ok {
		return map[string]any{"type": "text", "text": text}, true
	}
	switch {
	case p.Type == "input_image" && p.ImageURL != "":
		image := map[string]any{"url": p.ImageURL}
		if p.Detail != "" {
			image["detail"] = p.Detail
		}
		return map[string]any{"type": "image_url", "image_url": image}, true
	case p.Type == "input_file" && p.FileData != "":
		return map[string]any{"type": "file",
			"file": map[string]any{"file_data": p.FileData, "filename": p.FileName}}, true
	case p.Type == "input_audio" && p.Audio != nil:
		return map[string]any{"type": "input_audio", "input_audio": p.Audio}, true
	}
	return nil, false // also files and images that are stored at a provider, where they are its operator's
}

// translated are the fields that have another form in the chat format, or none.
var translated = []string{"background", "connection_id", "context_management", "conversation", "include", "input",
	"instructions", "language", "max_output_tokens", "max_tool_calls", "messages", "metadata", "n",
	"previous_response_id", "prompt", "reasoning", "session_id", "store", "stream_options", "text", "tool_choice",
	"tools", "top_logprobs", "truncation"}

// Chat returns the request in the chat format, after earlier messages of the conversation. The field that limits the
// answer depends on the provider.
func (q Request) Chat(earlier []Message, limit string) ([]byte, error) {
	body := map[string]any{}
	for name, value := range q.fields {
		body[name] = value
	}
	for _, name := range translated {
		delete(body, name)
	}
	var messages []Message
	if q.Instructions != "" {
		messages = append(messages, Say("system", q.Instructions))
	}
	messages = append(messages, earlier...)
	if len(messages) == 0 || messages[len(messages)-1].Role == "system" {
		return nil, Invalid("input", "must not be empty")
	}
	body["messages"] = messages
	if q.MaxTokens > 0 {
		body[limit] = q.MaxTokens
	}
	if q.effort != "" {
		body["reasoning_effort"] = q.effort
	}
	if q.verbosity != "" {
		body["verbosity"] = q.verbosity
	}
	if err := q.addFormat(body); err != nil {
		return nil, err
	}
	if err := q.addTools(body); err != nil {
		return nil, err
	}
	return json.Marshal(body)
}

func (q Request) addFormat(body map[string]any) error {
	switch f := q.format; f.Type {
	case "", "text":
	case "json_object":
		body["response_format"] = map[string]any{"type": f.Type}
	case "json_schema":
		body["response_format"] = map[string]any{"type": f.Type, "json_schema": struct {
			format
			Type string `json:"type,omitempty"` // hides the other
		}{format: f}}
	default:
		return Invalid("text.format", "must be text, json_object or json_schema")
	}
	return nil
}

func (q Request) addTools(body map[string]any) error {
	if len(q.tools) == 0 {
		return nil
	}
	type named struct {
		Type     string `json:"type"`
		Function any    `json:"function"`
	}
	tools := make([]named, 0, len(q.tools))
	for _, t := range q.tools {
		if t.Type != "function" {
			return Invalid("tools", "a tool of the type "+short(t.Type)+
				" would run at the provider; only functions are passed through")
		}
		tools = append(tools, named{"function", struct {
			tool
			Type string `json:"type,omitempty"` // hides the other
		}{tool: t}})
	}
	body["tools"] = tools
	if q.choice == nil {
		return nil
	}
	var mode string
	var choice struct {
		Type, Name, Mode string
		Tools            []struct{ Type, Name string }
	}
	name := func(name string) named { return named{"function", map[string]string{"name": name}} }
	switch {
	case json.Unmarshal(q.choice, &mode) == nil:
		body["tool_choice"] = mode
	case json.Unmarshal(q.choice, &choice) == nil && choice.Type == "function":
		body["tool_choice"] = name(choice.Name)
	case choice.Type == "allowed_tools":
		allowed := []named{}
		for _, t := range choice.Tools {
			allowed = append(allowed, name(t.Name))
		}
		body["tool_choice"] = map[string]any{"type": choice.Type,
			choice.Type: map[string]any{"mode": choice.Mode, "tools": allowed}}
	default:
		return Invalid("tool_choice", "must be auto, none, required, one of the functions or allowed_tools")
	}
	return nil
}

func quoted(text string) json.RawMessage {
	b, _ := json.Marshal(text) // a string always encodes
	return b
}
