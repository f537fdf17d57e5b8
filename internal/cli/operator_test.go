package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// beside starts a service and returns the environment of commands that work on its record.
func beside(t *testing.T, o apptest.Options) (*apptest.Service, map[string]string) {
	t.Helper()
	var config app.Config
	o.Configure = func(c *app.Config) { config = *c }
	s := apptest.Start(t, o)
	return s, map[string]string{"STOCKHAND_DATABASE_URL": config.Database, "STOCKHAND_SECRET_KEY": config.SecretKey}
}

// object reads the JSON object that a command printed.
func object(t *testing.T, r ran) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.out), &v); err != nil || r.code != 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	return v
}

func TestAKeyCreatedAtTheCommandLineIsBound(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Accounts: 1})
	own := string(s.Connections[0].ID)
	create := func(flags ...string) ran {
		return run(t, environment, append([]string{"keys", "create", "Till", "--json"}, flags...)...)
	}
	made := object(t, create("--connection", own, "--tool", "moysklad_stock,moysklad_money"))
	if got := fmt.Sprint(made["bound_to"]); got != "map[connections:["+own+"] tools:[moysklad_stock moysklad_money]]" {
		t.Error(got)
	}
	rotated := object(t, run(t, environment, "keys", "rotate", made["id"].(string), "--json"))
	for _, key := range []any{made["secret"], rotated["secret"]} {
		for tool, want := range map[string]int{"moysklad_money": 200, "moysklad_shortages": 403} {
			if a := s.Do("POST", "/tools/"+tool+"/execute", key.(string), map[string]any{}); a.Status != want {
				t.Errorf("%s: %d %s", tool, a.Status, a.Body)
			}
		}
	}
	made = object(t, create("--agent", "stockhand"))
	if a := s.Do("POST", "/tools/moysklad_money/execute", made["secret"].(string), map[string]any{}); a.Status != 403 {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if r := run(t, environment, "keys", "list"); !strings.Contains(r.out, "bound to "+own) {
		t.Error(r.out)
	}
	for flag, value := range map[string]string{"--connection": "con_x", "--agent": "agt_x", "--tool": "moysklad_x"} {
		if r := create(flag, value); r.code != 1 || !strings.Contains(r.err, "there is no such "+flag[2:]) {
			t.Errorf("%s: %+v", flag, r)
		}
	}
	if r := create("--tool", "moysklad_stock", "--scopes", "admin"); r.code != 1 {
		t.Errorf("%+v", r)
	}
	if r := run(t, nil, "__complete", "keys", "create", "--a"); r.out != "--agent\n" {
		t.Errorf("%+v", r)
	}
}

func TestAKeyCreatedAtTheCommandLineWorksAndIsRevokedWithinASecond(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	made := object(t, run(t, environment, "keys", "create", "CI", "--scopes", "read:tools", "--expires-in-days", "7",
		"--json"))
	secret, _ := made["secret"].(string)
	if a := s.Do("GET", "/tools", secret, nil); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if r := run(t, environment, "keys", "list"); r.code != 0 || !strings.Contains(r.out, made["prefix"].(string)) ||
		strings.Contains(r.out, secret) {
		t.Errorf("%+v", r)
	}
	rotated := object(t, run(t, environment, "keys", "rotate", made["id"].(string), "--overlap", "1h", "--json"))
	for _, key := range []string{secret, rotated["secret"].(string)} {
		if a := s.Do("GET", "/tools", key, nil); a.Status != 200 {
			t.Errorf("during the overlap: %d %s", a.Status, a.Body)
		}
	}
	if r := run(t, environment, "keys", "report"); r.code != 0 || !strings.Contains(r.out, rotated["id"].(string)) {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "keys", "revoke", made["id"].(string)); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	for deadline := time.Now().Add(time.Second); ; time.Sleep(10 * time.Millisecond) {
		sent := time.Now()
		a := s.Do("GET", "/tools", secret, nil)
		if a.Status == 401 {
			break
		}
		if sent.After(deadline) {
			t.Fatalf("a second after it was revoked: %d", a.Status)
		}
	}
	if r := run(t, environment, "keys", "list"); strings.Contains(r.out, made["id"].(string)) {
		t.Errorf("a revoked key among the good: %s", r.out)
	}
	if r := run(t, environment, "keys", "list", "--all"); !strings.Contains(r.out, "revoked") {
		t.Errorf("%s", r.out)
	}
	if r := run(t, environment, "keys", "create", "x", "--scopes", "nonsense"); r.code != 1 {
		t.Errorf("an unknown scope: %+v", r)
	}
	if r := run(t, environment, "keys", "create", "x", "--expires-in-days", "366"); r.code != 2 {
		t.Errorf("too many days: %+v", r)
	}
}

func TestUsersAndOrganizationsAreCreatedAtTheCommandLine(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	created := object(t, run(t, environment, "orgs", "create", "Вторая", "--owner", "vera@example.com", "--json"))
	org := created["id"].(string)
	r := run(t, environment, "users", "token", "vera@example.com", "--json")
	token, _ := object(t, r)["secret"].(string)
	var me struct {
		Organization struct{ ID, Name string }
		Role         string
	}
	s.Do("GET", "/me", token, nil).Decode(t, &me)
	if me.Organization.ID != org || me.Organization.Name != "Вторая" || me.Role != "owner" {
		t.Errorf("%+v", me)
	}
	if r := run(t, environment, "keys", "list"); r.code != 2 || !strings.Contains(r.err, org) {
		t.Errorf("of several organizations one must be named: %+v", r)
	}
	if r := run(t, environment, "orgs", "rename", "Другая", "--org", org); r.code != 0 ||
		!strings.Contains(r.out, "Другая") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "create", "petr@example.com", "--org", "другая", "--role",
		"viewer"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "orgs", "members", "--org", org, "--change", "petr@example.com", "--role",
		"member"); r.code != 0 || !strings.Contains(r.out, "member") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "orgs", "members", "--org", org, "--remove", "vera@example.com"); r.code != 1 {
		t.Errorf("the last owner was removed: %+v", r)
	}
	if r := run(t, environment, "orgs", "members", "--org", org, "--remove", "petr@example.com"); r.code != 0 ||
		strings.Contains(r.out, "petr") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "list"); r.code != 0 || !strings.Contains(r.out, "petr@example.com") {
		t.Errorf("%+v", r)
	}
	var id string
	for line := range strings.Lines(run(t, environment, "users", "tokens", "vera@example.com").out) {
		if strings.HasPrefix(line, "tok_") {
			id = strings.Fields(line)[0]
		}
	}
	if r := run(t, environment, "users", "tokens", "vera@example.com", "--revoke", id); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "remove-passkeys", "vera@example.com"); r.code != 1 ||
		!strings.Contains(r.err, "no passkey") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "token", "unknown@example.com"); r.code != 1 ||
		!strings.Contains(r.err, "users list") {
		t.Errorf("%+v", r)
	}
}

func TestSecretsAreRotatedWithoutLosingAnAccountOrAKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret.key")
	if err := os.WriteFile(file, []byte(strings.Repeat("0ddba11", 9)+"0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var config app.Config
	s := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.SecretKey, c.SecretKeyFile = "", file
		config = *c
	}})
	key := s.Key(stockhand.ScopeWriteTools)
	turn := s.Do("POST", "/sessions/stream?wait=60", key,
		map[string]any{"message": "сколько денег на счетах?", "connection_id": s.Connections[0].ID})
	s.Close()
	environment := map[string]string{"STOCKHAND_DATABASE_URL": config.Database, "STOCKHAND_SECRET_KEY_FILE": file,
		"STOCKHAND_MOYSKLAD_URL": s.SandboxURL}
	if r := run(t, environment, "secrets", "encrypt"); r.code != 1 ||
		!strings.Contains(r.err, "STOCKHAND_ENCRYPT_DATA=1") {
		t.Errorf("%+v", r)
	}
	environment["STOCKHAND_ENCRYPT_DATA"] = "1"
	if all := object(t, run(t, environment, "secrets", "encrypt", "--json")); all["values"].(float64) < 10 {
		t.Errorf("%v", all)
	}
	if all := object(t, run(t, environment, "secrets", "encrypt", "--json")); all["values"] != 0.0 {
		t.Errorf("again: %v", all)
	}
	if r := run(t, environment, "secrets", "new-key"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	first := object(t, run(t, environment, "secrets", "rotate", "--json"))
	again := object(t, run(t, environment, "secrets", "rotate", "--json"))
	if first["resealed"] != 4.0 || again["resealed"] != 0.0 || again["already"] != 3.0 ||
		len(first["not_needed"].([]any)) != 1 {
		t.Errorf("first %v, again %v", first, again)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newest, _, _ := strings.Cut(string(content), "\n")
	if err := os.WriteFile(file, []byte(newest), 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.Replica() // after the restart, with the new key alone
	if a := r.Do("POST", "/sessions/stream?wait=60", key,
		map[string]any{"message": "сколько денег на счетах?", "connection_id": s.Connections[0].ID}); a.Status != 200 ||
		!strings.Contains(string(a.Body), `"state":"done"`) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	var before struct {
		ID string `json:"session_id"`
	}
	turn.Decode(t, &before)
	messages := "/sessions/" + before.ID + "/messages"
	if a := r.Do("GET", messages, key, nil); a.Status != 200 || !strings.Contains(string(a.Body), "₽") {
		t.Errorf("what was encrypted later: %d %s", a.Status, a.Body)
	}
	r.Close()
	if r := run(t, environment, "orgs", "erase", string(s.OrgID)); r.code != 2 || !strings.Contains(r.err, "for-good") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "orgs", "erase", string(s.OrgID), "--for-good"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if a := r.Replica().Do("GET", messages, key, nil); a.Status != 409 ||
		!strings.Contains(string(a.Body), "was erased") {
		t.Errorf("what was erased: %d %s", a.Status, a.Body)
	}
	log := run(t, environment, "audit", "export").out
	for _, action := range []string{"data.encrypted", "secrets.key_added", "secrets.rotated", "organization.erased"} {
		if !strings.Contains(log, `"action":"`+action+`"`) {
			t.Errorf("%s is not audited", action)
		}
	}
}

func TestAPersonIsInvitedAndAcceptsAtTheCommandLine(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	_, token := s.Person("vera@example.com")
	invited := object(t, run(t, environment, "orgs", "invite", "Vera@example.com", "--role", "admin", "--json"))
	id := invited["id"].(string)
	if secret, _ := invited["secret"].(string); !strings.HasPrefix(secret, "sk-inv-") {
		t.Errorf("%v", invited)
	}
	if r := run(t, environment, "orgs", "invitations"); r.code != 0 || !strings.Contains(r.out, "vera@example.com") ||
		strings.Contains(r.out, "sk-inv-") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "invitations", "vera@example.com"); !strings.Contains(r.out, id) {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "users", "invitations", "vera@example.com", "--accept", id); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if a := s.Do("GET", "/organizations/"+string(s.OrgID)+"/invitations", token, nil); a.Status != 200 {
		t.Errorf("the new admin: %d %s", a.Status, a.Body)
	}
	if r := run(t, environment, "users", "invitations", "vera@example.com", "--decline", id); r.code != 1 {
		t.Errorf("declining what was accepted: %+v", r)
	}
	second := object(t, run(t, environment, "orgs", "invite", "petr@example.com", "--json"))
	if r := run(t, environment, "orgs", "invitations", "--revoke", second["id"].(string)); r.code != 0 ||
		strings.Contains(r.out, "petr") {
		t.Errorf("%+v", r)
	}
}

func TestAPolicyIsSetAtTheCommandLine(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	key := s.Key(stockhand.ScopeReadTools)
	if r := run(t, environment, "orgs", "policy", "--max-key-days", "30", "--keys-need-addresses"); r.code != 0 ||
		!strings.Contains(r.out, "at most 30 days, only with allowed addresses") {
		t.Errorf("%+v", r)
	}
	for deadline := time.Now().Add(time.Second); ; time.Sleep(10 * time.Millisecond) {
		if a := s.Do("GET", "/tools", key, nil); a.Status == 403 {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("a second after it was forbidden: %d", a.Status)
		}
	}
	if r := run(t, environment, "orgs", "policy", "--no-keys-need-addresses"); r.code != 0 ||
		!strings.Contains(r.out, "from any address") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "orgs", "policy", "--max-token-days", "366"); r.code != 1 {
		t.Errorf("%+v", r)
	}
}

func TestRetentionTimesAreSetAtTheCommandLine(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	environment["STOCKHAND_RETENTION"] = "sessions=30:60"
	if r := run(t, environment, "orgs", "retention", "--results-days", "7"); r.code != 0 ||
		r.out != "sessions  30 days\nresults   7 days\naudit     for good\nanswers   1 day\n" {
		t.Errorf("%+v", r)
	}
	for _, wrong := range []string{"--results-days=x", "--results-days=0", "--sessions-days=61", "--answers-days=8"} {
		if r := run(t, environment, "orgs", "retention", wrong); r.code == 0 {
			t.Errorf("%s: %+v", wrong, r)
		}
	}
	if r := run(t, environment, "orgs", "quota", "sessions=0"); r.code != 2 {
		t.Errorf("%+v", r)
	}
	if _, err := s.Store.CreateSession(t.Context(), s.OrgID,
		stockhand.Session{Created: time.Now().AddDate(0, 0, -31)}); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ args, want string }{
		{"housekeeping --dry-run", string(s.OrgID) + "  1         0        0\n"},
		{"housekeeping", "Removed 1 sessions, the rows of 0 results (0 bytes) and 0 audit entries.\n"},
		{"housekeeping --dry-run", "Nothing is past its retention time.\n"},
		{"housekeeping --json", `{"sessions":0,"results":0,"bytes":0,"audit_entries":0}` + "\n"},
		{"orgs usage",
			"sessions          0 of 1000000\nmessages          0 of 5000000\ndrafts            0 of 1000000\n"},
		{"orgs quota sessions=7,messages=off",
			"sessions          0 of 7\nmessages          0 of any number\ndrafts            0 of 1000000\n"},
		{"orgs quota drafts=8",
			"sessions          0 of 7\nmessages          0 of any number\ndrafts            0 of 8\n"},
		{"orgs retention --results-days none --answers-days 7",
			"sessions  30 days\nresults   for good\naudit     for good\nanswers   7 days\n"},
	} {
		if r := run(t, environment, strings.Fields(x.args)...); r.code != 0 || !strings.HasSuffix(r.out, x.want) {
			t.Errorf("%s: %+v", x.args, r)
		}
	}
}

func TestRulesAndAStopOfWritesAreSetAtTheCommandLine(t *testing.T) {
	t.Parallel()
	s, environment := beside(t, apptest.Options{Unconnected: true})
	if r := run(t, environment, "orgs", "rules", "--max-order-total", "100000.50", "--price-above-cost",
		"--quiet-hours",
		"22:00-08:00"); r.code != 0 || !strings.Contains(r.out, "100000.5") || !strings.Contains(r.out, "22:00-08:00") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "orgs", "rules", "--max-order-total", "none"); r.code != 0 ||
		strings.Contains(r.out, "100000") || !strings.Contains(r.out, "22:00-08:00") {
		t.Errorf("%+v", r)
	}
	for _, wrong := range []string{"--max-order-total=much", "--max-price-change=-1", "--quiet-hours=night"} {
		if r := run(t, environment, "orgs", "rules", wrong); r.code == 0 {
			t.Errorf("%s: %+v", wrong, r)
		}
	}
	stopped := func() any {
		t.Helper()
		a := s.Do("GET", "/organizations/"+string(s.OrgID)+"/settings", s.AdminToken, nil)
		var v map[string]any
		if err := json.Unmarshal(a.Body, &v); err != nil || a.Status != 200 {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		return v["write_stop"]
	}
	for _, args := range [][]string{{}, {"--org", string(s.OrgID)}} {
		if r := run(t, environment, append([]string{"writes", "stop"}, args...)...); r.code != 0 ||
			!strings.Contains(r.out, "stopped") || stopped() == nil {
			t.Errorf("%+v", r)
		}
		if r := run(t, environment, "writes", "show"); !strings.Contains(r.out, "stopped") == (len(args) == 0) {
			t.Errorf("%v: %+v", args, r)
		}
		if r := run(t, environment, append([]string{"writes", "allow"}, args...)...); r.code != 0 ||
			!strings.Contains(r.out, "allowed") || stopped() != nil {
			t.Errorf("%+v", r)
		}
	}
}
