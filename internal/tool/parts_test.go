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

// Rule R242: a column that is hidden in one part is shown in another.
func TestAHiddenColumnOfAPartLeavesThoseOfOthers(t *testing.T) {
	price := TableColumn[int]{Name: "price", Label: words("Цена"), Unit: UnitNumber, Cell: Count}
	for name, hidden := range map[string][]bool{"the first": {true, false}, "the second": {false, true},
		"both": {true, true}} {
		var r Result
		for i, title := range []string{"Строки", "Оплаты"} {
			AddPart(&r, stockhand.Russian, words(title), []TableColumn[int]{price.HiddenIf(hidden[i])}, []int{7})
		}
		if r.Columns[1].Hidden != (hidden[0] && hidden[1]) {
			t.Errorf("%s: the column of the whole is hidden: %t", name, r.Columns[1].Hidden)
		}
		for i, part := range r.InPages().Split() {
			own, err := part.Whole()
			if err != nil || own.Columns[0].Hidden != hidden[i] || own.Rows[0][0].IsEmpty() != hidden[i] {
				t.Errorf("%s: part %d is %+v, error %v", name, i, own, err)
			}
		}
	}
}

func words(s string) Text { return Text{RU: s, EN: s} }
