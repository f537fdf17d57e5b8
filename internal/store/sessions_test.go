package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestCreatedObjectsAreReadBackUnchanged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		equal := func(what string, got, want any, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", what, err)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", what, diff)
			}
		}
		c, err := db.Connection(ctx, f.org, f.connection.ID)
		equal("connection", c, f.connection, err)
		s, err := db.Session(ctx, f.org, f.session.ID)
		s.Updated = f.session.Updated // moved by the message
		equal("session", s, f.session, err)
		m, err := db.Message(ctx, f.org, f.task.ID)
		equal("message", m, f.task, err)
		r, err := db.Run(ctx, f.org, f.run.ID)
		equal("run", r, f.run, err)
		o, err := db.Organization(ctx, f.org)
		if err != nil || o.ID != f.org || o.Created.IsZero() {
			t.Errorf("organization %+v, %v", o, err)
		}
		if f.task.Run != f.run.ID || f.run.Message != f.task.ID || f.task.Author != stockhand.FromPerson {
			t.Errorf("task %+v and run %+v do not name each other", f.task, f.run)
		}
	})
}

func TestOrganizationIsCreatedOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		_, err := db.CreateOrganization(t.Context(), org, "again")
		wantCode(t, "create again", err, stockhand.CodeConflict)
		_, err = db.Organization(t.Context(), "org_absent")
		wantCode(t, "absent", err, stockhand.CodeNotFound)
		all, err := db.System().Organizations(t.Context())
		if err != nil || len(all) != 1 || all[0].ID != org {
			t.Errorf("organizations %v, %v", all, err)
		}
	})
}

func TestTwoEmployeesOfOneAccountAreTwoConnections(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		second := f.connection
		second.ID, second.Employee, second.Rights = "", "Employee 2", nil
		second, err := db.CreateConnection(ctx, f.org, second)
		if err != nil {
			t.Fatal(err)
		}
		third, err := db.CreateConnection(ctx, f.org,
			stockhand.Connection{Connector: "moysklad", Account: "acc-2", Label: "Shop"})
		if err != nil {
			t.Fatal(err)
		}
		of, err := db.ConnectionsOfAccount(ctx, f.org, "moysklad", "acc-1")
		if err != nil || len(of) != 2 {
			t.Errorf("connections of the account: %v, %v", of, err)
		}
		all, err := db.Connections(ctx, f.org)
		ids := []stockhand.ConnectionID{f.connection.ID, second.ID, third.ID}
		slices.Sort(ids)
		if err != nil || len(all) != 3 || all[0].ID != ids[0] || all[2].ID != ids[2] {
			t.Errorf("connections: %v, %v", all, err)
		}
	})
}

func TestUpdatedConnectionKeepsItsAccount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		changed := f.connection
		changed.Label, changed.Employee, changed.Rights, changed.Sealed, changed.Account = "Shop 2", "Employee 9",
			[]string{"a", "b"}, []byte("other"), "acc-other"
		entry := stockhand.AuditEntry{Actor: "user:x", Action: "connection.changed"}
		_, err := db.ChangeConnection(ctx, f.org, f.connection.ID,
			func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
				*c = changed
				return []stockhand.AuditEntry{entry}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		changed.Account = f.connection.Account
		refused := errors.New("refused")
		_, err = db.ChangeConnection(ctx, f.org, f.connection.ID,
			func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
				c.Label = "never"
				return []stockhand.AuditEntry{entry}, refused
			})
		if !errors.Is(err, refused) {
			t.Errorf("refused change: %v", err)
		}
		if log, err := db.AuditEntries(ctx, f.org, 0, 0); err != nil || len(log) != 1 || log[0].Action != entry.Action {
			t.Errorf("audit log %v, %v", log, err)
		}
		got, err := db.Connection(ctx, f.org, f.connection.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(changed, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSessionOutlivesItsConnection(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		if err := db.DeleteConnection(ctx, f.org, f.connection.ID); err != nil {
			t.Fatal(err)
		}
		s, err := db.Session(ctx, f.org, f.session.ID)
		if err != nil || s.Connection != "" {
			t.Errorf("session %+v, %v", s, err)
		}
		wantCode(t, "delete again", db.DeleteConnection(ctx, f.org, f.connection.ID), stockhand.CodeNotFound)
		wantCode(t, "speak about it", db.SetSessionConnection(ctx, f.org, f.session.ID, f.connection.ID),
			stockhand.CodeNotFound)
	})
}

func TestSessionsAreListedInPagesNewestFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		org := storetest.Organization(t, db)
		var want []stockhand.SessionID
		for range 25 {
			s, err := db.CreateSession(ctx, org, stockhand.Session{})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, s.ID)
		}
		slices.Sort(want)
		slices.Reverse(want)
		var got []stockhand.SessionID
		var cursor stockhand.SessionID
		for {
			page, err := db.Sessions(ctx, org, "", "", cursor, 10)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, s := range page {
				got = append(got, s.ID)
			}
			cursor = page[len(page)-1].ID
			// The cursor stays good when its session goes.
			if err := db.DeleteSession(ctx, org, cursor, stockhand.AuditEntry{}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		for range 60 {
			if _, err := db.CreateSession(ctx, org, stockhand.Session{}); err != nil {
				t.Fatal(err)
			}
		}
		if page, err := db.Sessions(ctx, org, "", "", "", 0); err != nil || len(page) != 50 {
			t.Errorf("default page: %d sessions, %v", len(page), err)
		}
	})
}

func TestMessagesKeepTheirOrderWithinAMillisecond(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		want := []string{f.task.Text}
		if _, err := db.CancelRun(ctx, f.org, f.run.ID); err != nil { // the turns after it need not wait
			t.Fatal(err)
		}
		for i := range 20 {
			task, run := f.newRun(t, strings.Repeat("q", i+1))
			run, err := db.ClaimRun(ctx, f.org, run.ID, run.Generation)
			if err != nil {
				t.Fatal(err)
			}
			answer := stockhand.Message{Text: strings.Repeat("a", i+1), Created: task.Created}
			if _, err := db.FinishRun(ctx, f.org,
				stockhand.RunEnd{Run: run.ID, Generation: run.Generation, State: stockhand.RunDone,
					Answer: &answer}); err != nil {
				t.Fatal(err)
			}
			want = append(want, task.Text, answer.Text)
		}
		var got []string
		var after stockhand.MessageID
		for {
			page, err := db.Messages(ctx, f.org, f.session.ID, after, 7)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, m := range page {
				got = append(got, m.Text)
			}
			after = page[len(page)-1].ID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestASessionIsRenamedAndDeletedWithItsData(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		result := f.finishedCall(t, 1, stored(1))
		if err := db.RenameSession(ctx, f.org, f.session.ID, "Продажи"); err != nil {
			t.Fatal(err)
		}
		s, err := db.Session(ctx, f.org, f.session.ID)
		if err != nil || s.Title != "Продажи" || !s.Updated.After(f.session.Updated) ||
			!s.Created.Equal(f.session.Created) {
			t.Errorf("renamed: %+v, %v", s, err)
		}
		if err := db.DeleteSession(ctx, f.org, f.session.ID, stockhand.AuditEntry{}); err != nil {
			t.Fatal(err)
		}
		_, err = db.Message(ctx, f.org, f.task.ID)
		wantCode(t, "message", err, stockhand.CodeNotFound)
		_, err = db.Run(ctx, f.org, f.run.ID)
		wantCode(t, "run", err, stockhand.CodeNotFound)
		_, err = db.Result(ctx, f.org, result)
		wantCode(t, "result", err, stockhand.CodeNotFound)
		if log := f.events(t); len(log) != 0 {
			t.Errorf("%d events are left", len(log))
		}
		if calls, err := db.ToolCalls(ctx, f.org, f.run.ID); err != nil || len(calls) != 0 {
			t.Errorf("%d calls are left, %v", len(calls), err)
		}
		// The worker that was at it finds out.
		_, err = db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, stockhand.Event{Type: stockhand.EventNotice})
		wantCode(t, "write of the worker", err, stockhand.CodeNotFound)
	})
}

func TestCharactersThatADatabaseRejectsAreReplaced(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		task, _ := f.newRun(t, "ноль\x00 и \xff'; DROP TABLE runs; -- 'ё'")
		got, err := db.Message(t.Context(), f.org, task.ID)
		if want := "ноль\uFFFD и \uFFFD'; DROP TABLE runs; -- 'ё'"; err != nil || got.Text != want ||
			task.Text != want {
			t.Errorf("%q and %q, %v", task.Text, got.Text, err)
		}
		_, err = db.Session(t.Context(), f.org, "ses_\x00\xff")
		wantCode(t, "a made-up id", err, stockhand.CodeNotFound)
	})
}
