package grounding_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// "3 шт. на 300 ₽" is what all three are worth, "по 100 ₽" what one is.
func TestRule572_AnAmountIsOfOnePieceOrOfAll(t *testing.T) {
	r := &tool.Result{Tool: "stock", Columns: []tool.Column{{Name: "name", Label: "Товар", Unit: tool.UnitText},
		{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
		{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney},
		{Name: "cost_sum", Label: "Сумма себестоимости", Unit: tool.UnitMoney}}}
	money := func(s string) tool.Value { return tool.Money(decimal.MustParse(s), "RUB") }
	r.Rows = tool.Rows{{tool.TextValue("Чай зелёный"), tool.Number(decimal.FromInt(31)),
		money("117.35"), money("3637.85")}}
	for text, marked := range map[string]bool{
		"«Чай зелёный» — 31 шт. на 3 637,85 ₽":              false,
		"«Чай зелёный» — 31 шт. на 117,35 ₽":                true,
		"«Чай зелёный» — 31 шт. по 117,35 ₽":                false,
		"«Чай зелёный» — 31 шт. по 3 637,85 ₽":              true,
		"«Чай зелёный» на складе на сумму 3 637,85 ₽":       false,
		"«Чай зелёный» на складе на сумму 117,35 ₽":         true,
		"«Чай зелёный» обошёлся в 117,35 ₽ за штуку":        false,
		"«Чай зелёный» обошёлся в 3 637,85 ₽ за штуку":      true,
		"“Чай зелёный”: 31 pcs, 117.35 ₽ each":              false,
		"“Чай зелёный”: 31 pcs, 3,637.85 ₽ each":            true,
		"“Чай зелёный”: 31 pcs, 3,637.85 ₽ in total":        false,
		"“Чай зелёный”: 31 pcs, 117.35 ₽ in total":          true,
		"«Чай зелёный»: 117,35 ₽, всего 3 637,85 ₽":         false,
		"«Чай зелёный»: себестоимость 117,35 ₽/шт":          false,
		"«Чай зелёный»: 3 637,85 ₽ по себестоимости":        false,
		"«Чай зелёный»: заморожено 3 637,85 ₽, 31 шт.":      false,
		"«Чай зелёный»: закупка по цене 117,35 ₽, 31 штука": false,
	} {
		l := stockhand.Russian
		if strings.Contains(text, "pcs") {
			l = stockhand.English
		}
		got := grounding.Check(text, l, grounding.Evidence{Sources: []grounding.Source{{ID: "res_1", Result: r}}})
		if (len(got.Unmatched) > 0) != marked {
			t.Errorf("%q: unmatched %v, want marked: %t", text, got.Unmatched, marked)
		}
	}
}
