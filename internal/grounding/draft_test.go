package grounding_test

import (
	"fmt"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// orders is a draft of two orders: three lines of 1,250 for one supplier, one of 4,810 for another.
func orders() *tool.Draft {
	order := func(supplier, store string, price int64, lines int) tool.DraftDocument {
		d := tool.Document{Kind: tool.SupplierOrder, Currency: "RUB",
			Supplier: &tool.Ref{Name: supplier}, Store: &tool.Ref{Name: store},
			Title: "Заказ поставщику «" + supplier + "» на склад «" + store + "»"}
		for i := range lines {
			d.Lines = append(d.Lines, tool.Line{ID: fmt.Sprint(i + 1),
				Product:  tool.Ref{Name: fmt.Sprint("Товар ", i+1)},
				Quantity: decimal.Some(decimal.FromInt(10)), Unit: "шт", Price: decimal.Some(decimal.FromInt(price))})
		}
		d.Total = d.Sum()
		return tool.DraftDocument{Document: d, DocumentStatus: tool.DocumentStatus{State: stockhand.DocumentPending}}
	}
	return &tool.Draft{ID: "drf_1", Version: 1, Language: stockhand.Russian, Documents: []tool.DraftDocument{
		order("ООО «Восток»", "Основной склад", 125, 3), order("ИП Петрова", "Витрина", 481, 1)}}
}

// What the rows of a draft say is found, at the document that it belongs to.
func TestRule550_FiguresOfTheRowsOfADraft(t *testing.T) {
	t.Parallel()
	e := grounding.Evidence{Sources: []grounding.Source{{ID: "drf_1", Draft: orders()}}}
	for text, marked := range map[string]int{
		"Подготовил 2 заказа на 8 560 ₽, всего 4 строки.":                                                           0,
		"- ООО «Восток» → Основной склад: 3 строки, 3 750 ₽\n- ИП Петрова → Витрина: 1 строка, 4 810 ₽":             0,
		"| Документ | Строк | Сумма |\n|---|--:|--:|\n| ООО «Восток» | 3 | 3 750 ₽ |\n| ИП Петрова | 1 | 4 810 ₽ |": 0,
		"I prepared 2 orders for ₽8,560; the one to “ИП Петрова” is ₽4,810.":                                        0,
		"Заказ ООО «Восток» — 4 810 ₽.":                                                                             1,
		"| Документ | Сумма |\n|---|--:|\n| ООО «Восток» | 4 810 ₽ |\n| ИП Петрова | 3 750 ₽ |":                     2,
		"Всего на 8 650 ₽.": 1,
	} {
		c := grounding.Check(text, stockhand.Russian, e)
		if len(c.Unmatched) != marked {
			t.Errorf("%d marked, want %d:\n%s", len(c.Unmatched), marked, c.Text)
		}
	}
}
