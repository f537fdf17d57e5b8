package talk

import (
	"strings"
	"testing"
)

// reads checks the call of the last turn of each conversation.
func reads(t *testing.T, all map[string]string) {
	t.Helper()
	for said, want := range all {
		r := converse(said)
		if got := call(r); !complete(&r) || !strings.Contains(got, want) {
			t.Errorf("%q is read as %s (%q, %v), want %s", said, got, r.Unused, r.Question, want)
		}
	}
}

func TestRule521_OneOfWhatWasShown(t *testing.T) {
	reads(t, map[string]string{
		"просроченные заказы | какой самый старый": `"measures":["overdue_days"],"by":["document","counterparty"],"order":[{"field":"overdue_days","direction":"desc"}],"limit":1`,
		"overdue orders | the oldest": `"order":[{"field":"overdue_days","direction":"desc"}],"limit":1`,
		"заказы покупателей за неделю | самый последний": `documents {"kinds":["customerorder"],"from":"2026-11-16","to":"2026-11-22","limit":1}`,
		"заказы поставщикам в пути | самый большой": "" +
			`"not_received":true,"order":"largest","limit":1`,
		"сколько пришло денег вчера | самый крупный платёж":                 `"measures":["money_in"],"by":["document","counterparty"],"from":"2026-11-21"`,
		"выручка по группам за октябрь | самая маленькая":                   `"order":[{"field":"revenue","direction":"asc"}],"limit":1`,
		"маржа по группам за октябрь | где ниже 20":                         `"by":["group"],"where":[{"field":"margin"`,
		"остатки по группам в деньгах | где больше всего":                   `"by":["group"],"order":[{"field":"stock_cost","direction":"desc"}]`,
		"средний чек по дням недели | в какой день лучше всего":             `"by":["weekday"],"order":[{"field":"average_receipt"`,
		"сравни октябрь с сентябрём | по группам | что упало сильнее всего": `"order":[{"field":"revenue","direction":"asc","change":true}]`,
		"список покупателей | топ 3 по выручке":                             `"by":"counterparty","order":"revenue","direction":"desc","limit":3`,
	})
}

func TestRule522_HowManyKeepsTheConditions(t *testing.T) {
	reads(t, map[string]string{
		"заказы покупателей за неделю | только неотгруженные | сколько их": `"from":"2026-11-16","to":"2026-11-22","unshipped":true}`,
		"товары с маржой ниже 20 | сколько таких":                          `"where":[{"field":"margin"`,
		"покупатели | сколько их":                                          `reference {"kind":"counterparties"}`,
		"остатки кружек | сколько продали за месяц":                        `"id/Кружка эмаль 2 л"`,
		"долг альфы | кто нам должен":                                      `receivables {"direction":"owed_to_us"}`,
	})
}

func TestRule524_MoneyStaysMoney(t *testing.T) {
	reads(t, map[string]string{
		"деньги на счетах | приход за неделю":       `{"measures":["money_in"],"from":"2026-11-16","to":"2026-11-22"}`,
		"движение денег за октябрь | по счетам":     `"by":["account"],"from":"2026-10-01"`,
		"сколько продали соли в октябре | в штуках": `"measures":["quantity"]`,
	})
}

func TestRule417_ADraftAfterAListIsOfWhatItShows(t *testing.T) {
	reads(t, map[string]string{
		"сколько стоит кружка эмаль 2 л | подними на 50 рублей": `{"amount":"50","products":["Кружка эмаль 2 л"]}`,
	})
}

func TestADraftAfterWhatASupplierIsShortOfIsForThatSupplier(t *testing.T) { // rule R417
	reads(t, map[string]string{
		"что заказать у петровой | а у сидорова | сделай заказ": `{"suppliers":["ИП Сидоров"]}`,
		"выручка на Лесной за октябрь | а всего":                `{"measures":["revenue"],"from":"2026-10-01","to":"2026-10-31"}`,
		"выручка на Лесной за октябрь | а на других":            `"op":"not_in","values":["Склад на Лесной"]`,
	})
}

func TestRule419_QuestionsAboutRowsKeepTheirPeriod(t *testing.T) {
	reads(t, map[string]string{
		"что купил Кузнецов за октябрь | сколько он заплатил": `"from":"2026-10-01"`,
	})
}

func TestRule420_BothAreTheLastTwo(t *testing.T) {
	reads(t, map[string]string{
		"выручка на Лесной за октябрь | а на Мира | обе":     `"values":["Склад на Лесной","Магазин на Мира"]`,
		"прибыль за октябрь | а за сентябрь | разница какая": `"compare":{"from":"2026-10-01","to":"2026-10-31"}`,
	})
}

// R417: a draft is never about more than the answer before.
func TestADraftAfterALimitedAnswerIsNotOfEverything(t *testing.T) {
	if r := converse("остатки ниже минимума | на мира | без продуктов | закажи"); complete(&r) &&
		!strings.Contains(call(r), "except") {
		t.Errorf("it is read as %s", call(r))
	}
}

func TestAWordForSomebodyUnknownIsAskedAbout(t *testing.T) { // rule R291
	for _, said := range []string{"что он брал", "выручка за октябрь | что он купил", "сколько мы ей продали",
		"сколько мы им должны", "abc по прибыли | их остаток"} {
		if r := converse(said); complete(&r) {
			t.Errorf("%q is read as %s", said, call(r))
		}
	}
}
