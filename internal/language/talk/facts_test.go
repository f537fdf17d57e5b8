package talk

import "testing"

func TestFactsOfTheRowsShownAreAskedInAnyWords(t *testing.T) { // rule R900
	const top = "топ 3 товара по выручке за октябрь | "
	const abc = `["a","b","c"]`
	follows(t, shown("product", "a", "b", "c"), map[string]string{
		top + "где они лежат":                    `stock_by_store {"products":` + abc,
		top + "в каких магазинах их можно найти": `stock_by_store {"products":` + abc,
		top + "и сколько осталось":               `stock {"products":` + abc,
		top + "есть ли они на витрине":           `stock {"stores":["Витрина"],"products":` + abc,
		top + "почём мы их закупаем":             `"card_purchase_price"],"by":["product"]`,
		top + "за сколько они продаются":         `"sale_price"],"by":["product"]`,
		top + "кому мы их продали":               `"by":"counterparty"`,
		top + "кто нам их привозит":              `"by":["product","supplier"]`,
		top + "когда крайний раз продавались":    `{"measures":["last_sale"],"by":["product"]`,
		top + "и надолго их хватит":              `forecast {"products":` + abc,
	})
	const best = "топ 2 клиента по выручке за октябрь | "
	follows(t, shown("counterparty", "x", "y"), map[string]string{
		best + "чего они брали": `"by":["product"],"where":[{"field":"counterparty","op":"in",` +
			`"values":["x","y"]}]`,
		best + "есть за ними долги?": `receivables {"counterparties":["x","y"],"direction":"owed_to_us"}`,
		best + "а сколько мы должны": `"owed_by_us"`,
	})
}

func TestFirstRowsAreLeftInAnyWords(t *testing.T) { // rule R903
	for said, want := range map[string]string{"сократи до пяти": "топ 5", "мне только пятёрку лидеров": "топ 5",
		"первой тройки хватит": "топ 3", "урежь до 5 строк": "топ 5", "первые пять": "", "до 5 штук": ""} {
		if got := onlyFirst(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
