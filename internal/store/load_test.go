package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func TestConcurrentWritersAndReadersNeverGetBusyErrors(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		ctx := t.Context()
		var processes []*store.DB
		for range 2 { // two handles on one database, as two processes have
			db, err := store.Open(ctx, url, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			processes = append(processes, db)
		}
		shared := newFixture(t, processes[0])
		const workers, tasks = 12, 15
		turn := func(db *store.DB, session stockhand.SessionID, i int) error {
			task, run, err := db.CreateRun(ctx, shared.org, stockhand.Message{Session: session, Text: fmt.Sprint(i)})
			if err != nil {
				return err
			}
			if run, err = db.ClaimRun(ctx, shared.org, run.ID, 0); err != nil {
				return err
			}
			// all on one row
			if _, err = db.AppendEvents(ctx, shared.org, shared.run.ID, shared.run.Generation, notice(i)); err != nil {
				return err
			}
			if _, err = db.Messages(ctx, shared.org, shared.session.ID, "", 200); err != nil {
				return err
			}
			_, err = db.FinishRun(ctx, shared.org,
				stockhand.RunEnd{Run: run.ID, Generation: run.Generation, State: stockhand.RunDone,
					Answer: &stockhand.Message{Text: task.Text}, Events: []stockhand.Event{notice(i)}})
			return err
		}
		var all sync.WaitGroup
		for worker := range workers {
			all.Go(func() {
				db := processes[worker%len(processes)]
				// its own: turns of one session wait for each other
				session, err := db.CreateSession(ctx, shared.org, stockhand.Session{})
				for i := range tasks {
					if err == nil {
						err = turn(db, session.ID, i)
					}
				}
				if err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
				runs, err := processes[1].Runs(ctx, shared.org, session.ID)
				if err != nil || len(runs) != tasks {
					t.Errorf("%d runs, want %d, %v", len(runs), tasks, err)
				}
			})
		}
		all.Wait()
		log := shared.events(t)
		if len(log) != workers*tasks || log[len(log)-1].Seq != int64(len(log)) {
			t.Errorf("%d events in the shared log, want %d", len(log), workers*tasks)
		}
	})
}

// Finishing a run reads before it writes. Were transactions deferred, a write of another process in between would make
// the second statement fail at once with "database is locked", whatever the timeout.
func TestTransactionThatReadsBeforeItWritesIsNotOvertaken(t *testing.T) {
	path := storetest.SQLite(t)
	one, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	f := newFixture(t, one)
	tx, err := one.Writer().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	var state string
	if err := tx.QueryRowContext(t.Context(), "SELECT state FROM runs WHERE id = $1", string(f.run.ID)).Scan(
		&state); err != nil {
		t.Fatal(err)
	}
	overtaken := make(chan error, 1)
	go func() {
		_, err := two.AppendEvents(t.Context(), f.org, f.run.ID, f.run.Generation, notice(1))
		overtaken <- err
	}()
	select {
	case err := <-overtaken:
		t.Fatalf("another process wrote in the middle of a transaction (%v)", err)
	case <-time.After(50 * time.Millisecond): // it waits
	}
	if _, err := tx.ExecContext(t.Context(), "UPDATE runs SET updated_at = 1 WHERE id = $1",
		string(f.run.ID)); err != nil {
		t.Error(err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if err := <-overtaken; err != nil {
		t.Error(err)
	}
}

func TestDeletingASessionWhileItsRunsEndDoesNotDeadlock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for range 10 {
			f := newFixture(t, db)
			var all sync.WaitGroup
			all.Go(func() {
				for {
					if _, err := db.AppendEvents(t.Context(), f.org, f.run.ID, f.run.Generation,
						notice(1)); err != nil {
						if stockhand.CodeOf(err) != stockhand.CodeNotFound &&
							stockhand.CodeOf(err) != stockhand.CodeConflict {
							t.Errorf("append: %v", err)
						}
						return
					}
				}
			})
			all.Go(func() {
				time.Sleep(time.Millisecond)
				_, err := db.FinishRun(t.Context(), f.org,
					stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: stockhand.RunDone,
						Answer: &stockhand.Message{Text: "x"}})
				if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
					t.Errorf("finish: %v", err)
				}
			})
			all.Go(func() {
				time.Sleep(time.Millisecond)
				if err := db.DeleteSession(t.Context(), f.org, f.session.ID, stockhand.AuditEntry{}); err != nil {
					t.Errorf("delete: %v", err)
				}
			})
			all.Wait()
		}
	})
}

func benchmark(b *testing.B, run func(b *testing.B, f fixture)) {
	b.Run("sqlite", func(b *testing.B) { run(b, newFixture(b, storetest.New(b))) })
	b.Run("postgres", func(b *testing.B) {
		db, err := store.Open(b.Context(), storetest.Postgres(b), nil)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		run(b, newFixture(b, db))
	})
}

func BenchmarkAppendEvent(b *testing.B) {
	benchmark(b, func(b *testing.B, f fixture) {
		for b.Loop() {
			if _, err := f.db.AppendEvents(b.Context(), f.org, f.run.ID, f.run.Generation, notice(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A result of 100,000 rows, stored and read back.
func BenchmarkLargeResult(b *testing.B) {
	result := stored(100_000)
	benchmark(b, func(b *testing.B, f fixture) {
		b.ReportAllocs()
		for seq := int64(1); b.Loop(); seq++ {
			id := f.finishedCall(b, seq, result)
			for _, err := range f.db.ResultRows(b.Context(), f.org, id, 0, result.Rows) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
