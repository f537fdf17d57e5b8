package apptest_test

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

func TestAServiceAnswersWithItsAccountsConnected(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	if a := s.Do("GET", "/healthz", "", nil); a.Status != 200 {
		t.Errorf("healthz: %d %s", a.Status, a.Body)
	}
	if !stockhand.ValidID(string(s.OrgID), "org") || s.AdminToken == "" || len(s.Connections) != 2 {
		t.Errorf("organization %s, token of %d characters, %d connections", s.OrgID, len(s.AdminToken),
			len(s.Connections))
	}
	var me struct{ Scopes []string }
	s.Do("GET", "/me", s.Key(stockhand.ScopeReadData), nil).Decode(t, &me)
	if len(me.Scopes) != 1 || me.Scopes[0] != "read:data" {
		t.Errorf("a key of read:data is %v", me.Scopes)
	}
	other, token := s.Organization("Other")
	if a := s.Do("GET", "/organizations/"+string(s.OrgID), token, nil); a.Status != 403 && a.Status != 404 {
		t.Errorf("%s sees the first organization: %d %s", other, a.Status, a.Body)
	}
}
