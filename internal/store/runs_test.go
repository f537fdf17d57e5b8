package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func notice(n int) stockhand.Event {
	return stockhand.Event{Type: stockhand.EventNotice,
		Data: fmt.Appendf(nil, `{"code":"assumption","message":"№%d"}`, n)}
}

func TestTheLogIsNumberedFromOneWithoutGaps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		var want []stockhand.Event
		for i := range 40 {
			got, err := db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, notice(3*i), notice(3*i+1),
				notice(3*i+2))
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, got...)
		}
		for i, e := range want {
			if e.Seq != int64(i+1) || e.Run != f.run.ID || e.At.IsZero() {
				t.Fatalf("event %d: %+v", i, e)
			}
		}
		if diff := cmp.Diff(want, f.events(t)); diff != "" {
			t.Error(diff)
		}
		tail, err := db.Events(ctx, f.org, f.run.ID, 117, 2)
		if err != nil || len(tail) != 2 || tail[0].Seq != 118 {
			t.Errorf("after 117: %v, %v", tail, err)
		}
		_, err = db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, notice(1),
			stockhand.Event{Type: stockhand.EventNotice, Data: []byte(`{"broken`)})
		wantCode(t, "broken JSON", err, stockhand.CodeInternal)
		if n := len(f.events(t)); n != 120 {
			t.Errorf("a refused write left a trace: %d events", n)
		}
	})
}

func TestWorkerOfAnOlderGenerationLosesEveryWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		old := f.run.Generation
		call := stockhand.ToolCall{Run: f.run.ID, Seq: 1, Tool: "moysklad_stock"}
		if _, err := db.BeginToolCall(ctx, f.org, old, call); err != nil {
			t.Fatal(err)
		}
		taken, err := db.ClaimRun(ctx, f.org, f.run.ID, old)
		if err != nil || taken.Generation != old+1 || taken.State != stockhand.RunRunning {
			t.Fatalf("taken over: %+v, %v", taken, err)
		}
		refused := map[string]error{}
		_, refused["ClaimRun"] = db.ClaimRun(ctx, f.org, f.run.ID, old)
		_, refused["AppendEvents"] = db.AppendEvents(ctx, f.org, f.run.ID, old, notice(1))
		_, refused["heartbeat"] = db.AppendEvents(ctx, f.org, f.run.ID, old)
		_, refused["BeginToolCall"] = db.BeginToolCall(ctx, f.org, old, stockhand.ToolCall{Run: f.run.ID, Seq: 2},
			notice(2))
		_, refused["FinishToolCall"] = db.FinishToolCall(ctx, f.org, old, call,
			&stockhand.StoredResult{Head: []byte(`{}`)}, notice(3))
		_, refused["FinishRun"] = db.FinishRun(ctx, f.org,
			stockhand.RunEnd{Run: f.run.ID, Generation: old, State: stockhand.RunDone,
				Answer: &stockhand.Message{Text: "late"}, Events: []stockhand.Event{notice(4)}})
		for method, err := range refused {
			wantCode(t, method, err, stockhand.CodeConflict)
		}
		if log := f.events(t); len(log) != 0 {
			t.Errorf("events of the old worker were stored: %v", log)
		}
		if results, err := db.Results(ctx, f.org, f.run.ID); err != nil || len(results) != 0 {
			t.Errorf("results of the old worker were stored: %v, %v", results, err)
		}
		if calls, err := db.ToolCalls(ctx, f.org, f.run.ID); err != nil || len(calls) != 1 || calls[0].Done {
			t.Errorf("calls: %+v, %v", calls, err)
		}
		if messages, err := db.Messages(ctx, f.org, f.session.ID, "", 0); err != nil || len(messages) != 1 {
			t.Errorf("messages: %v, %v", messages, err)
		}
	})
}

func TestOneOfManyWorkersClaimsARun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		var err error
		if f.session, err = db.CreateSession(t.Context(), f.org, stockhand.Session{}); err != nil {
			t.Fatal(err)
		}
		_, run := f.newRun(t, "task")
		var won, lost atomic.Int64
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				got, err := db.ClaimRun(t.Context(), f.org, run.ID, 0)
				switch {
				case err == nil && got.Generation == 1:
					won.Add(1)
				case stockhand.CodeOf(err) == stockhand.CodeConflict:
					lost.Add(1)
				default:
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || lost.Load() != 15 {
			t.Errorf("%d won, %d lost", won.Load(), lost.Load())
		}
	})
}

func TestFinishedRunStaysFinished(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		for _, end := range []stockhand.RunState{stockhand.RunDone, stockhand.RunFailed, stockhand.RunCancelled} {
			f := newFixture(t, db)
			answer := &stockhand.Message{Text: "12 штук"}
			last, err := db.FinishRun(ctx, f.org,
				stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: end, Answer: answer,
					Events: []stockhand.Event{notice(1), stockhand.Event{Type: stockhand.EventComplete}}})
			if err != nil || len(last) != 2 || last[1].Seq != 2 {
				t.Fatalf("finish: %v, %v", last, err)
			}
			got, err := db.Run(ctx, f.org, f.run.ID)
			if err != nil || got.State != end {
				t.Errorf("run %+v, %v", got, err)
			}
			messages, err := db.Messages(ctx, f.org, f.session.ID, f.task.ID, 0)
			if err != nil || len(messages) != 1 || messages[0].Author != stockhand.FromAgent ||
				messages[0].Text != "12 штук" || messages[0].Run != f.run.ID {
				t.Errorf("answer %v, %v", messages, err)
			}
			refused := map[string]error{}
			_, refused["ClaimRun"] = db.ClaimRun(ctx, f.org, f.run.ID, f.run.Generation)
			_, refused["AppendEvents"] = db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, notice(1))
			_, refused["FinishRun"] = db.FinishRun(ctx, f.org,
				stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: stockhand.RunDone, Answer: answer})
			_, refused["CancelRun"] = db.CancelRun(ctx, f.org, f.run.ID)
			for method, err := range refused {
				wantCode(t, method, err, stockhand.CodeConflict)
			}
			if n := len(f.events(t)); n != 2 {
				t.Errorf("%d events, want 2", n)
			}
		}
		f := newFixture(t, db)
		_, err := db.FinishRun(ctx, f.org,
			stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: stockhand.RunQueued})
		wantCode(t, "an end that is none", err, stockhand.CodeInternal)
	})
}

func TestAUserCanCancelARunOfAnyWorker(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		_, queued := f.newRun(t, "task")
		for _, id := range []stockhand.RunID{queued.ID, f.run.ID} {
			events, err := db.CancelRun(ctx, f.org, id, stockhand.Event{Type: stockhand.EventCancelled})
			if err != nil || len(events) != 1 || events[0].Seq != 1 {
				t.Errorf("%v, %v", events, err)
			}
		}
		_, err := db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, notice(1))
		wantCode(t, "the worker's next write", err, stockhand.CodeConflict)
	})
}

func TestUnfinishedRunsWithoutHeartbeatsAreFoundAcrossOrganizations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		one, two := newFixture(t, db), newFixture(t, db)
		_, queued := two.newRun(t, "task")
		done := newFixture(t, db)
		if _, err := db.FinishRun(ctx, done.org,
			stockhand.RunEnd{Run: done.run.ID, Generation: done.run.Generation, State: stockhand.RunDone}); err != nil {
			t.Fatal(err)
		}
		found := func(silentSince time.Time) map[stockhand.RunID]stockhand.OrgID {
			runs, err := db.System().UnfinishedRuns(ctx, silentSince)
			if err != nil {
				t.Fatal(err)
			}
			ids := map[stockhand.RunID]stockhand.OrgID{}
			for _, r := range runs {
				ids[r.ID] = r.Org
			}
			return ids
		}
		want := map[stockhand.RunID]stockhand.OrgID{one.run.ID: one.org, two.run.ID: two.org, queued.ID: two.org}
		if diff := cmp.Diff(want, found(time.Now().Add(time.Second))); diff != "" {
			t.Error(diff)
		}
		time.Sleep(2 * time.Millisecond)
		since := time.Now()
		if _, err := db.AppendEvents(ctx, one.org, one.run.ID, one.run.Generation); err != nil { // a heartbeat
			t.Fatal(err)
		}
		delete(want, one.run.ID)
		if diff := cmp.Diff(want, found(since)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFinishedCallIsNotRepeatedAndAnInterruptedOneIs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		result := f.finishedCall(t, 1, stored(1))
		second := stockhand.ToolCall{Run: f.run.ID, Seq: 2, Tool: "moysklad_money",
			Arguments: []byte(`{"what":"flow"}`)}
		if _, err := db.BeginToolCall(ctx, f.org, f.run.Generation, second); err != nil {
			t.Fatal(err)
		}
		// The process dies here; another one takes the run over.
		taken, err := db.ClaimRun(ctx, f.org, f.run.ID, f.run.Generation)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := db.ToolCalls(ctx, f.org, f.run.ID)
		if err != nil || len(calls) != 2 || !calls[0].Done || calls[0].Result != result || calls[0].Requests != 3 ||
			calls[1].Done || !calls[1].Finished.IsZero() {
			t.Fatalf("%+v, %v", calls, err)
		}
		_, err = db.BeginToolCall(ctx, f.org, taken.Generation, calls[0])
		wantCode(t, "begin the finished call", err, stockhand.CodeConflict)
		if _, err := db.BeginToolCall(ctx, f.org, taken.Generation, calls[1]); err != nil {
			t.Errorf("begin the interrupted call again: %v", err)
		}
		failed := calls[1]
		failed.Error = "нет права «Видеть деньги»"
		if _, err := db.FinishToolCall(ctx, f.org, taken.Generation, failed, nil); err != nil {
			t.Fatal(err)
		}
		calls, err = db.ToolCalls(ctx, f.org, f.run.ID)
		if err != nil || !calls[1].Done || calls[1].Error != failed.Error || calls[1].Result != "" ||
			string(calls[1].Arguments) != `{"what":"flow"}` {
			t.Errorf("%+v, %v", calls, err)
		}
		_, err = db.FinishToolCall(ctx, f.org, taken.Generation, failed, &stockhand.StoredResult{Head: []byte(`{}`)})
		wantCode(t, "finish again", err, stockhand.CodeConflict)
		if results, err := db.Results(ctx, f.org, f.run.ID); err != nil || len(results) != 1 {
			t.Errorf("a refused result was stored: %v, %v", results, err)
		}
	})
}

func TestARunWaitsWhileAnEarlierTurnOfItsSessionIsUnfinished(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db) // its run is running
		_, second := f.newRun(t, "second")
		third, run3 := f.newRun(t, "third")
		for _, r := range []stockhand.Run{second, run3} {
			if _, err := db.ClaimRun(ctx, f.org, r.ID, 0); stockhand.CodeOf(err) != stockhand.CodeConflict ||
				!errors.Is(err, stockhand.ErrEarlierTurn) {
				t.Errorf("claimed before its turn: %v", err)
			}
		}
		if next, err := db.NextRun(ctx, f.org, f.session.ID); err != nil || next.ID != f.run.ID {
			t.Errorf("next is %s, %v", next.ID, err)
		}
		if _, err := db.FinishRun(ctx, f.org,
			stockhand.RunEnd{Run: f.run.ID, Generation: f.run.Generation, State: stockhand.RunDone,
				Answer: &stockhand.Message{Text: "answer"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := db.CancelRun(ctx, f.org, second.ID); err != nil {
			t.Fatal(err)
		}
		if next, err := db.NextRun(ctx, f.org, f.session.ID); err != nil || next.ID != run3.ID {
			t.Errorf("next is %s, %v", next.ID, err)
		}
		if _, err := db.ClaimRun(ctx, f.org, run3.ID, 0); err != nil {
			t.Error(err)
		}
		if before, err := db.RunBefore(ctx, f.org, third.ID); err != nil || before.ID != second.ID {
			t.Errorf("before the third is %s, %v", before.ID, err)
		}
		if _, err := db.RunBefore(ctx, f.org, f.task.ID); stockhand.CodeOf(err) != stockhand.CodeNotFound {
			t.Errorf("before the first: %v", err)
		}
	})
}

func TestAReleasedRunIsQueuedAndItsWorkerLosesIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		if err := db.ReleaseRun(ctx, f.org, f.run.ID, f.run.Generation); err != nil {
			t.Fatal(err)
		}
		if _, err := db.AppendEvents(ctx, f.org, f.run.ID, f.run.Generation, notice(1)); stockhand.CodeOf(
			err) != stockhand.CodeConflict {
			t.Errorf("a write after giving it back: %v", err)
		}
		taken, err := db.ClaimRun(ctx, f.org, f.run.ID, f.run.Generation)
		if err != nil || taken.Generation != f.run.Generation+1 {
			t.Errorf("%+v, %v", taken, err)
		}
		if err := db.ReleaseRun(ctx, f.org, f.run.ID, f.run.Generation); stockhand.CodeOf(
			err) != stockhand.CodeConflict {
			t.Errorf("gave back what another holds: %v", err)
		}
	})
}

func TestUnclaimedRunsAreFoundAndALongQueueIsProcessedInTurn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		_, waiting := f.newRun(t, "waits for its turn")
		other := f
		var err error
		if other.session, err = db.CreateSession(ctx, f.org, stockhand.Session{}); err != nil {
			t.Fatal(err)
		}
		_, queued := other.newRun(t, "queued")
		soon := time.Now().Add(time.Minute)
		all, err := db.System().Overlooked(ctx, soon)
		if err != nil || len(all) != 2 ||
			slices.ContainsFunc(all, func(r stockhand.Run) bool { return r.ID == waiting.ID }) {
			t.Fatalf("%d overlooked, %v", len(all), err)
		}
		touched, err := db.Run(ctx, f.org, queued.ID)
		if err != nil || !touched.Updated.After(queued.Updated) || touched.State != stockhand.RunQueued {
			t.Errorf("the queued run: %+v, %v", touched, err)
		}
		if same, err := db.Run(ctx, f.org, f.run.ID); err != nil || !same.Updated.Equal(f.run.Updated) {
			t.Errorf("a running run's sign of life is its worker's own: %+v, %v", same, err)
		}
		logs, err := db.System().UnfinishedLogs(ctx)
		if err != nil || len(logs) != 3 {
			t.Errorf("%v, %v", logs, err)
		}
	})
}

func TestATaskAnsweredImmediatelyIsAFinishedRunWithALog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		f := newFixture(t, db)
		m, r, err := db.AnswerTask(ctx, f.org, stockhand.Message{Session: f.session.ID, Text: "yes", By: "user:1"},
			stockhand.Message{Text: "done"},
			stockhand.Event{Type: stockhand.EventStart}, stockhand.Event{Type: stockhand.EventComplete})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := db.Run(ctx, f.org, r.ID); err != nil || got.State != stockhand.RunDone || got.Message != m.ID ||
			got.By != "user:1" {
			t.Errorf("%+v, %v", got, err)
		}
		if events, err := db.Events(ctx, f.org, r.ID, 0, 0); err != nil || len(events) != 2 || events[1].Seq != 2 {
			t.Errorf("%v, %v", events, err)
		}
		messages, err := db.Messages(ctx, f.org, f.session.ID, f.task.ID, 0)
		if err != nil || len(messages) != 2 || messages[1].Text != "done" ||
			messages[1].Author != stockhand.FromAgent || messages[1].Run != r.ID {
			t.Errorf("%+v, %v", messages, err)
		}
	})
}
