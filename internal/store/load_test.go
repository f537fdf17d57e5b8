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

// Deferred transactions would fail here with "database is locked" within milliseconds.
func TestManyWritersAndReadersNeverFindTheDatabaseBusy(t *testing.T) {
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
		const writes = 25
		var all sync.WaitGroup
		for worker := range 12 {
			db := processes[worker%len(processes)]
			all.Go(func() {
				task, run, err := db.CreateRun(ctx, shared.org, stockhand.Message{Session: shared.session.ID, Text: fmt.Sprint(worker)})
				if err == nil {
					run, err = db.ClaimRun(ctx, shared.org, run.ID, 0)
				}
				for i := range writes {
					if err != nil {
						break
					}
					if _, err = db.AppendEvents(ctx, shared.org, run.ID, run.Generation, notice(i)); err != nil {
						break
					}
					if _, err = db.AppendEvents(ctx, shared.org, shared.run.ID, shared.run.Generation, notice(i)); err != nil { // all on one row
						break
					}
					_, err = db.Events(ctx, shared.org, run.ID, 0, 200)
				}
				if err == nil {
					_, err = db.FinishRun(ctx, shared.org, run.ID, run.Generation, stockhand.RunDone, &stockhand.Message{Text: task.Text})
				}
				if err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			})
		}
		all.Wait()
		log := shared.events(t)
		if len(log) != 12*writes || log[len(log)-1].Seq != int64(len(log)) {
			t.Errorf("%d events in the shared log, want %d", len(log), 12*writes)
		}
		if messages, err := processes[1].Messages(ctx, shared.org, shared.session.ID, "", 200); err != nil || len(messages) != 25 {
			t.Errorf("%d messages, want 25, %v", len(messages), err)
		}
	})
}

func TestSessionDeletedWhileItsRunsEndIsNoDeadlock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for range 10 {
			f := newFixture(t, db)
			var all sync.WaitGroup
			all.Go(func() {
				for {
					if _, err := db.AppendEvents(t.Context(), f.org, f.run.ID, f.run.Generation, notice(1)); err != nil {
						if stockhand.CodeOf(err) != stockhand.CodeNotFound && stockhand.CodeOf(err) != stockhand.CodeConflict {
							t.Errorf("append: %v", err)
						}
						return
					}
				}
			})
			all.Go(func() {
				time.Sleep(time.Millisecond)
				_, err := db.FinishRun(t.Context(), f.org, f.run.ID, f.run.Generation, stockhand.RunDone, &stockhand.Message{Text: "x"})
				if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
					t.Errorf("finish: %v", err)
				}
			})
			all.Go(func() {
				time.Sleep(time.Millisecond)
				if err := db.DeleteSession(t.Context(), f.org, f.session.ID); err != nil {
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
	body := table(100_000)
	benchmark(b, func(b *testing.B, f fixture) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for seq := int64(1); b.Loop(); seq++ {
			id := f.finishedCall(b, seq, body)
			if _, err := f.db.Result(b.Context(), f.org, id); err != nil {
				b.Fatal(err)
			}
		}
	})
}
