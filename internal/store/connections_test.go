package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestAnEmployeeCanBeConnectedOnlyOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, org := t.Context(), storetest.Organization(t, db)
		entry := stockhand.AuditEntry{Actor: "user:x", Action: "connection.created"}
		create := func(org stockhand.OrgID, account stockhand.AccountID, login string) error {
			_, err := db.CreateConnection(ctx, org,
				stockhand.Connection{Connector: "moysklad", Account: account, Login: login, Employee: "Иванов"}, entry)
			return err
		}
		if err := create(org, "a", "ivanov@shop"); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "the same employee", create(org, "a", "ivanov@shop"), stockhand.CodeConflict)
		for what, err := range map[string]error{
			"another of that name":   create(org, "a", "ivanov2@shop"),
			"another account's":      create(org, "b", "ivanov@shop"),
			"another organization's": create(storetest.Organization(t, db), "a", "ivanov@shop"),
			"one without a login":    create(org, "a", ""), "another without": create(org, "a", ""),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if log, err := db.AuditEntries(ctx, org, 0, 0); err != nil || len(log) != 5 {
			t.Errorf("%d entries, want one for each that was stored; %v", len(log), err)
		}
	})
}

func TestConcurrentChangesOfAConnectionAreNotLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		const n = 20
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				_, err := db.ChangeConnection(t.Context(), f.org, f.connection.ID,
					func(c *stockhand.Connection) ([]stockhand.AuditEntry, error) {
						c.Rights = append(c.Rights, fmt.Sprint(i))
						return []stockhand.AuditEntry{{Actor: "user:x", Action: "connection.changed"}}, nil
					})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		c, err := db.Connection(t.Context(), f.org, f.connection.ID)
		if err != nil || len(c.Rights) != len(f.connection.Rights)+n {
			t.Errorf("%d rights, %v", len(c.Rights), err)
		}
		if log, err := db.AuditEntries(t.Context(), f.org, 0, 0); err != nil || len(log) != n {
			t.Errorf("%d entries, %v", len(log), err)
		}
	})
}
