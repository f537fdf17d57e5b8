package signin_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// Rule R177.
func TestALinkedIdentityIsListedAndRemoved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, p := newProvider(t, db)
		ctx := t.Context()
		out, err := p.signIn(nil)
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(out.Cookie)
		all, err := w.Identities(ctx, a)
		if err != nil || len(all) != 1 || all[0].Issuer != p.URL || all[0].Subject != "7" ||
			!all[0].Created.Equal(w.at) {
			t.Fatalf("%+v %v", all, err)
		}
		if m, err := w.Methods(ctx, a); err != nil || m.Identities != 1 {
			t.Errorf("%+v %v", m, err)
		}
		id := all[0].ID
		wantCode(t, "the last way to sign in", w.RemoveIdentity(ctx, a, id), stockhand.CodeConflict)
		if err := w.SetPassword(ctx, a, "", good); err != nil {
			t.Fatal(err)
		}
		if w, err := w.auth.CreateUser(ctx, "boris@example.com", ""); err != nil {
			t.Fatal(w, err)
		}
		boris, err := p.signIn(map[string]any{"sub": "8", "email": "boris@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, "another person's", w.RemoveIdentity(ctx, w.caller(boris.Cookie), id), stockhand.CodeNotFound)
		w.at = w.at.Add(auth.ProvenFor + 1)
		wantCode(t, "without a recent proof", w.RemoveIdentity(ctx, a, id), stockhand.CodeStepUpRequired)
		if err := w.StepUp(ctx, a, good, ""); err != nil {
			t.Fatal(err)
		}
		if err := w.RemoveIdentity(ctx, w.caller(out.Cookie), id); err != nil {
			t.Fatal(err)
		}
		if all, err := w.Identities(ctx, a); err != nil || len(all) != 0 {
			t.Errorf("%+v %v", all, err)
		}
		if got := w.actions(); !slices.Contains(got, "person.identity_removed") {
			t.Errorf("the audit log has %v", got)
		}
		theirs, err := w.Identities(ctx, w.caller(boris.Cookie))
		if err != nil || len(theirs) != 1 {
			t.Fatal(theirs, err)
		}
		if err := w.UnlinkIdentity(ctx, auth.Operator("", "root"), boris.SignIn.User, theirs[0].ID); err != nil {
			t.Errorf("the operator: %v", err)
		}
	})
}

// Two requests at two replicas each remove one of a person's two last ways to sign in: one is refused.
func TestAttackBothLastWaysToSignInAreRemovedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w, p := newProvider(t, db)
		out, err := p.signIn(nil)
		if err != nil {
			t.Fatal(err)
		}
		a := w.caller(out.Cookie)
		_, key := w.device(a)
		all, err := w.Identities(t.Context(), a)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		other := w.replica(func(c *signin.Config) { c.Provider = w.Provider })
		var removed atomic.Int32
		var wg sync.WaitGroup
		for _, remove := range []func() error{
			func() error { return w.RemovePasskey(t.Context(), a, key.ID) },
			func() error { return other.RemoveIdentity(t.Context(), a, all[0].ID) },
		} {
			wg.Go(func() {
				if err := remove(); err == nil {
					removed.Add(1)
				} else if stockhand.CodeOf(err) != stockhand.CodeConflict {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if removed.Load() != 1 {
			t.Errorf("%d of the two were removed", removed.Load())
		}
	})
}

// An account at a provider that the installation no longer asks is no way to sign in.
func TestAnIdentityOfAFormerProviderIsNoWayToSignIn(t *testing.T) {
	w, p := newProvider(t, storetest.New(t))
	out, err := p.signIn(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := w.caller(out.Cookie)
	_, key := w.device(a)
	other := w.replica() // without the provider
	wantCode(t, "the only passkey", other.RemovePasskey(t.Context(), a, key.ID), stockhand.CodeConflict)
	if err := w.RemovePasskey(t.Context(), a, key.ID); err != nil {
		t.Errorf("with the provider: %v", err)
	}
}
