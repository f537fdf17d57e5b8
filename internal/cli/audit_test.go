package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app/apptest"
)

// The server and the command line write one chain under one key, which outlives the key that encrypts it; a head that
// was kept shows what was cut off (finding L15).
func TestTheAuditLogVerifiesAfterTheSecretKeyIsRotated(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	if a := s.Do("POST", "/me/tokens", s.AdminToken, map[string]any{"name": "over the API"}); a.Status != 201 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	object(t, run(t, environment, "keys", "create", "CI", "--json"))
	before := run(t, environment, "audit", "verify")
	if before.code != 0 || !strings.Contains(before.out, "all intact") {
		t.Fatalf("%+v", before)
	}
	head := filepath.Join(t.TempDir(), "head.txt")
	if err := os.WriteFile(head, []byte(before.out), 0o600); err != nil {
		t.Fatal(err)
	}

	old := environment["STOCKHAND_SECRET_KEY"]
	environment["STOCKHAND_SECRET_KEY"] = strings.Repeat("a1", 32) + "\n" + old
	object(t, run(t, environment, "secrets", "rotate", "--json"))
	environment["STOCKHAND_SECRET_KEY"] = strings.Repeat("a1", 32) // the old key is gone
	object(t, run(t, environment, "keys", "create", "CI 2", "--json"))
	if r := run(t, environment, "audit", "verify", "--head", head); r.code != 0 {
		t.Errorf("after the rotation: %+v", r)
	}
	exported := run(t, environment, "audit", "export")
	if exported.code != 0 || !strings.Contains(exported.out, `"action":"token.created"`) {
		t.Errorf("%+v", exported)
	}
	if err := os.WriteFile(head, []byte(exported.out), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, environment, "audit", "verify", "--head", head); r.code != 0 {
		t.Errorf("against an export: %+v", r)
	}
	if r := run(t, environment, "audit", "verify", "--head", strings.Repeat("0f", 32)); r.code != 1 ||
		!strings.Contains(r.err, "cut off") {
		t.Errorf("a head that the log lacks: %+v", r)
	}
	if r := run(t, environment, "audit", "verify", "--head", "none.txt"); r.code != 2 {
		t.Errorf("no such file: %+v", r)
	}
}

// What the operator does is audited under the operator's name: in the organization's log, or the installation's.
func TestOperatorActionsAreAudited(t *testing.T) {
	t.Parallel()
	_, environment := beside(t, apptest.Options{Unconnected: true})
	object(t, run(t, environment, "users", "create", "vera@example.com", "--json"))
	object(t, run(t, environment, "users", "token", "vera@example.com", "--json"))
	object(t, run(t, environment, "orgs", "rename", "Renamed", "--json"))
	object(t, run(t, environment, "secrets", "rotate", "--json"))
	log := run(t, environment, "audit", "export").out
	for _, action := range []string{"user.created", "token.created", "organization.renamed", "secrets.rotated",
		"audit.exported"} {
		found := false
		for line := range strings.Lines(log) {
			found = found || strings.Contains(line, `"action":"`+action+`"`) && strings.Contains(line, `"actor":"cli:`)
		}
		if !found {
			t.Errorf("no %s by the operator in %s", action, log)
		}
	}
	if r := run(t, environment, "audit", "verify", "--org", "installation"); r.code != 0 ||
		!strings.Contains(r.out, "4 entries") {
		t.Errorf("%+v", r)
	}
}

// The operator's commands read the key from a command as well, and refuse two sources.
func TestTheSecretKeyComesFromACommand(t *testing.T) {
	t.Parallel()
	_, environment := beside(t, apptest.Options{Unconnected: true})
	environment["STOCKHAND_SECRET_KEY_COMMAND"] = "echo " + environment["STOCKHAND_SECRET_KEY"]
	r := run(t, environment, "keys", "list")
	if r.code != 1 || !strings.Contains(r.err, "STOCKHAND_SECRET_KEY_COMMAND") {
		t.Errorf("two sources: %+v", r)
	}
	delete(environment, "STOCKHAND_SECRET_KEY")
	if r := run(t, environment, "audit", "verify"); r.code != 0 || !strings.Contains(r.out, "all intact") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "secrets", "new-key"); r.code != 1 || !strings.Contains(r.err, "come from a command") {
		t.Errorf("%+v", r)
	}
}
