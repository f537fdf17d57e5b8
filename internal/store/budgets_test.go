package store_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestAModelsStepIsStoredOnceAndByTheWorkerThatHoldsTheRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		step := stockhand.ModelStep{Run: f.run.ID, Seq: 1,
			Message: json.RawMessage(`{"role":"assistant","content":"да"}`), Model: "a/b", InputTokens: 10,
			OutputTokens: 3}
		if _, err := db.AddModelStep(t.Context(), f.org, f.run.Generation, step); err != nil {
			t.Fatal(err)
		}
		if _, err := db.AddModelStep(t.Context(), f.org, f.run.Generation, step); stockhand.CodeOf(
			err) != stockhand.CodeConflict {
			t.Errorf("stored twice: %v", err)
		}
		step.Seq = 2
		if _, err := db.AddModelStep(t.Context(), f.org, f.run.Generation-1, step); stockhand.CodeOf(
			err) != stockhand.CodeConflict {
			t.Errorf("stored by a worker that lost the run: %v", err)
		}
		steps, err := db.ModelSteps(t.Context(), f.org, f.run.ID)
		if err != nil || len(steps) != 1 || steps[0].Model != "a/b" || steps[0].InputTokens != 10 ||
			steps[0].At.IsZero() {
			t.Errorf("%+v, %v", steps, err)
		}
		other := storetest.Organization(t, db)
		if _, err := db.AddModelStep(t.Context(), other, f.run.Generation, step); stockhand.CodeOf(
			err) != stockhand.CodeNotFound {
			t.Errorf("stored in another organization: %v", err)
		}
		if steps, err := db.ModelSteps(t.Context(), other, f.run.ID); err != nil || len(steps) != 0 {
			t.Errorf("%d steps of another organization, %v", len(steps), err)
		}
	})
}

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
				ok, err := db.ReserveModel(t.Context(), org, r, 1050, 0)
				if err != nil {
					t.Error(err)
				}
				if ok {
					won.Add(1)
					if err := db.SettleModel(t.Context(), org, r, 100, 5); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		b, err := db.ModelBudget(t.Context(), org, "2026-11")
		if err != nil || won.Load() != 10 || b.TokensSpent != 1000 || b.TokensReserved != 0 || b.MoneySpent != 50 ||
			b.MoneyReserved != 0 {
			t.Errorf("%d won; %+v, %v", won.Load(), b, err)
		}
	})
}

func TestAnAbandonedReservationIsReleasedWhenItExpires(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		reserve := func(id string, tokens, money int64, expires time.Time) bool {
			t.Helper()
			ok, err := db.ReserveModel(t.Context(), org,
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
		if err := db.SettleModel(t.Context(), org, stockhand.ModelReservation{ID: "dead", Period: "2026-11"}, 50,
			0); err != nil {
			t.Fatal(err)
		}
		b, err := db.ModelBudget(t.Context(), org, "2026-11")
		if err != nil || b.TokensReserved != 100 || b.TokensSpent != 50 {
			t.Errorf("%+v, %v", b, err)
		}
		if b, err := db.ModelBudget(t.Context(), storetest.Organization(t, db), "2026-11"); err != nil ||
			b.TokensSpent != 0 || b.TokensReserved != 0 {
			t.Errorf("another organization's: %+v, %v", b, err)
		}
	})
}
