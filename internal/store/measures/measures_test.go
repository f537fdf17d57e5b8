package measures_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

var at = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func measure(name string) stockhand.StoredMeasure {
	return stockhand.StoredMeasure{Name: name, Definition: json.RawMessage(`{"formula":"cost"}`), By: "user:a", Updated: at}
}

func entry(action string) stockhand.AuditEntry {
	return stockhand.AuditEntry{At: at, Actor: "user:a", Action: action}
}

func accept([]stockhand.StoredMeasure) error { return nil }

func names(t *testing.T, db *store.DB, org stockhand.OrgID) string {
	t.Helper()
	all, err := db.System().Measures().Measures(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, m := range all {
		text += m.Name + " "
	}
	return text
}

func TestAMeasureIsOfItsOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org, other := storetest.Organization(t, db), storetest.Organization(t, db)
		s := db.System().Measures()
		for _, name := range []string{"b", "a", "b"} {
			if err := s.PutMeasure(t.Context(), org, measure(name), accept, entry("measure.changed")); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.DeleteMeasure(t.Context(), other, "a", accept, entry("measure.deleted")); err != nil {
			t.Fatal(err)
		}
		if names(t, db, org) != "a b " || names(t, db, other) != "" {
			t.Errorf("%q, %q", names(t, db, org), names(t, db, other))
		}
		refused := errors.New("refused")
		if err := s.DeleteMeasure(t.Context(), org, "a", func(all []stockhand.StoredMeasure) error {
			if len(all) != 2 || all[0].By != "user:a" || !all[0].Updated.Equal(at) {
				t.Errorf("%+v", all)
			}
			return refused
		}, entry("measure.deleted")); !errors.Is(err, refused) {
			t.Error(err)
		}
		if err := s.DeleteMeasure(t.Context(), org, "b", accept, entry("measure.deleted")); err != nil {
			t.Fatal(err)
		}
		if names(t, db, org) != "a " {
			t.Error(names(t, db, org))
		}
		if seq, _, err := db.AuditHead(t.Context(), org); err != nil || seq != 4 { // not of what was refused
			t.Errorf("%d entries, %v", seq, err)
		}
	})
}

// Each of those who save a measure at once sees what the others saved.
func TestMeasuresThatAreSavedAtOnceSeeEachOther(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		org := storetest.Organization(t, db)
		var work sync.WaitGroup
		for i := range 8 {
			work.Go(func() {
				err := db.System().Measures().PutMeasure(t.Context(), org, measure(fmt.Sprint("m", i)),
					func(all []stockhand.StoredMeasure) error {
						if len(all) >= 3 {
							return stockhand.Errorf(stockhand.CodeConflict, "full")
						}
						return nil
					}, entry("measure.changed"))
				if err != nil && stockhand.CodeOf(err) != stockhand.CodeConflict {
					t.Error(err)
				}
			})
		}
		work.Wait()
		all, err := db.System().Measures().Measures(t.Context(), org)
		if err != nil || len(all) != 3 {
			t.Errorf("%d measures, %v", len(all), err)
		}
	})
}
