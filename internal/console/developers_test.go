package console_test

import (
	"encoding/json"
	"go/format"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

func developersPath(s *apptest.Service, rest string) string {
	return "/o/" + string(s.OrgID) + "/developers/" + rest
}

// element returns the text of the element with an ID.
func element(t *testing.T, page, id string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<[a-z]+[^>]* id="` + id + `"(?:[^>]* value="([^"]*)")?[^>]*>([^<]*)`).
		FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("the page has no %s", id)
	}
	if m[1] != "" {
		return html.UnescapeString(m[1])
	}
	return html.UnescapeString(m[2])
}

// The examples contain the address and the secret, and do what they say (rule R384).
func TestTheExamplesForProgramsWork(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 2}) // the task must name one
	b := as(t, s, stockhand.RoleOwner)
	created := b.post(developersPath(s, "keys"), url.Values{"name": {"examples"}, "days": {"7"},
		"scope": {"read:tools", "write:tools", "chat"}})
	if created.Status != 200 {
		t.Fatalf("%d %s", created.Status, created.Body)
	}
	secret := element(t, created.Body, "secret")
	for _, name := range []string{"curl", "python", "node", "go", "mcp", "webui", "n8n"} {
		code := element(t, created.Body, "new-"+name)
		if !strings.Contains(code, secret) || !strings.Contains(code, s.URL) || strings.Contains(code, "ADDRESS") {
			t.Errorf("%s:\n%s", name, code)
		}
	}
	program := element(t, created.Body, "new-go")
	if formatted, err := format.Source([]byte(program)); err != nil || string(formatted) != program {
		t.Errorf("the Go program: %v\n%s", err, formatted)
	}
	var n8n struct {
		Nodes []struct{ Parameters map[string]any }
	}
	if err := json.Unmarshal([]byte(element(t, created.Body, "new-n8n")), &n8n); err != nil || len(n8n.Nodes) != 1 {
		t.Errorf("n8n: %v", err)
	}
	var mcp struct {
		MCPServers map[string]struct {
			URL     string
			Headers map[string]string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(element(t, created.Body, "new-mcp")), &mcp); err != nil {
		t.Fatal(err)
	}
	at := mcp.MCPServers["stockhand"]
	token := strings.TrimPrefix(at.Headers["Authorization"], "Bearer ")
	got := s.Do("POST", strings.TrimPrefix(at.URL, s.URL), token, `{"jsonrpc":"2.0","id":1,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		"Accept", "application/json, text/event-stream")
	if got.Status != http.StatusOK || !strings.Contains(string(got.Body), "serverInfo") {
		t.Errorf("mcp: %d %s", got.Status, got.Body)
	}
	if _, err := exec.LookPath("curl"); err != nil && os.Getenv("CI") == "" {
		t.Skip("curl is not installed")
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c", element(t, created.Body, "new-curl")+" -sf").Output()
	if err != nil || !strings.Contains(string(out), `"tool":"moysklad_`) {
		t.Errorf("curl: %v %s", err, out)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = exec.CommandContext(t.Context(), "go", "run", file).Output()
	if err != nil || !strings.Contains(string(out), `"tool":"moysklad_`) {
		t.Errorf("go: %v %s", err, out)
	}
}

// A form with a mistake is shown again with what was entered, and creates nothing.
func TestAKeyThatIsRefusedIsNotCreated(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleOwner)
	account := string(s.Connections[0].ID)
	for name, form := range map[string]url.Values{
		"no scope":            {"name": {"reports"}, "days": {"7"}},
		"no such address":     {"name": {"reports"}, "days": {"7"}, "scope": {"chat"}, "addresses": {"office"}},
		"beyond the account":  {"name": {"reports"}, "days": {"7"}, "scope": {"read:data"}, "account": {account}},
		"a lifetime too long": {"name": {"reports"}, "days": {"366"}, "scope": {"chat"}},
	} {
		got := b.post(developersPath(s, "keys"), form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="reports"`) {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	if page := b.get(developersPath(s, "keys")); !strings.Contains(page.Body, "There are no keys yet") {
		t.Error("a key was created")
	}
}

// The request beside a form makes the same call as the form (rule R385).
func TestTheRequestBesideAFormMakesTheSameCall(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	key := s.Key(stockhand.ScopeWriteTools)
	for name, c := range map[string]struct {
		part string
		form url.Values
		want string // in the request
	}{
		"tool": {"tools", url.Values{"tool": {"moysklad_stock"}, "a-limit": {"3"}, "a-only": {"all"},
			"a-groups": {"\n"}}, `"limit": 3`},
		"query": {"queries", url.Values{"a-measures": {"revenue", "profit"}, "a-by": {"store"}}, `"profit"`},
	} {
		t.Run(name, func(t *testing.T) {
			shown := b.post(developersPath(s, c.part+"/request"), c.form, "HX-Request", "true")
			head, body, _ := strings.Cut(element(t, shown.Body, "request-http"), "\n\n")
			if !strings.Contains(body, c.want) || strings.Contains(body, "a-") {
				t.Fatalf("%s\n%s", head, body)
			}
			method, path, _ := strings.Cut(strings.SplitN(head, " HTTP", 2)[0], " ")
			var byKey, byForm struct {
				Results []struct{ Rows json.RawMessage }
			}
			s.Do(method, path, key, body).Decode(t, &byKey)
			called := b.post(developersPath(s, c.part), c.form, "HX-Request", "true")
			if called.Status != http.StatusOK {
				t.Fatalf("%d %s", called.Status, called.Body)
			}
			if err := json.Unmarshal([]byte(element(t, called.Body, "response")), &byForm); err != nil {
				t.Fatal(err)
			}
			if len(byKey.Results) != 1 || len(byForm.Results) != 1 {
				t.Fatalf("%d and %d results", len(byKey.Results), len(byForm.Results))
			}
			var a, b any
			if json.Unmarshal(byKey.Results[0].Rows, &a) != nil || json.Unmarshal(byForm.Results[0].Rows, &b) != nil ||
				!reflect.DeepEqual(a, b) {
				t.Errorf("%s\n%s", byKey.Results[0].Rows, byForm.Results[0].Rows)
			}
		})
	}
	wrong := b.post(developersPath(s, "tools"), url.Values{"tool": {"moysklad_stock"}, "a-limit": {"many"}})
	if wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(wrong.Body, "must be a number") {
		t.Errorf("a mistake: %d", wrong.Status)
	}
}
