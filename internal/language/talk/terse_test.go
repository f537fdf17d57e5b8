package talk

import (
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

func TestWithoutReturnsIsAfterReturns(t *testing.T) { // rule R800
	follows(t, nil, map[string]string{
		"выручка за октябрь | без возвратов": `{"measures":["revenue","returns"],"from":"2026-10-01",` +
			`"to":"2026-10-31"}`,
		"прибыль по группам за октябрь | и без возвратов": `{"measures":["profit","returns"],` +
			`"by":["group"],"from"`,
		"sales in october | without returns": `{"measures":["revenue","returns"],` +
			`"from":"2026-10-01"`,
		"выручка по клиентам за октябрь | только клиенты без возвратов": `{"field":"returns",` +
			`"op":"=","values":["0"]}`,
	})
}

func TestWhatWasComparedStays(t *testing.T) { // rule R801
	const yearAgo = `"compare":{"with":"last_year"}`
	follows(t, nil, map[string]string{
		"средний чек в ноябре | а год назад | сравни": yearAgo,
		"выручка за октябрь | сравни с августом | почему упала": `"compare":{"from":"2026-08-01",` +
			`"to":"2026-08-31"}`,
	})
}

func TestShortWordsForRowsAreRead(t *testing.T) { // rule R802
	follows(t, nil, map[string]string{
		"выручка по складам за октябрь | снизу вверх": `"direction":"asc"}]`,
		"топ 5 групп по выручке | остальные тоже": `"order":[{"field":"revenue",` +
			`"direction":"desc"}]}`,
		"выручка по месяцам за год | в каком провал": `"direction":"asc"`,
		"выручка за октябрь | в разрезе складов": `{"measures":["revenue"],"by":["store"],` +
			`"from":"2026-10-01"`,
		"остатки посуды | разнеси по складам | пустые убери": `{"field":"stock","op":"!=",` +
			`"values":["0"]}`,
		"продажи по складам за неделю | у кого больше всего чеков":   `"by":["store"]`,
		"profit by store in october | leave out the shop on Витрина": `"op":"not_in","values":["Витрина"]`,
		"average receipt yesterday | same day last week": `"from":"2026-11-14",` +
			`"to":"2026-11-14"`,
		"cash balance | and the bank": `"place":"accounts"`,
		"остатки кружек | по складам | только где меньше 5": `"by":["product","store"],` +
			`"where":[{"field":"stock","op":"\u003c"`,
		"unpaid customer orders | from Альфа | total only": `{"kinds":["customerorder"],` +
			`"counterparties":["ООО «Альфа»"],"unpaid":true}`,
	})
}

func TestARowIsOpenedByItsPlaceAlone(t *testing.T) { // rule R803
	rows := shown("counterparty", "ООО «Бета»", "ООО «Альфа»")
	follows(t, rows, map[string]string{"кто нам должен | покажи второго": `"ООО «Альфа»"`})
	for said, opens := range map[string]bool{"второй": true, "а первая": true, "второе": false, "третий": false,
		"второй склад": false, "1": false} {
		if OpensRow(said, rows) != opens {
			t.Errorf("%q opens a row: %t", said, !opens)
		}
	}
	if OpensRow("второй", &refer.Rows{Dimension: "day", IDs: []string{"a", "b"}}) {
		t.Error("a day is opened")
	}
}

func TestAListThatShowsItIsShownAgain(t *testing.T) { // rule R804
	follows(t, nil, map[string]string{
		"просроченные заказы | чьи они":         `overdue_orders {}`,
		"просроченные заказы | на сколько дней": `overdue_orders {}`,
		"отгрузки за вчера | чьи они":           `documents {"kinds":["demand"],"from":"2026-11-21"`,
	})
}

func TestTheOldestDebtsAreFirst(t *testing.T) { // rule R805
	for _, said := range []string{"самые старые", "сортируй по давности", "кому раньше платить"} {
		follows(t, nil,
			map[string]string{"долги поставщикам | " + said: `"order":[{"field":"our_debt_age",` +
				`"direction":"desc"}]`})
	}
}

func TestTheLastTimeIsOfWhatWasNamed(t *testing.T) { // rule R806
	follows(t, nil, map[string]string{
		"продажи Альфы | когда последний раз": `{"measures":["latest_sale"],"by":["counterparty"]`,
		"остатки тапочек | когда последний раз заказывали": `{"measures":["last_purchase"],` +
			`"by":["product"]`,
		"остатки тапочек | когда последний раз продавали": `{"measures":["last_sale"],"by":["product"]`,
	})
}

func TestTheWorstRowIsExplained(t *testing.T) { // rule R807
	follows(t, shown("group", "id/Посуда"), map[string]string{
		"прибыль по группам за октябрь | кто из них худший": `"direction":"asc"}],"limit":1}`,
		"прибыль по группам за октябрь | кто из них худший | почему": `"by":["product"],` +
			`"where":[{"field":"group"`})
}

func TestThePartnerOfTheTaskBeforeIsKept(t *testing.T) { // rule R808
	follows(t, nil, map[string]string{
		"долг Кузнецова | когда платил": `"counterparties":["ИП Кузнецов"],` +
			`"limit":1}`,
		"оплаты от Альфы за ноябрь | долг остался?": `"values":["ООО «Альфа»"]`,
		"остатки тапочек | где лежит": `"by":["store"],` +
			`"where":[{"field":"product"`,
		"остатки тапочек | где лежит | что там подходит к концу": `shortages {"products":["Тапочки"]}`,
		"новые заказы сегодня | на сумму":                        `"states":["Новый"]`,
	})
}

func TestWholesaleLimitsTheSalesBefore(t *testing.T) { // rule R809
	const tagged = `{"field":"tag","op":"contains","values":["опт"]}],"from":"2026-10-01"`
	follows(t, nil, map[string]string{
		"выручка по клиентам за октябрь | только оптовики": tagged,
		"продажи за октябрь | только опт":                  tagged,
	})
}

func TestTheWorstLossIsTheHighest(t *testing.T) { // rule R807
	for _, said := range []string{"самый плохой", "худший"} {
		follows(t, nil, map[string]string{"списания по месяцам за год | " + said: `"direction":"desc"`})
	}
	const compared = "выручка по группам за сентябрь | сравни с августом | "
	follows(t, nil, map[string]string{
		compared + "кто просел": `"by":["group"]`,
		compared + "кто просел | а кто вырос": `"op":"\u003e","values":["0"],"of":"change"}],` +
			`"from":"2026-09-01"`,
	})
}

func TestShortQuestionsAreOfWhatWasShown(t *testing.T) { // rule R802
	follows(t, nil, map[string]string{
		"маржа за вчера | маловато":                   `"compare":{"with":"previous"}`,
		"топ товаров за квартал | оставь пять":        `"limit":5}`,
		"что заканчивается на Витрине | у кого брать": `"by":["product","supplier"]`,
		"минимальные остатки | что ниже":              `"measures":["shortage"]`,
		"возвраты за ноябрь | за что":                 `{"measures":["returns"],"by":["product"]`,
		"expenses in october | by item":               `"by":["expense_item"]`,
		"orders this week | not shipped":              `"unshipped":true}`,
		"приёмки за октябрь | от Чайного дома | что привезли": `"by":["product"],` +
			`"where":[{"field":"counterparty"`,
		"возвраты в октябре | процент": `{"measures":["return_rate"]`,
		"долги клиентов | больше 10 тысяч | давно ли": `"order":` +
			`[{"field":"debt_age","direction":"desc"}]`,
	})
}
