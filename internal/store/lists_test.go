package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestSessionsAreListedByKindAndCreator(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, org := t.Context(), storetest.Organization(t, db)
		storetest.Organization(t, db)
		var made []stockhand.Session
		for i := range 8 {
			kind := []stockhand.SessionKind{stockhand.SessionChat, stockhand.SessionDirect}[i/4]
			s, err := db.CreateSession(ctx, org, stockhand.Session{Kind: kind, By: []string{"key:a", "user:b"}[i%2]})
			if err != nil {
				t.Fatal(err)
			}
			made = append([]stockhand.Session{s}, made...)
			time.Sleep(time.Millisecond) // ids sort by time
		}
		for _, kind := range []stockhand.SessionKind{"", stockhand.SessionChat, stockhand.SessionDirect} {
			for _, by := range []string{"", "key:a", "user:b", "stranger"} {
				var want, got []stockhand.SessionID
				for _, s := range made {
					if (s.Kind == kind || kind == "" && s.Kind == stockhand.SessionChat) && (by == "" || s.By == by) {
						want = append(want, s.ID)
					}
				}
				for before, more := stockhand.SessionID(""), true; more; {
					page, err := db.Sessions(ctx, org, kind, by, before, 1)
					if err != nil {
						t.Fatal(err)
					}
					if more = len(page) > 0; more {
						before = page[0].ID
						got = append(got, before)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q of %q: %v, want %v", kind, by, got, want)
				}
			}
		}
	})
}

func TestDraftsAreListedByStateAndActor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		mine, others := f.draftFor(t, "key:a"), f.draftFor(t, "user:b")
		to := others.Documents[0]
		to.State = stockhand.DocumentRejected
		if err := db.ChangeDraft(ctx, f.org, others.ID,
			stockhand.DraftChange{Moves: []stockhand.DocumentMove{{From: stockhand.DocumentPending,
				To: to}}}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			by    string
			state stockhand.DocumentState
			want  []stockhand.DraftID
		}{
			{"", "", []stockhand.DraftID{others.ID, mine.ID}}, {"key:a", "", []stockhand.DraftID{mine.ID}},
			{"stranger", "", nil},
			{"", stockhand.DocumentPending, []stockhand.DraftID{others.ID, mine.ID}},
			{"", stockhand.DocumentRejected, []stockhand.DraftID{others.ID}},
			{"key:a", stockhand.DocumentRejected, nil},
			{"user:b", stockhand.DocumentRejected, []stockhand.DraftID{others.ID}},
		} {
			found, err := db.Drafts(ctx, f.org, c.by, c.state, "", 0)
			var got []stockhand.DraftID
			for _, d := range found {
				got = append(got, d.ID)
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("of %q, %q: %v, %v; want %v", c.by, c.state, got, err, c.want)
			}
		}
	})
}

// draftFor stores a draft with two documents for that actor.
func (f fixture) draftFor(t testing.TB, by string) stockhand.Draft {
	t.Helper()
	d := stockhand.Draft{Connection: f.connection.ID, By: by, Body: []byte(`{}`), Expires: time.Now().Add(time.Hour)}
	for range 2 {
		d.Documents = append(d.Documents, stockhand.DraftDocument{ID: stockhand.NewID[stockhand.DocumentID]("doc")})
	}
	made, err := f.db.CreateDraft(t.Context(), f.org, d, stockhand.AuditEntry{Actor: by, Action: "draft.created"})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Millisecond) // ids sort by time
	return made
}

func TestTheAuditLogIsReadBackwardsAndFiltered(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		d := f.draftFor(t, "user:a")
		for _, value := range []string{"on", "off"} {
			if err := db.ChangeSetting(ctx, f.org, stockhand.KeysMayConfirm, value,
				stockhand.AuditEntry{Actor: "user:a", Action: "setting.changed"}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			action string
			draft  stockhand.DraftID
			before int64
			want   string
		}{
			{"", "", 0, "3 2 1"}, {"", "", 3, "2 1"}, {"", "", 1, ""}, {"setting.changed", "", 0, "3 2"},
			{"setting.changed", "", 3, "2"},
			{"", d.ID, 0, "1"}, {"setting.changed", d.ID, 0, ""}, {"draft.created", d.ID, 0, "1"},
		} {
			entries, err := db.AuditBefore(ctx, f.org, c.action, c.draft, c.before, 0)
			var got []string
			for _, e := range entries {
				got = append(got, fmt.Sprint(e.Seq))
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%+v: %v, %v", c, got, err)
			}
		}
		if other, err := db.AuditBefore(ctx, storetest.Organization(t, db), "", d.ID, 0, 0); err != nil ||
			len(other) != 0 {
			t.Errorf("another organization reads %v, %v", other, err)
		}
	})
}

// A list page at a million sessions has to take what it takes at a thousand: an index leads to it, and nothing is
// sorted.
func TestAPageOfSessionsUsesAnIndex(t *testing.T) {
	db := storetest.New(t)
	for _, query := range []string{
		"SELECT * FROM sessions WHERE org_id = 'o' AND kind = 'chat' AND id < 'ses_~' ORDER BY id DESC LIMIT 51",
		"SELECT * FROM sessions WHERE org_id = 'o' AND created_by = 'key:a' AND kind = 'chat' AND id < 'ses_~' " +
			"ORDER BY id DESC LIMIT 51",
	} {
		if plan := explain(t.Context(), t, db, query); !strings.Contains(plan, "USING INDEX sessions_by_") ||
			strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s\n%s", query, plan)
		}
	}
}

func explain(ctx context.Context, t testing.TB, db *store.DB, query string) string {
	t.Helper()
	rows, err := db.Reader().QueryContext(ctx, "EXPLAIN QUERY PLAN "+query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}
