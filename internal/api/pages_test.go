package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console"
)

// A page requires what the API requires for the same (rule R380).
func TestPagesRequireTheScopesOfTheAPI(t *testing.T) {
	s := New(Config{})
	operations := map[string]route{}
	for _, r := range s.table {
		operations[r.name] = r
	}
	for _, p := range console.New(console.Config{}).Routes(nil) {
		like, ok := operations[p.Like]
		if !ok {
			t.Errorf("%s: the API has no operation %q", p.Pattern, p.Like)
			continue
		}
		if p.Scope != like.access.scope {
			t.Errorf("%s requires %q, but %s requires %q", p.Pattern, p.Scope, p.Like, like.access.scope)
		}
		if p.Scope != "" && !strings.Contains(p.Pattern, "{org_id}") {
			t.Errorf("%s requires %s but names no organization", p.Pattern, p.Scope)
		}
		method, _, _ := strings.Cut(p.Pattern, " ")
		if method != http.MethodGet && method != http.MethodPost {
			t.Errorf("%s: browsers send GET and POST only", p.Pattern)
		}
		if p.Notes != "" && (len(like.handler.audits.actions) != 1 || like.handler.audits.actions[0] != p.Notes) {
			t.Errorf("%s notes %s, but %s notes %v", p.Pattern, p.Notes, p.Like, like.handler.audits.actions)
		}
		if p.Notes == "" && like.handler.audits.noted && p.Scope == stockhand.ScopeReadData {
			t.Errorf("%s notes nothing, but %s notes %v", p.Pattern, p.Like, like.handler.audits.actions)
		}
	}
}
