package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestUsageIsCountedByActorAndDayAndOutlivesItsSession(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		session, err := db.CreateSession(ctx, f.org, stockhand.Session{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, run, err := db.CreateRun(ctx, f.org, stockhand.Message{Session: session.ID, Text: "x", By: "key:1"})
			if err != nil {
				t.Fatal(err)
			}
			if run, err = db.ClaimRun(ctx, f.org, run.ID, 0); err != nil {
				t.Fatal(err)
			}
			used := stockhand.Used{Requests: 3, InputTokens: 100, OutputTokens: 10, CachedTokens: 60, Cost: 7}
			if _, err := db.FinishRun(ctx, f.org,
				stockhand.RunEnd{Run: run.ID, Generation: run.Generation, State: stockhand.RunDone,
					Used: used}); err != nil {
				t.Fatal(err)
			}
			if got, err := db.Run(ctx, f.org, run.ID); err != nil || got.Used != used {
				t.Errorf("%+v, %v", got, err)
			}
		}
		_, run, err := db.CreateRun(ctx, f.org, stockhand.Message{Session: session.ID, Text: "x", By: "user:1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.CancelRun(ctx, f.org, run.ID); err != nil {
			t.Fatal(err)
		}
		if err := db.DeleteSession(ctx, f.org, session.ID, stockhand.AuditEntry{}); err != nil {
			t.Fatal(err)
		}
		if err := db.AddUsage(ctx, f.org,
			stockhand.Usage{Day: "2026-01-31", By: "key:1",
				Used: stockhand.Used{InputTokens: 7, CachedTokens: 5, Cost: 2}}); err != nil {
			t.Fatal(err)
		}
		today := time.Now().UTC().Format(time.DateOnly)
		all, err := db.Usage(ctx, f.org, "2026-01-31", today)
		want := []stockhand.Usage{
			{Org: f.org, Day: "2026-01-31", By: "key:1",
				Used: stockhand.Used{InputTokens: 7, CachedTokens: 5, Cost: 2}},
			{Org: f.org, Day: today, By: "key:1", Runs: 2,
				Used: stockhand.Used{Requests: 6, InputTokens: 200, OutputTokens: 20, CachedTokens: 120, Cost: 14}},
			{Org: f.org, Day: today, By: "user:1", Runs: 1},
		}
		if err != nil || len(all) != len(want) {
			t.Fatalf("%+v, %v", all, err)
		}
		for i := range want {
			if all[i] != want[i] {
				t.Errorf("%+v, want %+v", all[i], want[i])
			}
		}
		if none, err := db.Usage(ctx, storetest.Organization(t, db), "2026-01-01", today); err != nil ||
			len(none) != 0 {
			t.Errorf("another organization's: %v, %v", none, err)
		}
	})
}

func TestConcurrentUsageOfAnActorIsNotLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 10 {
					if err := db.AddUsage(t.Context(), org,
						stockhand.Usage{Day: "2026-11-21", By: "key:1",
							Used: stockhand.Used{Requests: 1}}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if got, err := db.Usage(t.Context(), org, "2026-11-21", "2026-11-21"); err != nil || len(got) != 1 ||
			got[0].Requests != 80 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
