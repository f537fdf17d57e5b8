package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// pageRows is how many rows a page of stored has.
const pageRows = 120

// stored is a result of that many rows, as internal/tool splits them.
func stored(rows int) stockhand.StoredResult {
	r := stockhand.StoredResult{Head: json.RawMessage(`{"tool":"moysklad_stock"}`), Rows: rows}
	for first := 0; first < rows; first += pageRows {
		last := min(first+pageRows, rows)
		r.Pages = append(r.Pages, stockhand.RowPage{First: first, Count: last - first,
			Rows: json.RawMessage("[" + strings.Join(rowTexts(first, last), ",") + "]")})
	}
	return r
}

// rowTexts are the rows of a result from one position to another.
func rowTexts(from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprintf(`{"product":"Товар %d, упаковка","article":"ART-%06d","store":"Основной склад",`+
			`"stock":"%d","reserve":"%d","cost":{"amount":"%d.%02d","currency":"RUB","text":"%d,%02d ₽"}}`,
			i, i*7919%1_000_000, i*31%977, i%13, i*17%9999, i%100, i*17%9999, i%100))
	}
	return all
}

func TestAnyRowsOfAResultCanBeRead(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		for i, rows := range []int{0, 1, pageRows, pageRows + 1, 5_000} {
			want := stored(rows)
			id := f.finishedCall(t, int64(i+1), want)
			got, err := db.Result(t.Context(), f.org, id)
			if err != nil || string(got.Head) != string(want.Head) || got.Rows != rows || got.Run != f.run.ID ||
				got.Tool != "moysklad_stock" || got.Pages != nil {
				t.Fatalf("%d rows: %+v, %v", rows, got, err)
			}
			for _, span := range [][2]int{{0, rows}, {0, min(rows, 1)}, {rows / 2, min(rows/2+1, rows)},
				{min(rows, 50), min(rows, 130)}, {max(rows-1, 0), rows}, {rows, rows}} {
				var texts []json.RawMessage
				next := span[0]
				pages := db.ResultRows(t.Context(), f.org, id, span[0], span[1])
				for range pages { // they can be read again
				}
				for page, err := range pages {
					var part []json.RawMessage
					if err != nil || page.First != next || json.Unmarshal(page.Rows, &part) != nil ||
						len(part) != page.Count {
						t.Fatalf("rows %v of %d: page %d of %d rows, %v", span, rows, page.First, page.Count, err)
					}
					texts, next = append(texts, part...), next+page.Count
				}
				if fmt.Sprintf("%s", texts) != fmt.Sprintf("%s", rowTexts(span[0], span[1])) {
					t.Errorf("rows %v of %d are %d others", span, rows, len(texts))
				}
			}
		}
		list, err := db.Results(t.Context(), f.org, f.run.ID)
		if err != nil || len(list) != 5 {
			t.Errorf("list: %d results, %v", len(list), err)
		}
	})
}

func TestAResultIsStoredWithAllItsRowsOrNotAtAll(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		short, gap := stored(2*pageRows), stored(2*pageRows)
		short.Pages, gap.Pages = short.Pages[:1], gap.Pages[1:]
		for name, r := range map[string]stockhand.StoredResult{"short": short, "gap": gap} {
			_, err := db.FinishToolCall(t.Context(), f.org, f.run.Generation, stockhand.ToolCall{Run: f.run.ID, Seq: 1},
				&r)
			wantCode(t, name, err, stockhand.CodeInternal)
		}
		if list, err := db.Results(t.Context(), f.org, f.run.ID); err != nil || len(list) != 0 {
			t.Errorf("%d results, %v", len(list), err)
		}
	})
}

func TestReadingOneRowReadsOnePage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		f := newFixture(t, db)
		id := f.finishedCall(t, 1, stored(1_000))
		if _, err := db.Writer().ExecContext(t.Context(),
			"DELETE FROM result_pages WHERE first_row <> $1", 4*pageRows); err != nil {
			t.Fatal(err)
		}
		for page, err := range db.ResultRows(t.Context(), f.org, id, 4*pageRows+7, 4*pageRows+8) {
			if err != nil || string(page.Rows) != "["+rowTexts(4*pageRows+7, 4*pageRows+8)[0]+"]" {
				t.Errorf("%s, %v", page.Rows, err)
			}
		}
		var last error // the rest is missing: that is no end of the table
		for _, err := range db.ResultRows(t.Context(), f.org, id, 4*pageRows, 1_000) {
			last = err
		}
		wantCode(t, "rows that were deleted meanwhile", last, stockhand.CodeNotFound)
	})
}
