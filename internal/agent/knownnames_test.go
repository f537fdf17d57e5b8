package agent_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/language"
)

func TestUnderstandingATaskTakesNoRequestWhileNamesAreFresh(t *testing.T) { // rules R75 and R304
	s := newShop(t, 1)
	sent := func(task string) int {
		before := len(s.sandbox.Requests())
		if f := s.ask(task); len(f.ToolCalls) > 0 || f.Failure != nil {
			t.Errorf("%s: %d calls, failure %v; a question is expected", task, len(f.ToolCalls), f.Failure)
		}
		return len(s.sandbox.Requests()) - before
	}
	if n := sent("остатки синхрофазотрона"); n == 0 || n > 6 {
		t.Errorf("%d requests to understand the first task", n)
	}
	rest := sent("остатки телепортатора") // the lists that the first one left out
	if rest > 6 {
		t.Errorf("%d requests to understand the second task", rest)
	}
	for _, task := range []string{"остатки бозонов Хиггса", "продажи «Машина времени» за октябрь",
		"stock of warp drives"} {
		if n := sent(task); n != 0 {
			t.Errorf("%s: %d requests although the names are fresh", task, n)
		}
	}
}

// Suppliers and customers are one list of the account, which is known as both or as neither.
func TestWhatATaskMeansDoesNotDependOnWhatWasAskedBefore(t *testing.T) { // rule R304
	for _, task := range []string{"на сколько купил ИП Соколов в этом году", "ИП Соколов", "продажи Соколову",
		"Соколов за октябрь", "товары Соколова", "что брали у Соколова", "заказы Соколова"} {
		calls := func(earlier ...string) (list []string) {
			s := newShop(t, 1)
			for _, e := range earlier {
				s.ask(e)
				s.session = "" // another conversation
			}
			for _, c := range s.ask(task).ToolCalls {
				list = append(list, c.Name+" "+string(c.Arguments))
			}
			return list
		}
		if first, then := calls(), calls("что заказать у ИП Сидорова"); !slices.Equal(first, then) {
			t.Errorf("%s: first %v, then %v", task, first, then)
		}
	}
}

// "Мира" is a word of a customer's name too, and customers are read before warehouses.
func TestAPartOfANameDoesNotHideANameThatIsNotReadYet(t *testing.T) { // rule R304
	for _, task := range []string{"остатки на мира", "выручка магазина на Мира за октябрь"} {
		s := newShop(t, 1)
		calls := s.ask(task).ToolCalls
		if len(calls) != 1 || !strings.Contains(string(calls[0].Arguments), `"Магазин на Мира"`) {
			t.Errorf("%s: %v", task, calls)
		}
	}
}

func TestTheFirstMessageMayBeOnlyAboutAName(t *testing.T) { // rule R1149
	for task, card := range map[string]string{
		"расскажи про Альфу": "ООО «Альфа»", "что по Альфе": "ООО «Альфа»", "что там у Востока": "ООО «Восток»",
	} {
		s := newShop(t, 1)
		calls := s.ask(task).ToolCalls
		if len(calls) != 1 || !strings.Contains(string(calls[0].Arguments), card) {
			t.Errorf("%s: %v", task, calls)
		}
	}
	if calls := newShop(t, 1).ask("расскажи про Наполеона").ToolCalls; len(calls) > 0 {
		t.Errorf("an unknown name is shown as %v", calls)
	}
}

func TestTextsThatAreNoTasksTakeNoRequestAndLittleTime(t *testing.T) { // rule R75
	s := newShop(t, 1)
	for name, text := range map[string]string{
		"title": "Create a concise, 3-5 word title with an emoji as a title for the chat history, in the given language.",
		"tags":  "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.",
		"suggestions": "Suggest 3-5 relevant follow-up questions that the user might ask next in this conversation about " +
			"stock and sales.",
		"letter": "Уважаемый Иван Петрович! Направляем Вам коммерческое предложение на поставку кофе и чая. Просим рассмотреть " +
			"условия отгрузки со склада на Лесной, оплату по счёту и скидку пять процентов при заказе от ста тысяч рублей. " +
			"Надеемся на сотрудничество и ждём ответа до конца месяца. С уважением, ООО Восток.",
		"code":  "```go\nfunc main() { stock := map[string]int{\"чай\": 1}; fmt.Println(stock) }\n```",
		"prose": strings.Repeat("Весной город просыпался рано, и дворники мели дворы ещё до первых трамваев. ", 250),
		"noise": strings.Repeat("кофе!? зернАх;; 200г ", 1000),
	} {
		before := len(s.sandbox.Requests())
		f := s.ask(strings.ToValidUTF8(text[:min(len(text), 8<<10)], "")) // the longest task
		if n := len(s.sandbox.Requests()) - before; n != 0 {
			t.Errorf("%s: %d requests: %.300s", name, n, f.FinalResponse)
		}
		const most = 50 * time.Millisecond
		least := time.Hour
		for range 3 { // the machine may be busy
			began := time.Now()
			language.Read(text, language.Input{Now: began})
			least = min(least, time.Since(began))
		}
		if t.Logf("%s: read in %v", name, least); least > most {
			t.Errorf("%s: %v", name, least)
		}
	}
}
