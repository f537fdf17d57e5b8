package grounding

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// stocks returns a result of many rows: product, supplier, article, stock and its value.
func stocks(count int) *tool.Result {
	r := &tool.Result{Tool: "moysklad_stock", Title: "Остатки", Answer: fmt.Sprintf("%d товаров.", count),
		Columns: []tool.Column{{Name: "name", Label: "Товар", Unit: tool.UnitText},
			{Name: "supplier", Label: "Поставщик", Unit: tool.UnitText},
			{Name: "article", Label: "Артикул", Unit: tool.UnitText},
			{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
			{Name: "value", Label: "Сумма", Unit: tool.UnitMoney}}}
	for i := range count {
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(fmt.Sprint("Чашка ", i)),
			tool.TextValue([]string{"ООО Фарфор", "Гжель"}[i%2]), tool.TextValue(fmt.Sprint("cup-", i)),
			num(fmt.Sprint(i * 3)), rub(fmt.Sprint(i * 7))})
	}
	return r
}

// Rule R174: the outcome is the same, and a few pages of rows are in memory.
func TestRule174_RowsInPagesAreCheckedLikeRowsInMemory(t *testing.T) {
	const count = 2_345
	all := stocks(count)
	texts := []string{
		"Чашка 7: остаток 21 шт., сумма 49 ₽. Чашка 2344: остаток 7032 шт., сумма 16408 ₽. Чашка 1000: остаток 3001 шт.",
		"| Товар | Остаток | Сумма |\n|---|---|---|\n| Чашка 1200 | 3600 | 8400 |\n| Чашка 3 | 9 | 22 |",
		"У поставщика Фарфор 1173 товара на сумму 9622292 ₽, у поставщика Гжель 1172 товара на сумму 9 ₽.",
		"Артикул cup-555 — остаток 1665. Всего 2345 товаров, остаток 24.",
	}
	var largest, read int
	head := *all
	head.Rows = nil
	pages := &Pages{Count: count, Read: func(from, to int) (tool.Rows, error) {
		largest, read = max(largest, to-from), read+1
		return all.Rows[from:to], nil
	}}
	for _, text := range texts {
		read = 0
		want := Check(text, stockhand.Russian, Evidence{Sources: []Source{{ID: "res_1", Result: all}}})
		got := Check(text, stockhand.Russian, Evidence{Sources: []Source{{ID: "res_1", Result: &head, Pages: pages}}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if len(want.Matched) == 0 || len(want.Unmatched) == 0 {
			t.Errorf("%s: %d figures were found and %d not", text, len(want.Matched), len(want.Unmatched))
		}
		if passes := count/chunkRows + 1; read > 8*passes {
			t.Errorf("%s: %d reads of %d pages", text, read, passes)
		}
	}
	if largest > chunkRows {
		t.Errorf("%d rows were read at once", largest)
	}
	r := rows{pages: pages}
	for i := range count {
		if r.at(i)[2].Text() != fmt.Sprint("cup-", i) || len(r.chunks) > mostChunks {
			t.Fatalf("row %d is %v, with %d chunks", i, r.at(i), len(r.chunks))
		}
	}
}

func TestRowsThatCannotBeReadProveNothing(t *testing.T) {
	gone := errors.New("the database is gone")
	head := *stocks(0)
	for _, from := range []int{0, 400} { // as the first rows are read, and later
		pages := &Pages{Count: 1_000, Read: func(at, to int) (tool.Rows, error) {
			if at >= from {
				return nil, gone
			}
			return stocks(to).Rows[at:to], nil
		}}
		got := Check("Чашка 7: остаток 21 шт.", stockhand.Russian,
			Evidence{Sources: []Source{{ID: "res_1", Result: &head, Pages: pages}}})
		if !errors.Is(got.Err, gone) || got.Text != "" {
			t.Errorf("%+v", got)
		}
	}
	short := &Pages{Count: 2, Read: func(int, int) (tool.Rows, error) { return stocks(1).Rows, nil }}
	got := Check("21", stockhand.Russian, Evidence{Sources: []Source{{Result: &head, Pages: short}}})
	if got.Err == nil {
		t.Errorf("%+v", got)
	}
}
