package grounding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// large returns a result with the given number of rows.
func large(rows int) *tool.Result {
	r := &tool.Result{Tool: "moysklad_stock", Title: "Остатки", Answer: "Всего товаров: " + fmt.Sprint(rows) + "."}
	r.Columns = append(r.Columns, tool.Column{Name: "name", Label: "Товар", Unit: tool.UnitText},
		tool.Column{Name: "article", Label: "Артикул", Unit: tool.UnitText},
		tool.Column{Name: "supplier", Label: "Поставщик", Unit: tool.UnitText},
		tool.Column{Name: "store", Label: "Склад", Unit: tool.UnitText})
	for i := range 6 {
		r.Columns = append(r.Columns, tool.Column{Name: fmt.Sprintf("sum_%d", i),
			Label: fmt.Sprintf("Показатель %d", i), Unit: tool.UnitMoney})
	}
	for i := range rows {
		row := tool.Row{tool.TextValue(fmt.Sprintf("Полотенце махровое серия %d", i)),
			tool.TextValue(fmt.Sprintf("A-%05d", i)),
			tool.TextValue(fmt.Sprintf("ООО «Поставщик %d»", i%40)), tool.TextValue(fmt.Sprintf("Склад %d", i%7))}
		for k := range 6 {
			row = append(row, tool.Money(decimal.FromInt(int64(i*7919+k*104729)).Div(decimal.Hundred), "RUB"))
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

// answerAbout returns an answer with a table of n rows of the result and a sentence about each.
func answerAbout(r *tool.Result, n int) string {
	var b strings.Builder
	b.WriteString("Вот что показали данные.\n\n| Товар | Показатель 0 | Показатель 1 |\n|---|--:|--:|\n")
	for i := range n {
		row := r.Rows[i*len(r.Rows)/n]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", row[0].Text(), row[4].Format(tool.UnitMoney, "ru"),
			row[5].Format(tool.UnitMoney, "ru"))
	}
	for i := range n {
		row := r.Rows[i*len(r.Rows)/n]
		fmt.Fprintf(&b, "\nТовар «%s» поставляет %s: %s.", row[0].Text(), row[2].Text(),
			row[6].Format(tool.UnitMoney, "ru"))
	}
	return b.String()
}

// naive looks up every figure in all cells, regardless of names.
func naive(text string, r *tool.Result) (unmatched int) {
	all, _ := prose.Find(text, stockhand.Russian, [2]int{})
	for _, one := range all {
		f := &figure{Figure: *one}
		found := false
		for _, row := range r.Rows {
			for i, v := range row {
				of, ok := cellFact(r.Columns[i], v)
				found = found || ok && f.fits(of) && f.is(of)
			}
		}
		if !found {
			unmatched++
		}
	}
	return unmatched
}

// BenchmarkCheck checks an answer with 60 figures against a result of 10,000 rows and compares that with a naive scan.
func BenchmarkCheck(b *testing.B) {
	r := large(10_000)
	text := answerAbout(r, 20)
	e := Evidence{Sources: []Source{{ID: "res_1", Result: r}}}
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			if c := Check(text, stockhand.Russian, e); len(c.Matched) != 60 || len(c.Unmatched) != 0 {
				b.Fatalf("%d matched, unmatched %v", len(c.Matched), c.Unmatched)
			}
		}
	})
	b.Run("naive scan", func(b *testing.B) {
		for b.Loop() {
			naive(text, r)
		}
	})
}

func BenchmarkCheckByLength(b *testing.B) {
	r := large(10_000)
	e := Evidence{Sources: []Source{{ID: "res_1", Result: r}}}
	for _, n := range []int{10, 100, 1000} {
		text := answerAbout(r, n)
		b.Run(fmt.Sprintf("%d figures", 3*n), func(b *testing.B) {
			for b.Loop() {
				Check(text, stockhand.Russian, e)
			}
		})
	}
}
