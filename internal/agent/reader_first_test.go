package agent_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// R325
func TestTheReaderAnswersFirstOnlyWhatItUnderstandsCompletely(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Say("Это ответ модели.")),
		func(c *agent.Config) { c.Model.Reader = llm.ReaderFirst })
	for _, task := range []string{"сколько денег на счетах?", "stock by warehouse", "выручка по месяцам за этот год",
		"что заказать?", "Что заказать?", "сравни октябрь и сентябрь, почему изменилась прибыль?"} {
		f := s.ask(task)
		if len(s.model.Requests()) != 0 || len(f.Results) != 1 || strings.Contains(f.FinalResponse, "модели") {
			t.Errorf("%s: the model was asked %d times: %s", task, len(s.model.Requests()), f.FinalResponse)
		}
	}
	for i, task := range []string{"сколько денег на счетах хрюндигеля?", "что посоветуешь по остаткам?"} {
		f := s.ask(task)
		if len(s.model.Requests()) != i+1 || !strings.Contains(f.FinalResponse, "модели") {
			t.Fatalf("%s: the model was asked %d times: %s", task, len(s.model.Requests()), f.FinalResponse)
		}
		if got := s.model.Requests()[i].Last(llm.User).Content; !strings.HasPrefix(got, task) ||
			!strings.Contains(got, "moysklad_") {
			t.Errorf("no reading in what the model was asked: %s", got)
		}
	}
}

// What the reader understands completely is read before the model is asked, which answers in one request (R713).
func TestRule713_TheModelBeginsWithWhatTheReaderIsCertainOf(t *testing.T) {
	s := newModelShop(t, 1, llmtest.Always(llmtest.Say("Это ответ модели.")),
		func(c *agent.Config) { c.Model.Reader = llm.ReaderHint })
	f := s.ask("сколько денег на счетах?")
	if len(s.model.Requests()) != 1 || !strings.Contains(f.FinalResponse, "модели") || len(f.ToolCalls) != 1 {
		t.Fatalf("the model was asked %d times: %s", len(s.model.Requests()), f.FinalResponse)
	}
	r := s.model.Requests()[0]
	if got := r.Last(llm.User).Content; got != "сколько денег на счетах?" {
		t.Errorf("the model was asked %q", got)
	}
	if got := r.Last(llm.ToolRole).Content; !strings.Contains(got, `r1: money {"what":"balances"`) {
		t.Errorf("the model did not read what the reader called: %s", got)
	}
	s.ask("что посоветуешь по остаткам?") // not certain: a hint, and the model decides
	if got := s.model.Requests()[1].Last(llm.User).Content; !strings.Contains(got, "moysklad_") {
		t.Errorf("the hint is missing: %s", got)
	}
	s.ask("закажи у поставщиков всё, что ниже минимума") // the model proposes, not the reader
	if last := s.model.Requests()[2].Messages; last[len(last)-1].Role != llm.User {
		t.Errorf("it begins with %+v", last[len(last)-1])
	}
}
