// Package storetest creates a fresh database for each test, and runs a test on every supported database.
//
// SQLite is always available. Postgres is available when the environment variable STOCKHAND_TEST_POSTGRES contains the
// URL of a server on which tests may create databases; `make test` starts one (see withpostgres). Each database is a
// copy of a migrated template, so creating one takes milliseconds.
package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/migrations"
)

// Variable names the environment variable with the URL of a Postgres server for tests.
const Variable = "STOCKHAND_TEST_POSTGRES"

// New returns a fresh SQLite database that is removed after the test.
func New(t testing.TB) *store.DB {
	t.Helper()
	return open(t, SQLite(t))
}

// Each runs a test on a fresh database of every kind: SQLite, and Postgres if available.
func Each(t *testing.T, test func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) { test(t, open(t, url)) })
}

// EachURL is like [Each], for tests that open the database themselves, for example in another process.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

func open(t testing.TB, url string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Organization stores a new organization and returns its ID.
func Organization(t testing.TB, db *store.DB) stockhand.OrgID {
	t.Helper()
	org := stockhand.NewID[stockhand.OrgID]("org")
	if _, err := db.CreateOrganization(t.Context(), org, "Test organization"); err != nil {
		t.Fatal(err)
	}
	return org
}

// template returns the content of a migrated SQLite file, created once per test binary.
var template = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "stockhand-template-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "template.db")
	db, err := store.Open(context.Background(), path, nil)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil { // closing the last connection merges the write-ahead log into the file
		return nil, err
	}
	return os.ReadFile(path)
})

// SQLite returns the path of a fresh database.
func SQLite(t testing.TB) string {
	t.Helper()
	content, err := template()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stockhand.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Postgres returns the URL of a fresh database that is dropped after the test. Without a server, it skips the test.
func Postgres(t testing.TB) string {
	t.Helper()
	server := os.Getenv(Variable)
	if server == "" {
		t.Skipf("no Postgres: set %s, or run the tests with `make test`", Variable)
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background() // the database is dropped after the test's context has ended
	from, err := postgresTemplate(ctx, admin, server)
	if err != nil {
		t.Fatal(err)
	}
	name := "stockhand_test_" + strings.TrimPrefix(stockhand.NewID[string]("t"), "t_")
	//nolint:gosec // both names are made here
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+from); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
		if err := admin.Close(); err != nil {
			t.Error(err)
		}
	})
	return named(t, server, name)
}

// templateLock is the advisory lock that serializes the creation of the template.
const templateLock = 7_307_199_108

// postgresTemplate returns the name of an empty database with the current schema. The first test creates it, and it
// stays on the server; its name contains a hash of the schema.
func postgresTemplate(ctx context.Context, admin *sql.DB, server string) (string, error) {
	hash, err := schemaHash()
	if err != nil {
		return "", err
	}
	name := "stockhand_template_" + hash
	conn, err := admin.Conn(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %w", Variable, err)
	}
	defer func() { _ = conn.Close() }() // returns it to the pool
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return "", err
	}
	defer func() { _, _ = conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", templateLock) }()
	var exists bool
	if err := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)",
		name).Scan(&exists); err != nil || exists {
		return name, err
	}
	half := name + "_half" // a temporary name until it is complete
	if _, err := conn.ExecContext(ctx, "DROP DATABASE IF EXISTS "+half); err != nil {
		return "", err
	}
	if _, err := conn.ExecContext(ctx, "CREATE DATABASE "+half); err != nil {
		return "", err
	}
	place, err := withDatabase(server, half)
	if err != nil {
		return "", err
	}
	db, err := store.Open(ctx, place, nil)
	if err != nil {
		return "", err
	}
	if err := db.Close(); err != nil {
		return "", err
	}
	// The server may need time to notice that the connection is closed.
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		_, err = conn.ExecContext(ctx, "ALTER DATABASE "+half+" RENAME TO "+name)
		if err == nil || wait > 2*time.Second {
			return name, err
		}
		time.Sleep(wait)
	}
}

// schemaHash returns a hash of the migrations.
func schemaHash() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(migrations.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(migrations.Files(), path)
		fmt.Fprintf(h, "%s %d\n%s", path, len(content), content)
		return err
	})
	return hex.EncodeToString(h.Sum(nil))[:12], err
}

func named(t testing.TB, server, database string) string {
	t.Helper()
	place, err := withDatabase(server, database)
	if err != nil {
		t.Fatal(err)
	}
	return place
}

// withDatabase returns the server's URL with another database.
func withDatabase(server, database string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", fmt.Errorf("%s is not a URL", Variable)
	}
	u.Path = "/" + database
	return u.String(), nil
}
