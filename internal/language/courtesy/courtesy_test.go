package courtesy

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/token"
)

func left(task string) string {
	ts := token.Split(task)
	Mark(ts)
	MarkRemarks(ts, func() []bool { return make([]bool, len(ts)) })
	var list []string
	for i := range ts {
		if ts[i].Kind != token.Mark && ts[i].Use == token.Unused {
			list = append(list, ts[i].Norm)
		}
	}
	return strings.Join(list, " ")
}

func TestCourtesyIsNoPartOfTheQuestion(t *testing.T) { // rule R335
	for task, want := range map[string]string{
		"будьте добры, остатки кружек":                                                      "остатки кружек",
		"продажи за октябрь нужны для налоговой":                                            "продажи за октябрь",
		"покажи остатки по посуде, надо показать начальнику":                                "покажи остатки по посуде",
		"мне бы понять какая маржа у чая, к планерке":                                       "какая маржа у чая",
		"выручка за неделю, отчитаться перед шефом":                                         "выручка за неделю",
		"хотелось бы мне узнать сколько денег в кассе":                                      "сколько денег в кассе",
		"expenses for October, need it for my accountant":                                   "expenses for october",
		"sales last week for the board meeting":                                             "sales last week",
		"Сколько осталось тетрадей? Учебный год в разгаре, клиенты спрашивают каждый день.": "сколько осталось тетрадей",
		"Какие клиенты ничего не покупали с августа. Хотим им позвонить.":                   "какие клиенты ничего не покупали с августа",
		"Отлично. Покажи по складам":                                                        "покажи по складам",
		"I hope you're doing well. How much do we owe Alfa?":                                "how much do we owe alfa",
		"расходы на аренду, это нужно для отчёта инвестору":                                 "расходы на аренду это",
		"шеф спрашивает сколько продали вчера":                                              "сколько продали вчера",
		"остатки кружек, а то меня покупатель ждёт":                                         "остатки кружек",
		"сколько денег на счетах для бухгалтера":                                            "сколько денег на счетах",

		"извините, а выручка за октябрь какая": "а выручка за октябрь какая",

		"а то клиент стоит сколько осталось мыла":               "сколько осталось мыла",
		"sorry to bother you, stock of mugs":                    "stock of mugs",
		"my boss wants to know sales yesterday":                 "sales yesterday",
		"could you tell me the price of salt for my accountant": "the price of salt",
	} {
		if got := left(task); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestWhatMayBeAConditionIsNoCourtesy(t *testing.T) { // rule R335
	for _, task := range []string{"какой клиент ждёт отгрузки", "заказы от клиента Альфа", "цены для розницы",
		"закажи соль, а то осталось 5 штук", "спасибо большое", "кто из покупателей звонит",
		"Остатки кружек. По складам.", "Покажи выручку. За октябрь.", "Сколько осталось? Масло подсолнечное.",
		"Закажи чай. Осталось 5 пачек.", "Клиенты спрашивают каждый день.",
		"Снизь цены на посуду. Товары залежались.", "Покажи товары. Кроме тех, что продаются.",
		"Снизь цены на 5%. Кружки продаются плохо.", "чистая прибыль по фирмам", "другой склад",
		"сколько ушло на банк", "конечный остаток", "сдали в банк"} {
		if got, want := left(task), all(task); got != want {
			t.Errorf("%s: %s is left", task, got)
		}
	}
}

// all are all words of a task.
func all(task string) string {
	var list []string
	for _, t := range token.Split(task) {
		if t.Kind != token.Mark {
			list = append(list, t.Norm)
		}
	}
	return strings.Join(list, " ")
}
