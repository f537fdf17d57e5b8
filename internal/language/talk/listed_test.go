package talk

import "testing"

func TestAListOfDocumentsIsAskedAbout(t *testing.T) { // rule R950
	follows(t, shown("document", "a"), map[string]string{
		"последняя отгрузка | что в нем":              `document {"number":"","id":"a"}`,
		"последняя отгрузка | кому":                   `document {"number":"","id":"a"}`,
		"последний заказ поставщику | когда приедет":  `document {"number":"","id":"a"}`,
		"последний заказ поставщику | кто делал":      `document {"number":"","id":"a"}`,
		"отгрузки за неделю | самая маленькая | кому": `document {"number":"","id":"a"}`,
		"открой последнюю приемку | а предыдущую":     `"limit":2`,
	})
	follows(t, shown("document", "a", "b"), map[string]string{
		"отгрузки за неделю | самая большая":                   `"order":"largest","limit":1`,
		"входящие платежи за неделю | самый крупный":           `"order":"largest","limit":1`,
		"последние 5 отгрузок | кому":                          `"limit":5`,
		"какие поставки просрочены | у кого":                   `"overdue":true`,
		"какие поставки просрочены | на сколько дней":          `"by":["document","counterparty"],"where":[{"field":"supplier_overdue_days"`,
		"какие поставки просрочены | что там едет":             `"measures":["supplier_overdue_days"],"by":["product"]`,
		"отгрузки без оплаты | сколько всего не оплачено":      `documents {"kinds":["demand"],"unpaid":true}`,
		"перемещения за ноябрь | куда":                         `documents {"kinds":["move"]`,
		"заказы покупателей за неделю | от кого":               `analyze {"measures":["orders_sum"],"by":["counterparty"]`,
		"отгрузки за неделю | по клиентам":                     `"to":"2026-11-22","by":"counterparty"`,
		"отгрузки за неделю | сначала большие":                 `"to":"2026-11-22","order":"largest"`,
		"неоплаченные счета | сначала старые":                  `"unpaid":true,"order":"oldest"`,
		"отгрузки за неделю | топ 5 по сумме":                  `"order":"largest","limit":5`,
		"unpaid customer invoices | oldest first":              `"unpaid":true,"order":"oldest"`,
		"неотгруженные заказы | на сколько всего не отгружено": `"unshipped":true`,
	})
}

func TestOfThisIsOfTheRows(t *testing.T) { // rule R952
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		"ассортимент посуды | что из этого без движения 2 месяца": `"where":[{"field":"product","op":"in",` +
			`"values":["a","b","c"]},{"field":"pace","op":"=","values":["0"]}]`,
		"что заканчивается | какие из них не продавались в этом месяце": `"where":[{"field":"product","op":"in",` +
			`"values":["a","b","c"]},{"field":"pace"`,
		"прайс на посуду | сколько их штук":               `stock {"products":["a","b","c"]}`,
		"прайс на посуду | сколько их всего штук":         `stock {"products":["a","b","c"]}`,
		"топ 3 товара за месяц | сколько их штук":         `"measures":["quantity"]`,
		"остатки кружек | за сколько последний раз брали": `"measures":["last_purchase_price"`,
		"остатки кружек | почем в последний раз покупали": `"measures":["last_purchase_price"`,
		"остатки кружек | когда последний раз покупали":   `"measures":["last_sale"]`,
	})
	follows(t, shown("product", "a"), map[string]string{
		"цены на посуду | самый дешевый | сколько его на складе":  `stock {"products":["a"]}`,
		"цены на посуду | самый дешевый | сколько его на витрине": `stock {"stores":["Витрина"],"products":["a"]}`,
	})
	if r := converseOf("цены на посуду | сколько его на складе", shown("product", "a", "b")); complete(&r) {
		t.Errorf("one of several rows is taken: %s", call(r))
	}
}

func TestStockListsTheSameKindOfRows(t *testing.T) { // rule R953
	const positive = `{"field":"stock","op":"\u003e","values":["0"]}`
	follows(t, nil, map[string]string{
		"остатки посуды | кроме кружек":               positive,
		"остатки на витрине | кроме инструмента":      positive,
		"остатки посуды | по складам":                 `"by":["store"],"where":[{"field":"group","op":"in","values":["Посуда"]}]}`,
		"остатки посуды | кроме кружек | без нулевых": `"op":"!="`,
	})
	follows(t, nil, map[string]string{
		"минимальные остатки по посуде | где ниже": `{"field":"group","op":"in","values":["Посуда"]}`})
}
