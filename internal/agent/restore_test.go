package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
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

// A worker that continues a run answers from the first rows of a large result. The last page here cannot be read.
func TestARestoredCallReadsOnlyTheRowsThatItShows(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns())
	ctx := t.Context()
	connections, err := s.db.Connections(ctx, s.org)
	if err != nil {
		t.Fatal(err)
	}
	session, err := s.db.CreateSession(ctx, s.org,
		stockhand.Session{Kind: stockhand.SessionDirect, Connection: connections[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	large := &tool.Result{Tool: "moysklad_stock",
		Columns: []tool.Column{{Name: "name", Label: "Товар", Unit: tool.UnitText}}}
	for i := range 1_000 {
		large.Rows = append(large.Rows, tool.Row{tool.TextValue(fmt.Sprint("чай ", i))})
	}
	stored, err := large.Stored()
	if err != nil {
		t.Fatal(err)
	}
	stored.Pages[len(stored.Pages)-1].Rows = json.RawMessage("[5]")
	call := stockhand.ToolCall{Seq: 1, Tool: large.Tool, Arguments: json.RawMessage("{}"), Started: now}
	_, r, err := s.db.CreateCall(ctx, s.org, stockhand.Message{Session: session.ID, Text: "stock", Created: now}, call,
		stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{"language":"ru"}`)})
	if err == nil {
		r, err = s.db.ClaimRun(ctx, s.org, r.ID, r.Generation)
	}
	if err != nil {
		t.Fatal(err)
	}
	call.Run = r.ID
	if _, err := s.db.FinishToolCall(ctx, s.org, r.Generation, call, &stored); err != nil {
		t.Fatal(err)
	}
	s.Resume(ctx, r)
	f := s.end(agent.Turn{Run: r.ID})
	if f.Failure != nil || len(f.Results) != 1 || f.Results[0].Count != 1_000 ||
		!strings.Contains(f.FinalResponse, "и ещё строк: 990") {
		t.Errorf("%+v", f.Failure)
		t.Error(f.FinalResponse)
	}
}
