package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// ring returns a ring of keys, each made of one digit.
func ring(t testing.TB, digits ...string) *secret.Ring {
	t.Helper()
	var lines []string
	for _, d := range digits {
		lines = append(lines, strings.Repeat(d, 64))
	}
	r, err := secret.Parse(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const word = "марципан" // what the texts of the tests contain, and nothing else

// written is an organization that has stored the word in every column with contents.
type written struct {
	fixture
	session stockhand.Session
	draft   stockhand.Draft
	result  stockhand.ResultID
}

// newWritten stores it.
func newWritten(t testing.TB, db *store.DB) written {
	t.Helper()
	f := written{fixture: newFixture(t, db)}
	text := json.RawMessage(`{"text":"` + word + `"}`)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	f.session, err = db.CreateSession(t.Context(), f.org, stockhand.Session{Title: word})
	check(err)
	_, err = db.AppendEvents(t.Context(), f.org, f.run.ID, f.run.Generation,
		stockhand.Event{Type: stockhand.EventDelta, Data: text})
	check(err)
	_, err = db.AddModelStep(t.Context(), f.org, f.run.Generation,
		stockhand.ModelStep{Run: f.run.ID, Seq: 1, Message: text})
	check(err)
	f.result = stockhand.NewID[stockhand.ResultID]("res")
	call := stockhand.ToolCall{Run: f.run.ID, Seq: 1, Tool: "moysklad_stock", Arguments: text}
	_, err = db.BeginToolCall(t.Context(), f.org, f.run.Generation, call)
	check(err)
	call.Error = word
	_, err = db.FinishToolCall(t.Context(), f.org, f.run.Generation, call, &stockhand.StoredResult{ID: f.result,
		Head: text, Rows: 1, Pages: []stockhand.RowPage{{Count: 1, Rows: json.RawMessage(`["` + word + `"]`)}}})
	check(err)
	f.draft, err = db.CreateDraft(t.Context(), f.org, stockhand.Draft{Session: f.session.ID, Title: word, Body: text,
		Expires: time.Now().Add(time.Hour), Documents: []stockhand.DraftDocument{
			{ID: stockhand.NewID[stockhand.DocumentID]("doc")}}}, stockhand.AuditEntry{Action: "draft.created"})
	check(err)
	m := moved(f.draft.Documents[0], stockhand.DocumentFailed)
	m.To.Outcome, m.To.Problem = text, word
	check(db.ChangeDraft(t.Context(), f.org, f.draft.ID,
		stockhand.DraftChange{Version: 1, Moves: []stockhand.DocumentMove{m}}))
	_, _, err = db.AnswerTask(t.Context(), f.org, stockhand.Message{Session: f.session.ID, Text: word},
		stockhand.Message{Text: word})
	check(err)
	record, _, err := db.ClaimAnswer(t.Context(), f.org, stockhand.IdempotencyRecord{By: "user:usr_1", Key: "1"},
		time.Now(), time.Time{}, 10)
	check(err)
	record.Status, record.Body = 200, []byte(word)
	check(db.KeepAnswer(t.Context(), f.org, record))
	return f
}

// read returns the texts of all columns with contents, as the methods return them, or the first error.
func (f written) read(ctx context.Context, db *store.DB) (string, error) {
	var all strings.Builder
	var failed error
	add := func(v any, err error) {
		failed = errors.Join(failed, err)
		fmt.Fprintf(&all, "%+v\n", v)
	}
	add(db.Session(ctx, f.org, f.session.ID))
	add(db.Messages(ctx, f.org, f.session.ID, "", 0))
	events, err := db.Events(ctx, f.org, f.run.ID, 0, 0)
	for _, e := range events {
		add(string(e.Data), nil)
	}
	add(len(events), err)
	steps, err := db.ModelSteps(ctx, f.org, f.run.ID)
	for _, s := range steps {
		add(string(s.Message), nil)
	}
	add(len(steps), err)
	calls, err := db.ToolCalls(ctx, f.org, f.run.ID)
	for _, c := range calls {
		add(string(c.Arguments)+c.Error, nil)
	}
	add(len(calls), err)
	results, err := db.Results(ctx, f.org, f.run.ID)
	for _, r := range results {
		add(string(r.Head), nil)
	}
	add(len(results), err)
	for page, err := range db.ResultRows(ctx, f.org, f.result, 0, 1) {
		add(string(page.Rows), err)
	}
	d, err := db.Draft(ctx, f.org, f.draft.ID)
	add(d.Title+string(d.Body), err)
	for _, doc := range d.Documents {
		add(string(doc.Outcome)+doc.Problem, nil)
	}
	held, _, err := db.ClaimAnswer(ctx, f.org, stockhand.IdempotencyRecord{By: "user:usr_1", Key: "1"}, time.Now(),
		time.Time{}, 10)
	add(string(held.Body), err)
	return all.String(), failed
}

// wordsInContents is how often the word is in what newWritten stores.
const wordsInContents = 14

// dump returns all columns of all tables.
func dump(t testing.TB, db *store.DB) string {
	t.Helper()
	tables := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if strings.HasPrefix(db.String(), "postgres") {
		tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
	}
	var all strings.Builder
	for _, table := range cells(t, db, tables) {
		for _, cell := range cells(t, db, "SELECT * FROM "+table) {
			fmt.Fprintf(&all, "%s\n", cell)
		}
	}
	return all.String()
}

// cells returns all values of a query.
func cells(t testing.TB, db *store.DB, query string, args ...any) (all []string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row, to := make([]sql.RawBytes, len(names)), make([]any, len(names))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		for _, cell := range row {
			all = append(all, string(cell))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRule161_NoTextOfAnEncryptedOrganizationIsInTheDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		db.System().KeyContents(ring(t, "1"), true)
		f := newWritten(t, db)
		if n := strings.Count(dump(t, db), word); n != 0 {
			t.Errorf("%d words can be read", n)
		}
		if got, err := f.read(t.Context(), db); err != nil || strings.Count(got, word) != wordsInContents {
			t.Errorf("%s, %v", got, err)
		}
	})
}

// Encrypting is switched on later, and encrypting what is there is interrupted twice.
func TestRule162_WhatIsThereIsEncryptedInBatchesAndReadAllTheTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f, other := newWritten(t, db), newWritten(t, db)
		if n := strings.Count(dump(t, db), word); n != 2*wordsInContents { // so the dump shows every column
			t.Fatalf("%d words can be read", n)
		}
		want, err := f.read(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		wantCode(t, "encrypt while it is off", db.EncryptContents(t.Context(), f.org, nil), stockhand.CodeConflict)
		db.System().KeyContents(ring(t, "1"), true)
		for batches := 1; ; batches++ {
			ctx, crash := context.WithCancel(t.Context())
			err := db.EncryptContents(ctx, f.org, func(int) {
				if batches--; batches == 0 {
					crash()
				}
			})
			crash()
			got, unread := f.read(t.Context(), db)
			if diff := cmp.Diff(want, got); diff != "" || unread != nil {
				t.Fatalf("%v %s", unread, diff)
			}
			if err == nil {
				break
			}
			batches = 3
		}
		if n := strings.Count(dump(t, db), word); n != wordsInContents {
			t.Errorf("%d words can be read, want those of the other organization", n)
		}
		if _, err := other.read(t.Context(), db); err != nil {
			t.Error(err)
		}
		db.System().KeyContents(ring(t, "1"), false) // an organization that has a key stays encrypted
		if err := db.RenameSession(t.Context(), f.org, f.session.ID, word+"!"); err != nil {
			t.Fatal(err)
		}
		if s, err := db.Session(t.Context(), f.org, f.session.ID); err != nil || s.Title != word+"!" {
			t.Errorf("%+v, %v", s, err)
		}
		if strings.Contains(dump(t, db), word+"!") {
			t.Error("the new title can be read")
		}
	})
}

func TestRule163_EncryptedTextIsReadOnlyWhereItWasStored(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := opened(t, url, ring(t, "1"))
		f, other := newWritten(t, db), newWritten(t, db)
		move := func(statement string, args ...any) {
			t.Helper()
			if r, err := db.Writer().ExecContext(t.Context(), statement, args...); err != nil {
				t.Fatal(err)
			} else if n, err := r.RowsAffected(); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		refused := func(what string, err error) {
			t.Helper()
			if !errors.Is(err, content.ErrKey) || stockhand.CodeOf(err) != stockhand.CodeInternal {
				t.Errorf("%s: %v", what, err)
			}
		}
		move(`UPDATE messages SET text = (SELECT title FROM sessions WHERE org_id = $1 AND id = $2)
			WHERE org_id = $1 AND id = $3`, f.org, f.session.ID, f.task.ID)
		_, err := db.Message(t.Context(), f.org, f.task.ID)
		refused("of another column", err)
		move(`UPDATE messages SET text = (SELECT text FROM messages WHERE org_id = $1 AND session_id = $2 AND seq = 1)
			WHERE org_id = $1 AND id = $3`, f.org, f.session.ID, f.task.ID)
		_, err = db.Message(t.Context(), f.org, f.task.ID)
		refused("of another row", err)
		move(`UPDATE sessions SET title = (SELECT title FROM sessions WHERE org_id = $1 AND id = $2)
			WHERE org_id = $3 AND id = $4`, other.org, other.session.ID, f.org, f.session.ID)
		_, err = db.Session(t.Context(), f.org, f.session.ID)
		refused("of another organization", err)
		_, err = db.Sessions(t.Context(), f.org, "", "", "", 0)
		refused("in a list", err)

		move(`UPDATE data_keys SET sealed = (SELECT sealed FROM data_keys WHERE org_id = $1) WHERE org_id = $2`,
			other.org, f.org)
		_, err = opened(t, url, ring(t, "1")).Session(t.Context(), f.org, f.session.ID)
		if !errors.Is(err, secret.ErrTampered) {
			t.Errorf("the key of another organization: %v", err)
		}
	})
}

func TestRule164_AnErasedOrganizationIsReadNowhereAndTheOthersAre(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, replica := opened(t, url, ring(t, "1")), opened(t, url, ring(t, "1"))
		f, other := newWritten(t, db), newWritten(t, db)
		before := dump(t, db)
		if got, err := f.read(t.Context(), replica); err != nil || strings.Count(got, word) != wordsInContents {
			t.Errorf("before it is erased: %v, %s", err, got)
		}
		if err := db.EraseContents(t.Context(), f.org, stockhand.AuditEntry{Actor: "user:usr_1",
			Action: "organization.erased"}); err != nil {
			t.Fatal(err)
		}
		for name, db := range map[string]*store.DB{"here": db, "on another replica": replica} {
			got, err := f.read(t.Context(), db)
			if stockhand.CodeOf(err) != stockhand.CodeConflict || strings.Contains(got, word) {
				t.Errorf("%s: %v, %s", name, err, got)
			}
			_, err = db.CreateSession(t.Context(), f.org, stockhand.Session{Title: word})
			wantCode(t, name+": a new session", err, stockhand.CodeConflict)
			if got, err := other.read(t.Context(), db); err != nil || strings.Count(got, word) != wordsInContents {
				t.Errorf("the other organization %s: %v", name, err)
			}
		}
		if run, err := db.Run(t.Context(), f.org, f.run.ID); err != nil || run.State != stockhand.RunCancelled {
			t.Errorf("its run: %+v, %v", run, err)
		}
		entries, err := db.AuditBefore(t.Context(), f.org, "organization.erased", "", 0, 1)
		if err != nil || len(entries) != 1 {
			t.Errorf("audit log: %v, %v", entries, err)
		}
		sealed := cells(t, db, "SELECT sealed FROM data_keys WHERE org_id = $1", f.org)
		if len(sealed) != 1 || sealed[0] != "" || strings.Contains(before, word) {
			t.Errorf("the key is still there: %q", sealed)
		}
		wantCode(t, "again", db.EraseContents(t.Context(), f.org, stockhand.AuditEntry{}), stockhand.CodeConflict)
	})
}

// A draft of an erased organization that was being written does not keep the others from being resumed.
func TestRule164_NothingIsErasedWhileDocumentsAreWritten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		db.System().KeyContents(ring(t, "1"), true)
		f := newFixture(t, db)
		d := f.newDraft(t)
		move := func(to stockhand.DocumentState) {
			t.Helper()
			now, err := db.Draft(t.Context(), f.org, d.ID)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.ChangeDraft(t.Context(), f.org, d.ID, stockhand.DraftChange{
				Moves: []stockhand.DocumentMove{moved(now.Documents[0], to)}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, state := range []stockhand.DocumentState{stockhand.DocumentConfirmed, stockhand.DocumentApplying} {
			move(state)
			wantCode(t, string(state), db.EraseContents(t.Context(), f.org, stockhand.AuditEntry{}),
				stockhand.CodeConflict)
		}
		move(stockhand.DocumentUnknown)
		if err := db.EraseContents(t.Context(), f.org,
			stockhand.AuditEntry{Action: "organization.erased"}); err != nil {
			t.Fatal(err)
		}
		if drafts, err := db.System().UnsettledDrafts(t.Context()); err != nil || len(drafts) != 0 {
			t.Errorf("%v, %v", drafts, err)
		}
	})
}

func TestRule165_RotatingTheSecretKeyReplacesOnlyTheDataKeys(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newWritten(t, opened(t, url, ring(t, "1")))
		texts := func() string {
			return strings.Join(cells(t, f.db, "SELECT text FROM messages ORDER BY id"), "\n")
		}
		before := texts()
		_, err := f.read(t.Context(), opened(t, url, ring(t, "2")))
		if err == nil || !errors.Is(err, secret.ErrUnknownKey) ||
			!strings.Contains(err.Error(), "data key of "+string(f.org)) {
			t.Errorf("with another secret key: %v", err)
		}
		both := opened(t, url, ring(t, "2", "1"))
		for _, want := range []bool{true, false} {
			if changed, err := both.ResealDataKey(t.Context(), f.org); changed != want || err != nil {
				t.Errorf("%v, %v", changed, err)
			}
		}
		got, err := f.read(t.Context(), opened(t, url, ring(t, "2")))
		if err != nil || strings.Count(got, word) != wordsInContents || texts() != before {
			t.Errorf("with the new key: %v", err)
		}
		if changed, err := both.ResealDataKey(t.Context(), storetest.Organization(t, both)); changed || err != nil {
			t.Errorf("an organization without a key: %v, %v", changed, err)
		}
	})
}

// opened opens a database whose contents are encrypted.
func opened(t testing.TB, url string, keys *secret.Ring) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.System().KeyContents(keys, true)
	return db
}

func TestReplicasAgreeOnOneDataKey(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		replicas := []*store.DB{opened(t, url, ring(t, "1")), opened(t, url, ring(t, "1"))}
		org := storetest.Organization(t, replicas[0])
		var sessions [8]stockhand.Session
		var all sync.WaitGroup
		for i := range sessions {
			all.Go(func() {
				var err error
				if sessions[i], err = replicas[i%2].CreateSession(t.Context(), org,
					stockhand.Session{Title: word}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for i, s := range sessions {
			if got, err := replicas[(i+1)%2].Session(t.Context(), org, s.ID); err != nil || got.Title != word {
				t.Errorf("%+v, %v", got, err)
			}
		}
	})
}

// A replica that knows that an organization has no key does not store plain text after another has created one, not
// even of a result that it has prepared (rule R173).
func TestRule173_NoReplicaStoresPlainTextAfterAKeyIsCreated(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		behind, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer behind.Close()
		behind.System().KeyContents(ring(t, "1"), false)
		f := newWritten(t, behind)
		if err := opened(t, url, ring(t, "1")).EncryptContents(t.Context(), f.org, nil); err != nil {
			t.Fatal(err)
		}
		if err := behind.RenameSession(t.Context(), f.org, f.session.ID, word); err != nil {
			t.Fatal(err)
		}
		f.finishedCall(t, 7, stockhand.StoredResult{Head: json.RawMessage(`{"title":"` + word + `"}`)})
		if n := strings.Count(dump(t, behind), word); n != 0 {
			t.Errorf("%d words can be read", n)
		}
	})
}

// BenchmarkResultPages stores and reads the pages of a result, with and without encryption.
func BenchmarkResultPages(b *testing.B) {
	const pages, perPage = 20, 500
	r := stockhand.StoredResult{Head: json.RawMessage(`{}`), Rows: pages * perPage}
	for first := 0; first < r.Rows; first += perPage {
		var rows []string
		for i := range perPage {
			rows = append(rows, fmt.Sprintf(`{"name":"Товар %d","stock":%d,"price":"%d.50"}`, first+i, i*7, i*13))
		}
		r.Pages = append(r.Pages, stockhand.RowPage{First: first, Count: perPage,
			Rows: json.RawMessage("[" + strings.Join(rows, ",") + "]")})
	}
	for _, encrypt := range []bool{false, true} {
		b.Run(fmt.Sprintf("encrypted=%v", encrypt), func(b *testing.B) {
			db := storetest.New(b)
			db.System().KeyContents(ring(b, "1"), encrypt)
			f := newFixture(b, db)
			calls := int64(1)
			id := f.finishedCall(b, calls, r)
			b.Run("store", func(b *testing.B) {
				for b.Loop() {
					calls++
					f.finishedCall(b, calls, r)
				}
			})
			b.Run("read", func(b *testing.B) {
				for b.Loop() {
					for _, err := range db.ResultRows(b.Context(), f.org, id, 0, r.Rows) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		})
	}
}
