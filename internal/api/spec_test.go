package api_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// Each row of the API contract's tables, by its section and its first column, against the real server over TCP.

func TestContractRows(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	keys := "/organizations/" + string(s.OrgID) + "/api-keys"
	type key struct {
		ID, Name, Prefix, Secret string
		Scopes                   []string
		Created                  time.Time  `json:"created_at"`
		Expires                  time.Time  `json:"expires_at"`
		LastUsed                 *time.Time `json:"last_used_at"`
		Revoked                  *time.Time `json:"revoked_at"`
	}
	create := func(t *testing.T, body map[string]any) key {
		t.Helper()
		var k key
		a := s.Do(http.MethodPost, keys, s.AdminToken, body)
		if a.Status != http.StatusCreated {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		a.Decode(t, &k)
		return k
	}
	refused := func(t *testing.T, body map[string]any) {
		t.Helper()
		if a := s.Do(http.MethodPost, keys, s.AdminToken, body); a.Status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d %s", body, a.Status, a.Body)
		}
	}
	row := func(name string, f func(t *testing.T)) { t.Run(name, f) }

	row("2 name: label of the key", func(t *testing.T) {
		if k := create(t, map[string]any{"name": "the label"}); k.Name != "the label" {
			t.Errorf("%+v", k)
		}
	})
	row("2 scopes: default when omitted is write:tools", func(t *testing.T) {
		if k := create(t, map[string]any{"name": "x"}); len(k.Scopes) != 1 || k.Scopes[0] != "write:tools" {
			t.Errorf("%+v", k)
		}
		refused(t, map[string]any{"name": "x", "scopes": []string{"everything"}})
	})
	row("2 expires_in_days: default 90, range 1-365", func(t *testing.T) {
		for days, body := range map[int]map[string]any{90: {"name": "x"}, 1: {"name": "x", "expires_in_days": 1},
			365: {"name": "x", "expires_in_days": 365}} {
			if k := create(t, body); k.Expires.Sub(k.Created).Round(time.Hour) != time.Duration(days)*24*time.Hour {
				t.Errorf("%v ends at %v", body, k.Expires)
			}
		}
		for _, days := range []any{0, 366, 1.5, "90"} {
			refused(t, map[string]any{"name": "x", "expires_in_days": days})
		}
	})
	row("2 secret: begins with sk-org-, at creation and never again", func(t *testing.T) {
		k := create(t, map[string]any{"name": "x"})
		if !strings.HasPrefix(k.Secret, "sk-org-") {
			t.Errorf("%+v", k)
		}
		for _, a := range []apptest.Answer{s.Do(http.MethodGet, keys+"?limit=200", s.AdminToken, nil),
			s.Do(http.MethodGet, keys+"/"+k.ID, s.AdminToken, nil),
			s.Do(http.MethodDelete, keys+"/"+k.ID, s.AdminToken, nil)} {
			if a.Status != http.StatusOK || strings.Contains(string(a.Body), k.Secret) ||
				strings.Contains(string(a.Body), `"secret"`) {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
	})
	row("2 key prefix: in list and revoke responses", func(t *testing.T) {
		k := create(t, map[string]any{"name": "x"})
		list, gone := s.Do(http.MethodGet, keys+"?limit=200", s.AdminToken, nil),
			s.Do(http.MethodDelete, keys+"/"+k.ID, s.AdminToken, nil)
		if k.Prefix == "" || !strings.HasPrefix(k.Secret, k.Prefix) ||
			!strings.Contains(string(list.Body), `"`+k.Prefix+`"`) ||
			!strings.Contains(string(gone.Body), `"`+k.Prefix+`"`) {
			t.Errorf("%s, %s", list.Body, gone.Body)
		}
	})
	row("2 last_used_at: in the list", func(t *testing.T) {
		var list struct{ Data []map[string]any }
		s.Do(http.MethodGet, keys, s.AdminToken, nil).Decode(t, &list)
		for _, k := range list.Data {
			if _, there := k["last_used_at"]; !there {
				t.Errorf("%v", k)
			}
		}
	})
	row("2 organization: in paths and in X-Org-Id", func(t *testing.T) {
		if a := s.Do(http.MethodGet, "/organizations/"+string(s.OrgID), s.AdminToken, nil, "X-Org-Id",
			string(s.OrgID)); a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	row("2 tool and connector: metadata and execution", func(t *testing.T) {
		secret := s.Key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools)
		for _, path := range []string{"/tools", "/tools/moysklad_money", "/connectors", "/connectors/moysklad"} {
			if a := s.Do(http.MethodGet, path, secret, nil); a.Status != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.Status, a.Body)
			}
		}
		if a := s.Do(http.MethodPost, "/tools/moysklad_money/execute", secret,
			map[string]any{"arguments": map[string]any{}}); a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		if a := s.Do(http.MethodPost, "/connectors/moysklad/execute", secret,
			map[string]any{"connection_id": s.Connections[0].ID, "operation": "moysklad_money",
				"arguments": map[string]any{}}); a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	row("4 GET /sessions", func(t *testing.T) {
		if a := s.Do(http.MethodGet, "/sessions", s.Key(stockhand.ScopeReadData), nil); a.Status != http.StatusOK {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	row("4 DELETE /organizations/<org_id>/api-keys/<key_id> revokes", func(t *testing.T) {
		k := create(t, map[string]any{"name": "x", "scopes": []string{"read:data"}})
		before := s.Do(http.MethodGet, "/sessions", k.Secret, nil)
		s.Do(http.MethodDelete, keys+"/"+k.ID, s.AdminToken, nil)
		if after := s.Do(http.MethodGet, "/sessions", k.Secret, nil); before.Status != http.StatusOK ||
			after.Status != http.StatusUnauthorized {
			t.Errorf("%d, then %d", before.Status, after.Status)
		}
	})
	for scope, path := range map[stockhand.Scope]string{
		stockhand.ScopeReadTools: "/tools", stockhand.ScopeReadData: "/connections", stockhand.ScopeChat: "/v1/models",
		stockhand.ScopeGateway: "/connections/" + string(s.Connections[0].ID) + "/gateway/entity/store",
		stockhand.ScopeAdmin:   keys,
	} {
		row("5 scope "+string(scope), func(t *testing.T) {
			for _, other := range stockhand.Scopes() {
				want := http.StatusForbidden
				if other == scope || other == stockhand.ScopeAdmin {
					want = http.StatusOK
				}
				if a := s.Do(http.MethodGet, path, s.Key(other), nil); a.Status != want {
					t.Errorf("%s with %s: %d %s", path, other, a.Status, a.Body)
				}
			}
		})
	}
	row("5 scope write:tools", func(t *testing.T) {
		body := map[string]any{"arguments": map[string]any{}}
		if a := s.Do(http.MethodPost, "/tools/moysklad_money/execute", s.Key(stockhand.ScopeReadTools),
			body); a.Status != http.StatusForbidden {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
	row("5 scope chat: /v1/chat/completions, under the base too", func(t *testing.T) {
		body := map[string]any{"model": "stockhand",
			"messages": []any{map[string]any{"role": "user", "content": "сколько денег на счетах?"}}}
		for _, path := range []string{"/v1/chat/completions", "/api/v1/v1/chat/completions"} {
			if a := s.Do(http.MethodPost, path, s.Key(stockhand.ScopeChat), body); a.Status != http.StatusOK {
				t.Errorf("%s: %d %s", path, a.Status, a.Body)
			}
			if a := s.Do(http.MethodPost, path, s.Key(stockhand.ScopeWriteTools),
				body); a.Status != http.StatusForbidden {
				t.Errorf("%s: %d %s", path, a.Status, a.Body)
			}
		}
	})
	failure := func(t *testing.T, a apptest.Answer, status int, code string) {
		t.Helper()
		var body struct {
			Detail struct{ Code, Message, Hint string }
		}
		a.Decode(t, &body)
		if d := body.Detail; a.Status != status || d.Code != code || d.Message == "" || d.Hint == "" {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	}
	row("7 401 AUTH_TOKEN_EXPIRED: detail.code, detail.message, detail.hint", func(t *testing.T) {
		a := s.Do(http.MethodGet, "/sessions", "sk-org-wrong", nil)
		failure(t, a, http.StatusUnauthorized, "AUTH_TOKEN_EXPIRED")
		if !strings.Contains(string(a.Body), "new token") {
			t.Errorf("the hint does not advise a new token: %s", a.Body)
		}
	})
	row("7 403 AUTH_PERMISSION_DENIED", func(t *testing.T) {
		failure(t, s.Do(http.MethodGet, "/sessions/ses_x/messages", s.Key(stockhand.ScopeReadTools), nil),
			http.StatusForbidden, "AUTH_PERMISSION_DENIED")
	})
	row("9 the version is in the path prefix /api/v1", func(t *testing.T) {
		if a := s.Do(http.MethodGet, "/api/v2/sessions", s.AdminToken, nil); a.Status != http.StatusNotFound {
			t.Errorf("%d %s", a.Status, a.Body)
		}
	})
}

func TestContractRowsOutboundLimits(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, Limits: true})
	secret := s.Key(stockhand.ScopeWriteTools)
	var all sync.WaitGroup
	for _, tool := range []string{"moysklad_stock", "moysklad_stock_by_store", "moysklad_money", "moysklad_shortages"} {
		all.Go(func() {
			if a := s.Do(http.MethodPost, "/tools/"+tool+"/execute", secret,
				map[string]any{"arguments": map[string]any{}}); a.Status != http.StatusOK {
				t.Errorf("%s: %d %s", tool, a.Status, a.Body)
			}
		})
	}
	all.Wait()
	if overall, reports := sandbox.PeakPerSecond(s.Sandbox.Requests(), nil),
		sandbox.PeakPerSecond(s.Sandbox.Requests(), sandbox.Request.StockReport); overall > 6 || reports > 2 {
		t.Errorf("%d requests in a second, %d of them stock reports", overall, reports)
	}
}
