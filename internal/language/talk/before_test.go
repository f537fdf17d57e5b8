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
