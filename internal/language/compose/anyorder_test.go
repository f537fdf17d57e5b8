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
