package database_test

import (
	"bytes"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// refusal checks that an error of Open says what happened, in these words, and what to do.
func refusal(t *testing.T, err error, words ...string) {
	t.Helper()
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok {
		t.Fatalf("%v is not a stockhand.Error", err)
	}
	if e.Hint == "" {
		t.Errorf("%q says nothing about what to do", e.Message)
	}
	for _, w := range words {
		if !strings.Contains(e.Message, w) {
			t.Errorf("%q does not say %q", e.Message, w)
		}
	}
}

func mustFail(t *testing.T, url string) error {
	t.Helper()
	db, err := store.Open(t.Context(), url, nil)
	if err == nil {
		t.Fatal("opened", db, errors.Join(db.Close()))
	}
	return err
}

func TestTemporaryDatabaseLeavesNothingBehind(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for _, url := range []string{"", ":memory:"} {
		db, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Organization(t, db)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTheFileMayHaveAnyName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "мой магазин 100% ?#&.db")
	db, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Organization(t, db)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v: others can read the company's figures", info.Mode())
	}
}

func TestErrorsNameTheUnusableFileAndTheReason(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(folder, "foreign.db")
	other, err := sql.Open("sqlite", foreign)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.ExecContext(t.Context(), "CREATE TABLE things (id INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	refusal(t, mustFail(t, text), text, "not a SQLite database")
	refusal(t, mustFail(t, foreign), foreign, "another program")
	refusal(t, mustFail(t, folder), folder, "folder")
	refusal(t, mustFail(t, filepath.Join(folder, "absent", "x.db")), filepath.Join(folder, "absent"), "does not exist")
	if os.Geteuid() == 0 {
		return // root may write anywhere
	}
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	refusal(t, mustFail(t, filepath.Join(folder, "new.db")), "permission denied")
}

func TestASchemaOfANewerProgramIsRejectedAndUnchanged(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := database.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Writer().ExecContext(t.Context(),
			"INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, $2)", 9_000, true)
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		refusal(t, mustFail(t, url), "9000", "supports versions up to")
	})
}

func TestAFileLockedByAnotherProcessIsReported(t *testing.T) {
	defer database.SetBusyTimeout(50 * time.Millisecond)()
	path := storetest.SQLite(t)
	db, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	holder, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if _, err := holder.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateOrganization(t.Context(), "org_1", "x")
	if stockhand.CodeOf(err) != stockhand.CodeDatabaseUnavailable || !strings.Contains(err.Error(), "locked") {
		t.Errorf("a locked file: %v", err)
	}
	refusal(t, mustFail(t, path), path, "locked")
	if _, err := holder.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	storetest.Organization(t, db)
}

func TestProcessesThatStartTogetherUpdateTheSchemaOnce(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "new.db")
		var all sync.WaitGroup
		for range 4 { // each Open has handles of its own, as another process would
			all.Go(func() {
				db, err := store.Open(t.Context(), path, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

func TestErrorsNameTheUnusablePostgresWithoutItsPassword(t *testing.T) {
	server, err := url.Parse(storetest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	absent := *server
	absent.Path = "/absent_database"
	absent.User = url.UserPassword("stockhand", "hunter2")
	err = mustFail(t, absent.String())
	refusal(t, err, "the database does not exist", "absent_database")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the password is in %q", err)
	}
	refusal(t, mustFail(t, "postgres://stockhand:hunter2@127.0.0.1:1/x?connect_timeout=2"), "cannot be reached",
		"127.0.0.1")
	err = mustFail(t, "postgres://stockhand:hunter2@127.0.0.1:port/x")
	refusal(t, err, "cannot be read")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the password is in %q", err)
	}
}
