package lookup

import "testing"

func TestWhatWasBoughtLastIsTheLastDocument(t *testing.T) { // rule R1111
	check(t, map[string]string{
		"что альфа брала в последний раз":  "[последняя отгрузка контрагента «Альфа»]",
		"в последний раз альфа что взяла":  "[последняя отгрузка контрагента «Альфа»]",
		"что альфа заказывала крайний раз": "[последний заказ покупателя контрагента «Альфа»]",
		"на какую сумму альфа купила в последний раз": "documents {kinds:[demand],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:1}",
	})
}
