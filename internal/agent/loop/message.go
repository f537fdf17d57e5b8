package loop

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/llm"
)

// The limits of a stored model message.
const (
	maxArguments = 16 << 10 // bytes of a call's arguments
	maxWords     = 20_000   // characters of its text
)

// normalize makes a model's message fit for storing and sending back: each call has a unique ID, a name that servers
// accept, and arguments that are a JSON object of at most 16 KiB. The reply to the call says what was wrong.
func (l *Loop) normalize(m llm.Message, step int64) llm.Message {
	m.Role, m.Content = llm.Assistant, render.Clip(m.Content, maxWords)
	seen := map[string]bool{}
	for _, e := range l.said {
		for _, c := range e.message.Calls {
			seen[c.ID] = true
		}
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		if c.ID == "" || seen[c.ID] || len(c.ID) > 64 {
			for n := i + 1; c.ID == "" || seen[c.ID] || len(c.ID) > 64; n++ {
				c.ID = fmt.Sprintf("call_%d_%d", step, n)
			}
		}
		seen[c.ID] = true
		c.Type = "function"
		if !toolbox.ValidName(c.Function.Name) {
			c.Function.Name = "unknown"
		}
		switch {
		case strings.TrimSpace(c.Function.Arguments) == "":
			c.Function.Arguments = "{}"
		case len(c.Function.Arguments) > maxArguments:
			c.Function.Arguments = tooLarge
		case !isObject(c.Function.Arguments):
			c.Function.Arguments = notJSON
		}
	}
	if len(m.Calls) > 4*maxCalls { // do not echo an excessive number of calls
		m.Calls = m.Calls[:4*maxCalls]
	}
	return m
}

// Stored instead of arguments that are not a JSON object or too large; no tool accepts them.
const (
	notJSON  = `{"_":"not a JSON object"}`
	tooLarge = `{"_":"larger than 16 KiB"}`
)

func isObject(s string) bool {
	var m map[string]any
	return json.Unmarshal([]byte(s), &m) == nil && m != nil
}
