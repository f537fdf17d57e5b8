package talk

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
)

// lastOf reads a conversation whose last turn is behind a table: it returns a call, "question …" or "refusal …".
func lastOf(said string, rows *refer.Rows) string {
	in := shop()
	turns := strings.Split(said, " | ")
	for i, turn := range turns {
		if i > 0 && (i == len(turns)-1 || AtPlace(turn, language.Input{Catalogue: in.Catalogue, Previous: in.Previous,
			Rows: rows})) {
			in.Rows = rows
		}
		r := Read(turn, in)
		if i == len(turns)-1 {
			return callOf(&r)
		}
		if complete(&r) {
			in.Previous = &r
		}
		in.Earlier = append(in.Earlier, turn)
	}
	return ""
}

func TestRule940_APlaceInARankingKeepsItsFigures(t *testing.T) {
	top := shown("counterparty", "a", "b", "c")
	top.Top = true
	goods := shown("product", "a", "b")
	goods.Top = true
	for _, c := range []struct {
		say  string
		rows *refer.Rows
		want string
	}{
		{"кто больше всех купил в октябре | а второй?", top,
			`{"field":"counterparty","op":"in","values":["b"]}],"from":"2026-10-01"`},
		{"кто больше всех купил в октябре | а кто на третьем месте", top, `"values":["c"]}],"from":"2026-10-01"`},
		{"кто должен больше всех | кто второй", top,
			`["owed_to_us"],"by":["counterparty"],"where":[{"field":"counterparty","op":"in","values":["b"]}]`},
		{"какой товар принёс больше всего прибыли | а второй", goods, `{"field":"product","op":"in","values":["b"]}`},
		{"продажи по клиентам за октябрь | кто на 2 месте", shown("counterparty", "a", "b"),
			`"values":["b"]}],"from":"2026-10-01"`},
		{"расходы за октябрь по статьям | самая большая | вторая", shown("expense_item", "a"),
			`{"field":"expense_item","op":"not_in","values":["a"]}`},
		{"кто больше всех купил в октябре | а второй? | третий", top,
			`"where":[{"field":"counterparty","op":"in","values":["c"]}]`},
		// "подробнее" opens a row
		{"кто больше всех купил в октябре | покажи второго подробнее", top, `counterparty {"counterparty":"b"}`},
	} {
		if got := lastOf(c.say, c.rows); !strings.Contains(got, c.want) {
			t.Errorf("%q is read as %s, want %s", c.say, got, c.want)
		}
	}
}

func TestFiguresGoOnAsTheyWereShown(t *testing.T) { // rules R941–R949
	for _, c := range []struct {
		say  string
		rows *refer.Rows
		want string
	}{
		// R941: the first of each
		{"выручка по группам за октябрь | топ 3 товара в каждой", nil, `"limit_each":3`},
		{"выручка по группам за октябрь | топ 3 товара", nil, `"limit":3`},
		// R942: the first rows, by where and by whom they were sold
		{"топ 2 товара по выручке за октябрь | по складам", shown("product", "a", "b"),
			`"by":["store"],"where":[{"field":"product","op":"in","values":["a","b"]}]`},
		{"топ 2 товара по выручке за октябрь | по группам", shown("product", "a", "b"), `"by":["group"],"from"`},
		{"продажи посуды и инструмента за октябрь по группам | всего", nil,
			`{"measures":["revenue"],"where":[{"field":"group","op":"in","values":["Посуда","Инструмент"]}]`},
		{"продажи посуды и инструмента за октябрь по группам | только с маржой выше 28 | всего", nil,
			`"values":["Посуда","Инструмент"]`},
		{"выручка на Лесной и Витрине за октябрь | всего", nil, `"values":["Склад на Лесной","Витрина"]`},
		{"выручка на Лесной за октябрь | а всего", nil, `{"measures":["revenue"],"from":"2026-10-01"`},
		// R943: why there is more, and why there
		{"выручка за октябрь | почему меньше", nil, `"compare":{"with":"previous"},"explain":true`},
		{"прибыль за октябрь по складам | почему на лесной мало", nil,
			`"values":["Склад на Лесной"]}],"from":"2026-10-01","to":"2026-10-31","compare":{"with":"previous"}`},
		// R944: "that week" is the one before the week that was shown
		{"выручка за эту неделю | а за ту", nil, `"from":"2026-11-09","to":"2026-11-15"`},
		{"выручка за октябрь | а за тот месяц", nil, `"from":"2026-09-01","to":"2026-09-30"`},
		// R945: pieces and days of what was shown
		{"возвраты за октябрь по товарам | больше 2 штук", nil,
			`{"field":"quantity_returned","op":">","values":["2"]}`},
		{"закупки за октябрь по товарам | больше 20 шт", nil, `{"field":"quantity_received","op":">","values":["20"]}`},
		{"остатки посуды по товарам | больше 20 шт", nil, `{"field":"stock","op":">","values":["20"]}`},
		{"какие товары не продаются | больше месяца", nil, `{"field":"days_since_sale","op":">","values":["30"]}`},
		// R946: whose share
		{"прибыль посуды за октябрь | какая доля", nil,
			`"by":["group"],"from":"2026-10-01","to":"2026-10-31","share":true,"highlight":["Посуда"]`},
		{"выручка по группам за октябрь | какая доля", nil,
			`"by":["group"],"from":"2026-10-01","to":"2026-10-31","share":true}`},
		{"выручка за октябрь по группам | сравни с сентябрем | в процентах", nil,
			`"compare":{"from":"2026-09-01","to":"2026-09-30"}}`},
		// R947: what is usual
		{"продажи за сегодня | меньше чем обычно?", nil, "question Что считать обычным"},
		{"продажи сегодня больше обычного?", nil, "question Что считать обычным"},
		{"что обычно берёт альфа", nil, "ООО «Альфа»"},
		// R948: money is no goods
		{"сколько денег на счетах | сколько уйдёт", nil, "question Будущих платежей"},
		{"расходы за октябрь | итого осталось", nil, "question Чего осталось"},
		{"остатки посуды | сколько уйдёт", nil, `forecast {"groups":["Посуда"]`},
		{"сколько продали тапочек за октябрь | а денег", nil, `{"measures":["revenue"]`},
		// R949: who is still meant
		{"продажи по сотрудникам за октябрь | у кого лучший средний чек", nil, `"by":["employee"],"from":"2026-10-01"`},
		{"продажи по сотрудникам за октябрь | какие клиенты больше купили", nil, `"by":["counterparty"]`},
		{"выручка альфы за октябрь | когда последний раз платили", nil, `"counterparties":["ООО «Альфа»"],"limit":1`},
		{"кто нам должен | самый большой долг | давно?", shown("counterparty", "a"),
			`"op":"in","values":["a"]}],"order":[{"field":"debt_age"`},
	} {
		if got := lastOf(c.say, c.rows); !strings.Contains(got, c.want) {
			t.Errorf("%q is read as %s, want %s", c.say, got, c.want)
		}
	}
}

func TestConditionsStayWithWhatWasShown(t *testing.T) { // rules R1000–R1003, and R943
	worst := shown("group", "a", "b")
	worst.Top = true
	for _, c := range []struct {
		say  string
		rows *refer.Rows
		want string
	}{
		// R1000: a condition on the first rows
		{"топ 3 клиента по прибыли за год | только у кого маржа ниже 30", shown("counterparty", "a", "b", "c"),
			`{"field":"counterparty","op":"in","values":["a","b","c"]}`},
		{"клиенты по прибыли за год | только у кого маржа ниже 30", shown("counterparty", "a", "b", "c"),
			`"where":[{"field":"margin","op":"<","values":["30"]}],"from"`},
		// R1001: what we owe to whom we paid
		{"сколько заплатили востоку за год | а должны еще", nil, `"owed_by_us"`},
		{"закупки у востока за год | сколько должны", nil, `["owed_by_us"]`},
		{"закупки у востока за год | сколько они нам должны", nil, `["owed_to_us"]`},
		{"выручка альфы за год | а долг?", nil, `"owed_to_us"`},
		{"сколько заплатили востоку за год | а должны еще | последний платеж", nil,
			`{"kinds":["paymentout","cashout"],"from":"2025-11-23","to":"2026-11-22","counterparties":["ООО «Восток»"]`},
		{"выручка альфы за год | последняя отгрузка", nil, `"counterparties":["ООО «Альфа»"],"limit":1`},
		// R1002: a figure of a whole table
		{"что продали вчера | а прибыль с этого", shown("product", "a", "b"),
			`{"measures":["profit"],"by":["product"],"from":"2026-11-21","to":"2026-11-21"}`},
		{"что продали вчера | остаток этих", shown("product", "a", "b"), `stock {"products":["a","b"]}`},
		// R943
		{"выручка за октябрь и сентябрь по месяцам | почему вырос", nil,
			`"from":"2026-10-01","to":"2026-10-31","compare":{"from":"2026-09-01","to":"2026-09-30"},"explain":true`},
		{"прибыль по группам за октябрь | где хуже всего | почему там", worst, `"op":"in","values":["a"]}]`},
		// R1004: losses, and "this month" after a day
		{"продажи за октябрь по группам | а убыток есть", nil,
			`"by":["group"],"where":[{"field":"profit","op":"<","values":["0"]}],"from":"2026-10-01"`},
		{"прибыль за октябрь | убыточные", nil, `"op":"<","values":["0"]}],"from":"2026-10-01"`},
		{"выручка вчера | а сколько в среднем за день в этом месяце", nil,
			`{"measures":["revenue_per_day"],"from":"2026-11-01","to":"2026-11-22"}`},
		{"выручка за октябрь | прибыль в этом же месяце", nil, `"from":"2026-10-01","to":"2026-10-31"`},
	} {
		if got := lastOf(c.say, c.rows); !strings.Contains(got, c.want) {
			t.Errorf("%q is read as %s, want %s", c.say, got, c.want)
		}
	}
	// R1003: an item of expenses that is left out
	if got := lastOf("расходы за октябрь | без закупки товаров", nil); strings.Contains(got, "purchase_price") {
		t.Errorf("the item is read as %s", got)
	}
}
