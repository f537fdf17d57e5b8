package results

import (
	"errors"
	"slices"
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

// Rows are read once, those that could not be read are read again, and old ones make place (rule R540).
func TestRowsAreKeptForAWhile(t *testing.T) {
	c := rowCache{all: map[partKey]*keptRows{}}
	reads := 0
	get := func(part, cells int, err error) {
		t.Helper()
		rows, got := c.get(partKey{part: part}, cells, func() (tool.Rows, error) {
			reads++
			return make(tool.Rows, 1), err
		})
		if !errors.Is(got, err) || len(rows) != 1 {
			t.Errorf("part %d: %v, %v", part, rows, got)
		}
	}
	failed := errors.New("no rows")
	for i, want := range []struct {
		part, cells int
		err         error
		reads       int
	}{{1, 10, failed, 1}, {1, 10, nil, 2}, {1, 10, nil, 2}, {2, mostCells - 10, nil, 3}, {1, 10, nil, 3},
		{3, 5, nil, 4}, {1, 10, nil, 4}, {2, mostCells - 10, nil, 5}} {
		if get(want.part, want.cells, want.err); reads != want.reads {
			t.Errorf("step %d: %d reads, want %d", i, reads, want.reads)
		}
	}
	if c.size > mostCells || len(c.used) != len(c.all) {
		t.Errorf("%d cells, %d used of %d", c.size, len(c.used), len(c.all))
	}
}
