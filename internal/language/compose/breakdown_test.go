package compose

import "testing"

func TestCustomersSpendAndPay(t *testing.T) { // rule R1054
	for task, want := range map[string]string{
		"сколько покупателей купили больше чем на 10 тысяч": "revenue by counterparty where revenue > [10000]",
		"клиенты которые потратили больше 10 тысяч":         "revenue by counterparty where revenue > [10000]",
		"клиенты которые заплатили больше 10 тысяч":         "money_in by counterparty where money_in > [10000]",
		"покупатели с чеком больше 10 тысяч":                "average_receipt by counterparty where average_receipt > [10000]",
		"сколько дней выручка была выше 30 тысяч":           "revenue by day where revenue > [30000]",
		// what we spend is no purchase of a customer
		"сколько потратили на рекламу": "?money_out",
		"сколько покупателей сегодня":  "receipts 2026-11-22..2026-11-22",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestMoneyThatCameAndWent(t *testing.T) { // rule R1055
	for task, want := range map[string]string{
		"сколько денег сегодня пришло и сколько ушло": "money_in+money_out 2026-11-22..2026-11-22",
		"сколько денег пришло и сколько потратили":    "money_in+money_out",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestPurchaseAndRetailPrices(t *testing.T) { // rule R1059
	for task, want := range map[string]string{
		"какая закупочная и какая розничная у посуды": "card_purchase_price+sale_price by product where group in [Посуда]",
		"какая розничная у посуды":                    "sale_price by product where group in [Посуда]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestOneOfThemIsOneBreakdown(t *testing.T) { // rule R1056
	for task, want := range map[string]string{
		"с кем из поставщиков мы больше всего работаем в этом году по закупкам": "purchases by counterparty " +
			"2026-01-01..2026-11-22 order purchases desc",
		"закупки по контрагентам и поставщикам": "purchases by counterparty,supplier",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestAveragesOfWeeksAndMonths(t *testing.T) { // rule R1057
	for task, want := range map[string]string{
		"сколько в среднем продаём в неделю":    "revenue / 12 2026-08-24..2026-11-15",
		"среднемесячная прибыль":                "profit / 12 2025-11-01..2026-10-31",
		"средняя прибыль за неделю":             "profit / 12 2026-08-24..2026-11-15",
		"средняя выручка в месяц в этом году":   "revenue / 10 2026-01-01..2026-10-31",
		"average weekly revenue":                "revenue / 12 2026-08-24..2026-11-15",
		"revenue per month on average":          "revenue / 12 2025-11-01..2026-10-31",
		"сколько в среднем закупаем в месяц":    "purchases / 12 2025-11-01..2026-10-31",
		"средняя выручка в месяц по магазинам":  "revenue / 12 2025-11-01..2026-10-31",
		"в среднем за месяц сколько закупаем":   "purchases / 12 2025-11-01..2026-10-31",
		"сколько в среднем зарабатываем в день": "",
		"средний чек за неделю":                 "",
	} {
		r := read(task, nil)
		got := ""
		if len(r.Query.Define) == 1 && r.Complete() {
			got = r.Query.Define[0].Formula + " " + string(r.Query.From) + ".." + string(r.Query.To)
		}
		if got != want {
			t.Errorf("%s\n got %s, %s\nwant %s", task, got, short(r), want)
		}
	}
}
