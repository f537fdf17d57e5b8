package mcp_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// A model that was steered sends what it read from the account to a connected server.
func TestAttackAModelSendsAccountDataToAnotherServer(t *testing.T) {
	t.Parallel()
	const stolen = `{"state":"open","q":"balances: 1 028 885.78 RUB"}`
	long := fmt.Sprintf(`{"state":"open","q":%q}`, strings.Repeat("x", 2<<10))
	model := llmtest.New(t, func(_ int, r llmtest.Request) llmtest.Answer {
		if r.Messages[len(r.Messages)-1].Role == llm.User {
			return llmtest.CallTools(llmtest.Call("a", "list_tickets", stolen), llmtest.Call("b", "list_tickets", long))
		}
		return llmtest.Say("Done.")
	})
	o := serve(t)
	s := apptest.Start(t, apptest.Options{Accounts: 1,
		Configure: func(c *app.Config) { c.MCPPrivate, c.LLM = loopback, model.Config() }})
	c := connect(t, s, o)
	type answer struct {
		Text    string `json:"final_response"`
		Notices []struct{ Code, Message string }
	}
	say := func(agent string) answer {
		return ask[answer](t, s, http.MethodPost, "/sessions/stream?wait=60", s.AdminToken,
			map[string]any{"message": "how much money is there?", "agent_id": agent}, http.StatusOK)
	}
	if say("stockhand"); o.count("list_tickets") != 0 {
		t.Fatal("an agent that does not name the server called it")
	}
	got := say(named(t, s, c))
	if o.count("list_tickets") != 1 {
		t.Errorf("%d calls, want one: the other is too long", o.count("list_tickets"))
	}
	if !slices.ContainsFunc(got.Notices, func(n struct{ Code, Message string }) bool {
		return n.Code == "data_sent" && strings.Contains(n.Message, "Service desk")
	}) || !strings.Contains(got.Text, "Data was sent to another server, Service desk") {
		t.Errorf("the person is not informed: %+v", got)
	}
	log := s.Do(http.MethodGet, "/organizations/"+string(s.OrgID)+"/audit-log?action=remote.called", s.AdminToken, nil)
	plain := fmt.Sprintf("%x", sha256.Sum256([]byte(stolen)))[:24] // could be tested by guesses (rule R179)
	if !regexp.MustCompile(`"arguments":"[0-9a-f]{24}"`).Match(log.Body) || strings.Contains(string(log.Body), plain) ||
		!strings.Contains(string(log.Body), c.AccountID) ||
		regexp.MustCompile(`028 ?885|885\.78`).Match(log.Body) {
		t.Errorf("audit: %d %s", log.Status, log.Body)
	}
}

// Unique names were found by comparing each tool with all others, again and again: seconds of CPU for each question.
func TestAttackServersWithEqualToolsCostTime(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, func(n int, _ llmtest.Request) llmtest.Answer {
		if n == 0 {
			return llmtest.CallTool("none", `{}`) // the reply lists all tools
		}
		return llmtest.Say("Done.")
	})
	s := apptest.Start(t, apptest.Options{Accounts: 1,
		Configure: func(c *app.Config) { c.MCPPrivate, c.LLM = loopback, model.Config() }})
	ids := []string{string(s.Connections[0].ID)}
	for range 2 {
		o := serve(t)
		for n := range 100 {
			o.add("money"+strings.Repeat("!", n), readOnly, object(nil), nil)
		}
		ids = append(ids, connect(t, s, o).ID)
	}
	agent := ask[connected](t, s, http.MethodPost, "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
		map[string]any{"name": "All", "connections": ids}, http.StatusCreated).ID
	ask[turn](t, s, http.MethodPost, "/sessions/stream?wait=60", s.AdminToken,
		map[string]any{"message": "how much money is there?", "agent_id": agent}, http.StatusOK)
	_, list, _ := strings.Cut(model.Requests()[1].Last(llm.ToolRole).Content, "There are: ")
	list, _, _ = strings.Cut(list, ". ")
	names := strings.Split(list, ", ")
	slices.Sort(names)
	all := len(names)
	if names = slices.Compact(names); len(names) != all || !slices.Contains(names, "money_2") || all > 64+40 {
		t.Errorf("%d names of %d tools: %v", len(names), all, names)
	}
}
