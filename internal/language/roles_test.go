package language_test

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

var demoDay = time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)

func TestRule1200_PaymentsToThoseWhomTheTaskNames(t *testing.T) {
	const suppliers = "{measures:[money_out],by:[counterparty],where:[{field:expense_item,op:contains,values:[закуп]}]"
	const each = "{measures:[money_out],by:[day,document,counterparty],where:[{field:expense_item,op:contains," +
		"values:[закуп]}]"
	readPlain(t, []plainQuestion{
		{"оплаты поставщикам", suppliers, ""},
		{"оплаты поставщикам за октябрь", suppliers + ",from:2026-10-01,to:2026-10-31", ""},
		{"payments to suppliers", suppliers, ""},
		{"сколько заплатили поставщикам по месяцам", "by:[month],where:[{field:expense_item", ""},
		{"самый большой платёж поставщику", each + ",order:[{field:money_out,direction:desc}],limit:1", ""},
		{"последняя оплата поставщику", "order:[{field:day,direction:desc}],limit:1", ""},
		{"выплаты сотрудникам", "values:[зарплат]", ""},
		{"платежи покупателям", "{measures:[money_out],by:[counterparty],where:[{field:expense_item,op:contains," +
			"values:[возврат]}]", ""},
		// these name no one who was paid
		{"платежи покупателей", "documents {kinds:[paymentin,cashin]}", ""},
		{"расходы по сотрудникам", "analyze {measures:[money_out],by:[employee]}", ""},
	})
}

func TestRule1201_FiguresOfTheDocumentThatIsNamed(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько отгрузок было вчера", "{measures:[receipts],where:[{field:document_type,op:in,values:[Отгрузка]}]", ""},
		{"средняя отгрузка", "{measures:[average_receipt],where:[{field:document_type", ""},
		{"кому отгружали вчера", "{measures:[revenue],by:[counterparty],where:[{field:document_type", ""},
		{"средний заказ за октябрь", "formula:orders_sum / orders", ""},
		{"средний заказ поставщику", "formula:ordered / purchase_orders", ""},
		{"средняя закупка за месяц", "formula:purchases / deliveries", ""},
		{"average purchase per supplier", "formula:purchases / deliveries", ""},
		{"средний чек за октябрь", "{measures:[average_receipt],from:2026-10-01", ""},
		{"сколько чеков вчера", "{measures:[receipts],from:2026-11-21", ""},
		{"average order value", "{measures:[average_receipt]}", ""},
	})
}

func TestRule1202_TheDearestDocument(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"самая дорогая закупка", "{measures:[purchases],by:[document],order:[{field:purchases,direction:desc}],limit:1}", ""},
		{"самый дорогой товар", "sale_price", ""},
	})
}

func TestRule1203_AnythingADay(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько закупок в день", "formula:purchases / 30", ""},
		{"сколько в среднем заказов в день в октябре", "formula:orders / 31", ""},
		{"расходы в день", "formula:money_out / 30", ""},
		{"сколько денег приходит в день", "formula:money_in / 30", ""},
		{"сколько чеков в день", "{measures:[receipts_per_day]}", ""},
	})
}

func TestRule1204_TheNumberOfDocuments(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"сколько перемещений за неделю", "documents {kinds:[move]", ""},
		{"сколько списаний за месяц", "documents {kinds:[loss]", ""},
		{"сколько оплат пришло вчера", "documents {kinds:[paymentin,cashin]", ""},
		{"сколько счетов выставили в октябре", "documents {kinds:[invoiceout]", ""},
		{"сколько списали за месяц", "{measures:[quantity_written_off]", ""},
	})
}

func TestRule1205_WhatHasNotBegun(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"кому завтра отгружаем", "documents {kinds:[customerorder],unshipped:true,due_from:2026-11-23", ""},
		{"кому сегодня отгружаем", "documents {kinds:[customerorder],unshipped:true,due_from:2026-11-22", ""},
	})
	known := names.New(demoNames(demoDay))
	for _, task := range []string{"прибыль завтра", "закупки на завтра", "продажи на следующей неделе"} {
		r := language.Read(task, language.Input{Now: demoDay, Known: []*names.Index{known}, Catalogue: measures.Catalogue})
		if r.Question == nil || len(r.Question.Options) != 2 || r.Question.Options[0].Skill != language.Documents {
			t.Errorf("%s: %+v", task, r.Question)
		}
	}
}
