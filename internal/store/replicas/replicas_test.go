package replicas_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestReplicasAreThoseThatGaveASignOfLife(t *testing.T) { // rule R447
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, all := t.Context(), db.System().Replicas()
		began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		a := stockhand.Replica{ID: "a", Name: "one", Version: "v1", Started: began, Seen: began, Queue: true}
		b := stockhand.Replica{ID: "b", Name: "two", Version: "v1", Started: began.Add(time.Second),
			Seen: began.Add(time.Hour)}
		for _, r := range []stockhand.Replica{a, b} {
			if err := all.Seen(ctx, r, began.Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		a.Seen, a.Memory, a.Working, a.Queue = began.Add(time.Minute), 5, 2, false
		if err := all.Seen(ctx, a, began.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		expect := func(since time.Time, want ...stockhand.Replica) {
			t.Helper()
			got, err := all.All(ctx, since)
			if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 || err != nil {
				t.Error(diff, err)
			}
		}
		expect(began, a, b)
		expect(began.Add(30*time.Minute), b)
		if err := all.Seen(ctx, b, began.Add(30*time.Minute)); err != nil {
			t.Fatal(err)
		}
		expect(began, b)
		if err := all.Gone(ctx, "b"); err != nil {
			t.Fatal(err)
		}
		expect(began)
	})
}
