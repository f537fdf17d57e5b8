package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rows are sorted by exact figures within a currency, texts by their letters, and unknown cells come last (rule R393).
func TestRowsAreSortedByTheirCells(t *testing.T) {
	money := func(s, currency string) tool.Value { return tool.Money(decimal.MustParse(s), currency) }
	number := func(s string) tool.Value { return tool.Number(decimal.MustParse(s)) }
	for name, c := range map[string]struct {
		cells    []tool.Value
		up, down []int
	}{
		"amounts": {[]tool.Value{money("10.5", "RUB"), tool.Empty, money("9", "RUB"), money("1", "USD"),
			money("-3", "RUB")},
			[]int{4, 2, 0, 3, 1}, []int{3, 0, 2, 4, 1}},
		"figures that no integer holds together": {[]tool.Value{number("9000000000000000000"), number("0.0000001"),
			number("1")},
			[]int{1, 2, 0}, []int{0, 2, 1}},
		"texts, equal ones in their order": {[]tool.Value{tool.TextValue("ёж"), tool.TextValue("Ель"),
			tool.TextValue("еж")},
			[]int{0, 2, 1}, []int{1, 0, 2}},
		"texts that begin alike, and one that is their beginning": {[]tool.Value{tool.TextValue("Чай № 10"), tool.Empty,
			tool.TextValue("чай № 2"), tool.TextValue("Чай № 1"), tool.TextValue("ЧАЙ № 10, в пакетиках по 25 штук")},
			[]int{3, 0, 4, 2, 1}, []int{2, 4, 0, 3, 1}},
	} {
		var rows tool.Rows
		for _, v := range c.cells {
			rows = append(rows, tool.Row{v})
		}
		for _, down := range []bool{false, true} {
			at, want := make([]int, len(rows)), c.up
			for i := range at {
				at[i] = i
			}
			if down {
				want = c.down
			}
			if sortRows(rows, at, 0, down); !slices.Equal(at, want) {
				t.Errorf("%s, down %v: %v, want %v", name, down, at, want)
			}
		}
	}
	// more rows than are sorted in one go
	var rows tool.Rows
	for i := range 3 * leastSpan {
		rows = append(rows, tool.Row{tool.Count(i * 7919 % (3 * leastSpan))})
	}
	at := make([]int, len(rows))
	for i := range at {
		at[i] = i
	}
	sortRows(rows, at, 0, false)
	if !slices.IsSortedFunc(at, func(a, b int) int {
		x, _ := rows[a][0].Decimal()
		y, _ := rows[b][0].Decimal()
		return x.Cmp(y)
	}) {
		t.Error("a large table is not sorted")
	}
}

// Texts are compared without regard to case and to ё.
func TestTextsAreFolded(t *testing.T) {
	for _, s := range []string{"", "Чай ЧЁРНЫЙ, Ёлка ёж", "Tea No. 5 (BIG)", "ÄÖÜ İ Ⅷ Ґґ",
		"no \xff UTF-8 \xd0", "АЯая"} {
		if got, want := fold(s), strings.ReplaceAll(strings.ToLower(s), "ё", "е"); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

// 100,000 rows whose texts begin alike.
func BenchmarkSortByText(b *testing.B) {
	const n = 100_000
	rows, at := make(tool.Rows, n), make([]int, n)
	for i := range rows {
		rows[i] = tool.Row{tool.TextValue(fmt.Sprintf("Чай чёрный, партия %06d", i*7919%n))}
	}
	for b.Loop() {
		for i := range at {
			at[i] = i
		}
		sortRows(rows, at, 0, false)
	}
}
