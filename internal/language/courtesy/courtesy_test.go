package courtesy_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/language/token"
)

func TestWordsThatChangeNothingAreSetAside(t *testing.T) { // rule R341
	for message, want := range map[string]string{
		"Добрый день, подскажите пожалуйста сколько осталось пледов":  "подскажите сколько осталось пледов",
		"продажи за октябрь нужны для налоговой":                      "продажи за октябрь",
		"шефу нужно выручка за вчера":                                 "выручка за вчера",
		"покажи остатки по посуде, надо показать начальнику":          "покажи остатки по посуде",
		"кто нам должен а то директор ругается":                       "кто нам должен",
		"хотелось бы узнать, сколько денег в кассе":                   "сколько денег в кассе",
		"так, сколько продали на этой неделе":                         "сколько продали на этой неделе",
		"мне бы понять какая маржа у чая, если не сложно":             "какая маржа у чая",
		"Good morning! Could you please tell me what is low in stock": "what is low in stock",
		"my accountant needs expenses by item for October":            "my expenses by item for October",
		"sales last week for the board meeting":                       "sales last week",
		"who owes us because my boss keeps asking":                    "who owes us",
		"остатки для Альфы":                                           "остатки для Альфы",
		"закажи чай потому что осталось 5 пачек":                      "закажи чай потому что осталось 5 пачек",
		"привет":        "привет",
		"Добрый вечер!": "Добрый вечер",
		"снизь цены на посуду на 10% в первую очередь для начальника отдела": "снизь цены на посуду на 10 отдела",
	} {
		ts := token.Split(message)
		for _, i := range courtesy.Aside(ts) {
			ts[i].Use = token.AsAccount
		}
		var left []string
		for _, x := range ts {
			if x.Use == token.Unused && x.Kind != token.Mark {
				left = append(left, x.Raw)
			}
		}
		if got := strings.Join(left, " "); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}
