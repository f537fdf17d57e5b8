package talk

import (
	"strings"
	"testing"
)

func TestFiguresAfterNothingFound(t *testing.T) { // rule R1032
	for _, said := range []string{"какая наценка", "а остаток", "what is the margin"} {
		r := converseOf("найди товар квадрокоптер | "+said, nil)
		if r.Question == nil || complete(&r) {
			t.Errorf("%s: %s %+v", said, r.Skill, r.Arguments)
		}
	}
	follows(t, nil, map[string]string{"найди товар квадрокоптер | а тапочки": `Тапочки`,
		"найди товар квадрокоптер | выручка за октябрь": `"from":"2026-10-01"`})
}

func TestMoreShortFollowUps(t *testing.T) { // rules R1031, R1034, R1098
	follows(t, nil, map[string]string{
		"какие заказы ещё не отгружены | те что старше недели":          `"unshipped":true`,
		"какие заказы ещё не отгружены | висят больше двух недель":      `"to":"2026-11-`,
		"сколько денег пришло на этой неделе | а ушло | и в плюсе?":     `"measures":["net_flow"]`,
		"сколько денег ушло в октябре | а пришло | какая разница":       `"measures":["net_flow"]`,
		"выручка по месяцам за год | где был провал":                    `"direction":"asc"`,
		"выручка по дням за октябрь | в какой день просели":             `"direction":"asc"`,
		"выручка по дням за октябрь | когда был пик":                    `"direction":"desc"`,
		"средний чек по покупателям за октябрь | у кого больше 5 тысяч": `{"field":"average_receipt",`,
		"число заказов по клиентам за октябрь | у кого больше 5":        `{"field":"orders",`,
		"выручка по клиентам за октябрь | кто купил больше 50 тысяч":    `{"field":"revenue",`,
	})
	follows(t, shown("product", "a", "b"), map[string]string{
		"прибыль по товарам за октябрь | а по деньгам сколько там лежит": `"measures":["stock_cost"]`,
		"какие товары без поставщика | на какую сумму лежат":             `"measures":["stock_cost"]`,
		"остатки на Лесной | сначала дорогие":                            `"measures":["sale_price"]`,
	})
}

func TestHowMuchOfWhatRunsOut(t *testing.T) { // rule R1099
	goods := shown("product", "a", "b")
	for _, said := range []string{"а сколько штук заказать", "сколько надо заказать", "на сколько денег закупать",
		"what would it cost to restock", "во сколько обойдется закупка"} {
		follows(t, goods, map[string]string{"что скоро кончится | " + said: `"mode":"running_out"`})
	}
	for _, said := range []string{"у кого мы это берём", "какие у них поставщики", "чьи это товары"} {
		r := converseOf("что скоро кончится | "+said, goods)
		if r.Query == nil || len(r.Query.By) != 2 || !strings.Contains(string(r.Query.Where[0].Values[0]), "a") {
			t.Errorf("%s: %s %+v", said, r.Skill, r.Query)
		}
	}
}
