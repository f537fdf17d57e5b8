package talk

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/language/refer"
)

// shown are the rows of a table with the names that stand for their IDs, too.
func shown(dimension string, names ...string) *refer.Rows {
	return &refer.Rows{Result: "res_1", Dimension: dimension, IDs: names, Names: names}
}

// TestFollowUpsAreOfWhatWasShown reads the last turn of each conversation; rows are those of the table before it.
func TestFollowUpsAreOfWhatWasShown(t *testing.T) { // rules R651–R655
	for _, c := range []struct {
		say  string
		rows *refer.Rows
		want string
	}{
		// R651: the last document of a sum
		{"приемки от Сидорова | что было в последней", nil,
			`documents {"kinds":["supply"],"counterparties":["ИП Сидоров"],"limit":1}`},
		{"open customer orders | only from Бета | whats in them", nil,
			`"counterparties":["ООО «Бета»"],"unshipped":true}`},
		// both of two names
		{"выручка Альфы за октябрь | а Беты | кто из них больше должен", nil,
			`"where":[{"field":"counterparty","op":"in","values":["ООО «Альфа»","ООО «Бета»"]}]`},
		{"продажи кружек на Мира за октябрь | а на Витрине | вместе", nil,
			`"values":["Магазин на Мира","Витрина"]`},
		// R652: a number that cannot be of the measure
		{"товары с маржой ниже 20% за октябрь | больше 10 тысяч", nil,
			`{"field":"revenue","op":">","values":["10000"]}`},
		{"просроченные долги | только больше 10 тысяч", nil, `{"field":"owed_to_us","op":">","values":["10000"]}`},
		// R653: the first rows
		{"топ 3 поставщика по закупкам за октябрь | по месяцам", shown("supplier", "a", "b", "c"),
			`"by":["month"],"where":[{"field":"supplier","op":"in","values":["a","b","c"]}]`},
		{"топ 2 товара по прибыли за октябрь | самый дешёвый", shown("product", "a", "b"),
			`{"field":"product","op":"in","values":["a","b"]}]`},
		{"остатки посуды на Лесной | самый дешёвый", shown("product", "a", "b"),
			`"sale_price"],"by":["product"],"where":[{"field":"product","op":"in","values":["a","b"]}]`},
		{"топ 2 товара по прибыли за октябрь | почему так", shown("product", "a", "b"),
			`["a","b"]}],"from":"2026-10-01","to":"2026-10-31","compare":{"with":"previous"},"explain":true}`},
		// R654: within the rows
		{"маржа по поставщикам | ниже 20% | какие у них товары", shown("supplier", "a"),
			`"by":["product"],"where":[{"field":"supplier","op":"in","values":["a"]}]}`},
		// R655: what no query can be limited to is asked about
		{"платежи больше 5000 за октябрь | кому платили", nil, "question"},
		{"платежи за ноябрь | больше 10 тысяч | от кого больше всего", nil, "refusal"},
		{"платежи за ноябрь | только входящие | больше 10 тысяч", nil, "refusal"},
		{"платежи за ноябрь | только входящие", nil, `documents {"kinds":["paymentin","cashin"]`},
		// R656: types of prices
		{"прайс на посуду | оптовая цена", nil, `"id/Оптовая цена"`},
		{"прайс на посуду | а оптом", nil, `{"field":"group","op":"in","values":["Посуда"]},{"field":"price_type"`},
		// what was compared stays
		{"выручка по складам за ноябрь | сравни с ноябрем прошлого года | где рост", nil,
			`"compare":{"from":"2025-11-01","to":"2025-11-30"}`},
		{"какие заказы не отгружены | просроченные | по клиентам", nil, `"unshipped":true,"overdue":true,"by":"counterparty"`},
		// R657: debts have ages and no due dates
		{"кто нам должен | просроченные", nil, "question У долгов нет срока оплаты"},
		{"кому мы должны | а что просрочено", nil, "question У долгов нет срока оплаты"},
		// orders, sums and places
		{"что списали за год | топ 3 по сумме", nil,
			`"order":[{"field":"written_off","direction":"desc"}],"limit":3`},
		{"выручка по группам за октябрь | топ 3 по прибыли", nil, `"by":["group"]`},
		{"маржа по группам за сентябрь | сравни с августом | где упало", nil, `"by":["group"]`},
		{"remaining stock of Посуда | order by price", nil, `"order":[{"field":"sale_price"`},
		{"остаток тапочек | где их больше", shown("product", "a"), `"by":["store"]`},
		{"остаток соли | сколько дозаказать", nil, `shortages {"products":["Соль экстра 500 г"]}`},
		{"что заканчивается на Лесной | сколько дозаказать", nil, `shortages {"stores":["Склад на Лесной"]}`},
		{"остатки посуды | дешевле 100 | сколько всего штук", nil, `"measures":["stock","sale_price"]`},
		{"abc по выручке за октябрь | by quantity", nil, `"by":"quantity"`},
	} {
		in := shop()
		turns := strings.Split(c.say, " | ")
		for i, said := range turns {
			if i == len(turns)-1 {
				in.Rows = c.rows
			}
			r := Read(said, in)
			if complete(&r) {
				in.Previous = &r
			}
			if in.Earlier = append(in.Earlier, said); i == len(turns)-1 && !strings.Contains(callOf(&r), c.want) {
				t.Errorf("%s: %s, want %s", c.say, callOf(&r), c.want)
			}
		}
	}
}
