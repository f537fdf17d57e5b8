package compose

import "testing"

func TestPeriodsAreComparedAsPeopleSayIt(t *testing.T) { // rule R1110
	t.Parallel()
	const autumn = "2026-09-01..2026-11-22"
	const summer = "2026-06-01..2026-08-31"
	for task, want := range map[string]string{
		// a season or a month behind a word of comparing is not the period itself
		"средний чек вырос по сравнению с летом?":      "average_receipt " + autumn + " against " + summer,
		"выручка упала с лета?":                        "revenue " + autumn + " against " + summer,
		"прибыль меньше чем летом?":                    "profit " + autumn + " against " + summer,
		"сравни с летом выручку":                       "revenue " + autumn + " against " + summer,
		"выручка по сравнению с прошлой осенью":        "revenue " + autumn + " against last_year..",
		"насколько упала выручка с августа":            "revenue 2026-11-01..2026-11-22 against 2026-08-01..2026-08-31",
		"сравни выручку с октябрём":                    "revenue 2026-11-01..2026-11-22 against 2026-10-01..2026-10-31",
		"has the average receipt gone up since spring": "average_receipt " + autumn + " against 2026-03-01..2026-05-31",
		// two periods and a word of ranking
		"осенью больше заработали чем летом": "profit " + autumn + " against " + summer,
		"зимой больше продаём чем летом?":    "revenue 2025-12-01..2026-02-28 against " + summer,
		"лето или осень лучше по выручке":    "revenue " + autumn + " against " + summer,
		"больше ли мы продаём чем весной":    "revenue " + autumn + " against 2026-03-01..2026-05-31",
		// now and then
		"мы сейчас больше продаём или летом":         "revenue " + autumn + " against " + summer,
		"выручка сейчас и летом":                     "revenue " + autumn + " against " + summer,
		"покажи сейчас выручку и прибыль за октябрь": "revenue+profit 2026-10-01..2026-10-31",
		// rows are ranked by their change
		"какие товары продаются лучше чем летом": "revenue by product " + autumn + " against " + summer +
			" order revenue desc",
		// and a beginning stays one
		"выручка с октября по группам": "revenue by group 2026-10-01..2026-11-22",
		"выручка с лета":               "revenue 2026-06-01..2026-11-22",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWhatOnePieceBringsIsNoProfitOfAllSales(t *testing.T) { // rule R1113
	t.Parallel()
	for task, want := range map[string]string{
		"прибыль с одного пледа":       "price_minus_cost where product in [Плед]",
		"сколько имеем с одного пледа": "price_minus_cost where product in [Плед]",
		"profit per плед":              "price_minus_cost where product in [Плед]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestMoneyThatIsGoneWasSpent(t *testing.T) { // rule R1114
	t.Parallel()
	const spent = "money_out by expense_item 2026-10-01..2026-10-31"
	for task, want := range map[string]string{
		"куда ушли деньги в октябре": spent, "деньги куда ушли за октябрь": spent,
		"куда подевались бабки в октябре": spent, "на что расходовали средства в октябре": spent,
		"куда улетела выручка за октябрь": spent, "за что платили в октябре": spent,
		"куда ушёл товар в октябре": "revenue by counterparty 2026-10-01..2026-10-31",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestAlternativesAreRanked(t *testing.T) { // rule R1112
	t.Parallel()
	for task, want := range map[string]string{
		"юла или авито, где выручка больше": "revenue by sales_channel where sales_channel in " +
			"[Юла Авито] order revenue desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWordsOfSalesAreReadByTheirSentence(t *testing.T) { // rules R1116 to R1119
	t.Parallel()
	const saturdays = "on_average where weekday in [6] 2026-10-26..2026-11-22"
	for task, want := range map[string]string{
		// an ordinary Saturday is no last Saturday
		"сколько обычно продаём в субботу":         saturdays,
		"какая обычно выручка по субботам":         saturdays,
		"how much do we usually sell on saturdays": saturdays,
		"выручка в субботу":                        "revenue 2026-11-21..2026-11-21",
		// what was to be done is no debt
		"кто должен заплатить":              "owed_to_us by counterparty",
		"заказы которые должны были уехать": "?orders",
		"какой поставщик опаздывает":        "supplier_overdue_days by counterparty",
		// customers buy at an hour, we at another
		"во сколько вчера больше всего покупали": "revenue by hour 2026-11-21..2026-11-21 order revenue desc",
		"во сколько вчера закупали":              "purchases by hour 2026-11-21..2026-11-21",
		// documents, rows, payments
		"самый большой возврат за октябрь":    "returns by document 2026-10-01..2026-10-31 order returns desc limit 1",
		"топ товаров за октябрь, штук 15":     "revenue by product 2026-10-01..2026-10-31 order revenue desc limit 15",
		"лучшие клиенты, 7 штук":              "revenue by counterparty order revenue desc limit 7",
		"товары проданные больше 15 штук":     "revenue+quantity by product where quantity > [15]",
		"кто просрочил оплату больше 60 дней": "debt_age by counterparty where debt_age > [60]",
		"на чём просели в ноябре по сравнению с октябрём": "revenue by product 2026-11-01..2026-11-22 against " +
			"2026-10-01..2026-10-31 order revenue asc",
		"сколько позиций в среднем берут за раз": "lines_per_receipt",
		"с кем из поставщиков больше оборот":     "purchases by counterparty order purchases desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}
