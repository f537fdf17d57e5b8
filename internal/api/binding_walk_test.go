package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/auth"
)

// What a bound key gets from a route when it asks for what is beyond its bounds.
const (
	refused = "refused" // an error
	left    = "left"    // a response without it
)

// boundKeyRoutes lists the routes without a scope and those with one that a bound key may have. A route that is missing
// here fails the test below: decide what a bound key may reach with it, then add it.
var boundKeyRoutes = map[string]string{
	"getMe": left, "updateMe": refused, "deleteMe": refused, "listOrganizations": left, "createOrganization": refused,
	"leaveOrganization": refused, "listTokens": refused, "createToken": refused, "revokeToken": refused,
	"listSignIns": refused, "revokeSignIns": refused, "revokeSignIn": refused, "updatePassword": refused,
	"getSignInMethods": refused, "confirmIdentity": refused, "startPasskeyProof": refused, "listPasskeys": refused,
	"listIdentities": refused, "removeIdentity": refused,
	"createPasskey": refused, "startPasskey": refused, "removePasskey": refused, "startSecondFactor": refused,
	"confirmSecondFactor": refused, "createRecoveryCodes": refused, "removeSecondFactor": refused,
	"listOwnInvitations": refused, "acceptOwnInvitation": refused, "declineOwnInvitation": refused,
	"acceptInvitation": refused, "declineInvitation": refused,

	"startTurn": refused, "listSessions": left, "getSession": refused, "renameSession": refused,
	"deleteSession": refused, "listMessages": refused, "getMessage": refused, "cancelTurn": refused,
	"streamEvents": refused, "listDrafts": left, "getDraft": refused, "editDraft": refused, "confirmDraft": refused,
	"rejectDraft": refused, "undoDraft": refused, "getResult": refused,

	"getCatalogue": left, "executeQuery": refused,
	"listTools": left, "getTool": refused, "executeTool": refused, "listConnectors": left, "getConnector": left,
	"executeOperation": refused, "gateway": refused, "createChatCompletion": refused, "listModels": left,
	"createResponse": refused, "getResponse": refused, "deleteResponse": refused, "createEmbeddings": refused,
	"getModel": refused, "listMeasures": left, "getMeasure": left,
	"listAgents": left, "listOrganizationAgents": left, "getAgent": refused,
}

// newBoundKeys is a service with one of everything about the second connection, and a key bound to the first, one bound
// to an agent of the first, and one bound to a tool.
func newBoundKeys(t *testing.T) (w *walked, keys map[string]string) {
	t.Helper()
	w = newWalkedIn(t, 2)
	create := func(agent map[string]any) string {
		return read[struct{ ID string }](t, "agent",
			w.Do("POST", "/organizations/"+w.ids["org_id"]+"/agents", w.AdminToken, agent), 201).ID
	}
	mine := create(map[string]any{"name": "Buyer", "connections": []string{string(w.Connections[0].ID)}})
	w.ids["agent_id"] = create(map[string]any{"name": "Cashier", "connections": []string{w.ids["connection_id"]},
		"tools": []string{"moysklad_money"}})
	w.ids["model"], w.ids["name"], w.ids["operation"] = w.ids["agent_id"], "moysklad_money", "moysklad_money"
	keys = map[string]string{}
	for what, b := range map[string]stockhand.Binding{
		"connections": {Connections: []stockhand.ConnectionID{w.Connections[0].ID}},
		"agents":      {Agents: []stockhand.AgentID{stockhand.AgentID(mine)}},
		"tools":       {Tools: []string{"moysklad_stock"}},
	} {
		_, keys[what] = w.NewKey(w.OrgID, auth.NewKey{Name: what, Binding: b, Scopes: b.Scopes()})
	}
	return w, keys
}

// bodies are examples of the route's body, each with the id of one thing that is beyond the bounds of the key.
func (w *walked) bodies(r api.RouteInfo, bound string) (all []any) {
	base, may := w.body(r), []string{"connection_id", "session_id", "agent_id"}
	if r.Name == "createChatCompletion" {
		base = map[string]any{"model": w.ids["model"],
			"messages": []any{map[string]any{"role": "user", "content": "остатки"}}}
		all = append(all, maps.Clone(base))
		base["model"], r.Properties = "stockhand", may[:2]
	}
	if r.Name == "createResponse" {
		base = map[string]any{"model": w.ids["model"], "input": "остатки"}
		all = append(all, maps.Clone(base))
		base["model"], r.Properties = "stockhand", append(may[:2:2], "previous_response_id")
		may = append(may, "previous_response_id")
		w.ids["previous_response_id"] = w.ids["response_id"]
	}
	if base == nil {
		return []any{nil}
	}
	for _, name := range may {
		delete(base, name)
	}
	for _, name := range may {
		if name == "connection_id" && bound == "tools" &&
			slices.Contains([]string{"startTurn", "createChatCompletion", "createResponse"}, r.Name) {
			continue // it may give tasks about any connection; the turn has its tool only
		}
		if slices.Contains(r.Properties, name) {
			body := maps.Clone(base)
			body[name] = w.ids[name]
			all = append(all, body)
		}
	}
	if all == nil {
		all = append(all, base)
	}
	return all
}

// Every route of the table is called by bound keys with the ids of what they are not bound to: nothing is read, done or
// disclosed (rule R109).
func TestAttackABoundKeyReachesBeyondItsBoundsByAnyRoute(t *testing.T) {
	t.Parallel()
	w, keys := newBoundKeys(t)
	w.Audit.Close(t.Context()) // what refusals note is not compared
	before, requests := w.dump(t), len(w.Sandbox.Requests())
	for _, r := range api.Routes() {
		want := boundKeyRoutes[r.Name]
		if r.Scope != "" && !r.Own && !slices.Contains(stockhand.Binding{}.Scopes(), r.Scope) {
			want = refused // a bound key cannot have the scope
		}
		if want == "" {
			t.Errorf("%s %s: add %s to boundKeyRoutes", r.Method, r.Path, r.Name)
			continue
		}
		path := w.fill(r)
		if r.Name == "getTool" {
			path += "?connection_id=" + w.ids["connection_id"]
		}
		for bound, key := range keys {
			for _, body := range w.bodies(r, bound) {
				doing := fmt.Sprintf("%s %s %v by a key bound to %s", r.Method, path, body, bound)
				a := w.Do(r.Method, path, key, body)
				if a.Status >= 500 || (want == left) != (a.Status == 200) {
					t.Errorf("%s is to be %s: %d %.300s", doing, want, a.Status, a.Body)
				}
				w.wantNothingBeyond(t, doing, path+fmt.Sprint(body), string(a.Body))
			}
		}
	}
	if after := w.dump(t); after != before {
		t.Errorf("something has changed: %s", difference(before, after))
	}
	if n := len(w.Sandbox.Requests()) - requests; n > 0 {
		t.Errorf("%d requests were sent to the account", n)
	}
}

// wantNothingBeyond wants no id in a response that the request did not name.
func (w *walked) wantNothingBeyond(t *testing.T, doing, request, response string) {
	t.Helper()
	beyond := []string{"session_id", "message_id", "draft_id", "document_id", "result_id", "key_id", "token_id",
		"invitation_id", "sign_in_id", "passkey_id", "identity_id", "connection_id", "agent_id"}
	for _, what := range beyond {
		if id := w.ids[what]; !strings.Contains(request, id) && strings.Contains(response, id) {
			t.Errorf("%s discloses the %s %s: %.300s", doing, what, id, response)
		}
	}
}

// Rule R180: the key would read the answers.
func TestAttackABoundKeyReadsWhatOthersAddToItsSession(t *testing.T) {
	t.Parallel()
	w, keys := newBoundKeys(t)
	sessions := map[string]string{} // by what the key is bound to
	for bound, task := range map[string]map[string]any{"tools": {"message": "остатки",
		"connection_id": w.ids["connection_id"]}, "connections": {"message": "остатки"}} {
		sessions[bound] = ask(t, w.Service, keys[bound], task).SessionID
		more := map[string]any{"message": "сколько денег на счетах?", "session_id": sessions[bound],
			"connection_id": w.ids["connection_id"]}
		chat := map[string]any{"model": "stockhand", "session_id": sessions[bound],
			"messages": []any{map[string]any{"role": "user", "content": "сколько денег на счетах?"}}}
		for name, a := range map[string]int{
			"a person":        w.Do("POST", "/sessions/stream?wait=60", w.AdminToken, more).Status,
			"a person's chat": w.Do("POST", "/v1/chat/completions", w.AdminToken, chat).Status,
			"another key": w.Do("POST", "/sessions/stream?wait=60",
				w.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData), more).Status,
		} {
			if a != 403 {
				t.Errorf("%s continues the session of a key bound to %s: %d", name, bound, a)
			}
		}
	}
	ask(t, w.Service, keys["connections"],
		map[string]any{"message": "остатки по складам", "session_id": sessions["connections"]})
	free := ask(t, w.Service, w.Key(stockhand.ScopeWriteTools), map[string]any{"message": "остатки",
		"connection_id": w.ids["connection_id"]})
	ask(t, w.Service, w.AdminToken, map[string]any{"message": "остатки по складам", "session_id": free.SessionID})
}

// The first answer to an Idempotency-Key belongs to the caller who got it.
func TestAttackABoundKeyRepeatsAnothersRequest(t *testing.T) {
	t.Parallel()
	w, keys := newBoundKeys(t)
	request := func(token string) (int, string) {
		a := w.Do("POST", "/tools/moysklad_money/execute", token,
			map[string]any{"connection_id": w.ids["connection_id"]}, "Idempotency-Key", "same")
		return a.Status, string(a.Body)
	}
	if status, body := request(w.AdminToken); status != 200 {
		t.Fatal(status, body)
	}
	for bound, key := range keys {
		if status, body := request(key); status < 400 {
			t.Errorf("a key bound to %s: %d %s", bound, status, body)
		}
	}
}
