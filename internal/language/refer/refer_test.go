package refer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/token"
)

func TestWordsReferToRowsOfTheLastTable(t *testing.T) {
	goods := &Rows{Dimension: "product", IDs: strings.Fields("a b c d e")}
	one := &Rows{Dimension: "product", IDs: []string{"a"}}
	two := &Rows{Dimension: "counterparty", IDs: []string{"x", "y"}}
	const all = "[0 1 2 3 4]"
	for _, test := range []struct {
		rows       *Rows
		task, want string
	}{
		{goods, "сделай на них скидку 15%", all},
		{goods, "какие остатки по этим товарам", all},
		{goods, "а по тем же товарам за октябрь", all},
		{goods, "сколько их продали", all},
		{goods, "mark them down 20%", all},
		{goods, "stock of these products", all},
		{goods, "сколько осталось второго", "[1]"},
		{goods, "покажи первый подробнее", "[0]"},
		{goods, "третий снизу", "[2]"},
		{goods, "а последний?", "[4]"},
		{goods, "предпоследнего сколько осталось", "[3]"},
		{goods, "the second one", "[1]"},
		{goods, "show me the last one", "[4]"},
		{goods, "second from the bottom", "[3]"},
		{goods, "остатки по первым трём", "[0 1 2]"},
		{goods, "первые 2 из них закажи", "[0 1]"},
		{goods, "закажи последние две позиции из списка", "[3 4]"},
		{goods, "stock of the first three", "[0 1 2]"},
		{goods, "подробнее № 3", "[2]"},
		{goods, "кроме первого", "[0]"},
		{goods, "шестой", "[]"},
		{goods, "остатки по этим складам", "[]"},
		{goods, "сколько его осталось", all + "?"},
		{one, "сколько его осталось", "[0]"},
		{one, "how much of it is left", "[0]"},
		{one, "цена этого товара", "[0]"},
		{two, "сколько они должны", "[0 1]"},
		{two, "что купил второй клиент", "[1]"},

		{goods, "продажи за последние 3 дня", ""},
		{goods, "выручка за первый квартал", ""},
		{goods, "последний заказ", ""},
		{goods, "когда продавали в последний раз", ""},
		{goods, "первые 5 товаров по прибыли", ""},
		{goods, "топ 3 по марже", ""},
		{goods, "sales last week", ""},
		{goods, "last sale", ""},
		{goods, "продажи за эту неделю", ""},
		{goods, "в эти выходные", ""},
		{goods, "заказ № 2", ""},
		{goods, "what was that", ""},
		{goods, "первый склад", ""},
		{nil, "сколько их", ""},
	} {
		got := ""
		for _, ref := range test.rows.Refer(token.Split(test.task)) {
			got += fmt.Sprint(ref.Rows)
			if ref.Ambiguous {
				got += "?"
			}
		}
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.task, got, test.want)
		}
	}
}

func TestRowsAreOpenedInAnyWords(t *testing.T) { // rule R901
	goods := &Rows{Dimension: "product", IDs: strings.Fields("a b c")}
	orders := &Rows{Dimension: "document", IDs: strings.Fields("a b c")}
	for _, test := range []struct {
		rows *Rows
		task string
		want int
	}{
		{goods, "номер 2 подробней", 1}, {goods, "что за второй", 1}, {goods, "второе", -1},
		{goods, "открой второе", 1}, {goods, "цена второго", -1}, {goods, "второй квартал", -1},
		{goods, "нижний открой", 2}, {goods, "девятый", -1}, {orders, "что привезли в первой", 0},
		{orders, "раскрой последний", 2}, {goods, "что привезли в первой", -1},
	} {
		i, ok := test.rows.Opened(test.task)
		if !ok {
			i = -1
		}
		if i != test.want {
			t.Errorf("%q opens %d, want %d", test.task, i, test.want)
		}
	}
}
