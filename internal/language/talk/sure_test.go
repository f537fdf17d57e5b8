package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language"
)

// TestAMessageThatIsNotSurelyUnderstoodIsAskedAbout reads the last turn of each conversation (rule R350).
func TestAMessageThatIsNotSurelyUnderstoodIsAskedAbout(t *testing.T) {
	for _, said := range []string{
		"сколько денег на счетах | оплачен?",
		"остатки по складам | а отгружена?",
		"продажи за октябрь | was it shipped",
		"выручка за октябрь по складам | а у других",
		"sales by store last week | what about the others",
		"сколько денег на счетах | по дням разбей",
		"сколько денег на счетах | а по неделям",
		"how much money do we have | by day",
		"прибыль по складам за октябрь | а с доставкой",
		"деньги по счетам | без кассы",
		"money by account | without the cash desk",
	} {
		if r := converse(said); complete(&r) {
			t.Errorf("%q is read as %s %v", said, r.Skill, plain(r.ToolInput()))
		}
	}
}

// TestAFollowUpKeepsTheRest reads follow-ups that change one part and keep the others (rules R271 and R350).
func TestAFollowUpKeepsTheRest(t *testing.T) {
	for said, want := range map[string]string{
		"сколько выручки по магазинам за прошлую неделю | а по дням разбей": `"by":["day"],"from":"2026-11-09"`,
		"продажи по складам за октябрь | разбей по группам":                 `"by":["group"],"from":"2026-10-01"`,
		"прибыль за октябрь по товарам | разложи по неделям":                `"by":["week"]`,

		"продажи за октябрь | с прибылью":                 `"measures":["revenue","profit"],"from":"2026-10-01"`,
		"продажи за октябрь по группам | вместе с маржой": `"measures":["revenue","margin"],"by":["group"]`,
		"sales in October by store | with profit":         `"measures":["revenue","profit"],"by":["store"]`,

		"выручка за октябрь | а сайт":                    `"sales_channel","op":"in","values":["Сайт"]`,
		"продажи за октябрь по каналам | а маркетплейс":  `"values":["Маркетплейс"]`,
		"sales by channel in October | only the website": `"values":["Сайт"]`,
		"stock of mugs | and plates":                     `"id/Кружка сталь 1 л","id/Тарелка сталь 2 л"`,
		"остатки кружек | и тарелки":                     `"id/Кружка сталь 1 л","id/Тарелка сталь 2 л"`,
		"выручка за октябрь | остатки посуды на Лесной":  `stock {"stores":["Склад на Лесной"],"groups":["Посуда"]}`,
		"выручка за октябрь | кто нам должен":            `receivables {"direction":"owed_to_us"}`,
		// a figure without what it is of keeps the names and, after documents, the period
		"продажи соли за ноябрь | хватит на сколько":   `"where":[{"field":"product"`,
		"продажи посуды на Лесной за ноябрь | прибыль": `"values":["Посуда"]},{"field":"store","op":"in","values":["Склад на Лесной"]}],"from":"2026-11-01"`,
		"sales of mugs last week | stock":              `"id/Кружка эмаль 2 л"`,
		"отгрузки за вчера | кто больше всех взял":     `"by":["counterparty"],"from":"2026-11-21"`,
		"деньги по счетам | сколько пришло за ноябрь":  `"measures":["money_in"],"from":"2026-11-01"`,
		"продажи за неделю | что заканчивается":        `shortages {}`,
	} {
		r := converse(said)
		if got := call(r); !complete(&r) || !strings.Contains(got, want) {
			t.Errorf("%q is read as %s, want %s", said, got, want)
		}
	}
}

// TestAFollowUpLosesNothing reads follow-ups whose figures are those of what was shown (rule R349).
func TestAFollowUpLosesNothing(t *testing.T) {
	for said, want := range map[string]string{
		"Кружка эмаль 2 л | сколько продали за месяц":                     `"values":["Кружка эмаль 2 л"]`,
		"Кружка эмаль 2 л | сколько продали в октябре | когда закончится": `"days_of_cover"`,
		"Кружка эмаль 2 л | how many did we sell last month":              `"values":["Кружка эмаль 2 л"]`,
		"кто нам должен | старше месяца":                                  `"debt_age","op":"\u003e","values":["30"]`,
		"долги клиентов | больше 60 дней":                                 `"debt_age","op":"\u003e","values":["60"]`,
		"who owes us | older than 90 days":                                `"debt_age","op":"\u003e","values":["90"]`,
		"кто нам должен | а мы кому":                                      `"direction":"owed_by_us"`,
		"кому мы должны | а нам":                                          `"owed_to_us"`,
		"расходы за октябрь | самая большая статья":                       `"money_out"],"by":["expense_item"]`,
		"возвраты за октябрь | какой процент от продаж":                   `"measures":["return_rate"]`,
		"returns in October | what percentage of sales":                   `"measures":["return_rate"]`,
		"выручка по группам за октябрь | доля каждой":                     `"share":true`,
		"средний чек по месяцам | где ниже всего":                         `"by":["month"]`,
		"выручка по неделям | где больше всего":                           `"by":["week"]`,
		"цена Кружка эмаль 2 л | а в закупке":                             `"card_purchase_price"`,
		"заказы за неделю | неотгруженные":                                `"unshipped":true`,
		"заказы за октябрь | неоплаченные":                                `"unpaid":true`,
		"выручка за октябрь | what about profit":                          `"profit"`,
	} {
		r := converse(said)
		if got := call(r); !complete(&r) || !strings.Contains(got, want) {
			t.Errorf("%q is read as %s (%q, %v), want %s", said, got, r.Unused, r.Question, want)
		}
	}
	for _, said := range []string{"выручка по дням за октябрь по выходным | а прибыль",
		"sales by day last week on weekends | what about profit"} { // the profit of weekdays is not known
		if r := converse(said); complete(&r) {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}

// TestWhatADocumentSaysIsShownAgain asks about a document that was opened (rule R350).
func TestWhatADocumentSaysIsShownAgain(t *testing.T) {
	for _, asked := range []string{"оплачен?", "а он отгружен", "кто клиент", "что в нём", "на какую сумму",
		"какой статус",
		"is it paid", "who is the customer", "what's in it"} {
		r := converse("заказ покупателя 00612 | " + asked)
		if got := call(r); !complete(&r) || !strings.Contains(got, "00612") {
			t.Errorf("%q is read as %s", asked, got)
		}
	}
	for _, asked := range []string{"выручка за октябрь", "остатки на складе", "кто нам должен"} {
		if r := converse("заказ покупателя 00612 | " + asked); strings.Contains(call(r), "00612") {
			t.Errorf("%q is read as %s", asked, call(r))
		}
	}
}

// call returns the tool of a reading with its input.
func call(r language.Reading) string {
	input, err := json.Marshal(r.ToolInput())
	if err != nil {
		return err.Error()
	}
	return string(r.Skill) + " " + string(input)
}
