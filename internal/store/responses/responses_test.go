package responses_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func response(body string, life time.Duration) stockhand.StoredResponse {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return stockhand.StoredResponse{ID: stockhand.NewID[stockhand.ResponseID]("resp"), By: "user:a",
		Body: []byte(body), Created: now, Expires: now.Add(life)}
}

func put(t *testing.T, db *store.DB, org stockhand.OrgID, r stockhand.StoredResponse) stockhand.ResponseID {
	t.Helper()
	if err := db.System().Responses().PutResponse(t.Context(), org, r); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// body returns what is stored, or the code of the error.
func body(t *testing.T, db *store.DB, org stockhand.OrgID, id stockhand.ResponseID) string {
	t.Helper()
	r, err := db.System().Responses().Response(t.Context(), org, id)
	if err != nil {
		return string(stockhand.CodeOf(err))
	}
	return string(r.Body)
}

const gone = string(stockhand.CodeNotFound)

func TestAResponseIsOfItsOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		s := db.System().Responses()
		want := response("mine", time.Hour)
		put(t, db, org, want)
		got, err := s.Response(t.Context(), org, want.ID)
		if err != nil || string(got.Body) != "mine" || got.By != want.By || !got.Created.Equal(want.Created) ||
			!got.Expires.Equal(want.Expires) || got.Session != "" {
			t.Errorf("%+v, %v", got, err)
		}
		if got := body(t, db, other, want.ID); got != gone {
			t.Errorf("another organization reads %q", got)
		}
		if err := s.DeleteResponse(t.Context(), other, want.ID); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("another organization deletes it: %v", err)
		}
		if err := s.DeleteResponse(t.Context(), org, want.ID); err != nil {
			t.Error(err)
		}
		if got := body(t, db, org, want.ID); got != gone {
			t.Errorf("after its deletion: %q", got)
		}
	})
}

func TestAResponseEndsWithItsTimeItsSessionAndTheOrganizationsKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		old := put(t, db, org, response("old", -time.Second))
		if got := body(t, db, org, old); got != gone {
			t.Errorf("after its time: %q", got)
		}
		of := response("of a session", time.Hour)
		session, err := db.CreateSession(t.Context(), org, stockhand.Session{Title: "x", By: "user:a"})
		if err != nil {
			t.Fatal(err)
		}
		of.Session = session.ID
		put(t, db, org, of)
		if err := db.DeleteSession(t.Context(), org, session.ID, stockhand.AuditEntry{At: time.Now(), Actor: "x",
			Action: "session.deleted"}); err != nil {
			t.Fatal(err)
		}
		if got := body(t, db, org, of.ID); got != gone {
			t.Errorf("after its session's: %q", got)
		}
		kept := put(t, db, org, response("plain", time.Hour))
		if more, err := db.System().Responses().Forget(t.Context(), time.Now()); more || err != nil {
			t.Error(more, err)
		}
		ring, err := secret.Parse(strings.Repeat("07", 32))
		if err != nil {
			t.Fatal(err)
		}
		db.System().KeyContents(ring, true)
		if err := db.EncryptContents(t.Context(), org, nil); err != nil {
			t.Fatal(err)
		}
		later := put(t, db, org, response("sealed", time.Hour))
		if a, b := body(t, db, org, kept), body(t, db, org, later); a != "plain" || b != "sealed" {
			t.Errorf("encrypted: %q, %q", a, b)
		}
		if err := db.EraseContents(t.Context(), org, stockhand.AuditEntry{At: time.Now(), Actor: "x",
			Action: "organization.erased"}); err != nil {
			t.Fatal(err)
		}
		if got := body(t, db, org, kept); got != string(stockhand.CodeConflict) {
			t.Errorf("after the organization's: %q", got)
		}
	})
}
