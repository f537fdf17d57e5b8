package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/tool"
)

// end waits for a turn's end and returns what came of it.
func (s *shop) end(turn agent.Turn) *agent.Finished {
	s.t.Helper()
	for _, err := range s.Follow(s.t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	f, err := s.Finished(s.t.Context(), s.org, turn.Run)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

func TestCodeAndNotTheModelChoosesTheAccount(t *testing.T) {
	s := newModelShop(t, 2, func(_ int, r llmtest.Request) llmtest.Answer {
		if r.Messages[len(r.Messages)-1].Role == llm.ToolRole {
			return llmtest.Say("Готово.")
		}
		return llmtest.CallTool("money", `{}`)
	})
	f := s.ask("сколько денег на счетах?")
	if f.Question == nil || f.Question.Code != stockhand.CodeAccountRequired || len(s.model.Requests()) != 0 {
		t.Fatalf("question %+v; the model was asked %d times", f.Question, len(s.model.Requests()))
	}
	second := f.Question.Options[1]
	f = s.ask("2")
	if name, _ := called(t, f); name != "moysklad_money" || f.Results[0].Provenance.Account != second.Account {
		t.Errorf("called %s on %s, want %s", name, f.Results[0].Provenance.Account, second.Account)
	}
	if task := s.model.Requests()[0].Last(llm.User).Content; task != "сколько денег на счетах?" {
		t.Errorf("the model was asked %q", task)
	}
	asked := len(s.model.Requests())
	f = s.ask("сложи деньги по всем аккаунтам вместе")
	if f.Failure == nil || f.Failure.Code != stockhand.CodeConsolidation || len(s.model.Requests()) != asked {
		t.Errorf("%+v; the model was asked %d times", f.Failure, len(s.model.Requests())-asked)
	}
}

func TestAGreetingNeedsNoAccount(t *testing.T) {
	s := newModelShop(t, 2, llmtest.Always(llmtest.Say("x")))
	if f := s.ask("привет"); f.Question != nil || f.Failure != nil || f.FinalResponse == "" {
		t.Errorf("%+v, %+v", f.Question, f.Failure)
	}
}

func TestARunStaysWithinItsTokenLimit(t *testing.T) {
	first := llmtest.CallTool("money", `{}`)
	first.Usage = &llm.Usage{Input: 20000, Output: 100}
	script := llmtest.Turns(first, llmtest.Say("Готово."))
	s := newModelShop(t, 1, script, func(c *agent.Config) { c.Model.Limits.RunTokens = 100 })
	f := s.ask("сколько денег на счетах?")
	withoutModel := func(f *agent.Finished) bool { // rule R377
		return f.Failure == nil && strings.Contains(f.FinalResponse, "Как посчитано") &&
			strings.Contains(f.FinalResponse, "не укладывается в лимит") && len(s.model.Requests()) == 0
	}
	if !withoutModel(f) {
		t.Errorf("%+v, asked %d times: %s", f.Failure, len(s.model.Requests()), f.FinalResponse)
	}
	// Enough for the first request alone: the answer is what had been read, and says so.
	s = newModelShop(t, 1, script, func(c *agent.Config) { c.Model.Limits.RunTokens = 25_000 })
	f = s.ask("сколько денег на счетах?")
	if f.Failure != nil || !strings.Contains(f.FinalResponse, "Как посчитано") || len(s.model.Requests()) != 1 ||
		!slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel }) {
		t.Errorf("%+v, asked %d times: %s", f.Failure, len(s.model.Requests()), f.FinalResponse)
	}
	if f.InputTokens+f.OutputTokens > 25_000 {
		t.Errorf("%d tokens were used of 25000", f.InputTokens+f.OutputTokens)
	}
	// Where another step would leave no words for the answer, the model must answer.
	s = newModelShop(t, 1, script, func(c *agent.Config) { c.Model.Limits.RunTokens = 37_000 })
	f = s.ask("сколько денег на счетах?")
	if r := s.model.Requests(); !strings.HasPrefix(f.FinalResponse, "Готово.") || len(r) != 2 ||
		!strings.Contains(string(r[1].Body), `"tool_choice":"none"`) {
		t.Errorf("%+v, asked %d times: %s", f.Failure, len(r), f.FinalResponse)
	}
	s = newModelShop(t, 1, script, func(c *agent.Config) {
		c.Model.Model = priced{c.Model.Model}
		c.Model.Limits.RunMoney = decimal.MustParse("0.000001")
	})
	if f = s.ask("сколько денег на счетах?"); !withoutModel(f) {
		t.Errorf("the bound on money does not hold: %+v: %s", f.Failure, f.FinalResponse)
	}
}

// priced is a model whose every token costs a millionth.
type priced struct{ llm.Model }

func (priced) Cost(u llm.Usage) int64 { return int64(u.Total()) }

// What is reserved counts before it is used: runs at once do not overshoot together, and what was not used is given
// back.
func TestConcurrentRunsDoNotExceedTheMonthsBudget(t *testing.T) {
	const month = 60_000
	var budget *llm.Budget
	var db *store.DB
	s := newModelShop(t, 1, llmtest.Always(
		llmtest.Answer{Text: "Готово.", Delay: 20 * time.Millisecond, Usage: &llm.Usage{Input: 2000, Output: 1000}}),
		func(c *agent.Config) {
			db = c.Store.(*store.DB)
			budget = llm.NewBudget(db.System().Activity(), llm.Limits{MonthLimits: llm.MonthLimits{MonthTokens: month}},
				func() time.Time { return now })
			c.Model.Budget = budget
		})
	var turns []agent.Turn
	for range 20 {
		turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "что нового на складе?"})
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	done, refused := 0, 0
	for _, turn := range turns {
		switch f := s.end(turn); {
		case f.Failure != nil:
			t.Errorf("%+v", f.Failure)
		case f.FinalResponse == "Готово.":
			done++
		case slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel }):
			refused++ // the reader took over, and says so
		default:
			t.Errorf("%s", f.FinalResponse)
		}
	}
	b, err := db.System().Activity().ModelBudget(t.Context(), s.org, "2026-11")
	if err != nil || b.TokensSpent > month || b.TokensReserved != 0 || b.TokensSpent != int64(done)*3000 ||
		refused == 0 {
		t.Errorf("%d done, %d refused, %+v, %v", done, refused, b, err)
	}
}

func TestACancelledRunStopsTheModel(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Answer{Text: "слово ", StallAfter: 2}), func(c *agent.Config) {})
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "какие остатки?"})
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	for e, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == stockhand.EventDelta {
			once.Do(func() {
				if err := s.Cancel(t.Context(), s.org, turn.Run); err != nil {
					t.Error(err)
				}
			})
		}
	}
	f, err := s.Finished(t.Context(), s.org, turn.Run)
	if err != nil || !f.Cancelled {
		t.Errorf("%+v, %v", f, err)
	}
}

// The model is shown few rows of a long table, and asks the result itself for more; what that returns is a result of
// the run.
func TestFiguresOfAQueryAreFound(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("stock", `{}`)
		case 1:
			if strings.Count(r.Last(llm.ToolRole).Content, "\n") > 70 {
				t.Errorf("the model was sent a whole table: %s", r.Last(llm.ToolRole).Content)
			}
			return llmtest.CallTools(llmtest.Call("q", "query_result", `{"result":"`+last(r)+
				`","where":[{"column":"stock","op":"gt","value":20}],"aggregate":[{"op":"count"},{"op":"sum","column":"stock"}]}`))
		}
		return llmtest.Say("Таких товаров " + row(r)["count"] + ", всего их " +
			strings.ReplaceAll(row(r)["sum_stock"], ".", ",") + ".")
	})
	f := s.ask("каких товаров больше 20 и сколько их всего?")
	if f.Failure != nil || len(f.Results) != 1 || f.Results[0].Tool != "query_result" ||
		f.Results[0].Provenance.Requests != 0 || len(f.ToolCalls) != 2 {
		t.Fatalf("%d results, %+v", len(f.Results), f.Failure)
	}
	if strings.Contains(f.FinalResponse, grounding.Mark) {
		t.Error(f.FinalResponse)
	}
}

func TestTheNextTurnRemembersTheConversationAndItsResults(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("money", `{}`)
		case 1:
			return llmtest.Say("Денег хватает.")
		case 2:
			var before string
			for _, m := range r.Messages {
				before += m.Role + ": " + m.Content + "\n"
			}
			if !strings.Contains(before, "user: сколько денег на счетах?\nassistant: <data>Денег хватает.") ||
				!slices.Contains(r.Tools, "query_result") {
				t.Errorf("the model read %s, with the tools %v", before, r.Tools)
			}
			id := before[strings.Index(before, "res_"):][:30]
			return llmtest.CallTool("query_result", `{"result":"`+id+`","top":1}`)
		}
		return llmtest.Say("Вот.")
	})
	s.ask("сколько денег на счетах?")
	if f := s.ask("а на каком больше всего?"); f.Failure != nil || len(f.Results) != 1 {
		t.Errorf("%+v, %d results", f.Failure, len(f.Results))
	}
}

func TestFiguresOfEarlierResultsAreNotMarked(t *testing.T) { // rule R363
	var sum string
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("receivables", `{}`)
		case 1:
			_, rest, _ := strings.Cut(r.Last(llm.ToolRole).Content, "Нам должны ")
			sum, _, _ = strings.Cut(rest, "\u00a0₽")
			return llmtest.Say("Готово.")
		}
		return llmtest.Say("Итого нам должны " + sum + " ₽, а не 987 654,32 ₽.")
	})
	s.ask("кто нам должен?")
	f := s.ask("подведи итог одной фразой")
	said := f.FinalResponse
	if sum == "" || !strings.Contains(said, sum+" ₽,") || !strings.Contains(said, "987 654,32 ₽⚠") {
		t.Errorf("%q: %s", sum, said)
	}
}

// Nothing is computed from rows that are gone: the model learns it.
func TestAQueryOfAnExpiredResultFails(t *testing.T) {
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		switch n {
		case 0:
			return llmtest.CallTool("money", `{}`)
		case 1:
			return llmtest.Say("Денег хватает.")
		case 2:
			before := r.Messages[len(r.Messages)-2].Content
			id := before[strings.Index(before, "res_"):][:30]
			return llmtest.CallTool("query_result", `{"result":"`+id+`","aggregate":[{"op":"count"}]}`)
		}
		if read := r.Last(llm.ToolRole).Content; !strings.Contains(read, "rows of this result were deleted") {
			t.Errorf("the model read %q", read)
		}
		return llmtest.Say("Этих строк больше нет.")
	})
	s.ask("сколько денег на счетах?")
	later := time.Now().AddDate(100, 0, 0)
	if done, _, err := s.db.RemoveOld(t.Context(), s.org, stockhand.Cutoffs{Results: later}, later,
		stockhand.AuditEntry{}); err != nil || done.Results != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if f := s.ask("сколько там строк?"); f.Failure != nil || len(f.Results) != 0 {
		t.Errorf("%+v, %d results", f.Failure, len(f.Results))
	}
}

func TestAnotherAccountsTurnsAreNotRemembered(t *testing.T) {
	s := newModelShop(t, 2, func(_ int, r llmtest.Request) llmtest.Answer {
		if r.Messages[len(r.Messages)-1].Role == llm.ToolRole {
			return llmtest.Say("Ответ про первый аккаунт.")
		}
		return llmtest.CallTool("money", `{}`)
	})
	accounts := s.sandbox.Accounts()
	s.ask("сколько денег на счетах " + accounts[0].AccountID)
	s.ask("сколько денег на счетах " + accounts[1].AccountID)
	if body := string(s.model.Requests()[2].Body); strings.Contains(body, "про первый аккаунт") ||
		strings.Contains(body, accounts[0].AccountID) {
		t.Errorf("a turn about one account reaches a turn about another: %s", body)
	}
}

func TestLongConversationsAndResultsAreShortened(t *testing.T) {
	const most = 24_000
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		if n < 12 {
			return llmtest.CallTool("stock", fmt.Sprintf(`{"limit":%d}`, n+100))
		}
		return llmtest.Say("Готово.")
	}, func(c *agent.Config) { c.Model.Context, c.Model.Limits.RunTokens = most, 1_000_000 })
	history := make([]agent.HistoryMessage, 40)
	for i := range history {
		history[i] = agent.HistoryMessage{Author: []stockhand.Author{stockhand.FromPerson, stockhand.FromAgent}[i%2],
			Text: strings.Repeat(fmt.Sprint("реплика ", i, " "), 60)}
	}
	turn, err := s.Start(t.Context(), s.org, agent.Task{Text: "какие остатки?", History: history})
	if err != nil {
		t.Fatal(err)
	}
	if f := s.end(turn); f.Failure != nil || len(f.Results) != 12 {
		t.Fatalf("%+v", f.Failure)
	}
	for i, r := range s.model.Requests() {
		var size llm.Request
		for _, m := range r.Messages {
			size.Messages = append(size.Messages, llm.Message{Content: m.Content, Calls: m.Calls})
		}
		if n := size.Tokens(); n > most {
			t.Errorf("request %d holds about %d tokens", i, n)
		}
	}
	if last := s.model.Requests()[12]; !strings.Contains(string(last.Body), "shortened") ||
		!strings.Contains(last.Last(llm.ToolRole).Content, "Rows:") {
		t.Error("old results are not shortened, or the newest is")
	}
}

func TestAProfileHoldsWithAModelAndWhenItFails(t *testing.T) {
	s := newModelShop(t, 2, func(_ int, r llmtest.Request) llmtest.Answer {
		if r.Messages[len(r.Messages)-1].Role == llm.ToolRole {
			return llmtest.Say("Готово.")
		}
		if strings.Contains(r.Last(llm.User).Content, "сломайся") {
			return llmtest.Answer{Status: 400}
		}
		return llmtest.CallTools(llmtest.Call("a", "money", `{}`), llmtest.Call("b", "reference", `{"kind":"stores"}`))
	})
	all, err := s.db.Connections(t.Context(), s.org)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.db.CreateAgent(t.Context(), s.org, stockhand.AgentProfile{
		Name: "Склад", Instructions: "Отвечай стихами.", Tools: []string{"moysklad_reference"},
		Connections: []stockhand.ConnectionID{all[0].ID}, Created: now, Updated: now,
	}, stockhand.AuditEntry{Actor: "test", Action: "agent.created"})
	if err != nil {
		t.Fatal(err)
	}
	run := func(task string, connection stockhand.ConnectionID) *agent.Finished {
		t.Helper()
		turn, err := s.Start(t.Context(), s.org, agent.Task{Text: task, Agent: p.ID, Connection: connection})
		if err != nil {
			t.Fatal(err)
		}
		return s.end(turn)
	}
	f := run("какие есть склады?", "")
	if name, _ := called(t, f); name != "moysklad_reference" || f.Results[0].Provenance.Account != all[0].Account {
		t.Errorf("called %s on %s", name, f.Results[0].Provenance.Account)
	}
	if first := s.model.Requests()[0]; !strings.Contains(first.Messages[0].Content, "Отвечай стихами.") ||
		slices.Contains(first.Tools, "money") {
		t.Errorf("tools %v, instructions %s", first.Tools, first.Messages[0].Content)
	}
	for _, f := range []*agent.Finished{
		run("какие есть склады?", all[1].ID),
		run("какие склады в аккаунте "+string(all[1].Account), ""),
		run("сломайся и скажи, сколько денег на счетах", ""), // the reader answers instead
	} {
		if f.Failure == nil || f.Failure.Code != stockhand.CodePermissionDenied || len(f.Results) != 0 {
			t.Errorf("%+v, %d results", f.Failure, len(f.Results))
		}
	}
}

func TestARejectedEmployeeTokenEndsTheRun(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("money", `{}`),
		llmtest.Say("Всё хорошо, на счетах миллион.")))
	if err := s.sandbox.Fail(sandbox.Fault{Path: "report/", Status: 401, Count: 100}); err != nil {
		t.Fatal(err)
	}
	f := s.ask("сколько денег на счетах?")
	if f.Failure == nil || f.Failure.Code != stockhand.CodeTokenRejected || len(s.model.Requests()) != 1 {
		t.Errorf("%+v: %s", f.Failure, f.FinalResponse)
	}
}

func TestTheModelReadsAToolsFailureWithAdvice(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("stock", `{"stores":["Северный полюс"]}`),
		llmtest.Say("Такого склада нет.")))
	f := s.ask("остатки на складе Северный полюс")
	if f.Failure != nil || f.FinalResponse != "Такого склада нет." || len(f.ToolCalls) != 1 {
		t.Fatalf("%+v, %s", f.Failure, f.FinalResponse)
	}
	if got := s.model.Requests()[1].Last(llm.ToolRole).Content; !strings.HasPrefix(got, "Failed: <data>") {
		t.Errorf("%s", got)
	}
}
