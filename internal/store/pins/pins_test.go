package pins_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/pins"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestAPinIsOfItsActor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, at := t.Context(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		s := db.System().Pins()
		var ids []stockhand.SessionID
		for _, title := range []string{"first", "second"} {
			session, err := db.CreateSession(ctx, org, stockhand.Session{Title: title, Created: at})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, session.ID)
		}
		titles := func(org stockhand.OrgID, actor string) (all string) {
			found, err := s.Pinned(ctx, org, actor, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range found {
				all += x.Title + " "
			}
			return all
		}
		for i, id := range []stockhand.SessionID{ids[0], ids[1], ids[0]} { // the first stays where it is
			if err := s.Pin(ctx, org, id, "user:a", at.Add(time.Duration(i)*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Pin(ctx, org, ids[0], pins.Everyone, at); err != nil {
			t.Fatal(err)
		}
		if err := s.Pin(ctx, other, ids[0], "user:a", at); err != nil { // there is no such session there
			t.Fatal(err)
		}
		if a, b, all, foreign := titles(org, "user:a"), titles(org, "user:b"), titles(org, pins.Everyone),
			titles(other, "user:a"); a != "second first " || b != "" || all != "first " || foreign != "" {
			t.Errorf("%q %q %q %q", a, b, all, foreign)
		}
		if own, all, err := s.Of(ctx, org, ids[0], "user:b"); own || !all || err != nil {
			t.Error(own, all, err)
		}
		if err := s.Unpin(ctx, org, ids[0], "user:a"); err != nil {
			t.Fatal(err)
		}
		if own, all, err := s.Of(ctx, org, ids[0], "user:a"); own || !all || err != nil {
			t.Error(own, all, err)
		}
		if err := db.DeleteSession(ctx, org, ids[0], stockhand.AuditEntry{At: at, Actor: "user:a"}); err != nil {
			t.Fatal(err)
		}
		if all := titles(org, pins.Everyone); all != "" {
			t.Errorf("a deleted conversation is pinned: %q", all)
		}
	})
}
