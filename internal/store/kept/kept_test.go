package kept_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/kept"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

func connect(t *testing.T, db *store.DB, org stockhand.OrgID, login string) stockhand.Connection {
	t.Helper()
	c, err := db.CreateConnection(t.Context(), org, stockhand.Connection{Connector: "moysklad", Account: "a",
		Label: "shop", Employee: "Owner", Login: login, Rights: []string{"admin"}, Sealed: []byte("sealed")})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// has reports whether a piece is kept with a body.
func has(t *testing.T, p *kept.Pieces, name, body string) bool {
	t.Helper()
	got, err := p.Load(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(got[name].Body) == body
}

func save(t *testing.T, p *kept.Pieces, name, body string, version int64, age time.Duration) {
	t.Helper()
	if err := p.Save(t.Context(), name, stockhand.Piece{Version: version, Read: now.Add(-age),
		Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
}

func TestOneOfTwoReplicasReplacesAPiece(t *testing.T) { // rule R232
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		p := db.System().Kept(kept.Limits{Age: time.Hour, Size: 100}, clock).Of(
			connect(t, db, storetest.Organization(t, db), "x"))
		save(t, p, "m", "first", 0, 0)
		save(t, p, "m", "another first", 0, 0)
		if !has(t, p, "m", "first") {
			t.Error("a piece was replaced by one that did not know it")
		}
		save(t, p, "m", "second", 1, 0)
		save(t, p, "m", "another second", 1, 0)
		if !has(t, p, "m", "second") {
			t.Error("a piece was replaced by an older one")
		}
	})
}

func TestPiecesBelongToTheirRights(t *testing.T) { // rule R233
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := db.System().Kept(kept.Limits{Age: time.Hour, Size: 100}, clock)
		c := connect(t, db, storetest.Organization(t, db), "x")
		save(t, s.Of(c), "m", "body", 0, 0)
		for name, change := range map[string]func(*stockhand.Connection){
			"token":    func(c *stockhand.Connection) { c.Sealed = []byte("another") },
			"employee": func(c *stockhand.Connection) { c.Login = "y" },
			"rights":   func(c *stockhand.Connection) { c.Rights = []string{"demand"} },
			"other":    func(c *stockhand.Connection) { *c = connect(t, db, storetest.Organization(t, db), "x") },
		} {
			other := c
			change(&other)
			if !has(t, s.Of(other), "m", "") {
				t.Errorf("%s: the piece is still there", name)
			}
		}
		changed := c
		changed.Rights = nil
		save(t, s.Of(changed), "m", "with other rights", 0, 0)
		if !has(t, s.Of(changed), "m", "with other rights") || !has(t, s.Of(c), "m", "") {
			t.Error("the piece of other rights was not replaced")
		}
		if err := db.DeleteConnection(t.Context(), c.Org, c.ID); err != nil {
			t.Fatal(err)
		}
		if !has(t, s.Of(changed), "m", "") {
			t.Error("the connection was deleted, but not what was kept")
		}
	})
}

func TestPiecesAreLimited(t *testing.T) { // rule R233
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := db.System().Kept(kept.Limits{Age: time.Hour, Size: 10}, clock)
		c := connect(t, db, storetest.Organization(t, db), "x")
		p := s.Of(c)
		save(t, p, "old", "12345", 0, 30*time.Minute)
		save(t, p, "new", "12345", 0, 0)
		save(t, p, "huge", "12345678901", 0, 0)
		save(t, p, "old", "123456", 1, 30*time.Minute) // makes room by removing another
		if !has(t, p, "old", "123456") || !has(t, p, "new", "") || !has(t, p, "huge", "") {
			t.Error("the oldest other piece should have been removed")
		}
		save(t, p, "newer", "12345", 0, 0)
		if !has(t, p, "old", "") || !has(t, p, "newer", "12345") {
			t.Error("the oldest piece should have been removed")
		}
		save(t, p, "past", "1", 0, 2*time.Hour)
		if !has(t, p, "past", "") {
			t.Error("a piece that is too old is used")
		}
		save(t, p, "past", "2", 0, 0)
		if !has(t, p, "past", "2") {
			t.Error("a piece that was too old is not replaced")
		}
		later := db.System().Kept(kept.Limits{Age: time.Hour, Size: 10},
			func() time.Time { return now.Add(2 * time.Hour) })
		if err := later.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !has(t, p, "past", "") || !has(t, p, "newer", "") {
			t.Error("pieces that are too old are still there")
		}
	})
}

func TestPiecesEndWithTheOrganizationsKey(t *testing.T) { // rule R233
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ring, err := secret.Parse(strings.Repeat("07", 32))
		if err != nil {
			t.Fatal(err)
		}
		c := connect(t, db, storetest.Organization(t, db), "x")
		p := db.System().Kept(kept.Limits{Age: time.Hour, Size: 100}, clock).Of(c)
		save(t, p, "m", "plain", 0, 0)
		db.System().KeyContents(ring, true)
		if err := db.EncryptContents(t.Context(), c.Org, nil); err != nil {
			t.Fatal(err)
		}
		save(t, p, "n", "sealed", 0, 0)
		if !has(t, p, "m", "plain") || !has(t, p, "n", "sealed") {
			t.Error("encrypted pieces are not read")
		}
		if err := db.EraseContents(t.Context(), c.Org, stockhand.AuditEntry{At: now, Actor: "x",
			Action: "organization.erased"}); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Load(t.Context(), "m"); err == nil {
			t.Errorf("an erased organization has %v", got)
		}
		if err := p.Save(t.Context(), "o", stockhand.Piece{Read: now, Body: []byte("x")}); err == nil {
			t.Error("something was kept of an erased organization")
		}
	})
}
