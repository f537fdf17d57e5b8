package talk

import "testing"

func TestTheLastTimeIsThatOfThePartnersShown(t *testing.T) { // rule R1042
	follows(t, shown("supplier", "a", "b"), map[string]string{
		"закупки по поставщикам за октябрь | когда от них был последний приход":   `{"measures":["last_purchase"],"by":["supplier"],"where":[{"field":"supplier","op":"in","values":["a","b"]}]}`,
		"закупки по поставщикам за октябрь | когда они последний раз привозили":   `"values":["a","b"]`,
		"закупки по поставщикам за октябрь | последняя поставка от них когда":     `"measures":["last_purchase"]`,
		"purchases by supplier in October | when was the last delivery from them": `"measures":["last_purchase"]`,
	})
	follows(t, shown("counterparty", "a", "b"), map[string]string{
		"кто нам должен | а когда они последний раз платили": `documents {"kinds":["paymentin","cashin"]`,
		"кому мы должны | когда мы им последний раз платили": `documents {"kinds":["paymentout","cashout"]`,
		"топ 2 клиента за октябрь | что они брали в последний раз": `{"measures":["last_sale"],"by":["counterparty","product"],` +
			`"where":[{"field":"counterparty","op":"in","values":["a","b"]}]`,
		"топ 2 клиента за октябрь | когда они последний раз покупали": `"measures":["latest_sale"]`,
	})
	one := shown("counterparty", "a")
	follows(t, one, map[string]string{
		"выручка по покупателям за октябрь | когда он последний раз брал":    `"measures":["latest_sale"]`,
		"выручка по покупателям за октябрь | что он в последний раз покупал": `{"measures":["last_sale"],"by":["product"]`,
		"сколько мы должны Петровой | когда мы ей последний раз платили":     `"limit":1`,
	})
}

func TestSupplierOrdersAreAskedAbout(t *testing.T) { // rule R1043
	follows(t, shown("document", "a", "b"), map[string]string{
		"какие поставки просрочены | by how many days":         `"measures":["supplier_overdue_days","open_orders"]`,
		"какие поставки просрочены | what exactly is missing":  `{"measures":["in_transit","supplier_overdue_days"],"by":["product"]`,
		"какие поставки просрочены | чего именно не хватает":   `"by":["product"],"where":[{"field":"supplier_overdue_days"`,
		"заказы поставщикам в работе | что в них":              `"by":["product"],"where":[{"field":"in_transit"`,
		"заказы поставщикам в работе | насколько они опоздали": `"measures":["supplier_overdue_days","open_orders"]`,
		"открытые заказы поставщикам Петровой | что не пришло": `"field":"supplier","op":"in","values":["ИП Петрова"]`,
	})
}

func TestOnlyAGroupKeepsTheHorizon(t *testing.T) { // rule R1044
	follows(t, shown("product", "a", "b"), map[string]string{
		"что у нас кончится до конца месяца | только Посуда":         `shortages {"groups":["Посуда"],"mode":"running_out","days":9}`,
		"что кончится за две недели | только группа Посуда":          `shortages {"groups":["Посуда"],"mode":"running_out","days":14}`,
		"что кончится за две недели | а на Лесной":                   `shortages {"stores":["Склад на Лесной"],"mode":"running_out","days":14}`,
		"прогноз продаж посуды на месяц | только Текстиль":           `forecast {"groups":["Текстиль"],"days":30}`,
		"что заканчивается | только те что уже по нулям":             `{"field":"stock","op":"\u003c=","values":["0"]}`,
		"что заканчивается | just the ones that are already at zero": `{"field":"product","op":"in","values":["a","b"]}`,
		"что заканчивается на Лесной | не на Лесной, а на Мира":      `shortages {"stores":["Магазин на Мира"]}`,
	})
}

func TestAPeriodIsThatOfTheRefusedQuestion(t *testing.T) { // rule R1045
	follows(t, nil, map[string]string{
		"посчитай НДС за третий квартал | ну ладно, а прибыль за него какая": `"from":"2026-07-01","to":"2026-09-30"`,
		"посчитай НДС за октябрь | тогда выручка за это время":               `"from":"2026-10-01","to":"2026-10-31"`,
	})
}

func TestWhatGoodsAreWorthIsNoQuantity(t *testing.T) { // rule R1046
	follows(t, shown("product", "a", "b"), map[string]string{
		"какие товары не продавались месяц | сколько они стоят на складе": `{"measures":["stock_cost"]`,
		"какие товары не продавались месяц | где они стоят":               `"store"`,
	})
}

func TestAWordForWhatWasShownIsNeverLeftOut(t *testing.T) { // rule R1047
	follows(t, nil, map[string]string{
		"выручка вчера | а прибыль с них": `"measures":["profit"],"from":"2026-11-21","to":"2026-11-21"`,
	})
	for _, said := range []string{"кто нам должен | напиши им всем чтоб оплатили",
		"расходы по статьям за октябрь | а поставщикам сколько из них"} {
		r := converseOf(said, shown("counterparty", "a", "b"))
		if r.Question == nil && !r.Outside || r.Question != nil && len(r.Question.Options) > 1 {
			t.Errorf("%s: %s %v", said, callOf(&r), r.Question)
		}
	}
}

func TestAQuestionWithoutANounIsAboutWhatWasShown(t *testing.T) { // rule R1048
	follows(t, shown("product", "a", "b"), map[string]string{
		"какие товары не продавались месяц | какие самые дорогие":        `"field":"pace","op":"=","values":["0"]`,
		"топ 2 товара за октябрь | какие самые маржинальные":             `"field":"product","op":"in","values":["a","b"]`,
		"прибыль по группам за октябрь | самая прибыльная":               `"by":["group"],"from":"2026-10-01","to":"2026-10-31","order":[{"field":"profit"`,
		"what do we need to reorder | which are the most expensive":      `"field":"product","op":"in","values":["a","b"]`,
		"какие товары не продавались месяц | какие товары самые дорогие": `"measures":["sale_price"]`,
	})
	r := converseOf("остатки на Лесной | какие самые залежавшиеся", shown("product", "a", "b"))
	if r.Question == nil && callOf(&r) == "stock_age {}" {
		t.Errorf("the age of all goods was shown")
	}
}

func TestWhatLiesInDocumentsOfAList(t *testing.T) { // rule R1049
	follows(t, shown("document", "a", "b"), map[string]string{
		"отгрузки за вчера | что в них":                   `"by":["product"],"where":[{"field":"document_type","op":"in","values":["demand"]}],"from":"2026-11-21"`,
		"приёмки за неделю | какие в них товары":          `"by":["product"],"from":"2026-11-16","to":"2026-11-22"`,
		"заказы покупателей за ноябрь | отгрузили?":       `"unshipped":true`,
		"заказы покупателей за ноябрь | они уже оплачены": `"unpaid":true`,
	})
	for _, said := range []string{"заказы покупателей за ноябрь | что в них",
		"последние 5 отгрузок | кто больше всех взял"} {
		if r := converseOf(said, shown("document", "a", "b")); r.Question == nil && !r.Outside {
			t.Errorf("%s: %s", said, callOf(&r))
		}
	}
}
