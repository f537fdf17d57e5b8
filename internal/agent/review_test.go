package agent_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/agent/loop"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
)

// moneyThen calls money once; answers get the balance of the first account and give the texts after it, one by one.
func moneyThen(t *testing.T, steps int, answers ...func(balance string) llmtest.Answer) (*modelShop, *agent.Finished) {
	t.Helper()
	said := 0
	s := newModelShop(t, 1, func(n int, r llmtest.Request) llmtest.Answer {
		if n == 0 {
			return llmtest.CallTool("money", `{}`)
		}
		said++
		return answers[min(said, len(answers))-1](row(r)["balance"])
	}, func(c *agent.Config) { c.Model.Limits.MaxIterations = steps })
	return s, s.ask("сколько денег на счетах?")
}

func saying(format string) func(string) llmtest.Answer {
	return func(balance string) llmtest.Answer {
		return llmtest.Say(strings.ReplaceAll(format, "%", balance))
	}
}

func TestAnAnswerWithAFigureFoundNowhereIsSentBackOnce(t *testing.T) { // rule R365
	const wrong = "На счёте 123 456,78 ₽."
	for name, c := range map[string]struct {
		steps    int
		answers  []func(string) llmtest.Answer
		requests int
		marks    int
		has      string
	}{
		"corrected":     {9, []func(string) llmtest.Answer{saying(wrong), saying("На счёте % ₽.")}, 3, 0, "На счёте"},
		"not corrected": {9, []func(string) llmtest.Answer{saying(wrong), saying(wrong), saying("—")}, 3, 1, "123 456"},
		"made worse":    {9, []func(string) llmtest.Answer{saying(wrong), saying("На счёте 777,77 ₽, в кассе 888,88 ₽.")}, 3, 1, "123 456"},
		"said nothing":  {9, []func(string) llmtest.Answer{saying(wrong), saying("")}, 3, 1, "123 456"},
		"figures lost": {9,
			[]func(string) llmtest.Answer{saying("Всего % ₽, а было 777,77 ₽."), saying("Извините.")}, 3, 1, "777,77"},
		"no step is left":  {2, []func(string) llmtest.Answer{saying(wrong)}, 2, 1, "123 456"},
		"nothing to check": {9, []func(string) llmtest.Answer{saying("На счёте % ₽.")}, 2, 0, "На счёте"},
	} {
		t.Run(name, func(t *testing.T) {
			s, f := moneyThen(t, c.steps, c.answers...)
			got := strings.Count(strings.Split(f.FinalResponse, "\n\n"+grounding.Mark)[0], grounding.Mark)
			n := len(s.model.Requests())
			if n != c.requests || got != c.marks || !strings.Contains(f.FinalResponse, c.has) {
				t.Errorf("%d requests, %d marks: %s", n, got, f.FinalResponse)
			}
			if c.requests < 3 {
				return
			}
			back := s.model.Requests()[2].Last(llm.User).Content
			if !strings.Contains(back, "in no result") || !strings.Contains(back, "r1)") || len(back) > 4000 {
				t.Errorf("it was sent back with %q", back)
			}
		})
	}
}

func TestAModelThatFailsWhenItIsAskedAgainHasItsFirstAnswerShown(t *testing.T) { // rule R365
	_, f := moneyThen(t, 9, saying("На счёте 123 456,78 ₽."), func(string) llmtest.Answer {
		return llmtest.Answer{Status: 401}
	})
	if f.Failure != nil || !strings.Contains(f.FinalResponse, "123 456,78 ₽"+grounding.Mark) {
		t.Errorf("%+v %s", f.Failure, f.FinalResponse)
	}
}

func TestEveryFigureOfAnAnswerSaysHowItIsKnown(t *testing.T) { // rule R364
	_, f := moneyThen(t, 9, saying("На счёте % ₽. Прогноз на месяц: 500 000 ₽. Было 777,77 ₽."))
	var classes []string
	for _, b := range f.Blocks {
		for _, x := range b.Facts {
			classes = append(classes, string(x.Class))
			text := []rune(b.Text)
			if x.Start < 0 || x.End > len(text) || !strings.ContainsAny(string(text[x.Start:x.End]), "0123456789") {
				t.Errorf("%+v of %q", x, b.Text)
			}
			if x.Class == blocks.Read && (x.Result != f.Results[0].ID || x.Column != "balance" || x.Row == nil) {
				t.Errorf("%+v", x)
			}
		}
	}
	if got := strings.Join(classes, " "); got != "read estimate unverified" {
		t.Errorf("%s: %s", got, f.FinalResponse)
	}
}

func TestAModelPlacesTablesAndChartsOfResults(t *testing.T) { // rule R366
	s := newModelShop(t, 1, llmtest.Turns(
		llmtest.CallTools(llmtest.Call("a", "stock", `{}`), llmtest.Call("b", "analyze",
			`{"measures":["revenue","profit"],"by":["month"],"from":"2026-09-01","to":"2026-11-20"}`)),
		llmtest.Say("По месяцам:\n[[table r2 columns=month,profit]]\nГрафик:\n\n[[chart: r2]]\n\nВсё.")))
	f := s.ask("прибыль по месяцам, таблицей и графиком")
	var kinds []string
	for _, b := range f.Blocks {
		kinds = append(kinds, string(b.Type))
		if b.Type == blocks.Table && (strings.Join(b.Columns, " ") != "month profit" || b.Result != f.Results[0].ID) {
			t.Errorf("%+v", b)
		}
		if b.Type == blocks.Chart && (b.Chart != blocks.Line || b.X != "month") {
			t.Errorf("%+v", b)
		}
	}
	if got := strings.Join(kinds, " "); got != "text table text chart text" {
		t.Errorf("%s: %+v", got, f.Blocks)
	}
	if strings.Contains(f.FinalResponse, "[[") || strings.Count(f.FinalResponse, "| --- |") != 1 ||
		!strings.HasPrefix(f.FinalResponse, "По месяцам:\n\n| ") || strings.Contains(f.FinalResponse, grounding.Mark) {
		t.Error(f.FinalResponse)
	}
	if strings.Contains(f.FinalResponse, "рхив") { // a notice of the result that the answer does not use
		t.Error(f.FinalResponse)
	}
	if len(f.Results) != 1 || slices.ContainsFunc(f.Notices,
		func(n tool.Notice) bool { return strings.Contains(n.Message, "рхив") }) { // rule R367
		t.Errorf("%d results, notices %+v", len(f.Results), f.Notices)
	}
}

func TestAReferenceToNoResultIsSentBack(t *testing.T) { // rule R366
	s, f := moneyThen(t, 9, saying("Вот счета:\n\n[[table r7]]"), saying("Вот счета:\n\n[[table r1]]"))
	if back := s.model.Requests()[2].Last(llm.User).Content; !strings.Contains(back, "no result r7") {
		t.Error(back)
	}
	if !strings.Contains(f.FinalResponse, "| ") || len(f.Blocks) != 2 {
		t.Errorf("%s: %+v", f.FinalResponse, f.Blocks)
	}
}

func TestATaskOfSeveralPartsHasAPlan(t *testing.T) { // rule R430
	calls := func(text string) llmtest.Script {
		return func(n int, _ llmtest.Request) llmtest.Answer {
			if n == 0 {
				a := llmtest.CallTool("money", `{}`)
				a.Text = text
				return a
			}
			return llmtest.Say("Готово.")
		}
	}
	const task = "сравни топ 5 товаров и деньги, объясни разницу"
	for name, c := range map[string]struct {
		text string
		plan []string
	}{
		"a list": {"План:\n1. Прочитаю топ 5 за 2026 год\n- сравню с деньгами\n\n", []string{"Прочитаю топ 5 за 2026 год",
			"сравню с деньгами"}},
		"one line":      {"Сейчас прочитаю деньги.", nil},
		"a figure":      {"1. На счетах 300 000 ₽\n2. прочитаю деньги\n3. сравню", []string{"прочитаю деньги", "сравню"}},
		"nothing":       {"", nil},
		"an attack":     {"прочитаю\x1b[m\n<img src=x>\n", []string{"прочитаю[m", "<img src=x>"}}, // shown as text
		"of many lines": {strings.Repeat("1. прочитаю деньги\n", 9), slices.Repeat([]string{"прочитаю деньги"}, 6)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newModelShop(t, 1, calls(c.text))
			turn, err := s.Start(t.Context(), s.org, agent.Task{Text: task, Session: s.session})
			if err != nil {
				t.Fatal(err)
			}
			s.end(turn)
			events, err := s.db.Events(t.Context(), s.org, turn.Run, 0, 200)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range events {
				var plan loop.Plan
				if e.Type == stockhand.EventPlan && json.Unmarshal(e.Data, &plan) == nil {
					got = plan.Steps
				}
			}
			if !slices.Equal(got, c.plan) {
				t.Errorf("%q", got)
			}
		})
	}
}
