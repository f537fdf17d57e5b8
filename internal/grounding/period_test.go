package grounding

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// profits are the profits of periods, one result for each.
func profits(of map[string]string) (e Evidence) {
	for days, profit := range of {
		from, to, _ := strings.Cut(days, " ")
		e.Sources = append(e.Sources, Source{ID: "res_" + from + to, Arguments: json.RawMessage(`{}`),
			Result: &tool.Result{Tool: "analyze", Columns: []tool.Column{
				{Name: "profit", Label: "Прибыль", Unit: tool.UnitMoney}},
				Rows: tool.Rows{{rub(profit)}}, Totals: tool.Row{rub(profit)},
				Provenance: tool.Provenance{Read: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC),
					Period: &tool.Period{From: tool.Day(from), To: tool.Day(to)}}}})
	}
	return e
}

func TestPeriodsBesideAFigureSelectItsResult(t *testing.T) { // rule R361
	e := profits(map[string]string{"2026-07-01 2026-09-30": "333333", "2026-04-01 2026-06-30": "222222",
		"2026-08-01 2026-08-31": "888888", "2025-01-01 2025-12-31": "255255", "2026-01-01 2026-11-22": "266266",
		"2026-10-01 2026-10-31": "101010", "2026-09-01 2026-09-30": "909090", "2026-11-09 2026-11-15": "151515",
		"2026-11-16 2026-11-22": "161616", "2026-11-21 2026-11-21": "212121"})
	for said, profit := range map[string]string{
		"в 3 квартале": "333333", "во втором квартале": "222222", "в третьем квартале 2026 года": "333333",
		"in Q3": "333333", "in the second quarter": "222222", "в прошлом квартале": "333333",
		"в 2025 году": "255255", "в прошлом году": "255255", "last year": "255255", "с начала года": "266266",
		"in this year": "266266", "YTD": "266266", "в прошлом месяце": "101010", "в позапрошлом месяце": "909090",
		"previous month": "101010", "на прошлой неделе": "151515", "на этой неделе": "161616",
		"last week": "151515", "вчера": "212121", "yesterday": "212121",
	} {
		for _, text := range []string{"Прибыль %s — %s ₽.", "Прибыль %[2]s ₽ %[1]s.", "Прибыль %s: %s ₽"} {
			for _, other := range []string{"333333", "222222", "888888", "255255", "266266", "101010", "909090",
				"151515", "161616", "212121"} {
				answer := fmt.Sprintf(text, said, other)
				got := Check(answer, stockhand.Russian, e)
				if marked := len(got.Unmatched) > 0; marked != (other != profit) {
					t.Errorf("%s: marked %v", got.Text, marked)
				}
			}
		}
	}
}

func TestComparedFiguresAreOfTheirSide(t *testing.T) { // rule R361
	e := profits(map[string]string{"2026-10-01 2026-10-31": "101010", "2026-09-01 2026-09-30": "909090"})
	for text, unmatched := range map[string]int{
		"Было 909 090 ₽, стало 101 010 ₽.": 0, "Было 101 010 ₽, стало 909 090 ₽.": 2,
		"Прибыль упала с 909 090 ₽ до 101 010 ₽.": 0, "Прибыль упала с 101 010 ₽ до 909 090 ₽.": 2,
		"Прибыль: 909 090 ₽ → 101 010 ₽": 0, "Прибыль: 101 010 ₽ → 909 090 ₽": 2,
		"Прибыль 101 010 ₽, раньше 909 090 ₽.": 0, "Прибыль 909 090 ₽, раньше 101 010 ₽.": 2,
		"Прибыль 101 010 ₽ против 909 090 ₽.": 0, "Прибыль 909 090 ₽ против 101 010 ₽.": 2,
		"Profit was 909 090 ₽ and is 101 010 ₽ now.":                                0,
		"По сравнению с сентябрём прибыль упала до 101 010 ₽.":                      0,
		"Compared with September, profit fell to 101 010 ₽.":                        0,
		"По сравнению с позапрошлым месяцем прибыль упала до 101 010 ₽.":            0,
		"Прибыль в октябре 101 010 ₽ против сентября: 909 090 ₽.":                   0,
		"По сравнению с сентябрём прибыль в октябре упала до 909 090 ₽.":            1,
		"Прибыль в октябре 909 090 ₽, в сентябре 101 010 ₽.":                        2,
		"Прибыль: в прошлом месяце 101 010 ₽, в позапрошлом 909 090 ₽.":             0,
		"Прибыль: в прошлом месяце 101 010 ₽, а в сентябре — 909 090 ₽.":            0,
		"В прошлом месяце прибыль 101 010 ₽, это меньше, чем 909 090 ₽ в сентябре.": 0,
	} {
		if got := Check(text, stockhand.Russian, e); len(got.Unmatched) != unmatched {
			t.Errorf("%d are marked: %s", len(got.Unmatched), got.Text)
		}
	}
}
