package compose

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
)

var sunday = time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)

// named are names of an account by the word that the tests use for them.
var (
	showcase = []connector.Name{{Kind: connector.NameStore, Name: "Витрина"}}
	dishes   = []connector.Name{{Kind: connector.NameGroup, Name: "Посуда"}}
	east     = []connector.Name{{Kind: connector.NameSupplier, ID: "c1", Name: "Восток"},
		{Kind: connector.NameCounterparty, ID: "c1", Name: "Восток"}}
	named = map[string][]connector.Name{"витрина": showcase, "витрине": showcase, "витрины": showcase,
		"посуда": dishes, "посуды": dishes,
		"восток": east, "востока": east,
		"плед": {{Kind: connector.NameProduct, Name: "Плед"}}, "пледа": {{Kind: connector.NameProduct, Name: "Плед"}},
		"юла":    {{Kind: connector.NameSalesChannel, Name: "Юла"}},
		"авито":  {{Kind: connector.NameSalesChannel, Name: "Авито"}},
		"лесная": {{Kind: connector.NameStore, Name: "Лесная"}}}
)

func read(task string, previous *analysis.Query) *Reading {
	in := typed.Input{Tokens: token.Split(task), Catalogue: measures.Catalogue, Today: sunday, Previous: previous}
	typed.Repair(measures.Catalogue, in.Tokens, func(*token.Token) bool { return false })
	for i := range in.Tokens {
		if list := named[in.Tokens[i].Norm]; list != nil {
			in.Tokens[i].Use = token.AsName
			in.Names = append(in.Names, typed.Name{At: []int{i}, Meanings: list})
		}
	}
	return Read(in)
}

// short writes a query as the tests do; empty for none, "?" in front of one with unexplained words.
func short(r *Reading) string {
	if r == nil {
		return ""
	}
	q := r.Query
	var b strings.Builder
	if !r.Complete() {
		b.WriteString("?")
	}
	b.WriteString(strings.Join(q.Measures, "+"))
	if len(q.By) > 0 {
		b.WriteString(" by " + strings.Join(q.By, ","))
	}
	for _, w := range q.Where {
		fmt.Fprintf(&b, " where %s %s %v", strings.TrimSpace(w.Field+" "+string(w.Of)), w.Op, w.Values)
	}
	if q.From != "" {
		fmt.Fprintf(&b, " %s..%s", q.From, q.To)
	}
	if q.Compare != nil {
		fmt.Fprintf(&b, " against %s%s..%s", q.Compare.With, q.Compare.From, q.Compare.To)
	}
	for _, o := range q.Order {
		fmt.Fprintf(&b, " order %s %s", o.Field, o.Direction)
	}
	if q.Limit > 0 {
		fmt.Fprintf(&b, " limit %d", q.Limit)
	}
	if q.LimitEach > 0 {
		fmt.Fprintf(&b, " limit %d of each", q.LimitEach)
	}
	if q.Share {
		b.WriteString(" share")
	}
	if q.Explain {
		b.WriteString(" explain")
	}
	return b.String()
}

func TestQuestionsAreReadAsQueries(t *testing.T) { // rule R264
	for task, want := range map[string]string{
		"выручка по складам за октябрь":            "revenue by store 2026-10-01..2026-10-31",
		"средний чек по дням недели":               "average_receipt by weekday",
		"прибыль и маржа по группам":               "profit+margin by group",
		"какие товары с маржой ниже 20%":           "margin by product where margin < [20]",
		"товары с остатком больше 100 штук":        "stock by product where stock > [100]",
		"выручка от 10 до 20 тысяч по клиентам":    "revenue by counterparty where revenue between [10000 20000]",
		"выручка на витрине кроме посуды":          "revenue where store in [Витрина] where group not_in [Посуда]",
		"остатки востока":                          "stock where supplier in [Восток]",
		"закупки у востока в этом году":            "purchases where counterparty in [Восток] 2026-01-01..2026-11-22",
		"сколько продали ООО Восток":               "revenue where counterparty in [Восток]",
		"продажи востока за октябрь":               "revenue where counterparty in [Восток] 2026-10-01..2026-10-31",
		"прибыль октябрь vs октябрь прошлого года": "profit 2026-10-01..2026-10-31 against 2025-10-01..2025-10-31",
		"остаток не меньше 5 и не больше 10 штук":  "stock by product where stock >= [5] where stock <= [10]",
		"stock more than 5 and less than 10":       "stock by product where stock > [5] where stock < [10]",
		"долг больше 10 но меньше 50 тысяч":        "owed_to_us by counterparty where owed_to_us > [10000] where owed_to_us < [50000]",
		"товары дороже тысячи и дешевле двух":      "sale_price by product where sale_price > [1000] where sale_price < [2000]",
		"товары с ценой выше 500 но ниже 1000":     "sale_price by product where sale_price > [500] where sale_price < [1000]",
		"товары дороже 500 и дешевле 2000":         "sale_price by product where sale_price > [500] where sale_price < [2000]",
		"клиенты с покупками до 10 тысяч":          "receipts+revenue by counterparty where revenue <= [10000]",
		"клиенты с покупками больше 3":             "receipts by counterparty where receipts > [3]",
		"продано больше 5 и остаток меньше 3":      "revenue+quantity+stock by product where quantity > [5] where stock < [3]",
		"октябрь больше сентября?":                 "revenue 2026-10-01..2026-10-31 against 2026-09-01..2026-09-30",
		"во сколько раз октябрь больше сентября":   "revenue 2026-10-01..2026-10-31 against 2026-09-01..2026-09-30",
		"сравни эту субботу с прошлой":             "revenue 2026-11-21..2026-11-21 against 2026-11-14..2026-11-14",
		"эта суббота к прошлой субботе":            "revenue 2026-11-21..2026-11-21 against 2026-11-14..2026-11-14",
		"эта суббота хуже прошлой?":                "revenue 2026-11-21..2026-11-21 against 2026-11-14..2026-11-14",
		"выручка в эту пятницу и в прошлую":        "revenue 2026-11-20..2026-11-20 against 2026-11-13..2026-11-13",
		"выручка в выходные к прошлым выходным":    "revenue 2026-11-21..2026-11-22 against 2026-11-14..2026-11-15",
		"выручка за эти выходные против прошлых":   "revenue 2026-11-21..2026-11-22 against 2026-11-14..2026-11-15",
		"profit on monday vs last monday":          "profit 2026-11-16..2026-11-16 against 2026-11-09..2026-11-09",
		"выручка за квартал к прошлому":            "revenue 2026-08-23..2026-11-22 against 2026-05-23..2026-08-22",
		"выручка за месяц к прошлому":              "revenue 2026-10-23..2026-11-22 against 2026-09-22..2026-10-22",
		"чт против ср по выручке":                  "revenue 2026-11-19..2026-11-19 against 2026-11-18..2026-11-18",
		"сравни 2 и 3 квартал":                     "revenue 2026-07-01..2026-09-30 against 2026-04-01..2026-06-30",
		"выручка с 1 по 15 ноября и с 16 по 22":    "revenue 2026-11-16..2026-11-22 against 2026-11-01..2026-11-15",
		"выручка 1-10 ноября против 11-20":         "revenue 2026-11-01..2026-11-10 against 2026-11-11..2026-11-20",
		"прибыль за 3 и 4 ноября":                  "profit by day 2026-11-03..2026-11-04",
		"сравни понедельники и пятницы":            "revenue by weekday where weekday in [1 5]",
		"выручка неделю назад":                     "revenue 2026-11-15..2026-11-15",
		"сравни выручку с прошлым месяцем":         "revenue 2026-11-01..2026-11-22 against previous..",
		"за счёт чего упала прибыль в октябре":     "profit+quantity by product 2026-10-01..2026-10-31 against previous.. explain",
		"топ 5 клиентов по прибыли":                "profit by counterparty order profit desc limit 5",
		"самый прибыльный товар":                   "profit by product order profit desc",
		"доля выручки по каналам":                  "revenue by sales_channel share",
		"расходы по статьям за октябрь":            "money_out by expense_item 2026-10-01..2026-10-31",
		"прибыль по услугам":                       "profit by product where kind in [service]",
		"выручка без услуг":                        "revenue where kind not_in [service]",
		"товары не продавались 60 дней":            "stock+pace by product where stock > [0] where pace = [0] 2026-09-24..2026-11-22",
		"что продаем ниже себестоимости":           "sale_price+price_minus_cost by product where price_minus_cost < [0]",
		"выручка за первую половину ноября":        "revenue 2026-11-01..2026-11-15",
		"выручка по розовым складам":               "?revenue by store",
		"остатки и деньги":                         "stock+balance+stock_cost",
		"сколько продали вчера":                    "revenue 2026-11-21..2026-11-21",
		"revenue by store and month last year":     "revenue by store,month 2025-01-01..2025-12-31",
		"returns this month by product":            "returns by product 2026-11-01..2026-11-22",
		"products with margin below 10%":           "margin by product where margin < [10]",
		"top 3 customers by revenue in october":    "revenue by counterparty 2026-10-01..2026-10-31 order revenue desc limit 3",
		"profit without services":                  "profit where kind not_in [service]",
		"money in vs money out this week":          "money_in+money_out 2026-11-16..2026-11-22",
		"спасибо, всё понятно":                     "",
		"напиши стихотворение":                     "",
		"погода завтра":                            "",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestFollowUpsChangeOnePartOfTheQuery(t *testing.T) { // rule R264
	first := read("выручка по складам за октябрь", nil).Query
	for task, want := range map[string]string{
		"а в сентябре?":      "revenue by store 2026-09-01..2026-09-30",
		"по группам":         "revenue by group 2026-10-01..2026-10-31",
		"только посуда":      "revenue by store where group in [Посуда] 2026-10-01..2026-10-31",
		"кроме витрины":      "revenue by store where store not_in [Витрина] 2026-10-01..2026-10-31",
		"и прибыль":          "revenue+profit by store 2026-10-01..2026-10-31",
		"а прибыль?":         "profit by store 2026-10-01..2026-10-31",
		"топ 3":              "revenue by store 2026-10-01..2026-10-31 order revenue desc limit 3",
		"наоборот":           "revenue by store 2026-10-01..2026-10-31 order revenue asc",
		"сравни с сентябрём": "revenue by store 2026-10-01..2026-10-31 against 2026-09-01..2026-09-30",
		"почему?":            "revenue by store 2026-10-01..2026-10-31 against previous.. explain",
		"а по розовым":       "?revenue by store 2026-10-01..2026-10-31",
	} {
		if got := short(read(task, &first)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

// A condition changes the query, or the reading is not complete: it is never dropped.
func TestNoConditionIsDropped(t *testing.T) { // rule R264
	conditions := []string{"кроме посуды", "на витрине", "с маржой ниже 20%", "за октябрь", "по складам", "без услуг",
		"больше 5 тысяч", "дороже 500 рублей", "только оптовых", "которые никто не берёт", "с доставкой", "топ 5",
		"по сравнению с прошлым месяцем", "в мешках", "для новых клиентов", "каждый второй", "с НДС", "без скидки"}
	for _, base := range []string{"выручка", "прибыль товаров", "средний чек", "закупки", "возвраты по клиентам"} {
		plain := short(read(base, nil))
		for _, c := range conditions {
			task := base + " " + c
			if r := read(task, nil); r != nil && r.Complete() && short(r) == plain {
				t.Errorf("%q is read as %q is: %s", task, base, plain)
			}
		}
	}
}

// TestRoundTrip puts random queries into words and reads them back.
func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dimensions := map[string]string{"store": "складам", "group": "группам", "counterparty": "клиентам",
		"employee": "сотрудникам", "supplier": "поставщикам", "month": "месяцам", "week": "неделям", "day": "дням",
		"product": "товарам", "sales_channel": "каналам"}
	names := []string{"store", "group", "counterparty", "employee", "supplier", "month", "week", "day", "product",
		"sales_channel"}
	right, all := 0, 0
	for range 2000 {
		m := measures.Catalogue.Measures[random.IntN(len(measures.Catalogue.Measures))]
		by := names[random.IntN(len(names))]
		// shown with what belongs to them
		several := m.Name == "net_flow" || m.Name == "deliveries" || m.Name == "open_orders"
		if !slices.Contains(m.Over, by) || len(m.Words.RU) == 0 || several {
			continue
		}
		english := random.IntN(2) == 0
		q := analysis.Query{Measures: []string{m.Name}, By: []string{by}}
		task := m.Words.RU[0] + " по " + dimensions[by]
		if english {
			d, _ := measures.Catalogue.Dimension(by)
			task = m.Words.EN[0] + " by " + d.Words.EN[0]
		}
		switch {
		case !m.Now && by == "month": // a year of months, a quarter of weeks (rule R274)
			q.From, q.To = "2025-12-01", "2026-11-22"
		case !m.Now && by == "week":
			q.From, q.To = "2026-08-31", "2026-11-22"
		}
		if !m.Now && random.IntN(2) == 0 {
			q.From, q.To = "2026-10-01", "2026-10-31"
			if task += " за октябрь"; english {
				task = strings.TrimSuffix(task, " за октябрь") + " in october"
			}
		}
		if random.IntN(2) == 0 {
			q.Limit, q.Order = 7, []analysis.Order{{Field: m.Name, Direction: analysis.Descending}}
			if task = "топ 7 " + task; english {
				task = "top 7 " + strings.TrimPrefix(task, "топ 7 ")
			}
		}
		all++
		r := read(task, nil)
		got, _ := json.Marshal(r)
		if r != nil {
			got, _ = json.Marshal(r.Query)
		}
		want, _ := json.Marshal(q)
		if string(got) == string(want) && r.Complete() {
			right++
		} else {
			t.Logf("%s\n got %s\nwant %s", task, got, want)
		}
	}
	t.Logf("%d of %d queries are read back equal", right, all)
	if right*100 < all*99 {
		t.Error("fewer than 99%")
	}
}

func BenchmarkRead(b *testing.B) {
	in := typed.Input{Tokens: token.Split("топ 5 клиентов по прибыли за октябрь кроме услуг с маржой ниже 20%"),
		Catalogue: measures.Catalogue, Today: sunday}
	for b.Loop() {
		Read(in)
	}
}

// A word that a warehouse may be called by is never said to mean nothing: "на основном складе".
func TestAdjectivesOfNamesAreNotIdle(t *testing.T) { // rule R264
	for _, w := range []string{"основном", "главном", "центральном", "новом", "старом", "дальнем", "малом", "большом",
		"северном", "оптовом", "розничном", "запасном"} {
		if r := read("остатки на "+w+" складе", nil); r != nil && r.Complete() {
			t.Errorf("%q means nothing: %s", w, short(r))
		}
	}
}
