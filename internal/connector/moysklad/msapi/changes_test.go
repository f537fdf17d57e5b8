package msapi

import (
	"errors"
	"testing"
	"time"
)

func TestChangesAreReadWithoutOffsets(t *testing.T) { // facts M104 and M106
	r := connect(t, shared(), owner, nil)
	latest, err := r.LatestChange(t.Context(), "demand", OrderQuery{})
	if err != nil || latest.Size < 300 || len(latest.Rows) != 1 {
		t.Fatalf("%+v, %v", latest, err)
	}
	long := latest.Updated().AddDate(-1, 0, 0)
	all, err := r.Changes(t.Context(), "demand", long, true, 2*latest.Size)
	seen := map[Key]bool{}
	var before time.Time
	for _, o := range all {
		seen[o.ID.Key()] = true
		if o.Updated.Before(before) || len(o.Positions) == 0 || o.Created.IsZero() {
			t.Fatalf("%+v after %s", o, before)
		}
		before = o.Updated.Truncate(time.Second)
	}
	if err != nil || len(seen) != latest.Size {
		t.Errorf("%d of %d documents, %v", len(seen), latest.Size, err)
	}
	if _, err := r.Changes(t.Context(), "demand", long, false, latest.Size-1); !errors.Is(err, ErrManyChanges) {
		t.Error(err)
	}
	none, err := r.Changes(t.Context(), "demand", time.Now().AddDate(1, 0, 0), false, 1)
	if err != nil || len(none) != 0 {
		t.Error(none, err)
	}
	posted := true
	some, err := r.LatestChange(t.Context(), "demand",
		OrderQuery{Posted: &posted, To: latest.Rows[0].Moment.AddDate(0, 0, -20)})
	if err != nil || some.Size == 0 || some.Size >= latest.Size {
		t.Errorf("%+v, %v", some, err)
	}
	last, err := r.LatestChanges(t.Context(), "demand", 20, all[len(all)-10].Updated.Time)
	if err != nil || last.Size != latest.Size || len(last.Rows) != 20 || !last.Updated().Equal(latest.Updated()) {
		t.Errorf("%+v, %v", last, err)
	}
	for i, o := range last.Rows {
		if (len(o.Positions) > 0) != o.Updated.After(all[len(all)-10].Updated.Time) {
			t.Errorf("document %d has %d positions", i, len(o.Positions))
		}
	}
}
