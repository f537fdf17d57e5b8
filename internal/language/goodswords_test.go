package language_test

import "testing"

// TestQuestionsAboutGoodsKeepTheirConditions reads questions about prices, stock and movements of goods (rules R1120 to
// R1126).
func TestQuestionsAboutGoodsKeepTheirConditions(t *testing.T) {
	readAlike(t, [][]string{
		{"R1120", "{field:sale_price,op:>=,values:[5000]}", "товары от 5 тысяч за штуку", "товары от 5000 за единицу",
			"товары на складе, от 5000 за шт", "дорогие остатки от 5000"},
		{"R1120", "{field:sale_price,op:>,values:[2000]}", "items in stock over 2000 each",
			"anything over 2000 apiece in stock", "items in stock over 2000 per piece"},
		{"R1120", "{field:sale_price,op:<=,values:[300]}", "что есть в наличии до 300 рублей",
			"что у нас есть до 300 рублей"},
		{"R1120", "{field:stock,op:>,values:[500]}", "товары с остатком больше 500"},
		{"R1122", "", "что списали за октябрь"},
		{"R1123", "measures:[pace]", "как быстро уходят тапочки", "насколько быстро расходятся тапочки",
			"how fast do тапочки sell", "how quickly does тапочки move"},
		{"R1124", "{field:sale_price,op:between,values:[200,400]}", "тапочки 200-400 рублей",
			"тапочки 200 – 400 руб есть?", "товары 200-400 руб"},
		{"R1125", "shortages {days:34}", "what do I need to reorder before christmas",
			"what should we restock before christmas"},
		{"R1125", "shortages {days:47}", "что закупить к рождеству", "что докупить до рождества"},
		{"R1126", "measures:[quantity_received,purchases]", "what came in yesterday", "what arrived this month",
			"what did we get in this week", "goods that came in last week", "has anything new arrived this week"},
		{"R1126", "measures:[quantity_received,purchases]", "что поступило на основной склад за октябрь"},
		{"R1129", "measures:[written_off]", "сколько мы потеряли на списаниях в октябре"},
		{"R1129", "measures:[stock_cost],by:[group]", "какую долю склада занимает посуда",
			"сколько процентов склада это посуда", "сколько процентов остатков составляет посуда"},
		{"R1129", "measures:[stock_cost],by:[store]", "который из складов самый пустой"},
		{"R1129", "stock_by_store {products:[Тапочки]", "где валяются тапочки", "где пылятся тапочки"},
		{"R1129", "{kinds:[inventory]", "когда последний раз делали инвентаризацию",
			"ревизию когда проводили последний раз"},
		{"R1129", "{field:sale_price,op:<,values:[300]}", "есть что-нибудь подешевле 300 рублей"},
		{"R1126", "measures:[open_orders,expected_on]", "what is arriving this week", "what's arriving next week"},
	})
}

// TestWhatNoQueryAnswersIsAskedAbout: the question says what cannot be shown, and offers the nearest (rules R1120 to
// R1123).
func TestWhatNoQueryAnswersIsAskedAbout(t *testing.T) {
	for task, want := range map[string]string{
		"тапочки до тысячи в наличии":                "Что показать?",
		"что списали по браку в октябре":             "Не понял «браку». Показать без этого?",
		"what was written off as damaged in October": "I do not understand “damaged”. Shall I leave it out?",
		"за сколько дней продаются тапочки": "За сколько дней товар продаётся, в учёте не посчитано. Показать, на " +
			"сколько дней хватит запаса при нынешних продажах?",
	} {
		r := readDemo(task)
		if r.Question == nil || r.Question.Text != want || len(r.Question.Options) == 0 {
			t.Errorf("%s: %+v, want %q", task, r.Question, want)
		}
	}
}

// TestTheMeaningOfAFigureIsSaidAndNotItsValue: what a figure means is said, and the figure is not shown (rule R1128).
func TestTheMeaningOfAFigureIsSaidAndNotItsValue(t *testing.T) {
	for task, want := range map[string]string{
		"что такое маржа": "«Маржа» — прибыль ÷ выручка с известной себестоимостью.",
		"чем отличается остаток от доступно": "«Остаток» — физический остаток.\n«Доступно» — остаток минус резерв плюс " +
			"ожидание.",
		"почему доступно меньше чем на складе": "«Доступно» — остаток минус резерв плюс ожидание.\n«Остаток» — физический " +
			"остаток.",
		"what does free stock mean": "“Free” is stock minus reserve.",
	} {
		if r := readDemo(task); r.Refusal != want || !r.Outside {
			t.Errorf("%s: %q, want %q", task, r.Refusal, want)
		}
	}
	for _, task := range []string{"разница между октябрём и сентябрём по прибыли", "почему упала маржа",
		"what is our margin", "как считаешь, хватит тапочек на месяц?"} {
		if r := readDemo(task); r.Refusal != "" {
			t.Errorf("%s: %q", task, r.Refusal)
		}
	}
}
