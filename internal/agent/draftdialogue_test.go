package agent_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/notes"
	"github.com/stockhand/stockhand/internal/tool"
)

var draftID = regexp.MustCompile(`drf_[0-9a-z]+`)

// inDraft returns the draft that a request names first, and the goods in the table of the last tool's answer.
func inDraft(r llmtest.Request) (id string, goods []string) {
	var all string
	for _, m := range r.Messages {
		all += m.Content + "\n"
	}
	lines := strings.Split(r.Last(llm.ToolRole).Content, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "document|title|product") {
			for _, row := range lines[i+1:] {
				cells := strings.Split(row, "|")
				if len(cells) > 3 && cells[0] != "TOTAL" && !strings.Contains(row, "OTHER") {
					goods = append(goods, cells[2])
				}
			}
		}
	}
	return draftID.FindString(all), goods
}

// R472
func TestAModelShowsAndChangesADraft(t *testing.T) {
	var gone string
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		id, goods := inDraft(r)
		switch n {
		case 0:
			return llmtest.CallTool("propose_transfers", `{}`)
		case 1, 5, 8:
			return llmtest.Say("Готово.")
		case 2:
			return llmtest.CallTool("drafts", `{}`)
		case 3:
			return llmtest.CallTool("drafts", `{"draft":"`+id+`"}`)
		case 4:
			if len(goods) < 2 {
				t.Fatalf("%d goods in %s", len(goods), r.Last(llm.ToolRole).Content)
			}
			gone = goods[0]
			return llmtest.CallTool("edit_draft", fmt.Sprintf(`{"draft":%q,"drop":[%q]}`, id, gone))
		case 6: // a second proposal replaces the draft
			return llmtest.CallTool("propose_transfers", `{"instead":"`+id+`","days":7}`)
		}
		return llmtest.Say("Готово, отправлено.")
	})
	first := s.ask("перемести излишки туда, где дефицит")
	if len(first.Drafts) != 1 {
		t.Fatalf("%+v", first.Failure)
	}
	f := s.ask("убери из черновика первую строку этого списка товаров")
	if f.Failure != nil || len(f.Drafts) != 1 || f.Drafts[0].ID != first.Drafts[0].ID || f.Drafts[0].Version != 2 {
		t.Fatalf("%+v: %+v", f.Failure, f.Drafts)
	}
	for _, doc := range f.Drafts[0].Documents {
		if doc.State != stockhand.DocumentPending ||
			slices.ContainsFunc(doc.Lines, func(l tool.Line) bool { return l.Product.Name == gone }) {
			t.Errorf("%s is %s and has %q still", doc.Title, doc.State, gone)
		}
	}
	if !strings.Contains(f.FinalResponse, "версия 2") {
		t.Errorf("the draft is not shown: %s", f.FinalResponse)
	}
	f = s.ask("предложи вместо этого черновика на неделю")
	if f.Failure != nil || len(f.Drafts) != 1 || f.Drafts[0].ID != first.Drafts[0].ID || f.Drafts[0].Version != 3 {
		t.Fatalf("%+v: %+v", f.Failure, f.Drafts)
	}
	all, err := s.db.Drafts(t.Context(), s.org, "", "", "", 10)
	if err != nil || len(all) != 1 {
		t.Errorf("%d drafts, %v", len(all), err)
	}
}

// A model cannot change a draft when the person asked for no change.
func TestADraftIsNotChangedWithoutARequest(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("propose_transfers", `{}`)
		case 2:
			id, _ := inDraft(r)
			return llmtest.CallTool("edit_draft", `{"draft":"`+id+`","drop":["1"]}`)
		case 3:
			if got := r.Last(llm.ToolRole).Content; !strings.Contains(got, "asked for no change") {
				t.Errorf("the model read %q", got)
			}
		}
		return llmtest.Say("Вот.")
	})
	d := s.ask("перемести излишки туда, где дефицит").Drafts[0]
	s.ask("сколько денег на счетах и какая прибыль?")
	if now, err := s.db.Draft(t.Context(), s.org, d.ID); err != nil || now.Version != 1 {
		t.Errorf("version %d, %v", now.Version, err)
	}
}

// R473
func TestAModelReadsNotesAndProposesThem(t *testing.T) {
	var kept *notes.Service
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			if !strings.Contains(r.Messages[0].Content, "Финансовый год с апреля.") {
				t.Errorf("the model does not read the notes: %s", r.Messages[0].Content)
			}
			return llmtest.CallTool("propose_note", `{"add":"Срок поставки у «Востока» 14 дней."}`)
		case 1:
			return llmtest.Say("Предложил заметку: срок 14 дней.")
		}
		return llmtest.Say("Вот.")
	}, func(c *agent.Config) {
		kept = &notes.Service{Store: c.Store.(notes.Store)}
		c.Notes = kept
	})
	owner := stockhand.Actor{Org: s.org, Name: "user:usr_1", Person: true, Role: stockhand.RoleOwner}
	if err := kept.Set(t.Context(), owner, "Финансовый год с апреля."); err != nil {
		t.Fatal(err)
	}
	f := s.ask("запомни: срок поставки у «Востока» 14 дней")
	if f.Failure != nil || len(f.Drafts) != 1 || f.Drafts[0].Documents[0].Kind != tool.NoteChange ||
		!strings.Contains(f.FinalResponse, "Срок поставки у «Востока» 14 дней.") {
		t.Fatalf("%+v: %s", f.Failure, f.FinalResponse)
	}
	if now, err := kept.Text(t.Context(), s.org); err != nil || now != "Финансовый год с апреля." {
		t.Errorf("written without a person: %q, %v", now, err)
	}
}

// R470
func TestFailedAndCancelledTurnsAreRemembered(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		var before string
		for _, m := range r.Messages {
			before += m.Role + ": " + m.Content + "\n"
		}
		if n > 0 {
			for _, want := range []string{
				"user: что с прибылью?\nassistant: (No answer was given: <data>the person cancelled this turn",
				"user: и по всем аккаунтам вместе\nassistant: (No answer was given: <data>the turn failed: CONSOLIDATION_REFUSED"} {
				if !strings.Contains(before, want) {
					t.Errorf("%q is not in what the model read: %s", want, before)
				}
			}
		}
		return llmtest.Say("Вот.")
	})
	s.ask("как дела у магазина в этом году?")
	end := func(text string, how func(stockhand.Run) error) {
		m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: s.session, Text: text,
			Created: now}
		_, r, err := s.db.CreateRun(t.Context(), s.org, m,
			stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if err := how(r); err != nil {
			t.Fatal(err)
		}
	}
	end("что с прибылью?", func(r stockhand.Run) error {
		_, err := s.db.CancelRun(t.Context(), s.org, r.ID, stockhand.Event{Type: stockhand.EventCancelled,
			Data: json.RawMessage(`{}`)})
		return err
	})
	end("и по всем аккаунтам вместе", func(r stockhand.Run) error {
		r, err := s.db.ClaimRun(t.Context(), s.org, r.ID, r.Generation)
		if err != nil {
			return err
		}
		_, err = s.db.FinishRun(t.Context(), s.org, stockhand.RunEnd{Run: r.ID, Generation: r.Generation,
			State: stockhand.RunFailed, Events: []stockhand.Event{{Type: stockhand.EventError,
				Data: json.RawMessage(`{"code":"CONSOLIDATION_REFUSED","message":"one account at a time"}`)}}})
		return err
	})
	if f := s.ask("попробуй ещё раз"); f.Failure != nil {
		t.Error(f.Failure)
	}
	if n := len(s.model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}
