package language

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

// What no draft does is refused by name, and no part of an order is left out (rule R814).
func TestOrdersThatNoDraftDoes(t *testing.T) {
	for task, want := range map[string]string{
		"заказ покупателя для Альфы: 10 чайник стальной":     "Заказы покупателей",
		"поменяй штрихкод у чайника":                         "Менять карточки",
		"измени поставщика у чайника на Восток":              "Менять карточки",
		"перемести половину чайников с основного на витрину": "Долю («половину»)",
		"закажи что ниже минимума на 500 долларов":           "Другие валюты",
		"маржа чтоб не ниже 30": `price_change {"margin":"30","where":[{"field":"margin","op":"\u003c",` +
			`"values":["30"]}]}`,
		"наценка на посуду 60%":                              `price_change {"groups":["Посуда"],"markup":"60"}`,
		"закажи посуду которой осталось меньше 5 штук":       `"values":["5"]`,
		"подними цены на то что продаётся лучше всего на 3%": "Сколько первых товаров",
	} {
		r := proposed(task, nil, nil)
		if got := r.Refusal + said(r); !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %s", task, got, want)
		}
	}
}

// Requests as merchants say them mean the same as the plain ones.
func TestDraftsAsMerchantsSayThem(t *testing.T) { // rules R280 and R288
	for want, tasks := range map[string][]string{
		`price_change {"percent":"5","groups":["Посуда"]}`: {
			"надо бы цены приподнять процентов на пять на посуду", "шеф сказал поднять посуду на 5%",
			"слушай, давай подтянем ценники на посуду на 5 процентов, а то закупка подорожала",
			"посуда +5%", "Оля, накинь пожалуйста 5% на посуду", "увеличим цены на посуду примерно на пять процентов",
			"к празднику подними посуду на 5 процентов", "поднемите цены на посуду на 5%",
			"our boss wants to raise prices of Посуда by 5%"},
		`price_change {"percent":"-10","groups":["Сладости"]}`: {
			"минус 10% на сладости", "скинем 10 процентов со сладостей", "решили уценить сладости на 10%",
			"уцени сладости процентов на десять, потому что лежат мертвым грузом",
			"сладости дешевле на 10 процентов сделай",
			"дай скидку 10 на сладости"},
		`price_change {"percent":"-50","groups":["Посуда"]}`: {"снизь цены на посуду вдвое", "скинь половину цены " +
			"на посуду",
			"уцени посуду наполовину", "опусти цены на посуду в 2 раза"},
		`price_change {"percent":"50","groups":["Посуда"]}`: {"подними цены в полтора раза на посуду",
			"увеличь цены на посуду в 1,5 раза", "посуду подними на половину"},
		`price_change {"amount":"50","groups":["Посуда"]}`: {"накинь полтинник на посуду", "подними посуду на полтос",
			"прибавь 50р на посуду", "накинь рублей пятьдесят на всю посуду"},
		`price_change {"markup":"45","groups":["Посуда"],"where":[{"field":"markup","op":"\u003c",` +
			`"values":["30"]}]}`: {
			"поставь наценку 45 на посуду, у кого сейчас меньше 30",
			"поставь наценку 45 на посуду с наценкой меньше 30%"},
		`price_change {"margin":"20","where":[{"field":"margin","op":"\u003c","values":["15"]}]}`: {
			"у кого маржа меньше 15 подними цены так чтобы стала 20",
			"товары с маржой ниже 15% подними, чтобы маржа была 20%"},
		`price_change {"price":"99","groups":["Сладости"],"where":[{"field":"price","op":"\u003e",` +
			`"values":["99"]}]}`: {
			"сделай чтобы цены на сладости были не больше 99 рублей"},
		`price_change {"percent":"-3","except":{"groups":["Посуда"]},"where":[{"field":"price","op":"\u003e",` +
			`"values":["5000"]}]}`: {
			"всё дороже пяти тысяч скинь на 3% но посуду не трогай",
			"снизь на 3% цены товаров дороже 5000, посуду оставь как есть"},
		`price_change {"percent":"-7","groups":["Посуда"],"where":[{"field":"price","op":"\u003e=",` +
			`"values":["200"]}]}`: {
			"снизь цены на 7 процентов на посуду кроме тех что дешевле 200"},
		`price_change {"price_type":"Оптовая","percent":"3","everything":true}`: {"опт подними на 3%, розницу не " +
			"трогай",
			"на оптовые цены накинь 3 процента", "повысь опт на 3%"},
		`price_change {"groups":["Сладости"],"round":{"ending":"9"}}`: {"округли цены на сладости до девяток",
			"сделай чтобы цены на сладости заканчивались на 9", "округли сладости до 9, цены"},
		`price_change {"percent":"4","groups":["Сладости"],"round":{"to":"1"}}`: {"накинь 4% на сладости, без копеек",
			"подними цены на сладости на 4 процента до рубля округли"},
		`price_change {"items":[{"product":"Чайник стальной","price":"590"}]}`: {"выставь чайник стальной по 590",
			"пусть чайник стальной стоит 590 рублей", "поставь чайник стальной 590"},
		`supplier_orders {"budget":"200000","delivery":"2026-12-31"}`: {"закупи что нужно к новому году на 200 тыщ",
			"закажи всё необходимое к новому году, бюджет 200 тысяч"},
		`supplier_orders {"days":8,"stores":["Витрина"]}`: {"сделай заказ на витрину, чтобы хватило до конца месяца",
			"закажи на витрину чтоб хватило до 30 ноября"},
		`supplier_orders {"mode":"below_minimum","stores":["Витрина"],"suppliers":["ООО «Восток»"]}`: {
			"Заказ для витрины: всё что ниже минималки, поставщик Восток",
			"дозакажи на витрину у востока всё, что ниже неснижаемого остатка"},
		`minimum_stock {"everything":true,"lead_days":14,"safety_days":7}`: {
			"посчитай минимальные остатки по всем группам, везут 14 дней, запас неделя"},
		`minimum_stock {"groups":["Посуда"],"lead_days":10}`: {"пересчитай неснижаемый остаток по посуде, " +
			"поставка идет 10 дней",
			"минималки по посуде пересчитай, срок поставки 10 дней"},
		`transfers {"stores":["Магазин на Мира"],"from_stores":["Витрина"],` +
			`"items":[{"product":"Чайник стальной","quantity":"3"}]}`: {
			"с витрины на мира верни 3 чайника стальных", "увези с витрины на мира 3 чайника стальных",
			"перекинь чайников стальных штуки три с витрины на мира"},
	} {
		kind, input, _ := strings.Cut(want, " ")
		for _, task := range tasks {
			if got := said(proposed(task, nil, nil)); got != kind+" "+sorted(input) {
				t.Errorf("%s:\n got %s\nwant %s", task, got, want)
			}
		}
	}
}

// A part that no draft can have leads to a question, with the draft without it as the option.
func TestPartsThatNoDraftHas(t *testing.T) { // rule R285
	for task, option := range map[string]string{
		"цены на посуду плюс 4 процента с понедельника":         "Подними цены на 4 % на группу «Посуда»",
		"сделай скидку 15% на сладости до конца недели":         "Снизь цены на 15 % на группу «Сладости»",
		"raise prices of Посуда by 5% from Monday":              "Raise prices by 5% for the group «Посуда»",
		"хочу заказать у петровой на 3 недели с запасом 5 дней": "Закажи у поставщика «ИП Петрова» на 26 дн.",
		"закажи понемногу у петровой":                           "Закажи у поставщика «ИП Петрова»",
		"подними цены на посуду на 10":                          "Подними цены на 10 % на группу «Посуда»",
		"минус 10 на посуду":                                    "Снизь цены на 10 % на группу «Посуда»",
		"уцени посуду на 10-15%":                                "Снизь цены на 10 % на группу «Посуда»",
		"закажи самые продаваемые товары за октябрь": "Закажи топ-10 по количеству продаж с " +
			"01.10.2026 по 31.10.2026",
		"подними на 5% посуду и выставь сладостям наценку 30%":         "Подними цены на 5 % на группу «Посуда»",
		"Нужно поднять цены: посуда +5%, сладости +8%":                 "Подними цены на 5 % на группу «Посуда»",
		"цены на посуду подними на 5%, а на сладости на 7%":            "Подними цены на 5 % на группу «Посуда»",
		"посуду подними на 5%, сладости опусти на 3%":                  "Подними цены на 5 % на группу «Посуда»",
		"raise prices of Посуда by 5%, lower prices of Сладости by 3%": "Raise prices by 5% for the group «Посуда»",
	} {
		r := proposed(task, nil, nil)
		if r.Question == nil || len(r.Question.Options) == 0 || r.Question.Options[0].Text != option {
			t.Errorf("%s: %s %+v", task, said(r), r.Question)
		}
	}
	for _, task := range []string{"сделай цены на посуду как в опте", "поставь посуде цены как у конкурентов",
		"раскидай поровну по магазинам 30 чайников стальных с основного склада", "закажи на все деньги",
		"дай скидку постоянным клиентам 10%", "оставь на витрине половину остатка, остальное увези на основной склад"} {
		if r := proposed(task, nil, nil); r.Question == nil || len(r.Question.Options) > 0 || r.Skill.Reads() {
			t.Errorf("%s: %s", task, said(r))
		}
	}
}

// Each of several changes is an option of its own, with everything that was said of it.
func TestSeveralChangesAreOptions(t *testing.T) { // rule R286
	for task, want := range map[string][]string{
		"посуда +5%, сладости +8%, чай и кофе -3%": {"Подними цены на 5 % на группу «Посуда»",
			"Подними цены на 8 % на группу «Сладости»", "Снизь цены на 3 % на группу «Чай и кофе»"},
		"подними на 5% посуду дороже 1000 и на 3% сладости": {"Подними цены на 5 % на группу «Посуда» с ценой " +
			"больше 1000 ₽",
			"Подними цены на 3 % на группу «Сладости»"},
		"закажи 5 чайников стальных на витрину, а цены на посуду подними на 5%": {
			"Закажи 5 шт «Чайник стальной» на склад «Витрина»", "Подними цены на 5 % на группу «Посуда»"},
	} {
		r := proposed(task, nil, nil)
		var got []string
		if r.Question != nil {
			for _, o := range r.Question.Options {
				got = append(got, o.Text)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %s\n got %q\nwant %q", task, said(r), got, want)
		}
	}
}

// A reason, a wish or a greeting never hides a condition: one that names goods, numbers or exceptions is not left out.
func TestReasonsHideNoCondition(t *testing.T) { // rule R288
	before := said(proposed("подними посуду на 5%", nil, nil))
	for _, tail := range []string{"потому что лежит больше 90 дней", "потому что кроме чайника всё плохо",
		"так как только дорогая", "шеф сказал кроме чайника стального", "чтобы не дороже 500"} {
		if got := said(proposed("подними посуду на 5%, "+tail, nil, nil)); got == before {
			t.Errorf("%s: left out", tail)
		}
	}
	for _, tail := range []string{"а то совсем невыгодно", "потому что закупка подорожала", "шеф так решил", "спасибо",
		"к новому году"} {
		if got := said(proposed("подними посуду на 5%, "+tail, nil, nil)); got != before {
			t.Errorf("%s: %s", tail, got)
		}
	}
}

// A reason that says where goods are missing says where they are wanted; any other place in a reason is asked about.
func TestWhereGoodsAreMissingTheyAreWanted(t *testing.T) { // rule R1134
	for task, want := range map[string]string{
		"закажи 5 чайник стальной, а то на Витрине совсем пусто":             `"store":"Витрина"`,
		"на Мира пусто, закажи 5 чайник стальной":                            `"store":"Магазин на Мира"`,
		"закажи 5 чайник стальной, на Витрине почти не осталось":             `"store":"Витрина"`,
		"дозакажи посуду, потому что на Мира всё разобрали":                  `"stores":["Магазин на Мира"]`,
		"order 5 чайник стальной, Витрина is empty":                          `"store":"Витрина"`,
		"перемести 5 чайник стальной с основного, а то на витрине кончились": `"stores":["Витрина"]`,
	} {
		if got := said(proposed(task, nil, nil)); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", task, got, want)
		}
	}
	for _, task := range []string{"подними посуду на 5%, а то на Мира дешевле", "закажи посуду, а то на Садовой пусто",
		"перемести 5 чайник стальной на Витрину, а то на основном лежат без дела"} {
		if r := proposed(task, nil, nil); r.Question == nil && len(r.Unknown) == 0 {
			t.Errorf("%s: prepares %s", task, said(r))
		}
	}
	before := said(proposed("закажи посуду", nil, nil))
	for _, tail := range []string{"а то на складе пусто", "а то в минус уходим", "а то на праздники не хватит"} {
		if got := said(proposed("закажи посуду, "+tail, nil, nil)); got != before && !strings.HasPrefix(got, "?") {
			t.Errorf("%s: %s", tail, got)
		}
	}
}

// A bound of each quantity may stand before its number or behind it, and is no ranking.
func TestABoundIsNoRanking(t *testing.T) { // rule R1135
	for _, tail := range []string{"макс 10 штук каждого", "максимум по 10", "по 10 максимум", "лимит 10 на позицию",
		"max 10 each", "max 10 per item", "10 units tops", "cap it at 10 pieces", "10 max of each"} {
		task := "закажи что ниже минимума, " + tail
		if !strings.ContainsAny(tail, "аеио") {
			task = "order what is below minimum, " + tail
		}
		if got, want := said(proposed(task, nil, nil)), `supplier_orders {"at_most":"10","mode":"below_minimum"}`; got != want {
			t.Errorf("%s: %s", task, got)
		}
	}
	for _, task := range []string{"перемести на Витрину с основного, макс 5 каждого",
		"need to restock Витрина, take from Основной склад, max 5 each"} {
		if r := proposed(task, nil, nil); r.Question == nil && len(r.Unknown) == 0 {
			t.Errorf("%s: prepares %s", task, said(r))
		}
	}
}

// An opinion in front of an order is no part of it.
func TestAnOpinionInFrontOfAnOrder(t *testing.T) { // rule R1136
	want := said(proposed("подними посуду на 5%", nil, nil))
	for _, before := range []string{"мало", "дёшево", "что-то дороговато", "ну это слишком дёшево", "хорошо",
		"too low"} {
		if got := said(proposed(before+", подними посуду на 5%", nil, nil)); got != want {
			t.Errorf("%s: %s", before, got)
		}
	}
	if got := said(proposed("мало посуды, подними на 5%", nil, nil)); got == want {
		t.Error("a condition is taken for an opinion")
	}
}

// A transfer of what was shown of one warehouse goes from there, or asks where it goes.
func TestTransfersOfWhatOneWarehouseHas(t *testing.T) { // rule R1138
	rows := &refer.Rows{Dimension: "product", Result: "res_1", IDs: []string{"p1", "p2"},
		Names: []string{"Чайник стальной", "Ключ гаечный мини 10 мм"}}
	previous := &Reading{Skill: Stock, Arguments: Arguments{Stores: []string{"Витрина"}}}
	for task, options := range map[string]string{"перекинь их": "со склада «Витрина» на склад «Основной склад»",
		"перемести их на основной склад": "со склада «Витрина» на склад «Основной склад»"} {
		r := proposed(task, rows, previous)
		if r.Question == nil || len(r.Question.Options) == 0 ||
			!strings.Contains(r.Question.Options[0].Text, strings.TrimPrefix(options, "со склада ")) {
			t.Errorf("%s: %s", task, said(r))
		}
	}
}
