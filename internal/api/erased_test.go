package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
)

// TestMain compares the responses with the OpenAPI document, which did not have the 409 of what is read.
func TestRule164_WhatWasErasedIs409OnEveryRouteAndTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	w := newWalked(t, func(c *app.Config) { c.EncryptData = true })
	if err := w.Store.EraseContents(t.Context(), w.OrgID, stockhand.AuditEntry{}); err != nil {
		t.Fatal(err)
	}
	if a := w.Do(http.MethodGet, "/organizations/"+string(w.OrgID)+"/measures", w.AdminToken, nil); a.Status != 200 ||
		strings.Contains(string(a.Body), "theirs") {
		t.Errorf("own measures: %d %s", a.Status, a.Body)
	}
	gone := map[string]bool{}
	for _, r := range api.Routes() {
		if r.Method != http.MethodGet && r.Name != "deleteSession" {
			continue
		}
		a := w.Do(r.Method, w.fill(r), w.AdminToken, nil)
		if a.Status >= 500 {
			t.Errorf("%s: %d %s", r.Name, a.Status, a.Body)
		}
		if a.Status == http.StatusConflict {
			wantError(t, r.Name, a, http.StatusConflict, stockhand.CodeConflict)
			gone[r.Name] = true
		}
	}
	for _, name := range []string{"getSession", "deleteSession", "getMessage", "getResult", "getDraft"} {
		if !gone[name] {
			t.Errorf("%s reads what was erased", name)
		}
	}
}

// How one may sign in was an empty answer for a key.
func TestAKeyHasNoWayToSignIn(t *testing.T) {
	t.Parallel()
	w := newWalked(t)
	key := w.Key(stockhand.ScopeAdmin)
	for _, r := range api.Routes() {
		if r.Method == http.MethodGet && strings.HasPrefix(r.Path, "/me/") {
			wantError(t, r.Name, w.Do(r.Method, w.fill(r), key, nil), http.StatusForbidden,
				stockhand.CodePermissionDenied)
		}
	}
}
