package draft_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// Someone who tampers has access to the database itself, and removes the triggers first.
func TestVerifyNamesTheFirstBrokenEntry(t *testing.T) {
	for name, c := range map[string]struct {
		tamper []string
		broken int64
		reason string
	}{
		"a changed actor":  {[]string{"UPDATE audit_entries SET actor = 'user:usr_2' WHERE seq = 3"}, 3, "hash"},
		"a changed time":   {[]string{"UPDATE audit_entries SET at = at + 1 WHERE seq = 2"}, 2, "hash"},
		"a changed detail": {[]string{"UPDATE audit_entries SET detail = '{}' WHERE seq = 1"}, 1, "hash"},
		"a changed hash":   {[]string{"UPDATE audit_entries SET hash = 'x' WHERE seq = 2"}, 2, "hash"},
		"a removed entry":  {[]string{"DELETE FROM audit_entries WHERE seq = 2"}, 2, "missing"},
		"a removed first":  {[]string{"DELETE FROM audit_entries WHERE seq = 1"}, 1, "missing"},
		"a cut end":        {[]string{"DELETE FROM audit_entries WHERE seq > 3"}, 4, "missing"},
		"everything gone":  {[]string{"DELETE FROM audit_entries"}, 1, "missing"},
		"a closed gap": {[]string{"DELETE FROM audit_entries WHERE seq = 2",
			"UPDATE audit_entries SET seq = seq - 1 WHERE seq = 3"}, 2, "follow"},
		"two that changed":  {[]string{"UPDATE audit_entries SET actor = 'x' WHERE seq IN (2, 4)"}, 2, "hash"},
		"another's version": {[]string{"UPDATE audit_entries SET version = 7 WHERE seq = 4"}, 4, "hash"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				db, err := store.Open(t.Context(), url, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				s := newShop(t, db, newBooks(t))
				s.confirm(t, s.create(t, order("a")))
				whole, err := s.service.Verify(t.Context(), s.org)
				if err != nil || whole.Broken != 0 || whole.Entries != 4 || len(whole.Head) != 64 {
					t.Fatalf("before: %+v, %v", whole, err)
				}
				statements := append([]string{"DROP TRIGGER audit_entries_are_not_removed",
					"DROP TRIGGER audit_entries_are_not_changed"}, c.tamper...)
				driver := "sqlite"
				if strings.HasPrefix(url, "postgres") {
					driver = "pgx"
					statements = append([]string{"DROP TRIGGER audit_entries_are_not_changed ON audit_entries"},
						c.tamper...)
				}
				execute(t, driver, url, statements)
				v, err := s.service.Verify(t.Context(), s.org)
				if err != nil || v.Broken != c.broken || !strings.Contains(v.Reason, c.reason) ||
					v.Entries != c.broken-1 {
					t.Errorf("%+v, %v; want %d broken: %s", v, err, c.broken, c.reason)
				}
			})
		})
	}
}

func execute(t *testing.T, driver, url string, statements []string) {
	t.Helper()
	raw, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, statement := range statements {
		if _, err := raw.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestAuditOfAnOrganizationWithoutEntriesIsWhole(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		if v, err := s.service.Verify(t.Context(), s.org); err != nil || v.Broken != 0 || v.Entries != 0 {
			t.Errorf("%+v, %v", v, err)
		}
	})
}
