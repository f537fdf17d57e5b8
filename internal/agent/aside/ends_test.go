package aside

import (
	"slices"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/language"
)

func TestRule852_BestAndWorstAreTwoQuestions(t *testing.T) {
	in := language.Input{Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), Catalogue: moysklad.Kind.Catalogue}
	for task, want := range map[string][]string{
		"топ 5 и худшие 5 по прибыли":               {"топ 5 по прибыли", "худшие 5 по прибыли"},
		"топ 5 лучших и топ 5 худших товаров":       {"топ 5 лучших товаров", "топ 5 худших товаров"},
		"топ 3 и антитоп 3 по марже":                {"топ 3 по марже", "антитоп 3 по марже"},
		"лучшие и худшие товары октября":            {"лучшие товары октября", "худшие товары октября"},
		"самый прибыльный и самый убыточный товар":  {"самый прибыльный товар", "самый убыточный товар"},
		"лучший и худший менеджер по выручке":       {"лучший менеджер по выручке", "худший менеджер по выручке"},
		"best and worst products by profit":         {"best products by profit", "worst products by profit"},
		"top 3 and bottom 3 customers by revenue":   {"top 3 customers by revenue", "bottom 3 customers by revenue"},
		"топ 5 товаров по прибыли":                  nil,
		"худшие товары и склады":                    nil,
		"цены ниже закупки и топ товаров":           nil,
		"товары дороже 500 и дешевле 1000 по марже": nil,
	} {
		var got []string
		for _, r := range BothEnds(task, in) {
			got = append(got, r.Task)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}
