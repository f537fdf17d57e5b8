package language_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

func TestRule831_PeriodsUpToADay(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"продажи по 15-е ноября", "sales_trend {from:2026-11-01,to:2026-11-15}", ""},
		{"прибыль с начала месяца по 15-е", "from:2026-11-01,to:2026-11-15", ""},
		{"revenue yesterday vs day before", "sales_trend {from:2026-11-21,to:2026-11-21,compare:true}", ""},
		{"продажи в выходные за октябрь", "values:[6,7]}],from:2026-10-01,to:2026-10-31", ""},
	})
}

func TestRule832_ServicesAreLeftOut(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"прибыль за октябрь, услуги не считай", "{field:kind,op:not_in,values:[service]}", ""},
		{"profit for october, don't count services", "{field:kind,op:not_in,values:[service]}", ""},
		{"выручка за октябрь, доставку не считай", "{field:product,op:not_in,values:[Доставка по городу]}", ""},
		{"прибыль без доставки по городу за ноябрь", "{field:product,op:not_in,values:[Доставка по городу]}", ""},
		{"сделали выручку за неделю, сборку мебели и доставку не считай",
			"op:not_in,values:[Сборка мебели,Доставка по городу]", ""},
		{"сколько доставок продали в октябре", "{measures:[quantity],where:[{field:product,op:in", ""},
	})
}

func TestRule833_MoneyAheadIsRefused(t *testing.T) {
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	for _, task := range []string{"какая будет прибыль в декабре", "сколько заработаем в декабре",
		"какая выручка ожидается на следующей неделе", "how much will we make in december",
		"what will revenue be in january"} {
		r := language.Read(task, language.Input{Now: now, Known: []*names.Index{names.New(demoNames(now))},
			Catalogue: measures.Catalogue})
		if !r.Outside || r.Refusal == "" {
			t.Errorf("%s: %s", task, reading(r))
		}
	}
}

func TestRule834_ANameInAPeriod(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"посуда за октябрь", "{measures:[revenue,profit],where:[{field:group,op:in,values:[Посуда]}],from:2026-10-01", ""},
		{"чай за ноябрь", "{measures:[revenue,quantity],by:[product]", ""},
		{"магазин на мира вчера", "{measures:[revenue,profit],where:[{field:store,op:in", ""},
		{"что по посуде за октябрь", "{measures:[revenue,profit],where:[{field:group", ""},
		{"доля посуды", "by:[group],share:true,highlight:[Посуда]", ""},
	})
}

func TestRule835_OnlyWhatWasDiscounted(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какие товары продали со скидкой", "by:[product],where:[{field:discount,op:>,values:[0]}]", ""},
		{"чеки со скидкой за ноябрь", "by:[document],where:[{field:discount,op:>,values:[0]}]", ""},
		{"скидки за ноябрь", "{measures:[discount],from:2026-11-01", ""},
	})
}

func TestRule836_RowsThatGrewOrFell(t *testing.T) {
	const fell = "{measures:[revenue],by:[counterparty],where:[{field:revenue,op:<,values:[0],of:change}]"
	readPlain(t, []plainQuestion{
		{"кто стал покупать меньше", fell, ""},
		{"какие клиенты стали реже покупать", fell, ""},
		{"какие группы выросли за месяц", "where:[{field:revenue,op:>,values:[0],of:change}]", ""},
		{"на сколько процентов выросла выручка к октябрю",
			"from:2026-11-01,to:2026-11-22,compare:{from:2026-10-01,to:2026-10-31}", ""},
	})
}

func TestMoneyIsAskedForAsMerchantsDo(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"расходы по категориям", "{measures:[money_out],by:[expense_item]}", ""},
		{"во сколько нам обошёлся проданный товар в октябре", "{measures:[cost],from:2026-10-01", ""},
		{"почём в среднем чек", "{measures:[average_receipt]}", ""},
		{"сколько штук продаём в день", "{measures:[pace]}", ""},
		{"кто купил носки", "{measures:[revenue],by:[counterparty],where:[{field:product", ""},
		{"кому продали носки в октябре", "{measures:[revenue],by:[counterparty],where:[{field:product", ""},
		{"доля розницы в выручке", "by:[counterparty],share:true,highlight:[Розничный покупатель]", ""},
		{"сколько выбили сегодня", "{measures:[revenue],from:2026-11-22", ""},
		{"which customers spend less than last month", "where:[{field:revenue,op:<,values:[0],of:change}]", ""},
		{"сколько штук в чеке", "{measures:[lines_per_receipt]}", ""},
		{"сколько товаров в день продаём", "{measures:[pace]}", ""},
		{"самый кассовый день недели", "by:[weekday],order:[{field:revenue,direction:desc}]", ""},
		{"в какие часы пусто", "{measures:[receipts],by:[hour],order:[{field:receipts,direction:asc}]}", ""},
		{"сколько отдали поставщикам за октябрь", "{measures:[money_out],by:[counterparty],where:[{field:expense_item,op:contains,values:[закуп]}],from:2026-10-01", ""},
		{"unpaid bills to suppliers", "documents {kinds:[invoicein],unpaid:true}", ""},
		{"будни против выходных", "{measures:[revenue],by:[weekday]}", ""},
	})
}

func TestRule837_NoRunningTotal(t *testing.T) {
	r := language.Read("выручка нарастающим итогом с начала года", language.Input{
		Now: time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC), Catalogue: measures.Catalogue})
	if r.Question == nil || len(r.Question.Options) != 1 {
		t.Errorf("got %s", reading(r))
	}
}
