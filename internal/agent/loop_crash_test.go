package agent_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// A process is killed again and again in the middle of a run with a model, wherever it happens to be: the run is
// finished, no step that was stored is asked for again, and no call that was finished is made again.
func TestARunWithAModelKilledAtRandomTimesRepeatsNothing(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		o := newOffice(t, database)
		var mu sync.Mutex
		known := 0      // steps that were stored before the present process began
		var kill func() // the present process, soon; nil when it is to live, or is dying already
		die := func() { // its work has begun
			mu.Lock()
			defer mu.Unlock()
			if kill != nil {
				time.AfterFunc(rand.N(120*time.Millisecond), kill)
				kill = nil
			}
		}
		model := llmtest.New(t, func(_ int, r llmtest.Request) llmtest.Answer {
			steps := 0
			for _, m := range r.Messages {
				if m.Role == llm.Assistant {
					steps++
				}
			}
			mu.Lock()
			if steps < known {
				t.Errorf("step %d was asked for again when %d were stored", steps+1, known)
			}
			mu.Unlock()
			die()
			a := []llmtest.Answer{
				llmtest.CallTools(llmtest.Call("a", "money", `{}`), llmtest.Call("b", "receivables", `{}`)),
				llmtest.CallTool("overdue_orders", `{}`),
				llmtest.CallTool("propose_transfers", `{}`),
				llmtest.Say("Готово."),
			}[min(steps, 3)]
			a.Delay = 80 * time.Millisecond
			return a
		})
		o.models = model.Config()
		faster := o.slowly(".", 5*time.Millisecond)
		front := o.replica("", false)
		turn, err := front.Start(t.Context(), o.org,
			agent.Task{Text: "деньги, долги, просроченное; подготовь перемещения", Connection: o.account})
		if err != nil {
			t.Fatal(err)
		}
		var r reader
		kills := 4
		if testing.Short() { // each is followed by seconds of waiting
			kills = 1
		}
		killed := 0
		for done := false; !done; {
			steps, err := front.db.ModelSteps(t.Context(), o.org, turn.Run)
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			known = len(steps)
			mu.Unlock()
			if killed == kills {
				faster()
			}
			p := o.process("", turn.Run, r.last())
			if killed < kills {
				mu.Lock()
				kill = func() { _ = p.cmd.Process.Kill() }
				mu.Unlock()
			}
			for {
				e, more := p.event()
				if !more {
					break
				}
				r.see(e)
				if e.Type == stockhand.EventToolStarted {
					die()
				}
			}
			p.kill()
			killed++
			done = r.count(stockhand.EventComplete)+r.count(stockhand.EventError) > 0
		}
		r.whole(t)
		f, err := front.Finished(t.Context(), o.org, turn.Run)
		if err != nil || f.Failure != nil || len(f.Results) != 3 || len(f.Drafts) != 1 || len(f.ToolCalls) != 4 ||
			r.count(stockhand.EventToolCompleted) != 4 {
			t.Fatalf("%+v, %v; %d calls were finished", f, err, r.count(stockhand.EventToolCompleted))
		}
		calls, err := front.db.ToolCalls(t.Context(), o.org, turn.Run)
		if err != nil || slices.ContainsFunc(calls,
			func(c stockhand.ToolCall) bool { return !c.Done || c.Step == 0 || c.CallID == "" }) {
			t.Errorf("%+v, %v", calls, err)
		}
		drafts, err := front.db.Drafts(t.Context(), o.org, "", "", "", 10)
		if err != nil || len(drafts) != 1 {
			t.Errorf("%d drafts, %v", len(drafts), err)
		}
		t.Logf("%d processes; the model was asked %d times for 4 steps; calls were begun %d times", killed,
			len(model.Requests()), r.count(stockhand.EventToolStarted))
	})
}
