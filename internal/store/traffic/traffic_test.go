package traffic_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// run creates a run in a session of its own.
func run(t *testing.T, db *store.DB, org stockhand.OrgID) stockhand.Run {
	t.Helper()
	session, err := db.CreateSession(t.Context(), org, stockhand.Session{Title: "x", By: "user:a"})
	if err != nil {
		t.Fatal(err)
	}
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: session.ID, Text: "x",
		By: "user:a", Created: time.Now()}
	_, r, err := db.CreateRun(t.Context(), org, m,
		stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// body returns what is kept, or the code of the error.
func body(t *testing.T, db *store.DB, org stockhand.OrgID, id stockhand.RunID) string {
	t.Helper()
	b, err := db.System().Traffic().Traffic(t.Context(), org, id)
	if err != nil {
		return string(stockhand.CodeOf(err))
	}
	return string(b)
}

// R551
func TestTrafficEndsWithItsSizeItsTimeItsSessionAndTheOrganizationsKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		s, gone := db.System().Traffic(), string(stockhand.CodeNotFound)
		began := time.Now()
		var runs []stockhand.RunID
		for i, text := range []string{"first", "second", "third"} {
			r := run(t, db, org)
			at := began.Add(time.Duration(i) * time.Second)
			if err := s.Put(t.Context(), org, r.ID, []byte(text), at, 12); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, r.ID)
		}
		if a, b, c := body(t, db, org, runs[0]), body(t, db, org, runs[1]), body(t, db, org, runs[2]); a != gone ||
			b != "second" || c != "third" {
			t.Errorf("of 12 bytes remain %q, %q, %q", a, b, c)
		}
		if got := body(t, db, other, runs[2]); got != gone {
			t.Errorf("another organization reads %q", got)
		}
		if more, err := s.Forget(t.Context(), began.Add(time.Second)); more || err != nil {
			t.Error(more, err)
		}
		if a, b := body(t, db, org, runs[1]), body(t, db, org, runs[2]); a != gone || b != "third" {
			t.Errorf("after a second remain %q, %q", a, b)
		}
		r, err := db.Run(t.Context(), org, runs[2])
		if err != nil {
			t.Fatal(err)
		}
		ring, err := secret.Parse(strings.Repeat("07", 32))
		if err != nil {
			t.Fatal(err)
		}
		db.System().KeyContents(ring, true)
		if err := db.EncryptContents(t.Context(), org, nil); err != nil {
			t.Fatal(err)
		}
		if got := body(t, db, org, r.ID); got != "third" {
			t.Errorf("encrypted: %q", got)
		}
		entry := stockhand.AuditEntry{At: time.Now(), Actor: "x", Action: "session.deleted"}
		sealed := run(t, db, org)
		if err := s.Put(t.Context(), org, sealed.ID, []byte("sealed"), time.Now(), 99); err != nil {
			t.Fatal(err)
		}
		if err := db.EraseContents(t.Context(), org, entry); err != nil {
			t.Fatal(err)
		}
		if got := body(t, db, org, sealed.ID); got != string(stockhand.CodeConflict) {
			t.Errorf("after the organization's erasure: %q", got)
		}
		if err := db.DeleteSession(t.Context(), org, r.Session, entry); err != nil {
			t.Fatal(err)
		}
		if got := body(t, db, org, r.ID); got != gone {
			t.Errorf("after its session's: %q", got)
		}
	})
}
