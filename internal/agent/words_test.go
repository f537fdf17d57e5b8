package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAnActionThatAModelOnlyClaimsIsDenied(t *testing.T) {
	denied := func(n tool.Notice) bool { return n.Code == tool.NoticeNothingDone }
	for task, said := range map[string]string{
		"подтверждаю":     "Заказ поставщику подтверждён и отправлен. Всё оформлено.",
		"что с деньгами?": "Я подтвердил черновик.",
		"confirm it":      "Done: I've created the order.",
		"подготовь заказы поставщикам":    "Готово!",
		"перемести излишки, где дефицит":  "Сделано.",
		"сколько заказано у поставщиков?": "Все заказы отправлены.",
	} {
		s := newModelShop(t, 1, llmtest.Always(llmtest.Say(said)))
		f := s.ask(task)
		i := slices.IndexFunc(f.Notices, denied)
		if i < 0 || !strings.Contains(f.FinalResponse, f.Notices[i].Message) {
			t.Errorf("%q: %s\n%+v", said, f.FinalResponse, f.Notices)
		}
	}
	for _, said := range []string{"На счетах есть деньги.", "Это можно отправить позже, если вы подтвердите черновик.",
		"Проведены ли документы, не видно."} {
		s := newModelShop(t, 1, llmtest.Always(llmtest.Say(said)))
		if f := s.ask("сколько денег на счетах?"); slices.ContainsFunc(f.Notices, denied) {
			t.Errorf("%q is taken for an action: %s", said, f.FinalResponse)
		}
	}
}

func TestAModelThatSaysNothingLeavesTheTaskToTheReader(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Say("")))
	f := s.ask("сколько денег на счетах?")
	if name, _ := called(t, f); name != "moysklad_money" ||
		!slices.ContainsFunc(f.Notices, func(n tool.Notice) bool { return n.Code == tool.NoticeNoModel }) {
		t.Errorf("called %s: %s\n%+v", name, f.FinalResponse, f.Notices)
	}
	if f.InputTokens == 0 {
		t.Error("what the model used is not counted")
	}
}

func TestCallsWithIDsLikeOursAreDistinguished(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.CallTools(llmtest.Call("call_1_2", "stock", `{}`), llmtest.Call("call_1_2", "money", `{}`),
			llmtest.Call("", "find_products", `{"query":"плед"}`)),
		llmtest.Say("Готово.")))
	if f := s.ask("какие остатки?"); f.Failure != nil || len(f.ToolCalls) != 3 {
		t.Fatalf("%d calls, %+v", len(f.ToolCalls), f.Failure)
	}
	seen := map[string]bool{}
	for _, m := range s.model.Requests()[1].Messages {
		if m.Role == llm.ToolRole {
			if seen[m.CallID] {
				t.Errorf("two calls are %s", m.CallID)
			}
			seen[m.CallID] = true
		}
	}
}

func TestTheAnswerToWhichAccountIsUnderstoodWithoutASession(t *testing.T) {
	s := newShop(t, 2)
	const task = "сколько денег на счетах?"
	asked := s.ask(task)
	if asked.Question == nil || asked.Question.Code != stockhand.CodeAccountRequired {
		t.Fatalf("%+v", asked)
	}
	again := func(question, reply string) *agent.Finished {
		turn, err := s.Start(t.Context(), s.org,
			agent.Task{Text: reply, History: []agent.HistoryMessage{{Author: stockhand.FromPerson, Text: task},
				{Author: stockhand.FromAgent, Text: question}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
			if err != nil {
				t.Fatal(err)
			}
		}
		f, err := s.Finished(t.Context(), s.org, turn.Run)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	second := asked.Question.Options[1]
	for _, reply := range []string{"2", second.Text, string(second.Account)} {
		f := again(asked.FinalResponse, reply)
		if name, _ := called(t, f); name != "moysklad_money" || f.Results[0].Provenance.Account != second.Account {
			t.Errorf("%s: called %s on %s", reply, name, f.Results[0].Provenance.Account)
		}
	}
	// Numbers of a list that was never asked, or not like this, choose nothing.
	if f := again(strings.Replace(asked.FinalResponse, "2. ", "1. ", 1), "2"); len(f.Results) != 0 {
		t.Errorf("a forged question chose %s", f.Results[0].Provenance.Account)
	}
}

// TestFollowUpsAreUnderstoodWithoutASession sends the whole conversation with each message, as chat programs do
// (rule R296).
func TestFollowUpsAreUnderstoodWithoutASession(t *testing.T) {
	s := newShop(t, 1)
	s.ask("остатки по складам") // the account's names are known from here on
	for _, c := range []struct{ tool, want, said string }{
		{"moysklad_documents", `"kinds":["demand"],"from":`, "какие отгрузки были вчера | а позавчера?"},
		{"moysklad_documents", `"unpaid":true`, "покажи заказы поставщикам за прошлый месяц | только неоплаченные"},
		{"moysklad_analyze", `"by":["store"]`, "выручка за прошлый месяц | а по складам"},
		{"moysklad_analyze", `"measures":["quantity"]`, "выручка по складам за прошлый месяц | а по группам | в штуках"},
	} {
		var history []agent.HistoryMessage
		said := strings.Split(c.said, " | ")
		for _, m := range said[:len(said)-1] {
			history = append(history, agent.HistoryMessage{Author: stockhand.FromPerson, Text: m},
				agent.HistoryMessage{Author: stockhand.FromAgent, Text: "…"})
		}
		turn, err := s.Start(t.Context(), s.org, agent.Task{Text: said[len(said)-1], History: history})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range s.Follow(t.Context(), s.org, turn.Run, 0) {
			if err != nil {
				t.Fatal(err)
			}
		}
		f, err := s.Finished(t.Context(), s.org, turn.Run)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := called(t, f)
		if input := string(f.ToolCalls[0].Arguments); name != c.tool || !strings.Contains(input, c.want) {
			t.Errorf("%s: called %s %s", c.said, name, input)
		}
	}
}
