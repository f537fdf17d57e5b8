package datakey_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/database"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// A key is not created while a transaction stores text that is not encrypted: encrypting would miss it.
func TestRule173_AKeyIsCreatedBetweenTransactions(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		base, err := database.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer base.Close()
		db, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		org := storetest.Organization(t, db)
		master, err := secret.Parse(strings.Repeat("1", 64))
		if err != nil {
			t.Fatal(err)
		}
		plain, encrypting := datakey.New(base), datakey.New(base)
		encrypting.Use(master, true)
		create := func(within time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			_, err := encrypting.Key(ctx, org)
			return err
		}
		err = plain.Transact(t.Context(), "store", org, func(_ *sql.Tx, key *content.Key) error {
			if err := create(50 * time.Millisecond); key != nil || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("created while %v is in use: %v", key, err)
			}
			return nil
		})
		if err := errors.Join(err, create(time.Minute)); err != nil {
			t.Fatal(err)
		}
		plain.Use(master, false)
		err = plain.Transact(t.Context(), "store", org, func(_ *sql.Tx, key *content.Key) error {
			if key == nil {
				t.Error("there is still no key")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
