package compose

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/query"
)

func TestBalancesAreOfThePlaceThatIsNamed(t *testing.T) { // rules R510 and R513
	for task, want := range map[string]string{
		"сколько денег в кассе":   "balance where account in [Касса]",
		"сколько у нас налички":   "balance where account in [Касса]",
		"cash in the till":        "balance where account in [Касса]",
		"сколько денег на счетах": "balance where account not_in [Касса]",
		"bank balance":            "balance where account not_in [Касса]",
		"сколько денег на долларовом счете": "balance by account where account not_in [Касса] where currency in " +
			"[USD]",
		"деньги в кассе и на счетах":          "balance",
		"how much cash do we have":            "balance",
		"сколько пришло денег на счет вчера":  "money_in where account not_in [Касса] 2026-11-21..2026-11-21",
		"расход по кассе за вчера":            "money_out where account in [Касса] 2026-11-21..2026-11-21",
		"сколько я должен поставщикам":        "owed_by_us by counterparty",
		"кто мне должен":                      "owed_to_us by counterparty",
		"кто нам должен и кому мы должны":     "owed_to_us+owed_by_us by counterparty",
		"когда придёт товар":                  "open_orders+expected_on by counterparty",
		"какой неснижаемый остаток у товаров": "minimum by product",
		"dead stock list": "days_in_stock by product where days_in_stock >= [90]",
	} {
		r := read(task, nil)
		if r == nil || !r.Complete() {
			t.Errorf("%s: not read: %+v", task, r)
		} else if got := short(r); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestConditionsAreReadAsPeopleSayThem(t *testing.T) { // rule R270
	for task, want := range map[string]string{
		"какие товары стоят от 500 до 1000 рублей": "sale_price by product where sale_price between [500 1000]",
		"товары дешевле 300 руб с остатком больше 20": "sale_price+stock by product where sale_price < [300] " +
			"where stock > [20]",
		"goods between 500 and 1000 rubles": "sale_price by product where sale_price between [500 1000]",
		"products over 1000 rub with more than 10 in stock": "sale_price+stock by product where sale_price > [1000] " +
			"where stock > [10]",
		"which products sold more than 10 units last week": "revenue+quantity by product where quantity > [10] " +
			"2026-11-09..2026-11-15",
		"товары без продаж за месяц": "stock+pace by product where stock > [0] where pace = [0] " +
			"2026-10-23..2026-11-22",
		"items with no sales in 90 days": "stock+pace by product where stock > [0] where pace = [0] " +
			"2026-08-25..2026-11-22",
		"убыточные товары за октябрь": "profit by product where profit < [0] 2026-10-01..2026-10-31",
		"which customers bought more than 50000 in october": "revenue by counterparty where revenue > [50000] " +
			"2026-10-01..2026-10-31",
		"остатки с учетом резерва":              "free by product",
		"остатки по группам в деньгах":          "stock_cost by group",
		"чего продали больше чем закупили":      "quantity+quantity_received+difference by product where difference > [0]",
		"выручка кроме посуды и витрины":        "revenue where group not_in [Посуда] where store not_in [Витрина]",
		"продажи по понедельникам за октябрь":   "revenue where weekday in [1] 2026-10-01..2026-10-31",
		"выручка без выходных":                  "revenue where weekday not_in [6 7]",
		"average receipt by weekday in october": "average_receipt by weekday 2026-10-01..2026-10-31",
		"какие товары дали 80% прибыли":         "profit by product where abc in [A] order profit desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestComparisonsAndPeriodsAreReadAsPeopleSayThem(t *testing.T) { // rules R273 and R274
	for task, want := range map[string]string{
		"по сравнению с сентябрём какая прибыль за октябрь": "profit 2026-10-01..2026-10-31 against " +
			"2026-09-01..2026-09-30",
		"относительно прошлого года выручка за октябрь": "revenue 2026-10-01..2026-10-31 against last_year..",
		"сравни выручку за вчера с позавчера":           "revenue 2026-11-21..2026-11-21 against 2026-11-20..2026-11-20",
		"продажи вчера и сегодня":                       "revenue by day 2026-11-21..2026-11-22",
		"выручка за октябрь и ноябрь":                   "revenue by month 2026-10-01..2026-11-22",
		"продажи за сентябрь, октябрь и ноябрь":         "revenue by month 2026-09-01..2026-11-22",
		"сравни прибыль третьего и второго квартала":    "profit 2026-07-01..2026-09-30 against 2026-04-01..2026-06-30",
		"сравни закупки октября и сентября": "purchases 2026-10-01..2026-10-31 against " +
			"2026-09-01..2026-09-30",
		"compare october and september revenue by store": "revenue by store 2026-10-01..2026-10-31 against " +
			"2026-09-01..2026-09-30",
		"на сколько выросли продажи в октябре к сентябрю": "revenue 2026-10-01..2026-10-31 against " +
			"2026-09-01..2026-09-30",
		"выручка этого месяца по сравнению с прошлым годом": "revenue 2026-11-01..2026-11-22 against last_year..",
		"revenue this month compared to the same month last year": "revenue 2026-11-01..2026-11-22 against " +
			"last_year..",
		"which categories grew the most vs last year in october": "revenue by group where revenue change > [0] " +
			"2026-10-01..2026-10-31 against last_year.. order revenue desc",
		"прибыль по месяцам":                       "profit by month 2025-12-01..2026-11-22",
		"динамика прибыли за год":                  "profit by month 2025-11-23..2026-11-22",
		"итоги месяца":                             "revenue+profit+receipts 2026-11-01..2026-11-22",
		"отчет за прошлую неделю":                  "revenue+profit+receipts 2026-11-09..2026-11-15",
		"сколько зарабатываем в среднем в день":    "profit_per_day",
		"средняя выручка в день за ноябрь":         "revenue_per_day 2026-11-01..2026-11-22",
		"receipts per day in october":              "receipts_per_day 2026-10-01..2026-10-31",
		"в какой день недели лучше всего продажи":  "revenue by weekday order revenue desc",
		"best day of the week for sales this year": "revenue by weekday 2026-01-01..2026-11-22 order revenue desc",
		"во сколько у нас больше всего покупок":    "receipts by hour order receipts desc",
		"what share of revenue comes from посуда":  "revenue by group share",
		"доля витрины в выручке за октябрь":        "revenue by store 2026-10-01..2026-10-31 share",
		"сколько мы должны поставщикам":            "owed_by_us by counterparty",
		"на что ушли деньги в октябре":             "money_out by expense_item 2026-10-01..2026-10-31",
		"кто лучше продаёт":                        "revenue by employee order revenue desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestFollowUpsKeepTheRest(t *testing.T) { // rule R271
	said := func(tasks ...string) string {
		r := read(tasks[0], nil)
		for _, task := range tasks[1:] {
			if r == nil {
				return ""
			}
			r = read(task, &r.Query)
		}
		return short(r)
	}
	for _, c := range []struct {
		want  string
		tasks []string
	}{
		{"stock by product where stock != [0] where store in [Витрина]",
			[]string{"остатки по товарам", "только витрина", "без нулевых"}},
		{"revenue by store where store in [Витрина] 2026-10-01..2026-10-31",
			[]string{"выручка по складам за октябрь", "только витрина"}},
		{"revenue+profit by group 2026-10-01..2026-10-31 order profit desc",
			[]string{"выручка по группам за октябрь", "отсортируй по прибыли"}},
		{"quantity_returned by product 2026-10-01..2026-10-31 order quantity_returned desc",
			[]string{"возвраты за октябрь", "какие товары чаще всего возвращают"}},
		{"margin+revenue+profit by group 2026-10-01..2026-10-31 against previous..",
			[]string{"маржа по группам за октябрь", "почему упала?"}},
		{"revenue by store where group not_in [Посуда] 2026-10-01..2026-10-31",
			[]string{"revenue by store in october", "except посуда"}},
		{"profit by group where kind not_in [service] 2026-10-01..2026-10-31",
			[]string{"прибыль по группам за октябрь", "без услуг"}},
		{"stock_cost by product where group in [Посуда]", []string{"остатки посуды по товарам", "а в деньгах?"}},
	} {
		if got := said(c.tasks...); got != c.want {
			t.Errorf("%v\n got %s\nwant %s", c.tasks, got, c.want)
		}
	}
}

func TestWhatCannotBeCombinedOffersWhatCan(t *testing.T) { // rule R272
	r := read("остатки по складам и покупателям", nil)
	if r == nil || !r.Impossible || len(r.Choices) == 0 {
		t.Fatalf("%+v", r)
	}
	for _, q := range r.Choices {
		if !query.Possible(measures.Catalogue, q) {
			t.Errorf("%+v", q)
		}
		if query.Say(measures.Catalogue, q, stockhand.Russian, func(string) string { return "" }) == "" {
			t.Error("an option has no text")
		}
	}
}

// TestRowsAreRankedByTheirChangeWhereThatIsAsked (rule R345).
func TestRowsAreRankedByTheirChangeWhereThatIsAsked(t *testing.T) {
	for task, want := range map[string]struct {
		by     string
		order  string
		change bool
	}{
		"какие категории просели больше всего к прошлому месяцу": {"group", "asc", true},
		"какие товары выросли больше всего за неделю":            {"product", "desc", true},
		"what products grew the most since last month":           {"product", "desc", true},
		"у кого из клиентов выручка упала сильнее всего":         {"counterparty", "asc", true},
		"which customers bought less than in october":            {"counterparty", "asc", true},
		"топ 10 товаров за октябрь в сравнении с сентябрем":      {"product", "desc", false},
	} {
		r := read(task, nil)
		if r == nil || len(r.Query.Order) == 0 || r.Query.Compare == nil || r.Query.By[0] != want.by ||
			string(r.Query.Order[0].Direction) != want.order || r.Query.Order[0].Change != want.change {
			t.Errorf("%s: %s, want %v", task, short(r), want)
		}
	}
}

// TestQuestionWordsAreWhatTheFiguresAreShownBy (rule R345).
func TestQuestionWordsAreWhatTheFiguresAreShownBy(t *testing.T) {
	for task, want := range map[string]string{
		"кто вернул товар в октябре":     "returns by counterparty 2026-10-01..2026-10-31",
		"где больше остатков":            "stock_cost+stock by store order stock_cost desc",
		"кто списал больше всего":        "written_off by employee order written_off desc",
		"кому мы больше всего должны":    "owed_by_us by counterparty order owed_by_us desc",
		"сколько денег лежит на складе":  "stock_cost",
		"сколько денег осталось":         "balance",
		"какие товары давно не покупали": "days_since_sale by product order days_since_sale desc",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}
