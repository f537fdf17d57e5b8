// Package memory turns the earlier turns of a conversation into what a model reads of them: as many of the last turns
// as its context holds, and a summary of those before, in which what the person laid down stays word for word.
//
// The summary is made by code. It costs no request, it is the same each time, and no word of the account can get into
// what the person is said to have laid down (decision 77).
package memory

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/llm"
)

// Turn is an earlier turn.
type Turn struct {
	Person string // the person's message; empty if the turn has only an answer
	Answer string // the agent's; empty if only the message may be shown
	Ended  string // why there is no answer: "failed: …"; empty if there is one
	// one for each result and draft: what calls it by which name
	Captions []string
}

// Memory is what a model reads of earlier turns.
type Memory struct {
	Past   []llm.Message // the last turns
	Recall string        // the turns before them, for the model; empty if there are none
	Laid   []string      // what the person laid down in any of the turns, oldest first
}

// The lengths of parts of turns, in characters.
const (
	personSize  = 2000
	answerSize  = 3000
	laidSize    = 300 // a sentence of the summary
	askedSize   = 160 // a message of the summary
	gistSize    = 200 // an answer of the summary
	captionSize = 400 // the captions of a turn in it
)

// step is how many turns the summary grows by at once. While it does not change, a provider has what follows in its
// cache.
const step = 8

// Of returns what a model reads of turns, oldest first, in at most that many tokens.
func Of(turns []Turn, room int, tokens func(estimated int) int) Memory {
	m := Memory{Laid: laidIn(turns)}
	size := func(of []llm.Message) int { return tokens(llm.Request{Messages: of}.Tokens()) }
	all := make([][]llm.Message, len(turns))
	whole := 0
	for i, t := range turns {
		all[i] = t.messages()
		whole += size(all[i])
	}
	from := 0
	if whole > room {
		from = len(turns)
		for left := room * 3 / 4; from > 0; from-- {
			if left -= size(all[from-1]); left < 0 {
				break
			}
		}
		if up := (from + step - 1) / step * step; up < len(turns) {
			from = up
		}
		m.Recall = recall(turns[:from], func(s string) bool { return tokens(llm.Estimate(s)) <= room/4 })
	}
	for _, said := range all[from:] {
		m.Past = append(m.Past, said...)
	}
	return m
}

// messages returns a turn as it was.
func (t Turn) messages() []llm.Message {
	var out []llm.Message
	if t.Person != "" {
		out = append(out, llm.Message{Role: llm.User, Content: render.Clip(t.Person, personSize)})
	}
	answer := ""
	if t.Answer != "" {
		lines := strings.Split(render.Clip(t.Answer, answerSize), "\n") // an answer quotes the account
		for i := range lines {
			lines[i] = render.Escape(lines[i])
		}
		answer = "<data>" + strings.Join(lines, "\n") + "</data>"
	}
	if t.Ended != "" {
		answer = "(No answer was given: <data>" + render.Escape(t.Ended) + "</data>)"
	}
	if answer == "" {
		return out
	}
	if len(t.Captions) > 0 {
		answer += "\n(results: <data>" + render.Escape(strings.Join(t.Captions, "; ")) + "</data>)"
	}
	return append(out, llm.Message{Role: llm.Assistant, Content: answer})
}

// recall summarizes turns. What does not fit is left out, the oldest first, and what the person laid down last.
func recall(turns []Turn, fits func(string) bool) string {
	var laid, asked []string
	for i, t := range turns {
		for _, s := range Laid(t.Person) {
			laid = append(laid, "- "+s)
		}
		if line := t.gist(i + 1); line != "" {
			asked = append(asked, line)
		}
	}
	for {
		var b strings.Builder
		b.WriteString("Earlier in this conversation, shortened.")
		if len(laid) > 0 {
			b.WriteString(" The person laid down, and it holds until they take it back (of two that contradict, " +
				"the later one):\n" + strings.Join(laid, "\n"))
		}
		if len(asked) > 0 {
			b.WriteString("\nThe turns:\n<data>\n" + render.Escape(strings.Join(asked, "\n")) + "\n</data>")
		}
		switch {
		case fits(b.String()):
			return b.String()
		case len(asked) > 0:
			asked = asked[1:]
		case len(laid) > 0:
			laid = laid[1:]
		default:
			return ""
		}
	}
}

// gist returns a turn in a line.
func (t Turn) gist(n int) string {
	var parts []string
	if t.Person != "" {
		parts = append(parts, "asked: "+render.Clip(oneLine(t.Person), askedSize))
	}
	switch {
	case t.Ended != "":
		parts = append(parts, t.Ended)
	case t.Answer != "":
		parts = append(parts, "answered: "+render.Clip(oneLine(t.Answer), gistSize))
	}
	if len(t.Captions) > 0 {
		parts = append(parts, render.Clip(strings.Join(t.Captions, "; "), captionSize))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%d. %s", n, strings.Join(parts, " → "))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
