package talk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

// leadsTo reads the last turn of each conversation, with the rows of the last answer that showed any, and looks for a
// part of the tool's input.
func leadsTo(t *testing.T, rows *refer.Rows, conversations map[string]string) {
	t.Helper()
	for said, want := range conversations {
		in := shop()
		turns := strings.Split(said, " | ")
		for i, text := range turns {
			if in.Previous != nil && in.Previous.Skill.Reads() {
				in.Rows = rows
			}
			r := Read(text, in)
			if i == len(turns)-1 {
				input, err := json.Marshal(r.ToolInput())
				if err != nil {
					t.Fatal(err)
				}
				if got := string(r.Skill) + " " + string(input); !complete(&r) || !strings.Contains(got, want) {
					t.Errorf("%s: %s %v, want %s", said, got, r.Question, want)
				}
			} else if complete(&r) {
				r.Task = text
				in.Previous = &r
			}
			in.Earlier = append(in.Earlier, text)
		}
	}
}

var shownGoods = shown("product", "Тапочки", "Соль экстра 500 г", "Тарелка сталь 2 л")

func TestGoodsFromAWarehouseAreATransfer(t *testing.T) { // rule R960
	leadsTo(t, shownGoods, map[string]string{
		"чего не хватает на витрине | пополни с основного": `propose_transfers {"stores":["Витрина"],` +
			`"from_stores":["Основной склад"],"rows_of":{"result":"res_1"},"mode":"below_minimum"}`,
		"чего не хватает на витрине | закрой нехватку с основного": `propose_transfers {"stores":["Витрина"],` +
			`"from_stores":["Основной склад"]`,
		"пополни витрину с основного":               `propose_transfers`,
		"дозакажи тапочки 10 шт на склад на лесной": `propose_supplier_orders`,
		"что заканчивается | перевези первые два на витрину с основного": `propose_transfers {"stores":["Витрина"],` +
			`"from_stores":["Основной склад"],"rows_of":{"result":"res_1","rows":["1","2"]}}`,
		"что заканчивается | перевези первые два по 5 штук на витрину с основного": "" +
			`"rows":["1","2"],"quantity":"5"}}`,
		"что заканчивается | закажи топ 3 по прибыли": `"order":[{"field":"profit"`,
	})
}

func TestAnOrderAfterWhatIsShortIsOfThat(t *testing.T) { // rule R961
	leadsTo(t, shownGoods, map[string]string{
		"чего не хватает на витрине | закажи недостающее": `propose_supplier_orders {"stores":["Витрина"],` +
			`"rows_of":{"result":"res_1"},"mode":"below_minimum"}`,
		"что заканчивается | закажи на месяц": "" +
			`propose_supplier_orders {"rows_of":{"result":"res_1"},"days":30}`,
		"что заканчивается | сделай заказ на 2 недели": `{"rows_of":{"result":"res_1"},"days":14}`,
		"что ниже минимума | закажи это на месяц":      `{"rows_of":{"result":"res_1"},"days":30}`,
		"что ниже минимума | закажи на 50 тысяч": "" +
			`{"rows_of":{"result":"res_1"},"mode":"below_minimum","budget":"50000"}`,
		"что ниже минимума | закажи у петровой на 50 тысяч": "" +
			`{"suppliers":["ИП Петрова"],"budget":"50000"}`,
		"что ниже минимума | закажи всё, что ниже минимума на витрине": `"Витрина"`,
		"закажи на месяц": `propose_supplier_orders {"days":30}`,
	})
}

func TestADraftOfRowsIsChangedAsWhatItIs(t *testing.T) { // rule R962
	leadsTo(t, shownGoods, map[string]string{
		"товары с маржой ниже 20% | подними им до 30 | с округлением до 5 рублей": `{"margin":"30","rows_of":` +
			`{"result":"res_1"},"round":{"to":"5"}}`,
		"товары с маржой ниже 20% | подними им до 30 | и оптовые тоже": `{"price_type":"Оптовая цена","margin":"30",` +
			`"rows_of":{"result":"res_1"}}`,
		"товары с маржой ниже 20% | подними им до 30 | кроме тарелок": "" +
			`{"margin":"30","rows_of":{"result":"res_1"},"except":`,
		"подними цены на посуду на 15% | оптом тоже": "" +
			`{"price_type":"Оптовая цена","percent":"15","groups":["Посуда"]}`,
		"подними оптовые цены на посуду на 15% | и розницу": `{"percent":"15","groups":["Посуда"]}`,
	})
}

func TestADiscountMayBeABareNumber(t *testing.T) { // rule R963
	const rows = `propose_price_change {"percent":"-10","rows_of":{"result":"res_1"}}`
	leadsTo(t, shownGoods, map[string]string{
		"топ 5 товаров по выручке за месяц | на них скидку 10":        rows,
		"топ 5 товаров по выручке за месяц | скидку на них 10":        rows,
		"топ 5 товаров по выручке за месяц | скидка 10 на них":        rows,
		"топ 5 товаров по выручке за месяц | скидку 10":               rows,
		"топ 5 товаров по выручке за месяц | на них скидку 10 рублей": `{"amount":"-10"`,
		"топ 5 товаров по выручке за месяц | на первые два скидку 15": `{"percent":"-15","rows_of":`,
		"скидку на посуду 10":      `{"percent":"-10","groups":["Посуда"]}`,
		"топ 10 товаров по скидке": `analyze {"measures":["discount"]`,
		"топ 5 товаров по выручке за месяц | какая скидка на них": `analyze {"measures":["discount"]`,
	})
}

func TestWhatWePayMayBeDear(t *testing.T) { // rule R964
	for said, field := range map[string]string{
		"снизь цены на 10% на то, что лежит больше 120 дней и закупка дороже 500": "purchase_price",
		"снизь цены на 10% на товары с закупкой дешевле 100":                      "purchase_price",
		"снизь цены на 10% на товары дороже 500 по закупке":                       "purchase_price",
		"снизь цены на 10% на товары с себестоимостью дороже 500":                 "cost",
		"снизь цены на 10% на товары, которые стоят дороже 500":                   "price",
	} {
		leadsTo(t, nil, map[string]string{said: `{"field":"` + field + `"`})
	}
}

func TestAFigureMayBeSaidShortly(t *testing.T) { // rule R965
	const both = "закажи соль экстра 500 г 25 шт и тапочки 10 шт | "
	salt := func(n string) string {
		return `"items":[{"product":"Соль экстра 500 г","quantity":"` + n + `"},{"product":"Тапочки","quantity":"10"}]`
	}
	leadsTo(t, nil, map[string]string{
		"подними цены на посуду на 15% | не, на 7": `{"percent":"7","groups":["Посуда"]}`,
		"закажи соль экстра 500 г 25 шт | не, 30":  `"quantity":"30"`,
		both + "соль — 15":           salt("15"),
		both + "соль: 15":            salt("15"),
		both + "соли давай 15":       salt("15"),
		both + "соли хватит 15 штук": salt("15"),
	})
}

func TestNoGoodsOfADraftAreMixedUp(t *testing.T) { // rule R966
	leadsTo(t, nil, map[string]string{
		"подними цены на всё кроме сладостей на 4% | на сладости всё-таки 2": `{"percent":"2","groups":["Сладости"]}`,
		"подними цены на посуду и сладости на 4% | только сладости":          `{"percent":"4","groups":["Сладости"]}`,
		"подними цены на посуду и сладости на 4% | нет, 3": "" +
			`{"percent":"3","groups":["Посуда","Сладости"]}`,
		"подними цены на посуду на 5% | и на сладости": `"groups":["Посуда","Сладости"]`,
		"поставь цену тапочки 900 | опт 400":           `[{"product":"Тапочки","price":"400"}]`,
	})
	for _, said := range []string{
		"подними цены на посуду и сладости на 4% | нет, сладости 2",
		"подними цены на всё кроме сладостей и посуды на 4% | на сладости всё-таки 2",
		"поставь минимальный остаток тарелка 10 | и тапочки 15",
		"поставь цену тапочки 900, соль экстра 500 г 50 | опт 400",
	} {
		if r := converse(said); complete(&r) && r.Skill.Proposes() {
			t.Errorf("%s: prepares %+v", said, r.Input)
		}
	}
	of := func(group string) []byte {
		return []byte(`{"percent":"-20","groups":["` + group + `"],"rows_of":{"result":"res_1"}}`)
	}
	if Replaces("а на текстиль 15", of("Посуда"), of("Текстиль")) {
		t.Error("another group of the same rows takes the place of the first one")
	}
}

func TestALineMayBePutBack(t *testing.T) { // rule R967
	const both = "закажи соль экстра 500 г 25 шт и тапочки 10 шт | убери тапочки | "
	leadsTo(t, nil, map[string]string{
		both + "верни тапочки": `"items":[{"product":"Соль экстра 500 г","quantity":"25"},` +
			`{"product":"Тапочки","quantity":"10"}]`,
		both + "соли 30 | верни тапочки обратно": `"items":[{"product":"Соль экстра 500 г","quantity":"30"},` +
			`{"product":"Тапочки","quantity":"10"}]`,
	})
}

func TestAFigureIsOfWhatItsWordsSay(t *testing.T) { // rule R968
	leadsTo(t, shownGoods, map[string]string{
		"закажи 10 тапочки | цена 250":      `"items":[{"product":"Тапочки","quantity":"10","price":"250"}]`,
		"закажи 10 тапочки | по 250 рублей": `"items":[{"product":"Тапочки","quantity":"10","price":"250"}]`,
		"закажи 10 тапочки | нет, 250":      `"items":[{"product":"Тапочки","quantity":"250"}]`,
	})
	for said, want := range map[string]int{
		"закажи 10 тапочки и 5 соль экстра 500 г | цена 250":        2,
		"маржа по товарам за октябрь | где меньше 30 подними до 35": 2,
		"сколько стоят тапочки | подними на 100 | нет, до 3400":     1,
	} {
		r := converse(said)
		if r.Question == nil || len(r.Question.Options) < want || r.Question.Options[0].Skill.Reads() {
			t.Errorf("%s: %s %+v", said, r.Skill, r.Question)
		}
	}
}

func TestAPriceIsAddedToAListOfPrices(t *testing.T) { // rule R969
	const both = `"items":[{"product":"Тапочки","price":"900"},{"product":"Соль экстра 500 г","price":"50"}]`
	leadsTo(t, nil, map[string]string{
		"поставь цену тапочки 900 | и на соль экстра 500 г 50":         `{` + both,
		"поставь цену тапочки 900 | добавь соль экстра 500 г 50":       `{` + both,
		"поставь оптовую цену тапочки 900 | и соль экстра 500 г по 50": `{"price_type":"Оптовая цена",` + both,
		"поставь цену тапочки 900 | и тапочки 950":                     `"items":[{"product":"Тапочки","price":"950"}]`,
		"поставь цену тапочки 900 | и на соль экстра 500 г на 10% подними": "" +
			`{"percent":"10","products":["Соль экстра 500 г"]}`,
	})
	r := converse("поставь цену тапочки 900 | ещё тарелки 300")
	if r.Question == nil || len(r.Question.Options) != 3 {
		t.Fatalf("of two plates: %+v", r)
	}
	for _, o := range r.Question.Options {
		if !strings.Contains(o.Text, "Тапочки") {
			t.Errorf("the first price is not kept: %s", o.Text)
		}
	}
}

func TestAnOptionNamesTheRowsThatWereShown(t *testing.T) { // rule R1010
	r := converseOf("топ 5 по прибыли за месяц | на второй на 5", &refer.Rows{Result: "res_1", Dimension: "product",
		IDs: []string{"id-1", "id-2"}, Names: []string{"Тапочки", "Соль экстра 500 г"}})
	if r.Question == nil || len(r.Question.Options) == 0 ||
		!strings.Contains(r.Question.Options[0].Text, "«Соль экстра") {
		t.Errorf("it asks %+v", r.Question)
	}
}

func TestADraftIsOfWhatWasJustShown(t *testing.T) { // rules R1065, R1066 and R1067
	leadsTo(t, shownGoods, map[string]string{
		"что заканчивается | оформляй":                    `propose_supplier_orders {"rows_of":{"result":"res_1"}`,
		"что заканчивается | ок, заказывай":               `propose_supplier_orders {"rows_of":{"result":"res_1"}`,
		"остатки кроме посуды | остальное уцени на 15%":   `propose_price_change {"percent":"-15","rows_of":{"result":"res_1"}}`,
		"черновик: текстиль плюс 3 процента":              `propose_price_change {"percent":"3","groups":["Текстиль"]}`,
		"распродаём тапочки, сделай минус четверть цены":  `propose_price_change {"percent":"-25"`,
		"товары с маржой ниже 30 | подними их до сорока":  `propose_price_change {"margin":"40"`,
		"перемести с Мира на Витрину 2 соль экстра 500 г": `"stores":["Витрина"],"from_stores":["Магазин на Мира"]`,
	})
}

func TestAnEditBehindADraftIsNoQuestion(t *testing.T) { // rule R1070
	for _, said := range []string{"закажи 5 тапочки | возьми с запасом",
		"закажи 5 тапочки | не дороже 30 тысяч всего"} {
		if r := converse(said); complete(&r) && r.Skill.Reads() {
			t.Errorf("%s: %s", said, r.Skill)
		}
	}
}

func TestADraftLosesNoConditionOfTheLastAnswer(t *testing.T) { // rule R1069
	in := shop()
	last := Read("запас в днях по группе Посуда", in)
	in.Previous, in.Earlier = &last, []string{"что заканчивается", "только Посуда"}
	rows := *shownGoods
	rows.Earlier = true
	in.Rows = &rows
	if r := Read("сделай на них заказ", in); r.Question == nil || r.Input != nil {
		t.Errorf("a draft of the rows before: %+v", r.ToolInput())
	}
}

// What a person took out of a draft is not in the next one of the same goods.
func TestWhatWasTakenOutStaysOut(t *testing.T) { // rule R1130
	for now, same := range map[string]bool{
		`{"groups":["Посуда"],"price_type":"Оптовая","percent":"-10"}`: true,
		`{"groups":["Текстиль"],"percent":"-10"}`:                      false,
		`{"items":[{"product":"Кружка","price":"100"}]}`:               false,
		`{"everything":true,"percent":"-10"}`:                          false,
	} {
		if got := SameGoods([]byte(`{"groups":["Посуда"],"percent":"-10"}`), []byte(now)); got != same {
			t.Errorf("%s: the same goods: %t", now, got)
		}
	}
	got := string(WithoutGoods([]byte(`{"groups":["Посуда"],"except":{"products":["Кружка"]}}`),
		[]string{"Кастрюля", "Кружка"}))
	if want := `{"groups":["Посуда"],"except":{"products":["Кружка","Кастрюля"]}}`; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// What is said of the answer before an order begins is no part of the order, and a corrected place or figure is one.
func TestCorrectionsOfADraft(t *testing.T) { // rules R1136 and R1137
	leadsTo(t, shownGoods, map[string]string{
		"закажи 10 тапочки | пусть на Витрину везут":        `"store":"Витрина"`,
		"закажи 10 тапочки | и на Витрину пусть везут":      `"store":"Витрина"`,
		"закажи 10 тапочки | подтверждаю, но на Витрину":    `"store":"Витрина"`,
		"подними цены на посуду на 5% | лучше на 30 рублей": `"amount":"30"`,
	})
	for _, said := range []string{"подними цены на посуду на 5% | лучше до 300",
		"снизь цены на посуду на 5% | цена 250"} {
		if r := converse(said); r.Question == nil || len(r.Question.Options) == 0 ||
			!strings.Contains(r.Question.Options[0].Text, "Поставь цены") {
			t.Errorf("%s: %+v", said, r.Input)
		}
	}
}
