package language_test

import (
	"strings"
	"testing"
)

// TestStockOfThePastAndOfSeveralWarehouses reads questions about stock at several warehouses, on past days and in
// ranges (rules R1072 to R1078).
func TestStockOfThePastAndOfSeveralWarehouses(t *testing.T) {
	const mainNotShowcase = "measures:[stock],by:[product],where:[{field:store,op:in,values:[Основной склад]},{field:stock," +
		"op:>,values:[0]},{field:stock,op:<=,values:[0],at:Витрина}]"
	readAlike(t, [][]string{
		{"R1072", mainNotShowcase, "какие товары есть на основном складе а на витрине ноль",
			"чего нет на витрине но есть на основном складе", "на витрине пусто, а на основном складе есть",
			"что лежит на основном складе а на витрине кончилось"},
		{"R1072", "values:[Витрина]},{field:stock,op:>,values:[0]},{field:stock,op:<=,values:[0],at:Основной склад}",
			"чего на витрине полно, а на основном складе ноль"},
		{"R1072", "{field:stock,op:>,values:[10]},{field:stock,op:<,values:[3],at:Витрина}",
			"на основном складе больше 10, а на витрине меньше 3"},
		{"R1073", "measures:[stock],by:[store]", "где больше тапочек, на витрине или на основном складе",
			"тапочек на витрине больше чем на основном складе?"},
		{"R1074", "stock {products:[Тапочки],at:2026-11-01}", "сколько было тапочек на складе 1 ноября"},
		{"R1074", "measures:[stock_at_end]", "сколько лежало тапочек месяц назад на витрине"},
		{"R1074", "measures:[stock_at_start,stock_at_end,stock_change]", "на сколько уменьшился остаток тапочек за месяц",
			"как изменились остатки за октябрь", "сравни остатки тапочек на 1 октября и 1 ноября"},
		{"R1074", "measures:[stock_at_start]", "сколько тапочек было на витрине в начале месяца"},
		{"R1076", "{field:stock,op:between,values:[1,2]}", "чего осталось 1-2 штуки", "что осталось по 1-2 штуки"},
		{"R1076", "{field:stock,op:between,values:[2,3]}", "чего осталось две-три штуки"},
		{"R1076", "{field:stock,op:<,values:[10]}", "чего меньше десятка"},
		{"R1077", "{field:days_of_cover,op:>,values:[90]}", "что можно не заказывать ещё месяца три"},
		{"R1078", "measures:[purchase_price],by:[month", "как менялась закупочная цена на тапочки в этом году"},
		{"R1078", "{field:difference,op:>,values:[0]}", "что набрано в резерв больше чем есть на складе"},
	})
}

// TestFiguresThatAreOnlyKnownNow: the question says why, names the words for the period, and offers what is known (rule
// R1075).
func TestFiguresThatAreOnlyKnownNow(t *testing.T) {
	for task, want := range map[string][2]string{
		"кто нам должен за октябрь":      {"Долги известны только на сегодня", "октябрь"},
		"цены на тапочки за октябрь":     {"Цены известны только на сегодня", "октябрь"},
		"залежалый товар за октябрь":     {"Сколько товар лежит, известно только на сегодня", "октябрь"},
		"долги поставщикам за октябрь":   {"Долги известны только на сегодня", "октябрь"},
		"сколько в резерве на 1 ноября":  {"«Резерв» — только на сегодня", "1 ноября"},
		"who owes us for october":        {"Debts are known only as of now", "october"},
		"сколько денег было на 1 ноября": {"Сколько денег было на прошлую дату", ""},
	} {
		r := readDemo(task)
		if r.Question == nil || !strings.HasPrefix(r.Question.Text, want[0]) ||
			!strings.Contains(r.Question.Text, want[1]) || len(r.Question.Options) == 0 {
			t.Errorf("%s: %+v, want %q", task, r.Question, want)
		}
	}
	if r := readDemo("кто должен больше 10000 за октябрь"); r.Question == nil || len(r.Question.Options) != 1 {
		t.Errorf("an option leaves out the sum: %+v", r.Question)
	}
}
