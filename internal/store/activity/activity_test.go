package activity_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// The bound holds whatever reserves at once: with room for ten of the same size, ten win.
func TestConcurrentReservationsNeverExceedTheBudget(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		var won atomic.Int32
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				r := stockhand.ModelReservation{ID: fmt.Sprint("r", i), Period: "2026-11", Tokens: 100, Money: 7,
					Expires: time.Now().Add(time.Hour)}
				ok, err := db.System().Activity().ReserveModel(t.Context(), org, r, 1050, 0)
				if err != nil {
					t.Error(err)
				}
				if ok {
					won.Add(1)
					if err := db.System().Activity().SettleModel(t.Context(), org, r, stockhand.ModelUsage{
						Day: "2026-11-01", By: "key:1", Model: "p/m", InputTokens: 90, OutputTokens: 10, Money: 5,
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		b, err := db.System().Activity().ModelBudget(t.Context(), org, "2026-11")
		if err != nil || won.Load() != 10 || b.TokensSpent != 1000 || b.TokensReserved != 0 || b.MoneySpent != 50 ||
			b.MoneyReserved != 0 {
			t.Errorf("%d won; %+v, %v", won.Load(), b, err)
		}
		used, err := db.System().Activity().ModelUsage(t.Context(), org, "2026-11-01", "2026-11-01")
		want := stockhand.ModelUsage{Day: "2026-11-01", By: "key:1", Model: "p/m", Calls: 10, InputTokens: 900,
			OutputTokens: 100, Money: 50}
		if err != nil || len(used) != 1 || used[0] != want {
			t.Errorf("%+v, %v", used, err)
		}
	})
}

func TestAnAbandonedReservationIsReleasedWhenItExpires(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		reserve := func(id string, tokens, money int64, expires time.Time) bool {
			t.Helper()
			ok, err := db.System().Activity().ReserveModel(t.Context(), org,
				stockhand.ModelReservation{ID: id, Period: "2026-11", Tokens: tokens, Money: money, Expires: expires},
				100, 1000)
			if err != nil {
				t.Fatal(err)
			}
			return ok
		}
		if !reserve("live", 40, 0, time.Now().Add(time.Hour)) || !reserve("dead", 60, 0, time.Now().Add(-time.Second)) {
			t.Fatal("there was room")
		}
		if reserve("more", 61, 0, time.Now().Add(time.Hour)) {
			t.Error("the live reservation was given away")
		}
		if !reserve("rest", 60, 1000, time.Now().Add(time.Hour)) {
			t.Error("the expired reservation is still held")
		}
		if reserve("money", 0, 1, time.Now().Add(time.Hour)) {
			t.Error("the bound on money does not hold")
		}
		// Settled late, it is counted and nothing is given back twice.
		if err := db.System().Activity().SettleModel(t.Context(), org,
			stockhand.ModelReservation{ID: "dead", Period: "2026-11"},
			stockhand.ModelUsage{Day: "2026-11-01", InputTokens: 50}); err != nil {
			t.Fatal(err)
		}
		b, err := db.System().Activity().ModelBudget(t.Context(), org, "2026-11")
		if err != nil || b.TokensReserved != 100 || b.TokensSpent != 50 {
			t.Errorf("%+v, %v", b, err)
		}
		other := storetest.Organization(t, db)
		if b, err := db.System().Activity().ModelBudget(t.Context(), other, "2026-11"); err != nil ||
			b.TokensSpent != 0 || b.TokensReserved != 0 {
			t.Errorf("another organization's: %+v, %v", b, err)
		}
	})
}

// Calls are counted by actor, model and day, also without a limit (rule R388).
func TestModelsAreCountedByActorModelAndDay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, s := storetest.Organization(t, db), db.System().Activity()
		for _, u := range []stockhand.ModelUsage{
			{Day: "2026-11-01", By: "key:1", Model: "a/x", InputTokens: 10, OutputTokens: 1, Money: 7},
			{Day: "2026-11-01", By: "key:1", Model: "a/x", InputTokens: 5},
			{Day: "2026-11-01", By: "key:1", Model: "a/y", OutputTokens: 2},
			{Day: "2026-11-02", By: "key:1", Model: "a/x", InputTokens: 3},
			{Day: "2026-11-01", By: "user:1", Model: "a/x", InputTokens: 4},
			{Day: "2026-11-01", By: "user:1", Model: "a/x"}, // the call failed and used nothing
		} {
			if err := s.SettleModel(t.Context(), org, stockhand.ModelReservation{}, u); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.ModelUsage(t.Context(), org, "2026-11-01", "2026-11-01")
		want := []stockhand.ModelUsage{
			{Day: "2026-11-01", By: "key:1", Model: "a/x", Calls: 2, InputTokens: 15, OutputTokens: 1, Money: 7},
			{Day: "2026-11-01", By: "key:1", Model: "a/y", Calls: 1, OutputTokens: 2},
			{Day: "2026-11-01", By: "user:1", Model: "a/x", Calls: 1, InputTokens: 4},
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
		if b, err := s.ModelBudget(t.Context(), org, "2026-11"); err != nil || b.TokensSpent != 0 {
			t.Errorf("without a limit there is no budget: %+v, %v", b, err)
		}
		other, err := s.ModelUsage(t.Context(), storetest.Organization(t, db), "2026-11-01", "2026-11-30")
		if err != nil || len(other) != 0 {
			t.Errorf("of another organization: %+v, %v", other, err)
		}
	})
}

// Runs are listed newest first, in pages, with the words that they answer, and only the organization's own.
func TestRunsAreListedNewestFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, s := storetest.Organization(t, db), db.System().Activity()
		session, err := db.CreateSession(t.Context(), org, stockhand.Session{Kind: stockhand.SessionChat})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			_, r, err := db.CreateRun(t.Context(), org, stockhand.Message{Session: session.ID,
				Text: fmt.Sprint("task ", i), By: "user:1"})
			if err == nil && i == 1 {
				_, err = db.CancelRun(t.Context(), org, r.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		list := func(in stockhand.RunState, before stockhand.RunID, limit int) (tasks []string, last stockhand.RunID) {
			t.Helper()
			all, err := s.Runs(t.Context(), org, in, before, limit)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range all {
				tasks, last = append(tasks, r.Task), r.ID
			}
			return tasks, last
		}
		first, last := list("", "", 2)
		if !slices.Equal(first, []string{"task 2", "task 1"}) {
			t.Errorf("first page: %v", first)
		}
		if rest, _ := list("", last, 2); !slices.Equal(rest, []string{"task 0"}) {
			t.Errorf("second page: %v", rest)
		}
		if cancelled, _ := list(stockhand.RunCancelled, "", 9); !slices.Equal(cancelled, []string{"task 1"}) {
			t.Errorf("cancelled: %v", cancelled)
		}
		all, err := s.Runs(t.Context(), storetest.Organization(t, db), "", "", 9)
		if err != nil || len(all) != 0 {
			t.Errorf("of another organization: %v, %v", all, err)
		}
	})
}
