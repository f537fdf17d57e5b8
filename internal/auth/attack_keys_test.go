package auth_test

import (
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

// keyBy makes a key as an actor, and returns it as it calls.
func (w *world) keyBy(a stockhand.Actor, n auth.NewKey) (stockhand.Key, stockhand.Actor) {
	w.t.Helper()
	if n.Name == "" {
		n.Name = "k"
	}
	if n.Scopes == nil {
		n.Scopes = []stockhand.Scope{stockhand.ScopeAdmin}
	}
	k, secret, err := w.CreateKey(w.t.Context(), a, n)
	if err != nil {
		w.t.Fatal(err)
	}
	return k, w.caller(secret, "")
}

// Rule R101: what a stolen key makes does not outlive it.
func TestAttackAKeyMakesOneThatOutlivesIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		parent, thief := w.keyBy(w.owner, auth.NewKey{ExpiresInDays: 1})
		child, asChild := w.keyBy(thief, auth.NewKey{ExpiresInDays: 365})
		grandchild, _ := w.keyBy(asChild, auth.NewKey{})
		rotated, _, err := w.RotateKey(ctx, thief, parent.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, k := range map[string]stockhand.Key{"child": child, "grandchild": grandchild, "heir": rotated} {
			if k.Expires.After(parent.Expires) {
				t.Errorf("the %s ends %s, its parent %s", name, k.Expires, parent.Expires)
			}
		}
		if child.Parent != parent.ID || grandchild.Parent != child.ID || rotated.Parent != parent.ID {
			t.Errorf("the parents are %q, %q and %q", child.Parent, grandchild.Parent, rotated.Parent)
		}
		byPerson, _, err := w.RotateKey(ctx, w.owner, grandchild.ID, 0)
		if err != nil || byPerson.Parent != "" {
			t.Fatal(byPerson, err)
		}

		// A key in the middle that was revoked alone does not hide those below it.
		if got, err := w.RevokeKey(ctx, w.owner, child.ID, false); err != nil || len(got.Also) != 0 {
			t.Fatal(got, err)
		}
		ended, err := w.RevokeKey(ctx, w.owner, parent.ID, true)
		if err != nil || len(ended.Also) != 2 || !slices.Contains(ended.Also, grandchild.ID) ||
			!slices.Contains(ended.Also, rotated.ID) {
			t.Errorf("revoked with it: %v, %v", ended.Also, err)
		}
		live, err := db.LiveKeys(ctx, w.org, w.clock.at)
		if err != nil || len(live) != 1 || live[0].ID != byPerson.ID {
			t.Errorf("still good: %+v, %v", live, err)
		}
		if n := strings.Count(strings.Join(w.actions(), "\n"), "key.revoked"); n != 4 {
			t.Errorf("the log has %d revocations", n)
		}
		_, _, err = w.CreateKey(ctx, thief, auth.NewKey{Name: "late"})
		wantCode(t, "a request that was admitted before", err, stockhand.CodeConflict)
	})
}

// However they meet, no key is left that a revoked one made.
func TestAttackAKeyMakesOthersWhileItIsRevoked(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		for range 5 {
			parent, thief := w.keyBy(w.owner, auth.NewKey{})
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					_, _, err := w.CreateKey(t.Context(), thief, auth.NewKey{Name: "child"})
					if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict {
						t.Error(err)
					}
				})
			}
			wg.Go(func() {
				if _, err := w.RevokeKey(t.Context(), w.owner, parent.ID, true); err != nil {
					t.Error(err)
				}
			})
			wg.Wait()
			if live, err := db.LiveKeys(t.Context(), w.org, w.clock.at); err != nil || len(live) != 0 {
				t.Fatalf("%d are left, %v", len(live), err)
			}
		}
	})
}

// Rule R101: what a revoked key had queued is not worked on, and its invitations end.
func TestAttackTheRunsOfARevokedKeyGoOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		k, thief := w.keyBy(w.owner, auth.NewKey{})
		queue := func(by string) stockhand.Run {
			session, err := db.CreateSession(ctx, w.org, stockhand.Session{By: by})
			if err != nil {
				t.Fatal(err)
			}
			_, run, err := db.CreateRun(ctx, w.org, stockhand.Message{Session: session.ID, Text: "x", By: by},
				stockhand.Event{Type: stockhand.EventStart})
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		queued, running, others := queue(thief.Name), queue(thief.Name), queue(w.owner.Name)
		if _, err := db.ClaimRun(ctx, w.org, running.ID, running.Generation); err != nil {
			t.Fatal(err)
		}
		_, token, err := w.Invite(ctx, thief, "accomplice@example.com", stockhand.RoleViewer)
		if err != nil {
			t.Fatal(err)
		}
		if ended, err := w.RevokeKey(ctx, w.owner, k.ID, true); err != nil || ended.Runs != 2 {
			t.Errorf("%d runs were cancelled, %v", ended.Runs, err)
		}
		for run, want := range map[stockhand.RunID]stockhand.RunState{queued.ID: stockhand.RunCancelled,
			running.ID: stockhand.RunCancelled, others.ID: stockhand.RunQueued} {
			if got, err := db.Run(ctx, w.org, run); err != nil || got.State != want {
				t.Errorf("a run is %s, want %s, %v", got.State, want, err)
			}
		}
		events, err := db.Events(ctx, w.org, queued.ID, 0, 0)
		if err != nil || len(events) != 2 || events[1].Type != stockhand.EventCancelled {
			t.Errorf("its log is %+v, %v", events, err)
		}
		_, err = w.Accept(ctx, w.user("accomplice@example.com"), auth.Invited{Token: token})
		wantCode(t, "its invitation", err, stockhand.CodeConflict)
	})
}

// Rule R101: the keys of somebody who goes do not stay behind unseen.
func TestAttackTheKeysOfAPersonWhoWasRemoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		for name, transfer := range map[string]bool{"revoked": false, "transferred": true} {
			admin := w.member(name+"@example.com", stockhand.RoleAdmin)
			k, asKey := w.keyBy(admin, auth.NewKey{})
			child, _ := w.keyBy(asKey, auth.NewKey{})
			gone, err := w.RemoveMember(ctx, w.owner, w.org, admin.User, transfer)
			if err != nil || len(gone.Keys) != 1 || gone.Keys[0].ID != k.ID || gone.Transferred != transfer {
				t.Fatalf("%s: %+v, %v", name, gone, err)
			}
			for _, id := range []stockhand.KeyID{k.ID, child.ID} {
				if got, err := w.Key(ctx, w.owner, id); err != nil || got.Revoked.IsZero() != transfer {
					t.Errorf("%s: %+v, %v", name, got, err)
				}
			}
			if transfer && gone.Keys[0].By != w.owner.Name {
				t.Errorf("it belongs to %s", gone.Keys[0].By)
			}
		}
		leaver := w.member("leaver@example.com", stockhand.RoleAdmin)
		k, _ := w.keyBy(leaver, auth.NewKey{})
		if gone, err := w.Leave(ctx, leaver, w.org); err != nil || len(gone.Keys) != 1 || gone.Keys[0].ID != k.ID ||
			gone.Keys[0].Revoked.IsZero() {
			t.Errorf("left behind: %+v, %v", gone, err)
		}
		all := strings.Join(w.actions(), "\n")
		for _, want := range []string{"key.transferred by " + w.owner.Name, "member.left by " + leaver.Name} {
			if !strings.Contains(all, want) {
				t.Errorf("the log lacks %q: %s", want, all)
			}
		}
	})
}

// A key for some addresses does not end those that others work with.
func TestAttackAConfinedKeyRevokesOthers(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	free, _ := w.key()
	confined, _, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "office",
		Scopes: []stockhand.Scope{stockhand.ScopeAdmin}, AllowedIPs: []string{"203.0.113.7"}})
	if err != nil {
		t.Fatal(err)
	}
	a := stockhand.Actor{Org: w.org, Name: "key:" + string(confined.ID), Key: confined.ID, Scopes: confined.Scopes}
	_, err = w.RevokeKey(t.Context(), a, free.ID, true)
	wantCode(t, "revoking a key for any address", err, stockhand.CodePermissionDenied)
	if _, err := w.RevokeKey(t.Context(), a, confined.ID, true); err != nil {
		t.Errorf("revoking itself: %v", err)
	}
}

// Rule R101: making and revoking a token is in the log of each organization that it acts in.
func TestAttackATokenIsMadeUnseen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		second, err := w.CreateOrganization(ctx, w.owner, "Second")
		if err != nil {
			t.Fatal(err)
		}
		count := func(org stockhand.OrgID) (n int) {
			entries, err := db.AuditEntries(ctx, org, 0, 200)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if strings.HasPrefix(e.Action, "token.") {
					n++
				}
			}
			return n
		}
		free, _, err := w.CreateToken(ctx, w.owner, auth.NewToken{Name: "free"})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.CreateToken(ctx, w.owner, auth.NewToken{Name: "bound", Org: second.ID}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := w.RevokeToken(ctx, w.owner, free.ID); err != nil {
				t.Fatal(err)
			}
		}
		if first, second := count(w.org), count(second.ID); first != 3 || second != 3 { // the first has the fixture's
			t.Errorf("the logs have %d and %d entries", first, second)
		}
	})
}

// Rule R102: a policy holds at once, for those who exist, and no key loosens it.
func TestAttackKeysAndTokensOlderThanThePolicyAllows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx := t.Context()
		_, keySecret := w.key(stockhand.ScopeAdmin)
		key := w.caller(keySecret, "")
		second, err := w.CreateOrganization(ctx, w.owner, "Second")
		if err != nil {
			t.Fatal(err)
		}
		days, yes, none := 10, true, 0
		set := func(c auth.PolicyChange) {
			t.Helper()
			if _, err := w.ChangePolicy(ctx, w.owner, c); err != nil {
				t.Fatal(err)
			}
		}
		set(auth.PolicyChange{MaxKeyDays: &days, MaxTokenDays: &days})
		_, err = w.ChangePolicy(ctx, key, auth.PolicyChange{MaxKeyDays: &none})
		wantCode(t, "a key loosens it", err, stockhand.CodePermissionDenied)
		_, err = w.ChangePolicy(ctx, w.member("m@example.com", stockhand.RoleMember),
			auth.PolicyChange{MaxKeyDays: &none})
		wantCode(t, "a member loosens it", err, stockhand.CodePermissionDenied)
		far := 366
		_, err = w.ChangePolicy(ctx, w.owner, auth.PolicyChange{MaxTokenDays: &far})
		wantCode(t, "a year and a day", err, stockhand.CodeValidation)

		_, _, err = w.CreateKey(ctx, w.owner, auth.NewKey{Name: "x", ExpiresInDays: 11})
		if e := wantCode(t, "a key that lives longer", err,
			stockhand.CodeValidation); e.Fields[0].Field != "expires_in_days" {
			t.Errorf("the field at fault is %v", e.Fields)
		}
		k, _, err := w.CreateKey(ctx, w.owner, auth.NewKey{Name: "x"})
		if err != nil || !k.Expires.Equal(w.clock.at.Add(10*day)) {
			t.Errorf("by default it ends %s, %v", k.Expires, err)
		}
		begin := w.clock.at
		w.clock.at = begin.Add(10*day - 1)
		if a, b := w.refused(keySecret, ""), w.refused(w.token, w.org); a+b != "" {
			t.Errorf("just before the end: %q and %q", a, b)
		}
		w.clock.at = begin.Add(10 * day)
		if a, b := w.refused(keySecret, ""), w.refused(w.token, w.org); a != stockhand.CodeTokenExpired ||
			b != stockhand.CodeTokenExpired {
			t.Errorf("at the end: %q and %q", a, b)
		}
		if code := w.refused(w.token, second.ID); code != "" {
			t.Errorf("another organization's policy ends the token: %s", code)
		}

		set(auth.PolicyChange{MaxKeyDays: &none, MaxTokenDays: &none, KeysNeedAddresses: &yes})
		if code := w.refused(keySecret, ""); code != stockhand.CodePermissionDenied {
			t.Errorf("a key without addresses: %q", code)
		}
		_, _, err = w.CreateKey(ctx, w.owner, auth.NewKey{Name: "x"})
		wantCode(t, "a new one", err, stockhand.CodeValidation)
		_, _, err = w.RotateKey(ctx, w.owner, k.ID, 0)
		wantCode(t, "rotating one", err, stockhand.CodeValidation)
		_, listed := w.keyBy(auth.Operator(w.org, "root"), auth.NewKey{AllowedIPs: []string{"192.0.2.0/24"}})
		if listed.Key == "" {
			t.Error("a key with addresses is refused")
		}
		if n := strings.Count(strings.Join(w.actions(), "\n"), "policy.changed by "+w.owner.Name); n != 2 {
			t.Errorf("the log has %d changes", n)
		}
	})
}

func TestAttackATokenRenewsItselfInAnOrganizationWithoutALimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		second, err := w.CreateOrganization(t.Context(), w.owner, "Second")
		if err != nil {
			t.Fatal(err)
		}
		days := 10
		if _, err := w.ChangePolicy(t.Context(), w.owner, auth.PolicyChange{MaxTokenDays: &days}); err != nil {
			t.Fatal(err)
		}
		begin, secret := w.clock.at, w.token
		for _, after := range []int{6, 9} { // a token makes a token, which makes a token
			w.clock.at = begin.AddDate(0, 0, after)
			_, secret, err = w.CreateToken(t.Context(), w.caller(secret, second.ID), auth.NewToken{Name: "next"})
			if err != nil {
				t.Fatal(err)
			}
			if code := w.refused(secret, w.org); code != "" {
				t.Errorf("before the end: %q", code)
			}
		}
		w.clock.at = begin.Add(10 * day)
		if code := w.refused(secret, w.org); code != stockhand.CodeTokenExpired {
			t.Errorf("the heir of a token that is too old: %q", code)
		}
		if code := w.refused(secret, second.ID); code != "" {
			t.Errorf("where there is no limit: %q", code)
		}
	})
}

func TestAttackARotatedKeyOutlivesThePolicy(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		old, _, err := w.CreateKey(t.Context(), w.owner, auth.NewKey{Name: "x", ExpiresInDays: 300})
		if err != nil {
			t.Fatal(err)
		}
		days := 10
		if _, err := w.ChangePolicy(t.Context(), w.owner, auth.PolicyChange{MaxKeyDays: &days}); err != nil {
			t.Fatal(err)
		}
		w.clock.at = w.clock.at.Add(5 * day)
		next, secret, err := w.RotateKey(t.Context(), w.owner, old.ID, 0)
		if err != nil || !next.Expires.Equal(w.clock.at.Add(10*day)) {
			t.Fatalf("the rotated key ends %s, %v", next.Expires, err)
		}
		days = 2
		if _, err := w.ChangePolicy(t.Context(), w.owner, auth.PolicyChange{MaxKeyDays: &days}); err != nil {
			t.Fatal(err)
		}
		w.clock.at = w.clock.at.Add(2 * day)
		if code := w.refused(secret, ""); code != stockhand.CodeTokenExpired {
			t.Errorf("a rotated key older than a later policy: %q", code)
		}
	})
}

// Finding L11: any person could empty the cache of callers by revoking a token that does not exist.
func TestAttackATokenThatDoesNotExistEmptiesTheCache(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	system := &watched{System: w.db.System()}
	s := auth.New(auth.Config{Store: w.db, System: system, Pepper: pepper(), Clock: w.clock.now})
	running(t, s)
	for system.looks.Load() < 2 { // the first was noted then
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		a, err := s.Authenticate(t.Context(), auth.Caller{Bearer: w.token})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.RevokeToken(t.Context(), a, "tok_none")
		wantCode(t, "revoke", err, stockhand.CodeNotFound)
	}
	if n := system.lookups.Load(); n != 1 {
		t.Errorf("%d look-ups for 3 requests", n)
	}
}
