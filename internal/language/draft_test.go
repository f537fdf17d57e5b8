package language

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
)

var priceTypes = []connector.Name{
	{Kind: connector.NamePriceType, ID: "t1", Name: "Цена продажи"},
	{Kind: connector.NamePriceType, ID: "t2", Name: "Оптовая цена"},
	{Kind: connector.NamePriceType, ID: "t3", Name: "Маркетплейс"},
}

func TestArgumentsOfDrafts(t *testing.T) {
	names := append(slices.Clone(shop), priceTypes...)
	for task, want := range map[string]string{
		// purchase orders
		"Подготовь заказы поставщикам на всё, что ниже минимума":                           `{"mode":"below_minimum"}`,
		"order everything below minimum for Склад Центр":                                   `{"stores":["Склад Центр"],"mode":"below_minimum"}`,
		"закажи посуду у ООО «Восток» на три недели":                                       `{"groups":["Посуда"],"suppliers":["ООО «Восток»"],"days":21}`,
		"закажи 50 штук «Чайник стальной» на Основной склад":                               `{"items":[{"product":"Чайник стальной","quantity":"50"}],"store":"Основной склад"}`,
		"надо заказать 5 «Чайник стальной» и 7 стеклянных чайников с поставкой к 1 ноября": `{"items":[{"product":"Чайник стальной","quantity":"5"},{"product":"Чайник стеклянный","quantity":"7"}],"delivery":"2026-11-01"}`,
		"купи 10 стальных чайников по 1500 руб.":                                           `{"items":[{"product":"Чайник стальной","quantity":"10","price":"1500"}]}`,
		// transfers
		"перемести излишки туда, где дефицит":                            `{}`,
		"перекинь с Основного склада на склад Центр чего там не хватает": `{"stores":["Склад Центр"],"from_stores":["Основной склад"]}`,
		"привези посуду со склада Центр в магазин на Лесной":             `{"stores":["Магазин на Лесной"],"groups":["Посуда"],"from_stores":["Склад Центр"]}`,
		"send surplus from Основной склад to Магазин на Лесной":          `{"stores":["Магазин на Лесной"],"from_stores":["Основной склад"]}`,
		"выровняй запасы между складом Центр и магазином на Лесной":      `{"stores":["Склад Центр","Магазин на Лесной"],"from_stores":["Склад Центр","Магазин на Лесной"]}`,
		// prices
		"подними розничные цены на 7 %":                   `{"percent":"7","everything":true}`,
		"raise all prices by 5%":                          `{"percent":"5","everything":true}`,
		"снизь цены на группу Посуда на пять процентов":   `{"groups":["Посуда"],"percent":"-5"}`,
		"повысь оптовые цены на 3%":                       `{"percent":"3","price_type":"Оптовая цена","everything":true}`,
		"подними цены маркетплейса на 2 %":                `{"percent":"2","price_type":"Маркетплейс","everything":true}`,
		"снизь закупочные цены на 4,5 %":                  `{"percent":"-4.5","price_type":"закупочная","everything":true}`,
		"поставь наценку 40 % от закупочной на посуду":    `{"groups":["Посуда"],"markup":"40"}`,
		"set a 30% margin for Посуда":                     `{"groups":["Посуда"],"margin":"30"}`,
		"скидка 20 % на «Чайник стальной»":                `{"products":["Чайник стальной"],"percent":"-20"}`,
		"20% off Посуда":                                  `{"groups":["Посуда"],"percent":"-20"}`,
		"поставь цену 990 на «Чайник стальной»":           `{"items":[{"product":"Чайник стальной","price":"990"}]}`,
		"подними цены на 6 %, округли до 10 рублей вверх": `{"percent":"6","everything":true,"round":{"to":"10","direction":"up"}}`,
		"подними цены на 6 %, чтобы кончались на 9":       `{"percent":"6","everything":true,"round":{"ending":"9"}}`,
	} {
		r := Read(task, Input{Now: wednesday, Names: names})
		got, err := json.Marshal(r.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want || !r.Skill.Proposes() || r.Question != nil || len(r.Unknown) > 0 {
			t.Errorf("%q: %s %s, question %v, unknown %v; want %s", task, r.Skill, got, r.Question, r.Unknown, want)
		}
	}
}

func TestAPriceTypeIsNotReadAsACounterparty(t *testing.T) {
	names := append(slices.Clone(shop), connector.Name{Kind: connector.NameSupplier, ID: "c9",
		Name: "Розничный покупатель"})
	r := Read("подними розничные цены на 7 % на «Чайник стальной»", Input{Now: wednesday, Names: names})
	if len(r.Arguments.Suppliers) != 0 || r.Arguments.Percent != "7" || len(r.Arguments.Products) != 1 {
		t.Errorf("%+v", r.Arguments)
	}
}

// An incomplete task leads to a question. A draft must never cover all goods by default.
func TestAnIncompleteDraftTaskLeadsToAQuestion(t *testing.T) {
	names := append(slices.Clone(shop), priceTypes...)
	for task, options := range map[string]int{
		"подними цены":                                     0, // missing: by how much
		"измени цены на 5 %":                               2, // missing: up or down
		"уцени залежавшееся на 30 %":                       1, // selection by age is not supported
		"снизь цены на складе Центр на 5 %":                1, // nor is selection by warehouse
		"снизь все цены на 5 % кроме посуды":               2,
		"закажи 5 ящиков «Чайник стальной»":                0, // not the product's unit
		"закажи 5 «Чайник стальной» и «Чайник стеклянный»": 0, // ambiguous: which of the two
		"закажи 5 чайников":                                2, // ambiguous: which kettle
		"пополни склад Центр":                              2, // ambiguous: from another warehouse or from suppliers
	} {
		r := Read(task, Input{Now: wednesday, Names: names})
		if r.Question == nil || len(r.Question.Options) != options {
			t.Errorf("%q: %s %+v, question %+v", task, r.Skill, r.Arguments, r.Question)
			continue
		}
		for _, o := range r.Question.Options {
			again := Read(o.Text, Input{Now: wednesday, Names: names})
			a, _ := json.Marshal(o.Arguments)
			b, _ := json.Marshal(again.Arguments)
			if again.Skill != o.Skill || again.Question != nil || string(a) != string(b) {
				t.Errorf("%q: option %q (%s %s) is read as %s %s %v", task, o.Text, o.Skill, a, again.Skill, b,
					again.Question)
			}
		}
	}
}

// A name of any kind that was not found is reported. Without it the draft would cover the wrong goods.
func TestADraftReportsANameThatWasNotFound(t *testing.T) {
	names := append(slices.Clone(shop), priceTypes[:1]...)
	for task, want := range map[string]string{
		"подними цены на самовары на 5 %": "самовары",
		"закажи 50 самоваров":             "самоваров",
		"повысь оптовые цены на 3 %":      "оптовые",
	} {
		r := Read(task, Input{Now: wednesday, Names: names})
		if r.Arguments.Everything && want != "оптовые" ||
			!slices.ContainsFunc(r.Unknown, func(p Phrase) bool { return p.Named && p.Words == want }) {
			t.Errorf("%q: %+v, unknown %v", task, r.Arguments, r.Unknown)
		}
	}
	r := Read("повысь оптовые цены на 3 %", Input{Now: wednesday})
	if len(r.Unknown) != 1 || r.Unknown[0].Kinds[0] != connector.NamePriceType {
		t.Errorf("the price type must be looked up: %v", r.Unknown)
	}
}

func TestSalesByWeek(t *testing.T) {
	for task, want := range map[string]string{
		"продажи по неделям": `{"interval":"week"}`, "weekly sales": `{"interval":"week"}`,
		"sales week over week": `{"interval":"week","compare":true}`,
	} {
		r := read(task)
		if got, _ := json.Marshal(r.Arguments); r.Skill != SalesTrend || string(got) != want {
			t.Errorf("%q: %s %s", task, r.Skill, got)
		}
	}
}
