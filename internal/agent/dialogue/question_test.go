package dialogue_test

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
)

func TestAccountsAreChosenByOrdinalOrPartOfTheLabel(t *testing.T) { // rule R372
	q := dialogue.Question{Code: stockhand.CodeAccountRequired, Options: []dialogue.Option{
		{Text: "ООО «Ромашка» (11aa)", Connection: "con_1", Account: "11aa"},
		{Text: "ИП Лютиков (22bb)", Connection: "con_2", Account: "22bb"},
		{Text: "ООО «Ромашка Плюс» (33cc)", Connection: "con_3", Account: "33cc"}}}
	for message, want := range map[string]int{
		"2": 2, "второй": 2, "по второму аккаунту": 2, "по второму": 2, "давай по третьему": 3, "во втором кабинете": 2,
		"the second one": 2, "for the third account": 3, "account 3": 3, "аккаунт 1": 1, "последний": 3,
		"Лютиков": 2, "по Лютикову": 2, "аккаунт лютиков": 2, "ИП": 2, "для ИП Лютиков": 2, "плюс": 3,
		"про Ромашку Плюс": 3, "ООО «Ромашка»": 1, "33cc": 3, "the Лютиков account": 2,
		"Ромашка": 0, "четвёртый": 0, "что заказать?": 0, "ООО": 0, "по аккаунту": 0, "": 0} {
		got := q.Chosen(message)
		switch {
		case want == 0 && got != nil:
			t.Errorf("%q picks %s", message, got.Text)
		case want > 0 && (got == nil || got.Text != q.Options[want-1].Text):
			t.Errorf("%q picks %+v", message, got)
		}
	}
}

func TestAQuestionInWordsIsAnsweredByOrdinalPartOrText(t *testing.T) { // rule R372
	q := dialogue.Question{Options: []dialogue.Option{{Text: "все склады"}, {Text: "только Основной склад"},
		{Text: "без Витрины"}}}
	if !q.InWords() {
		t.Error("its options are not in words")
	}
	for message, want := range map[string]string{
		"2": "только Основной склад", "второй вариант": "только Основной склад", "the first one": "все склады",
		"основной": "только Основной склад",
		"витрины":  "без Витрины", "без витрины": "без Витрины", "третье": "без Витрины",
		"лучше за неделю и без опта": "", "4": ""} {
		got := q.Chosen(message)
		if want == "" && got != nil || want != "" && (got == nil || got.Text != want) {
			t.Errorf("%q picks %+v", message, got)
		}
	}
}

func TestAQuestionIsAnsweredInItsOwnWords(t *testing.T) { // rule R778
	q := dialogue.Question{Text: "Поступления товара или денег?", Options: []dialogue.Option{{Text: "приёмки"},
		{Text: "платежи"}}}
	for message, want := range map[string]string{"товара": "приёмки", "товар": "приёмки", "про деньги": "платежи",
		"денег конечно": "платежи", "товара и денег": "", "за октябрь": "", "а долги": ""} {
		got := q.Chosen(message)
		if (got == nil) != (want == "") || got != nil && got.Text != want {
			t.Errorf("%q picks %+v, want %q", message, got, want)
		}
	}
}

func TestANameIsChosenByTheWordsThatTellItApart(t *testing.T) { // rule R1040
	q := dialogue.Question{Text: "«батареек» подходит к нескольким названиям. Что выбрать?", Options: []dialogue.Option{
		{Text: "закажи 10 батареек: все подходящие товары (5)"},
		{Text: "закажи 10 «Батарейка холодный свет АА»"}, {Text: "закажи 10 «Батарейка холодный свет АА № 2»"},
		{Text: "закажи 10 «Батарейка холодный свет АА № 3»"}, {Text: "закажи 10 «Батарейка холодный свет 5 Вт»"},
		{Text: "закажи 10 «Батарейка аккумуляторная серия АА»"}}}
	for message, want := range map[string]int{"аккумуляторная серия АА": 6, "аккумуляторную": 6, "аккумуляторные аа": 6,
		"холодный свет АА": 2, "Батарейка холодный свет АА": 2, "холодный свет АА № 3": 4, "5 Вт": 5, "последняя": 6,
		"холодный свет": 0, "АА": 0, "холодный свет на 7 Вт": 0, "5 штук": 0} {
		got := q.Chosen(message)
		if (got == nil) != (want == 0) || got != nil && got.Text != q.Options[want-1].Text {
			t.Errorf("%q picks %+v, want %d", message, got, want)
		}
	}
}
