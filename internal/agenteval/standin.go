package main

import (
	"strings"

	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// standIn answers the tasks without a model: for each it knows the calls and the answer, which is wrong on purpose for
// some. It shows that the command works and that the fact checker does; it says nothing of any model.
func standIn(all []task) llmtest.Script {
	return func(_ int, r llmtest.Request) llmtest.Answer {
		asked, called := "", false
		var before []string
		for _, m := range r.Messages {
			switch {
			case m.Role == llm.User && strings.HasPrefix(m.Content, "Your answer was checked"): // it stays with it
			case m.Role == llm.User:
				before, asked, called = append(before, asked), m.Content, false
			case m.Role == llm.ToolRole:
				called = true
			}
		}
		for _, t := range all {
			for i, turn := range t.turns {
				if !strings.HasPrefix(asked, turn) || i > 0 && !strings.HasPrefix(before[len(before)-1], t.turns[i-1]) {
					continue
				}
				last := i == len(t.turns)-1
				switch {
				case last != (len(before) == len(t.turns)):
					continue
				case !called && len(t.calls[i]) > 0:
					return llmtest.CallTools(t.calls[i]...)
				case last:
					return llmtest.Say(t.answer)
				}
				return llmtest.Say("—")
			}
		}
		return llmtest.Say("?")
	}
}
