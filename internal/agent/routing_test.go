package agent_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// A small model begins short questions; the large one gets long ones, changes, and what the small one did not manage.
func TestRule429_ASmallModelBeginsWhatTheRuleGivesIt(t *testing.T) {
	balance := func(r llmtest.Request) string { return row(r)["balance"] }
	money := func(then func(n int, r llmtest.Request) llmtest.Answer) llmtest.Script {
		return func(n int, r llmtest.Request) llmtest.Answer {
			if n == 0 {
				return llmtest.CallTool("money", `{}`)
			}
			return then(n, r)
		}
	}
	right := func(_ int, r llmtest.Request) llmtest.Answer {
		return llmtest.Say("На счёте " + balance(r) + " ₽.")
	}
	for name, c := range map[string]struct {
		rule   llm.Routing
		task   string
		script llmtest.Script
		asked  string
	}{
		"short question":  {llm.Routing{}, "сколько денег на счетах?", money(right), "small small"},
		"long question":   {llm.Routing{MaxWords: 3}, "сколько денег на счетах?", money(right), "large large"},
		"asks for change": {llm.Routing{}, "подними цены на 5 %", llmtest.Always(llmtest.Say("Не могу.")), "large"},
		"changes allowed": {llm.Routing{Changes: true}, "подними цены на 5 %", llmtest.Always(llmtest.Say("Не могу.")),
			"small"},
		"too many steps": {llm.Routing{MaxSteps: 1}, "сколько денег на счетах?", money(right), "small large"},
		"sent back": {llm.Routing{}, "сколько денег на счетах?", money(func(n int, r llmtest.Request) llmtest.Answer {
			if n == 1 {
				return llmtest.Say("На счёте 123 456,78 ₽.")
			}
			return right(n, r)
		}), "small small large"},
		"fails": {llm.Routing{}, "сколько денег на счетах?", func(n int, r llmtest.Request) llmtest.Answer {
			if r.Model == "small" {
				return llmtest.Answer{Status: 400}
			}
			return money(right)(n/2, r)
		}, "small large small large"},
	} {
		t.Run(name, func(t *testing.T) {
			c.rule.Small = []string{"test/small"}
			m := llmtest.New(t, c.script)
			config := m.Config()
			config.Providers[0].Models = []llm.ModelConfig{{Name: "large"}, {Name: "small"}}
			config.PassThrough = nil
			config.Agent, config.Routing = []string{"test/large"}, c.rule
			all, err := llm.Load(config, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := newModelShop(t, 1, nil, func(a *agent.Config) {
				a.Model.Model, a.Model.Routing = all.Model(), all.Routing()
			})
			f := s.ask(c.task)
			var asked []string
			for _, r := range m.Requests() {
				asked = append(asked, r.Model)
			}
			if got := strings.Join(asked, " "); got != c.asked {
				t.Errorf("asked %s: %s", got, f.FinalResponse)
			}
		})
	}
}

func TestRule429_ARuleThatCannotWorkIsRefused(t *testing.T) {
	m := llmtest.New(t, llmtest.Always(llmtest.Say("")))
	for name, c := range map[string]struct {
		rule llm.Routing
		want string
	}{
		"no model": {llm.Routing{MaxWords: 9}, "names no small model"},
		"unknown":  {llm.Routing{Small: []string{"default/none"}}, `unknown model "default/none"`},
		"negative": {llm.Routing{MaxSteps: -1}, "negative"},
	} {
		config := m.Config()
		config.PassThrough, config.Routing = nil, c.rule
		if _, err := llm.Load(config, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
