package talk

import "testing"

func TestFollowUpsAreReadInPlainWords(t *testing.T) { // rule R771
	follows(t, nil, map[string]string{
		"остатки посуды | ниже минимума которые":              `{"groups":["Посуда"],"mode":"below_minimum"}`,
		"остатки на витрине | а по продажной сколько в сумме": `{"measures":["stock_price"],"by"`,
		"остатки на витрине | без резерва":                    `"measures":["free"]`,
		"остатки на витрине | это с резервом?":                `"measures":["stock","reserve"]`,
		"деньги в кассе | а на счетах":                        `"place":"accounts"`,
		"прибыль по группам за октябрь | чё так мало":         `"explain":true`,
		"продажи за вчера | позавчера я имею в виду":          `"from":"2026-11-20"`,
	})
}

func TestATotalIsOfWhatWasShown(t *testing.T) { // rule R772
	follows(t, nil, map[string]string{
		"прибыль по группам за октябрь | итого":               `{"measures":["profit"],"from":"2026-10-01"`,
		"прибыль по группам за октябрь | по ним одной суммой": `{"measures":["profit"],"from":"2026-10-01"`,
		"заказы покупателей за октябрь | итого по ним":        `{"kinds":["customerorder"],"from":"2026-10-01"`,
	})
}

func TestAFigureOfItKeepsTheRest(t *testing.T) { // rule R773
	follows(t, nil, map[string]string{"выручка с тапочек по месяцам за 2026 год | а прибыль с них": `{"measures":` +
		`["profit"],"by":["month"],"where":[{"field":"product","op":"in","values":["Тапочки"]}],"from":"2026-`})
}

func TestARowIsOpenedByItsName(t *testing.T) { // rule R774
	for _, said := range []string{"посуду раскрой", "что в посуде", "посуда подробнее", "раскрой посуду по " +
		"товарам"} {
		follows(t, nil, map[string]string{"выручка по группам за октябрь | " + said: `{"measures":["revenue"],` +
			`"by":["product"],"where":[{"field":"group","op":"in","values":["Посуда"]}],"from":"2026-10-01"`})
	}
}

func TestWithAMonthCompares(t *testing.T) { // rule R775
	const october = `"from":"2026-10-01","to":"2026-10-31","compare":`
	follows(t, nil, map[string]string{
		"выручка за октябрь по складам | сравни с сентябрём по прибыли": `"by":["store"],` + october +
			`{"from":"2026-09-01","to":"2026-09-30"},"order":[{"field":"profit"`,
		"сравни выручку октября и сентября | с августом": october + `{"from":"2026-08-01","to":"2026-08-31"}`,
		"выручка за сентябрь по складам | добавь октябрь": `"by":["store"],` + october + // rule R776
			`{"from":"2026-09-01","to":"2026-09-30"}`,
	})
}

func TestAComparisonIsKept(t *testing.T) { // rule R775
	const months = `"from":"2026-10-01","to":"2026-10-31","compare":{"from":"2026-09-01","to":"2026-09-30"}`
	follows(t, nil, map[string]string{
		"сравни октябрь с сентябрём | продажи":                    `{"measures":["revenue"],` + months,
		"сравни октябрь с сентябрём | за счёт чего упала прибыль": months + `,"explain":true`,
		"прибыль за октябрь | а за сентябрь | на сколько упала":   months, // rule R772
	})
}

func TestWhatIsMeantIsKept(t *testing.T) { // rule R771
	follows(t, nil, map[string]string{
		"остатки посуды | я сказала посуды а не инструмента":     `{"groups":["Посуда"]}`,
		"выручка по дням за октябрь | а сколько чеков в эти дни": `"from":"2026-10-01","to":"2026-10-31"`,
		"сколько заказать тапочек | нет, сколько осталось":       `stock {"products":["Тапочки"]}`,
		"цены на посуду | и чтоб в наличии были":                 `{"field":"stock","op":"\u003e","values":["0"]}`,
		"долги пекарни | а когда платили":                        `"counterparties":["ООО «Пекарня»"]`,
	})
}

func TestAPriceHasNoWarehouse(t *testing.T) { // rule R771
	follows(t, nil, map[string]string{
		"остатки тапочек на витрине | сколько стоит": `{"measures":["sale_price"],"where":[{"field":"product",` +
			`"op":"in","values":["Тапочки"]}]}`,
	})
}

func TestAnAddedNameIsCompared(t *testing.T) { // rule R777
	follows(t, nil, map[string]string{"выручка на лесной за октябрь | сравни с витриной": `"by":["store"],` +
		`"where":[{"field":"store","op":"in","values":["Склад на Лесной","Витрина"]}],"from":"2026-10-01"`})
}
