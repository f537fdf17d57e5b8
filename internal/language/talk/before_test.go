package talk

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatACustomerBoughtIsWhatWeSold(t *testing.T) { // rule R862
	const want = `analyze {"measures":["revenue"],"by":["product"],"where":[{"field":"counterparty"`
	const asked = "сколько купил кузнецов в сентябре | а в октябре | "
	follows(t, nil, map[string]string{asked + "что именно брали": want, asked + "а что они покупали": want})
}

func TestGoodsThatAreShortAreLookedForElsewhere(t *testing.T) { // rule R862
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		"чего мало на витрине | а на основном это есть?": `stock {"stores":["Основной склад"],"products":["a","b","c"]`})
}

func TestWhatGoesBestIsOfTheRows(t *testing.T) { // rule R862
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		"сколько тапочек в наличии | какие из них лучше всего идут за месяц": `profitability {"products":["a","b","c"]`,
		"сколько тапочек в наличии | что из них хуже всего расходится":       `["a","b","c"]`})
}

func TestRowsOfOneWarehouseMoveFromThere(t *testing.T) { // rule R864
	const unsold = "что на витрине ни разу не продалось за 2 месяца | "
	follows(t, shown("product", "a", "b", "c"), map[string]string{unsold +
		"перевези всё это на основной склад": `"from_stores":["Витрина"],"rows_of":{"query":{"measures":["stock"],` +
		`"by":["variant"],"where":[{"field":"product","op":"in","values":["a","b","c"]}`})
	r := converseOf(unsold+"перевези их на основной склад", shown("product", "a", "b", "c"))
	if r.Question == nil || len(r.Question.Options) != 2 {
		t.Fatalf("it asks %+v", r.Question)
	}
	for _, o := range r.Question.Options {
		if input, err := json.Marshal(o.Input); err != nil || !strings.Contains(string(input),
			`"from_stores":["Витрина"]`) {
			t.Errorf("%s: %s", o.Text, input)
		}
	}
}

func TestTheWeekdayBeforeIsOfTheShownDay(t *testing.T) { // rule R865
	const compared = `"from":"2026-11-06","to":"2026-11-06","compare":{"from":"2026-10-30","to":"2026-10-30"}`
	follows(t, nil, map[string]string{
		"sales on 6 november 2026 | vs the friday before":  compared,
		"продажи за 6 ноября | а с пятницей до этого":      compared,
		"продажи за 6 ноября | сравни со средой до этого":  `"compare":{"from":"2026-11-04","to":"2026-11-04"}`,
		"sales on 6 november 2026 | and the friday before": `sales_trend {"from":"2026-10-30","to":"2026-10-30"`,
	})
}

func TestOurPaymentsAreBehindWhatWeOwe(t *testing.T) { // rule R923
	follows(t, nil, map[string]string{
		"сколько мы должны поставщикам | когда последний раз платили": `{"kinds":["paymentout","cashout"]`,
		"кто нам должен | когда последний раз платили":                `{"kinds":["paymentin","cashin"]`,
	})
}

func TestWhyAMonthFellIsAskedOfThatMonth(t *testing.T) { // rule R924
	follows(t, nil, map[string]string{
		"средний чек по месяцам | почему упал в октябре": `"by":["counterparty"],"from":"2026-10-01",` +
			`"to":"2026-10-31","compare":{"with":"previous"}`,
		"выручка по месяцам за год | почему в октябре так": `"from":"2026-10-01","to":"2026-10-31",` +
			`"compare":{"with":"previous"}`,
	})
}

func TestWhichRowsAreABreakdown(t *testing.T) { // rule R925
	follows(t, nil, map[string]string{
		"прибыль за сентябрь | в октябре больше или меньше | в каких группах":    `"by":["group"],"from":"2026-10-01"`,
		"прибыль за октябрь | на каких складах":                                  `"by":["store"],"from":"2026-10-01"`,
		"sales by store last week | vs the week before | which one dropped most": `"of":"change"}],"from":"2026-11-09"`,
		"что не продавалось два месяца | сколько там денег":                      `"measures":["stock_cost","pace"]`,
	})
}

func TestByThisTimeIsUntilTheHour(t *testing.T) { // rule R926
	follows(t, nil, map[string]string{"сколько наторговали сегодня | а вчера к этому времени": `"where":` +
		`[{"field":"hour","op":"in","values":["00","01","02","03","04","05","06","07","08","09","10","11"]}],` +
		`"from":"2026-11-21"`})
}

func TestWeekdaysAfterAWeekendAreOfThatWeek(t *testing.T) { // rule R927
	follows(t, nil, map[string]string{"продажи в выходные | а в будни": `"from":"2026-11-16","to":"2026-11-22"`})
}

func TestWordsBesideWhatWasShown(t *testing.T) { // rules R920 and R928
	one := shown("product", "Тапочки")
	follows(t, nil, map[string]string{
		"чего осталось меньше 5 | из продуктов":                 `{"field":"group","op":"in","values":["Продукты"]}`,
		"поступления денег за неделю | от кого | на какой счет": `"by":["account"]`,
		"продажи за неделю по часам | в какой час пик":          `"order":[{"field":"revenue","direction":"desc"}]`,
		"что купил кузнецов | на сколько всего":                 `"field":"counterparty"`,
	})
	follows(t, one, map[string]string{
		"цены на тапочки | сколько их":                `stock {"products":["Тапочки"]`,
		"товары с маржой ниже 20% | подними им до 30": `{"margin":"30","products":["Тапочки"]}`,
	})
}

func TestTheDifferenceOfTwoMeasures(t *testing.T) { // rule R929
	follows(t, nil, map[string]string{
		"закупили на сколько за октябрь | а продали | разница": `{"measures":["purchases","revenue","difference"],` +
			`"from":"2026-10-01","to":"2026-10-31","define":[{"name":"difference","formula":"revenue - purchases"`,
		"выручка за октябрь | а за сентябрь | разница": `"compare":{"from":"2026-10-01","to":"2026-10-31"}`,
		"остатки на 1 ноября | а сейчас":               `stock {}`,
		"остаток кофе | только молотый | где больше":   `"by":["store"]`,
		"самый дорогой товар | цена":                   `"sale_price"`,
	})
	if r := converseOf("revenue october | november | difference", nil); r.Language != "en" {
		t.Errorf("an English message is answered in %q", r.Language)
	}
}

func TestWhatIsBoughtFromAPartnerIsNoSale(t *testing.T) { // rule R930
	for _, said := range []string{"что мы у нее берем", "что у нее покупаем", "что у неё закупали"} {
		follows(t, nil, map[string]string{"ип петрова | " + said: `"purchases"],"by":["product"],"where":` +
			`[{"field":"counterparty"`})
	}
}

func TestNoPartOfAShortMessageDisappears(t *testing.T) { // rule R931
	follows(t, nil, map[string]string{
		"выручка по месяцам | а прибыль в этом месяце":            `"from":"2026-11-01","to":"2026-11-22"`,
		"выручка за октябрь | а прибыль в этом месяце":            `"from":"2026-10-01","to":"2026-10-31"`,
		"перемещения за неделю | с какого склада | что перевезли": `"by":["product"]`,
		"остатки тапочек | по чем":                                `{"measures":["sale_price"]`,
	})
}
