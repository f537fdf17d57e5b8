package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// newDraft stores a draft of two documents.
func (f fixture) newDraft(t testing.TB) stockhand.Draft {
	t.Helper()
	d, err := f.db.CreateDraft(t.Context(), f.org, stockhand.Draft{
		Session: f.session.ID, Run: f.run.ID, Connection: f.connection.ID, Account: f.connection.Account,
		Tool:  "moysklad_propose_transfers",
		Title: "Перемещения", Language: stockhand.Russian, Body: json.RawMessage(`{"documents":[{},{}]}`),
		Expires: time.Now().Add(time.Hour),
		Documents: []stockhand.DraftDocument{{ID: stockhand.NewID[stockhand.DocumentID]("doc")},
			{ID: stockhand.NewID[stockhand.DocumentID]("doc")}},
	}, stockhand.AuditEntry{Actor: "agent", Action: "draft.created"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// moved is a move of the document to another state.
func moved(doc stockhand.DraftDocument, to stockhand.DocumentState) stockhand.DocumentMove {
	m := stockhand.DocumentMove{From: doc.State, Attempt: doc.Attempt, To: doc}
	m.To.State = to
	m.To.Attempt++
	return m
}

func TestADraftKeepsEveryVersionAndItsDocumentsStates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		d := f.newDraft(t)
		if d.Version != 1 || len(d.Documents) != 2 || d.Documents[0].State != stockhand.DocumentPending ||
			d.Documents[1].Outcome != nil || d.Title != "Перемещения" {
			t.Errorf("%+v", d)
		}
		m := moved(d.Documents[1], stockhand.DocumentConfirmed)
		m.To.Version, m.To.Fingerprint, m.To.ConfirmedBy, m.To.Outcome, m.To.Problem = 1, "print", "user:usr_1",
			json.RawMessage(`{"state":"applied"}`), "слова"
		m.To.Updated = time.UnixMicro(1_700_000_000_000_000).UTC()
		err := db.ChangeDraft(t.Context(), f.org, d.ID, stockhand.DraftChange{
			Version: 1, Body: json.RawMessage(`{"documents":[{}]}`), Drop: []stockhand.DocumentID{d.Documents[0].ID},
			Moves: []stockhand.DocumentMove{m},
			Audit: []stockhand.AuditEntry{{Actor: "user:usr_1", Action: "draft.edited"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := db.Draft(t.Context(), f.org, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.Version != 2 || string(got.Body) != `{"documents":[{}]}` {
			t.Errorf("%+v", got)
		}
		if diff := cmp.Diff([]stockhand.DraftDocument{m.To}, got.Documents); diff != "" {
			t.Error(diff)
		}
		for version, want := range map[int64]string{1: `{"documents":[{},{}]}`, 2: `{"documents":[{}]}`} {
			if body, err := db.DraftVersion(t.Context(), f.org, d.ID, version); err != nil || string(body) != want {
				t.Errorf("version %d is %s, %v", version, body, err)
			}
		}
		entries, err := db.AuditEntries(t.Context(), f.org, 0, 0)
		if err != nil || len(entries) != 2 || entries[1].Version != 2 || entries[1].Draft != d.ID ||
			entries[0].Version != 1 {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}

func TestChangeOfADraftIsAllOrNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		d := f.newDraft(t)
		first, second := d.Documents[0], d.Documents[1]
		stale := second
		stale.Attempt = 7
		elsewhere := second
		elsewhere.State = stockhand.DocumentApplying
		for name, c := range map[string]struct {
			change stockhand.DraftChange
			code   stockhand.Code
		}{
			"an older version": {stockhand.DraftChange{Version: 3, Body: []byte(`{}`),
				Moves: []stockhand.DocumentMove{moved(first, stockhand.DocumentRejected)}}, stockhand.CodeDraftChanged},
			"an older version held": {stockhand.DraftChange{Version: 3,
				Moves: []stockhand.DocumentMove{moved(first, stockhand.DocumentRejected)}}, stockhand.CodeDraftChanged},
			"another's attempt": {stockhand.DraftChange{Version: 1, Body: []byte(`{}`),
				Moves: []stockhand.DocumentMove{moved(first, stockhand.DocumentRejected),
					moved(stale, stockhand.DocumentRejected)}}, stockhand.CodeConflict},
			"another state": {stockhand.DraftChange{Moves: []stockhand.DocumentMove{moved(first,
				stockhand.DocumentRejected), moved(elsewhere, stockhand.DocumentApplied)}}, stockhand.CodeConflict},
			"a document twice": {stockhand.DraftChange{Version: 1, Body: []byte(`{}`),
				Drop: []stockhand.DocumentID{first.ID, first.ID}}, stockhand.CodeConflict},
			"a body on nothing": {stockhand.DraftChange{Body: []byte(`{}`)}, stockhand.CodeInternal},
			"a broken body": {stockhand.DraftChange{Version: 1, Body: []byte(`{`),
				Moves: []stockhand.DocumentMove{moved(first, stockhand.DocumentRejected)}}, stockhand.CodeInternal},
			"a broken audit entry": {stockhand.DraftChange{Moves: []stockhand.DocumentMove{moved(first,
				stockhand.DocumentRejected)}, Audit: []stockhand.AuditEntry{{Detail: []byte(`{`)}}},
				stockhand.CodeInternal},
			"another's audit entry": {stockhand.DraftChange{Moves: []stockhand.DocumentMove{moved(first,
				stockhand.DocumentRejected)}, Audit: []stockhand.AuditEntry{{Org: "org_x"}}}, stockhand.CodeInternal},
		} {
			if c.change.Audit == nil {
				c.change.Audit = []stockhand.AuditEntry{{Action: "draft.edited"}}
			}
			wantCode(t, name, db.ChangeDraft(t.Context(), f.org, d.ID, c.change), c.code)
			if got, err := db.Draft(t.Context(), f.org, d.ID); err != nil || !cmp.Equal(d, got) {
				t.Errorf("%s left a trace: %v, %s", name, err, cmp.Diff(d, got))
			}
		}
		if seq, _, err := db.AuditHead(t.Context(), f.org); err != nil || seq != 1 {
			t.Errorf("%d entries are audited, %v", seq, err)
		}
		wantCode(t, "a draft that is not there", db.ChangeDraft(t.Context(), f.org, "drf_x", stockhand.DraftChange{}),
			stockhand.CodeNotFound)
		wantCode(t, "a version of one that is not there",
			db.ChangeDraft(t.Context(), f.org, "drf_x", stockhand.DraftChange{Version: 1}), stockhand.CodeNotFound)
	})
}

func TestOneOfManyWorkersMovesADocument(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		var processes []*store.DB
		for range 2 {
			db, err := store.Open(t.Context(), url, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			processes = append(processes, db)
		}
		f := newFixture(t, processes[0])
		for range 5 {
			d := f.newDraft(t)
			var all sync.WaitGroup
			var mu sync.Mutex
			won := 0
			for i := range 8 {
				all.Go(func() {
					err := processes[i%2].ChangeDraft(t.Context(), f.org, d.ID, stockhand.DraftChange{
						Moves: []stockhand.DocumentMove{moved(d.Documents[0], stockhand.DocumentConfirmed)},
						Audit: []stockhand.AuditEntry{{Actor: fmt.Sprint(i), Action: "draft.confirmed"}},
					})
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						won++
					} else if stockhand.CodeOf(err) != stockhand.CodeConflict {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if won != 1 {
				t.Errorf("%d moved one document", won)
			}
		}
	})
}

func TestConcurrentAuditEntriesFormAChainWithoutGaps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f, other := newFixture(t, db), newFixture(t, db)
		var all sync.WaitGroup
		for i := range 8 {
			org := []stockhand.OrgID{f.org, other.org}[i%2]
			all.Go(func() {
				for j := range 10 {
					err := db.ChangeSetting(t.Context(), org, stockhand.KeysMayConfirm, fmt.Sprint(j),
						stockhand.AuditEntry{Actor: fmt.Sprint(i), Action: "setting.changed"})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		for _, org := range []stockhand.OrgID{f.org, other.org} {
			entries, err := db.AuditEntries(t.Context(), org, 0, 200)
			if err != nil || len(entries) != 40 {
				t.Fatalf("%d entries, %v", len(entries), err)
			}
			previous := ""
			for i, e := range entries {
				if e.Seq != int64(i+1) || e.Previous != previous || e.Hash != e.Digest(nil) || e.Org != org {
					t.Fatalf("entry %d: %+v", i+1, e)
				}
				previous = e.Hash
			}
			if seq, hash, err := db.AuditHead(t.Context(), org); seq != 40 || hash != previous || err != nil {
				t.Errorf("the end is %d %s, %v", seq, hash, err)
			}
		}
		if value, err := db.Setting(t.Context(), f.org, stockhand.KeysMayConfirm); value != "9" || err != nil {
			t.Errorf("the setting is %q, %v", value, err)
		}
	})
}

func TestTheDatabaseRefusesChangesOfTheAuditLog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		f.newDraft(t)
		for _, statement := range []string{"UPDATE audit_entries SET actor = 'x'", "DELETE FROM audit_entries"} {
			if _, err := db.Writer().ExecContext(t.Context(), statement); err == nil ||
				!strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}

func TestDraftsAreListedInPagesAndUnsettledOnesAreFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		var made []stockhand.DraftID
		for range 5 {
			made = append(made, f.newDraft(t).ID)
			time.Sleep(time.Millisecond) // ids sort by time
		}
		page, err := db.Drafts(t.Context(), f.org, "", "", "", 2)
		if err != nil || len(page) != 2 || page[0].ID != made[4] || page[1].ID != made[3] ||
			len(page[0].Documents) != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		rest, err := db.Drafts(t.Context(), f.org, "", "", page[1].ID, 0)
		if err != nil || len(rest) != 3 || rest[2].ID != made[0] {
			t.Fatalf("%+v, %v", rest, err)
		}
		unsettled, err := db.System().UnsettledDrafts(t.Context())
		if err != nil || len(unsettled) != 0 {
			t.Errorf("%+v, %v", unsettled, err)
		}
		for i, state := range []stockhand.DocumentState{stockhand.DocumentConfirmed, stockhand.DocumentApplying,
			stockhand.DocumentUnknown, stockhand.DocumentApplied, stockhand.DocumentExpired} {
			d, err := db.Draft(t.Context(), f.org, made[i])
			if err != nil {
				t.Fatal(err)
			}
			if err := db.ChangeDraft(t.Context(), f.org, d.ID,
				stockhand.DraftChange{Moves: []stockhand.DocumentMove{moved(d.Documents[1], state)}}); err != nil {
				t.Fatal(err)
			}
		}
		unsettled, err = db.System().UnsettledDrafts(t.Context())
		if err != nil || len(unsettled) != 3 || unsettled[0].ID != made[0] || unsettled[2].Org != f.org ||
			len(unsettled[1].Documents) != 2 {
			t.Errorf("%+v, %v", unsettled, err)
		}
	})
}

func TestAnotherOrganizationsDraftsAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		d := f.newDraft(t)
		other := storetest.Organization(t, db)
		refused := map[string]error{}
		_, refused["Draft"] = db.Draft(ctx, other, d.ID)
		_, refused["DraftVersion"] = db.DraftVersion(ctx, other, d.ID, 1)
		refused["ChangeDraft"] = db.ChangeDraft(ctx, other, d.ID,
			stockhand.DraftChange{Moves: []stockhand.DocumentMove{moved(d.Documents[0], stockhand.DocumentRejected)}})
		for method, err := range refused {
			wantCode(t, method, err, stockhand.CodeNotFound)
		}
		drafts, err := db.Drafts(ctx, other, "", "", "", 0)
		undoing, errUndoing := db.DraftsUndoing(ctx, other, d.ID)
		entries, errAudit := db.AuditEntries(ctx, other, 0, 0)
		if len(drafts)+len(undoing)+len(entries) != 0 || err != nil || errUndoing != nil || errAudit != nil {
			t.Errorf("%v %v %v, %v %v %v", drafts, undoing, entries, err, errUndoing, errAudit)
		}
		_, err = db.CreateDraft(ctx, other, d, stockhand.AuditEntry{})
		wantCode(t, "a draft that names another organization", err, stockhand.CodeInternal)
	})
}

func TestDraftOutlivesItsConversation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		d := f.newDraft(t)
		if err := db.DeleteSession(t.Context(), f.org, f.session.ID, stockhand.AuditEntry{}); err != nil {
			t.Fatal(err)
		}
		if got, err := db.Draft(t.Context(), f.org, d.ID); err != nil || got.Session != f.session.ID {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
