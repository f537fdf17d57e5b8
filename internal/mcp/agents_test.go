package mcp_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/sandbox"
)

func TestAnAgentOfTheOrganizationIsAskedByItsId(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	made := s.Do(http.MethodPost, "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
		map[string]any{"name": "Buyer", "tools": []string{"moysklad_stock"}})
	var profile struct{ ID string }
	made.Decode(t, &profile)
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "stockhand://agents"})
	if err != nil || !strings.Contains(got.Contents[0].Text, profile.ID) || got.CacheScope != "private" {
		t.Fatalf("%v, %+v", err, got)
	}
	if got := call(t, session, "ask", map[string]any{"task": "остатки", "agent_id": profile.ID}); got.IsError {
		t.Errorf("%s", text(got))
	}
	if got := call(t, session, "ask", map[string]any{"task": "сколько денег на счетах?",
		"agent_id": profile.ID}); !got.IsError || !strings.Contains(text(got), "AUTH_PERMISSION_DENIED") {
		t.Errorf("a tool that the agent may not use: %s", text(got))
	}
	for _, wrong := range []map[string]any{{"task": "остатки", "agent_id": "agt_none"},
		{"task": "остатки", "language": "xx"}} {
		if got := call(t, session, "ask", wrong); !got.IsError {
			t.Errorf("%v: %s", wrong, text(got))
		}
	}
}

func TestAttackABoundKeyReachesOverMCPWhatItIsNotBoundTo(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 2})
	own, other := s.Connections[0], s.Connections[1]
	create := func(agent map[string]any) stockhand.AgentID {
		var profile struct{ ID stockhand.AgentID }
		s.Do(http.MethodPost, "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken, agent).Decode(t, &profile)
		return profile.ID
	}
	buyer := create(map[string]any{"name": "Buyer"})
	theirs := create(map[string]any{"name": "Theirs", "connections": []stockhand.ConnectionID{other.ID}})
	bound := func(b stockhand.Binding) *sdk.ClientSession {
		_, secret := s.NewKey(s.OrgID, auth.NewKey{Name: "bound", Binding: b,
			Scopes: []stockhand.Scope{stockhand.ScopeReadTools, stockhand.ScopeWriteTools}})
		return connect(t, s, secret, nil)
	}
	resource := func(session *sdk.ClientSession, uri string) string {
		got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return ""
		}
		return got.Contents[0].Text
	}
	const money = "сколько денег на счетах?"
	refused := func(session *sdk.ClientSession, name string, arguments map[string]any) {
		t.Helper()
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
		if err == nil && (!got.IsError || strings.Contains(text(got), string(other.Account))) {
			t.Errorf("%s %v: %s", name, arguments, text(got))
		}
	}

	owner := structured(t, call(t, connect(t, s, s.AdminToken, nil), "ask",
		map[string]any{"task": money, "connection_id": other.ID}))
	session := bound(stockhand.Binding{Connections: []stockhand.ConnectionID{own.ID}})
	if got := resource(session, "stockhand://connections"); !strings.Contains(got, string(own.ID)) ||
		strings.Contains(got, string(other.ID)) {
		t.Errorf("the connections are %s", got)
	}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		refused(session, tool.Name, map[string]any{"connection_id": other.ID})
	}
	for known, err := range session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if got := resource(session, known.URI); got == "" || strings.Contains(got, string(other.ID)) ||
			strings.Contains(got, string(theirs)) {
			t.Errorf("%s is %s", known.URI, got)
		}
	}
	refused(session, "ask", map[string]any{"task": money, "connection_id": other.ID})
	refused(session, "ask", map[string]any{"task": money, "agent_id": theirs})
	refused(session, "ask", map[string]any{"task": money, "session_id": owner.Session})
	if got := resource(session, owner.Results[0]["resource"].(string)); got != "" {
		t.Errorf("another's result: %s", got)
	}
	if got := call(t, session, "moysklad_money", map[string]any{}); got.IsError { // the only account it may use
		t.Errorf("its own connection: %s", text(got))
	}

	session = bound(stockhand.Binding{Tools: []string{"moysklad_stock"}})
	var listed []string
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, tool.Name)
	}
	if slices.Sort(listed); !slices.Equal(listed, []string{"ask", "moysklad_stock"}) {
		t.Errorf("the tools are %v", listed)
	}
	refused(session, "moysklad_money", map[string]any{"connection_id": own.ID})
	refused(session, "ask", map[string]any{"task": money, "connection_id": own.ID})

	session = bound(stockhand.Binding{Agents: []stockhand.AgentID{stockhand.SystemAgent}})
	if got := resource(session, "stockhand://agents"); got != "[]" {
		t.Errorf("the agents are %s", got)
	}
	refused(session, "ask", map[string]any{"task": money, "connection_id": own.ID, "agent_id": buyer})
	refused(session, "moysklad_money", map[string]any{"connection_id": own.ID})
}

func TestAStoppingServerLeavesTheRunToAnotherAndSaysWhereItsAnswerWillBe(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 20000}); err != nil {
		t.Fatal(err)
	}
	session := connect(t, s, s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools), nil)
	before := len(s.Sandbox.Requests())
	go func() {
		for len(s.Sandbox.Requests()) == before && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		at, stop := context.WithCancel(context.Background())
		stop()
		s.Agent.Drain(at)
	}()
	got := call(t, session, "moysklad_stock", map[string]any{})
	_, path, ok := strings.Cut(text(got), "GET ")
	if !got.IsError || !strings.Contains(text(got), "SERVER_STOPPING") || !ok {
		t.Fatalf("%s", text(got))
	}
	if a := s.Do(http.MethodGet, path, s.AdminToken, nil); strings.Contains(string(a.Body), "cancelled") {
		t.Errorf("the run was cancelled: %s", a.Body)
	}
}
