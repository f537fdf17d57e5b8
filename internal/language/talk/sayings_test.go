package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/act"
)

func TestAnAddedLineKeepsSupplierAndWarehouse(t *testing.T) { // rule R792
	const order = "закажи у восток-сервиса всё ниже минимума на витрине | добавь туда 10 тапочек"
	want := `"suppliers":["ООО «Восток-Сервис»"],"store":"Витрина"`
	r := converse(order)
	if r.Question == nil || len(r.Question.Options) != 1 || strings.Contains(r.Question.Text, "Прежний") {
		t.Fatalf("%+v", r)
	}
	offered, err := json.Marshal(r.Question.Options[0].Input)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(offered), want) {
		t.Errorf("%s, want %s", offered, want)
	}
	follows(t, nil, map[string]string{order + " | их сделай 15": `[{"product":"Тапочки","quantity":"15"}],` + want})
	if a := act.Read("всё, спасибо"); a.Kind != act.None {
		t.Errorf("%+v", a)
	}
}

func TestShownRowsAreMovedForWhatTheyLack(t *testing.T) { // rule R793
	follows(t, shown("product", "a", "b", "c"), map[string]string{"какие товары ниже минимума на витрине | перекинь их туда " +
		"с основного": `"mode":"below_minimum"`})
}

func TestWhatIsNotCountedIsLeftOut(t *testing.T) { // rule R794
	const services = `{"field":"kind","op":"not_in","values":["service"]}`
	follows(t, nil, map[string]string{
		"прибыль за октябрь | услуги не считай":             services,
		"прибыль за октябрь | без учёта услуг":              services,
		"profit for october | don't count services":         services,
		"прибыль по складам за октябрь | витрину не считай": `{"field":"store","op":"not_in","values":["Витрина"]}`,
	})
}

func TestEnoughRowsIsALimit(t *testing.T) { // rule R795
	for said, want := range map[string]string{"мне первых трёх хватит": `"limit":3`, "хватит и пяти": `"limit":5`,
		"достаточно топ 5": `"limit":5`, "top 3 is enough": `"limit":3`} {
		follows(t, nil, map[string]string{"топ-10 поставщиков по закупкам | за октябрь давай | " + said: want})
	}
}

func TestWhichHadTheMostIsOfTheRows(t *testing.T) { // rule R796
	follows(t, nil, map[string]string{"revenue by store last week | which had the most receipts": `"by":["store"]`})
}

func TestTheLowestRowIsOpened(t *testing.T) { // rule R797
	rows := shown("group", "a", "b", "c")
	follows(t, rows, map[string]string{
		"маржа по группам за октябрь | где меньше 30% | самую низкую раскрой по товарам": `"by":["product"],` +
			`"where":[{"field":"group","op":"in","values":["c"]}]`,
		"выручка по группам за октябрь | самую большую подробнее": `{"field":"group","op":"in","values":["a"]}`,
	})
	if r := converseOf("маржа по группам за октябрь | самую низкую раскрой по товарам", rows); r.Query != nil &&
		len(r.Query.Where) > 0 {
		t.Errorf("a row without a figure may be the last: %+v", r.Query)
	}
}

func TestAFigureOfShownMarkupsIsAskedAbout(t *testing.T) { // rule R798
	rows := shown("product", "a", "b")
	r := converseOf("товары с наценкой меньше 15% | сделай им 25", rows)
	if r.Question == nil || len(r.Question.Options) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []string{`"markup":"25"`, `"percent":"25"`} {
		got, err := json.Marshal(r.Question.Options[i].Input)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(got), want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestThemIsNotWhatCameBeforeAnUnansweredQuestion(t *testing.T) { // rule R799
	rows := shown("group", "a", "b")
	if r := converseOf("выручка по группам за октябрь | раскрой мутабор | подними на них цены на 5%", rows); r.
		Question == nil {
		t.Errorf("%s %+v", r.Skill, r.Input)
	}
	follows(t, rows, map[string]string{"выручка по группам за октябрь | подними на них цены на 5%": `["a","b"]`})
}

func TestStockInRoubles(t *testing.T) { // rule R771
	follows(t, nil, map[string]string{"остатки тапочек | а в рублях": `"measures":["stock_cost"]`,
		"на сколько хватит тапочек | закажи их на месяц вперёд": `{"products":["Тапочки"],"days":30}`})
}
