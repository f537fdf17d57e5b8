package language

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// sizes are goods that differ by their size, or by one word.
var sizes = append([]connector.Name{
	{Kind: connector.NameProduct, ID: "z1", Name: "Мармелад ванильные 300 г"},
	{Kind: connector.NameProduct, ID: "z2", Name: "Мармелад ванильные 500 г"},
	{Kind: connector.NameProduct, ID: "z3", Name: "Кофе в зёрнах крепкий 250 г"},
	{Kind: connector.NameProduct, ID: "z4", Name: "Кофе в зёрнах крепкий 100 г"},
	{Kind: connector.NameProduct, ID: "z5", Name: "Тетрадь в линию А4"},
	{Kind: connector.NameProduct, ID: "z6", Name: "Тетрадь в клетку А4"},
	{Kind: connector.NameProduct, ID: "z7", Name: "Ручка в клетку 24 шт"},
	{Kind: connector.NameProduct, ID: "z8", Name: "Клей в линию 12 шт"},
	{Kind: connector.NameProduct, ID: "z9", Name: "Клей в линию 24 шт"},
}, stall...)

// ofSizes returns what a task would execute, or its question with the options.
func ofSizes(task string) string {
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) // a Sunday
	r := Read(task, Input{Now: now, Catalogue: measures.Catalogue, Names: sizes})
	out := said(r)
	if r.Question != nil {
		for _, o := range r.Question.Options {
			out += " / " + o.Text
		}
	}
	return out
}

func TestListsNameTheirGoodsInFewWords(t *testing.T) {
	for _, x := range []struct{ rule, task, want string }{
		{"R760", "закажи мармелад ванильный 300 г 12 шт, а 500 г 8 шт", `"items":[{"product":"Мармелад ванильные 300 г",` +
			`"quantity":"12"},{"product":"Мармелад ванильные 500 г","quantity":"8"}]`},
		{"R760", "закажи клей в линию 12 шт 7 и 24 шт 8", `{"product":"Клей в линию 24 шт","quantity":"8"}`},
		{"R760", "закажи клей в линию 12 шт 24 шт", `[{"product":"Клей в линию 12 шт","quantity":"24"}]`},
		{"R760", "закажи тетрадь в линию 20, а в клетку 10", `{"product":"Тетрадь в клетку А4","quantity":"10"}`},
		{"R761", "на мармелад ванильный 300 г минималку 12 а на 500 г 8", "/ Поставь неснижаемый остаток 12 на " +
			"«Мармелад ванильные 300 г» / Поставь неснижаемый остаток 8 на «Мармелад ванильные 500 г»"},
		{"R761", "наценку на сладости сделай 35 а на посуду 28", "/ Поставь цены с наценкой 35 % на группу «Сладости» / " +
			"Поставь цены с наценкой 28 % на группу «Посуда»"},
		{"R761", "сладости +8% посуда +5%", "/ Подними цены на 8 % на группу «Сладости» / Подними цены на 5 %"},
		{"R761", "чайник стальной мин остаток 4", `minimum_stock {"minimum":"4","products":["Чайник стальной"]}`},
		{"R761", "мин остаток по продажам за 2 месяца на всё с запасом 10 дней", `"from":"2026-09-23","safety_days":10`},
		{"R762", "чайник стальной 790 розница 640 опт", "/ Поставь цену «Чайник стальной» 790 / Поставь цену «Оптовая» " +
			"«Чайник стальной» 640"},
		{"R762", "кофе в зёрнах крепкий 250 г 620 р и 100 г 280", `price_change {"items":[{"price":"620","product":` +
			`"Кофе в зёрнах крепкий 250 г"},{"price":"280","product":"Кофе в зёрнах крепкий 100 г"}]}`},
		{"R762", "цену на чайник стальной 450, на кофе в зёрнах крепкий 100 г 490", `"price":"490"`},
		{"R763", "round internet prices in Посуда to 50", `"price_type":"Интернет-магазин","round":{"to":"50"}`},
		{"R763", "округли оптовые цены на посуду до 10", `"price_type":"Оптовая","round":{"to":"10"}`},
		{"R763", "цены опт = закупка + 15% на посуду", `{"groups":["Посуда"],"markup":"15","price_type":"Оптовая"}`},
		{"R761", "минимум 5 на чайник стальной", `minimum_stock {"minimum":"5","products":["Чайник стальной"]}`},
		{"R761", "минималку на чайник стальной с 5 до 8", `"minimum":"8"`},
		{"R762", "у петровой чайник стальной 8 штук и тетрадь в линию а4 40 к среде", `"delivery":"2026-11-25"`},
		{"R762", "чайник стальной 4990, тетрадь в линию а4 129", "/ Поставь цену «Чайник стальной» 4990, «Тетрадь в"},
		{"R763", "уценка 40% на всё что лежит год, но не ниже закупки", `"op":"\u003e=","values":["365"]`},
		{"R763", "increase retail prices 3% of Посуда, leave wholesale as is", `{"groups":["Посуда"],"percent":"3"}`},
		{"R763", "order 30 x Чайник стальной and 15 x Тетрадь в линию А4", `"quantity":"15"`},
		{"R763", "закажи на 50000 руб по минималкам, не больше", `{"budget":"50000","mode":"below_minimum"}`},
	} {
		if got := ofSizes(x.task); !strings.Contains(got, x.want) {
			t.Errorf("%s: %q: %s; want %s", x.rule, x.task, got, x.want)
		}
	}
}
