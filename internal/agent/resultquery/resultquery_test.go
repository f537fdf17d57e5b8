package resultquery_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/resultquery"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// shelf is a result with what makes sums wrong: unknown cells, two currencies, percentages, a hidden column.
func shelf() *tool.Result {
	money := func(s, currency string) tool.Value { return tool.Money(decimal.MustParse(s), currency) }
	number := func(s string) tool.Value { return tool.Number(decimal.MustParse(s)) }
	r := &tool.Result{
		Title: "Полка", Columns: []tool.Column{
			{Name: "name", Label: "Товар", Unit: tool.UnitText}, {Name: "group", Label: "Группа", Unit: tool.UnitText},
			{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
			{Name: "value", Label: "Сумма", Unit: tool.UnitMoney},
			{Name: "price", Label: "Цена", Unit: tool.UnitMoney},
			{Name: "margin_percent", Label: "Маржа", Unit: tool.UnitPercent},
			{Name: "cost_known_percent", Label: "Себест. известна", Unit: tool.UnitPercent},
			{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney, Hidden: true},
		},
		Rows: tool.Rows{
			{tool.TextValue("Чай зелёный"), tool.TextValue("Чай"), number("10"), money("1000.10", "RUB"),
				money("100", "RUB"), number("20"), number("100"), tool.Empty},
			{tool.TextValue("Чай чёрный"), tool.TextValue("Чай"), number("2.5"), money("250.20", "RUB"),
				money("9", "USD"), number("40"), number("50"), tool.Empty},
			{tool.TextValue("Кофе"), tool.TextValue("Кофе"), number("-1"), tool.Empty, money("70", "RUB"), tool.Empty,
				tool.Empty, tool.Empty},
		},
		Notices: []tool.Notice{{Code: tool.NoticeRightMissing, Message: "Нет права «Себестоимость»."}},
	}
	r.Totals = tool.Row{tool.Empty, tool.Empty, number("11.5"), money("1250.30", "RUB"), tool.Empty, number("24"),
		number("90"), tool.Empty}
	return r
}

func asked(t *testing.T, query string) (*tool.Result, error) {
	t.Helper()
	in := resultquery.Query{Result: "res_1"}
	if err := json.Unmarshal([]byte(query), &in); err != nil {
		t.Fatal(err)
	}
	return resultquery.Run(shelf().InPages(), in, stockhand.Russian)
}

// cell is a value in plain text.
func cell(v tool.Value) string {
	d, number := v.Decimal()
	switch {
	case v.Currency() != "":
		return strings.TrimSuffix(d.Fixed(2), ".00") + v.Currency()
	case number:
		return d.String()
	}
	return cmp.Or(v.Text(), "—")
}

// shown is a result's rows as text.
func shown(r *tool.Result) string {
	var lines []string
	for _, row := range append(r.Rows, r.Totals) {
		var cells []string
		for _, v := range row {
			cells = append(cells, cell(v))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func TestAQueryFiltersSortsAndAddsUpWithDecimals(t *testing.T) {
	for query, want := range map[string]string{
		`{"where":[{"column":"stock","op":"gt","value":"0"}],"columns":["name","stock","value"]}`: "Чай зелёный 10 1000.10RUB\nЧай чёрный 2.5 250.20RUB\n— 12.5 1250.30RUB",
		`{"where":[{"column":"name","op":"contains","value":"ЗЕЛЕНЫЙ"}],"columns":["name"]}`:      "Чай зелёный\n—",
		`{"where":[{"column":"value","op":"unknown"}],"columns":["name","value"]}`:                "Кофе —\n— —",
		// what is not known is not less
		`{"where":[{"column":"value","op":"lt","value":"1000"}],"columns":["name"]}`: "Чай чёрный\n—",
		`{"sort_by":"stock","ascending":true,"top":2,"columns":["name"]}`:            "Кофе\nЧай чёрный\n—",
		// unknown comes last
		`{"sort_by":"value","ascending":true,"columns":["name"]}`:                                                            "Чай чёрный\nЧай зелёный\nКофе\n—",
		`{"group_by":["group"],"aggregate":[{"op":"sum","column":"value"},{"op":"count"}]}`:                                  "Чай 1250.30RUB 2\nКофе — 1",
		`{"aggregate":[{"op":"avg","column":"stock"},{"op":"min","column":"stock"},{"op":"max","column":"margin_percent"}]}`: "3.83 -1 40",
		// two currencies
		`{"aggregate":[{"op":"sum","column":"price"}]}`: "—",
		// the coverage stays beside the margin
		`{"columns":["name","margin_percent"],"top":1}`:             "Чай зелёный 20 100\n— — —",
		`{"group_by":["group"],"sort_by":"count","ascending":true}`: "Кофе 1\nЧай 2",
	} {
		r, err := asked(t, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if got := shown(r); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
		if _, ok := r.Notice(tool.NoticeRightMissing); !ok {
			t.Errorf("%s: the remark of the source is lost", query)
		}
	}
	r, err := asked(t, `{"aggregate":[{"op":"sum","column":"value"}]}`)
	if _, ok := r.Notice(tool.NoticePartial); !ok || err != nil {
		t.Error("a sum over rows of which one is unknown does not say so")
	}
	r, err = asked(t, `{"aggregate":[{"op":"sum","column":"price"}]}`)
	if _, ok := r.Notice(tool.NoticeCurrency); !ok || err != nil {
		t.Error("amounts of two currencies: nothing says that they do not add up")
	}
}

func TestAMeaninglessQueryIsRejectedWithAdvice(t *testing.T) {
	for query, want := range map[string]string{
		`{"aggregate":[{"op":"sum","column":"margin_percent"}]}`:                 "do not add up",
		`{"aggregate":[{"op":"avg","column":"name"}]}`:                           "no numbers",
		`{"columns":["cost"]}`:                                                   "may not be seen",
		`{"sort_by":"profit"}`:                                                   "there are: name, group",
		`{"where":[{"column":"stock","op":"gt","value":"много"}]}`:               "plain number",
		`{"group_by":["nothing"]}`:                                               "no column",
		`{"aggregate":[{"op":"sum"}]}`:                                           "no column",
		`{"where":[{"column":"cost","op":"gt","value":"0"}],"columns":["name"]}`: "may not be seen",
	} {
		_, err := asked(t, query)
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

func TestRequestedColumnsAreNotDetails(t *testing.T) {
	source := shelf()
	for i := range source.Columns {
		source.Columns[i].Detail = true
	}
	for _, q := range []resultquery.Query{
		{Columns: []string{"name", "price"}},
		{GroupBy: []string{"group"}, Aggregate: []resultquery.Aggregate{{Op: "sum", Column: "value"}}},
	} {
		r, err := resultquery.Run(source.InPages(), q, stockhand.Russian)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Columns {
			if c.Detail {
				t.Errorf("%+v: %s is a detail", q, c.Name)
			}
		}
	}
}

// A query keeps only the rows of its output, however large the result is.
func TestAQueryOfALargeResultKeepsFewRows(t *testing.T) {
	const pages, perPage = 400, 200
	columns := []tool.Column{{Name: "name", Unit: tool.UnitText}, {Name: "group", Unit: tool.UnitText},
		{Name: "stock", Unit: tool.UnitQuantity}}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for query, want := range map[string]string{
		`{"sort_by":"stock","top":2,"columns":["name"]}`:                                               "tea 79999\ntea 79998",
		`{"sort_by":"stock","ascending":true,"top":2,"columns":["name"]}`:                              "tea 0\ntea 1",
		`{"top":1,"columns":["name"]}`:                                                                 "tea 0",
		`{"top":2,"offset":3,"columns":["name"]}`:                                                      "tea 3\ntea 4",
		`{"sort_by":"stock","top":1,"offset":60,"columns":["name"]}`:                                   "tea 79939",
		`{"where":[{"column":"stock","op":"ge","value":79999}],"offset":2,"top":1,"columns":["name"]}`: "",
		`{"where":[{"column":"stock","op":"ge","value":"79999"}],"columns":["name"]}`:                  "tea 79999",
		`{"aggregate":[{"op":"sum","column":"stock"},{"op":"count"}]}`:                                 "3199960000 80000",
		`{"group_by":["group"],"aggregate":[{"op":"max","column":"stock"},{"op":"count"}]}`:            "0 79998 40000\n1 79999 40000",
	} {
		var in resultquery.Query
		if err := json.Unmarshal([]byte(query), &in); err != nil {
			t.Fatal(err)
		}
		before, most := heap(), uint64(0)
		source := tool.Table{Result: &tool.Result{Columns: columns}, Count: pages * perPage,
			Pages: func(yield func(tool.Rows, error) bool) {
				for n := range pages {
					var rows tool.Rows
					for i := n * perPage; i < (n+1)*perPage; i++ {
						rows = append(rows,
							tool.Row{tool.TextValue(fmt.Sprint("tea ", i)), tool.TextValue(fmt.Sprint(i % 2)),
								tool.Count(i)})
					}
					if n%50 == 49 {
						most = max(most, heap())
					}
					if !yield(rows, nil) {
						return
					}
				}
			}}
		r, err := resultquery.Run(source, in, stockhand.English)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(shown(r)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
		if most > before+4<<20 {
			t.Errorf("%s: %d MB were in use", query, (most-before)>>20)
		}
	}
}

// A query of rows that cannot be read is an error, not a figure computed from some of them.
func TestAQueryOfRowsThatCannotBeReadFails(t *testing.T) {
	damaged := errors.New("damaged")
	source := shelf().InPages()
	whole := source.Pages
	source.Pages = func(yield func(tool.Rows, error) bool) {
		whole(yield)
		yield(nil, damaged)
	}
	in := resultquery.Query{Aggregate: []resultquery.Aggregate{{Op: "count"}}}
	if r, err := resultquery.Run(source, in, stockhand.English); !errors.Is(err, damaged) {
		t.Errorf("%+v, %v", r, err)
	}
}
