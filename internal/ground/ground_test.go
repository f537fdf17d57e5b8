package ground

import (
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func rub(s string) tool.Value { return tool.Money(decimal.MustParse(s), "RUB") }
func num(s string) tool.Value { return tool.Number(decimal.MustParse(s)) }

// earnings is a small profitability result.
func earnings() *tool.Result {
	return &tool.Result{
		Tool: "moysklad_profitability", Title: "Прибыльность",
		Answer: "Выручка с 23.10.2026 по 21.11.2026 за вычетом возвратов — 1 773 281,33 ₽ (199 товаров). Прибыль 510 216,99 ₽, маржа 29,9 % (себестоимость известна для 96,2 % выручки).",
		Columns: []tool.Column{{Name: "name", Label: "Товар", Unit: tool.UnitText}, {Name: "article", Label: "Артикул", Unit: tool.UnitText}, {Name: "sold", Label: "Продано", Unit: tool.UnitQuantity},
			{Name: "revenue", Label: "Выручка − возвраты", Unit: tool.UnitMoney}, {Name: "profit", Label: "Прибыль", Unit: tool.UnitMoney}, {Name: "margin_percent", Label: "Маржа", Unit: tool.UnitPercent},
			{Name: "cost_known_percent", Label: "Себест. известна", Unit: tool.UnitPercent}},
		Rows: tool.Rows{
			{tool.TextValue("Тапочки"), tool.TextValue("A-1137"), num("32"), rub("97536"), rub("34474.20"), num("35.3"), num("100")},
			{tool.TextValue("Подарочный набор № 2"), tool.TextValue("SET-2"), num("7"), rub("81928"), rub("27937.45"), num("34.1"), num("100")},
			{tool.TextValue("Рубашка фланелевая"), tool.TextValue("A-1057"), num("53"), rub("46940"), rub("15739.20"), num("33.5"), num("100")},
		},
		Totals:     tool.Row{tool.Empty, tool.Empty, num("2191.7"), rub("1773281.33"), rub("510216.99"), num("29.9"), num("96.2")},
		Notices:    []tool.Notice{{Code: tool.NoticeCostPartial, Message: "Себестоимость известна для 96,2 % выручки; остальная выручка в прибыль и маржу не вошла."}},
		Provenance: tool.Provenance{Period: &tool.Period{From: "2026-10-23", To: "2026-11-21"}, Requests: 2},
	}
}

func figures(found []Figure) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Text)
	}
	return out
}

func check(text string) Checked {
	return Check(text, stockhand.Russian, Evidence{Said: []string{"прибыльность за 30 дней, топ-2"}, Sources: []Source{{ID: "res_1", Result: earnings()}}})
}

func TestAFigureBesideANameIsOfThatNamesRow(t *testing.T) {
	for _, c := range []struct {
		text      string
		unmatched int
	}{
		{"«Тапочки» — 32 шт., прибыль 34 474,20 ₽.", 0},
		{"«Тапочки» — 7 шт.", 1},
		{"Тапочки: 27 937,45 ₽", 1},
		{"Тапочки — 32 шт., Рубашка фланелевая — 53 шт.", 0},
		{"Тапочки — 53 шт., Рубашка фланелевая — 32 шт.", 2},
		{"32 шт. у «Тапочек»", 1},
		{"Прибыль 34 474 ₽ принесли Тапочки, а 15 739 ₽ — Рубашка фланелевая.", 0},
		{"| Товар | Прибыль |\n|---|--:|\n| Тапочки | 34 474,20 ₽ |\n| Рубашка фланелевая | 27 937,45 ₽ |", 1},
		{"| Товар | Прибыль |\n|---|--:|\n| Тапочки | 97 536,00 ₽ |", 1},
		{"### Тапочки\n\n- Продано: 32\n- Прибыль: 34,5 тыс. ₽", 0},
		{"### Тапочки\n\n- Продано: 53\n- Прибыль: 15,7 тыс. ₽", 2},
		{"Тапочки: 510 216,99 ₽", 1},
		{"Тапочки — 34 474 ₽ из всего 510 217 ₽ прибыли.", 0},
	} {
		if got := check(c.text); len(got.Unmatched) != c.unmatched {
			t.Errorf("%q: not found %q, want %d", c.text, figures(got.Unmatched), c.unmatched)
		}
	}
}
