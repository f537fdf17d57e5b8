package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/tool"
)

const noRoom = `{"error":{"message":"maximum context length","code":"context_length_exceeded"}}`

// A server that has room for less than we think gets a shorter request: the oldest results are shortened.
func TestRule376_ARequestWithoutRoomIsShortened(t *testing.T) {
	full := 0
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch {
		case n == 0:
			return llmtest.CallTools(llmtest.Call("1", "stock", `{}`))
		case n == 1:
			return llmtest.CallTools(llmtest.Call("2", "turnover", `{}`))
		case full == 0:
			full = len(r.Body)
			return llmtest.Answer{Status: 400, Body: noRoom}
		case len(r.Body) >= full:
			return llmtest.Answer{Status: 400, Body: noRoom}
		}
		return llmtest.Say("Готово.")
	})
	f := s.ask("какие остатки и оборачиваемость?")
	if f.Failure != nil || !strings.HasPrefix(f.FinalResponse, "Готово.") || len(s.model.Requests()) != 4 {
		t.Errorf("%d requests, %+v: %s", len(s.model.Requests()), f.Failure, f.FinalResponse)
	}
	s = newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		if n == 0 {
			return llmtest.CallTools(llmtest.Call("1", "money", `{}`))
		}
		return llmtest.Answer{Status: 400, Body: noRoom}
	})
	f = s.ask("сколько денег на счетах?")
	if f.Failure != nil || !strings.Contains(f.FinalResponse, "перестала отвечать") || len(s.model.Requests()) > 4 {
		t.Errorf("%d requests, %+v: %s", len(s.model.Requests()), f.Failure, f.FinalResponse)
	}
}

// A model that is down for minutes in the middle of a run is waited for, and the run continues.
func TestARunWaitsForAModelThatIsDown(t *testing.T) { // rule R375
	at := now
	model := llmtest.New(t, func(n int, _ llmtest.Request) llmtest.Answer {
		switch {
		case n == 0:
			return llmtest.CallTool("money", `{}`)
		case n < 14:
			return llmtest.Answer{Status: 503}
		}
		return llmtest.Say("Деньги есть.")
	})
	config := model.Config()
	config.Clock = llm.Clock{Now: func() time.Time { return at }}
	config.Clock.Sleep = func(_ context.Context, d time.Duration) error {
		at = at.Add(d)
		return nil
	}
	all, err := llm.Load(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newModelShop(t, 1, llmtest.Turns(), func(c *agent.Config) {
		c.Model.Model, c.Model.Limits.Patience = all.Model(), 0
	})
	f := s.ask("сколько денег на счетах?")
	if f.Failure != nil || !strings.HasPrefix(f.FinalResponse, "Деньги есть.") || at.Sub(now) < 30*time.Second {
		t.Errorf("after %s: %+v: %s", at.Sub(now), f.Failure, f.FinalResponse)
	}
}

// What is left of the month is enough for a shorter reply than usual.
func TestABudgetReservesOnlyWhatIsLeft(t *testing.T) { // rule R377
	unlimited := newModelShop(t, 1, llmtest.Always(llmtest.Say("Готово.")))
	unlimited.ask("расскажи, как дела")
	whole := llm.Estimate(string(unlimited.model.Requests()[0].Body))
	for left, want := range map[int]string{whole + 200: "Готово.", 400: ""} {
		var db *store.DB
		s := newModelShop(t, 1, llmtest.Always(llmtest.Answer{Text: "Готово.",
			Usage: &llm.Usage{Input: 100, Output: 10}}), func(c *agent.Config) {
			db = c.Store.(*store.DB)
			c.Model.Budget = llm.NewBudget(db.System().Activity(),
				llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: left}}, func() time.Time { return now })
		})
		f := s.ask("расскажи, как дела")
		over := slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel })
		if over != (want == "") || want != "" && f.FinalResponse != want {
			t.Errorf("%d left: %s, %+v", left, f.FinalResponse, f.Failure)
		}
		used, err := db.System().Activity().ModelBudget(t.Context(), s.org, "2026-11")
		if err != nil || used.TokensReserved != 0 || used.TokensSpent > int64(left) {
			t.Errorf("%+v, %v", used, err)
		}
		if want == "" {
			continue
		}
		var sent struct {
			Most int `json:"max_tokens"`
		}
		if err := json.Unmarshal(s.model.Requests()[0].Body, &sent); err != nil || sent.Most <= 0 || sent.Most >= 4096 {
			t.Errorf("a reply of %d tokens, %v", sent.Most, err)
		}
	}
}
