package results

import (
	"errors"
	"testing"

	"github.com/stockhand/stockhand/internal/tool"
)

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
