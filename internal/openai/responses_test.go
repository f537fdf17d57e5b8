package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// say is a request with one message.
func say(model, text string) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: model,
		Input: responses.ResponseNewParamsInputUnion{OfString: param.NewOpt(text)}}
}

// respond is a request that succeeds.
func respond(t *testing.T, c sdk.Client, q responses.ResponseNewParams,
	more ...option.RequestOption) *responses.Response {
	t.Helper()
	got, err := c.Responses.New(t.Context(), q, more...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAResponseIsAnAgentsAnswer(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	q := say("stockhand", task)
	q.Metadata = map[string]string{"order": "7"}
	q.Temperature = param.NewOpt(0.2)
	got := respond(t, c, q)
	if got.Status != responses.ResponseStatusCompleted || !strings.Contains(got.OutputText(), "₽") ||
		len(got.Output) != 1 || got.Output[0].Role != "assistant" || got.Metadata["order"] != "7" ||
		got.Temperature != 0.2 || got.Usage.TotalTokens != got.Usage.InputTokens+got.Usage.OutputTokens {
		t.Errorf("answered %s", got.RawJSON())
	}
	if x := extension(t, got.RawJSON()); len(x.Results) != 1 || x.Session == "" {
		t.Errorf("the extension is %+v", x)
	}
	again, err := c.Responses.Get(t.Context(), got.ID, responses.ResponseGetParams{})
	if err != nil || again.OutputText() != got.OutputText() || again.Output[0].ID != got.Output[0].ID {
		t.Errorf("read again: %v %s", err, again.RawJSON())
	}
	if err := c.Responses.Delete(t.Context(), got.ID); err != nil {
		t.Error(err)
	}
	if _, err := c.Responses.Get(t.Context(), got.ID, responses.ResponseGetParams{}); status(err) != 404 {
		t.Errorf("after its deletion: %v", err)
	}
	if a := s.Do(http.MethodGet, "/sessions/"+extension(t, got.RawJSON()).Session, s.AdminToken, nil); a.Status != 200 {
		t.Errorf("its session: %d %s", a.Status, a.Body)
	}
}

// status returns the status of the client's error, or 0.
func status(err error) int {
	if e, ok := errors.AsType[*sdk.Error](err); ok {
		return e.StatusCode
	}
	return 0
}

// events reads a stream to its end and checks what holds for every stream.
func events(t *testing.T, c sdk.Client, q responses.ResponseNewParams, more ...option.RequestOption) (
	all []responses.ResponseStreamEventUnion) {
	t.Helper()
	stream := c.Responses.NewStreaming(t.Context(), q, more...)
	for stream.Next() {
		all = append(all, stream.Current())
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		if e.SequenceNumber != int64(i) {
			t.Errorf("event %d has the number %d", i, e.SequenceNumber)
		}
	}
	return all
}

// types lists the types of events, of repeated ones the first.
func types(all []responses.ResponseStreamEventUnion) string {
	var b strings.Builder
	last := ""
	for _, e := range all {
		if e.Type != last {
			b.WriteString(strings.TrimPrefix(e.Type, "response.") + " ")
		}
		last = e.Type
	}
	return strings.TrimSpace(b.String())
}

const textEvents = "created in_progress output_item.added content_part.added output_text.delta output_text.done " +
	"content_part.done output_item.done "

func TestAResponseIsStreamedAsTypedEvents(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	all := events(t, c, say("stockhand", task))
	if got := types(all); got != textEvents+"completed" {
		t.Errorf("events %s", got)
	}
	var text strings.Builder
	for _, e := range all {
		if e.Type == "response.output_text.delta" {
			text.WriteString(e.Delta)
			if e.ItemID != all[2].Item.ID {
				t.Errorf("a piece of %s", e.ItemID)
			}
		}
	}
	last := all[len(all)-1].Response
	if text.String() != last.OutputText() || !strings.Contains(text.String(), "₽") {
		t.Errorf("streamed %q of %q", text.String(), last.OutputText())
	}
	if x := extension(t, last.RawJSON()); len(x.Results) != 1 || x.Session == "" || all[0].Response.ID != last.ID {
		t.Errorf("the end is %s", last.RawJSON())
	}
	progress := events(t, c, say("stockhand", task), option.WithJSONSet("stream_options.include_tool_progress", true))
	if !strings.Contains(types(progress), "tool.progress") || strings.Contains(types(all), "tool.progress") {
		t.Errorf("events with progress: %s", types(progress))
	}
}

func TestAResponseContinuesItsSession(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	c := client(s, key)
	first := respond(t, c, say("stockhand", "прибыльность по товарам за прошлый месяц"))
	q := say("stockhand", "а за этот месяц?")
	q.PreviousResponseID = param.NewOpt(first.ID)
	next := respond(t, c, q)
	session := extension(t, first.RawJSON()).Session
	if x := extension(t, next.RawJSON()); x.Session != session || len(x.Results) != 1 ||
		next.PreviousResponseID != first.ID {
		t.Errorf("continued %+v in %s: %s", x, session, next.OutputText())
	}
	chat, err := c.Chat.Completions.New(t.Context(), ask("а за прошлую неделю?"),
		option.WithJSONSet("session_id", session))
	if err != nil || extension(t, chat.RawJSON()).Session != session {
		t.Errorf("as a chat: %v", err)
	}
	unstored := say("stockhand", task)
	unstored.Store = param.NewOpt(false)
	q.PreviousResponseID = param.NewOpt(respond(t, c, unstored).ID)
	if _, err := c.Responses.New(t.Context(), q); status(err) != http.StatusNotFound {
		t.Errorf("one that was not stored is continued: %v", err)
	}
}

func TestASecretInARequestIsNotStoredWithItsResponse(t *testing.T) { // rule R111
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	secret := s.Key(stockhand.ScopeChat)
	q := say("stockhand", task+" "+secret)
	q.Instructions = param.NewOpt("Use " + secret)
	c := client(s, s.Key(stockhand.ScopeChat))
	first := respond(t, c, q)
	stored, err := s.Store.System().Responses().Response(t.Context(), s.OrgID, stockhand.ResponseID(first.ID))
	if err != nil || strings.Contains(string(stored.Body), secret) ||
		!strings.Contains(string(stored.Body), "[redacted]") {
		t.Errorf("%v %s", err, stored.Body)
	}
	if _, err := c.Responses.Get(t.Context(), first.ID, responses.ResponseGetParams{}); err != nil {
		t.Error(err)
	}
}

// The ID of a response is no secret: what it gives access to depends on the caller alone.
func TestAttackAnotherOrganizationContinuesAResponse(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	first := respond(t, client(s, s.Key(stockhand.ScopeChat)), say("stockhand", task))
	other, _ := s.Organization("Others")
	_, theirs := s.NewKey(other, auth.NewKey{Name: "x", Scopes: []stockhand.Scope{stockhand.ScopeChat}})
	for name, key := range map[string]string{"another organization": theirs,
		"another key without read:data": s.Key(stockhand.ScopeChat)} {
		c := client(s, key)
		q := say("stockhand", "а за прошлый месяц?")
		q.PreviousResponseID = param.NewOpt(first.ID)
		_, err := c.Responses.New(t.Context(), q)
		e, ok := errors.AsType[*sdk.Error](err)
		if !ok || e.StatusCode != http.StatusNotFound || e.Param != "previous_response_id" ||
			e.Type != "invalid_request_error" {
			t.Errorf("%s continues it: %v", name, err)
		}
		if _, err := c.Responses.Get(t.Context(), first.ID, responses.ResponseGetParams{}); status(err) != 404 {
			t.Errorf("%s reads it: %v", name, err)
		}
		if err := c.Responses.Delete(t.Context(), first.ID); status(err) != http.StatusNotFound {
			t.Errorf("%s deletes it: %v", name, err)
		}
		reference := s.Do(http.MethodPost, "/v1/responses", key, map[string]any{"model": "stockhand", "input": []any{
			map[string]any{"type": "item_reference", "id": first.Output[0].ID},
			map[string]any{"role": "user", "content": "повтори"}}})
		if reference.Status != http.StatusNotFound || strings.Contains(string(reference.Body), "₽") {
			t.Errorf("%s refers to its item: %d %s", name, reference.Status, reference.Body)
		}
	}
}

func TestAnAgentReadsTheItemsOfAConversation(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	first := respond(t, client(s, key), say("stockhand", "прибыльность по товарам за прошлый месяц"))
	for name, answer := range map[string]any{
		"a message": map[string]any{"role": "assistant", "content": []any{
			map[string]any{"type": "output_text", "text": "…"}}},
		"a reference": map[string]any{"type": "item_reference", "id": first.Output[0].ID},
	} {
		got := s.Do(http.MethodPost, "/v1/responses", key, map[string]any{"model": "stockhand",
			"tools":        []any{map[string]any{"type": "function", "name": "f"}, map[string]any{"type": "web_search"}},
			"instructions": "Be brief.", "max_output_tokens": 10, "x_unknown": 1, "include": []any{"x"},
			"tool_choice": "auto",
			"input": []any{
				map[string]any{"role": "developer", "content": "Be brief."},
				map[string]any{"role": "user", "content": "прибыльность по товарам за прошлый месяц"}, answer,
				map[string]any{"type": "message", "role": "user", "content": []any{
					map[string]any{"type": "input_text", "text": "а за этот месяц?"}}}}})
		if x := extension(t, string(got.Body)); got.Status != http.StatusOK || len(x.Results) != 1 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
}

func TestAWrongRequestForAResponseNamesItsField(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	key := s.Key(stockhand.ScopeChat)
	function := `"tools":[{"type":"function","name":"f"}]`
	for body, param := range map[string]string{
		"":                                  "body",
		"garbage":                           "body",
		"[1]":                               "body",
		"null":                              "body",
		`{"input":"x"}`:                     "model",
		`{"model":"stockhand"}`:             "input",
		`{"model":"stockhand","input":""}`:  "input",
		`{"model":"stockhand","input":[]}`:  "input",
		`{"model":"stockhand","input":7}`:   "input",
		`{"model":"stockhand","input":[7]}`: "input[0]",
		`{"model":"stockhand","input":[{"type":"web_search_call","id":"x"}]}`:                                     "input[0]",
		`{"model":"stockhand","input":[{"role":"narrator","content":"x"}]}`:                                       "input[0]",
		`{"model":"stockhand","input":[{"role":"system","content":"x"}]}`:                                         "input",
		`{"model":"stockhand","input":[{"type":"item_reference","id":"msg_x"}]}`:                                  "input",
		`{"model":"stockhand","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:,"}]}]}`: "input",
		`{"model":"stockhand","input":"x","stream":"yes"}`:                                                        "stream",
		`{"model":"stockhand","input":"x","background":true}`:                                                     "background",
		`{"model":"stockhand","input":"x","conversation":"conv_1"}`:                                               "conversation",
		`{"model":"stockhand","input":"x","prompt":{"id":"p"}}`:                                                   "prompt",
		`{"model":"stockhand","input":"x","text":{"format":{"type":"json_object"}}}`:                              "text.format",
		`{"model":"stockhand","input":"x","tool_choice":"required",` + function + `}`:                             "tool_choice",
		`{"model":"stockhand","input":"x","previous_response_id":"resp_none"}`:                                    "previous_response_id",
		`{"model":"stockhand","input":"x","metadata":{"a":1}}`:                                                    "metadata",
	} {
		got := s.Do(http.MethodPost, "/v1/responses", key, body)
		var e struct {
			Error struct{ Type, Param, Message string }
		}
		if err := json.Unmarshal(got.Body, &e); err != nil || got.Status != 422 && got.Status != 404 ||
			e.Error.Type != "invalid_request_error" || e.Error.Param != param || e.Error.Message == "" {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	for _, token := range []string{"", "sk-org-nonsense", s.Key(stockhand.ScopeReadTools)} {
		if got := s.Do(http.MethodPost, "/v1/responses", token, `{"model":"stockhand","input":"x"}`); got.Status != 401 &&
			got.Status != 403 || !strings.Contains(string(got.Body), `"error":{`) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
}

func TestACallerOfAResponseWhoGoesAwayEndsTheRun(t *testing.T) {
	for name, streamed := range map[string]bool{"whole": false, "streamed": true} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Start(t, apptest.Options{Accounts: 1})
			if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 3000}); err != nil {
				t.Fatal(err)
			}
			c := client(s, s.Key(stockhand.ScopeChat))
			ctx, leave := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer leave()
			if q := say("stockhand", "остатки по складам"); streamed {
				stream := c.Responses.NewStreaming(t.Context(), q,
					option.WithJSONSet("stream_options.include_tool_progress", true))
				stream.Next()
				if err := stream.Close(); err != nil {
					t.Fatal(err)
				}
			} else if _, err := c.Responses.New(ctx, q); err == nil {
				t.Fatal("it was answered")
			}
			wantCancelled(t, s)
			sessions, err := s.Store.Sessions(t.Context(), s.OrgID, stockhand.SessionChat, "", "", 0)
			if err != nil {
				t.Fatal(err)
			}
			messages, err := s.Store.Messages(t.Context(), s.OrgID, sessions[0].ID, "", 0)
			if err != nil {
				t.Fatal(err)
			}
			id := "resp_" + strings.TrimPrefix(string(messages[0].ID), "msg_")
			if got := s.Do(http.MethodGet, "/v1/responses/"+id, s.AdminToken, nil); got.Status != http.StatusOK ||
				!strings.Contains(string(got.Body), `"status":"cancelled"`) {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		})
	}
}

func TestAResponseWhoseRunFailsSaysWhy(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 1000, Status: 401}); err != nil {
		t.Fatal(err)
	}
	c := client(s, s.Key(stockhand.ScopeChat))
	if _, err := c.Responses.New(t.Context(), say("stockhand", "остатки по складам")); status(err) < 400 {
		t.Errorf("answered with %v", err)
	}
	all := events(t, c, say("stockhand", "остатки по складам"),
		option.WithJSONSet("stream_options.include_tool_progress", true))
	last := all[len(all)-1]
	if last.Type != "response.failed" || last.Response.Error.Message == "" || last.Response.Error.Code == "" ||
		last.Response.Status != responses.ResponseStatusFailed {
		t.Fatalf("the last event is %s", last.RawJSON())
	}
	again, err := c.Responses.Get(t.Context(), last.Response.ID, responses.ResponseGetParams{})
	if err != nil || again.Error.Message != last.Response.Error.Message || again.Status != last.Response.Status {
		t.Errorf("read again: %v %s", err, again.RawJSON())
	}
}

func TestAResponseIsKeptNoLongerThanItsSession(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	c := client(s, s.Key(stockhand.ScopeChat))
	for days, want := range map[int]int{3: 3, 365: 30} {
		a := s.Do(http.MethodPatch, "/organizations/"+string(s.OrgID)+"/settings", s.AdminToken,
			map[string]any{"retention": map[string]any{"sessions_days": days, "results_days": nil, "audit_days": nil,
				"answers_days": nil}})
		if a.Status != http.StatusOK {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		id := respond(t, c, say("stockhand", task)).ID
		stored, err := s.Store.System().Responses().Response(t.Context(), s.OrgID, stockhand.ResponseID(id))
		if err != nil {
			t.Fatal(err)
		}
		if life := stored.Expires.Sub(stored.Created); life != time.Duration(want)*24*time.Hour {
			t.Errorf("sessions are kept for %d days, and the response for %v", days, life)
		}
	}
}
