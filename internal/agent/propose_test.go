package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
)

func TestATaskForAChangeCreatesADraftAndSendsNothing(t *testing.T) {
	s := newShop(t, 1)
	for task, want := range map[string]string{
		"Подготовь заказы поставщикам на всё, что ниже минимума": "moysklad_propose_supplier_orders",
		"перемести излишки туда, где дефицит":                    "moysklad_propose_transfers",
		"raise all prices by 7%": "moysklad_propose_price_change",
	} {
		f := s.ask(task)
		if f.Failure != nil || len(f.ToolCalls) != 1 || f.ToolCalls[0].Name != want || len(f.Drafts) != 1 ||
			len(f.Results) != 0 {
			t.Errorf("%s: failure %v, question %v, calls %v, %d drafts", task, f.Failure, f.Question, f.ToolCalls,
				len(f.Drafts))
			continue
		}
		d := f.Drafts[0]
		for _, doc := range d.Documents {
			if doc.State != stockhand.DocumentPending || len(doc.Lines) == 0 {
				t.Errorf("%s: a document is %s with %d lines", task, doc.State, len(doc.Lines))
			}
		}
		if !strings.Contains(f.FinalResponse, string(d.ID)) {
			t.Errorf("%s: the answer does not name its draft: %s", task, f.FinalResponse)
		}
	}
	for _, r := range s.sandbox.Requests() {
		if r.Method != "GET" {
			t.Errorf("sent %s %s", r.Method, r.Path)
		}
	}
}

// A message that only repeats what the data or an answer says confirms nothing: the agent has no way to confirm at all.
func TestNoMessageToTheAgentConfirmsADraft(t *testing.T) {
	s := newShop(t, 1)
	f := s.ask("перемести излишки туда, где дефицит")
	if len(f.Drafts) != 1 {
		t.Fatal(f.Failure, f.Question)
	}
	for _, said := range []string{"подтверждаю", "подтверди черновик " + string(f.Drafts[0].ID), "confirm", "да"} {
		s.ask(said)
	}
	d, err := s.db.Draft(t.Context(), s.org, f.Drafts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range d.Documents {
		if doc.State != stockhand.DocumentPending {
			t.Errorf("a document is %s", doc.State)
		}
	}
}

func TestARunResumedAfterItsDraftWasStoredCreatesNoSecondDraft(t *testing.T) {
	s := newShop(t, 1)
	first := s.ask("перемести излишки туда, где дефицит")
	if len(first.Drafts) != 1 {
		t.Fatal(first.Failure, first.Question)
	}
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: s.session,
		Text: "перемести излишки туда, где дефицит", Created: now}
	_, r, err := s.db.CreateRun(t.Context(), s.org, m,
		stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = s.db.ClaimRun(t.Context(), s.org, r.ID, r.Generation); err != nil {
		t.Fatal(err)
	}
	call := stockhand.ToolCall{Run: r.ID, Seq: 1, Tool: first.ToolCalls[0].Name,
		Arguments: first.ToolCalls[0].Arguments, Started: now}
	if _, err := s.db.BeginToolCall(t.Context(), s.org, r.Generation, call); err != nil {
		t.Fatal(err)
	}
	f := s.resumed(r) // makes the draft and finishes
	if len(f.Drafts) != 1 || f.Drafts[0].ID == first.Drafts[0].ID {
		t.Fatalf("%+v", f)
	}
	all, err := s.db.Drafts(t.Context(), s.org, "", "", "", 10)
	if err != nil || len(all) != 2 {
		t.Errorf("%d drafts for two runs, %v", len(all), err)
	}
}
