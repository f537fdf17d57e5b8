package agent_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// Replicas are killed and the queue is lost while many conversations go on: every run ends once, every log is read
// whole, and every session keeps its order.
func TestAfterAnyKillEveryRunEndsOnceAndEverySessionKeepsItsOrder(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		nats := worktest.New(t)
		o := newOffice(t, database)
		o.slowly(".", 30*time.Millisecond)
		front := o.replica(nats.URL(), true) // every replica compares what its followers have seen with the record
		replicas := []*process{o.process(nats.URL(), "", 0), o.process(nats.URL(), "", 0)}

		const sessions, turns, kills = 6, 4, 4
		var readers [sessions][turns]reader
		var ids [sessions][turns]stockhand.RunID
		var followed sync.WaitGroup
		for s := range sessions {
			followed.Go(func() {
				var session stockhand.SessionID
				for i := range turns {
					turn, err := front.Start(t.Context(), o.org,
						agent.Task{Text: longTask, Connection: o.account, Session: session})
					if err != nil {
						t.Error(err)
						return
					}
					session, ids[s][i] = turn.Session, turn.Run
					followed.Go(func() {
						r := &readers[s][i]
						for range 100 { // a reader is cut off now and then, and comes back
							cut := errors.New("cut")
							err = func() error {
								after := r.last() + 1 + rand.Int64N(4)
								for e, err := range front.Follow(t.Context(), o.org, turn.Run, r.last()) {
									if err != nil {
										return err
									}
									r.see(e)
									if e.Seq == after {
										return cut
									}
								}
								return nil
							}()
							if !errors.Is(err, cut) {
								break
							}
						}
						if err != nil {
							t.Error(err)
						}
					})
				}
			})
		}
		for i := range kills {
			time.Sleep(300*time.Millisecond + rand.N(time.Second)) // some of the work is under way
			replicas[i%2].kill()
			if i == 1 {
				nats.Stop()
				nats.Start()
			}
			replicas[i%2] = o.process(nats.URL(), "", 0)
		}
		followed.Wait()

		taken := int64(0)
		for s := range sessions {
			var ended time.Time
			for i := range turns {
				readers[s][i].whole(t)
				run, err := front.db.Run(t.Context(), o.org, ids[s][i])
				if err != nil || run.State != stockhand.RunDone {
					t.Fatalf("%+v, %v", run, err)
				}
				taken += run.Generation - 1
				events, err := front.db.Events(t.Context(), o.org, run.ID, 1, 200)
				if err != nil {
					t.Fatal(err)
				}
				if events[0].At.Before(ended) {
					t.Errorf("session %d: turn %d began before the one before it ended", s, i)
				}
				ended = events[len(events)-1].At
				results, err := front.db.Results(t.Context(), o.org, run.ID)
				if err != nil || len(results) != 1 {
					t.Errorf("%d results, %v", len(results), err)
				}
			}
			session, err := front.db.Run(t.Context(), o.org, ids[s][0])
			if err != nil {
				t.Fatal(err)
			}
			messages, err := front.db.Messages(t.Context(), o.org, session.Session, "", 200)
			if err != nil {
				t.Fatal(err)
			}
			var answers []stockhand.RunID
			for _, m := range messages {
				if m.Author == stockhand.FromAgent {
					answers = append(answers, m.Run)
				}
			}
			if !slices.Equal(answers, ids[s][:]) {
				t.Errorf("session %d: %d answers, in another order", s, len(answers))
			}
		}
		today := time.Now().UTC().Format(time.DateOnly)
		if used, err := front.db.Usage(t.Context(), o.org, today, today); err != nil || len(used) != 1 ||
			used[0].Runs != sessions*turns {
			t.Errorf("%+v, %v", used, err)
		}
		t.Logf("%d runs, %d kills, the queue lost once: %d times a run was taken over", sessions*turns, kills, taken)
	})
}
