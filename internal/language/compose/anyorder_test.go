package compose

import "testing"

func TestMonthsAreNamedByAdjectives(t *testing.T) { // rule R870
	t.Parallel()
	for task, want := range map[string]string{
		"октябрьские возвраты":           "returns 2026-10-01..2026-10-31",
		"октябрьская прибыль по складам": "profit by store 2026-10-01..2026-10-31",
		"майская выручка":                "revenue 2026-05-01..2026-05-31",
		"выручка за майские":             "revenue 2026-05-01..2026-05-09",
		"прошлогодние продажи":           "revenue 2025-01-01..2025-12-31",
		"недельная выручка по складам":   "revenue by store 2026-11-16..2026-11-22",
		"выручка на той неделе":          "revenue 2026-11-09..2026-11-15",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWordsOfAFigureMayStandApart(t *testing.T) { // rules R871 and R872
	t.Parallel()
	for task, want := range map[string]string{
		"сколько пришло в октябре денег":          "money_in 2026-10-01..2026-10-31",
		"разбей продажи октября по дням недели":   "revenue by weekday 2026-10-01..2026-10-31",
		"распределение расходов по статьям":       "money_out by expense_item",
		"что вернули покупатели в октябре":        "returns by product 2026-10-01..2026-10-31",
		"сколько вернули клиенты в октябре":       "returns 2026-10-01..2026-10-31",
		"каналы за октябрь, сколько по каждому":   "revenue by sales_channel 2026-10-01..2026-10-31",
		"как менялась прибыль от недели к неделе": "profit by week 2026-08-31..2026-11-22",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWordsBesideAFigureAddNothing(t *testing.T) { // rules R873 to R876
	t.Parallel()
	for task, want := range map[string]string{
		"с какой наценкой продавали в октябре":       "markup 2026-10-01..2026-10-31",
		"доля возвратов в продажах октября":          "return_rate 2026-10-01..2026-10-31",
		"на какую сумму вернули товара в октябре":    "returns 2026-10-01..2026-10-31",
		"сколько ушло денег из компании в октябре":   "money_out 2026-10-01..2026-10-31",
		"структура расходов за октябрь":              "money_out by expense_item 2026-10-01..2026-10-31 share",
		"наименьшая выручка за день в октябре":       "revenue by day 2026-10-01..2026-10-31 order revenue asc",
		"средние продажи за день в октябре в рублях": "revenue_per_day 2026-10-01..2026-10-31",
		"кто больше всех скидывал в октябре": "discount by employee 2026-10-01..2026-10-31 " +
			"order discount desc",
		"что утянуло прибыль вниз в ноябре": "profit+quantity by product 2026-11-01..2026-11-22 " +
			"against previous.. explain",
		"постоянные клиенты за октябрь": "receipts by counterparty where receipts >= [2] " +
			"2026-10-01..2026-10-31",
		"у кого последняя покупка больше 60 дней назад": "latest_sale+days_since by counterparty " +
			"where days_since > [60]",
		"кто должен дольше 30 дней": "owed_to_us+debt_age by counterparty " +
			"where debt_age > [30]",
		"are sales up from last month": "revenue 2026-11-01..2026-11-22 against previous..",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}
