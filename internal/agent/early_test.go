package agent_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// A model that fails after several reads loses none of them: all are shown, not only the last.
func TestRule370_AllThatWasReadIsShown(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.CallTools(llmtest.Call("1", "money", `{}`), llmtest.Call("2", "receivables", `{}`)),
		llmtest.Answer{Status: http.StatusBadRequest}))
	f := s.ask("сколько денег на счетах и кто нам должен?")
	if f.Failure != nil || len(f.Results) != 2 {
		t.Fatalf("%+v, %d results", f.Failure, len(f.Results))
	}
	for _, r := range f.Results {
		if !strings.Contains(f.FinalResponse, "**"+r.Title+"**") {
			t.Errorf("“%s” is not shown: %s", r.Title, f.FinalResponse)
		}
	}
	if !strings.Contains(f.FinalResponse, "перестала отвечать") || len(f.Blocks) < 4 {
		t.Errorf("%d blocks: %s", len(f.Blocks), f.FinalResponse)
	}
}

// A run that could read nothing before the model failed still ends in words.
func TestRule370_ARunThatReadNothingSaysWhy(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`), llmtest.Answer{Status: http.StatusBadRequest}))
	down := sandbox.Fault{Path: "report/money", Count: 100, Status: http.StatusInternalServerError}
	if err := s.sandbox.Fail(down); err != nil {
		t.Fatal(err)
	}
	f := s.ask("сколько денег на счетах?")
	if f.Failure != nil || !strings.Contains(f.FinalResponse, "Прочитать ничего не удалось") ||
		!strings.Contains(f.FinalResponse, "перестала отвечать") {
		t.Errorf("%+v: %s", f.Failure, f.FinalResponse)
	}
}

// When a run's time is nearly over, calls are stopped and the model must answer.
func TestRule370_TimeIsKeptForTheAnswer(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch {
		case n == 0:
			return llmtest.CallTools(llmtest.Call("1", "money", `{}`), llmtest.Call("2", "stock", `{}`))
		case strings.Contains(string(r.Body), `"tool_choice":"none"`):
			return llmtest.Say("Деньги есть, остатки не успел.")
		}
		return llmtest.CallTool("receivables", `{}`)
	}, func(c *agent.Config) { c.Timeout = 20 * time.Second })
	if err := s.sandbox.Fail(sandbox.Fault{Path: "report/stock", Count: 100, DelayMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	f := s.ask("сколько денег на счетах и какие остатки?")
	if f.Failure != nil || !strings.HasPrefix(f.FinalResponse, "Деньги есть") || len(s.model.Requests()) != 2 {
		t.Errorf("%d requests, %+v: %s", len(s.model.Requests()), f.Failure, f.FinalResponse)
	}
}

// While the model thinks, followers learn what it does.
func TestRule440_AModelThatThinksIsSeenToThink(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`), llmtest.Say("Деньги есть.")))
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "сколько денег на счетах?"})
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for e, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		var data loop.Thinking
		if e.Type != stockhand.EventThinking {
			continue
		}
		if e.Seq != 0 || json.Unmarshal(e.Data, &data) != nil || data.Iteration == 0 {
			t.Errorf("%d %s", e.Seq, e.Data)
		}
		if !slices.Contains(labels, data.Label) {
			labels = append(labels, data.Label)
		}
	}
	if want := []string{"Думаю над вопросом", "Изучаю прочитанное"}; !slices.Equal(labels, want) {
		t.Errorf("%q", labels)
	}
}

// The same call in the next turn sends nothing, and the answer says of when the data is.
func TestRule441_WhatWasReadMinutesAgoIsUsedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		second string
		call   llmtest.Answer
		after  time.Duration
		again  bool
	}{
		"the same call":       {"и что по деньгам?", llmtest.CallTool("money", ` { } `), time.Minute, true},
		"refreshed":           {"обнови данные по деньгам", llmtest.CallTool("money", `{}`), time.Minute, false},
		"later":               {"и что по деньгам?", llmtest.CallTool("money", `{}`), 4 * time.Minute, false},
		"with other argument": {"и что по деньгам?", llmtest.CallTool("stock", `{"limit":2}`), time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			at := now
			s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`), llmtest.Say("Готово."), c.call,
				llmtest.Say("Готово.")), func(a *agent.Config) { a.Clock = func() time.Time { return at } })
			first := s.ask("сколько денег на счетах?")
			if len(first.Results) != 1 {
				t.Fatalf("%+v", first.Failure)
			}
			sent := len(s.sandbox.Requests())
			at = at.Add(c.after)
			f := s.ask(c.second)
			again := len(s.sandbox.Requests()) == sent
			said := slices.ContainsFunc(f.Results[0].Notices,
				func(n tool.Notice) bool { return n.Code == tool.NoticeReused })
			if f.Failure != nil || again != c.again || said != c.again ||
				strings.Contains(f.FinalResponse, "прочитаны несколько минут назад") != c.again {
				t.Errorf("%d requests, said %t, %+v: %s", len(s.sandbox.Requests())-sent, said, f.Failure,
					f.FinalResponse)
			}
			if c.again && (!f.Results[0].Provenance.Read.Equal(first.Results[0].Provenance.Read) ||
				f.Results[0].ID == first.Results[0].ID || f.Results[0].Provenance.Requests != 0) {
				t.Errorf("%+v", f.Results[0].Provenance)
			}
		})
	}
}
