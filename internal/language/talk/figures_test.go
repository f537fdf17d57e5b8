package talk

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

// TestFollowUpsOfFigures reads the last turn behind a table (rules R1163 to R1171).
func TestFollowUpsOfFigures(t *testing.T) {
	five := shown("counterparty", "a", "b", "c", "d", "e")
	goods := shown("product", "a", "b")
	for _, c := range []struct {
		say  string
		rows *refer.Rows
		want string
	}{
		// rule R1163: the rest are the rows behind the first
		{"топ 5 покупателей за октябрь | остальные", five,
			`"op":"not_in","values":["a","b","c","d","e"]}],"from":"2026-10-01"`},
		{"top 5 customers in October | the rest", five, `"op":"not_in","values":["a","b","c","d","e"]`},
		// rule R1164: what a debt is for are the unpaid documents
		{"кто нам должен | за что должны", nil, `{"kinds":["demand"],"unpaid":true}`},
		{"кому мы должны | за какие поставки", nil, `{"kinds":["supply"],"unpaid":true}`},
		{"кому мы должны | по каким счетам", nil, `{"kinds":["invoicein"],"unpaid":true}`},
		{"долг Альфы | за что", nil, `"counterparties":["ООО «Альфа»"],"unpaid":true`},
		{"кто нам должен | только больше 10 тысяч | какими документами", five,
			`"counterparties":["a","b","c","d","e"]`},
		// rule R1165: suppliers in the place of customers
		{"топ 5 покупателей за октябрь | а поставщиков", five,
			`"measures":["purchases"],"by":["supplier"],"from":"2026-10-01"`},
		{"закупки по поставщикам за октябрь | а покупатели", nil,
			`"measures":["revenue"],"by":["counterparty"],"from":"2026-10-01"`},
		{"сколько у нас поставщиков | а клиентов", nil, `reference`},
		// rule R1166: how much more is the difference of both periods
		{"выручка за октябрь | а за сентябрь | на сколько больше", nil, october + `","compare":{"from":"2026-09-01"`},
		{"revenue for October | and September | how much more is it", nil, october + `","compare":{"from":"2026-09-01"`},
		// rule R1167: the average of orders is their sum over their number
		{"средний заказ по клиентам за октябрь", nil, `"formula":"orders_sum / orders"`},
		{"заказы за неделю | средняя сумма", nil,
			`"from":"2026-11-16","to":"2026-11-22","define":[{"name":"average_document"`},
		{"заказы за неделю | средний заказ", nil,
			`"from":"2026-11-16","to":"2026-11-22","define":[{"name":"average_document"`},
		// rule R1168: shares are of what the rows are ordered by
		{"прибыль за октябрь | доля каждого", goods, `"measures":["profit",`},
		// rule R1169: one sum over another
		{"кто нам должен | сколько это процентов от выручки за октябрь", nil,
			`"from":"2026-10-01","to":"2026-10-31","define":[{"name":"part","formula":"owed_to_us / revenue"`},
		{"расходы за октябрь | сколько это процентов от выручки", nil, `"formula":"money_out / revenue"`},
		{"выручка за октябрь | сколько процентов прибыль", nil,
			`"measures":["profit","revenue","margin"],"from":"2026-10-01"`},
		// rule R1170: an average over the period that was shown
		{"сколько кружек продали за октябрь | в среднем за неделю", goods, `"formula":"quantity / 31 * 7"`},
		{"выручка за октябрь | в среднем за неделю", nil, `"formula":"revenue / 31 * 7"`},
		{"выручка за третий квартал | а в среднем в месяц", nil, `"formula":"revenue / 3"`},
		{"sales by group for October | how much is that per day", nil,
			`"measures":["revenue_per_day"],"by":["group"]`},
		{"сколько продали кружек за октябрь | а прибыль с них", goods, `profit`},
		// rule R1171: expenses stand beside the profit
		{"прибыль за октябрь | с расходами", nil, `["revenue","cost","profit","money_out"],"from":"2026-10-01"`},
		// rule R1172: of the rows that were shown
		{"выручка по магазинам за октябрь | самый прибыльный из них", shown("store", "a", "b"),
			`"by":["store"],"where":[{"field":"store","op":"in","values":["a","b"]}],"from":"2026-10-01"`},
		{"выручка по магазинам за октябрь | что лучше всего продается в лучшем", shown("store", "a", "b"),
			`"by":["product"],"where":[{"field":"store","op":"in","values":["a"]}],"from":"2026-10-01"`},
		{"продажи по сотрудникам за октябрь | что продал лучший", shown("employee", "a", "b"),
			`"by":["product"],"where":[{"field":"employee","op":"in","values":["a"]}],"from":"2026-10-01"`},
		// rule R1173: enough of what was shown
		{"топ 2 товаров по продажам за октябрь | хватит ли на две недели", goods,
			`{"products":["a","b"],"mode":"running_out"`},
		{"сколько денег на счетах | хватит ли на зарплату", nil, `question`},
		{"заказы за неделю | хватит ли товара", nil, `question Сравнить остатки с заказами`},
		// rule R1174: no advice
		{"топ 2 товаров по продажам за октябрь | что с ними делать", goods, `refusal Решать вам`},
		// rule R1175: what only a partner does
		{"what did Альфа buy in October | how much did they pay", goods,
			`ООО «Альфа»"]}],"from":"2026-10-01"`},
		{"what did Альфа buy in October | what do they owe", goods,
			`ООО «Альфа»"],"direction":"owed_to_us"}`},
		{"сколько продали Альфе за год | телефон дай", nil, `counterparty {"counterparty":"ООО «Альфа»"}`},
		{"сколько продали Альфе за год | остальные", nil, `"op":"not_in","values":["ООО «Альфа»"]`},
		// rule R1176: the same period of the last year
		{"выручка по магазинам за октябрь | за прошлый год за этот же месяц", nil,
			`"from":"2025-10-01","to":"2025-10-31"`},
		{"динамика продаж по месяцам | сравни с прошлым годом", nil, `"compare":{"with":"last_year"}`},
		// what documents were about, and money without a period of its own
		{"отгрузки за неделю | что отгрузили", nil, `"measures":["quantity","sales"],"by":["product"]`},
		{"сколько пришло денег за неделю | за что платили", nil,
			`"money_out"],"by":["expense_item"],"from":"2026-11-16"`},
		{"что заканчивается на витрине | что из этого есть на основном", goods,
			`{"stores":["Основной склад"],"products":["a","b"]`},
		// rule R1177: what is sold in the places that were shown
		{"топ 3 магазина по прибыли за октябрь | что там продают", shown("store", "a", "b", "c"),
			`"by":["product"],"where":[{"field":"store","op":"in","values":["a","b","c"]}],"from":"2026-10-01"`},
		{"выручка на Мира за октябрь | что там лучше всего продается", nil, `Мира"]}],"from":"2026-10-01"`},
		// rule R1178: the goods that were named
		{"остаток кружек | когда придут", goods, `"measures":["in_transit","expected_on"],"by":["product"],"where":[`},
		{"остаток кружек | сколько продается в неделю", goods, `"formula":"quantity / 30 * 7"`},
		{"сколько чеков вчера | самый большой чек", nil, `"measures":["sales"],"by":["document","counterparty"]`},
		{"заказы за неделю | а за прошлую | на сколько больше", nil,
			`"from":"2026-11-16","to":"2026-11-22","compare":{"from":"2026-11-09","to":"2026-11-15"}`},
		// "кому" after employees asks for customers
		{"продажи по сотрудникам за октябрь | кому продавали", nil, `"by":"counterparty"`},
		{"что заканчивается на витрине | на какую сумму надо", nil, `{"stores":["Витрина"]}`},
		{"что заканчивается на витрине | сколько всего позиций", goods, `{"stores":["Витрина"]}`},
	} {
		if got := lastOf(c.say, c.rows); !strings.Contains(got, c.want) {
			t.Errorf("%q is read as %s, want %s", c.say, got, c.want)
		}
	}
}
