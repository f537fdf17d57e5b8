package language

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

var priceTypes = []connector.Name{
	{Kind: connector.NamePriceType, ID: "t1", Name: "Цена продажи"},
	{Kind: connector.NamePriceType, ID: "t2", Name: "Оптовая цена"},
	{Kind: connector.NamePriceType, ID: "t3", Name: "Маркетплейс"},
}

func TestArgumentsOfDrafts(t *testing.T) {
	names := append(slices.Clone(shop), priceTypes...)
	for task, want := range map[string]string{
		"Подготовь заказы поставщикам на всё, что ниже минимума":               `supplier_orders {"mode":"below_minimum"}`,
		"order everything below minimum for Склад Центр":                       `supplier_orders {"mode":"below_minimum","stores":["Склад Центр"]}`,
		"закажи посуду у ООО «Восток» на три недели":                           `supplier_orders {"days":21,"groups":["Посуда"],"suppliers":["ООО «Восток»"]}`,
		"закажи 50 штук «Чайник стальной» на Основной склад":                   `supplier_orders {"items":[{"product":"Чайник стальной","quantity":"50"}],"store":"Основной склад"}`,
		"надо заказать 5 «Чайник стальной» и 7 стеклянных чайников к 1 ноября": `supplier_orders {"delivery":"2026-11-01","items":[{"product":"Чайник стальной","quantity":"5"},{"product":"Чайник стеклянный","quantity":"7"}]}`,
		"купи 10 стальных чайников по 1500 руб.":                               `supplier_orders {"items":[{"price":"1500","product":"Чайник стальной","quantity":"10"}]}`,
		"перемести излишки туда, где дефицит":                                  `transfers {}`,
		"перекинь с Основного склада на склад Центр чего там не хватает":       `transfers {"from_stores":["Основной склад"],"stores":["Склад Центр"]}`,
		"привези посуду со склада Центр в магазин на Лесной":                   `? Сколько переместить? Напишите количество, или выберите.`,
		"send surplus from Основной склад to Магазин на Лесной":                `transfers {"from_stores":["Основной склад"],"stores":["Магазин на Лесной"]}`,
		"подними розничные цены на 7 %":                                        `? На какие товары? Назовите товары, группу, поставщика или условие. Или на все?`,
		"raise all prices by 5%": `price_change {"everything":true,"percent":"5"}`,
		"снизь цены на группу Посуда на пять процентов": `price_change {"groups":["Посуда"],"percent":"-5"}`,
		"повысь оптовые цены на 3%":                     `price_change {"everything":true,"percent":"3","price_type":"Оптовая цена"}`,
		"подними цены маркетплейса на 2 %":              `price_change {"everything":true,"percent":"2","price_type":"Маркетплейс"}`,
		"снизь закупочные цены на 4,5 %":                `price_change {"everything":true,"percent":"-4.5","price_type":"закупочная"}`,
		"поставь наценку 40 % от закупочной на посуду":  `price_change {"groups":["Посуда"],"markup":"40"}`,
		"set a 30% margin for Посуда":                   `price_change {"groups":["Посуда"],"margin":"30"}`,
		"скидка 20 % на «Чайник стальной»":              `price_change {"percent":"-20","products":["Чайник стальной"]}`,
		"20% off Посуда": `price_change {"groups":["Посуда"],"percent":"-20"}`,
		"поставь цену 990 на «Чайник стальной»":           `price_change {"items":[{"price":"990","product":"Чайник стальной"}]}`,
		"подними цены на 6 %, округли до 10 рублей вверх": `? На какие товары? Назовите товары, группу, поставщика или условие. Или на все?`,
		"подними цены на 6 %, чтобы кончались на 9":       `? На какие товары? Назовите товары, группу, поставщика или условие. Или на все?`,
	} {
		r := Read(task, Input{Now: wednesday, Names: names, Catalogue: measures.Catalogue})
		if got := said(r); got != want || len(r.Unknown) > 0 {
			t.Errorf("%q: %s, unknown %v; want %s", task, got, r.Unknown, want)
		}
	}
}

// "Выведи" differs from "вывези" in one letter: a verb that shows is corrected to no order.
func TestAVerbThatShowsIsNoOrder(t *testing.T) { // rule R779
	names := append(slices.Clone(shop), priceTypes...)
	for _, task := range []string{"выведи остатки", "выведите продажи за вчера", "вывести долги",
		"подведи итоги за вчера", "подсчитай прибыль за октябрь"} {
		r := Read(task, Input{Now: wednesday, Names: names, Catalogue: measures.Catalogue})
		if r.Skill.Proposes() {
			t.Errorf("%q: %s", task, said(r))
		}
	}
}

func TestAPriceTypeIsNotReadAsACounterparty(t *testing.T) {
	names := append(slices.Clone(shop), connector.Name{Kind: connector.NameSupplier, ID: "c9",
		Name: "Розничный покупатель"})
	r := Read("подними розничные цены на 7 % на «Чайник стальной»",
		Input{Now: wednesday, Names: append(names, priceTypes...), Catalogue: measures.Catalogue})
	if got := said(r); got != `price_change {"percent":"7","products":["Чайник стальной"]}` {
		t.Error(got)
	}
}

func TestSalesByWeek(t *testing.T) {
	for task, want := range map[string]string{
		"продажи по неделям": `{"interval":"week"}`, "weekly sales": `{"interval":"week"}`,
		"sales week over week": `{"interval":"week","compare":true}`,
	} {
		r := read(task)
		if got, _ := json.Marshal(r.Arguments); r.Skill != SalesTrend || string(got) != want {
			t.Errorf("%q: %s %s", task, r.Skill, got)
		}
	}
}
