package auth_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/store"
)

// world is an installation with one organization and its owner.
type world struct {
	*auth.Service
	t     testing.TB
	db    *store.DB
	org   stockhand.OrgID
	owner stockhand.Actor
	token string // of the owner
	clock *clock
}

// clock is the time of a world: it stands still until it is set. While the service's background work runs only ahead
// is.
type clock struct {
	at    time.Time
	ahead atomic.Int64 // in nanoseconds
}

func (c *clock) now() time.Time { return c.at.Add(time.Duration(c.ahead.Load())) }

func pepper() []byte { return bytes.Repeat([]byte{7}, 32) }

func newWorld(t testing.TB, db *store.DB) *world {
	t.Helper()
	w := &world{t: t, db: db, clock: &clock{at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}}
	w.Service = auth.New(auth.Config{Store: db, System: db.System(), Pepper: pepper(), Clock: w.clock.now,
		AnyoneCreates: true})
	b, created, err := w.Bootstrap(t.Context(), "Shop", "owner@example.com")
	if err != nil || !created {
		t.Fatal(created, err)
	}
	w.org, w.token = b.Org.ID, w.tokenOf(b.User.ID)
	w.owner = w.caller(w.token, "")
	return w
}

// caller is who calls with that token.
func (w *world) caller(token string, org stockhand.OrgID) stockhand.Actor {
	w.t.Helper()
	a, err := w.Authenticate(w.t.Context(), auth.Caller{Bearer: token, Org: org, IP: netip.MustParseAddr("192.0.2.1")})
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// refused is the code of the refusal.
func (w *world) refused(token string, org stockhand.OrgID) stockhand.Code {
	w.t.Helper()
	_, err := w.Authenticate(w.t.Context(), auth.Caller{Bearer: token, Org: org, IP: netip.MustParseAddr("192.0.2.1")})
	if err == nil {
		return ""
	}
	return stockhand.CodeOf(err)
}

func (w *world) key(scopes ...stockhand.Scope) (stockhand.Key, string) {
	w.t.Helper()
	k, secret, err := w.CreateKey(w.t.Context(), w.owner, auth.NewKey{Name: "Integration", Scopes: scopes})
	if err != nil {
		w.t.Fatal(err)
	}
	return k, secret
}

// member adds a person with that role and returns them as they call.
func (w *world) member(email string, role stockhand.Role) stockhand.Actor {
	w.t.Helper()
	m, err := w.AddMember(w.t.Context(), auth.Operator(w.org, "root"), email, role)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.caller(w.tokenOf(m.User.ID), w.org)
}

func (w *world) tokenOf(id stockhand.UserID) string {
	w.t.Helper()
	_, secret, err := w.CreateToken(w.t.Context(), stockhand.Actor{Person: true, User: id},
		auth.NewToken{Name: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	return secret
}

// actions is the organization's audit log, in short.
func (w *world) actions() (all []string) {
	w.t.Helper()
	entries, err := w.db.AuditEntries(w.t.Context(), w.org, 0, 200)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Action+" by "+e.Actor)
	}
	return all
}

// running runs a service's background work until the test ends.
func running(t testing.TB, s *auth.Service) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func wantCode(t testing.TB, doing string, err error, code stockhand.Code) *stockhand.Error {
	t.Helper()
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("%s: %v, want %s", doing, err, code)
	}
	if e.Hint == "" && code != stockhand.CodeNotFound {
		t.Errorf("%s: %v has no hint", doing, err)
	}
	if (code == stockhand.CodePermissionDenied || code == stockhand.CodeTokenExpired ||
		code == stockhand.CodeOrgRequired) && (e.RU.Message == "" || e.RU.Hint == "") {
		t.Errorf("%s: %v is not said in Russian", doing, err)
	}
	return e
}
