package api_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

// walked is a service with one of everything, for the tests that walk every route.
type walked struct {
	*apptest.Service
	database string
	ids      map[string]string // by the names of wildcards
}

func newWalked(t *testing.T, configure ...func(*app.Config)) *walked {
	t.Helper()
	return newWalkedIn(t, 1, configure...)
}

// newWalkedIn is a service with that many accounts, and one of everything about the last of them.
func newWalkedIn(t *testing.T, accounts int, configure ...func(*app.Config)) *walked {
	t.Helper()
	w := &walked{}
	w.Service = apptest.Start(t, apptest.Options{SQLite: true, Accounts: accounts,
		Configure: func(c *app.Config) {
			w.database = c.Database
			for _, f := range configure {
				f(c)
			}
		}})
	about := string(w.Connections[accounts-1].ID)
	org := string(w.OrgID)
	w.ids = map[string]string{"org_id": org, "connection_id": about, "name": "stock",
		"key": "moysklad", "path": "entity/organization", "model": "stockhand"}
	id := func(method, path string, body any) map[string]any {
		a := w.Do(method, path, w.AdminToken, body)
		if a.Status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		var v map[string]any
		a.Decode(t, &v)
		return v
	}
	first := func(v map[string]any, list string) map[string]any {
		all, _ := v[list].([]any)
		if len(all) == 0 {
			t.Fatalf("no %s in %v", list, v)
		}
		return all[0].(map[string]any)
	}
	turn := id("POST", "/sessions/stream?wait=60", map[string]any{"message": orders, "connection_id": about})
	w.ids["session_id"], w.ids["message_id"] = fmt.Sprint(turn["session_id"]), fmt.Sprint(turn["message_id"])
	d := first(turn, "drafts")
	w.ids["draft_id"] = fmt.Sprint(d["id"])
	w.ids["document_id"] = fmt.Sprint(first(d, "documents")["id"])
	w.ids["result_id"] = fmt.Sprint(first(
		id("POST", "/sessions/stream?wait=60",
			map[string]any{"message": "остатки по складам", "connection_id": about}), "results")["id"])
	w.ids["operation"] = fmt.Sprint(first(id("GET", "/connectors/moysklad", nil), "operations")["name"])
	w.ids["key_id"] = fmt.Sprint(id("POST", "/organizations/"+org+"/api-keys", map[string]any{"name": "theirs"})["id"])
	w.ids["agent_id"] = fmt.Sprint(id("POST", "/organizations/"+org+"/agents",
		map[string]any{"name": "Theirs", "instructions": "Be brief"})["id"])
	w.ids["report_id"] = fmt.Sprint(id("POST", "/reports", map[string]any{"title": "Theirs", "connection_id": about,
		"tool": "moysklad_money", "arguments": map[string]any{}})["id"])
	w.ids["measure"] = fmt.Sprint(id("PUT", "/organizations/"+org+"/measures/theirs",
		map[string]any{"title": map[string]any{"en": "Theirs"}, "formula": "revenue"})["name"])
	w.ids["response_id"] = fmt.Sprint(id("POST", "/v1/responses",
		map[string]any{"model": "stockhand", "input": "остатки по складам", "connection_id": about})["id"])
	w.ids["token_id"] = fmt.Sprint(id("POST", "/me/tokens", map[string]any{"name": "theirs"})["id"])
	signIn, _, err := w.Auth.OpenSignIn(t.Context(), w.Owner.ID, stockhand.SignInLink, auth.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	w.ids["sign_in_id"] = string(signIn.ID)
	passkey := stockhand.Passkey{ID: stockhand.NewID[stockhand.PasskeyID]("pky"), User: w.Owner.ID,
		Credential: []byte("theirs"), PublicKey: []byte("theirs")}
	if err := w.Store.System().AddPasskey(t.Context(), passkey, 1, stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	w.ids["passkey_id"] = string(passkey.ID)
	if _, err := w.Store.System().LinkIdentity(t.Context(), "https://id.example.org", "theirs",
		stockhand.User{Email: w.Owner.Email}, stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	identities, err := w.Store.System().Identities(t.Context(), w.Owner.ID)
	if err != nil || len(identities) != 1 {
		t.Fatal(identities, err)
	}
	w.ids["identity_id"] = string(identities[0].ID)
	w.ids["invitation_id"] = fmt.Sprint(id("POST", "/organizations/"+org+"/invitations",
		map[string]any{"email": "theirs@example.com", "role": "viewer"})["id"])
	w.ids["user_id"] = fmt.Sprint(first(id("GET", "/organizations/"+org+"/members", nil), "data")["user_id"])
	return w
}

// fill puts ids into a path.
func (w *walked) fill(r api.RouteInfo) string {
	path := r.Path
	for _, name := range r.Wildcards {
		path = strings.NewReplacer("{"+name+"}", w.ids[name], "{"+name+"...}", w.ids[name]).Replace(path)
	}
	return path
}

// body is an example of the route's body that names the organization's own things.
func (w *walked) body(r api.RouteInfo) map[string]any {
	example, _ := r.Example.(map[string]any)
	if r.Example == nil {
		return nil
	}
	b := maps.Clone(example)
	if b == nil {
		b = map[string]any{}
	}
	for _, name := range r.Properties {
		switch name {
		case "connection_id", "session_id":
			b[name] = w.ids[name]
		case "document_ids":
			b[name] = []string{w.ids["document_id"]}
		case "version":
			b[name] = 1
		case "arguments":
			b[name] = map[string]any{}
		case "operation":
			b[name] = w.ids[name]
		case "agent_id":
			delete(b, name)
		}
	}
	return b
}

// dump is all that the record has of an organization, but for when callers were last seen and what they asked.
func (w *walked) dump(t *testing.T) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.database+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out strings.Builder
	for _, table := range column(t, db, "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name <> 'api_requests' AND c.name = 'org_id' ORDER BY m.name") {
		var columns []string
		for _, c := range column(t, db, "SELECT name FROM pragma_table_info('"+table+"')") {
			if c != "last_used_at" && c != "used_scopes" {
				columns = append(columns, "quote("+c+")")
			}
		}
		for _, row := range column(t, db, "SELECT "+strings.Join(columns, " || '|' || ")+" FROM "+table+
			" WHERE org_id = '"+string(w.OrgID)+"' ORDER BY 1") {
			out.WriteString(table + " " + row + "\n")
		}
	}
	if out.Len() < 1000 {
		t.Fatalf("the record has hardly anything: %s", out.String())
	}
	return out.String()
}

func column(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return all
}

// Every route of the table is called by another organization's owner and by its key with every right, with this one's
// ids wherever an id goes: 404 or 403 each time, nothing is disclosed and nothing changes (rule R37; issue:
// two organizations).
func TestAnotherOrganizationsIDsAre403Or404OnEveryRoute(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	other, owner := w.Organization("Other")
	key := w.KeyIn(other, stockhand.ScopeAdmin)
	owned := []string{"org_id", "connection_id", "session_id", "message_id", "draft_id", "result_id", "key_id",
		"agent_id", "report_id", "token_id", "user_id", "invitation_id", "sign_in_id", "passkey_id", "identity_id"}
	w.Audit.Close(t.Context()) // what refusals note is not compared
	before := w.dump(t)
	for _, r := range api.Routes() {
		path, body := w.fill(r), w.body(r)
		names := body["connection_id"] != nil || body["session_id"] != nil ||
			slices.ContainsFunc(r.Wildcards, func(n string) bool { return slices.Contains(owned, n) })
		paths := []string{path}
		// in the caller's own organization there is no such thing either
		if strings.Contains(r.Path, "{org_id}") && len(r.Wildcards) > 1 && r.Name != "defineMeasure" {
			paths = append(paths, strings.Replace(path, string(w.OrgID), string(other), 1))
		}
		// the owner has a second organization by the time one was created
		for caller, token := range map[string]string{"owner": owner, "key": key} {
			for _, path := range paths {
				for _, dry := range []string{"", "1"} {
					if dry != "" && !r.Tries {
						continue
					}
					var sent any
					if body != nil {
						sent = body
					}
					a := w.Do(r.Method, path, token, sent, "X-Dry-Run", dry, "X-Org-Id", string(other))
					doing := fmt.Sprintf("%s %s by the other's %s (dry run %q)", r.Method, path, caller, dry)
					if names {
						if a.Status != 403 && a.Status != 404 {
							t.Errorf("%s: %d %.300s", doing, a.Status, a.Body)
							continue
						}
						wantShape(t, doing, a)
					} else if a.Status >= 500 {
						t.Errorf("%s: %d %.300s", doing, a.Status, a.Body)
					}
					for what, id := range w.ids {
						if slices.Contains(owned, what) && !strings.Contains(path, id) &&
							strings.Contains(string(a.Body), id) {
							t.Errorf("%s tells the %s %s: %.300s", doing, what, id, a.Body)
						}
					}
				}
			}
		}
	}
	if after := w.dump(t); after != before {
		t.Errorf("something has changed: %s", difference(before, after))
	}
}

func difference(before, after string) string {
	old := strings.Split(before, "\n")
	for _, line := range strings.Split(after, "\n") {
		if !slices.Contains(old, line) {
			return line
		}
	}
	return "something is gone"
}

// wantShape wants the one shape of errors.
func wantShape(t *testing.T, doing string, a apptest.Answer) {
	t.Helper()
	var b errorBody
	if err := json.Unmarshal(a.Body, &b); err != nil || b.Detail.Code == "" || b.Detail.Message == "" ||
		b.Detail.Hint == "" || b.Detail.Request == "" || a.Header.Get("X-Request-Id") != b.Detail.Request {
		t.Errorf("%s: %d, not the shape of errors: %.300s", doing, a.Status, a.Body)
	}
}

// want4xx wants a refusal of the right shape.
func want4xx(t *testing.T, doing string, a apptest.Answer) {
	t.Helper()
	if a.Status < 400 || a.Status >= 500 {
		t.Errorf("%s: %d %.300s", doing, a.Status, a.Body)
		return
	}
	wantShape(t, doing, a)
}

func TestMalformedBodiesAre4xxOnEveryRoute(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	bad := map[string]string{
		"nothing": "", "null": "null", "a list": "[]", "a string": `"x"`, "a number": "1", "half": `{"name":`,
		"two": "{} {}", "trailing": "{}x", "not UTF-8": "{\"name\":\"\xff\"}",
		"a zero": `{"name":"\u0000"}`, "deep": strings.Repeat(`{"name":`, 5000) + "1" + strings.Repeat("}", 5000),
		"huge":                      `{"name":"` + strings.Repeat("x", 1<<20) + `"}`,
		"a field that is not there": `{"no_such_field":1}`, "twice": `{"name":"a","name":"b"}`,
		"a number of no size": `{"name":1e999}`, "form": "name=x",
	}
	for _, r := range api.Routes() {
		if !r.Typed || r.Method == "GET" {
			continue
		}
		path := w.fill(r)
		for name, body := range bad {
			if name == "nothing" && len(r.Required) == 0 {
				continue // it may be left out
			}
			want4xx(t, r.Method+" "+path+" with "+name, w.Do(r.Method, path, w.AdminToken, body))
		}
		for media, body := range map[string]string{"text/plain": "{}", "application/xml": "<a/>",
			"multipart/form-data; boundary=x": "--x--", "\xff": "{}"} {
			want4xx(t, r.Method+" "+path+" as "+media, w.Do(r.Method, path, w.AdminToken, body, "Content-Type", media))
		}
		want4xx(t, r.Method+" "+path+" compressed",
			w.Do(r.Method, path, w.AdminToken, "{}", "Content-Encoding", "gzip"))
		for i, property := range r.Properties {
			body := w.body(r)
			long := strings.Repeat("я", 20_000)
			if i == 0 {
				long = strings.Repeat("я", 300_000)
			}
			for _, wrong := range []any{[]any{[]any{1}}, -1.5, long,
				map[string]any{"sk-org-x": []any{}}} {
				if _, isObject := wrong.(map[string]any); isObject && property == "arguments" {
					continue
				}
				body[property] = wrong
				want4xx(t, fmt.Sprintf("%s %s with %T as %s", r.Method, path, wrong, property),
					w.Do(r.Method, path, w.AdminToken, body))
			}
		}
	}
}

func TestOddPathsQueriesAndHeadersAreNever5xx(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	odd := []string{"%00", "%ff%fe", "..", "%2e%2e", "..%2f..%2fetc", "%20", strings.Repeat("a", 5000), "ses_", "*",
		"'%20OR%201=1--", url.PathEscape("идентификатор"), "%0d%0aX: y", "{x}"}
	for _, r := range api.Routes() {
		if r.Name == "gateway" {
			continue // its own tests
		}
		for _, name := range r.Wildcards {
			for _, value := range odd {
				if name == "measure" && value == "ses_" {
					continue // one may call a measure so
				}
				path := strings.NewReplacer("{"+name+"}", value, "{"+name+"...}", value).Replace(r.Path)
				for _, rest := range r.Wildcards {
					path = strings.NewReplacer("{"+rest+"}", w.ids[rest], "{"+rest+"...}", w.ids[rest]).Replace(path)
				}
				var body any
				if b := w.body(r); b != nil {
					body = b
				}
				want4xx(t, r.Method+" "+path, w.Do(r.Method, path, w.AdminToken, body))
			}
		}
		for _, query := range []string{"no_such_parameter=1", "limit=x", "%zz", "cursor=%00", "a=1;b=2",
			strings.Repeat("a", 20000)} {
			if r.Method != "GET" {
				continue
			}
			want4xx(t, r.Path+"?"+query, w.Do("GET", w.fill(r)+"?"+query, w.AdminToken, nil))
		}
		for name, value := range map[string]string{"X-Org-Id": "\xff", "X-Long": strings.Repeat("a", 70000),
			"Authorization": "Bearer \xff", "X-Dry-Run": "perhaps"} {
			if name == "X-Dry-Run" && r.Method == "GET" {
				continue
			}
			want4xx(t, r.Path+" with "+name, w.Do(r.Method, w.fill(r), w.AdminToken, nil, name, value))
		}
	}
}

func TestRule1_EveryRouteIsAuthenticated(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	for _, r := range api.Routes() {
		for _, token := range []string{"", "sk-org-x", "sk-org-0000000000" + strings.Repeat("a", 40)} {
			a := w.Do(r.Method, w.fill(r), token, nil)
			wantError(t, r.Method+" "+r.Path, a, 401, stockhand.CodeTokenExpired)
			if !strings.Contains(string(a.Body), "new token") || a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: no advice: %s", r.Path, a.Body)
			}
		}
	}
}

// A key with every scope but the route's is refused, and the hint names the scope; a key with the scope gets past the
// guard.
func TestRule5_EveryRouteChecksItsScope(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	without, with := map[stockhand.Scope]string{}, map[stockhand.Scope]string{}
	for _, s := range stockhand.Scopes() {
		others := slices.DeleteFunc(stockhand.Scopes(),
			func(o stockhand.Scope) bool { return o == s || o == stockhand.ScopeAdmin })
		without[s], with[s] = w.Key(others...), w.Key(s)
	}
	for _, r := range api.Routes() {
		if r.Scope == "" {
			continue
		}
		a := w.Do(r.Method, w.fill(r), without[r.Scope], nil)
		switch {
		case !r.Own:
			if b := wantError(t, r.Method+" "+r.Path, a, 403, stockhand.CodePermissionDenied); !strings.Contains(
				b.Detail.Hint, string(r.Scope)) {
				t.Errorf("%s: the hint does not name %s: %s", r.Path, r.Scope, b.Detail.Hint)
			}
		case len(r.Wildcards) > 0:
			if a.Status != 403 && a.Status != 404 { // not its own
				t.Errorf("%s %s: %d %.200s", r.Method, r.Path, a.Status, a.Body)
			}
		}
		if r.Method == "GET" {
			if a := w.Do(r.Method, w.fill(r), with[r.Scope], nil, "Last-Event-ID", "100000"); a.Status == 401 ||
				a.Status == 403 || a.Status >= 500 {
				t.Errorf("%s with %s: %d %.200s", r.Path, r.Scope, a.Status, a.Body)
			}
		}
	}
}

func TestTheVersionIsInThePath(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{SQLite: true, Accounts: 1})
	if a := s.Do("GET", "/api/v1/sessions", s.AdminToken, nil); a.Status != 200 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	for _, path := range []string{"/api/v2/sessions", "/api/sessions"} {
		wantError(t, path, s.Do("GET", path, s.AdminToken, nil), 404, stockhand.CodeNotFound)
	}
	a, b := s.Do("POST", "/v1/chat/completions", "", "{}"), s.Do("POST", "/api/v1/v1/chat/completions", "", "{}")
	if a.Status != 401 || b.Status != 401 || !strings.Contains(string(a.Body), `"error":{`) ||
		!strings.Contains(string(b.Body), `"error":{`) {
		t.Errorf("the OpenAI path: %d %s, %d %s", a.Status, a.Body, b.Status, b.Body)
	}
}
