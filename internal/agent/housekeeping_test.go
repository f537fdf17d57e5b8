package agent_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
)

// chat is a conversation as chat programs quote it in their own prompts.
const chat = "<chat_history>\nUSER: какие остатки на складах?\nASSISTANT: На складах 12 400 единиц товара «Плед».\n</chat_history>"

func TestChatHousekeepingAndLettersCostNoRequest(t *testing.T) {
	s := newShop(t, 1)
	for name, text := range map[string]string{
		"title": "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n" +
			"### Guidelines:\n- The title should clearly represent the main theme or subject of the conversation.\n" +
			"### Output:\nJSON format: { \"title\": \"your concise title here\" }\n### Examples:\n" +
			"- { \"title\": \"📉 Stock Market Trends\" },\n- { \"title\": \"🍪 Perfect Chocolate Chip Recipe\" }\n" +
			"### Chat History:\n" + chat,
		"tags": "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more " +
			"specific subtopic tags.\n### Output:\nJSON format: { \"tags\": [\"tag1\", \"tag2\"] }\n" + chat,
		"follow-ups": "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next " +
			"in this conversation.\n### Output:\nJSON format: { \"follow_ups\": [\"Question 1?\"] }\n" + chat,
		"search queries": "### Task:\nAnalyze the chat history to determine the necessity of generating search queries.\n" +
			"### Output:\n{ \"queries\": [\"query1\"] }\n" + chat,
		"another title": "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only " +
			"return the title itself.\n\nConversation:\nUser: what is in stock?\nAI: 12,400 pieces of Plaid.",
		"a name":          "Based on the chat history, give this conversation a name. Keep it short. User: сколько денег на счетах?",
		"a Russian title": "Придумай короткий заголовок для этого диалога: «какие остатки на складах?»",
		"an English e-mail": "Dear Olga,\n\nthank you for the quick reply. We shipped the Samarkand rugs on Tuesday with DHL, " +
			"and the stock of the Bukhara collection will follow next week. Our sales team in Hamburg asked Brigitte to prepare " +
			"new price lists for Velvet, Linen and Cotton. The margin on Velvet was discussed with Mr Schneider, and he agreed " +
			"to keep supplier discounts until Christmas.\n\nKind regards,\nHans Müller",
		"a Russian letter": strings.Repeat(
			"Уважаемая Ольга Сергеевна! Благодарим за сотрудничество с фабрикой «Заря». Отгрузка "+
				"ковров Самарканд прошла во вторник, остатки коллекции Бухара придут на склад Мытищи на следующей неделе. "+
				"Прибыль от продаж бархата Шнайдер обсудит с Хансом Мюллером после праздников. ", 3),
	} {
		before := len(s.sandbox.Requests())
		f := s.ask(text)
		if n := len(s.sandbox.Requests()) - before; n != 0 || f.Failure != nil {
			t.Errorf("%s: %d requests, %+v\n%s", name, n, f.Failure, f.FinalResponse)
		}
		if strings.Count(f.FinalResponse, "\n") > 5 {
			t.Errorf("%s: a long reply\n%s", name, f.FinalResponse)
		}
	}
}

// understanding is how many requests reached the sandbox since it had had that many, besides those of tool calls.
func (s *shop) understanding(f *agent.Finished, before int) int {
	s.t.Helper()
	sent := len(s.sandbox.Requests()) - before
	runs, err := s.db.Runs(s.t.Context(), s.org, f.Session)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range runs {
		calls, err := s.db.ToolCalls(s.t.Context(), s.org, r.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, c := range calls {
			sent -= c.Requests
		}
	}
	return sent
}

func TestALetterWithAClearQuestionIsAnswered(t *testing.T) {
	s := newShop(t, 1)
	f := s.ask(strings.Repeat("Добрый день! Вчера мы встречались с Ириной Петровной и обсуждали праздники. ", 8) +
		"Сколько денег на счетах? Заранее спасибо.")
	if name, _ := called(t, f); name != "moysklad_money" {
		t.Errorf("called %q: %s", name, f.FinalResponse)
	}
}

func TestUnderstandingAnOrdinaryQuestionCostsFewRequests(t *testing.T) {
	for _, task := range []string{
		"остаток чайников на складе Мытищи", "сколько пледов Самарканд у поставщика Заря?",
		"what is the stock of teapots and Samarkand rugs in Hamburg?", "обороты товара «Бухара» за октябрь",
		"покажи прибыль по группе Ковры и товару Плед шерстяной за прошлый месяц",
		"подготовь заказ поставщику Шнайдер на бархат и лён",
	} {
		s := newShop(t, 1)
		before := len(s.sandbox.Requests())
		f := s.ask(task)
		sent := s.understanding(f, before)
		if sent > 6 || f.Failure != nil {
			t.Errorf("%q: %d requests, %+v\n%s", task, sent, f.Failure, f.FinalResponse)
		}

	}
}
