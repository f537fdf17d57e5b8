package language_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/names"
)

// asksInstead is a task, how a question about it begins, and the first option.
type asksInstead struct{ task, begins, first string }

func readInstead(t *testing.T, list []asksInstead) {
	t.Helper()
	known := names.New(demoNames(demoDay))
	for _, q := range list {
		r := language.Read(q.task, language.Input{Now: demoDay, Known: []*names.Index{known},
			Catalogue: measures.Catalogue})
		if r.Question == nil || !strings.HasPrefix(r.Question.Text, q.begins) || len(r.Question.Options) == 0 ||
			!strings.HasPrefix(r.Question.Options[0].Text, q.first) {
			t.Errorf("%s: %+v", q.task, r.Question)
		}
	}
}

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
		{"зарплата сотрудников за октябрь", "{measures:[money_out],by:[counterparty],where:[{field:expense_item,op:in," +
			"values:[Зарплата]}]", ""},
		{"оплаты по поставщикам", suppliers, ""},
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
		{"самая дорогая закупка", "{measures:[purchases],by:[document],order:[{field:purchases,direction:desc}]," +
			"limit:1}", ""},
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
	readInstead(t, []asksInstead{
		{"прибыль завтра", "Этот период ещё не начался", "Заказы покупателей на 23.11"},
		{"закупки на завтра", "Этот период ещё не начался", "Заказы поставщикам на 23.11"},
		{"продажи на следующей неделе", "Этот период ещё не начался", "Заказы покупателей на 23.11 – 29.11"},
	})
}

func TestRule1206_TwoStatesOfAnOrder(t *testing.T) {
	const notShipped = "by:[document,counterparty],where:[{field:unshipped,op:>,values:[0]}," +
		"{field:unpaid,op:<=,values:[0]}"
	readPlain(t, []plainQuestion{
		{"оплатили но не отгрузили", notShipped, ""},
		{"оплаченные но не отгруженные заказы", notShipped, ""},
		{"paid but not shipped", notShipped, ""},
		{"заказы Альфы оплачены но не отгружены", notShipped + ",{field:counterparty", ""},
		{"частично оплаченные заказы", "where:[{field:unpaid,op:>,values:[0]},{field:paid,op:>,values:[0]}]", ""},
		{"отгружено частично", "where:[{field:unshipped,op:>,values:[0]},{field:shipped,op:>,values:[0]}]", ""},
		{"заказы с предоплатой", "where:[{field:unshipped,op:>,values:[0]},{field:paid,op:>,values:[0]}]", ""},
		// other states of one document
		{"отгрузили но не оплатили", "documents {kinds:[demand],unpaid:true}", ""},
		{"неоплаченные заказы", "documents {kinds:[customerorder],unpaid:true}", ""},
		{"неотгруженные и неоплаченные заказы", "unpaid:true,unshipped:true", ""},
	})
}

func TestRule1207_WhatIsToBePaid(t *testing.T) {
	readInstead(t, []asksInstead{
		{"что нужно оплатить на этой неделе", "Сроков оплаты в учёте не видно", "неоплаченные счета поставщиков"},
	})
	readPlain(t, []plainQuestion{{"кому надо заплатить", "receivables {direction:owed_by_us}", ""}})
}

func TestRule1208_WhatIsNotCountedIsSaid(t *testing.T) {
	readInstead(t, []asksInstead{
		{"доля каналов по месяцам", "Доли внутри каждого отрезка не считаю", "Выручка по каналам и месяцам"},
		{"доля складов в выручке по месяцам", "Доли внутри каждого отрезка не считаю", "Выручка по складам и месяцам"},
		{"самый прибыльный заказ", "Прибыль известна по товарам", "Прибыль по товарам"},
		{"сколько в среднем тратит покупатель в месяц", "Сколько в среднем тратит",
			"Выручка по контрагентам и месяцам"},
	})
	readPlain(t, []plainQuestion{
		{"сколько в среднем тратит покупатель", "{measures:[average_receipt]}", ""},
		{"доля каналов в выручке", "share:true", ""},
	})
}

func TestRule1209_HowManyCustomersThereAre(t *testing.T) {
	const customers = "by:[counterparty],where:[{field:purchases_count,op:>,values:[0]}]"
	readPlain(t, []plainQuestion{
		{"сколько у нас покупателей", customers, ""},
		{"сколько клиентов в базе", customers, ""},
		{"how many customers do we have", customers, ""},
		{"сколько покупателей было вчера", "{measures:[receipts]", ""},
		{"сколько у нас проектов", "reference {kind:projects}", ""},
		{"сколько у нас каналов продаж", "reference {kind:sales_channels}", ""},
	})
}

func TestRule1210_ReturnsToSuppliers(t *testing.T) {
	readPlain(t, []plainQuestion{
		{"какому поставщику больше всего возвращали", "documents {kinds:[purchasereturn],by:counterparty}", ""},
		{"возвраты по поставщикам", "{measures:[returns],by:[supplier]}", ""},
	})
}

func TestRule1211_WhatBecameWorse(t *testing.T) {
	const fell = "{measures:[revenue],by:[product],where:[{field:revenue,op:<,values:[0],of:change}]"
	readPlain(t, []plainQuestion{
		{"что стало продаваться хуже", fell, ""},
		{"какие товары стали хуже продаваться", fell, ""},
		{"что у нас хуже с маржой чем летом", "{measures:[margin],by:[product]", ""},
	})
	readInstead(t, []asksInstead{
		{"что подорожало", "Истории цен продажи в учёте нет", "Средняя цена закупки по товарам"},
		{"что стало дороже", "Истории цен продажи в учёте нет", "Средняя цена закупки по товарам"},
	})
}

func TestRule1212_ExpensesAreLoadedForTheirUsualWords(t *testing.T) {
	for _, task := range []string{"зарплата за октябрь", "аренда за октябрь", "rent this year"} {
		r := language.Read(task, language.Input{Now: demoDay, Catalogue: measures.Catalogue})
		if len(r.Unknown) != 1 || r.Unknown[0].Kinds[0] != connector.NameExpenseItem {
			t.Errorf("%s: %+v", task, r.Unknown)
		}
	}
}

func TestRule1280_SalesOfAChannelAreFigures(t *testing.T) { // retail sales have no channel, so no list answers
	readPlain(t, []plainQuestion{
		{"продажи с сайта за октябрь", "{measures:[revenue],where:[{field:sales_channel,op:in,values:[Сайт]}]", ""},
		{"продажи маркетплейса", "{measures:[revenue],where:[{field:sales_channel,op:in,values:[Маркетплейс]}]", ""},
		{"возвраты с сайта", "{measures:[returns],where:[{field:sales_channel,op:in,values:[Сайт]}]", ""},
	})
}
