package eval

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestChatterCostsNothing asks the whole service for what chat programs send besides tasks, and for texts that are no
// tasks: no request is made, and the answer takes less than 50 ms (rule R322).
func TestChatterCostsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	history := "\n\n### Chat History:\n<chat_history>\nUSER: сколько продали вчера\nASSISTANT: Продажи за 21.11.2026: 13 продаж на " +
		"47 437,30 ₽.\n</chat_history>"
	code := "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tstock := map[string]int{\"sales\": 5}\n" +
		"\tfor k, v := range stock {\n\t\tfmt.Println(k, v)\n\t}\n}\n"
	letter := "Уважаемый Иван Петрович!\n\nБлагодарим вас за обращение в нашу компанию. Сообщаем, что ваше письмо от 12 ноября " +
		"получено и передано в отдел по работе с клиентами. Мы свяжемся с вами в течение трёх рабочих дней и ответим на все " +
		"вопросы о поставках, ценах и остатках на складах.\n\nС уважением,\nАнна Смирнова, менеджер ООО «Альфа»\n"
	s := serve(t)
	for _, x := range []struct{ name, text string }{
		{"title", "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON " +
			"format: { \"title\": \"your concise title here\" }" + history},
		{"tags", "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.\n### Output:\nJSON format: " +
			"{ \"tags\": [\"tag1\", \"tag2\"] }" + history},
		{"suggestions", "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next " +
			"in this conversation as a **user**.\n### Output:\nJSON format: { \"follow_ups\": [\"Question 1?\"] }" + history},
		{"queries", "### Task:\nAnalyze the chat history to determine the necessity of generating search queries, in the given " +
			"language.\n### Output: { \"queries\": [\"query1\"] }" + history},
		{"letter", letter}, {"source code", code},
		{"7,000 characters of a letter", strings.Repeat(letter, 7_000/len([]rune(letter)))},
		{"20,000 characters of a letter", strings.Repeat(letter, 20_000/len([]rune(letter)))},
		{"20,000 characters of code", strings.Repeat(code, 20_000/len(code))},
		{"20,000 letters", strings.Repeat("абвгд ", 20_000/6)},
	} {
		var best time.Duration
		requests := 0
		for range 5 {
			began := time.Now()
			got := s.Do(http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, map[string]any{"message": x.text})
			took := time.Since(began)
			if got.Status >= http.StatusBadRequest {
				t.Logf("%s: refused with %d", x.name, got.Status)
				best = took
				break
			}
			var a answered
			got.Decode(t, &a)
			requests += a.Requests
			if best == 0 || took < best {
				best = took
			}
		}
		t.Logf("chatter: %-32s %d requests, %v (goal: 50ms)", x.name, requests, best.Round(time.Millisecond/10))
		if requests > 0 {
			t.Errorf("%s: %d requests, expected none", x.name, requests)
		}
	}
}
