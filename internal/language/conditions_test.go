package language

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// condition is a condition in words, and what the call of a draft that follows it contains: one of these.
type condition struct {
	text string
	kept []string
}

// counter is an account with two goods of each kind.
var counter = append([]connector.Name{
	{Kind: connector.NameProduct, ID: "p3", Name: "Кружка с рисунком большая"},
	{Kind: connector.NameProduct, ID: "p4", Name: "Пирамидка яркая"},
	{Kind: connector.NameGroup, ID: "g4", Name: "Игрушки"},
}, stall...)

// conditionsOf are the conditions of each kind of draft, by language.
func conditionsOf(text string) (list []condition) {
	for line := range strings.Lines(text) {
		words, kept, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if words == "" {
			continue
		}
		c := condition{text: words}
		if ok {
			c.kept = strings.Split(kept, " | ")
		}
		list = append(list, c)
	}
	return list
}

// Every condition of a request is in the draft, in every option of a question, or named in the question: for each kind
// of draft, each kind of condition and each place of it.
func TestEveryConditionOfADraftIsKept(t *testing.T) { // rules R280 and R355
	tried, drafts := 0, 0
	for _, list := range draftConditions {
		for _, request := range list.requests {
			for _, c := range conditionsOf(list.conditions) {
				for range 2 {
					task := fmt.Sprintf(list.forms[tried%len(list.forms)], request, c.text)
					tried++
					r := counted(task)
					if r.Question == nil && r.Skill.Proposes() {
						drafts++
					}
					if lost := c.lost(task, r); lost != "" {
						t.Errorf("%s:\n\t%s: lost %q", task, lost, c.text)
					}
				}
			}
		}
	}
	t.Logf("%d requests with a condition, %d drafts", tried, drafts)
}

func counted(task string) Reading {
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) // a Sunday
	return Read(task, Input{Now: now, Catalogue: measures.Catalogue, Names: counter})
}

// lost returns what is done without the condition; "" if it is kept, named or refused.
func (c condition) lost(task string, r Reading) string {
	keeps := func(input any) bool {
		b, _ := json.Marshal(input)
		return slices.ContainsFunc(c.kept, func(k string) bool { return strings.Contains(string(b), k) })
	}
	switch {
	case r.Outside || !r.Skill.Proposes() && r.Question == nil:
		return ""
	case r.Question == nil && len(r.Unknown) == 0 && !keeps(r.ToolInput()):
		return said(r)
	case r.Question == nil:
		return ""
	}
	if slices.ContainsFunc(r.Question.Options, func(o Option) bool { return keeps(o.ToolInput()) }) {
		return "" // the person sees that the others do not
	}
	for _, o := range r.Question.Options {
		if !o.Skill.Proposes() || keeps(o.ToolInput()) {
			continue
		}
		named := slices.ContainsFunc(strings.Fields(c.text), func(w string) bool {
			w = strings.Trim(w, ",.%")
			return len([]rune(w)) > 3 && strings.Contains(strings.ToLower(r.Question.Text), strings.ToLower(w))
		})
		if !named {
			return "? " + r.Question.Text + " | " + o.Text
		}
	}
	return ""
}

var draftConditions = []struct {
	requests, forms []string
	conditions      string
}{
	{
		requests: []string{"подними цены на посуду на 5 %", "снизь цены на чайник стальной на 5 процентов",
			"сделай скидку 10% на всю посуду", "накинь 50 рублей на посуду", "посуда +5%", "подними все цены на 3 %"},
		forms: []string{"%s %s", "%s, %s", "%s но только %s", "%[2]s %[1]s", "пожалуйста %s %s"},
		conditions: `
			поставщика Восток => Восток
			у ИП Петрова => Петрова
			из группы сладости => Сладости
			и на сладости => Сладости
			и на ключ гаечный мини => Ключ
			кроме сладостей => except
			кроме кружки с рисунком => except
			но сладости не трогай => except
			без чая и кофе => except
			не считая игрушек => except
			с маржой ниже 20 % => "margin","op":"\u003c"
			с наценкой больше 50 => "markup","op":"\u003e"
			где маржа меньше 15 процентов => "margin","op":"\u003c"
			у которых наценка ниже тридцати процентов => "markup","op":"\u003c"
			чтобы маржа была 30 %
			с округлением до 10 => "to":"10"
			без копеек => "to":"1"
			до девяток => "ending":"9"
			дороже 500 рублей => "price","op":"\u003e"
			дешевле 1000 => "price","op":"\u003c"
			с ценой от 100 до 500 => between
			с остатком больше 10 => "stock","op":"\u003e"
			которых осталось меньше 5 штук => "stock","op":"\u003c"
			в наличии => "stock"
			нет в наличии => "stock"
			которых нет на складе => "stock"
			с нулевым остатком => "stock"
			что на остатке => "stock"
			для интернет-магазина => Интернет
			оптовые => Оптовая
			в прайсе оптовая => Оптовая
			розничные цены => price_change | "percent" | "amount"
			за прошлый месяц
			которые не продавались 3 месяца => days_without_sale
			без продаж за квартал => days_without_sale | pace
			которые лежат больше полугода => days_in_stock
			с понедельника
			до конца месяца
			с 1 декабря
			на неделю
			самые ходовые => "limit"
			топ 5 по прибыли => "limit":5
			первые десять => "limit":10
			хиты продаж => "limit"
			неликвид => days_without_sale
			залежавшиеся => days_without_sale
			новые
			сезонные
			дорогие
			дешевые
			маржинальные
			прибыльные
			импортные
			красные
			со старой ценой
			со скидкой => "-
			для постоянных клиентов
			для Иванова
			на витрине => Витрина
			на складе основной => Основной
			по акции => "-
			по курсу доллара
			в долларах
			если не продается
			если маржа позволяет
			когда закончится остаток
			которые в пути
			которых заказано больше 5
			которые покупали в октябре
			которые ниже минимума
			где остаток меньше минимального
			не дороже конкурентов
			но не ниже 300 рублей => "min_price":"300"
			не ниже себестоимости => "over_cost":"0"
			чтобы не уйти в минус => "over_cost":"0"
			по 500 рублей
			на 7 %
			половину
			на половину ассортимента
			каждый второй
			с артикулом 105
			с браком
			без фото
			со штрихкодом
			из последней поставки
			которые приехали вчера
			с НДС
			и отправь поставщику
			и отправь мне на почту
			и верни как было
			`,
	},
	{
		requests: []string{"закажи посуду", "подготовь заказы поставщикам", "закажи 10 чайников стальных на витрину",
			"закажи всё что ниже минимума", "дозакажи то что заканчивается", "нужно заказать посуду у востока"},
		forms: []string{"%s %s", "%s, %s", "%s но только %s", "%[2]s %[1]s", "пожалуйста %s %s"},
		conditions: `
			у ИП Петрова => Петрова
			поставщик Петрова => Петрова
			кроме сладостей => except
			без кружек с рисунком => except
			но чай и кофе не надо => except
			на основной склад => Основной
			в магазин на мира => Мира
			для витрины => Витрина
			по 5 штук => "quantity":"5"
			10 штук => "quantity":"10"
			и 3 пирамидки ярких => Пирамидка
			и игрушки => Игрушки
			из группы сладости => Сладости
			на 50 тысяч => "budget":"50000"
			бюджет 30000 рублей => "budget":"30000"
			не больше 20 000 ₽ => "budget":"20000"
			минимальная сумма заказа 5000 => "min_order":"5000"
			на две недели => "days":14
			на месяц запаса => "days":30
			чтобы хватило до нового года => "days"
			к пятнице => "delivery"
			с доставкой 1 декабря => "delivery":"2026-12-01"
			до праздников
			срок поставки 10 дней => "lead_days":10
			по прогнозу => "forecast":true
			по продажам за октябрь => "from":"2026-10-01"
			за прошлый месяц
			только то что ниже минимума => below_minimum
			что заканчивается => running_out
			что закончилось => "stock"
			чего меньше 5 штук => "stock","op":"\u003c"
			с остатком ниже 10 => "stock","op":"\u003c"
			дороже 500 рублей => price
			дешевле 1000 => price
			с маржой выше 30 % => "margin"
			самое ходовое => "limit"
			топ 10 по прибыли => "limit":10
			хиты продаж => "limit"
			что лучше всего продаётся => "limit"
			по 300 рублей за штуку => "price":"300"
			по старой цене
			по закупочной цене 200
			ещё столько же
			как в прошлый раз
			половину
			в два раза больше
			с запасом 20 %
			с запасом
			если есть у поставщика
			если есть на основном складе
			кратно 6 => "multiple":"6"
			упаковками по 12 => "multiple":"12"
			коробками
			5 кг
			3 коробки
			по 2 коробки
			не больше 3 каждого => "at_most":"3"
			минимум 5 каждого => "at_least":"5"
			красные
			новинки
			сезонное
			недорогие
			без предоплаты
			с отсрочкой 14 дней
			в долларах
			за наличные
			самовывозом
			транспортной компанией
			от организации Ромашка
			с комментарием срочно
			и отправь его на почту
			и оплати
			и подними цены на 5 %
			для клиента Иванова
			под заказ покупателя 00012
			которые не продавались 3 месяца => days_since_sale
			что продали вчера => "column":"quantity"
			сколько продали за неделю => "column":"quantity"
			в пути
			кроме тех что уже заказаны
			с учётом уже заказанного
			до минимума => below_minimum
			первые пять
			`,
	},
	{
		requests: []string{"перемести с основного склада на витрину чего там не хватает",
			"перекинь 5 чайников стальных с основного на витрину", "перевези недостающее на мира"},
		forms: []string{"%s %s", "%s, %s", "%s но только %s", "%[2]s %[1]s", "пожалуйста %s %s"},
		conditions: `
			посуду => Посуда
			из группы сладости => Сладости
			кроме сладостей => not_in
			без кружек с рисунком => not_in
			и 3 пирамидки ярких => Пирамидка
			с мира => Мира
			поставщика Восток => Восток
			у ИП Петрова => Петрова
			по 5 штук => "quantity":"5"
			не больше 10 штук
			дороже 500 рублей => price
			с остатком больше 10 => "stock"
			на две недели => "days":14
			на месяц => "days":30
			что ниже минимума => below_minimum
			что заканчивается => running_out
			до минимума => below_minimum
			половину
			оставив 2 штуки => "keep":"2"
			но оставь хотя бы 5 => "keep":"5"
			поровну
			к пятнице
			завтра
			с 1 декабря
			самое ходовое => "limit"
			топ 10 по продажам => "limit":10
			за прошлый месяц
			по продажам за октябрь => "from":"2026-10-01"
			которые не продавались 3 месяца => "days_since_sale"
			новинки
			красные
			и закажи остальное
			5 кг
			3 коробки
			если там есть
			с браком
			для клиента Иванова
			на 50 тысяч
			с комментарием на выставку
			`,
	},
	{
		requests: []string{"поставь неснижаемый остаток 5 на посуду", "пересчитай неснижаемые остатки для посуды",
			"сделай минимум 12 шт для посуды"},
		forms: []string{"%s %s", "%s, %s", "%s но только %s", "%[2]s %[1]s", "пожалуйста %s %s"},
		conditions: `
			и сладостей => Сладости
			кроме сладостей => not_in
			поставщика Восток => Восток
			на витрине => Витрина
			для основного склада => Основной
			дороже 500 рублей => price
			с остатком больше 10 => "stock"
			срок поставки 10 дней => "lead_days":10
			запас 5 дней => "safety_days":5
			чтобы хватало на две недели => "lead_days":14
			на месяц продаж => "lead_days":30
			по продажам за октябрь => "from":"2026-10-01"
			за прошлый квартал
			по прогнозу
			самые ходовые => "limit"
			топ 10 по прибыли => "limit":10
			которые не продавались 3 месяца => days_since_sale
			если меньше 3
			у которых минимум не задан => is_empty
			где минимум ниже 5 => "field":"minimum"
			с понедельника
			новинки
			в два раза
			на 20 %
			плюс 10 %
			кратно 6 => "multiple":"6"
			округли до 10
			не больше 100
			`,
	},
	{
		requests: []string{"raise prices of Посуда by 5%", "give 10% off чайник стальной", "lower all prices by 3%",
			"add 50 rub to Посуда"},
		forms: []string{"%s %s", "%s, %s", "%s but only %s", "please %s %s"},
		conditions: `
			from the supplier Восток => Восток
			except Сладости => except
			but not Сладости => except
			without Сладости => except
			and Игрушки => Игрушки
			with a margin below 20% => "margin","op":"\u003c"
			where the markup is over 50% => "markup","op":"\u003e"
			with margin under 15 percent => "margin","op":"\u003c"
			over 500 rub => "price","op":"\u003e"
			cheaper than 1000 => "price","op":"\u003c"
			in stock => "stock"
			out of stock => "stock"
			with more than 10 in stock => "stock"
			not sold for 60 days => days_without_sale
			older than 120 days => days_in_stock
			rounded to the nearest 10 => "to":"10"
			without kopecks => "to":"1"
			wholesale => Оптовая
			last month
			until Friday
			from Monday
			top 5 by profit => "limit":5
			best sellers => "limit"
			slow movers
			new ones
			red ones
			at Витрина => Витрина
			for the customer Ivanov
			in dollars
			if the margin allows
			but not below 300 => "min_price":"300"
			below minimum stock
			half of them
			on sale
			with VAT
			and email me the list
			by 7%
			`,
	},
	{
		requests: []string{"order Посуда", "order everything below minimum", "order 10 чайник стальной to Витрина",
			"draft supplier orders", "transfer what is short from Основной склад to Витрина"},
		forms: []string{"%s %s", "%s, %s", "%s but only %s", "please %s %s"},
		conditions: `
			from the supplier Петрова => Петрова
			except Сладости => not_in | except
			without Сладости => not_in | except
			and Игрушки => Игрушки
			budget 50k => "budget":"50000"
			for two weeks => "days":14
			for a month => "days":30
			by Friday => "delivery"
			5 of each => "quantity":"5"
			at 300 rub each => "price":"300"
			over 500 rub => price
			with a margin above 30% => margin
			with stock below 10 => "stock"
			running out => running_out
			by the forecast => "forecast":true
			by October sales => "from":"2026-10-01"
			best sellers => "limit"
			top 10 by profit => "limit":10
			same as last time
			half
			twice as much
			in boxes
			5 kg
			3 boxes
			in multiples of 6 => "multiple":"6"
			no more than 3 each => "at_most":"3"
			red ones
			new ones
			last month
			for the customer Ivanov
			with a note urgent
			and email it
			and raise prices by 5%
			if the supplier has it
			in dollars
			not sold for 60 days => days_since_sale
			to Магазин на Мира => Мира
			`,
	},
}
