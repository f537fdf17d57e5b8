package talk

import "testing"

func TestReservesAreOfOrders(t *testing.T) { // rule R955
	follows(t, nil, map[string]string{
		"резервы | кто зарезервировал":                  `analyze {"measures":["reserved"],"by":["counterparty"]`,
		"резервы | для кого это":                        `analyze {"measures":["reserved"],"by":["counterparty"]`,
		"резервы | под какие заказы":                    `analyze {"measures":["reserved"],"by":["document","counterparty"]`,
		"сколько кружек в резерве | кто зарезервировал": `documents {"kinds":["customerorder"],"products":[`,
	})
}

func TestARowIsOpenedByWhatIsInIt(t *testing.T) { // rule R956
	follows(t, shown("group", "a"), map[string]string{
		"остатки по группам | самая большая | что в ней": `"by":["product"],"where":[{"field":"group","op":"in","values":["a"]}]`,
	})
}

func TestWhatComesIsAskedAbout(t *testing.T) { // rule R957
	follows(t, nil, map[string]string{
		"товары в пути | когда будет":                               `{"measures":["expected_on"],"by":["product"]`,
		"товары в пути | от кого":                                   `{"measures":["open_orders","expected_on"],"by":["counterparty"]`,
		"товары в пути | а просроченные есть?":                      `documents {"kinds":["purchaseorder"],"overdue":true}`,
		"что едет | а просроченные":                                 `documents {"kinds":["purchaseorder"],"overdue":true}`,
		"сколько мы заказали у петровой | а получили":               `{"measures":["purchases"],"where":[{"field":"counterparty"`,
		"сколько мы заказали у петровой | чего не довезли":          `{"kinds":["purchaseorder"],"counterparties":["ИП Петрова"],"not_received":true}`,
		"отрицательные остатки | на каком складе":                   `"by":["product","store"],"where":[{"field":"stock","op":"\u003c"`,
		"свободный остаток кофе | а всего":                          `stock {"products":[`,
		"сколько стоит кружка эмаль | сколько зарабатываем с одной": `"measures":["price_minus_cost"]`,
	})
	follows(t, shown("product", "a"), map[string]string{
		"кружка эмаль 2 л | почем берем": `"measures":["last_purchase_price"`,
	})
}

func TestAllIsOfWhatWasShown(t *testing.T) { // rule R958
	follows(t, shown("product", "a", "b", "c", "d"), map[string]string{
		"остатки кофе | сколько всего осталось":     `stock {"products":[`,
		"остатки кофе по складам | а всего":         `stock_by_store {"products":[`,
		"топ 3 по остаткам | сколько это в деньгах": `"values":["a","b","c"]}]`,
		"топ 3 по остаткам | а по стоимости":        `"limit":3`,
		"какие документы сегодня | приемки":         `documents {"kinds":["supply"],"from":"2026-11-22"`,
		"остатки | сколько всего осталось":          `stock {}`,
	})
}
