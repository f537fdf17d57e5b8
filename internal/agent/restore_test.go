package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// A run proposes nothing, then makes a draft, and is interrupted: the first call must not take the draft for its own.
func TestARestoredCallThatProposedNothingHasNoDraft(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("propose_transfers", `{}`), llmtest.Say("Готово."),
		llmtest.Say("Черновик перемещений готов.")))
	first := s.ask("перемести излишки туда, где дефицит")
	if len(first.Drafts) != 1 {
		t.Fatalf("%+v", first)
	}
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: s.session,
		Text: "закажи и перемести, что нужно", Created: now}
	_, r, err := s.db.CreateRun(t.Context(), s.org, m,
		stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{"message_id":"` + string(m.ID) + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = s.db.ClaimRun(t.Context(), s.org, r.ID, r.Generation); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ tool, message string }{
		{"propose_supplier_orders", "Заказывать нечего."}, {"propose_transfers", "Перемещения"},
	} {
		seq := int64(i + 1)
		if _, err := s.db.AddModelStep(t.Context(), s.org, r.Generation, stockhand.ModelStep{Run: r.ID, Seq: seq,
			Model: "test/scripted", Message: json.RawMessage(
				`{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"` +
					c.tool +
					`","arguments":"{}"}}]}`)}); err != nil {
			t.Fatal(err)
		}
		call := stockhand.ToolCall{Run: r.ID, Seq: seq, Tool: "moysklad_" + c.tool, Arguments: json.RawMessage(`{}`),
			Step: seq, CallID: "a", Started: now}
		if _, err := s.db.BeginToolCall(t.Context(), s.org, r.Generation, call); err != nil {
			t.Fatal(err)
		}
		events := []stockhand.Event{{Type: stockhand.EventToolCompleted, Data: json.RawMessage(
			`{"tool_name":"moysklad_` + c.tool + `","success":true,"message":"` + c.message + `"}`)}}
		if i == 1 {
			events = append(events, agent.DraftShown(first.Drafts[0]))
		}
		if _, err := s.db.FinishToolCall(t.Context(), s.org, r.Generation, call, nil, events...); err != nil {
			t.Fatal(err)
		}
	}
	s.Resume(t.Context(), r)
	f := s.end(agent.Turn{Run: r.ID})
	if f.Failure != nil || len(f.Drafts) != 1 {
		t.Fatalf("%+v", f)
	}
	asked := s.model.Requests()[len(s.model.Requests())-1].Messages
	said := []string{asked[len(asked)-3].Content, asked[len(asked)-1].Content}
	if !strings.Contains(said[0], "Заказывать нечего.") || !strings.Contains(said[1], string(first.Drafts[0].ID)) {
		t.Errorf("the model got %q", said)
	}
}
