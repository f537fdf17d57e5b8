package api_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

func TestAttackABoundKeyReachesWhatItIsNotBoundTo(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 2})
	own, other := string(s.Connections[0].ID), string(s.Connections[1].ID)
	keys := "/organizations/" + string(s.OrgID) + "/api-keys"
	bound := func(body map[string]any) string {
		t.Helper()
		body["name"], body["scopes"] = "bound", []string{"read:tools", "write:tools", "chat", "connector:gateway"}
		return read[struct{ Secret string }](t, "create", s.Do("POST", keys, s.AdminToken, body), 201).Secret
	}
	const money = "сколько денег на счетах?"
	execute := func(key, c string) apptest.Answer {
		return s.Do("POST", "/tools/moysklad_money/execute", key, map[string]any{"connection_id": c})
	}
	at := func(c string) string { return "/connections/" + c + "/gateway/entity/product?limit=1" }

	key := bound(map[string]any{"connections": []string{own}})
	if a := execute(key, own); a.Status != 200 {
		t.Errorf("its own connection: %d %s", a.Status, a.Body)
	}
	foreign := ask(t, s, s.AdminToken, map[string]any{"message": money, "connection_id": other})
	for name, a := range map[string]apptest.Answer{
		"a tool": execute(key, other), "the gateway": s.Do("GET", at(other), key, nil),
		"a task": s.Do("POST", "/sessions/stream?wait=60", key,
			map[string]any{"message": money, "connection_id": other}),
		"an operation": s.Do("POST", "/connectors/moysklad/execute", key,
			map[string]any{"operation": "list", "connection_id": other}),
		"its tools": s.Do("GET", "/tools?connection_id="+other, key, nil),
		"a chat": s.Do("POST", "/v1/chat/completions", key,
			map[string]any{"model": "stockhand", "connection_id": other,
				"messages": []map[string]any{{"role": "user", "content": money}}}),
		"another's result":  s.Do("GET", "/results/"+foreign.Results[0].ID, key, nil),
		"another's session": s.Do("GET", "/sessions/"+foreign.SessionID, key, nil),
		"all connections":   s.Do("GET", "/connections", key, nil),
	} {
		if a.Status < 400 || strings.Contains(string(a.Body), other) {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	for _, task := range []string{money, s.Connections[1].Label + ": " + money} {
		a := s.Do("POST", "/sessions/stream?wait=60", key, map[string]any{"message": task})
		if strings.Contains(string(a.Body), string(s.Connections[1].Account)) ||
			strings.Contains(string(a.Body), other) {
			t.Errorf("%s: %s", task, a.Body)
		}
	}

	key = bound(map[string]any{"tools": []string{"moysklad_stock"}})
	for name, a := range map[string]apptest.Answer{"a tool": execute(key, own),
		"the catalogue of queries": s.Do("GET", "/catalogue?connection_id="+own, key, nil),
		"the gateway":              s.Do("GET", at(own), key, nil)} {
		wantError(t, name+" beside its tools", a, 403, stockhand.CodePermissionDenied)
	}
	f := ask(t, s, key, map[string]any{"message": money, "connection_id": own})
	if len(f.Results) != 0 {
		t.Errorf("a task that needs another tool: %+v", f)
	}

	mine := read[struct{ ID string }](t, "agent",
		s.Do("POST", "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
			map[string]any{"name": "Buyer", "instructions": "x"}), 201).ID
	key = bound(map[string]any{"agents": []string{mine}})
	for name, a := range map[string]apptest.Answer{"a tool": execute(key, own),
		"the catalogue of queries": s.Do("GET", "/catalogue?connection_id="+own, key, nil),
		"the gateway":              s.Do("GET", at(own), key, nil),
		"the built-in agent": s.Do("POST", "/sessions/stream", key,
			map[string]any{"message": money, "connection_id": own})} {
		wantError(t, name+" beside its agent", a, 403, stockhand.CodePermissionDenied)
	}
	f = ask(t, s, key, map[string]any{"message": money, "connection_id": own, "agent_id": mine})
	if len(f.Results) == 0 {
		t.Errorf("its own agent: %+v", f)
	}
	f = ask(t, s, key, map[string]any{"message": money, "session_id": f.SessionID})
	if len(f.Results) == 0 {
		t.Errorf("the session with its agent: %+v", f)
	}

	for name, body := range map[string]map[string]any{
		"admin": {"scopes": []string{"admin"}, "connections": []string{own}},
		"read:data": {"scopes": []string{"read:data"},
			"tools": []string{"moysklad_stock"}},
		"no such connection": {"connections": []string{"con_x"}}, "no such agent": {"agents": []string{"agt_x"}},
		"no such tool": {"tools": []string{"x"}}, "nothing": {"connections": []string{}}, "null": {"tools": nil},
	} {
		body["name"] = "x"
		wantError(t, name, s.Do("POST", keys, s.AdminToken, body), 422, stockhand.CodeValidation)
	}
}

func TestAttackABoundKeyListsWhatItIsNotBoundTo(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	agents := "/organizations/" + string(s.OrgID) + "/agents"
	create := func(name string) string {
		t.Helper()
		return read[struct{ ID string }](t, name, s.Do("POST", agents, s.AdminToken,
			map[string]any{"name": name, "instructions": "x"}), 201).ID
	}
	mine, other := create("Buyer"), create("Cashier")
	bound := func(b stockhand.Binding) string {
		_, secret := s.NewKey(s.OrgID, auth.NewKey{Name: "bound", Binding: b, Scopes: []stockhand.Scope{
			stockhand.ScopeReadTools, stockhand.ScopeWriteTools, stockhand.ScopeChat}})
		return secret
	}
	ids := func(path, key string) string {
		t.Helper()
		var all []string
		for _, x := range read[struct {
			Data []struct{ ID, Name string }
		}](t, path, s.Do("GET", path, key, nil), 200).Data {
			all = append(all, x.ID+strings.Repeat(x.Name, strings.Count(path, "/tools")))
		}
		return strings.Join(all, " ")
	}

	key := bound(stockhand.Binding{Agents: []stockhand.AgentID{stockhand.AgentID(mine)}})
	for path, want := range map[string]string{"/agents": mine, agents: mine, "/v1/models": "Buyer", "/tools": ""} {
		if got := ids(path, key); got != want {
			t.Errorf("%s lists %q, want %q", path, got, want)
		}
	}
	for _, id := range []string{other, string(stockhand.SystemAgent)} {
		wantError(t, id, s.Do("GET", agents+"/"+id, key, nil), 403, stockhand.CodePermissionDenied)
		wantError(t, id+" as a model", s.Do("GET", "/v1/models/"+id, key, nil), 404, stockhand.CodeNotFound)
	}
	key = bound(stockhand.Binding{Tools: []string{"moysklad_stock"}})
	if got := ids("/tools", key); got != "moysklad_stock" {
		t.Errorf("the tools are %q", got)
	}
	wantError(t, "another tool", s.Do("GET", "/tools/moysklad_money", key, nil), 404, stockhand.CodeNotFound)

	f, d := proposed(t, s, s.AdminToken)
	message := "/sessions/" + f.SessionID + "/messages/" + f.MessageID
	for _, path := range []string{d.path(), "/sessions/" + f.SessionID + "/messages", message, message + "/stream"} {
		wantError(t, path, s.Do("GET", path, key, nil), 403, stockhand.CodePermissionDenied)
	}
	for _, path := range []string{d.path() + "/confirm", d.path() + "/reject"} {
		wantError(t, path, s.Do("POST", path, key, map[string]any{"version": 1}), 403, stockhand.CodePermissionDenied)
	}
	for _, path := range []string{"/drafts", "/sessions"} {
		if got := ids(path, key); got != "" {
			t.Errorf("%s lists %s", path, got)
		}
	}
}
