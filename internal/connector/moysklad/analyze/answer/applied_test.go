package answer

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestConditionsAreSaidWithNamesAndUnits(t *testing.T) { // rule R275
	period := tool.Period{From: "2026-10-01", To: "2026-10-31"}
	q := analysis.Query{Measures: []string{"revenue", "stock"}, By: []string{"product", "store"},
		From: period.From, To: period.To,
		Where: []analysis.Condition{{Field: "group", Op: analysis.In, Values: []analysis.Scalar{"5eb15205"}},
			{Field: "kind", Op: analysis.NotIn, Values: []analysis.Scalar{"service"}},
			{Field: "revenue", Op: analysis.Less, Values: []analysis.Scalar{"1500"}}}}
	plan, err := measures.Catalogue.Check(q, period)
	if err != nil {
		t.Fatal(err)
	}
	plan.Facts[0].Named = []string{"Посуда"}
	call := &account.Call{}
	call.Lang = stockhand.Russian
	call.Result = &tool.Result{}
	v := View{Call: call, Plan: plan, Catalogue: measures.Catalogue, Currency: "RUB"}
	for got, want := range map[string]string{
		v.asked((*analysis.Measure).Said): "Выручка за вычетом возвратов, остаток по товарам и складам",
		v.title():                         "Выручка, остаток по товарам и складам",
		v.filter(plan.Facts[0]):           "группа «Посуда»",
		v.filter(plan.Facts[1]):           "кроме «услуга» (вид)",
		v.condition(plan.Rows[0]):         "выручка за вычетом возвратов меньше 1\u00a0500,00\u00a0₽",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
