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
