package language

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/act"
)

func TestSmallTalkIsAnsweredInOneLine(t *testing.T) {
	for task, want := range map[string]string{
		"спасибо": "Пожалуйста", "отлично, спасибо": "Пожалуйста", "Спасибо большое!": "Пожалуйста",
		"thanks": "welcome", "привет": "Здравствуйте", "Добрый день!": "Здравствуйте", "hello": "Hello",
		"ок": "Хорошо", "да": "нечего", "нет": "Хорошо", "понятно": "Хорошо", "👍": "Хорошо",
		"yes": "nothing to confirm", "ok": "OK",
	} {
		r := read(task)
		reply := r.Reply(r.Language)
		if r.Skill != SmallTalk || r.Question != nil || len(r.Unknown) > 0 || strings.Contains(reply, "\n") ||
			!strings.Contains(reply, want) && !strings.Contains(want+"Хорошо", reply[:2]) {
			t.Errorf("%q: %q, unknown %v: %s", task, r.Skill, r.Unknown, reply)
		}
	}
	for _, task := range []string{"да, сколько денег на счетах?", "спасибо, а остатки?", "2",
		"привет, как дела на складе?"} {
		if r := read(task); r.Skill == SmallTalk {
			t.Errorf("%q was read as small talk", task)
		}
	}
}

// Looking up names from such texts used to cost hundreds of requests to the account.
func TestClientPromptsAndPastedTextsAreNotTasks(t *testing.T) {
	letter := "Уважаемый Иван Петрович! Благодарим вас за сотрудничество. Направляем счёт на оплату за поставку товара " +
		"со склада в Москве по договору от октября и просим подтвердить остатки, отгрузку и сроки доставки до конца " +
		"месяца. Просим также сообщить, сколько товара вы планируете заказать в следующем квартале. С уважением, ООО «Восток»"
	for _, text := range []string{
		"### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\n" +
			"JSON format: { \"title\": \"your concise title here\" }\n### Chat History:\n<chat_history>\nUSER: остатки на складе\n</chat_history>",
		"Generate 1-3 broad tags categorizing the main themes of the chat history: что заканчивается на складе",
		"Suggest 3-5 relevant follow-up questions based on the conversation: USER: прибыль за октябрь",
		"Provide a concise, 5-word-or-less title for the conversation:\nUser: сколько денег на счетах",
		"Придумай короткий заголовок для этого диалога: остатки по складам",
		"{\"task\": \"stock\", \"stores\": [\"Основной склад\"]}",
		"```\nselect * from stock\n```",
		letter, strings.Repeat("Склад закрыт на переучёт, остатки товара будут пересчитаны завтра утром. ", 15),
	} {
		if r := Read(text, Input{Now: wednesday}); !r.Outside || len(r.Unknown) > 0 || r.Question != nil {
			t.Errorf("%.60q: %q, unknown %v", text, r.Skill, r.Unknown)
		}
	}
	order := "закажи:\n" + strings.Repeat("- 20 шт «Кружка белая 300 мл»\n", 60)
	polite := "Добрый день! Меня зовут Марина, я недавно работаю у вас в отделе закупок и пока не во всём разобралась, поэтому " +
		"заранее прошу прощения за беспокойство. Подскажите, пожалуйста, какие остатки посуды сейчас на основном складе. С уважением, Марина"
	dictated := "слушай " + strings.Repeat("я сегодня весь день езжу по точкам и времени совсем нет ", 12) +
		"скажи мне сколько денег на счетах и кто нам должен"
	for _, task := range []string{order, polite, dictated, "какие темы продаж? покажи остатки",
		"остатки > 100 на складе",
		"сравни продажи октября и сентября по названию товара"} {
		if act.IsNoTask(task) {
			t.Errorf("%.60q was not read as a task", task)
		}
	}
}
