package store_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

var update = flag.Bool("update", false, "write schema.sql")

const schemaHead = "-- Today's whole schema, as the migrations leave it. Written by: go test ./internal/store " +
	"-run Schema -update\n"

func TestSchemaSQLMatchesTheMigrations(t *testing.T) {
	db := storetest.New(t)
	statements := column(t, db.Reader(), `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'goose_%' AND tbl_name NOT LIKE 'sqlite_%'
		ORDER BY tbl_name, type DESC, name`)
	got := schemaHead
	for _, s := range statements {
		if strings.HasPrefix(s, "CREATE TABLE") {
			got += "\n"
		}
		got += s + ";\n"
	}
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema.sql is not today's schema; run the test with -update: %s", diff)
	}
}

// types are the only ones that mean the same in both databases, as each of them calls these.
var types = map[string]string{"TEXT": "text", "BIGINT": "bigint", "BOOLEAN": "boolean", "BYTEA": "bytea"}

func TestSchemaIsTheSameInBothDatabases(t *testing.T) {
	sqlite := storetest.New(t)
	postgres, err := store.Open(t.Context(), storetest.Postgres(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer postgres.Close()
	var want []string
	for _, c := range column(t, sqlite.Reader(), `SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || (c."notnull" = 0) FROM sqlite_master t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'goose_%' AND t.name NOT LIKE 'sqlite_%'`) {
		parts := strings.Fields(c)
		kind, ok := types[parts[1]]
		if !ok {
			t.Errorf("%s: use one of TEXT, BIGINT, BOOLEAN, BYTEA", c)
		}
		want = append(want, fmt.Sprint(parts[0], " ", kind, " ", parts[2] == "1"))
	}
	got := column(t, postgres.Reader(), `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || (is_nullable = 'YES')
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'goose_%'`)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-sqlite +postgres\n%s", diff)
	}
}

// column is the first column of a query's rows.
func column(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSQLiteHandlesHaveTheDocumentedSettings(t *testing.T) {
	db := storetest.New(t)
	// 2 is FULL
	for setting, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		if got := column(t, db.Writer(), "PRAGMA "+setting); len(got) != 1 || got[0] != want {
			t.Errorf("write handle: %s is %v, want %s", setting, got, want)
		}
	}
	if _, err := db.Reader().ExecContext(t.Context(), "DELETE FROM organizations"); err == nil {
		t.Error("the read handle writes")
	}
	//nolint:sqlclosecheck,rowserrcheck // it must fail
	if _, err := db.Reader().QueryContext(t.Context(), `SELECT "no such column"`); err == nil {
		t.Error("a misspelt column in double quotes is read as text")
	}
}
