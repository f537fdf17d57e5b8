package language

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

func composed(task string, previous *Reading) Reading {
	now := time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
	return Read(task, Input{Now: now, Catalogue: measures.Catalogue,
		Previous: previous, Names: []connector.Name{{Kind: connector.NameStore, ID: "s1", Name: "Витрина"},
			{Kind: connector.NameGroup, ID: "g1", Name: "Посуда"},
			{Kind: connector.NameEmployee, ID: "e1", Name: "Продажный М."}}})
}

// What the arguments of a tool can say stays with the tool; what they cannot is a query.
func TestQueriesAnswerWhatNoOtherToolCanSay(t *testing.T) { // rule R264
	for task, want := range map[string]Skill{
		"выручка по дням за октябрь": SalesTrend, "остатки на витрине": Stock, "прибыль по сотрудникам": Profitability,
		"что заказать": Shortages, "неликвид": StockAge, "подними цены на 5% на посуду": ProposePriceChange,
		"выручка по складам": Analyze, "товары с маржой ниже 10%": Analyze, "возвраты за октябрь": Analyze,
		"прибыль по группам": Analyze, "выручка и средний чек по складам": Analyze, "скидки за октябрь": Analyze,
	} {
		if r := composed(task, nil); r.Skill != want || (want == Analyze) != (r.Query != nil) {
			t.Errorf("%s is read as %s, want %s", task, r.Skill, want)
		}
	}
}

func TestAQueryMayChangeTheAnswerOfAnotherTool(t *testing.T) { // rule R264
	first := composed("продажи за октябрь", nil)
	second := composed("а по складам", &first)
	if first.Skill != SalesTrend || second.Query == nil || !slices.Equal(second.Query.By, []string{"store"}) ||
		second.Query.From != "2026-10-01" {
		t.Fatalf("%+v, %+v", first, second)
	}
	third := composed("только посуда", &second)
	if third.Query == nil || len(third.Query.Where) != 1 || third.Query.Where[0].Op != analysis.In ||
		third.Query.From != "2026-10-01" {
		t.Errorf("%+v", third.Query)
	}
}

// Words that no reading uses are named; a draft must not be made without them.
func TestWordsThatAReadingDoesNotUseAreNamed(t *testing.T) { // rule R265
	for task, want := range map[string]string{
		"продажи за последние 7 дней без праздников": "без",
	} {
		if r := composed(task, nil); !strings.Contains(strings.Join(r.Unused, " "), want) {
			t.Errorf("%s: %s %q, want %q among them", task, r.Skill, r.Unused, want)
		}
	}
	for _, task := range []string{"подними цены на 5% на посуду", "перемести излишки туда, где дефицит",
		"покажи остатки на витрине, пожалуйста", "что заказать на 30 дней", "должники больше 5000 руб"} {
		if r := composed(task, nil); len(r.Unused) > 0 {
			t.Errorf("%s: %q", task, r.Unused)
		}
	}
}

// A condition beside the one that a tool has an argument for makes it a query.
func TestAConditionBesideThatOfAToolIsNotLost(t *testing.T) { // rule R264
	for task, want := range map[string]Skill{"товары с нулевым остатком": Stock,
		"товары с нулевым остатком по группам": Analyze, "выручка по группам от 10 до 20 тысяч": Analyze} {
		if r := composed(task, nil); r.Skill != want && len(r.Unused) == 0 {
			t.Errorf("%s is read as %s, want %s: %+v", task, r.Skill, want, r.Query)
		}
	}
}
