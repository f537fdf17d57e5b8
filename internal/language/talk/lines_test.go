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
