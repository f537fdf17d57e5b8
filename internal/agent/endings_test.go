package agent_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/store"
)

// Above the month's budget the reader answers, and says so; the model is not asked.
func TestRule377_AboveTheMonthsBudgetTheReaderAnswersAndSaysSo(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Say("Готово.")), func(c *agent.Config) {
		c.Model.Budget = llm.NewBudget(c.Store.(*store.DB).System().Activity(),
			llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: 100}}, func() time.Time { return now })
	})
	f := s.ask("сколько денег на счетах?")
	if f.Failure != nil || len(s.model.Requests()) != 0 || len(f.ToolCalls) != 1 ||
		!strings.Contains(f.FinalResponse, "Как посчитано") ||
		!strings.Contains(f.FinalResponse, "Бюджет языковой модели на этот месяц исчерпан") {
		t.Errorf("asked %d times, %+v, %+v: %s", len(s.model.Requests()), f.ToolCalls, f.Failure, f.FinalResponse)
	}
}

// A month's budget that ends in the middle of a run leaves what was read, in words.
func TestRule370_ABudgetThatEndsInTheMiddleShowsWhatWasRead(t *testing.T) {
	first := llmtest.CallTool("money", `{}`)
	first.Usage = &llm.Usage{Input: 29_950, Output: 10}
	s := newModelShop(t, 1, llmtest.Turns(first, llmtest.Say("Готово.")), func(c *agent.Config) {
		c.Model.Budget = llm.NewBudget(c.Store.(*store.DB).System().Activity(),
			llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: 30_000}}, func() time.Time { return now })
	})
	f := s.ask("сколько денег на счетах?")
	if f.Failure != nil || len(s.model.Requests()) != 1 || len(f.Results) != 1 ||
		!strings.Contains(f.FinalResponse, "Лимит языковой модели исчерпан; показано то, что уже прочитано") ||
		!strings.Contains(f.FinalResponse, "₽") {
		t.Errorf("asked %d times, %+v: %s", len(s.model.Requests()), f.Failure, f.FinalResponse)
	}
}

// Money is kept for the last reply like tokens: where another step would leave none, the model must answer.
func TestRule370_MoneyIsKeptForTheAnswer(t *testing.T) {
	first := llmtest.CallTool("money", `{}`)
	first.Usage = &llm.Usage{Input: 20_000, Output: 100}
	model := llmtest.New(t, llmtest.Turns(first, llmtest.Say("Готово.")))
	config, one := model.Config(), decimal.FromInt(1) // a millionth for each token
	config.Providers[0].Models[0].InputPrice, config.Providers[0].Models[0].OutputPrice = one, one
	all, err := llm.Load(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newModelShop(t, 1, llmtest.Turns(), func(c *agent.Config) {
		c.Model.Model, c.Model.Limits.RunMoney = all.Model(), decimal.MustParse("0.037")
	})
	f := s.ask("сколько денег на счетах?")
	if r := model.Requests(); !strings.HasPrefix(f.FinalResponse, "Готово.") || len(r) != 2 ||
		!strings.Contains(string(r[1].Body), `"tool_choice":"none"`) {
		t.Errorf("%+v, asked %d times: %s", f.Failure, len(r), f.FinalResponse)
	}
}

// Sixteen calls of a step are made, and the model reads that the seventeenth was not.
func TestSixteenCallsOfAStepAreMade(t *testing.T) {
	var calls []llm.Call
	for i := range 17 {
		id := string(rune('a' + i))
		calls = append(calls, llmtest.Call(id, "stock", `{"limit":`+string(rune('1'+i%9))+`,"products":["`+id+`"]}`))
	}
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		if n == 0 {
			return llmtest.CallTools(calls...)
		}
		refused := 0
		for _, m := range r.Messages {
			if m.Role == llm.ToolRole && strings.Contains(m.Content, "at most 16 calls in a step") {
				refused++
			}
		}
		if refused != 1 {
			t.Errorf("%d calls were refused", refused)
		}
		return llmtest.Say("Готово.")
	})
	if f := s.ask("какие остатки?"); f.Failure != nil || len(f.ToolCalls) != 16 {
		t.Errorf("%d calls, %+v", len(f.ToolCalls), f.Failure)
	}
}

// While a model is down, followers see that it is waited for.
func TestRule440_AModelThatIsWaitedForIsSeenToBeDown(t *testing.T) {
	model := llmtest.New(t, func(n int, _ llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("money", `{}`)
		case 1, 2, 3:
			return llmtest.Answer{Status: http.StatusServiceUnavailable}
		}
		return llmtest.Say("Деньги есть.")
	})
	at := now
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
		if e.Type == stockhand.EventThinking && json.Unmarshal(e.Data, &data) == nil {
			labels = append(labels, data.Label)
		}
	}
	if !slices.Contains(labels, "Языковая модель не отвечает, жду её") {
		t.Errorf("%q", labels)
	}
}

// The tools and the instructions are the same to the byte in each request and for each question, so that providers keep
// them (rule R371).
func TestRule371_TheBeginningOfRequestsNeverChanges(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`), llmtest.Say("Готово."),
		llmtest.CallTool("propose_transfers", `{}`), llmtest.Say("Готово.")))
	s.ask("сколько денег на счетах?")
	s.session = ""
	s.ask("перемести излишки туда, где дефицит")
	var first string
	for i, r := range s.model.Requests() {
		var sent struct {
			Tools    json.RawMessage
			Messages []json.RawMessage
		}
		if err := json.Unmarshal(r.Body, &sent); err != nil {
			t.Fatal(err)
		}
		beginning := string(sent.Tools) + string(sent.Messages[0])
		if i == 0 {
			first = beginning
		}
		if beginning != first || len(sent.Tools) < 5000 {
			t.Errorf("request %d begins otherwise than the first", i+1)
		}
	}
	if n := len(s.model.Requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}
