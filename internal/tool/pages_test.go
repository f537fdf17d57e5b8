package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAStoredResultIsReadBackInPages(t *testing.T) {
	for _, rows := range []int{0, 1, 200, 201, 1_000} {
		r := &tool.Result{Tool: "t", Title: "Остатки", Columns: []tool.Column{
			{Name: "name", Label: "Товар", Unit: tool.UnitText}, {Name: "n", Label: "№", Unit: tool.UnitCount}},
			Rows: tool.Rows{}, Totals: tool.Row{tool.Empty, tool.Number(decimal.FromInt(int64(rows)))}}
		for i := range rows {
			name := fmt.Sprint("Чай ", i)
			if i == 150 { // larger than a page
				name = strings.Repeat("я", 100_000)
			}
			r.Rows = append(r.Rows, tool.Row{tool.TextValue(name), tool.Number(decimal.FromInt(int64(i)))})
		}
		s, err := r.Stored()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Pages {
			if p.Count > 200 || p.Count > 1 && len(p.Rows) > 65<<10 {
				t.Errorf("a page of %d rows has %d bytes", p.Count, len(p.Rows))
			}
		}
		table, err := tool.ReadTable(s, func(yield func(stockhand.RowPage, error) bool) {
			for _, p := range s.Pages {
				if !yield(p, nil) {
					return
				}
			}
		})
		if err != nil || table.Count != rows || table.Rows != nil {
			t.Fatalf("%d rows: %d, %v", rows, table.Count, err)
		}
		whole, err := table.Whole()
		want, _ := json.Marshal(r)
		got, failure := json.Marshal(whole)
		if err != nil || failure != nil || cmp.Diff(string(want), string(got)) != "" {
			t.Errorf("%d rows: %v, %v\n%.300s", rows, err, failure, cmp.Diff(string(want), string(got)))
		}
	}
}
