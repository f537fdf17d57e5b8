package language

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/refer"
)

// stall is a small account.
var stall = []connector.Name{
	{Kind: connector.NameStore, ID: "s1", Name: "Основной склад"}, {Kind: connector.NameStore, ID: "s2",
		Name: "Витрина"},
	{Kind: connector.NameStore, ID: "s3", Name: "Магазин на Мира"},
	{Kind: connector.NameGroup, ID: "g1", Name: "Посуда"}, {Kind: connector.NameGroup, ID: "g2", Name: "Чай и кофе"},
	{Kind: connector.NameGroup, ID: "g3", Name: "Сладости"},
	{Kind: connector.NameSupplier, ID: "c1", Name: "ИП Петрова"}, {Kind: connector.NameSupplier, ID: "c2",
		Name: "ООО «Восток»"},
	{Kind: connector.NameProduct, ID: "p1", Name: "Чайник стальной"},
	{Kind: connector.NameProduct, ID: "p2", Name: "Ключ гаечный мини 10 мм"},
	{Kind: connector.NamePriceType, ID: "t1", Name: "Цена продажи"}, {Kind: connector.NamePriceType, ID: "t2",
		Name: "Оптовая"},
	{Kind: connector.NamePriceType, ID: "t3", Name: "Интернет-магазин"},
}

func proposed(task string, rows *refer.Rows, previous *Reading) Reading {
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) // a Sunday
	return Read(task, Input{Now: now, Catalogue: measures.Catalogue, Names: stall, Rows: rows, Previous: previous})
}

// said returns what a reading would execute, or its question.
func said(r Reading) string {
	if r.Question != nil {
		return "? " + r.Question.Text
	}
	b, err := json.Marshal(r.ToolInput())
	if err != nil {
		return err.Error()
	}
	return strings.TrimPrefix(string(r.Skill), "propose_") + " " + sorted(string(b))
}

// sorted returns JSON with its fields in alphabetical order.
func sorted(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err.Error()
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// Everything that a request says is part of the draft.
func TestDraftsSayWhatWasAsked(t *testing.T) { // rules R280, R281 and R283
	for task, want := range map[string]string{
		"подними цены на 5% на товары с маржой ниже 20%": `price_change {"percent":"5",` +
			`"where":[{"field":"margin","op":"\u003c","values":["20"]}]}`,
		"raise prices by 5% on products over 1000 rub": `price_change {"percent":"5",` +
			`"where":[{"field":"price","op":"\u003e","values":["1000"]}]}`,
		"подними на 10% все что дешевле 200р": `price_change {"percent":"10",` +
			`"where":[{"field":"price","op":"\u003c","values":["200"]}]}`,
		"discount 10% on items older than 120 days": `price_change {"percent":"-10",` +
			`"where":[{"field":"days_in_stock","op":"\u003e",` +
			`"values":["120"]}]}`,
		"снизь на 15 процентов всё что лежит больше полугода": `price_change {"percent":"-15",` +
			`"where":[{"field":"days_in_stock","op":"\u003e","values":["180"]}]}`,
		"уцени на 30% товары, которые не продавались 3 месяца": `price_change {"percent":"-30",` +
			`"where":[{"field":"days_without_sale","op":"\u003e=","values":["90"]}]}`,
		"20% off everything that hasn't sold in 90 days": `price_change {"percent":"-20",` +
			`"where":[{"field":"days_without_sale","op":"\u003e=",` +
			`"values":["90"]}]}`,
		"снизь цены на товары с остатком больше 50 на 5%": `price_change {"percent":"-5",` +
			`"where":[{"field":"stock","op":"\u003e","values":["50"]}]}`,
		"подними цены на 2% на товары с наценкой от 10 до 25%": `price_change {"percent":"2",` +
			`"where":[{"field":"markup","op":"between","values":["10","25"]}]}`,
		"скидка 20 % на посуду дешевле 300 рублей": `price_change {"percent":"-20","groups":["Посуда"],` +
			`"where":[{"field":"price","op":"\u003c",` +
			`"values":["300"]}]}`,
		"подними цены на 5% кроме посуды": `price_change {"percent":"5","except":{"groups":["Посуда"]},` +
			`"everything":true}`,
		"raise wholesale prices by 3% except Сладости": `price_change {"price_type":"Оптовая","percent":"3",` +
			`"except":{"groups":["Сладости"]},"everything":true}`,
		"снизь цены на посуду на 5 процентов в прайсе " +
			"Интернет-магазин": `price_change {"price_type":"Интернет-магазин",` +
			`"percent":"-5","groups":["Посуда"]}`,
		"цены для интернет-магазина +10% от закупки на группу " +
			"Сладости": `price_change {"price_type":"Интернет-магазин",` +
			`"markup":"10","groups":["Сладости"]}`,
		"сделай маржу 35% по посуде, округли до десятков вверх": `price_change {"margin":"35",` +
			`"groups":["Посуда"],"round":{"to":"10","direction":"up"}}`,
		"подними цены на сладости на 3% без округления": `price_change {"percent":"3",` +
			`"groups":["Сладости"],"round":{"to":"0.01"}}`,
		"накинь 50 рублей на товары группы Посуда": `price_change {"amount":"50",` +
			`"groups":["Посуда"]}`,
		"скинь 100р с товаров дороже 3000": `price_change {"amount":"-100","where":[{"field":"price","op":"\u003e",` +
			`"values":["3000"]}]}`,
		"округли все цены до 10 рублей": `price_change {"everything":true,"round":{"to":"10"}}`,
		"make everything over 5000 rub 5% cheaper": `price_change {"percent":"-5","where":[{"field":"price",` +
			`"op":"\u003e",` +
			`"values":["5000"]}]}`,
		"поставь оптовую цену на чайник стальной 300 р": `price_change {"price_type":"Оптовая",` +
			`"items":[{"product":"Чайник стальной",` +
			`"price":"300"}]}`,
		"чайник стальной 900, ключ гаечный мини 10 мм 150 поставь такие " +
			"цены": `price_change {"items":[{"product":"Чайник стальной","price":"900"},` +
			`{"product":"Ключ гаечный мини 10 мм","price":"150"}]}`,
		"снизь цены на топ-10 самых продаваемых товаров на 5%": `price_change {"percent":"-5",` +
			`"rows_of":{"query":{"measures":["sale_price","quantity"],` +
			`"by":["product"],"order":[{"field":"quantity","direction":"desc"}],"limit":10}}}`,

		"закажи у Петровой всё что ниже минимума на витрину": `supplier_orders {"stores":["Витрина"],` +
			`"suppliers":["ИП Петрова"],` +
			`"mode":"below_minimum"}`,
		"закажи всего что заканчивается на 50 тысяч": `supplier_orders {"mode":"running_out",` +
			`"budget":"50000"}`,
		"закажи у востока на 30 дней но не больше 100 т.р.": `supplier_orders {"suppliers":["ООО «Восток»"],` +
			`"days":30,"budget":"100000"}`,
		"order everything running out for Витрина, budget 50k": `supplier_orders {"stores":["Витрина"],` +
			`"mode":"running_out","budget":"50000"}`,
		"закажи что ниже минимума кроме сладостей, минимальный заказ 5000 " +
			"руб": `supplier_orders {"except":{"groups":["Сладости"]},"mode":"below_minimum","min_order":"5000"}`,
		"закажи по прогнозу на месяц, срок поставки 10 дней": `supplier_orders {"days":30,` +
			`"forecast":true,"lead_days":10}`,
		"подготовь заказ поставщику ИП Петрова на пятницу": `supplier_orders {"suppliers":["ИП Петрова"],` +
			`"delivery":"2026-11-27"}`,
		"сделай заказ на всё чего осталось меньше чем на 10 дней": `supplier_orders {"mode":"running_out",` +
			`"days":10}`,
		"закажи 5 чайников стальных и 3 ключа гаечных мини 10 мм на " +
			"витрину": `supplier_orders {"items":[{"product":"Чайник стальной","quantity":"5"},` +
			`{"product":"Ключ гаечный мини 10 мм","quantity":"3"}],"store":"Витрина"}`,
		"закажи что кончилось": `supplier_orders {"rows_of":{"query":{"measures":["stock"],"by":["product"],` +
			`"where":[{"field":"stock","op":"\u003c=","values":["0"]}]}}}`,

		"transfer 5 ключ гаечный мини 10 мм from Основной склад to Витрина": `transfers {"stores":["Витрина"],` +
			`"from_stores":["Основной склад"],` +
			`"items":[{"product":"Ключ гаечный мини 10 мм","quantity":"5"}]}`,
		"перемести с основного склада на витрину чего там не хватает": `transfers {"stores":["Витрина"],` +
			`"from_stores":["Основной склад"]}`,
		"перекинь на мира с витрины 2 чайника стальных": `transfers {"stores":["Магазин на Мира"],` +
			`"from_stores":["Витрина"],` +
			`"items":[{"product":"Чайник стальной","quantity":"2"}]}`,

		"поставь минимальный остаток 5 на посуду": `minimum_stock {"groups":["Посуда"],` +
			`"minimum":"5"}`,
		"подними неснижаемый остаток посуды до 20": `minimum_stock {"groups":["Посуда"],` +
			`"minimum":"20"}`,
		"set the reorder level of Посуда to 15": `minimum_stock {"groups":["Посуда"],` +
			`"minimum":"15"}`,
		"сделай минимум 12 шт для посуды": `minimum_stock {"groups":["Посуда"],` +
			`"minimum":"12"}`,
		"рассчитай неснижаемые остатки для группы Посуда, срок поставки 5 " +
			"дней": `minimum_stock {"groups":["Посуда"],` +
			`"lead_days":5}`,
	} {
		kind, input, _ := strings.Cut(want, " ")
		if got := said(proposed(task, nil, nil)); got != kind+" "+sorted(input) {
			t.Errorf("%s:\n got %s\nwant %s", task, got, want)
		}
	}
}

// A condition that is added to a request changes the draft, or leads to a question: it is never ignored.
func TestAnAddedConditionIsNeverIgnored(t *testing.T) { // rule R280
	for _, list := range []struct{ requests, conditions []string }{
		{[]string{"подними цены на 5% на посуду", "снизь оптовые цены на 7 %", "поставь наценку 40% на группу " +
			"Сладости",
			"округли все цены до 10 рублей", "накинь 20 рублей на посуду", "скидка 15% на чайник стальной",
			"закажи всё, что ниже минимума", "закажи посуду у ООО Восток на две недели",
			"закажи 5 чайников стальных на витрину",
			"подготовь заказы поставщикам на 100 тысяч", "перемести с основного склада на витрину чего там не хватает",
			"перемести 5 чайников стальных с витрины на основной склад", "пересчитай неснижаемые остатки для посуды"},
			[]string{"кроме сладостей", "дороже 1000 рублей", "дешевле 300р", "с маржой ниже 20%",
				"с наценкой больше 50 процентов",
				"старше 120 дней", "которые не продавались 3 месяца", "которые лежат больше полугода",
				"с остатком больше 10",
				"без фото", "красного цвета", "в долларах", "по понедельникам", "у поставщика ИП Петрова",
				"только новинки",
				"с выручкой больше 10000 за октябрь", "кроме тех что в пути", "не считая уценки",
				"из последней поставки",
				"для клиента Иванова", "прошлогодние", "топ-10 по прибыли", "топ 3 товаров в каждой группе",
				"самые ходовые", "в магазине на мира",
				"по 300 рублей", "если маржа позволяет", "с НДС", "с 1 декабря", "до конца месяца", "для опта"}},
		{[]string{"raise prices by 5% for Посуда", "lower all prices by 10%", "set a 30% margin for Сладости",
			"order everything below minimum", "order Посуда for two weeks",
			"transfer what is short from Витрина to Основной склад"},
			[]string{"except Сладости", "over 1000 rub", "cheaper than 300 rub", "with a margin below 20%",
				"older than 120 days",
				"not sold for 60 days", "with more than 10 in stock", "without photos", "in dollars", "on Mondays",
				"from the supplier ИП Петрова", "only new ones", "last month", "the day before yesterday",
				"top 10 by profit",
				"for the customer Ivanov", "until Christmas", "if possible at half price"}},
	} {
		for _, request := range list.requests {
			before := said(proposed(request, nil, nil))
			if strings.HasPrefix(before, "?") {
				t.Errorf("%s: %s", request, before)
			}
			for _, condition := range list.conditions {
				task := request + " " + condition
				if after := proposed(task, nil, nil); said(after) == before {
					t.Errorf("%s: %s, as without %q", task, before, condition)
				}
			}
		}
	}
}

// Words for rows mean those of the last answer, and nothing where there are none.
func TestDraftsOfRows(t *testing.T) { // rule R281
	rows := &refer.Rows{Result: "res_1", Dimension: "product", IDs: []string{"a", "b", "c"},
		Names: []string{"Кружка", "Чашка", "Миска"}}
	for task, want := range map[string]string{
		"подними им цены на 5%": `price_change {"percent":"5","rows_of":{"result":"res_1"}}`,
		"mark them down 20%":    `price_change {"percent":"-20","rows_of":{"result":"res_1"}}`,
		"закажи их":             `supplier_orders {"rows_of":{"result":"res_1"}}`,
		"закажи их по 5 штук на витрину": `supplier_orders {"rows_of":{"result":"res_1",` +
			`"quantity":"5"},"store":"Витрина"}`,
		"снизь на них цены на 7%, округли до 9": `price_change {"percent":"-7","rows_of":{"result":"res_1"},` +
			`"round":{"ending":"9"}}`,
		"сделай на первые две скидку 10%": `price_change {"percent":"-10","rows_of":{"result":"res_1",` +
			`"rows":["a","b"]}}`,
		"order them for two weeks": `supplier_orders {"rows_of":{"result":"res_1"},"days":14}`,
	} {
		kind, input, _ := strings.Cut(want, " ")
		if got := said(proposed(task, rows, nil)); got != kind+" "+sorted(input) {
			t.Errorf("%s:\n got %s\nwant %s", task, got, want)
		}
		if got := said(proposed(task, nil, nil)); !strings.HasPrefix(got, "?") {
			t.Errorf("%s without a table: %s", task, got)
		}
	}
	shortages := Reading{Skill: Shortages, Arguments: Arguments{Stores: []string{"Витрина"}, Days: 10}}
	if got := said(proposed("сделай заказ на это", nil, &shortages)); got !=
		"supplier_orders "+sorted(`{"stores":["Витрина"],"days":10}`) {
		t.Error(got)
	}
}

// What a draft cannot do without becomes a question whose options are complete tasks.
func TestIncompleteRequestsAreAskedAbout(t *testing.T) { // rules R280 and R281
	for task, options := range map[string]int{
		"подними цены": 0, "подними цены на 5%": 1, "измени цены на посуду на 5%": 2, "поставь цену 990": 1,
		"снизь цены на 10% в магазине на мира": 2, "снизь цены на неликвид на 20%": 4,
		"закажи всё дешевле 100 рублей": 2,
		"пересчитай минимумы":           1,
		"поставь минимальный остаток 8": 1, "увеличь неснижаемый остаток посуды на 5": 1, "подними цену чайник " +
			"стальной 500": 2,
		"подними цены на чай на 7%": 2, "скидка 5% клиенту Петрова": 0,
	} {
		r := proposed(task, nil, nil)
		if r.Question == nil || len(r.Question.Options) != options {
			t.Errorf("%s: %s, %+v", task, said(r), r.Question)
			continue
		}
		for _, o := range r.Question.Options {
			if !o.Skill.Proposes() || o.Text == "" {
				t.Errorf("%s: %+v", task, o)
			}
		}
	}
}

// What no draft does is refused by name, in four lines at most.
func TestWhatIsNotPreparedIsNamed(t *testing.T) { // rule R284
	for task, want := range map[string]string{
		"сделай заказ покупателя для ООО Восток": "Заказы покупателей",
		"create customer order for Alpha":        "Customer orders",
		"оформи возврат от покупателя":           "Возвраты", "создай счёт для альфы на 10000": "Счета",
		"выставь счет":  "Счета",
		"спиши 3 чашки": "Списания", "write off 3 cups": "Write-offs", "оприходуй 5 кепок": "оприходования",
		"оплати счет поставщику": "Платежи", "pay the supplier": "Payments", "проведи " +
			"инвентаризацию": "Инвентаризации",
		"запомни что у Иванова скидка 5%": "Условия покупателей", "удали товар кепка": "Удалять карточки",
		"create a new product Mug": "cannot create", "каждый понедельник присылай остатки": "расписанию",
		"напомни завтра заказать чай": "напоминать", "закажи ещё столько же": "Повторить",
		"дозакажи то же самое что в заказе 00012": "Повторить",
	} {
		r := proposed(task, nil, nil)
		if !r.Outside || !strings.Contains(r.Refusal, want) || strings.Count(r.Refusal, "\n") > 3 {
			t.Errorf("%s: %s %q", task, said(r), r.Refusal)
		}
	}
	for _, task := range []string{"покажи возвраты за месяц", "сколько отгрузок было вчера",
		"список заказов покупателей",
		"что заказать на две недели", "какие товары заказать", "order list", "когда последний раз закупали чай",
		"сколько перемещений было за октябрь", "товары с маржой ниже 20%", "верни как было"} {
		if r := proposed(task, nil, nil); r.Refusal != "" || r.Skill.Proposes() && r.Question == nil {
			t.Errorf("%s: %s %q", task, said(r), r.Refusal)
		}
	}
}
