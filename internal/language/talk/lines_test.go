package talk

import (
	"encoding/json"
	"strings"
	"testing"
)

// A message that goes on with a draft changes what it says and keeps everything else.
func TestAFollowUpKeepsTheRestOfADraft(t *testing.T) { // rule R487
	for said, want := range map[string][]string{
		"закажи соль экстра 500 г 25 шт | добавь ещё тапочки 10 шт": {`"product":"Соль экстра 500 г","quantity":"25"`,
			`"product":"Тапочки","quantity":"10"`},
		"закажи соль экстра 500 г 25 шт и тапочки 10 шт | сделай 20 вместо 10 | и ещё тарелка сталь 2 л 5 шт": {
			`"product":"Соль экстра 500 г","quantity":"25"`, `"product":"Тапочки","quantity":"20"`,
			`"product":"Тарелка сталь 2 л","quantity":"5"`},
		"закажи соль экстра 500 г 25 шт | ещё соль экстра 500 г 5 шт": {`"quantity":"30"`},
		"закажи соль экстра 500 г 25 шт | увеличь всё в 2 раза | добавь тапочки 3 шт": {`"quantity":"50"`,
			`"product":"Тапочки","quantity":"3"`},
		"order 25 Соль экстра 500 г to Витрина | also add 4 Тапочки": {`"quantity":"25"`, `"quantity":"4"`, `Витрина`},
		"перемести 5 тапочки с основного склада на витрину | и ещё 2 соль экстра 500 г туда же": {`"quantity":"5"`,
			`"product":"Соль экстра 500 г","quantity":"2"`, `"from_stores":["Основной склад"]`, `"stores":["Витрина"]`},
		"перемести 5 тапочки с основного склада на витрину | наоборот": {`"from_stores":["Витрина"]`,
			`"stores":["Основной склад"]`, `"quantity":"5"`},
		"снизь цены на посуду на 15% | но не ниже себестоимости": {`"percent":"-15"`, `"over_cost":"0"`},
		"снизь цены на посуду на 15% | но не дешевле 200 рублей": {`"percent":"-15"`, `"min_price":"200"`},
		"снизь цены на посуду на 15% | не трогай тарелки":        {`"groups":["Посуда"],"except":{"products":["Тарелка`},
		"подними цены на посуду на 15% | кроме тех, где маржа выше 50%": {
			`"percent":"15"`, `{"field":"margin","op":"\u003c=","values":["50"]}`},
		"подними цены на посуду на 15% | нет, снизь":                 {`"percent":"-15"`},
		"подними цены на посуду на 15% | передумал, +5":              {`"percent":"5"`},
		"закажи всё ниже минимума | кратно 6":                        {`"mode":"below_minimum"`, `"multiple":"6"`},
		"перемести всё с Лесной на основной склад | оставь там по 3": {`"keep":"3"`, `"Склад на Лесной"`},
		"перемести 5 тапочки с основного склада на Мира | нет, на витрину": {`"stores":["Витрина"]`,
			`"from_stores":["Основной склад"]`},
		"закажи соль экстра 500 г 25 шт | столько же тапочки":      {`"product":"Тапочки","quantity":"25"`},
		"снизь цены на посуду на 15% | нет, двадцать":              {`"percent":"-20"`, `"groups":["Посуда"]`},
		"подними цены на посуду на 15% | лучше на 100 рублей":      {`"amount":"100"`, `"groups":["Посуда"]`},
		"закажи всё что закончится за неделю | не больше 40 тысяч": {`"budget":"40000"`, `"days":7`},
	} {
		r := converse(said)
		b, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if r.Question != nil || !strings.Contains(string(b), w) {
				t.Errorf("%s: %s %s, question %v; want %s", said, r.Skill, b, r.Question, w)
			}
		}
	}
}

// A message that is another figure, or says where an order goes, changes the draft before it, whatever that was
// made of.
func TestAnotherFigureChangesTheDraft(t *testing.T) { // rule R671
	for said, want := range map[string]string{
		"закажи соль экстра 500 г 25 шт | дорого, давай 20":             `"quantity":"20"`,
		"перемести 5 тапочки с основного склада на витрину | 12 not 5":  `"quantity":"12"`,
		"перемести 5 тапочки с основного склада на витрину | не 5, а 8": `"quantity":"8"`,
		"закажи соль экстра 500 г 25 шт и тапочки 10 шт | теперь по 3": "" +
			`"quantity":"3"},{"product":"Тапочки","quantity":"3"`,
		"Тапочки | закажи 10 | на лесную":                                          `"store":"Склад на Лесной"`,
		"закажи соль экстра 500 г 25 шт | ещё столько же":                          `"quantity":"50"`,
		"закажи соль экстра 500 г 25 шт на витрину | привезти на лесную":           `"store":"Склад на Лесной"`,
		"снизь цены на посуду на 12% | не 12 а 10":                                 `"percent":"-10"`,
		"подними цены на посуду на 15% без округления | округли до 5 рублей":       `"round":{"to":"5"}`,
		"поставь неснижаемый остаток 12 на тапочки и соль экстра 500 г | лучше 15": `"minimum":"15"`,
		"поставь цену тапочки 900 | нет, 950":                                      `"price":"950"`,
	} {
		r := converse(said)
		b, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		if r.Question != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s %s, question %v; want %s", said, r.Skill, b, r.Question, want)
		}
	}
	r := converse("закажи соль экстра 500 г 25 шт и тапочки 10 шт | нет, 6")
	if r.Question == nil || len(r.Question.Options) != 3 {
		t.Errorf("of two lines, 6 is %+v", r)
	}
}

// An order without goods is about the ones that were shown right before.
func TestAnOrderOfWhatWasShown(t *testing.T) { // rule R672
	for said, want := range map[string]string{
		"Тапочки | опт 250": "" +
			`"price_type":"Оптовая цена","items":[{"product":"Тапочки","price":"250"}]`,
		"сколько стоят тапочки | сделай 999":                  `"items":[{"product":"Тапочки","price":"999"}]`,
		"Тапочки | закажи 10":                                 `"items":[{"product":"Тапочки","quantity":"10"}]`,
		"Тапочки | сделай дешевле на 5%":                      `"percent":"-5","products":["Тапочки"]`,
		"Тапочки | поставь 900":                               `"items":[{"product":"Тапочки","price":"900"}]`,
		"сколько стоят тапочки | подними цену на 50 рублей":   `"amount":"50","products":["Тапочки"]`,
		"Тапочки | перемести 3 с основного склада на витрину": `"items":[{"product":"Тапочки","quantity":"3"}]`,
	} {
		r := converse(said)
		b, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		if r.Question != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s %s, question %v; want %s", said, r.Skill, b, r.Question, want)
		}
	}
}

// A message that leaves goods out, keeps only some or adds goods changes nothing else of the draft.
func TestGoodsOfADraftAreLimited(t *testing.T) { // rule R812
	for said, want := range map[string][]string{
		"подними цены на посуду на 4% | и сладости тоже": {`"groups":["Посуда","Сладости"]`, `"percent":"4"`},
		"подними цены на посуду на 4%, округли до 10 | кроме тарелок": {`"round":{"to":"10"}`, `"groups":["Посуда"]`,
			`"except":{"products":["Тарелка`},
		"закажи всё что ниже минимума на витрине | убери посуду": {`"except":{"groups":["Посуда"]}`,
			`"mode":"below_minimum"`, `"stores":["Витрина"]`},
		"закажи соль экстра 500 г 25 шт | сделай 10 | добавь тапочки 3 шт": {`"product":"Соль экстра 500 г","quantity":"10"`,
			`"product":"Тапочки","quantity":"3"`},
		"подними цены на посуду на 4% | округли до 10 | не надо округлять": {`{"percent":"4","groups":["Посуда"]}`},
		"подними цены на посуду на 4% | сладости оставь как есть":          {`"except":{"groups":["Сладости"]}`},
		"закажи у Петровой на 15000 | мало, 25000":                         {`"budget":"25000"`, `"suppliers":[`},
		"закажи всё что ниже минимума | кроме посуды | и без сладостей":    {`"groups":["Посуда","Сладости"]`},
	} {
		r := converse(said)
		b, err := json.Marshal(r.ToolInput())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if r.Question != nil || !strings.Contains(string(b), w) {
				t.Errorf("%s: %s %s, question %v; want %s", said, r.Skill, b, r.Question, w)
			}
		}
	}
}
