package mcp_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
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
