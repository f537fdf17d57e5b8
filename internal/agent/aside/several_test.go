package aside

import (
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/language"
)

func TestSeveralQuestionsAreAnsweredInOrder(t *testing.T) {
	in := language.Input{Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Catalogue: moysklad.Kind.Catalogue}
	for task, want := range map[string][]string{
		"остатки и деньги":                                    {"остатки", "деньги"},
		"покажи выручку за месяц и кто нам должен":            {"покажи выручку за месяц", "кто нам должен"},
		"сколько продали вчера? и кто должен?":                {"сколько продали вчера", "кто должен"},
		"остатки, деньги, долги":                              {"остатки", "деньги", "долги"},
		"прибыль и долги за октябрь":                          {"прибыль за октябрь", "долги"},
		"sales last week and who owes us":                     {"sales last week", "who owes us"},
		"stock and money":                                     {"stock", "money"},
		"how much money do we have, and what is running low?": {"how much money do we have", "what is running low"},
		"списания по складам, штуки и сумма":                  nil,
		"остатки": nil,
		"выручка по складам и группам":     nil,
		"подними цены на 5% и закажи соль": nil,
		"стаканы и тарелки":                nil,
	} {
		var got []string
		for _, r := range Several(task, in) {
			got = append(got, r.Task)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}

func TestEachPartIsAboutTheSameGoods(t *testing.T) { // rule R1127
	in := language.Input{Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Catalogue: moysklad.Kind.Catalogue,
		Names: []connector.Name{{Kind: connector.NameProduct, ID: "p1", Name: "Кофе молотый 500 г"},
			{Kind: connector.NameProduct, ID: "p2", Name: "Кофе в зёрнах 250 г"}}}
	for _, r := range Several("сколько пришло кофе и сколько продали", in) {
		if !slices.Equal(r.Mentioned, []string{"кофе"}) {
			t.Errorf("%q is not about coffee: %q", r.Task, r.Mentioned)
		}
	}
}

func TestTwoRankingsAreTwoQuestions(t *testing.T) { // rule R1089
	in := language.Input{Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Catalogue: moysklad.Kind.Catalogue}
	for task, want := range map[string]bool{
		"топ 5 товаров и топ 5 покупателей":     true,
		"лучший товар и лучший продавец":        true,
		"топ 5 товаров и покупателей":           false,
		"выручка по товарам и складам, топ 10":  false,
		"выручка по менеджерам и складам топ 5": false,
	} {
		if got := RanksTwice(language.Read(task, in), in); got != want {
			t.Errorf("%q: %t", task, got)
		}
	}
}
