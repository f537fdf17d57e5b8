package store_test

import (
	"encoding/json"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// fixture is an organization with a connection, a session, a task and the run for it, which a worker holds.
type fixture struct {
	db         *store.DB
	org        stockhand.OrgID
	connection stockhand.Connection
	session    stockhand.Session
	task       stockhand.Message
	run        stockhand.Run
}

func newFixture(t testing.TB, db *store.DB) fixture {
	t.Helper()
	ctx := t.Context()
	f := fixture{db: db, org: storetest.Organization(t, db)}
	var err error
	f.connection, err = db.CreateConnection(ctx, f.org, stockhand.Connection{
		Connector: "moysklad", Account: "acc-1", Label: "Shop", Employee: "Employee 1",
		Rights: []string{"viewCostPrice"}, Sealed: []byte{0, 1, 0xff},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.session, err = db.CreateSession(ctx, f.org, stockhand.Session{Title: "Остатки", Connection: f.connection.ID})
	if err != nil {
		t.Fatal(err)
	}
	f.task, f.run = f.newRun(t, "что на складе?")
	if f.run, err = db.ClaimRun(ctx, f.org, f.run.ID, 0); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f fixture) newRun(t testing.TB, text string) (stockhand.Message, stockhand.Run) {
	t.Helper()
	task, run, err := f.db.CreateRun(t.Context(), f.org, stockhand.Message{Session: f.session.ID, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return task, run
}

// finishedCall stores a call with a result, and returns the result's id.
func (f fixture) finishedCall(t testing.TB, seq int64, result stockhand.StoredResult) stockhand.ResultID {
	t.Helper()
	call := stockhand.ToolCall{Run: f.run.ID, Seq: seq, Tool: "moysklad_stock",
		Arguments: json.RawMessage(`{"limit":5}`), Requests: 3}
	if _, err := f.db.BeginToolCall(t.Context(), f.org, f.run.Generation, call,
		stockhand.Event{Type: stockhand.EventToolStarted}); err != nil {
		t.Fatal(err)
	}
	result.ID = stockhand.NewID[stockhand.ResultID]("res")
	if _, err := f.db.FinishToolCall(t.Context(), f.org, f.run.Generation, call, &result,
		stockhand.Event{Type: stockhand.EventToolCompleted}); err != nil {
		t.Fatal(err)
	}
	return result.ID
}

// events is the whole log of the run.
func (f fixture) events(t testing.TB) []stockhand.Event {
	t.Helper()
	var all []stockhand.Event
	for {
		page, err := f.db.Events(t.Context(), f.org, f.run.ID, int64(len(all)), 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

func wantCode(t testing.TB, doing string, err error, code stockhand.Code) {
	t.Helper()
	if err == nil || stockhand.CodeOf(err) != code {
		t.Errorf("%s: %v, want %s", doing, err, code)
	}
}
