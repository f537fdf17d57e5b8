package auth_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// mistyped is a secret with one character changed.
func mistyped(secret string) string {
	other := "x"
	if secret[20] == 'x' {
		other = "y"
	}
	return secret[:20] + other + secret[21:]
}

// Rules R26 and R28: the token is wrong or has expired; a key expires.
func TestSpecification7_401ForEveryWrongToken(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret := w.key()
		_, revoked := w.key()
		if _, err := w.RevokeKey(t.Context(), w.owner, w.caller(revoked, "").Key, true); err != nil {
			t.Fatal(err)
		}
		other := auth.New(auth.Config{Store: db, System: db.System(), Pepper: []byte("another installation's")})
		_, foreign, err := other.CreateKey(t.Context(), auth.Operator(w.org, "root"), auth.NewKey{Name: "elsewhere"})
		if err != nil {
			t.Fatal(err)
		}
		for name, token := range map[string]string{
			"missing": "", "malformed": "sk-org-1", "mistyped": mistyped(secret), "unknown": foreign,
			"revoked":    revoked,
			"its prefix": k.Prefix, "another scheme's": "Basic dXNlcjpwYXNz", "long": strings.Repeat(secret, 1000),
			"binary": "\x00\xff",
		} {
			_, err := w.Authenticate(t.Context(), auth.Caller{Bearer: token})
			e := wantCode(t, name, err, stockhand.CodeTokenExpired)
			if !strings.Contains(strings.ToLower(e.Hint), "generate a new token") {
				t.Errorf("%s: the hint does not advise to generate a new token: %q", name, e.Hint)
			}
			if token != "" && strings.Contains(e.Error()+e.Hint, token) {
				t.Errorf("%s: the error quotes the token: %v", name, e)
			}
		}
		w.clock.at = k.Expires.Add(-time.Microsecond)
		if code := w.refused(secret, ""); code != "" {
			t.Errorf("just before its end: %s", code)
		}
		w.clock.at = k.Expires
		if code := w.refused(secret, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("at its end: %q", code)
		}
	})
}

func TestARememberedKeyExpiresAtItsMoment(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	k, secret := w.key()
	running(t, w.Service)
	w.caller(secret, "")
	w.clock.ahead.Store(int64(k.Expires.Sub(w.clock.at)))
	if code := w.refused(secret, ""); code != stockhand.CodeTokenExpired {
		t.Errorf("at its end: %q", code)
	}
}

// Rule R30: a missing scope is 403.
func TestSpecification5_ScopesAreCheckedAndAdminPassesAll(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	for _, has := range stockhand.Scopes() {
		_, secret := w.key(has)
		a := w.caller(secret, "")
		for _, wants := range stockhand.Scopes() {
			err := w.Allow(a, wants)
			if has == wants || has == stockhand.ScopeAdmin {
				if err != nil {
					t.Errorf("%s for a key with %s: %v", wants, has, err)
				}
				continue
			}
			e := wantCode(t, string(wants)+" for a key with "+string(has), err, stockhand.CodePermissionDenied)
			if !strings.Contains(e.Hint, string(wants)) {
				t.Errorf("the hint does not name %s: %q", wants, e.Hint)
			}
		}
	}
}

// Rule R35: roles give scopes.
func TestRolesGiveScopes(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	for role, may := range map[stockhand.Role][]stockhand.Scope{
		stockhand.RoleOwner: stockhand.Scopes(),
		stockhand.RoleAdmin: stockhand.Scopes(),
		stockhand.RoleMember: {stockhand.ScopeReadTools, stockhand.ScopeWriteTools, stockhand.ScopeReadData,
			stockhand.ScopeChat},
		stockhand.RoleViewer: {stockhand.ScopeReadTools, stockhand.ScopeReadData},
	} {
		a := w.member("the."+string(role)+"@example.com", role)
		if !a.Person || a.Role != role || a.Name != "user:"+string(a.User) || a.Org != w.org {
			t.Errorf("%s calls as %+v", role, a)
		}
		for _, scope := range stockhand.Scopes() {
			err := w.Allow(a, scope)
			if slices.Contains(may, scope) != (err == nil) {
				t.Errorf("%s for the role %s: %v", scope, role, err)
			}
		}
	}
	if err := w.Allow(stockhand.Actor{}, stockhand.ScopeReadTools); stockhand.CodeOf(
		err) != stockhand.CodePermissionDenied {
		t.Errorf("no caller: %v", err)
	}
}

// Rule R32: a key only ever acts in its own organization.
func TestAKeyActsInItsOwnOrganizationOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret := w.key(stockhand.ScopeAdmin)
		a := w.caller(secret, w.org)
		if a.Org != w.org || a.Key != k.ID || a.Name != "key:"+string(k.ID) || a.Person || a.Role != "" ||
			!a.Expires.Equal(k.Expires) {
			t.Errorf("calls as %+v", a)
		}
		second, err := w.CreateOrganization(t.Context(), w.owner, "Second")
		if err != nil {
			t.Fatal(err)
		}
		for _, org := range []stockhand.OrgID{second.ID, "org_none", "x"} {
			if code := w.refused(secret, org); code != stockhand.CodePermissionDenied {
				t.Errorf("X-Org-Id %s: %q", org, code)
			}
		}
		_, err = w.RenameOrganization(t.Context(), a, second.ID, "x")
		wantCode(t, "renaming another organization", err, stockhand.CodePermissionDenied)
		if orgs, err := w.Organizations(t.Context(), a); err != nil || len(orgs) != 1 || orgs[0].ID != w.org {
			t.Errorf("its organizations are %+v, %v", orgs, err)
		}
		if _, err := w.CreateOrganization(t.Context(), a, "Third"); stockhand.CodeOf(
			err) != stockhand.CodePermissionDenied {
			t.Errorf("a key makes an organization: %v", err)
		}
	})
}

// Rule R26: a caller in several organizations selects one with X-Org-Id.
func TestSpecification5_SeveralOrganizationsNeedXOrgID(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		u, err := w.CreateUser(t.Context(), "Unknown@Example.com", "Unknown")
		if err != nil || u.Email != "unknown@example.com" {
			t.Fatal(u, err)
		}
		token := w.tokenOf(u.ID)
		none := w.caller(token, "")
		if none.Org != "" || none.User != u.ID || len(none.Scopes) != 0 ||
			w.refused(token, w.org) != stockhand.CodePermissionDenied {
			t.Errorf("who belongs to no organization calls as %+v", none)
		}
		first, err := w.CreateOrganization(t.Context(), none, "Первая")
		if err != nil {
			t.Fatal(err)
		}
		if one := w.caller(token, ""); one.Org != first.ID || one.Role != stockhand.RoleOwner {
			t.Errorf("who belongs to one needs no header: %+v", one)
		}
		w.member("unknown@example.com", stockhand.RoleViewer)
		if a := w.caller(token, ""); a.Org != first.ID {
			t.Errorf("a second membership sends their calls to %s", a.Org)
		}
		if _, err := w.AddMember(t.Context(), auth.Operator(first.ID, "root"), "owner@example.com",
			stockhand.RoleOwner); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Leave(t.Context(), w.caller(token, first.ID), first.ID); err != nil {
			t.Fatal(err)
		}
		third := storetest.Organization(t, db)
		if _, err := w.AddMember(t.Context(), auth.Operator(third, "root"), "unknown@example.com",
			stockhand.RoleViewer); err != nil {
			t.Fatal(err)
		}
		several, err := w.Authenticate(t.Context(), auth.Caller{Bearer: token})
		e := wantCode(t, "no home and no header", err, stockhand.CodeOrgRequired)
		for _, want := range []string{"X-Org-Id", string(third), string(w.org)} {
			if !strings.Contains(e.Hint, want) {
				t.Errorf("the hint does not name %s: %q", want, e.Hint)
			}
		}
		if strings.Contains(e.Hint+e.RU.Hint, "Shop") {
			t.Errorf("the hint quotes an organization's name: %q", e.Hint)
		}
		if several.User != u.ID || several.Org != "" || len(several.Scopes) != 0 {
			t.Errorf("the actor of a request about no organization is %+v", several)
		}
		if err := w.SetHome(t.Context(), several, third); err != nil {
			t.Fatal(err)
		}
		if a := w.caller(token, ""); a.Org != third {
			t.Errorf("with a home of their choice they call in %q", a.Org)
		}
		wantCode(t, "a home where they do not belong", w.SetHome(t.Context(), several, first.ID),
			stockhand.CodeValidation)
		if a := w.caller(token, w.org); a.Role != stockhand.RoleViewer || a.Org != w.org {
			t.Errorf("in the second: %+v", a)
		}
		if code := w.refused(token, storetest.Organization(t, db)); code != stockhand.CodePermissionDenied {
			t.Errorf("in one they do not belong to: %q", code)
		}
		if code := w.refused(token, "org_none"); code != stockhand.CodePermissionDenied {
			t.Errorf("in one that is not there: %q", code)
		}
	})
}

func TestAKeyIsUsedFromItsAddressesOnly(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	k, secret, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "office", AllowedIPs: []string{
		"192.0.2.7", "198.51.100.128/25", "198.51.100.200/25", "2001:db8::/32", "::ffff:203.0.113.5",
		"::ffff:203.0.113.5/128",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"192.0.2.7", "198.51.100.128/25", "2001:db8::/32", "203.0.113.5"}; !slices.Equal(k.AllowedIPs,
		want) {
		t.Errorf("the addresses are %q, want %q", k.AllowedIPs, want)
	}
	for from, allowed := range map[string]bool{
		"192.0.2.7": true, "::ffff:192.0.2.7": true, "192.0.2.8": false, "198.51.100.129": true,
		"198.51.100.127": false,
		"2001:db8::1":    true, "2001:db9::1": false, "203.0.113.5": true, "fe80::1%eth0": false,
		"2001:db8::1%eth0": true,
	} {
		_, err := w.Authenticate(t.Context(), auth.Caller{Bearer: secret, IP: netip.MustParseAddr(from)})
		if allowed != (err == nil) || (err != nil && stockhand.CodeOf(err) != stockhand.CodePermissionDenied) {
			t.Errorf("from %s: %v", from, err)
		}
	}
	if _, err := w.Authenticate(t.Context(), auth.Caller{Bearer: secret}); stockhand.CodeOf(
		err) != stockhand.CodePermissionDenied {
		t.Errorf("from an unknown address: %v", err)
	}
	for _, list := range [][]string{{"192.0.2"}, {"shop.example.com"}, {"192.0.2.0/33"}, {""}, {"fe80::1%eth0"},
		{"::ffff:0.0.0.0/90"}, make([]string, 51)} {
		_, _, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "x", AllowedIPs: list})
		if e := wantCode(t, strings.Join(list, ","), err,
			stockhand.CodeValidation); e.Fields[0].Field != "allowed_ips" {
			t.Errorf("the field at fault is %s", e.Fields[0].Field)
		}
	}
}
