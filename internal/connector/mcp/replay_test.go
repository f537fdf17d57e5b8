package mcp_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/replay"
	"github.com/stockhand/stockhand/internal/traffic"
)

// desk is a model that reads tickets and proposes one.
func desk(_ int, r llmtest.Request) llmtest.Answer {
	switch last := r.Messages[len(r.Messages)-1]; {
	case last.Role == llm.User && strings.Contains(last.Content, "notes"):
		return llmtest.CallTools(llmtest.Call("call_1", "notes", `{}`), llmtest.Call("call_3", "fails", `{}`))
	case last.Role == llm.User:
		return llmtest.CallTool("list_tickets", `{"state": "open"}`)
	case last.CallID == "call_1" && strings.Contains(last.Content, "Broken"):
		return llmtest.CallTools(llmtest.Call("call_2", "create_ticket", `{"title": "x"}`))
	}
	return llmtest.Say("Done: see the table.")
}

// A conversation of an agent with another server's tools, and of words that decide on its drafts, is exported without
// secrets and replayed without a network.
func TestRule710_TrafficWithOtherServersIsReplayed(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, desk)
	o := serve(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) {
		c.MCPPrivate, c.LLM, c.Traffic = loopback, model.Config(), traffic.Limits{Age: time.Hour, Size: 64 << 20}
	}})
	c := connect(t, s, o)
	type turn struct {
		Session string `json:"session_id"`
		Message string `json:"message_id"`
		Answer  string `json:"final_response"`
		Drafts  []struct{ ID string }
	}
	tell := func(session, text string) turn {
		t.Helper()
		body := map[string]any{"message": text}
		if session == "" {
			body["agent_id"] = named(t, s, c)
		} else {
			body["session_id"] = session
		}
		return ask[turn](t, s, http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, body, http.StatusOK)
	}
	first := tell("", "hm, which tickets are open? create one")
	second := tell(first.Session, "confirm")
	third := tell(first.Session, "hm, what do the notes say")
	if len(first.Drafts) != 1 || o.count("create_ticket") != 1 || o.count("notes") != 1 {
		t.Fatalf("%+v; %+v; %d calls", first, second, o.count("create_ticket"))
	}
	export := s.Do(http.MethodGet, "/sessions/"+third.Session+"/messages/"+third.Message+"/cassette", s.AdminToken, nil)
	if export.Status != http.StatusOK {
		t.Fatalf("%d %s", export.Status, export.Body)
	}
	for _, secret := range []string{token, s.AdminToken, strings.TrimPrefix(o.URL, "http://"), s.URL, s.SandboxURL} {
		if bytes.Contains(export.Body, []byte(secret)) {
			t.Errorf("%s is in the cassette", secret)
		}
	}
	o.Server.Close()
	recorded, err := cassette.Read(bytes.NewReader(export.Body))
	if err != nil {
		t.Fatal(err)
	}
	played, err := replay.Run(t.Context(), recorded, nil)
	if err != nil || len(played) != 3 {
		t.Fatalf("%d turns, %v", len(played), err)
	}
	for i, p := range played {
		if len(p.Differences)+len(p.Missing) > 0 {
			t.Errorf("turn %d: %v, missing %v", i+1, p.Differences, p.Missing)
		}
	}
	if got := played[1].Finished.FinalResponse; !strings.Contains(got, "ticket 77 was created") {
		t.Errorf("the confirmation: %q, was %q", got, second.Answer)
	}
	var again bytes.Buffer
	if err := recorded.Write(&again, cassette.Secrets{}); err != nil || again.String() != string(export.Body) {
		t.Errorf("written again it differs, %v", err)
	}
}
