package grounding_test

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// A figure without words for its measure is of one that the answer names elsewhere, or of the table's first (R712).
func TestRule712_AFigureWithoutWordsIsOfAMeasureThatTheAnswerNames(t *testing.T) {
	r := &tool.Result{Tool: "moysklad_profitability", Title: "Прибыльность", Columns: []tool.Column{
		{Name: "name", Label: "Название", Unit: tool.UnitText},
		{Name: "revenue", Label: "Выручка", Unit: tool.UnitMoney},
		{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney},
		{Name: "profit", Label: "Прибыль", Unit: tool.UnitMoney},
	}, Rows: []tool.Row{row("Дрель", "9000", "5200", "3800"), row("Молоток", "4100", "1700", "2400")}}
	r.Totals = row("", "13100", "6900", "6200")
	for text, marked := range map[string]int{
		"Прибыль — 6 200 ₽. Больше всего дала «Дрель»: 3 800 ₽, за ней «Молоток» — 2 400 ₽.": 0,
		"Прибыль — 6 200 ₽. Больше всего дала «Дрель»: 5 200 ₽.":                             1, // its cost
		"Прибыль — 6 200 ₽. Больше всего продали «Дрель»: 9 000 ₽.":                          0, // the verb says it
		"Продали на 13 100 ₽ и заработали 6 200 ₽.":                                          0,
		"Продали на 6 200 ₽ и заработали 13 100 ₽.":                                          2,
		"«Дрель» — 5 200 ₽, «Молоток» — 1 700 ₽.":                                            0, // no measure is named
	} {
		c := grounding.Check(text, stockhand.Russian, grounding.Evidence{Sources: []grounding.Source{{ID: "res_1",
			Result: r}}})
		if len(c.Unmatched) != marked {
			t.Errorf("%d marked, want %d: %s", len(c.Unmatched), marked, c.Text)
		}
	}
}

// row is a name and amounts.
func row(name string, amounts ...string) tool.Row {
	out := tool.Row{tool.TextValue(name)}
	for _, a := range amounts {
		out = append(out, tool.Money(decimal.MustParse(a), "RUB"))
	}
	return out
}
