package llm

import (
	"encoding/json"
	"regexp"
	"slices"
)

// GigaChat uses an older form of the chat format: functions instead of tools, one call per message, arguments as an
// object, and a state ID that must be sent back with the call. We store the state ID as the call's ID.

var stateID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// functionMessage is a message in that form.
type functionMessage struct {
	Role     string        `json:"role"`
	Content  string        `json:"content"`
	Name     string        `json:"name,omitempty"` // of the function whose result it is
	Function *functionCall `json:"function_call,omitempty"`
	State    string        `json:"functions_state_id,omitempty"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// functionMessages converts a conversation to that form, with each call directly before its result. Results must be
// JSON values.
func functionMessages(all []Message) []functionMessage {
	var out []functionMessage
	calls := map[string]Call{}
	said := ""
	for _, m := range all {
		switch {
		case m.Role == Assistant && len(m.Calls) > 0:
			said = m.Content
			for _, c := range m.Calls {
				calls[c.ID] = c
			}
		case m.Role == ToolRole:
			c := calls[m.CallID]
			call := functionMessage{Role: Assistant, Content: said,
				Function: &functionCall{c.Function.Name, json.RawMessage(c.Function.Arguments)}}
			if !json.Valid(call.Function.Arguments) {
				call.Function.Arguments = json.RawMessage("{}")
			}
			if stateID.MatchString(c.ID) {
				call.State = c.ID
			}
			said = ""
			result, err := json.Marshal(map[string]string{"result": m.Content})
			if err != nil {
				result = []byte("{}") // marshalling a map of strings cannot fail
			}
			out = append(out, call, functionMessage{Role: "function", Name: c.Function.Name, Content: string(result)})
		default:
			out = append(out, functionMessage{Role: m.Role, Content: m.Content})
		}
	}
	return out
}

// function adds a chunk of a call in that form: complete with arguments as an object, or as pieces of text.
func (g *streamAccumulator) function(call *functionCall, state string) {
	g.begun = true
	g.size += len(call.Name) + len(call.Arguments)
	if g.size > maxReply {
		return
	}
	i := g.call(0, state, call.Name)
	var piece string
	if json.Unmarshal(call.Arguments, &piece) == nil {
		g.args[i] = append(g.args[i], piece...)
	} else if len(call.Arguments) > 0 {
		g.args[i] = slices.Clone(call.Arguments)
	}
}
