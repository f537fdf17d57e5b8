package tool

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stockhand/stockhand"
)

// Rule R242: the parts of a result are tables of their own, wherever its pages end.
func TestPartsAreTablesOfTheirOwn(t *testing.T) {
	type line struct {
		name string
		sum  int64
	}
	var r Result
	name := TableColumn[line]{Name: "name", Label: words("Название"), Unit: UnitText,
		Cell: func(l line) Value { return TextValue(l.name) }}
	sum := TableColumn[line]{Name: "sum", Label: words("Сумма"), Unit: UnitNumber,
		Cell: func(l line) Value { return Count(int(l.sum)) }}.WithSum()
	AddPart(&r, stockhand.Russian, words("Реквизиты"), []TableColumn[line]{name}, []line{{"а", 0}})
	AddPart(&r, stockhand.Russian, words("Пусто"), []TableColumn[line]{sum}, nil)
	AddPart(&r, stockhand.Russian, words("Строки"), []TableColumn[line]{name, sum},
		[]line{{"б", 2}, {"в", 3}, {"г", 4}})
	if _, err := json.Marshal(&r); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 2, 10} {
		whole := r.InPages()
		whole.Pages = func(yield func(Rows, error) bool) {
			for page := range slices.Chunk(r.Rows, size) {
				if !yield(page, nil) {
					return
				}
			}
		}
		var got []string
		for _, part := range whole.Split() {
			own, err := part.Whole()
			if err != nil || len(own.Rows) != part.Count {
				t.Fatal(len(own.Rows), part.Count, err)
			}
			b, err := json.Marshal(struct {
				Rows   Rows
				Totals Row
			}{own.Rows, own.Totals})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, part.Title+string(b))
		}
		want := []string{`Реквизиты{"Rows":[["а"]],"Totals":null}`,
			`Строки{"Rows":[["б","2"],["в","3"],["г","4"]],"Totals":[null,"9"]}`}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d rows: %s", size, got)
		}
	}
}

func words(s string) Text { return Text{RU: s, EN: s} }
