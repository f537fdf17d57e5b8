package replay_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/traffic"
)

// made sends a request that must succeed, and returns what it made.
func made(t *testing.T, s *apptest.Service, method, path, token string, body any) (out struct{ ID string }) {
	t.Helper()
	a := s.Do(method, path, token, body)
	if a.Status/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
	}
	a.Decode(t, &out)
	return out
}

// Agents of the organization, keys that are bound, and measures of the organization are part of what is replayed.
func TestRule571_AgentsBoundKeysAndOwnMeasuresAreReplayed(t *testing.T) {
	t.Parallel()
	read := []string{}
	s := live(t, traffic.Limits{Age: time.Hour, Size: 64 << 20}, func(_ int, r llmtest.Request) llmtest.Answer {
		switch last := r.Messages[len(r.Messages)-1]; {
		case last.Role == llm.ToolRole:
			read = append(read, last.Content)
			return llmtest.Say("Готово: смотрите таблицу.")
		case strings.Contains(last.Content, "наценка"):
			return llmtest.CallTool("analyze", `{"measures":["revenue","our_markup"],"by":["group"],`+october+`}`)
		}
		return llmtest.CallTool("stock", `{}`)
	})
	org := "/organizations/" + string(s.OrgID)
	define := func(name, formula, unit string) {
		t.Helper()
		made(t, s, "PUT", org+"/measures/"+name, s.AdminToken, map[string]any{"title": map[string]string{"ru": name},
			"unit": unit, "formula": formula})
	}
	define("our_profit", "revenue - cost", "money")
	define("our_markup", "our_profit / cost", "percent")
	agent := made(t, s, "POST", org+"/agents", s.AdminToken, map[string]any{"name": "Коротко",
		"instructions": "Отвечай коротко.", "tools": []string{"moysklad_analyze", "moysklad_stock"},
		"connections": []string{string(s.Connections[0].ID)}}).ID
	export := func(m turn) []byte {
		t.Helper()
		a := s.Do("GET", m.cassette(), s.AdminToken, nil)
		if a.Status != http.StatusOK {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		return a.Body
	}
	ask := func(key, text string, more map[string]any) (m turn) {
		t.Helper()
		body := map[string]any{"message": text, "connection_id": s.Connections[0].ID}
		for name, v := range more {
			body[name] = v
		}
		a := s.Do("POST", "/sessions/stream?wait=60", key, body)
		if a.Decode(t, &m); m.Answer == "" {
			t.Fatalf("%s: %s", text, a.Body)
		}
		return m
	}
	first := ask(s.AdminToken, "Наша наценка по группам за октябрь", map[string]any{"agent_id": agent})
	c := same(t, export(first))
	if a := c.Turns[0].Agent; a == nil || a.Instructions != "Отвечай коротко." || len(a.Tools) != 2 ||
		len(a.Connections) != 1 || len(c.Turns[0].Measures) != 2 {
		t.Errorf("%+v, %d measures", a, len(c.Turns[0].Measures))
	}
	made(t, s, "DELETE", org+"/measures/our_markup", s.AdminToken, nil) // the next turn has other measures
	define("our_markup", "our_profit / cost * 1", "percent")
	second := ask(s.AdminToken, "Ещё раз, наша наценка по группам за октябрь", map[string]any{"session_id": first.Session})
	if c := same(t, export(second)); len(c.Turns) != 2 || c.Turns[1].Agent == nil {
		t.Errorf("%+v", c.Turns)
	}
	_, key := s.NewKey(s.OrgID, auth.NewKey{Name: "bound", Scopes: []stockhand.Scope{stockhand.ScopeWriteTools},
		Binding: stockhand.Binding{Connections: []stockhand.ConnectionID{s.Connections[0].ID},
			Tools: []string{"moysklad_stock"}}})
	third := ask(key, "Остатки по складам", nil)
	c = same(t, export(third))
	if a := c.Turns[0].Agent; a == nil || len(a.Tools) != 1 || len(a.Connections) != 1 {
		t.Errorf("%+v", a)
	}
	for i, text := range read {
		if strings.HasPrefix(text, "Failed") || strings.HasPrefix(text, "Not made") {
			t.Errorf("call %d: %s", i+1, text)
		}
	}
}

// What a caller of /v1 sends as the conversation before is in the cassette.
func TestRule571_AHistoryOfTheCallerIsReplayed(t *testing.T) {
	t.Parallel()
	s := live(t, traffic.Limits{Age: time.Hour, Size: 64 << 20}, steps(
		say(llmtest.CallTool("analyze", `{"measures":["revenue"],`+october+`}`)),
		func(t table) llmtest.Answer {
			return llmtest.Say("Выручка — " + t.cell(0, "revenue") + " ₽.")
		}))
	label := s.Connections[0].Label
	a := s.Do("POST", "/v1/chat/completions", s.AdminToken, map[string]any{"model": "stockhand",
		"messages": []map[string]string{{"role": "user", "content": "бюджет на закупку 300 тысяч. Как дела?"},
			{"role": "assistant", "content": "Хорошо. Что посмотреть?"},
			{"role": "user", "content": label + ": подумай, какая выручка была за октябрь"}}})
	var v struct {
		Session stockhand.SessionID `json:"session_id"`
	}
	a.Decode(t, &v)
	var list struct {
		Data []struct {
			ID   stockhand.MessageID `json:"id"`
			Role string              `json:"role"`
		} `json:"data"`
	}
	raw := s.Do("GET", "/sessions/"+string(v.Session)+"/messages", s.AdminToken, nil)
	raw.Decode(t, &list)
	if len(list.Data) == 0 {
		t.Fatalf("%s %s", a.Body, raw.Body)
	}
	export := s.Do("GET", turn{Session: v.Session, Message: list.Data[0].ID}.cassette(), s.AdminToken, nil)
	if export.Status != http.StatusOK || !strings.Contains(string(export.Body), "300 тысяч") {
		t.Fatalf("%d %.300s", export.Status, export.Body)
	}
	c := same(t, export.Body)
	if len(c.Turns) != 1 || len(c.Turns[0].History) == 0 || len(c.Turns[0].Steps) != 2 {
		t.Errorf("%d turns: %+v", len(c.Turns), c.Turns)
	}
}

// An export without its traffic says exactly why.
func TestRule571_WhatIsNotKeptSaysWhy(t *testing.T) {
	t.Parallel()
	s := live(t, traffic.Limits{Age: 48 * time.Hour, Size: 64 << 20}, steps(
		say(llmtest.CallTool("propose_supplier_orders", `{}`)), say(llmtest.Say("Черновик готов."))))
	refused := func(m turn, why string) {
		t.Helper()
		a := s.Do("GET", m.cassette(), s.AdminToken, nil)
		if a.Status != http.StatusNotFound || !strings.Contains(string(a.Body), why) {
			t.Errorf("%d %s, want %q", a.Status, a.Body, why)
		}
	}
	first := tell(t, s, "", "Закажи у поставщиков всё, что ниже минимума")
	if err := s.Drafts.StopWrites(t.Context(), stockhand.Actor{Org: s.OrgID, Name: "user:x", Person: true,
		Role: stockhand.RoleOwner}, true); err != nil {
		t.Fatal(err)
	}
	second := tell(t, s, first.Session, "отмени черновик")
	refused(second, "all writes were stopped")
	var direct struct {
		Session stockhand.SessionID `json:"session_id"`
		Message stockhand.MessageID `json:"message_id"`
	}
	s.Do("POST", "/tools/moysklad_stock/execute", s.AdminToken, map[string]any{"connection_id": s.Connections[0].ID}).
		Decode(t, &direct)
	refused(turn{Session: direct.Session, Message: direct.Message}, "a call of a tool by a program")
	if more, err := s.Store.System().Traffic().Forget(t.Context(), time.Now().Add(time.Minute)); more || err != nil {
		t.Error(more, err)
	}
	refused(first, "newer turns took its place")
}
