package auth_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// writes counts what is written of uses.
type writes struct {
	auth.Store
	n atomic.Int64
}

func (s *writes) NoteKeyUses(ctx context.Context, org stockhand.OrgID, keys []stockhand.Key) error {
	s.n.Add(1)
	return s.Store.NoteKeyUses(ctx, org, keys)
}

// Rule R34: last_used_at is right to the minute without a database write per request.
func TestLastUseIsRightToTheMinuteWithoutAWritePerRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, storetest.New(t))
		w.clock.at = time.Now()
		k, secret := w.key(stockhand.ScopeReadData)
		counted := &writes{Store: w.db}
		s := auth.New(auth.Config{Store: counted, System: w.db.System(), Pepper: pepper()})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = s.Run(ctx) })
		begun := time.Now()
		const pace = 100 * time.Millisecond
		for time.Since(begun) < 10*time.Minute {
			a, err := s.Authenticate(t.Context(), auth.Caller{Bearer: secret})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Allow(a, stockhand.ScopeReadData); err != nil {
				t.Fatal(err)
			}
			time.Sleep(pace)
			stored, err := w.Key(t.Context(), w.owner, k.ID)
			if err != nil {
				t.Fatal(err)
			}
			if behind := time.Since(stored.LastUsed); time.Since(begun) > 2*time.Second && behind > time.Minute+
				2*time.Second {
				t.Fatalf("the record is %s behind", behind)
			}
		}
		if n := counted.n.Load(); n > 11 {
			t.Errorf("%d writes in 10 minutes of 6000 requests", n)
		}
		last := time.Now()
		if _, err := s.Authenticate(t.Context(), auth.Caller{Bearer: secret}); err != nil {
			t.Fatal(err)
		}
		cancel()
		wg.Wait()
		stored, err := w.Key(t.Context(), w.owner, k.ID)
		if err != nil || !stored.LastUsed.Equal(last) {
			t.Errorf("after the end the last use is %s, %v, want %s", stored.LastUsed, err, last)
		}
		if got := stored.Used[stockhand.ScopeReadData]; !got.Equal(last.Add(-pace)) {
			t.Errorf("the scope was used last %s, want %s", got, last.Add(-pace))
		}
	})
}

func TestUsesOfSeveralReplicasComeTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		k, secret := w.key(stockhand.ScopeAdmin)
		began := w.clock.at
		use := func(at time.Time, scopes ...stockhand.Scope) {
			w.clock.at = at
			a := w.caller(secret, "")
			for _, scope := range scopes {
				if err := w.Allow(a, scope); err != nil {
					t.Fatal(err)
				}
			}
			w.again().end()
		}
		use(began.Add(2*time.Hour), stockhand.ScopeChat)
		use(began.Add(3*time.Hour), stockhand.ScopeReadData)
		// Another replica wrote what it knew of earlier: nothing goes back.
		err := db.NoteKeyUses(t.Context(), w.org, []stockhand.Key{{
			ID: k.ID, LastUsed: began, Used: map[stockhand.Scope]time.Time{stockhand.ScopeChat: began,
				stockhand.ScopeGateway: began},
		}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.Key(t.Context(), w.owner, k.ID)
		if err != nil || !got.LastUsed.Equal(began.Add(3*time.Hour)) {
			t.Errorf("last used %s, %v", got.LastUsed, err)
		}
		for scope, at := range map[stockhand.Scope]time.Duration{
			stockhand.ScopeChat: 2 * time.Hour, stockhand.ScopeReadData: 3 * time.Hour, stockhand.ScopeGateway: 0,
			stockhand.ScopeAdmin: 3 * time.Hour, // only it let the others pass
		} {
			if !got.Used[scope].Equal(began.Add(at)) {
				t.Errorf("%s was used %s, want %s", scope, got.Used[scope], began.Add(at))
			}
		}
		tokens, err := w.Tokens(t.Context(), w.owner, "", 0)
		if err != nil || len(tokens) != 1 || !tokens[0].LastUsed.Equal(began) {
			t.Errorf("the owner's tokens are %+v, %v", tokens, err)
		}
	})
}

func TestARefusedRequestIsNoUse(t *testing.T) {
	w := newWorld(t, storetest.New(t))
	k, secret, err := w.CreateKey(t.Context(), w.owner,
		auth.NewKey{Name: "office", AllowedIPs: []string{"198.51.100.1"}})
	if err != nil {
		t.Fatal(err)
	}
	if code := w.refused(secret, ""); code != stockhand.CodePermissionDenied {
		t.Fatalf("from another address: %q", code)
	}
	w.again().end()
	if got, err := w.Key(t.Context(), w.owner, k.ID); err != nil || !got.LastUsed.IsZero() {
		t.Errorf("used %s, %v", got.LastUsed, err)
	}
}
