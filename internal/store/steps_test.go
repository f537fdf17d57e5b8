package store_test

import (
	"encoding/json"
	"testing"

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
