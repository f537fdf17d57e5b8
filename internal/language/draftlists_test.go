package language

import (
	"strings"
	"testing"
)

// Lists, and what people say in place of the plain words, mean the same as those.
func TestDraftsAsTheyAreDictatedAndPasted(t *testing.T) { // rules R280 and R355
	for want, tasks := range map[string][]string{
		`supplier_orders {"items":[{"product":"Чайник стальной","quantity":"24"},` +
			`{"product":"Пирамидка яркая","quantity":"12"}]}`: {
			"Нужно заказать:\n1) Чайник стальной - 24 шт\n2) Пирамидка яркая - 12 шт",
			"1. Чайник стальной 24 шт\n2. Пирамидка яркая 12 шт\nзакажи",
			"закажи:\nчайник стальной\t24 шт\nпирамидка яркая\t12 шт",
			"закажи чайник стальной x 24, пирамидка яркая x 12",
			"закажи чайник стальной 24шт; пирамидка яркая 12шт", "order 24 чайник стальной and 12 пирамидка яркая"},
		`transfers {"from_stores":["Основной склад"],"stores":["Витрина"],` +
			`"items":[{"product":"Чайник стальной","quantity":"3"}]}`: {
			"надо на витрину с основного 3 чайника стальных", "нужно 3 чайника стальных с основного на витрину",
			"чайник стальной x 3 на витрину с основного перекинь"},
		`supplier_orders {"days":30,"suppliers":["ООО «Восток»"]}`: {"заказ востоку на месяц запаса",
			"закажи у востока на месяц торговли", "закажи у востока месячный запас"},
		`supplier_orders {"days":14}`: {"набросай закупку чтобы хватило на 14 дней", "запас на две недели закажи",
			"закажи чтобы нам хватило на две недели"},
		`price_change {"groups":["Посуда"],"round":{"to":"5","direction":"up"}}`: {
			"округли цены на посуду до пяти рублей в большую сторону"},
		`price_change {"groups":["Посуда"],"percent":"7"}`: {"накрути на посуду ещё 7 процентов",
			"put Посуда prices up seven percent"},
		`minimum_stock {"groups":["Посуда"],"minimum":"10"}`: {"минимум для посуды 10", "неснижаемый остаток по посуде 10"},
		`minimum_stock {"groups":["Посуда"],"lead_days":10,"safety_days":0}`: {
			"неснижаемый остаток по посуде на 10 дней продаж", "поставь минимальный остаток посуде чтоб хватало на 10 дней",
			"пересчитай минимумы по посуде, чтобы хватало на 10 дней"},
		`transfers {"from_stores":["Основной склад"]}`: {"раскидай излишки с основного по остальным складам",
			"распредели излишки с основного склада по складам"},
		`transfers {}`: {"сделай перемещение между складами", "transfer stock between warehouses"},
		`price_change {"everything":true,"round":{"to":"1"}}`: {"убери копейки из всех цен", "все цены без копеек"},
		`price_change {"groups":["Посуда"],"round":{"ending":"9"}}`: {
			"сделай цены красивыми, чтоб на 9 кончались, на посуду"},
		`price_change {"price_type":"закупочная","percent":"8","groups":["Посуда"]}`: {
			"цену закупки на посуду подними на 8%"},
		`price_change {"price_type":"Оптовая","percent":"6","groups":["Посуда"]}`: {
			"raise wholesale prices of Посуда by 6% and leave retail alone"},
		`minimum_stock {"groups":["Посуда"],"lead_days":12,"safety_days":4}`: {
			"пересчитай минимумы для посуды, поставка 12 дней, страховой запас 4"},
		`transfers {"from_stores":["Основной склад"],"stores":["Витрина"],"items":[` +
			`{"product":"Чайник стальной","quantity":"2"},{"product":"Пирамидка яркая","quantity":"3"}]}`: {
			"с основного на витрину: чайник стальной — 2, пирамидка яркая — 3"},
		`supplier_orders {"days":14,"except":{"suppliers":["ООО «Восток»"]}}`: {
			"заказ на две недели по всем поставщикам кроме востока"},
		`supplier_orders {"mode":"running_out"}`: {"reorder everything that is low"},
	} {
		kind, input, _ := strings.Cut(want, " ")
		for _, task := range tasks {
			if got := said(counted(task)); got != kind+" "+sorted(input) {
				t.Errorf("%s:\n got %s\nwant %s", task, got, want)
			}
		}
	}
}

// What may be two things leads to a question with both.
func TestRequestsThatMayBeTwoThings(t *testing.T) { // rules R280 and R355
	for task, options := range map[string]int{
		"надо 5 чайников стальных": 1, "нужно на основной 20 чайников стальных и 3 пирамидки яркие": 2,
		"перемести с основного на витрину чайник стальной чтобы стало 40": 1, "закажи ещё": 1,
		"order more from suppliers": 1, "move stock from Основной склад to Витрина": 2,
		"цены на посуду первые десять +5%":             3,
		"перенеси остатки с витрины на основной склад": 2, "поставь минимум 5 на посуду, чтобы хватало на две недели": 2,
		"закажи что ниже минимума что заканчивается": 3, "подними цены на посуду на 5 % по акции": 2,
	} {
		if r := counted(task); r.Question == nil || len(r.Question.Options) != options {
			t.Errorf("%s: %s, %+v", task, said(r), r.Question)
		}
	}
}

// A request for everything of a warehouse is for the whole stock.
func TestAllOfTheStockMoves(t *testing.T) { // rule R280
	for _, task := range []string{"перевези всю посуду с основного на витрину",
		"move all Посуда from Основной склад to Витрина",
		"перемести все чайники стальные с основного на витрину"} {
		if got := said(counted(task)); !strings.Contains(got, `"column":"stock"`) {
			t.Errorf("%s: %s", task, got)
		}
	}
}
