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
		"отгрузки за неделю | самая большая":                   `"field":"document_type","op":"in","values":["demand"]`,
		"входящие платежи за неделю | самый крупный":           `"field":"document_type","op":"in","values":["paymentin"]`,
		"последние 5 отгрузок | кому":                          `"limit":5`,
		"какие поставки просрочены | у кого":                   `"overdue":true`,
		"какие поставки просрочены | на сколько дней":          `"overdue":true`,
		"какие поставки просрочены | что там едет":             `"measures":["supplier_overdue_days"],"by":["product"]`,
		"отгрузки без оплаты | сколько всего не оплачено":      `documents {"kinds":["demand"],"unpaid":true}`,
		"перемещения за ноябрь | куда":                         `documents {"kinds":["move"]`,
		"заказы покупателей за неделю | от кого":               `analyze {"measures":["orders_sum"],"by":["counterparty"]`,
		"отгрузки за неделю | по клиентам":                     `analyze {"measures":["sales"],"by":["counterparty"]`,
		"неотгруженные заказы | на сколько всего не отгружено": `"unshipped":true`,
	})
}
