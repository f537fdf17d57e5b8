package aside_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// answered is an answer, with the calls that it took.
type answered struct {
	SessionID     string `json:"session_id"`
	FinalResponse string `json:"final_response"`
	ToolCalls     []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"tool_calls"`
}

func (a answered) calls() string {
	var all []string
	for _, c := range a.ToolCalls {
		all = append(all, c.Name+" "+string(c.Arguments))
	}
	return strings.Join(all, "\n")
}

func TestAConversationRefersToWhatItHasShown(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true, Company: company.Options{Seed: 1, Now: time.Now(),
		Products: 100, Days: 100}})
	type step struct{ say, call, answer string } // what a call and the answer contain; "-": there is no call
	for name, steps := range map[string][]step{
		"rows": {
			{"топ 3 товара по выручке за последние 60 дней", `"limit":3`, ""},
			{"какие остатки у них", `"products":["`, ""},
			{"второй подробнее", "moysklad_product", ""},
			{"сколько его осталось", `"products":["`, ""},
		},
		"a typo and thanks in between": {
			{"какие остатки на складе по группе Посуда", "Посуда", ""},
			{"ыфвапро", "-", "Не понял"},
			{"спасибо", "-", "Пожалуйста"},
			{"а по группе Инструмент", "Инструмент", ""},
		},
		"more of a table": {
			{"выручка по товарам за последние 60 дней", "product", ""},
			{"ещё", "-", "строки 11–20"},
			{"дальше", "-", "строки 21–30"},
			{"show all", "-", "rows 1–"},
			{"в эксель", "-", "?format=xlsx"},
			{"графиком", "-", "?format=xlsx"},
			{"а почему так?", `"explain":true`, ""},
		},
		"several questions": {
			{"остатки и деньги", "moysklad_money", "**деньги**"},
			{"sales last week and who owes us", "moysklad_receivables", "**who owes us**"},
		},
		"nothing to refer to": {
			{"ещё", "-", "ещё не было"},
			{"why?", "-", "About what"},
			{"2", "-", "Выбирать не из чего"},
			{"не понял", "-", "помощь"},
		},
		"rows of an empty table": {
			{"какие товары с ценой выше 99999999", "", ""},
			{"какие у них остатки", "-", "аких строк в последней таблице нет"},
		},
		"orders that are not carried out": {
			{"спиши 3 кружки", "-", "Списывать"},
			{"каждый понедельник присылай мне остатки", "-", "по расписанию"},
		},
	} {
		session := ""
		for _, x := range steps {
			body := map[string]any{"message": x.say}
			if session != "" {
				body["session_id"] = session
			}
			var a answered
			s.Do(http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, body).Decode(t, &a)
			session = a.SessionID
			calls := a.calls()
			if x.call == "-" && calls != "" || x.call != "-" && !strings.Contains(calls, x.call) ||
				!strings.Contains(a.FinalResponse, x.answer) {
				t.Errorf("%s, %q: calls %q, answer %.200q", name, x.say, calls, a.FinalResponse)
			}
		}
	}
}

// A chat program sends the whole conversation each time.
func TestAHistoryIsAsGoodAsASession(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true, Company: company.Options{Seed: 1, Now: time.Now(),
		Products: 100, Days: 100}})
	var said []map[string]string
	say := func(text string) string {
		said = append(said, map[string]string{"role": "user", "content": text})
		var a struct {
			Choices []struct{ Message struct{ Content string } }
		}
		s.Do(http.MethodPost, "/v1/chat/completions", s.AdminToken, map[string]any{"model": "stockhand",
			"messages": said}).Decode(t, &a)
		answer := a.Choices[0].Message.Content
		said = append(said, map[string]string{"role": "assistant", "content": answer})
		return answer
	}
	say("выручка по складам за прошлый месяц")
	say("спасибо")
	if got := say("а по группам"); !strings.Contains(got, "Групп") && !strings.Contains(got, "групп") ||
		!strings.Contains(got, "ыручка") {
		t.Errorf("the query is lost: %.300s", got)
	}
}
