package talk

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestAMessageAfterAQuestionAboutADraft goes on with the request (rule R1181).
func TestAMessageAfterAQuestionAboutADraft(t *testing.T) {
	checkTurns(t, map[string]string{
		"закажи тапочки | сколько есть на складе?": `stock {"products":["Тапочки"]}`,
		"закажи тапочки | сколько не хватает":      `"products":["Тапочки"]`,
		"закажи кружку | закажи «Кружка эмаль 2 л» и «Кружка сталь 1 л» | по 10": `"items":[{"product":"Кружка эмаль 2 л",` +
			`"quantity":"10"},{"product":"Кружка сталь 1 л","quantity":"10"}]}`,
	})
	for said, want := range map[string]string{
		"подними цены на кофе на 10% | и оптовую тоже": "Черновик меняет цены одного типа.",
		"закажи кружку | сталь 20":                     "подходит к нескольким названиям",
	} {
		if r := converse(said); r.Question == nil || !strings.Contains(r.Question.Text, want) {
			t.Errorf("%s: %s %+v, want %q", said, r.Skill, r.Question, want)
		}
	}
}

// TestAListOfDocumentsIsRestrictedOrTurnedAround and stays a list (rule R1183).
func TestAListOfDocumentsIsRestrictedOrTurnedAround(t *testing.T) {
	checkTurns(t, map[string]string{
		"заказы покупателей за неделю | только новые":         `"to":"2026-11-22","states":["Новый"]}`,
		"заказы покупателей за неделю | новые":                `"to":"2026-11-22","states":["Новый"]}`,
		"заказы покупателей за неделю | неоплаченные и новые": `"states":["Новый"],"unpaid":true}`,
		"заказы покупателей за неделю | просроченные из них":  `"overdue":true}`,
		"заказы за неделю | те что от беты":                   `"counterparties":["ООО «Бета»"]}`,
		"orders this month | the ones from Alfa":              `"to":"2026-11-30","counterparties":["ООО «Альфа»"]}`,
		"отгрузки | какие из них не оплачены":                 `"from":"2026-10-24","to":"2026-11-22","unpaid":true}`,
		"отгрузки за неделю | наоборот":                       `"order":"oldest"}`,
		"отгрузки за неделю | наоборот | наоборот":            `documents {"kinds":["demand"],"from":"2026-11-16","to":"2026-11-22"}`,
		"перемещения за месяц по сумме | в обратном порядке":  `"order":"smallest"}`,
		"transfers this month | sort by value | reverse":      `"order":"smallest"}`,
	})
}

// TestWhatWasPaid is the price of the purchase, and no selling price (rule R1184).
func TestWhatWasPaid(t *testing.T) {
	checkTurns(t, map[string]string{
		"последняя закупка тапочек | почём":                `"measures":["last_purchase_price","last_purchase"],"by":["product"]`,
		"последняя закупка тапочек | по какой цене":        `"measures":["last_purchase_price","last_purchase"]`,
		"последняя закупка | на какую сумму":               `documents {"kinds":["supply"]`,
		"last purchase | how much was it":                  `documents {"kinds":["supply"]`,
		"цена кружки эмаль 2 л | а себестоимость":          `"measures":["unit_cost"]`,
		"сколько стоит кружка эмаль 2 л | а себестоимость": `"measures":["unit_cost"]`,
		"цена тапочек | есть на Лесной?": `analyze {"measures":["stock"],"where":[{"field":"product","op":"in",` +
			`"values":["Тапочки"]},{"field":"store","op":"in","values":["Склад на Лесной"]}]}`,
	})
}

// TestAsMuchAsWasSoldIsOrdered (rule R1185).
func TestAsMuchAsWasSoldIsOrdered(t *testing.T) {
	checkTurns(t, map[string]string{
		"продажи за неделю по товарам | закажи столько же":  `"by":["variant"],"from":"2026-11-16","to":"2026-11-22"},"column":"quantity"}}`,
		"продажи кофе за неделю | столько же закажи":        `"where":[{"field":"product","op":"in"`,
		"sales of coffee last week | order the same amount": `"from":"2026-11-09","to":"2026-11-15"},"column":"quantity"}}`,
	})
	for _, said := range []string{"что покупала Альфа | закажи столько же",
		"топ 5 товаров за месяц | закажи столько же"} {
		if r := converse(said); r.Question == nil {
			t.Errorf("%s: %s %v", said, r.Skill, r.Input)
		}
	}
}

// TestAnOrderAfterACardAsksWhatIsLeftOpen (rule R1187).
func TestAnOrderAfterACardAsksWhatIsLeftOpen(t *testing.T) {
	r := converse("карточка тапочек | перемести 5 на Лесную")
	if r.Question == nil || !strings.Contains(r.Question.Text, "С какого склада") || len(r.Question.Options) != 3 {
		t.Errorf("%s %v %+v", r.Skill, r.Input, r.Question)
	}
}

// TestAnOpenedDocumentIsShownAgain for what it says itself (rule R950).
func TestAnOpenedDocumentIsShownAgain(t *testing.T) {
	for message, want := range map[string]bool{"что не отгружено": true, "что не сошлось": true, "кто заказал": true,
		"что там": true, "не оплачен?": true, "что заканчивается": false, "заказы за неделю": false} {
		if ofDocument(message) != want {
			t.Errorf("%s: %v", message, !want)
		}
	}
}

func checkTurns(t *testing.T, turns map[string]string) {
	t.Helper()
	for said, want := range turns {
		r := converse(said)
		input, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.Skill) + " " + string(input); !complete(&r) || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}
