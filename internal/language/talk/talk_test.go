package talk

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

func shop() language.Input {
	var list []connector.Name
	add := func(k connector.NameKind, all ...string) {
		for _, n := range all {
			list = append(list, connector.Name{Kind: k, ID: "id/" + n, Name: n})
		}
	}
	add(connector.NameStore, "Основной склад", "Склад на Лесной", "Магазин на Мира", "Витрина")
	add(connector.NameGroup, "Продукты", "Посуда", "Канцтовары", "Инструмент", "Чай и кофе", "Сладости", "Текстиль")
	add(connector.NameSupplier, "ООО «Восток»", "ООО «Восток-Сервис»", "ИП Петрова", "ООО «Чайный дом»", "ИП Сидоров")
	add(connector.NameCounterparty, "ООО «Восток»", "ООО «Восток-Сервис»", "ИП Петрова", "ООО «Чайный дом»",
		"ИП Сидоров",
		"ООО «Альфа»", "ООО «Альфа-Строй»", "ООО «Бета»", "ИП Кузнецов", "ИП Орлова", "ООО «Пекарня»", "ИП Иванов",
		"ООО «Кафе на углу»")
	add(connector.NameEmployee, "Закупщикова З.", "Розничный К.")
	add(connector.NameSalesChannel, "Сайт", "Маркетплейс", "Магазин")
	add(connector.NamePriceType, "Цена продажи", "Оптовая цена", "Закупочная цена")
	add(connector.NameProduct, "Кружка эмаль 2 л", "Кружка сталь 1 л", "Тарелка сталь 2 л", "Тарелка эмаль малый",
		"Соль экстра 500 г",
		"Кофе молотый горный 500 г", "Кофе в зёрнах горный 100 г", "Чай зелёный горный 200 г", "Отвёртка мини 3 м",
		"Отвёртка мини 13 мм",
		"Молоток усиленная серия 200 мм", "Тапочки")
	return language.Input{Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Catalogue: moysklad.Kind.Catalogue,
		Known: []*names.Index{names.New(list)}}
}

// converse reads the turns of a conversation, parted by "|", and returns the reading of the last one.
func converse(text string) language.Reading {
	in := shop()
	var last language.Reading
	for said := range strings.SplitSeq(text, "|") {
		said = strings.TrimSpace(said)
		r := Read(said, in)
		if complete(&r) {
			in.Previous = &r
		}
		in.Earlier = append(in.Earlier, said)
		last = r
	}
	return last
}

// TestAFollowUpTakesThePlaceOfThePartOfItsType reads the last turn of each conversation (rule R296).
func TestAFollowUpTakesThePlaceOfThePartOfItsType(t *testing.T) {
	for said, want := range map[string]string{
		// look-ups of documents
		"какие отгрузки были вчера | а позавчера?":                     `documents {"kinds":["demand"],"from":"2026-11-20","to":"2026-11-20"}`,
		"какие отгрузки были вчера | у кузнецова":                      `"counterparties":["ИП Кузнецов"]`,
		"какие отгрузки были вчера | Альфа-Строй":                      `"from":"2026-11-21","to":"2026-11-21","counterparties":["ООО «Альфа-Строй»"]`,
		"какие отгрузки были вчера | а возвраты | за октябрь":          `documents {"kinds":["salesreturn","retailsalesreturn"],"from":"2026-10-01"`,
		"покажи заказы поставщикам за ноябрь | только неоплаченные":    `"from":"2026-11-01","to":"2026-11-30","unpaid":true}`,
		"заказы поставщикам за ноябрь | у Петровой | а неотгруженные?": `"counterparties":["ИП Петрова"],"not_received":true}`,
		"какие счета не оплачены | старше 30 дней | больше 10000":      `"to":"2026-10-22","unpaid":true,"sum_from":"10000.01"}`,
		"какие счета не оплачены | больше 10000 | меньше 5000":         `"unpaid":true,"sum_to":"4999.99"}`,
		"show shipments yesterday | and for Beta":                      `documents {"kinds":["demand"],"from":"2026-11-21","to":"2026-11-21","counterparties":["ООО «Бета»"]}`,
		// fixed reports
		"что заканчивается на складе | только посуда | а по Основному":     `shortages {"stores":["Основной склад"],"groups":["Посуда"]}`,
		"какие заказы покупателей просрочены | а у Беты?":                  `overdue_orders {"counterparties":["ООО «Бета»"]}`,
		"какие заказы покупателей просрочены | а у Беты? | на какую сумму": `overdue_orders {"counterparties":["ООО «Бета»"]}`,
		"which customer orders are overdue | what about Beta":              `overdue_orders {"counterparties":["ООО «Бета»"]}`,
		"что заканчивается на Лесной | не на Лесной, а на Мира":            `shortages {"stores":["Магазин на Мира"]}`,
		"what is running low | only at Витрина":                            `shortages {"stores":["Витрина"]`,
		// cards, forecasts and lists
		"телефон пекарни | а адрес":                                        `counterparty {"counterparty":"ООО «Пекарня»"`,
		"телефон пекарни | а у иванова":                                    `counterparty {"counterparty":"ИП Иванов"`,
		"прогноз продаж тапочек на 30 дней | на 60":                        `forecast {"products":["Тапочки"],"days":60}`,
		"какой спрос на тапочки до конца декабря | а на соль экстра 500 г": `forecast {"products":["Соль экстра 500 г"],"days":40}`,
		"список сотрудников | а складов":                                   `reference {"kind":"stores"}`,
		// drafts
		"подними цены на тапочки на 5% | и на соль экстра 500 г тоже": `propose_price_change {"percent":"5","products":["Соль экстра 500 г"]}`,
		"подними цены на тапочки на 5% | нет, лучше на 10":            `propose_price_change {"percent":"10","products":["Тапочки"]}`,

		"подними цены на тапочки на 5% | только оптовую": `{"price_type":"Оптовая цена","percent":"5"`,

		"закажи у восток-сервиса 10 тапочек на Основной | сделай 20 вместо 10":        `"items":[{"product":"Тапочки","quantity":"20"}],"suppliers":["ООО «Восток-Сервис»"],"store":"Основной склад"}`,
		"закажи у восток-сервиса 10 тапочек на Основной | а теперь соли экстра 500 г": `"items":[{"product":"Соль экстра 500 г","quantity":"10"}]`,
		"закажи у восток-сервиса 10 тапочек на Основной | на Лесную":                  `"store":"Склад на Лесной"}`,
		"raise prices of тапочки by 5% | and соль экстра 500 г too":                   `propose_price_change {"percent":"5","products":["Соль экстра 500 г"]}`,
		// what a list cannot be limited to, the query that says the same can
		"что заканчивается на складе | дороже 500 рублей":  `"where":[{"field":"sale_price","op":"\u003e","values":["500"]},{"field":"shortage"`,
		"что заканчивается на складе | без восток-сервиса": `{"field":"supplier","op":"not_in","values":["ООО «Восток-Сервис»"]}`,
		// corrections
		"продажи за октябрь | не за октябрь а за сентябрь": `"from":"2026-09-01","to":"2026-09-30"}`,
	} {
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

// TestAConditionThatCannotBeAppliedIsNamed asks for what the last answer cannot be limited to (rule R296).
func TestAConditionThatCannotBeAppliedIsNamed(t *testing.T) {
	for _, said := range []string{"какие заказы покупателей просрочены | только красные", "телефон пекарни | больше 100"} {
		if r := converse(said); !r.Outside || !strings.Contains(r.Refusal, "применить не могу") {
			t.Errorf("%s: %s %q", said, r.Skill, r.Refusal)
		}
	}
}

// TestAQuestionOfOursIsAskedAgainOfTheChangedTask changes a task that could not be carried out yet (rule R296).
func TestAQuestionOfOursIsAskedAgainOfTheChangedTask(t *testing.T) {
	for said, want := range map[string]string{
		"прогноз по продажам на следующий месяц для тапочек | а по соли экстра 500 г": "соли экстра 500 г",
		"подними цену кружки на 5% | и тарелки тоже":                                  "тарелки",
		"закажи 10 отвёрток на Лесную | нет, кружек":                                  "кружек",
	} {
		r := converse(said)
		if r.Question == nil || len(r.Question.Options) == 0 || !strings.Contains(r.Task, want) {
			t.Errorf("%s: %q %s", said, r.Task, r.Skill)
		}
	}
}

// TestWhatIsNoFollowUpIsReadByItself reads whole tasks after another one.
func TestWhatIsNoFollowUpIsReadByItself(t *testing.T) {
	for said, want := range map[string]language.Skill{
		"какие отгрузки были вчера | остатки на витрине":        language.Stock,
		"какие отгрузки были вчера | кто нам должен":            language.Receivables,
		"подними цены на тапочки на 5% | сколько денег в кассе": language.Money,
		"подними цены на тапочки на 5% | тапочки":               language.Product,
		"подними цены на тапочки на 5% | спасибо":               language.SmallTalk,
		"телефон пекарни | продажи за октябрь":                  language.SalesTrend,
	} {
		if r := converse(said); r.Skill != want || r.Question != nil {
			t.Errorf("%s: %s %v, want %s", said, r.Skill, r.Question, want)
		}
	}
}

func TestRule560_ADraftInOneWordIsOfWhatWasShown(t *testing.T) {
	for said, want := range map[string]string{
		"что заканчивается на Мира | закажи":               `propose_supplier_orders {"stores":["Магазин на Мира"]}`,
		"что заканчивается на Мира и на Лесной | закажи":   `"stores":["Магазин на Мира","Склад на Лесной"]}`,
		"что заканчивается | закажи":                       `propose_supplier_orders {}`,
		"what is running out at Витрина | order it please": `{"stores":["Витрина"],"mode":"running_out"}`,
	} {
		r := converse(said)
		input, err := json.Marshal(r.ToolInput())
		got := string(r.Skill) + " " + string(input)
		if err != nil || !strings.Contains(got, want) || r.Question != nil {
			t.Errorf("%s: %s %v, want %s", said, got, r.Question, want)
		}
	}
	r := converse("что заканчивается на складе Северный | закажи")
	if r.Question == nil || len(r.Question.Options) == 0 {
		t.Errorf("an open question is ignored: %s %+v", r.Skill, r.ToolInput())
	}
}

func TestAChannelLimitsWhatSellsBest(t *testing.T) { // rules R921 and R922
	for _, said := range []string{"топ товаров на сайте за октябрь", "что лучше всего продавалось на сайте в октябре",
		"топ товаров за октябрь на сайте"} {
		follows(t, nil, map[string]string{said: `{"measures":["revenue"],"by":["product"],"where":[{"field":` +
			`"sales_channel","op":"in","values":["Сайт"]}],"from":"2026-10-01"`})
	}
}

func TestAnUnreadChannelIsLookedUpFirst(t *testing.T) { // rule R921
	in := shop()
	in.Known, in.Unsearched = nil, true
	r := Read("продажи на сайте за октябрь", in)
	if len(r.Unknown) != 1 || r.Unknown[0].Kinds[0] != connector.NameSalesChannel {
		t.Errorf("looked up: %+v", r.Unknown)
	}
}
