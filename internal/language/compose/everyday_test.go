package compose

import "testing"

func TestFiguresAreAskedForAsPeopleTalk(t *testing.T) { // rule R346
	for task, want := range map[string]string{
		"кому чаще всего продаем":   "receipts by counterparty order receipts desc",
		"кто больше всех потратил":  "revenue by counterparty order revenue desc",
		"что чаще всего возвращают": "quantity_returned by product order quantity_returned desc",
		"какие статьи расходов выросли": "money_out by expense_item where money_out change > [0] " +
			"against previous.. order money_out desc",
		"когда у нас пик":                        "receipts by hour order receipts desc",
		"where does the money go":                "money_out by expense_item",
		"what's my best selling day of the week": "revenue by weekday order revenue desc",
		"which products make 80% of revenue":     "revenue by product where abc in [A] order revenue desc",
		"товары приносят 80 процентов прибыли":   "profit by product where abc in [A] order profit desc",
		"which orders haven't been shipped":      "unshipped by document,counterparty where unshipped > [0]",
		"цены оптовые и розничные":               "sale_price by product,price_type",
		"какие товары подешевели в закупке": "purchase_price by product where purchase_price change < [0] " +
			"against previous.. order purchase_price asc",
		"кто не платит больше месяца":                    "debt_age by counterparty where debt_age > [30]",
		"лучше или хуже чем в прошлом месяце":            "revenue 2026-11-01..2026-11-22 against 2026-10-01..2026-10-22",
		"goods with fewer than 5 sold in october":        "quantity+revenue by product where quantity < [5] 2026-10-01..2026-10-31",
		"кто из продавцов чаще всех дает скидки":         "?discount by employee order discount desc",
		"сколько у нас долгов":                           "owed_to_us+owed_by_us by counterparty",
		"who owes money":                                 "owed_to_us by counterparty",
		"who do we owe the most":                         "owed_by_us by counterparty order owed_by_us desc",
		"что можно списать":                              "days_in_stock by product order days_in_stock desc",
		"прибыль от месяца к месяцу":                     "profit by month 2025-12-01..2026-11-22",
		"which suppliers did we pay the most in october": "money_out by counterparty 2026-10-01..2026-10-31 order money_out desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWhatMayMeanTwoFiguresIsAsked(t *testing.T) { // rule R347
	for _, task := range []string{
		"выручка без возвратов за октябрь", "где маржа ниже 15%", "where is margin below 20%",
	} {
		if r := read(task, nil); r == nil || len(r.Choices) != 2 {
			t.Errorf("%s: %s", task, short(r))
		}
	}
}
