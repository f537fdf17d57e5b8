package language

import (
	"strings"
	"testing"
)

// Requests whose words say more than they seem to: what costs how much from now on, what is there and what is not.
func TestRequestsInFewWords(t *testing.T) { // rules R280, R488 and R1160
	for task, want := range map[string]string{
		"цена чайника стального теперь 1150": "" +
			`price_change {"items":[{"price":"1150","product":"Чайник стальной"}]}`,
		"чайник стальной по 990": "" +
			`price_change {"items":[{"price":"990","product":"Чайник стальной"}]}`,
		"цены на посуду минус 7% только на то чего больше 50 шт": "" +
			`"where":[{"field":"stock","op":"\u003e","values":["50"]}]`,
		"подними цены на 6% если наценка меньше 25%": "" +
			`"where":[{"field":"markup","op":"\u003c","values":["25"]}]`,
		"опусти цены на посуду до себестоимости плюс 10%": "" +
			`price_change {"groups":["Посуда"],"markup":"10"}`,
		"сделай цены на посуду кратно 50": "" +
			`"round":{"to":"50"}`,
		"подними розницу на сладости на 3 процента, опт не трогай": "" +
			`price_change {"groups":["Сладости"],"percent":"3"}`,
		"lower prices of Посуда by 100 rub but only those above 1000": "" +
			`"where":[{"field":"price","op":"\u003e",` +
			`"values":["1000"]}]`,
		"снизь на 15% цены на пять самых залежавшихся товаров": "" +
			`"limit":5`,
		"перемести на мира то чего там нет а на основном складе есть": "" +
			`transfers {"from_stores":["Основной склад"],` +
			`"stores":["Магазин на Мира"]}`,
		"закажи столько же посуды сколько продали в октябре": "" +
			`"rows_of":{"column":"quantity","query":{"by":["variant"],` +
			`"from":"2026-10-01"`,
		"закажи то что продали вчера": "" +
			`"rows_of":{"column":"quantity","query":{"by":["variant"],` +
			`"from":"2026-11-21"`,
		"восполни продажи за прошлую неделю": "" +
			`"rows_of":{"column":"quantity","query":{"by":["variant"],` +
			`"from":"2026-11-09"`,
		"закажи проданное за октябрь на витрине": "" +
			`"to":"2026-10-31","where":[{"field":"store","op":"in","values":["Витрина"]}]`,
		"order what we sold last week": "" +
			`"rows_of":{"column":"quantity","query":{"by":["variant"],` +
			`"from":"2026-11-09"`,
		"закажи 10 чайников стальных и чтобы приехали к пятнице": "" +
			`"delivery":"2026-11-27"`,
		"order 15 of «Чайник стальной», price 2300 each": "" +
			`"price":"2300","product":"Чайник стальной","quantity":"15"`,
		"закажи всё, что ниже минимума, чтобы вышло не дороже 20 тысяч": "" +
			`"budget":"20000"`,
		"закажи все позиции группы посуда по 10 штук": "" +
			`"quantity":"10"`,
		"закажи чайник стальной": "? Сколько заказать: «Чайник стальной»?",
	} {
		if got := said(proposed(task, nil, nil)); !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %s", task, got, want)
		}
	}
}

// What people write a little wrong or in few words is read as what they mean (rules R674, R676, R677 and R678).
func TestDraftsInEverydaySpelling(t *testing.T) {
	for task, want := range map[string]string{
		"докупи чайник стальной до 40":                        `"column":"available","quantity":"40"`,
		"докупи чайник стальной до 40 штук на основной склад": `"store":"Основной склад"`,
		"ordr 5 чайник стальной": "" +
			`supplier_orders {"items":[{"product":"Чайник стальной","quantity":"5"}]}`,
		"incease pricess of Посуда by 3 percnt": "" +
			`price_change {"groups":["Посуда"],"percent":"3"}`,
		"переместите 5 чайник стальной с основного на витрину": "" +
			`transfers {"from_stores":["Основной склад"]`,
		"цены в опте на посуду ниже на 4 процента": `"percent":"-4","price_type":"Оптовая"`,
		"top up Чайник стальной to 90":             `"column":"available","quantity":"90"`,
		"put 15% off Посуда": "" +
			`price_change {"groups":["Посуда"],"percent":"-15"}`,
		"make Чайник стальной 499": "" +
			`price_change {"items":[{"price":"499","product":"Чайник стальной"}]}`,
		"подними цены на посуду на 7% до 9": `"percent":"7","round":{"ending":"9"}`,
		"закажи 8 чайник стальной, цена 2000 за штуку": "" +
			`"price":"2000","product":"Чайник стальной","quantity":"8"`,
		"дай на витрину чего там не хватает с основного на 10 дней": "" +
			`transfers {"days":10,"from_stores":["Основной склад"]`,
		"снизь цены на товары с тегом акция на 5%":   `? Отбирать по тегам я не умею`,
		"закажи то что кончается не дороже 30 тысяч": `? Это бюджет на весь заказ или цена товара`,
	} {
		if got := said(proposed(task, nil, nil)); !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %s", task, got, want)
		}
	}
}
