package console_test

import (
	"encoding/json"
	"go/format"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
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
	s := apptest.Start(t, apptest.Options{Accounts: 1})
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
	if err != nil || !strings.Contains(string(out), `"final_response"`) {
		t.Errorf("curl: %v %s", err, out)
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
