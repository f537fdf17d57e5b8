package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/auth"
)

// attacked runs an attack on the whole service, on each database.
func attacked(t *testing.T, o apptest.Options, attack func(t *testing.T, s *apptest.Service)) {
	t.Helper()
	for name, postgres := range map[string]bool{"sqlite": false, "postgres": true} {
		t.Run(name, func(t *testing.T) {
			o.Postgres = postgres
			attack(t, apptest.Start(t, o))
		})
	}
}

// Rules R90 and R91: somebody of another organization invites the owner of this one.
func TestAttackDrawingAStrangerIn(t *testing.T) {
	attacked(t, apptest.Options{Unconnected: true}, func(t *testing.T, s *apptest.Service) {
		evil, mallory := s.Organization("Evil")
		invitations := "/organizations/" + string(evil) + "/invitations"
		invite := func(email string) map[string]any {
			return read[map[string]any](t, "invite "+email, s.Do(http.MethodPost, invitations, mallory,
				map[string]string{"email": email, "role": "viewer"}), http.StatusCreated)
		}
		// The answer is the same whether or not the address belongs to somebody.
		victim, unknown := invite("owner@localhost"), invite("unknown@localhost")
		if !slices.Equal(slices.Sorted(maps.Keys(victim)), slices.Sorted(maps.Keys(unknown))) {
			t.Errorf("%v differs from %v", victim, unknown)
		}
		for _, field := range []string{"user_id", "name", "created_by"} {
			if victim[field] != nil {
				t.Errorf("the inviter learns the %s", field)
			}
		}
		// There is no way to become a member without being asked.
		if a := s.Do(http.MethodPost, "/organizations/"+string(evil)+"/members", mallory,
			map[string]string{"email": "owner@localhost", "role": "viewer"}); a.Status != http.StatusMethodNotAllowed {
			t.Errorf("adding a member: %d %s", a.Status, a.Body)
		}
		at := func(doing string) {
			t.Helper()
			me := read[struct{ Organization struct{ ID stockhand.OrgID } }](t, doing,
				s.Do(http.MethodGet, "/me", s.AdminToken, nil), http.StatusOK)
			if me.Organization.ID != s.OrgID {
				t.Errorf("%s: the victim's calls go to %s", doing, me.Organization.ID)
			}
			if a := s.Do(http.MethodGet, "/connections", s.AdminToken, nil); a.Status != http.StatusOK {
				t.Errorf("%s: the victim is locked out: %d %s", doing, a.Status, a.Body)
			}
		}
		at("invited")
		if a := s.Do(http.MethodPost, "/invitations/accept", s.AdminToken,
			map[string]any{"token": victim["secret"]}); a.Status != http.StatusOK {
			t.Fatalf("accept: %d %s", a.Status, a.Body)
		}
		at("accepted")
		const bait = "ACCOUNT LOCKED: open https://evil.example"
		s.Do(http.MethodPatch, "/organizations/"+string(evil), mallory, map[string]string{"name": bait})
		// Without a home the hint names organizations by id alone.
		u, err := s.Auth.UserByEmail(t.Context(), "owner@localhost")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Auth.AddMember(t.Context(), auth.Operator(s.OrgID, "test"), "second@localhost",
			stockhand.RoleOwner); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Auth.RemoveMember(t.Context(), auth.Operator(s.OrgID, "test"), s.OrgID, u.ID,
			false); err != nil {
			t.Fatal(err)
		}
		b := wantError(t, "no home", s.Do(http.MethodGet, "/connections", s.AdminToken, nil), http.StatusBadRequest,
			stockhand.CodeOrgRequired)
		if strings.Contains(b.Detail.Hint+b.Detail.Message, "LOCKED") ||
			!strings.Contains(b.Detail.Hint, string(evil)) {
			t.Errorf("the hint is %q", b.Detail.Hint)
		}
		// And anybody may leave.
		if a := s.Do(http.MethodDelete, "/organizations/"+string(evil)+"/members/me", s.AdminToken,
			nil); a.Status != http.StatusOK {
			t.Errorf("leave: %d %s", a.Status, a.Body)
		}
		wantError(t, "the last owner leaves", s.Do(http.MethodDelete, "/organizations/"+string(evil)+"/members/me",
			mallory, nil), http.StatusConflict, stockhand.CodeConflict)
	})
}

// A person who belongs to no organization connects their account: it must not land in that of somebody who invited
// them.
func TestAttackCapturingACredential(t *testing.T) {
	attacked(t, apptest.Options{Unconnected: true}, func(t *testing.T, s *apptest.Service) {
		evil, mallory := s.Organization("Evil")
		_, viktor := s.Person("viktor@example.com")
		if a := s.Do(http.MethodPost, "/organizations/"+string(evil)+"/invitations", mallory,
			map[string]string{"email": "viktor@example.com", "role": "admin"}); a.Status != http.StatusCreated {
			t.Fatalf("invite: %d %s", a.Status, a.Body)
		}
		wantError(t, "connect an account", s.Do(http.MethodPost, "/connections", viktor, map[string]string{
			"connector": "moysklad", "token": s.Sandbox.Accounts()[0].Tokens.Owner}), http.StatusForbidden,
			stockhand.CodePermissionDenied)
		list := read[struct{ Data []struct{ ID string } }](t, "own invitations",
			s.Do(http.MethodGet, "/me/invitations", viktor, nil), http.StatusOK)
		if len(list.Data) != 1 {
			t.Fatalf("own invitations: %+v", list)
		}
		path := "/me/invitations/" + list.Data[0].ID
		wantError(t, "somebody else accepts it", s.Do(http.MethodPost, path+"/accept", mallory, nil),
			http.StatusNotFound, stockhand.CodeNotFound)
		if a := s.Do(http.MethodPost, path+"/decline", viktor, nil); a.Status != http.StatusOK {
			t.Errorf("decline: %d %s", a.Status, a.Body)
		}
		wantError(t, "accept what was declined", s.Do(http.MethodPost, path+"/accept", viktor, nil),
			http.StatusConflict, stockhand.CodeConflict)
		wantError(t, "found an organization", s.Do(http.MethodPost, "/organizations", viktor,
			map[string]string{"name": "Mine"}), http.StatusForbidden, stockhand.CodePermissionDenied)
	})
}

// Rule R92: a stolen admin key confirms a draft and opens the gates by making a person.
func TestAttackAStolenAdminKeyMakesSomebodyWhoConfirms(t *testing.T) {
	attacked(t, apptest.Options{Unconnected: true}, func(t *testing.T, s *apptest.Service) {
		key := s.Key(stockhand.ScopeAdmin)
		org := "/organizations/" + string(s.OrgID)
		viewer, _ := s.Member(s.OrgID, stockhand.RoleViewer)
		for _, role := range []string{"owner", "admin", "member"} {
			wantError(t, "invite "+role, s.Do(http.MethodPost, org+"/invitations", key,
				map[string]string{"email": "mallory@evil.example", "role": role}), http.StatusForbidden,
				stockhand.CodePermissionDenied)
			wantError(t, "raise to "+role, s.Do(http.MethodPatch, org+"/members/"+string(viewer.ID), key,
				map[string]string{"role": role}), http.StatusForbidden, stockhand.CodePermissionDenied)
		}
		wantError(t, "let keys confirm", s.Do(http.MethodPatch, org+"/settings", key,
			map[string]bool{"keys_may_confirm": true}), http.StatusForbidden, stockhand.CodePermissionDenied)
		confined := newConfinedKey(t, s)
		wantError(t, "invite from an address", s.Do(http.MethodPost, org+"/invitations", confined,
			map[string]string{"email": "mallory@evil.example", "role": "viewer"}), http.StatusForbidden,
			stockhand.CodePermissionDenied)
	})
}

// newConfinedKey is an admin key for the address that tests call from.
func newConfinedKey(t testing.TB, s *apptest.Service) string {
	t.Helper()
	_, secret := s.NewKey(s.OrgID, auth.NewKey{Name: "office", Scopes: []stockhand.Scope{stockhand.ScopeAdmin},
		AllowedIPs: []string{"127.0.0.0/8"}})
	return secret
}

// Where everybody may create organizations, one still becomes no operator by it.
func TestAttackCreatingOrganizations(t *testing.T) {
	open := apptest.Options{Unconnected: true, Configure: func(c *app.Config) { c.AnyoneCreates = true }}
	attacked(t, open, func(t *testing.T, s *apptest.Service) {
		_, viktor := s.Person("viktor@example.com")
		made := read[struct{ ID string }](t, "create", s.Do(http.MethodPost, "/organizations", viktor,
			map[string]string{"name": "Mine"}), http.StatusCreated)
		wantError(t, "read the other organization", s.Do(http.MethodGet, "/organizations/"+string(s.OrgID), viktor,
			nil), http.StatusForbidden, stockhand.CodePermissionDenied)
		if a := s.Do(http.MethodGet, "/organizations/"+made.ID, viktor, nil); a.Status != http.StatusOK {
			t.Errorf("read their own: %d %s", a.Status, a.Body)
		}
	})
}

// Rule R101: revoking a key and removing a person say what ended with them.
func TestAttackAChildKeySurvivesItsParent(t *testing.T) {
	attacked(t, apptest.Options{Unconnected: true}, func(t *testing.T, s *apptest.Service) {
		admin, token := s.Member(s.OrgID, stockhand.RoleAdmin)
		made := func(by string, days int) keyRecord {
			return read[keyRecord](t, "create a key", s.Do(http.MethodPost, keysOf(s), by, map[string]any{"name": "k",
				"scopes": []string{"admin"}, "expires_in_days": days}), http.StatusCreated)
		}
		parent := made(token, 1)
		child := made(parent.Secret, 365)
		spared := made(parent.Secret, 1)
		if child.ExpiresAt.After(parent.ExpiresAt) {
			t.Errorf("the child ends %s, the parent %s", child.ExpiresAt, parent.ExpiresAt)
		}
		ended := read[struct {
			Also []string `json:"also_revoked"`
			Runs int      `json:"cancelled_runs"`
		}](t, "revoke", s.Do(http.MethodDelete, keysOf(s)+"/"+child.ID+"?tree=false", s.AdminToken, nil),
			http.StatusOK)
		if len(ended.Also) != 0 {
			t.Errorf("alone: %+v", ended)
		}
		wantError(t, "the child", s.Do(http.MethodGet, "/me", child.Secret, nil), http.StatusUnauthorized,
			stockhand.CodeTokenExpired)
		gone := read[struct{ Keys []keyRecord }](t, "remove the admin", s.Do(http.MethodDelete, "/organizations/"+
			string(s.OrgID)+"/members/"+string(admin.ID), s.AdminToken, nil), http.StatusOK)
		if len(gone.Keys) != 1 || gone.Keys[0].ID != parent.ID || gone.Keys[0].RevokedAt == nil {
			t.Errorf("the admin's keys: %+v", gone.Keys)
		}
		for name, k := range map[string]keyRecord{"parent": parent, "child": spared} {
			wantError(t, "the "+name, s.Do(http.MethodGet, "/me", k.Secret, nil), http.StatusUnauthorized,
				stockhand.CodeTokenExpired)
		}
	})
}
