package talk

import "testing"

func TestShortFollowUpsAreReadWhateverTheOrderOfTheirWords(t *testing.T) { // rule R920
	follows(t, nil, map[string]string{
		"возвраты за ноябрь | а это в процентах сколько":                             `{"measures":["return_rate"]`,
		"топ товаров за квартал | показать от меньшего к большему":                   `"direction":"asc"`,
		"остатки тапочек | лежат они где":                                            `"by":["store"]`,
		"выручка по месяцам за год | и где самый спад":                               `"direction":"asc"`,
		"маржа за вчера | слабовато как-то":                                          `"compare":{"with":"previous"}`,
		"минимальные остатки | и какие уже меньше":                                   `"measures":["shortage"]`,
		"остатки тапочек | денег в них сколько":                                      `"measures":["stock_cost"]`,
		"сколько купил кузнецов в октябре | а взял он что":                           `"by":["product"]`,
		"cash balance | and now the bank accounts":                                   `"place":"accounts"`,
		"выручка по группам за сентябрь | сравни с августом | что больше всех упало": `"by":["group"]`,
	})
}

func TestSayingsAreChecked(t *testing.T) { // rule R920
	for _, file := range []string{"a: x\na: y", "a x", "[] plain <- b!", "[nowhere] plain <- a!", "a: x\n[] plain <- a",
		"a: x\n[] plain a!", "a: %"} {
		if _, err := parseShort(file); err == nil {
			t.Errorf("%q is accepted", file)
		}
	}
}
