package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAModelThatStallsInTheMiddleIsReplacedByTheReader(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Answer{Text: strings.Repeat("На счетах много денег. ", 20),
		StallAfter: 4}))
	f := s.ask("сколько денег на счетах?")
	if name, _ := called(t, f); name != "moysklad_money" || !strings.Contains(f.FinalResponse, "Как посчитано") {
		t.Errorf("%s, %+v", f.FinalResponse, f.Failure)
	}
	if !slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel }) {
		t.Errorf("nothing says that the model failed: %+v", f.Notices)
	}
}

// Rule R370.
func TestRule370_WhatWasReadIsShownWhenTheModelFailsInTheMiddle(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`), llmtest.Answer{Status: 400}))
	f := s.ask("сколько денег на счетах?")
	if f.Failure != nil || len(f.Results) != 1 || !strings.Contains(f.FinalResponse, "₽") ||
		!strings.Contains(f.FinalResponse, "перестала отвечать") {
		t.Errorf("%+v: %s", f.Failure, f.FinalResponse)
	}
}

func TestAnInterruptedStreamReplacesTheTextShownBefore(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.Answer{Text: "На складе лежит товар, которого", Piece: 4, CutAfter: 5}, llmtest.Say("Товара нет.")))
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "какие остатки?"})
	if err != nil {
		t.Fatal(err)
	}
	var shown []rune
	for e, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == stockhand.EventDelta {
			var d struct {
				Content string
				Offset  int
			}
			if err := json.Unmarshal(e.Data, &d); err != nil || e.Seq != 0 {
				t.Error(e.Seq, err)
			}
			shown = append(shown[:min(d.Offset, len(shown))], []rune(d.Content)...)
		}
	}
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil || f.FinalResponse != "Товара нет." || string(shown) != f.FinalResponse {
		t.Errorf("shown %q, answer %q, %v", string(shown), f.FinalResponse, err)
	}
}

func TestA429IsWaitedFor(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.Answer{Status: 429, RetryAfter: "0.05"}, llmtest.Say("Готово.")))
	if f := s.ask("привет, как дела на складе?"); f.FinalResponse != "Готово." {
		t.Errorf("%s, %+v", f.FinalResponse, f.Failure)
	}
}

func TestParallelCallsOfAStepAreConcurrent(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.CallTools(llmtest.Call("a", "money", `{}`), llmtest.Call("b", "receivables", `{}`)),
		llmtest.Say("Готово.")))
	meet := &meeting{both: make(chan struct{})}
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 120, Days: 90, Now: now},
		Accounts: 1, NoLimits: true,
		Now: func() time.Time { return now }})
	shop := openShop(t, server, meet, func(c *agent.Config) { c.Model = s.config.Model })
	meet.on.Store(true)
	f := shop.ask("деньги и долги")
	if f.Failure != nil || len(f.ToolCalls) != 2 || len(f.Results) != 2 || f.ToolCalls[0].Name != "moysklad_money" {
		t.Errorf("%+v, %+v", f.ToolCalls, f.Failure)
	}
}

// meeting lets the first request go when there is a second one: requests of one call alone would wait for ever.
type meeting struct {
	on   atomic.Bool
	n    atomic.Int32
	both chan struct{}
}

func (m *meeting) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	if m.on.Load() {
		if m.n.Add(1) == 2 {
			close(m.both)
		}
		select {
		case <-m.both:
		case <-time.After(time.Minute):
			return nil, errors.New("the two calls are not made at once")
		}
	}
	return func(limit.Feedback) {}, ctx.Err()
}

// A process that dies in the middle of a run with a model leaves finished steps and calls: who takes the run up asks
// for none of them again.
func TestARunWithAModelResumedAfterACrashRepeatsNothing(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.CallTools(llmtest.Call("a", "money", `{}`), llmtest.Call("b", "receivables", `{}`)),
		llmtest.Say("Первый ответ."), llmtest.Say("Второй ответ.")))
	first := s.ask("деньги и долги")
	if first.Failure != nil || len(first.Results) != 2 {
		t.Fatal(first.Failure)
	}
	// The same run as a worker leaves it that died when one of two calls was finished.
	m := stockhand.Message{ID: stockhand.NewID[stockhand.MessageID]("msg"), Session: s.session, Text: "деньги и долги",
		Created: now}
	_, r, err := s.db.CreateRun(t.Context(), s.org, m,
		stockhand.Event{Type: stockhand.EventStart, Data: json.RawMessage(`{"message_id":"` + string(m.ID) + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = s.db.ClaimRun(t.Context(), s.org, r.ID, r.Generation); err != nil {
		t.Fatal(err)
	}
	step := stockhand.ModelStep{Run: r.ID, Seq: 1, Model: "test/scripted", InputTokens: 1000, OutputTokens: 10,
		CachedTokens: 900, Cost: 77,
		Message: json.RawMessage(
			`{"role":"assistant","content":"","tool_calls":[
			{"id":"a","type":"function","function":{"name":"money","arguments":"{}"}},
			{"id":"b","type":"function","function":{"name":"receivables","arguments":"{}"}}]}`)}
	if _, err := s.db.AddModelStep(t.Context(), s.org, r.Generation, step); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"moysklad_money", "moysklad_receivables"} {
		call := stockhand.ToolCall{Run: r.ID, Seq: int64(i + 1), Tool: name, Arguments: json.RawMessage(`{}`), Step: 1,
			CallID: []string{"a", "b"}[i], Started: now}
		if _, err := s.db.BeginToolCall(t.Context(), s.org, r.Generation, call); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			body, err := first.Results[0].Stored()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.db.FinishToolCall(t.Context(), s.org, r.Generation, call,
				&body); err != nil {
				t.Fatal(err)
			}
		}
	}
	asked, sent := len(s.model.Requests()), len(s.sandbox.Requests())
	s.Resume(t.Context(), r)
	f := s.end(agent.Turn{Run: r.ID})
	if f.Failure != nil || f.FinalResponse == "" || len(f.Results) != 2 || len(f.ToolCalls) != 2 {
		t.Fatalf("%+v", f)
	}
	if n := len(s.model.Requests()) - asked; n != 1 {
		t.Errorf("the model was asked %d times for the one step that was not finished", n)
	}
	for _, r := range s.sandbox.Requests()[sent:] {
		if strings.Contains(r.Path, "money") {
			t.Errorf("%s was asked for again", r.Path)
		}
	}
	if f.InputTokens < 1000 || f.CachedTokens != 900 {
		t.Errorf("%d input tokens, %d cached: those of the finished step are not "+
			"counted", f.InputTokens, f.CachedTokens)
	}
	if done, err := s.db.Run(t.Context(), s.org, r.ID); err != nil || done.Used.Cost != 77 || f.Cost != nil {
		t.Errorf("cost %d, shown as %+v: the step has the cost that was paid, and no model has a price; %v",
			done.Used.Cost, f.Cost, err)
	}
}
