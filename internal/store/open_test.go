package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestStoredDataIsThereAfterReopening(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		var f fixture
		for i := range 2 {
			var log bytes.Buffer
			db, err := store.Open(t.Context(), url, slog.New(slog.NewTextHandler(&log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				f = newFixture(t, db)
			} else if got, err := db.Run(t.Context(), f.org, f.run.ID); err != nil ||
				got.State != stockhand.RunRunning {
				t.Errorf("%+v, %v", got, err)
			}
			if err := errors.Join(db.Ping(t.Context()), db.Close()); err != nil {
				t.Error(err)
			}
			if log.Len() > 0 {
				t.Errorf("a schema of today was updated: %s", log.String())
			}
		}
	})
}

func TestAFullDiskLosesNoStoredData(t *testing.T) {
	db := storetest.New(t)
	f := newFixture(t, db)
	var pages int
	if err := db.Writer().QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	// SQLite's own full disk
	if _, err := db.Writer().ExecContext(t.Context(), fmt.Sprint("PRAGMA max_page_count = ", pages+20)); err != nil {
		t.Fatal(err)
	}
	var stored int
	var err error
	for err == nil {
		if _, err = db.AppendEvents(t.Context(), f.org, f.run.ID, f.run.Generation, notice(1),
			stockhand.Event{Type: stockhand.EventNotice, Data: json.RawMessage(rowTexts(0, 20)[0])}); err == nil {
			stored += 2
		}
	}
	if stockhand.CodeOf(err) != stockhand.CodeDatabaseUnavailable || !strings.Contains(err.Error(), "full") {
		t.Errorf("a full disk: %v", err)
	}
	if log := f.events(t); len(log) != stored || log[stored-1].Seq != int64(stored) {
		t.Errorf("%d events, want %d", len(log), stored)
	}
}
