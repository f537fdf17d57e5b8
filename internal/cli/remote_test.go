package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

func TestAskAtAServerShowsWhatALocalOneDoes(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	environment := map[string]string{"STOCKHAND_URL": s.URL, "STOCKHAND_API_KEY": s.Key(stockhand.ScopeWriteTools)}
	account := string(s.Connections[0].ID)

	r := run(t, environment, "ask", "--account", account, "сколько у нас денег?")
	if r.code != 0 || !strings.Contains(r.out, "Остатки денег") || !strings.Contains(r.out, "Касса") || r.err != "" {
		t.Errorf("%+v", r)
	}
	f := decode(t, run(t, environment, "ask", "--json", "--account", account, "сколько у нас денег?"))
	if len(f.Results) != 1 || len(f.ToolCalls) != 1 || f.ToolCalls[0].Name != "moysklad_money" ||
		f.ExternalRequests == 0 {
		t.Errorf("%+v", f)
	}
	if r := run(t, environment, "ask", "сколько у нас денег?"); r.code != 2 ||
		!strings.Contains(r.err, "--account") {
		t.Errorf("an account must be named: %+v", r)
	}
	if r := run(t, environment, "ask", "сведи остатки по всем аккаунтам вместе"); r.code != 1 ||
		!strings.Contains(r.err, "Назовите один аккаунт") {
		t.Errorf("several accounts: %+v", r)
	}
	if r := run(t, environment, "ask", "--account", account,
		"подними розничные цены на 7 % на все товары"); r.code != 0 ||
		!strings.Contains(r.out, "drf_") {
		t.Errorf("a proposal: %+v", r)
	}
}

func TestAskAtAServerNamesAccountsByTheirLabel(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	environment := map[string]string{"STOCKHAND_URL": s.URL + "/api/v1/",
		"STOCKHAND_API_KEY": s.Key(stockhand.ScopeWriteTools, stockhand.ScopeReadData)}
	if r := run(t, environment, "ask", "--account", s.Connections[1].Label, "сколько денег на счетах?"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "ask", "--account", "unknown", "сколько денег на счетах?"); r.code != 2 ||
		!strings.Contains(r.err, s.Connections[0].Label) {
		t.Errorf("%+v", r)
	}
}

func TestAskAtAServerSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	revoked, secret := s.NewKey(s.OrgID, auth.NewKey{Name: "revoked"})
	if _, err := s.Auth.RevokeKey(t.Context(), auth.Operator(s.OrgID, "test"), revoked.ID, true); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		url, key string
		args     []string
		code     int
		says     string
	}{
		"no server listens":   {"http://127.0.0.1:1", "sk-org-x", nil, 1, "no server is running at http://127.0.0.1:1"},
		"no key":              {s.URL, "", nil, 2, "STOCKHAND_API_KEY"},
		"a wrong key":         {s.URL, "sk-org-x", nil, 1, "token"},
		"a revoked key":       {s.URL, secret, nil, 1, "token"},
		"a key without scope": {s.URL, s.Key(stockhand.ScopeReadTools), nil, 1, "write:tools"},
		"no address":          {"stockhand.example", "sk-org-x", nil, 1, "address of a server"},
		"not Stockhand": {strings.TrimSuffix(s.SandboxURL, "/api/remap/1.2"), "sk-org-x", nil, 1,
			"not a response of Stockhand"},
		"demo and a server": {"", "", []string{"--demo", "--url", s.URL}, 2, "exclude"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, map[string]string{"STOCKHAND_URL": c.url, "STOCKHAND_API_KEY": c.key},
				append([]string{"ask", "остатки"}, c.args...)...)
			if r.code != c.code || !strings.Contains(r.err, c.says) || c.key != "" && strings.Contains(r.err, c.key) ||
				r.out != "" {
				t.Errorf("%+v", r)
			}
		})
	}
	r := run(t, map[string]string{"STOCKHAND_URL": s.URL, "STOCKHAND_API_KEY": "sk-org-x"}, "ask", "--json", "остатки")
	var f struct{ Error struct{ Code string } }
	if err := json.Unmarshal([]byte(r.out), &f); err != nil || r.code != 1 || f.Error.Code != "AUTH_TOKEN_EXPIRED" {
		t.Errorf("%+v", r)
	}
}
