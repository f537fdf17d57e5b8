package api_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/traffic"
)

// request is what the walk through the audited routes sends; the empty path, body and token are those of any route.
type request struct {
	path  string
	body  any
	token string

	cookie string // instead of a token
}

// auditedWalk prepares requests that succeed, for the routes where one from the table's example does not.
type auditedWalk struct {
	*walked
	drafts int
}

// draft returns the path of a new draft.
func (w *auditedWalk) draft(t *testing.T) (path string) {
	var turn struct{ Drafts []struct{ ID string } }
	w.drafts++
	w.Do("POST", "/sessions/stream?wait=60", w.AdminToken,
		map[string]any{"message": "подними розничные цены на 7 % на все товары"}).Decode(t, &turn)
	if len(turn.Drafts) == 0 {
		t.Fatal("no draft")
	}
	return "/drafts/" + turn.Drafts[0].ID
}

// invited returns a new person's token with the ID and the token of an invitation to them.
func (w *auditedWalk) invited(t *testing.T) (token, id, secret string) {
	email := strings.ToLower(stockhand.NewID[string]("p")) + "@example.com"
	_, token = w.Person(email)
	var i struct{ ID, Secret string }
	w.Do("POST", "/organizations/"+string(w.OrgID)+"/invitations", w.AdminToken,
		map[string]any{"email": email, "role": "viewer"}).Decode(t, &i)
	return token, i.ID, i.Secret
}

func (w *auditedWalk) prepared(t *testing.T, name string) request {
	org := "/organizations/" + string(w.OrgID)
	member := func() (path, token string) {
		u, token := w.Member(w.OrgID, stockhand.RoleViewer)
		return org + "/members/" + string(u.ID), token
	}
	version := map[string]any{"version": 1}
	switch name {
	case "updateMe":
		return request{body: map[string]any{"home_organization_id": w.OrgID}}
	case "updatePassword", "revokeSignIn": // of a person who has just signed in
		in, secret, err := w.Auth.OpenSignIn(t.Context(), w.Owner.ID, stockhand.SignInLink, auth.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		if name == "revokeSignIn" {
			return request{path: "/me/sign-ins/" + string(in.ID)}
		}
		return request{cookie: "stockhand=" + secret, body: map[string]any{"new_password": "correct horse battery"}}
	case "deleteMe":
		u, _ := w.Member(w.OrgID, stockhand.RoleViewer)
		_, secret, err := w.Auth.OpenSignIn(t.Context(), u.ID, stockhand.SignInLink, auth.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		return request{cookie: "stockhand=" + secret}
	case "deleteOrganizationData":
		_, secret, err := w.Auth.OpenSignIn(t.Context(), w.Owner.ID, stockhand.SignInLink, auth.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		return request{cookie: "stockhand=" + secret}
	case "revokeMemberToken":
		u, _ := w.Member(w.OrgID, stockhand.RoleViewer)
		made, _, err := w.Auth.CreateToken(t.Context(), stockhand.Actor{Person: true, User: u.ID},
			auth.NewToken{Name: "x"})
		if err != nil {
			t.Fatal(err)
		}
		return request{path: org + "/user-tokens/" + string(made.ID)}
	case "acceptOwnInvitation", "declineOwnInvitation":
		token, id, _ := w.invited(t)
		return request{path: "/me/invitations/" + id + "/" + strings.TrimSuffix(name, "OwnInvitation"), token: token}
	case "acceptInvitation", "declineInvitation":
		token, _, secret := w.invited(t)
		return request{body: map[string]any{"token": secret}, token: token}
	case "createInvitation":
		return request{body: map[string]any{"email": "new@example.com", "role": "viewer"}}
	case "updateMember":
		path, _ := member()
		return request{path: path, body: map[string]any{"role": "member"}}
	case "removeMember":
		path, _ := member()
		return request{path: path}
	case "leaveOrganization":
		_, token := member()
		return request{token: token}
	case "revokeKey", "rotateKey":
		k, _ := w.NewKey(w.OrgID, auth.NewKey{Name: "theirs"})
		path := org + "/api-keys/" + string(k.ID)
		if name == "rotateKey" {
			return request{path: path + "/rotate", body: map[string]any{}}
		}
		return request{path: path}
	case "updateSettings":
		return request{body: map[string]any{"keys_may_confirm": true}}
	case "createAgent":
		return request{body: map[string]any{"name": "Another", "instructions": "Be brief"}}
	case "cancelTurn": // one that is waiting for the external system
		if err := w.Sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 1, DelayMS: 1000}); err != nil {
			t.Fatal(err)
		}
		a := w.Do("POST", "/sessions/stream", w.AdminToken, map[string]any{"message": "остатки по складам"})
		return request{path: a.Header.Get("Location") + "/cancel"}
	case "getDraft":
		return request{path: w.draft(t)}
	case "editDraft":
		path := w.draft(t)
		var d struct {
			Documents []struct {
				ID    string
				Lines []struct{ ID string }
			}
		}
		w.Do("GET", path, w.AdminToken, nil).Decode(t, &d)
		return request{path: path, body: map[string]any{"version": 1,
			"documents": []any{map[string]any{"id": d.Documents[0].ID,
				"lines": []any{map[string]any{"id": d.Documents[0].Lines[0].ID, "drop": true}}}}}}
	case "confirmDraft":
		return request{path: w.draft(t) + "/confirm?wait=60", body: version}
	case "rejectDraft":
		return request{path: w.draft(t) + "/reject", body: version}
	case "undoDraft":
		path := w.draft(t)
		if a := w.Do("POST", path+"/confirm?wait=60", w.AdminToken, version); a.Status != http.StatusOK {
			t.Fatalf("confirm: %d %s", a.Status, a.Body)
		}
		return request{path: path + "/undo"}
	case "executeTool":
		return request{path: "/tools/moysklad_stock/execute", body: map[string]any{}}
	case "executeQuery":
		return request{path: "/query", body: map[string]any{"measures": []string{"revenue"}}}
	case "createConnection":
		return request{body: map[string]any{"connector": "moysklad",
			"token": w.Sandbox.Accounts()[0].Tokens.Storekeeper}}
	case "updateConnection":
		return request{body: map[string]any{"label": "Renamed"}}
	case "createChatCompletion":
		return request{body: map[string]any{"model": "stockhand",
			"messages": []any{map[string]any{"role": "user", "content": "остатки по складам"}}}}
	case "createResponse":
		return request{body: map[string]any{"model": "stockhand", "input": "остатки по складам"}}
	case "createEmbeddings":
		return request{body: map[string]any{"model": "test/scripted", "input": "остатки"}}
	case "defineMeasure":
		return request{body: map[string]any{"title": map[string]any{"en": "Changed"}, "formula": "cost"}}
	case "createReport":
		return request{body: map[string]any{"title": "Money", "connection_id": w.ids["connection_id"],
			"tool": "moysklad_money", "arguments": map[string]any{}}}
	case "updateReport":
		return request{body: map[string]any{"title": "Changed"}}
	case "updateAgent":
		return request{body: map[string]any{"description": "Changed"}}
	}
	return request{}
}

// signInTests names the routes whose entries the tests of internal/auth/signin check: they need an
// app's codes or a device.
var signInTests = []string{"confirmIdentity", "startSecondFactor", "confirmSecondFactor", "createRecoveryCodes",
	"removeSecondFactor", "startPasskey", "createPasskey", "removePasskey", "startPasskeyProof",
	"removeIdentity"}

// Every route that changes something says what it leaves in the audit log, and does leave it; so do the reads that say
// so. A new route needs a row in the table that says records or notes, and here, if the table's example is refused, a
// request that succeeds (rule R136).
func TestEveryRouteThatChangesSomethingIsAudited(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Always(llmtest.Say("hello"))) // only its embeddings are asked for
	w := &auditedWalk{walked: newWalked(t, func(c *app.Config) {
		c.AnyoneCreates, c.EncryptData, c.LLM = true, true, model.Config()
		c.LLM.Reader = llm.ReaderFirst
		c.Traffic = traffic.Limits{Age: time.Hour, Size: 1 << 30}
	})}
	doc, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	routes := api.Routes()
	slices.SortStableFunc(routes, func(a, b api.RouteInfo) int { // what other routes need goes last
		last := func(r api.RouteInfo) int {
			return slices.Index([]string{"deleteSession", "deleteReport", "deleteMeasure",
				"deleteAgent", "deleteConnection",
				"deleteOrganizationData"}, r.Name)
		}
		return last(a) - last(b)
	})
	for _, r := range routes {
		if r.Method != http.MethodGet && len(r.Audits) == 0 {
			t.Errorf("%s %s changes something and leaves nothing in the audit log", r.Method, r.Path)
		}
		for _, action := range r.Audits {
			if !strings.Contains(string(doc), "`"+action+"`") {
				t.Errorf("docs/audit.md does not name %s of %s", action, r.Name)
			}
		}
		if len(r.Audits) == 0 || slices.Contains(signInTests, r.Name) {
			continue
		}
		q := w.prepared(t, r.Name)
		if q.path == "" {
			q.path = w.fill(r)
		}
		if q.body == nil && r.Example != nil {
			q.body = w.body(r)
		}
		if q.token == "" && q.cookie == "" {
			q.token = w.AdminToken
		}
		before := w.last(t)
		a := w.Do(r.Method, q.path, q.token, q.body, "Last-Event-ID", "100000", "Cookie", q.cookie)
		if a.Status >= 300 {
			t.Errorf("%s %s: %d %s", r.Method, q.path, a.Status, a.Body)
			continue
		}
		w.Audit.Flush(t.Context())
		if got := w.actions(t, before); !slices.ContainsFunc(r.Audits, func(s string) bool { return got[s] }) {
			t.Errorf("%s leaves %v in the audit log, not %v", r.Name, got, r.Audits)
		}
	}
}

// last returns the number of the last entry of each organization that the walk's owner belongs to.
func (w *auditedWalk) last(t *testing.T) map[stockhand.OrgID]int64 {
	t.Helper()
	all, err := w.Store.System().Organizations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ends := map[stockhand.OrgID]int64{}
	for _, o := range all {
		if ends[o.ID], _, err = w.Store.AuditHead(t.Context(), o.ID); err != nil {
			t.Fatal(err)
		}
	}
	return ends
}

// actions returns the actions of the entries since before.
func (w *auditedWalk) actions(t *testing.T, before map[stockhand.OrgID]int64) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for org := range w.last(t) {
		entries, err := w.Store.AuditEntries(t.Context(), org, before[org], 200)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found[e.Action] = true
		}
	}
	return found
}

// Refused requests are in the log of the organization whose caller it was, or of the installation, and contain no
// token.
func TestRefusalsAreAudited(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	key := s.Key(stockhand.ScopeReadTools)
	s.Do("GET", "/sessions", key, nil)
	s.Do("GET", "/sessions", "sk-org-"+strings.Repeat("a", 49), nil)
	k, revoked := s.NewKey(s.OrgID, auth.NewKey{Name: "revoked"})
	s.Do("DELETE", "/organizations/"+string(s.OrgID)+"/api-keys/"+string(k.ID), s.AdminToken, nil)
	s.Do("GET", "/sessions", revoked, nil)
	s.Audit.Flush(t.Context())
	for org, code := range map[stockhand.OrgID]string{s.OrgID: "AUTH_PERMISSION_DENIED",
		stockhand.Installation: "AUTH_TOKEN_EXPIRED"} {
		entries, err := s.Store.AuditBefore(t.Context(), org, "request.refused", "", 0, 10)
		if org == s.OrgID && len(entries) == 2 {
			if e := entries[0]; e.Actor != "key:"+string(k.ID) ||
				!strings.Contains(string(e.Detail), "AUTH_TOKEN_EXPIRED") {
				t.Errorf("the revoked key: %s by %q", e.Detail, e.Actor)
			}
			entries = entries[1:]
		} else if org == s.OrgID {
			t.Errorf("%d refusals in the organization's log", len(entries))
		}
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: %v, %v", org, entries, err)
			continue
		}
		e := entries[0]
		want := fmt.Sprintf(`{"what":"GET /api/v1/sessions","from":"127.0.0.1","code":%q}`, code)
		if string(e.Detail) != want || (e.Actor == "") != (org == stockhand.Installation) {
			t.Errorf("%s: %s by %q", org, e.Detail, e.Actor)
		}
	}
}
