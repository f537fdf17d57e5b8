package compose

import "testing"

func TestSalesAreAskedForAsMerchantsDo(t *testing.T) { // rules R500 to R503
	t.Parallel()
	for task, want := range map[string]string{
		// a period whose noun is left out, or two periods and a comparative
		"этот месяц хуже прошлого?":           "revenue 2026-11-01..2026-11-22 against previous..",
		"ноябрь хуже октября":                 "revenue 2026-11-01..2026-11-22 against 2026-10-01..2026-10-31",
		"сравни ноябрь этого года и прошлого": "revenue 2026-11-01..2026-11-22 against last_year..",
		"is this month better than last?":     "revenue 2026-11-01..2026-11-22 against previous..",
		// by how much
		"товары у которых продажи упали больше чем на 20%": "revenue by product where revenue change_percent < [-20] " +
			"against previous.. order revenue asc",
		"какие товары выросли в 2 раза": "revenue by product where revenue change_percent >= [100] against " +
			"previous.. " +
			"order revenue desc",
		"which products doubled in sales": "revenue by product where revenue change_percent >= [100] " +
			"against previous.. order revenue desc",
		// customers
		"какие клиенты перестали покупать":           "days_since by counterparty where days_since >= [30]",
		"кто давно не заказывал больше 60 дней":      "days_since by counterparty where days_since > [60]",
		"сколько клиентов купили больше одного раза": "purchases_count by counterparty where purchases_count >= [2]",
		"клиенты с двумя покупками":                  "purchases_count by counterparty where purchases_count = [2]",
		"в какие часы покупателей меньше всего":      "receipts by hour order receipts asc",
		// names side by side, shares, classes
		"доля посуды в продажах":                "revenue by group share",
		"сколько процентов прибыли дает посуда": "profit by group share",
		"товары группы C по прибыли":            "profit by product where abc in [C]",
		// documents, hours, years and parts of months
		"самая крупная продажа за ноябрь": "revenue by document 2026-11-01..2026-11-22 order " +
			"revenue desc limit 1",
		"10 крупнейших продаж": "revenue by document order revenue desc limit 10",
		"выручка утром и вечером": "revenue by hour where hour in [05 06 07 08 09 10 11 " +
			"18 19 20 21 22 23]",
		"выручка 2026 к 2025": "revenue 2026-01-01..2026-11-22 against " +
			"2025-01-01..2025-12-31",
		"выручка за первые 2 недели ноября":                 "revenue 2026-11-01..2026-11-14",
		"выручка за последние 10 дней против предыдущих 10": "revenue 2026-11-13..2026-11-22 against previous..",
		"which customers are buying less than before": "revenue by counterparty where revenue change < [0] " +
			"against previous.. order revenue asc",
		"товары с возвратами больше 5 процентов": "returns+return_rate by product where return_rate > [5]",
		"продажи товаров до 500 рублей":          "revenue+sale_price by product where sale_price <= [500]",
		"топ 5 убыточных товаров": "profit by product where profit < [0] order profit " +
			"asc limit 5",
		"топ 10 чеков за вчера": "revenue by document 2026-11-21..2026-11-21 order " +
			"revenue desc limit 10",
		"клиенты с чеком выше среднего":      "?average_receipt by counterparty",
		"темп роста выручки по месяцам":      "revenue by month 2025-12-01..2026-11-22 against 2025-11-01..2026-10-22",
		"рост продаж по неделям в процентах": "revenue by week 2026-08-31..2026-11-22 against 2026-08-24..2026-11-15",
		"прирост прибыли по кварталам":       "profit by quarter 2026-01-01..2026-11-22 against 2025-10-01..2026-08-22",
		// measures
		"что расходится быстрее всего": "quantity by product order quantity desc",
		"в каком магазине чек выше":    "average_receipt by store order average_receipt desc",
		"продажи от 3 до 5 тысяч рублей за вчера": "revenue by document where revenue between [3000 5000] " +
			"2026-11-21..2026-11-21",
		"какие товары почти не дают прибыли": "profit by product order profit asc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}
