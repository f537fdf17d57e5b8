package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// finish ends the fixture's run.
func (f fixture) finish(t testing.TB) {
	t.Helper()
	if _, err := f.db.FinishRun(t.Context(), f.org, stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation,
		State: stockhand.RunDone}); err != nil {
		t.Fatal(err)
	}
}

// remove removes all that is old, and returns what and in how many transactions.
func (f fixture) remove(t testing.TB, c stockhand.Cutoffs, now time.Time) (all stockhand.Removed, batches int) {
	t.Helper()
	for more := true; more; batches++ {
		var done stockhand.Removed
		var err error
		done, more, err = f.db.RemoveOld(t.Context(), f.org, c, now,
			stockhand.AuditEntry{Actor: "system", Action: "session.deleted"})
		if err != nil {
			t.Fatal(err)
		}
		all.Add(done)
		if batches > 1000 {
			t.Fatal("it does not end")
		}
	}
	return all, batches
}

// rowsOf reads all rows of a result.
func (f fixture) rowsOf(t testing.TB, id stockhand.ResultID, rows int) (read int, err error) {
	t.Helper()
	for page, err := range f.db.ResultRows(t.Context(), f.org, id, 0, rows) {
		if err != nil {
			return read, err
		}
		read += page.Count
	}
	return read, nil
}

func TestAnOldResultLosesItsRowsInBatchesAndKeepsItsHead(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		now := time.Now()
		const rows = 130 * pageRows
		large := stored(rows)
		large.Created = now.AddDate(0, 0, -31)
		small, recent := stored(1), stored(2*pageRows)
		small.Created, recent.Created = large.Created, now.AddDate(0, 0, -29)
		old, tiny, kept := f.finishedCall(t, 1, large), f.finishedCall(t, 2, small), f.finishedCall(t, 3, recent)
		f.finish(t)
		cut := stockhand.Cutoffs{Results: now.AddDate(0, 0, -30)}
		planned, err := db.CountOld(t.Context(), f.org, cut, now)
		if err != nil || planned.Results != 2 || planned.Bytes < rows {
			t.Fatalf("%+v, %v", planned, err)
		}
		// The first transaction makes the rows unreadable; nothing else of the result changes.
		if _, more, err := db.RemoveOld(t.Context(), f.org, cut, now, stockhand.AuditEntry{}); !more || err != nil {
			t.Fatal(more, err)
		}
		if r, err := db.Result(t.Context(), f.org, old); err != nil || !r.Expired || r.Rows != rows ||
			string(r.Head) != string(large.Head) {
			t.Errorf("%+v, %v", r, err)
		}
		removed, batches := f.remove(t, cut, now)
		if removed.Results != 0 || removed.Bytes < rows || removed.Bytes >= planned.Bytes || batches != 4 {
			t.Errorf("%+v in %d transactions, planned %+v", removed, batches, planned)
		}
		for _, id := range []stockhand.ResultID{old, tiny} {
			n, err := f.rowsOf(t, id, 1)
			if wantCode(t, "rows that are gone", err, stockhand.CodeResultExpired); n != 0 {
				t.Errorf("%d rows", n)
			}
		}
		if n, err := f.rowsOf(t, kept, 2*pageRows); n != 2*pageRows || err != nil {
			t.Errorf("%d rows of a recent result, %v", n, err)
		}
		if n := column(t, db.Reader(), "SELECT CAST(COUNT(*) AS TEXT) FROM result_pages"); n[0] != "2" {
			t.Errorf("%s pages are left", n[0])
		}
	})
}

func TestWhatIsUnfinishedKeepsItsResultsAndSession(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		id := f.finishedCall(t, 1, stored(1))
		now := time.Now().Add(time.Minute) // all of it is old
		cut := stockhand.Cutoffs{Results: now, Sessions: now}
		kept := func(why string, now time.Time) {
			t.Helper()
			if done, _ := f.remove(t, cut, now); done != (stockhand.Removed{}) {
				t.Fatalf("%s: removed %+v", why, done)
			}
			if n, err := f.rowsOf(t, id, 1); n != 1 || err != nil {
				t.Fatalf("%s: %d rows, %v", why, n, err)
			}
		}
		kept("the run goes on", now)
		d := f.newDraft(t)
		f.finish(t)
		kept("the draft waits", now)
		for _, doc := range d.Documents { // one was rejected, the outcome of the other is unknown
			to := stockhand.DocumentRejected
			if doc.ID == d.Documents[1].ID {
				for _, to = range []stockhand.DocumentState{stockhand.DocumentConfirmed, stockhand.DocumentApplying} {
					m := moved(doc, to)
					doc = m.To
					f.move(t, d, m)
				}
				to = stockhand.DocumentUnknown
			}
			f.move(t, d, moved(doc, to))
		}
		kept("a write is unexplained", now.AddDate(1, 0, 0))
		left, err := db.Draft(t.Context(), f.org, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		f.move(t, d, moved(left.Documents[1], stockhand.DocumentFailed))
		if done, _ := f.remove(t, cut, now); done.Results != 1 || done.Sessions != 1 {
			t.Errorf("removed %+v", done)
		}
		if _, err := db.Draft(t.Context(), f.org, d.ID); err != nil {
			t.Errorf("the draft went with its session: %v", err)
		}
	})
}

func (f fixture) move(t testing.TB, d stockhand.Draft, m stockhand.DocumentMove) {
	t.Helper()
	if err := f.db.ChangeDraft(t.Context(), f.org, d.ID,
		stockhand.DraftChange{Version: 1, Moves: []stockhand.DocumentMove{m}}); err != nil {
		t.Fatal(err)
	}
}

func TestADraftThatExpiredKeepsNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		f.newDraft(t) // for an hour
		f.finish(t)
		now := time.Now().Add(61 * time.Minute)
		if done, _ := f.remove(t, stockhand.Cutoffs{Sessions: now}, now); done.Sessions != 1 {
			t.Errorf("removed %+v", done)
		}
	})
}

func TestAnOldSessionGoesAsIfDeletedAndAnInterruptionLosesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		f.finishedCall(t, 1, stored(60*pageRows))
		f.finish(t)
		cut := stockhand.Cutoffs{Sessions: time.Now().Add(time.Minute)}
		later, err := db.CreateSession(t.Context(), f.org, stockhand.Session{Created: cut.Sessions.Add(time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		entry := stockhand.AuditEntry{Actor: "system", Action: "session.deleted"}
		ended, stop := context.WithCancel(t.Context())
		for range 2 { // stopped after the rows became unreadable and the first of them are gone
			if _, more, err := db.RemoveOld(ended, f.org, cut, cut.Sessions, entry); !more || err != nil {
				t.Fatal(more, err)
			}
		}
		stop()
		if _, _, err := db.RemoveOld(ended, f.org, cut, cut.Sessions, entry); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if done, _ := f.remove(t, cut, cut.Sessions); done.Sessions != 1 || done.Results != 0 || done.Bytes == 0 {
			t.Errorf("removed %+v", done)
		}
		_, err = db.Session(t.Context(), f.org, f.session.ID)
		wantCode(t, "the old session", err, stockhand.CodeNotFound)
		if _, err := db.Session(t.Context(), f.org, later.ID); err != nil {
			t.Error(err)
		}
		for _, table := range []string{"messages", "runs", "events", "tool_calls", "results", "result_pages"} {
			if n := column(t, db.Reader(), "SELECT CAST(COUNT(*) AS TEXT) FROM "+table); n[0] != "0" {
				t.Errorf("%s: %s rows are left", table, n[0])
			}
		}
		entries, err := db.AuditBefore(t.Context(), f.org, "session.deleted", "", 0, 0)
		var detail struct {
			Session stockhand.SessionID `json:"session_id"`
		}
		if err != nil || len(entries) != 1 || json.Unmarshal(entries[0].Detail, &detail) != nil ||
			detail.Session != f.session.ID || entries[0].Actor != "system" {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}

func TestADatabaseFileShrinks(t *testing.T) {
	db := storetest.New(t)
	f := newFixture(t, db)
	f.finishedCall(t, 1, stored(100*pageRows))
	f.finish(t)
	pages := func() (n int) {
		if err := db.Reader().QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := pages()
	now := time.Now().Add(time.Minute)
	f.remove(t, stockhand.Cutoffs{Results: now}, now)
	for {
		more, err := db.System().Shrink(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
	}
	if after := pages(); before-after < 40 {
		t.Errorf("%d pages, before %d", after, before)
	}
}
