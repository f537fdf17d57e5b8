package compose

import "testing"

func TestTwoMeasuresAreComparedWithEachOther(t *testing.T) { // rule R328
	for task, want := range map[string]string{
		"какого товара продали больше чем закупили за октябрь": "quantity+quantity_received+difference by product " +
			"where difference > [0] 2026-10-01..2026-10-31",
		"были ли месяцы в этом году когда расходы выше доходов": "money_out+money_in+difference by month " +
			"where difference > [0] 2026-01-01..2026-11-22",
		"закупили за месяц больше чем продали или нет": "purchases+revenue+difference 2026-10-23..2026-11-22",
		"прибыль минус расходы за октябрь":             "profit+money_out+difference 2026-10-01..2026-10-31",
		"дни когда возвраты больше скидок за ноябрь": "returns+discount+difference by day where difference > [0] " +
			"2026-11-01..2026-11-22",
		"выручка больше 5000 по товарам": "revenue by product where revenue > [5000]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestPaymentsInCashAndByTheBankAreDocuments(t *testing.T) { // rule R329
	for task, want := range map[string]string{
		"сколько денег пришло наличными за вчера": "money_in where document_type in [Приходный ордер] 2026-11-21..2026-11-21",
		"сколько безналом пришло за октябрь":      "money_in where document_type in [Входящий платёж] 2026-10-01..2026-10-31",
		"потратили наличкой вчера":                "money_out where document_type in [Расходный ордер] 2026-11-21..2026-11-21",
		"расходы по безналу по статьям":           "money_out by expense_item where document_type in [Исходящий платёж]",
		"оплаты без нал за октябрь": "money_in where document_type in [Входящий платёж] " +
			"2026-10-01..2026-10-31",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestSalesByPaymentAreAskedAbout(t *testing.T) { // rule R753
	for task, want := range map[string]string{
		"выручка наличными":        "money_in where document_type in [Приходный ордер]",
		"продажи по карте":         "money_in where document_type in [Входящий платёж]",
		"выручка без нала по дням": "money_in by day where document_type in [Входящий платёж]",
	} {
		r := read(task, nil)
		if got := short(r); got != want || r.Ask[0] == "" {
			t.Errorf("%s\n got %s, asked %q\nwant %s and a question", task, got, r.Ask[0], want)
		}
	}
}

func TestANumberBesideFiguresCountsThem(t *testing.T) { // rule R751
	for task, want := range map[string]string{
		"списания за третий квартал по складам. штуки и сумма": "written_off+quantity_written_off by store " +
			"2026-07-01..2026-09-30",
		"закупки по поставщикам кол-во и сумма":            "purchases+quantity_received by supplier",
		"возвраты по товарам: количество, сумма":           "returns+quantity_returned by product",
		"заказы покупателей по менеджерам, кол-во и сумма": "orders+orders_sum by employee",
		"прибыль по группам, количество и сумма":           "profit+quantity+revenue by group",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWholesaleCustomersHaveATag(t *testing.T) { // rule R755
	for task, want := range map[string]string{
		"топ 5 оптовых клиентов по обороту за год": "revenue by counterparty where tag contains [опт] " +
			"2025-11-23..2026-11-22 order revenue desc limit 5",
		"сколько продали оптовикам в октябре": "revenue by counterparty where tag contains [опт] " +
			"2026-10-01..2026-10-31",
		"долги оптовых покупателей":  "owed_to_us by counterparty where tag contains [опт]",
		"оптовые продажи за октябрь": "revenue where tag contains [опт] 2026-10-01..2026-10-31",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestAPartOfASumIsReckoned(t *testing.T) { // rule R754
	for task, want := range map[string]string{
		"премия продавцам 3% от выручки за октябрь": "revenue+part_of by employee 2026-10-01..2026-10-31",
		"бонус менеджерам 2 процента с прибыли":     "profit+part_of by employee",
	} {
		r := read(task, nil)
		if got := short(r); got != want || len(r.Query.Define) != 1 {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestTheFirstOfEachGroup(t *testing.T) { // rules R757, R1052
	for task, want := range map[string]string{
		"топ 3 товара в каждой группе по прибыли": "profit by group,product order profit desc limit 3 of each",
		"топ 3 товара по складам":                 "revenue by store,product order revenue desc limit 3 of each",
		"top 3 products per store":                "revenue by store,product order revenue desc limit 3 of each",
		"самый ходовой товар месяца по складам": "quantity by store,product 2026-11-01..2026-11-22 " +
			"order quantity desc limit 1 of each",
		"какой товар чаще всего возвращают по складам": "quantity_returned by store,product " +
			"order quantity_returned desc limit 1 of each",
		"топ покупателей по складам":                "revenue by store,counterparty order revenue desc limit 5 of each",
		"кто больше всех покупает по складам":       "revenue by store,counterparty order revenue desc limit 1 of each",
		"3 самых прибыльных товара в каждой группе": "profit by group,product order profit desc limit 3 of each",
		"лучший покупатель каждого месяца в этом году": "revenue by month,counterparty " +
			"2026-01-01..2026-11-22 order revenue desc limit 1 of each",
		"самый слабый день недели по магазинам":         "revenue by store,weekday order revenue asc limit 1 of each",
		"худший товар в каждой группе":                  "revenue by group,product order revenue asc limit 1 of each",
		"по одному лучшему товару с каждого склада":     "revenue by store,product order revenue desc limit 1 of each",
		"что лучше всего продаётся по магазинам":        "quantity by store,product order quantity desc limit 1 of each",
		"какого товара больше всего по складам":         "stock by store,product order stock desc limit 1 of each",
		"top 3 customers by profit in every store":      "profit by store,counterparty order profit desc limit 3 of each",
		"в каком магазине какой товар лучше всего идёт": "quantity by store,product order quantity desc limit 1 of each",
		"кому из поставщиков больше всех заплатили в каждом месяце": "money_out by month,counterparty " +
			"2025-12-01..2026-11-22 order money_out desc limit 1 of each",
		"самые ходовые размеры по магазинам": "quantity by store,variant order quantity desc limit 5 of each",
		// nothing is ranked within what names the goods, a name or a measure
		"топ 3 товара по артикулам":   "revenue by product order revenue desc limit 3",
		"топ 3 покупателя по прибыли": "profit by counterparty order profit desc limit 3",
	} {
		r := read(task, nil)
		if got := short(r); got != want || r.Ask[0] != "" {
			t.Errorf("%s\n got %s, asked %q\nwant %s", task, got, r.Ask[0], want)
		}
	}
}

func TestTheFirstOfEachGoOn(t *testing.T) { // rule R1053
	before := read("топ 2 товара по складам", nil).Query
	for task, want := range map[string]string{
		"а по прибыли":      "profit+revenue by store,product order profit desc limit 2 of each",
		"за октябрь":        "revenue by store,product 2026-10-01..2026-10-31 order revenue desc limit 2 of each",
		"по 3 в каждом":     "revenue by store,product order revenue desc limit 3 of each",
		"топ 3":             "revenue by store,product order revenue desc limit 3 of each",
		"3 на каждый склад": "revenue by store,product order revenue desc limit 3 of each",
	} {
		r := read(task, &before)
		if got := short(r); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestTwoRangesAreCompared(t *testing.T) { // rule R759
	for task, want := range map[string]string{
		"выручка за 1-10 и 11-20 ноября": "revenue 2026-11-11..2026-11-20 against 2026-11-01..2026-11-10",
		"прибыль за первую и вторую половину октября": "profit 2026-10-16..2026-10-31 " +
			"against 2026-10-01..2026-10-15",
		"выручка за первое полугодие и второе": "revenue 2026-07-01..2026-11-22 against 2026-01-01..2026-06-30",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWhoAndWhatInMoney(t *testing.T) {
	for task, want := range map[string]string{
		"кто платил вчера":          "money_in by counterparty 2026-11-21..2026-11-21",
		"кто должен и сколько дней": "owed_to_us+debt_age by counterparty",
		"топ 5 товаров для Востока": "revenue by product where counterparty in [Восток] " +
			"order revenue desc limit 5",
		"отгружено но не оплачено":                  "",
		"сколько чеков с возвратом за неделю":       "",
		"у какого поставщика цена ниже":             "purchase_price by counterparty order purchase_price asc",
		"кто из покупателей не брал больше 60 дней": "days_since by counterparty where days_since > [60]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestTheTillOfAShopIsWhatItSold(t *testing.T) { // rule R752
	for task, want := range map[string]string{
		"вчерашняя касса по магазину": "revenue by store 2026-11-21..2026-11-21",
		"касса за октябрь по точкам":  "revenue by store 2026-10-01..2026-10-31",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestConditionsBehindTheirNumber(t *testing.T) {
	for task, want := range map[string]string{
		"остаток 5 штук и меньше по товарам":        "stock by product where stock <= [5]",
		"товары которых осталось на 3 дня и меньше": "stock+days_of_cover by product where days_of_cover <= [3]",
		"десять самых дорогих товаров":              "sale_price by product order sale_price desc limit 10",
		"товары с маржой 30% и выше":                "margin by product where margin >= [30]",
		"у каких товаров продажи упали вдвое": "revenue by product where revenue change_percent <= [-50] " +
			"against previous.. order revenue asc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestUnitsChooseTheMeasure(t *testing.T) { // rule R326
	for task, want := range map[string]string{
		"возвраты в штуках по группам":            "quantity_returned by group",
		"сколько списали и на какую сумму":        "quantity_written_off+written_off",
		"сколько заказов и на какую сумму":        "orders+orders_sum",
		"выручка, количество, прибыль по товарам": "revenue+quantity+profit by product",
		"выручка и штуки по товарам":              "revenue+quantity by product",
		"сколько чеков в среднем в день":          "receipts_per_day",
		"средняя выручка за день по магазинам":    "revenue_per_day by store",
		"процент возвратов по группам":            "return_rate by group",
		"сколько сегодня чеков и какой средний":   "receipts+average_receipt 2026-11-22..2026-11-22",
		"остатки по складам в рублях и штуках":    "stock+stock_cost by store",
		"возвраты за октябрь в штуках и рублях":   "returns+quantity_returned 2026-10-01..2026-10-31",
		"маржа в рублях":                          "profit",
		"чеки в процентах по магазинам":           "receipts by store share",
		"закупки в среднем":                       "?purchases",
		"сколько раз возили товар":                "deliveries by product",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}
