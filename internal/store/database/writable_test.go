package database_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/database"
)

func TestRule172_AFullDatabaseIsNotWritableUntilAWriteSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := database.Open(t.Context(), filepath.Join(t.TempDir(), "small.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		do := func(statement string) {
			t.Helper()
			if _, err := db.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		fill := func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), "INSERT INTO filler VALUES (randomblob(100000))")
			return err
		}
		probes := 0
		probe := func(tx *sql.Tx) error {
			probes++
			_, err := tx.ExecContext(t.Context(), "UPDATE leases SET holder = holder")
			return err
		}
		check := func(doing string, wantProbes int, want stockhand.Code) {
			t.Helper()
			err := db.Writable(t.Context(), probe)
			if stockhand.CodeOf(err) != want && (want != "" || err != nil) || probes != wantProbes {
				t.Errorf("%s: %v after %d probes", doing, err, probes)
			}
		}
		do("CREATE TABLE filler (data BLOB)")
		check("at first", 1, "")
		check("at once again", 1, "")

		do("PRAGMA max_page_count = 1") // what it has
		if err := db.Transact(t.Context(), "fill", fill); stockhand.CodeOf(err) != stockhand.CodeDatabaseUnavailable {
			t.Fatal(err)
		}
		check("after a write failed", 1, stockhand.CodeDatabaseUnavailable)
		time.Sleep(3 * time.Second)
		probe, small := fill, probe
		check("still full", 1, stockhand.CodeDatabaseUnavailable)
		do(fmt.Sprint("PRAGMA max_page_count = ", 1<<20))
		check("with space, known to be full a moment ago", 1, stockhand.CodeDatabaseUnavailable)
		time.Sleep(3 * time.Second)
		probe = small
		check("with space", 2, "")
	})
}
