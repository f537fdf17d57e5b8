package signin_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/auth/signin"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// world is an installation with one organization and its owner, at a time that stands still until it is set.
type world struct {
	*signin.Service
	auth  *auth.Service
	db    *store.DB
	t     testing.TB
	org   stockhand.OrgID
	owner stockhand.User
	at    time.Time
}

const url = "https://stockhand.example.org"

// good is a password that is accepted.
const good = "three lines of Onegin"

var home = auth.Origin{IP: netip.MustParseAddr("192.0.2.7"), Browser: "Browser/1"}

func newWorld(t testing.TB, change ...func(*signin.Config)) *world {
	t.Helper()
	return newWorldOn(t, storetest.New(t), change...)
}

func newWorldOn(t testing.TB, db *store.DB, change ...func(*signin.Config)) *world {
	t.Helper()
	w := &world{t: t, db: db, at: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	w.Service = w.replica(change...)
	w.auth = w.Auth
	b, created, err := w.auth.Bootstrap(t.Context(), "Shop", "owner@example.com")
	if err != nil || !created {
		t.Fatal(created, err)
	}
	w.org, w.owner = b.Org.ID, b.User
	return w
}

// replica returns the service as another replica has it.
func (w *world) replica(change ...func(*signin.Config)) *signin.Service {
	clock := func() time.Time { return w.at }
	c := signin.Config{System: w.db.System(), URL: url, Clock: clock,
		Audit: audit.NewLog(w.db, nil, slog.New(slog.DiscardHandler), clock), Auth: auth.New(auth.Config{Store: w.db,
			System: w.db.System(), Pepper: bytes.Repeat([]byte{7}, 32), Clock: clock, InvitedSignUp: true})}
	for _, f := range change {
		f(&c)
	}
	s := signin.New(c)
	w.t.Cleanup(s.Wait)
	return s
}

// enter signs the owner in with a link.
func (w *world) enter() (a stockhand.Actor, cookie string) {
	w.t.Helper()
	l, err := w.CreateLink(w.t.Context(), auth.Operator("", "root"), w.owner.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := w.ByLink(w.t.Context(), l.Token, home)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.caller(out.Cookie), out.Cookie
}

// caller is who calls with that cookie.
func (w *world) caller(cookie string) stockhand.Actor {
	w.t.Helper()
	a, err := w.auth.Authenticate(w.t.Context(), auth.Caller{Cookie: cookie, IP: home.IP})
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeOrgRequired {
		w.t.Fatal(err)
	}
	return a
}

// ended reports whether a sign-in is refused.
func (w *world) ended(cookie string) bool {
	w.t.Helper()
	_, err := w.auth.Authenticate(w.t.Context(), auth.Caller{Cookie: cookie, IP: home.IP})
	if err != nil && stockhand.CodeOf(err) != stockhand.CodeTokenExpired {
		w.t.Fatal(err)
	}
	return err != nil
}

// refusals is what the installation's log has about refused sign-ins.
func (w *world) refusals() (all []string) {
	w.t.Helper()
	w.Audit.Flush(w.t.Context())
	entries, err := w.db.AuditEntries(w.t.Context(), stockhand.Installation, 0, 200)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Action == "person.sign_in_refused" {
			all = append(all, string(e.Detail))
		}
	}
	return all
}

// actions is the organization's audit log, in short.
func (w *world) actions() (all []string) {
	w.t.Helper()
	w.Wait()
	entries, err := w.db.AuditEntries(w.t.Context(), w.org, 0, 200)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Action)
	}
	return all
}

func wantCode(t testing.TB, doing string, err error, code stockhand.Code) *stockhand.Error {
	t.Helper()
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("%s: %v, want %s", doing, err, code)
	}
	return e
}
