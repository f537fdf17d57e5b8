package auth_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

const day = 24 * time.Hour

// rules R27, R28 and R29
func TestSpecification2_ANewKeyHasItsDefaultsAndShowsItsSecretOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "Склад 1С"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(secret, "sk-org-") || k.Prefix != secret[:17] {
			t.Errorf("the secret begins with %.7s, the prefix is %s", secret, k.Prefix)
		}
		if !slices.Equal(k.Scopes, []stockhand.Scope{stockhand.ScopeWriteTools}) ||
			!k.Expires.Equal(w.clock.at.Add(90*day)) {
			t.Errorf("without scopes and expiry it has %v until %s", k.Scopes, k.Expires)
		}
		if k.By != w.owner.Name || !k.Created.Equal(w.clock.at) || !k.LastUsed.IsZero() || !k.Revoked.IsZero() ||
			k.Org != w.org {
			t.Errorf("the record is %+v", k)
		}
		stored, err := w.Key(t.Context(), w.owner, k.ID)
		if err != nil || stored.Name != k.Name || stored.Prefix != k.Prefix || !stored.Expires.Equal(k.Expires) {
			t.Errorf("stored is %+v, %v", stored, err)
		}
		all, err := w.Keys(t.Context(), w.owner, "", 0)
		if err != nil || len(all) != 1 || all[0].ID != k.ID {
			t.Errorf("listed is %+v, %v", all, err)
		}
		entries, err := db.AuditEntries(t.Context(), w.org, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := json.Marshal([]any{stored, all, entries})
		if err != nil || bytes.Contains(shown, []byte(secret[17:])) {
			t.Errorf("the secret is shown again, %v", err)
		}
	})
}

// Rule R29: names, scopes and days that are refused, each by the name of its field.
func TestBadKeysAreRefusedByField(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	for _, c := range []struct {
		field string
		ask   auth.NewKey
	}{
		{"name", auth.NewKey{}},
		{"name", auth.NewKey{Name: "  "}},
		{"name", auth.NewKey{Name: strings.Repeat("я", 101)}},
		{"name", auth.NewKey{Name: "a\nb"}},
		{"name", auth.NewKey{Name: "a\xff"}},
		{"scopes", auth.NewKey{Name: "x", Scopes: []stockhand.Scope{}}},
		{"scopes", auth.NewKey{Name: "x", Scopes: []stockhand.Scope{"write:everything"}}},
		{"scopes", auth.NewKey{Name: "x", Scopes: []stockhand.Scope{stockhand.ScopeChat, "Admin"}}},
		{"expires_in_days", auth.NewKey{Name: "x", ExpiresInDays: -1}},
		{"expires_in_days", auth.NewKey{Name: "x", ExpiresInDays: 366}},
	} {
		_, secret, err := w.CreateKey(t.Context(), w.owner, c.ask)
		e := wantCode(t, fmt.Sprintf("%+v", c.ask), err, stockhand.CodeValidation)
		if len(e.Fields) != 1 || e.Fields[0].Field != c.field || secret != "" {
			t.Errorf("%+v: the fields at fault are %v", c.ask, e.Fields)
		}
	}
	for _, ask := range []auth.NewKey{
		{Name: "x", ExpiresInDays: 1}, {Name: strings.Repeat("я", 100), ExpiresInDays: 365},
		{Name: "x", Scopes: []stockhand.Scope{stockhand.ScopeChat, stockhand.ScopeReadTools, stockhand.ScopeChat}},
	} {
		k, _, err := w.CreateKey(t.Context(), w.owner, ask)
		if err != nil {
			t.Errorf("%+v: %v", ask, err)
		}
		if ask.Scopes != nil && !slices.Equal(k.Scopes,
			[]stockhand.Scope{stockhand.ScopeReadTools, stockhand.ScopeChat}) {
			t.Errorf("scopes named twice are %v", k.Scopes)
		}
	}
}

func TestRevokingAKeyTwiceIsOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret := w.key()
		first, err := w.RevokeKey(t.Context(), w.owner, k.ID, true)
		if err != nil || !first.Revoked.Equal(w.clock.at) {
			t.Fatal(first, err)
		}
		w.clock.at = w.clock.at.Add(time.Hour)
		again, err := w.RevokeKey(t.Context(), w.owner, k.ID, true)
		if err != nil || !again.Revoked.Equal(first.Revoked) {
			t.Errorf("the second time: %+v, %v", again, err)
		}
		if code := w.refused(secret, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("the revoked key: %q", code)
		}
		if n := strings.Count(strings.Join(w.actions(), "\n"), "key.revoked"); n != 1 {
			t.Errorf("the log has it %d times", n)
		}
		_, err = w.RevokeKey(t.Context(), w.owner, "key_none", true)
		wantCode(t, "a key that is not there", err, stockhand.CodeNotFound)
	})
}

func TestAnotherOrganizationsKeysLookLikeNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret := w.key()
		stranger := auth.Operator(storetest.Organization(t, db), "root")
		_, err := w.Key(t.Context(), stranger, k.ID)
		wantCode(t, "read", err, stockhand.CodeNotFound)
		_, err = w.RevokeKey(t.Context(), stranger, k.ID, true)
		wantCode(t, "revoke", err, stockhand.CodeNotFound)
		_, _, err = w.RotateKey(t.Context(), stranger, k.ID, 0)
		wantCode(t, "rotate", err, stockhand.CodeNotFound)
		if all, err := w.Keys(t.Context(), stranger, "", 0); err != nil || len(all) != 0 {
			t.Errorf("listed: %v, %v", all, err)
		}
		if report, err := w.Report(t.Context(), stranger); err != nil || len(report.Unused)+len(report.Expiring) != 0 {
			t.Errorf("reported: %v, %v", report, err)
		}
		if code := w.refused(secret, ""); code != "" {
			t.Errorf("the key is not as it was: %s", code)
		}
	})
}

// Rule R31: key management needs the scope admin, or an owner or admin of that organization.
func TestKeysAreManagedByAdminsOnly(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	k, _ := w.key()
	_, adminSecret := w.key(stockhand.ScopeAdmin)
	_, others := w.key(stockhand.ScopeReadTools, stockhand.ScopeWriteTools, stockhand.ScopeReadData,
		stockhand.ScopeChat, stockhand.ScopeGateway)
	for name, c := range map[string]struct {
		actor stockhand.Actor
		may   bool
	}{
		"owner": {w.owner, true}, "admin": {w.member("a@example.com", stockhand.RoleAdmin), true},
		"admin key": {w.caller(adminSecret, ""), true},
		"member":    {w.member("m@example.com", stockhand.RoleMember), false},
		"viewer":    {w.member("v@example.com", stockhand.RoleViewer), false},
		"other key": {w.caller(others, ""), false}, "stranger": {stockhand.Actor{}, false},
		"admin of nothing": {stockhand.Actor{Scopes: []stockhand.Scope{stockhand.ScopeAdmin}}, false},
	} {
		_, _, createErr := w.CreateKey(t.Context(), c.actor, auth.NewKey{Name: "x"})
		_, listErr := w.Keys(t.Context(), c.actor, "", 0)
		_, readErr := w.Key(t.Context(), c.actor, k.ID)
		_, reportErr := w.Report(t.Context(), c.actor)
		errs := []error{createErr, listErr, readErr, reportErr}
		if !c.may {
			_, _, rotateErr := w.RotateKey(t.Context(), c.actor, k.ID, 0)
			_, revokeErr := w.RevokeKey(t.Context(), c.actor, k.ID, true)
			errs = append(errs, rotateErr, revokeErr)
		}
		for i, err := range errs {
			if c.may != (err == nil) || (err != nil && stockhand.CodeOf(err) != stockhand.CodePermissionDenied) {
				t.Errorf("%s, call %d: %v", name, i, err)
			}
		}
	}
}

func TestRotationLetsBothKeysWorkUntilTheOverlapEnds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		old, oldSecret, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{
			Name: "Shop", Scopes: []stockhand.Scope{stockhand.ScopeChat}, ExpiresInDays: 30,
			AllowedIPs: []string{"192.0.2.0/24"},
		})
		if err != nil {
			t.Fatal(err)
		}
		w.clock.at = w.clock.at.Add(20 * day)
		next, nextSecret, err := w.RotateKey(t.Context(), w.owner, old.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		if next.Name != old.Name || !slices.Equal(next.Scopes, old.Scopes) ||
			!slices.Equal(next.AllowedIPs, old.AllowedIPs) || next.Replaces != old.ID ||
			!next.Expires.Equal(w.clock.at.Add(30*day)) {
			t.Errorf("the new key is %+v", next)
		}
		for _, secret := range []string{oldSecret, nextSecret} {
			if code := w.refused(secret, ""); code != "" {
				t.Errorf("during the overlap: %s", code)
			}
		}
		_, _, err = w.RotateKey(t.Context(), w.owner, old.ID, 0)
		if e := wantCode(t, "rotating it again", err, stockhand.CodeConflict); !strings.Contains(e.Hint,
			string(next.ID)) {
			t.Errorf("the hint does not name the key that took over: %q", e.Hint)
		}
		w.clock.at = w.clock.at.Add(24 * time.Hour)
		if code := w.refused(oldSecret, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("the old key after the overlap: %q", code)
		}
		if code := w.refused(nextSecret, ""); code != "" {
			t.Errorf("the new key after the overlap: %s", code)
		}
		_, _, err = w.RotateKey(t.Context(), w.owner, old.ID, 0)
		wantCode(t, "rotating a key that has expired", err, stockhand.CodeConflict)
		_, _, err = w.RotateKey(t.Context(), w.owner, "key_none", 0)
		wantCode(t, "rotating a key that is not there", err, stockhand.CodeNotFound)
		for _, overlap := range []time.Duration{-1, auth.MostOverlap + 1} {
			_, _, err = w.RotateKey(t.Context(), w.owner, next.ID, overlap)
			wantCode(t, overlap.String(), err, stockhand.CodeValidation)
		}
		// Whose secret was lost can be replaced again once it is revoked; the old key never ends later than it was to.
		third, _, err := w.RotateKey(t.Context(), w.owner, next.ID, auth.MostOverlap)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.RevokeKey(t.Context(), w.owner, third.ID, true); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.RotateKey(t.Context(), w.owner, next.ID, time.Hour); err != nil {
			t.Errorf("after its heir was revoked: %v", err)
		}
		if got, err := w.Key(t.Context(), w.owner, next.ID); err != nil ||
			!got.Expires.Equal(w.clock.at.Add(time.Hour)) {
			t.Errorf("the overlap ends %s, %v", got.Expires, err)
		}
	})
}

// Rule R29: how many keys an organization may have.
func TestAnOrganizationHasAtMost200GoodKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		var last stockhand.Key
		for range auth.MostKeys - 2 {
			last, _ = w.key()
		}
		var wg sync.WaitGroup
		errs := make(chan error, 8)
		for range 8 { // who asks at once is counted one after the other
			wg.Go(func() {
				_, _, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "x"})
				errs <- err
			})
		}
		wg.Wait()
		close(errs)
		made := 0
		for err := range errs {
			if err == nil {
				made++
			} else {
				wantCode(t, "one too many", err, stockhand.CodeConflict)
			}
		}
		if made != 2 {
			t.Errorf("%d were made, 2 are allowed", made)
		}
		if _, err := w.RevokeKey(t.Context(), w.owner, last.ID, true); err != nil {
			t.Fatal(err)
		}
		w.key() // a revoked one does not count
		w.clock.at = w.clock.at.Add(91 * day)
		w.key() // nor do expired ones
		var seen []stockhand.KeyID
		for before := stockhand.KeyID(""); ; {
			page, err := w.Keys(t.Context(), w.owner, before, 60)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range page {
				seen = append(seen, k.ID)
			}
			if len(page) < 60 {
				break
			}
			before = page[len(page)-1].ID
		}
		if !slices.IsSortedFunc(seen, func(a,
			b stockhand.KeyID) int {
			return strings.Compare(string(b), string(a))
		}) || len(slices.Compact(seen)) != auth.MostKeys+2 {
			t.Errorf("the pages have %d keys, newest first is %v", len(seen), seen[:3])
		}
	})
}

func TestReportNamesScopesThatAreNotUsedAndKeysNearTheirEnd(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	busy, busySecret, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{
		Name: "busy", Scopes: []stockhand.Scope{stockhand.ScopeChat, stockhand.ScopeReadData}, ExpiresInDays: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	gone, _ := w.key()
	if _, err := w.RevokeKey(t.Context(), w.owner, gone.ID, true); err != nil {
		t.Fatal(err)
	}
	use := func(scopes ...stockhand.Scope) {
		ran := w.again()
		for _, scope := range scopes {
			if err := ran.Allow(w.caller(busySecret, ""), scope); err != nil {
				t.Fatal(err)
			}
		}
		ran.end()
	}
	use(stockhand.ScopeChat, stockhand.ScopeReadData)
	report := func() (s string) {
		r, err := w.Report(t.Context(), w.owner)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range r.Unused {
			s += fmt.Sprint(u.Key.Name, u.Scopes, " ")
		}
		for _, k := range r.Expiring {
			s += k.Name + " expires "
		}
		return s
	}
	if got := report(); got != "" {
		t.Errorf("all is used and nothing expires: %s", got)
	}
	w.clock.at = w.clock.at.Add(31 * day)
	use(stockhand.ScopeChat)
	if got := report(); got != "busy[read:data] " {
		t.Errorf("one was not used for a month: %s", got)
	}
	w.clock.at = busy.Expires.Add(-14 * day)
	if _, _, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "short", ExpiresInDays: 1}); err != nil {
		t.Fatal(err)
	}
	if got := report(); got != "short[write:tools] busy[read:data chat] short expires busy expires " {
		t.Errorf("near the end: %s", got)
	}
}

// A stolen key is of no use elsewhere, and neither is what it makes.
func TestAKeyBoundToAddressesMakesNoneThatIsNot(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	made := func(a stockhand.Actor, ips ...string) (stockhand.Key, error) {
		k, _, err := w.CreateKey(t.Context(), a,
			auth.NewKey{Name: "k", Scopes: []stockhand.Scope{stockhand.ScopeAdmin}, AllowedIPs: ips})
		return k, err
	}
	bound, err := made(w.owner, "10.0.0.0/8", "2001:db8::1")
	if err != nil {
		t.Fatal(err)
	}
	free, err := made(w.owner)
	if err != nil {
		t.Fatal(err)
	}
	as := func(k stockhand.Key) stockhand.Actor {
		return stockhand.Actor{Org: w.org, Name: "key:" + string(k.ID), Key: k.ID, Scopes: k.Scopes}
	}
	if k, err := made(as(bound)); err != nil || !slices.Equal(k.AllowedIPs, bound.AllowedIPs) {
		t.Errorf("one that names no addresses has %v, %v", k.AllowedIPs, err)
	}
	for _, ips := range [][]string{{"10.1.2.3"}, {"10.0.0.0/8"}, {"10.1.0.0/16", "2001:db8::1"}} {
		if _, err := made(as(bound), ips...); err != nil {
			t.Errorf("%v: %v", ips, err)
		}
		if _, err := made(as(free), ips...); err != nil {
			t.Errorf("%v: %v", ips, err)
		}
	}
	for _, ips := range [][]string{{"192.0.2.1"}, {"10.0.0.0/7"}, {"0.0.0.0/0"}, {"::/0"}, {"10.1.2.3", "192.0.2.1"},
		{"2001:db8::/32"}} {
		if _, err := made(as(bound), ips...); stockhand.CodeOf(err) != stockhand.CodePermissionDenied {
			t.Errorf("%v: %v", ips, err)
		}
	}
	if _, _, err := w.RotateKey(t.Context(), as(bound), free.ID,
		0); stockhand.CodeOf(err) != stockhand.CodePermissionDenied {
		t.Errorf("it rotates one that is not bound: %v", err)
	}
	if k, _, err := w.RotateKey(t.Context(), as(bound), bound.ID, 0); err != nil ||
		!slices.Equal(k.AllowedIPs, bound.AllowedIPs) {
		t.Errorf("it rotates itself: %v, %v", k.AllowedIPs, err)
	}
}
