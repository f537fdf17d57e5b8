package talk

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

// TestOnlyRowsThatChangedAreKept reads which rows fell or rose (rule R620).
func TestOnlyRowsThatChangedAreKept(t *testing.T) {
	for said, want := range map[string]string{
		"сравни выручку октября и сентября | по каким группам упали":       `"by":["group"],"where":[{"field":"revenue","op":"\u003c","values":["0"],"of":"change"}]`,
		"продажи по группам за октябрь к сентябрю | какие группы выросли":  `"op":"\u003e","values":["0"],"of":"change"}]`,
		"revenue in October compared with September | which products fell": `"by":["product"],"where":[{"field":"revenue","op":"\u003c","values":["0"],"of":"change"}]`,
	} {
		if r := converse(said); !strings.Contains(call(r), want) {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}

// TestWhatOnlyChangesAnAnswerIsNoTask reads messages that change the answer before, or are asked about (rule R621).
func TestWhatOnlyChangesAnAnswerIsNoTask(t *testing.T) {
	for said, want := range map[string]string{
		"отгрузки за октябрь | сравни с сентябрём":                   `"measures":["sales"],"where":[{"field":"document_type","op":"in","values":["demand"]}],"from":"2026-10-01"`,
		"заказы покупателей за октябрь | у кого их больше всего":     `"measures":["orders_sum"],"by":["counterparty"],"from":"2026-10-01"`,
		"неотгруженные заказы покупателей за октябрь | по складам":   `"from":"2026-10-01","to":"2026-10-31","unshipped":true,"by":"store"`,
		"заказы покупателей за октябрь | какие из них не отгружены":  `"from":"2026-10-01","to":"2026-10-31","unshipped":true`,
		"неоплаченные счета | сравни с сентябрём":                    "asks",
		"неоплаченные счета | самый дешёвый":                         `"unpaid":true,"order":"smallest","limit":1`,
		"прогноз продаж тапочек на 30 дней | с остатком больше нуля": "asks",
		"прибыль по покупателям за октябрь | с остатком больше нуля": "asks",
		"прибыль по покупателям за октябрь | только неоплаченные":    "asks",
	} {
		r := converse(said)
		asked := r.Question != nil || r.Outside
		if asked != (want == "asks") || !asked && !strings.Contains(call(r), want) {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}

// TestPricesThatWereShownAreChangedByTheirType raises the prices of one type (rule R622).
func TestPricesThatWereShownAreChangedByTheirType(t *testing.T) {
	in := shop()
	first := Read("оптовые цены на посуду", in)
	in.Previous, in.Earlier = &first, []string{first.Task}
	in.Rows = &refer.Rows{Result: "res_1", Dimension: "product", IDs: []string{"id/Кружка сталь 1 л"},
		Names: []string{"Кружка сталь 1 л"}}
	r := Read("подними их на 3%", in)
	if got := call(r); !strings.Contains(got, `"price_type":"id/Оптовая цена"`) &&
		!strings.Contains(got, `"price_type":"Оптовая цена"`) {
		t.Errorf("after %s the task is %s", call(first), got)
	}
}

// TestOneClassOrGroupIsShownByItsGoods keeps one value of an analysis (rule R623).
func TestOneClassOrGroupIsShownByItsGoods(t *testing.T) {
	for said, want := range map[string]string{
		"abc по прибыли за октябрь | покажи только класс А":            `"by":["abc","product"],"where":[{"field":"abc","op":"in","values":["A"]}]`,
		"сравни выручку октября и сентября по группам | почему посуда": `"by":["product"],"where":[{"field":"group","op":"in","values":["Посуда"]}]`,
		"прогноз продаж тапочек на 30 дней | сколько тогда заказать":   `shortages {"products":["Тапочки"],"days":30}`,
		"выручка по товарам за октябрь | за сентбярь":                  `"by":["product"],"from":"2026-09-01","to":"2026-09-30"`,
	} {
		if r := converse(said); !strings.Contains(call(r), want) {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}

// TestADiscountForCustomersIsRefused asks for one after what a customer bought (rule R624).
func TestADiscountForCustomersIsRefused(t *testing.T) {
	for _, said := range []string{"выручка Альфе за октябрь | сделай им скидку 5%",
		"что покупала Альфа за октябрь | дай ей скидку 10%",
		"what did Альфа buy in October | give them a 5% discount"} {
		if r := converse(said); r.Skill.Calls() || r.Refusal == "" {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}
