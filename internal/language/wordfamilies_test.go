package language_test

import "testing"

// TestWordsOfOneFamilyMeanTheSame reads questions whose words stand in any order or are rarer ones of their family
// (rules R1080 to R1094).
func TestWordsOfOneFamilyMeanTheSame(t *testing.T) {
	readAlike(t, [][]string{
		{"R1080", "owed_by_us", "кому не заплатили", "с кем мы не рассчитались", "сколько недоплатили Чайному дому",
			"сколько висит за нами у Чайного дома", "чайный дом, сколько мы им торчим", "перед кем у нас долги",
			"сколько ещё платить Чайному дому", "сколько осталось отдать Чайному дому",
			"какой долг у нас перед Чайным домом"},
		{"R1080", "owed_to_us", "сколько отгрузили в долг Альфе", "долги по Альфе", "сколько висит на альфе",
			"кому напомнить про долг", "кто не рассчитался с нами", "кто нам не заплатил", "сколько задолжала Альфа",
			"сколько Альфа осталась должна", "кто брал в долг и не отдал"},
		{"R1080", "owed_by_us", "what do we still have to pay Чайный дом", "how much is left to pay Чайный дом"},
		{"R1080", "owed_to_us", "who do we need to chase for money"},
		{"R1087", "where:[{field:stock,op:<=,values:[0]}]", "what have we run out of", "which products ran out"},
		{"R1087", "measures:[orders],from", "order count for last week"},
		{"R1081", "[last_sale,last_purchase]", "когда тапочки брали в последний раз",
			"когда последний раз покупали тапочки"},
		{"R1081", "[last_sale]", "тапочки последний раз когда проданы", "давно ли продавали тапочки"},
		{"R1082", "measures:[money_out],by:[expense_item]", "из чего сложились расходы октября"},
		{"R1083", "measures:[purchases],by:[supplier]", "где берём тапочки"},
		{"R1084", "documents {kinds:[purchaseorder],not_received:true}", "какие поставки ещё не пришли"},
		{"R1084", "documents {kinds:[customerorder],unpaid:true}", "по каким заказам нет оплаты"},
		{"R1093", "{field:purchase_price,op:>,values:[1000]}", "какие товары закупали дороже 1000 в этом месяце"},
		{"R1094", "counterparty {counterparty:ООО «Чайный дом»}", "найди чайный дом", "поищи Чайный дом"},
		{"R1094", "find_products", "найди тапочки"},
		{"R1095", "measures:[revenue]", "сколько у нас купили за осень", "кто у нас закупался в октябре",
			"сколько у нас взяли тапочек в октябре", "what did customers buy from us in October"},
		{"R1095", "measures:[purchases", "сколько мы купили за осень", "сколько у нас закупок за осень"},
		{"R1086", "[ИП Иванов]", "сколько мы продали ИП Иванову в октябре", "что должны ИП Иванову"},
		{"R1086", "[ИП Иванова]", "долг ИП Ивановой"},
	})
}
