package compute_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func money(s, currency string) tool.Value { return tool.Money(decimal.MustParse(s), currency) }
func number(s string) tool.Value          { return tool.Number(decimal.MustParse(s)) }

// shop is two results: a shelf with all that makes sums wrong, and sales by day.
func shop() []compute.Table {
	shelf := &tool.Result{Title: "Полка", Columns: []tool.Column{
		{Name: "name", Label: "Товар", Unit: tool.UnitText}, {Name: "group", Label: "Группа", Unit: tool.UnitText},
		{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity}, {Name: "unit", Label: "Ед.", Unit: tool.UnitText},
		{Name: "price", Label: "Цена", Unit: tool.UnitMoney}, {Name: "value", Label: "Сумма", Unit: tool.UnitMoney},
		{Name: "margin_percent", Label: "Маржа", Unit: tool.UnitPercent},
		{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney, Hidden: true},
	}, Rows: tool.Rows{
		{tool.TextValue("Чай зелёный"), tool.TextValue("Чай"), number("10"), tool.TextValue("шт"), money("0.1", "RUB"),
			money("1000.10", "RUB"), number("20"), tool.Empty},
		{tool.TextValue("Чай чёрный"), tool.TextValue("Чай"), number("2.5"), tool.TextValue("кг"), money("0.2", "RUB"),
			money("250.20", "RUB"), number("40"), tool.Empty},
		{tool.TextValue("Кофе"), tool.TextValue("Кофе"), number("-1"), tool.TextValue("шт"), money("9", "USD"),
			tool.Empty, tool.Empty, tool.Empty},
	}}
	sales := &tool.Result{Title: "Продажи", Columns: []tool.Column{
		{Name: "day", Label: "День", Unit: tool.UnitDate}, {Name: "name", Label: "Товар", Unit: tool.UnitText},
		{Name: "sold", Label: "Продано", Unit: tool.UnitQuantity},
		{Name: "receipts", Label: "Чеков", Unit: tool.UnitCount},
		{Name: "revenue", Label: "Выручка", Unit: tool.UnitMoney}, {Name: "at", Label: "Когда", Unit: tool.UnitMoment},
	}}
	for i, row := range []struct{ day, name, sold, revenue string }{
		{"2026-10-01", "Чай зелёный", "3", "100.30"}, {"2026-10-02", "Чай зелёный", "1", "33.10"},
		{"2026-10-02", "Чай чёрный", "0.5", "49.99"},
	} {
		sales.Rows = append(sales.Rows, tool.Row{tool.Date(tool.Day(row.day)), tool.TextValue(row.name),
			number(row.sold),
			tool.Count(i + 1), money(row.revenue, "RUB"),
			tool.Moment(time.Date(2026, 10, 1+i, 0, 30, 0, 0, time.FixedZone("", 3*60*60)))})
	}
	return []compute.Table{{Name: "r1", Result: "res_1", Table: shelf.InPages()},
		{Name: "r2", Result: "res_2", Table: sales.InPages()}}
}

func run(t *testing.T, sql string) (*tool.Result, error) {
	t.Helper()
	return compute.Run(t.Context(), compute.Query{SQL: sql, Tables: shop(), Language: stockhand.English,
		Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)})
}

// shown is the rows of a result as text.
func shown(r *tool.Result) string {
	var lines []string
	for _, row := range r.Rows {
		var cells []string
		for _, v := range row {
			d, ok := v.Decimal()
			switch {
			case ok:
				cells = append(cells, d.String()+v.Currency())
			default:
				cells = append(cells, cmp.Or(v.Text(), "—"))
			}
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

func TestPlainSQLComputesExactly(t *testing.T) {
	for sql, want := range map[string]string{
		// floats would give 0.30000000000000004
		"SELECT sum(price) FROM r1 WHERE currency(price) = 'RUB'":         "0.3RUB",
		"SELECT 0.1 + 0.2 = 0.3, 1.10 * 3, 0.1 + 0.2 - 0.3":               "1 3.3 0",
		"SELECT 7 / 2, 1 / 3, 2 / 3, 10 % 4, -7 / 2":                      "3.5 0.333333 0.666667 2 -3.5",
		"SELECT 9007199254740993 + 1, 0.1 * 0.1 * 0.1":                    "9007199254740994 0.001",
		"SELECT group, sum(value) FROM r1 GROUP BY group ORDER BY 2 DESC": "Чай 1250.3RUB\nКофе —",
		"SELECT sum(revenue) / sum(receipts) FROM r2":                     "30.57RUB",
		"SELECT sum(revenue) * 100 / (SELECT sum(value) FROM r1) FROM r2": "14.66768",
		"SELECT name, value FROM r1 WHERE value > 500":                    "Чай зелёный 1000.1RUB",
		"SELECT name FROM r1 WHERE value BETWEEN 250 AND 250.2":           "Чай чёрный",
		"SELECT name FROM r1 WHERE stock IN (10, -1) ORDER BY stock":      "Кофе\nЧай зелёный",
		"SELECT name FROM r1 WHERE value IS NULL":                         "Кофе",
		"SELECT name FROM r1 WHERE name LIKE '%ЗЕЛЕНЫЙ'":                  "Чай зелёный",
		"SELECT r1.name, sum(sold * price) s FROM r1 JOIN r2 USING (name) GROUP BY 1 ORDER BY s": "Чай чёрный 0.1RUB\n" +
			"Чай зелёный 0.4RUB",
		"SELECT name FROM r1 WHERE name NOT IN (SELECT name FROM r2)":                    "Кофе",
		"SELECT a.name FROM r1 a LEFT JOIN r2 b ON a.name = b.name WHERE b.name IS NULL": "Кофе",
		"SELECT strftime('%Y-%m', day) m, count(*), avg(revenue) FROM r2 GROUP BY m":     "2026-10 3 61.13RUB",
		"SELECT day, sum(revenue) OVER (ORDER BY day, name) FROM r2": "2026-10-01 100.3RUB\n2026-10-02 133.4RUB\n" +
			"2026-10-02 183.39RUB",
		"SELECT sum(revenue) OVER (ORDER BY revenue ROWS 1 PRECEDING) FROM r2":                                           "33.1RUB\n83.09RUB\n150.29RUB",
		"SELECT name, rank() OVER (ORDER BY revenue DESC) k FROM r2 ORDER BY k":                                          "Чай зелёный 1\nЧай чёрный 2\nЧай зелёный 3",
		"SELECT max(revenue), min(day), max(1, 2.5), day FROM r2":                                                        "100.3RUB 2026-10-01 2.5 2026-10-01",
		"WITH d AS (SELECT day AS x, sum(revenue) AS s FROM r2 GROUP BY day) SELECT x, s FROM d WHERE s > 90 ORDER BY s": "2026-10-01 100.3RUB",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT sum(i) FROM n":               "10",
		"SELECT CASE WHEN stock < 0 THEN 'minus' ELSE 'plus' END FROM r1 ORDER BY stock":                                 "minus\nplus\nplus",
		"SELECT CASE name WHEN 'Кофе' THEN 1 ELSE 2 END x FROM r1 ORDER BY x":                                            "1\n2\n2",
		"SELECT round(2.345, 2), round(-2.5), abs(-3), floor(-1.5), ceil(1.2), CAST(2.9 AS INTEGER)":                     "2.35 -3 3 -2 2 2",
		"SELECT julianday('2026-11-22') - julianday('2026-10-01'), date('now')":                                          "52 2026-11-22",
		"SELECT date(at) FROM r2 WHERE revenue > 100":                                                                    "2026-10-01",
		"SELECT name || ': ' || value FROM r1 WHERE value < 900":                                                         "Чай чёрный: 250.2",
		"SELECT 1 / 0, coalesce(cost, 0) FROM r1 LIMIT 1":                                                                "— 0",
		"SELECT currency(price) c, sum(price) FROM r1 GROUP BY c ORDER BY c":                                             "RUB 0.3RUB\nUSD 9USD",
		"SELECT unit, sum(stock) FROM r1 GROUP BY unit ORDER BY unit":                                                    "кг 2.5\nшт 9",
		"VALUES (1, 'a'), (2.5, 'b')":                                                                                    "1 a\n2.5 b",
		"select NAME from R1 order by Price desc limit 1;":                                                               "Кофе",
		"SELECT count(DISTINCT name), sum(revenue) FILTER (WHERE day = '2026-10-02') FROM r2":                            "2 83.09RUB",
		"SELECT group_concat(name, ', ') FROM (SELECT DISTINCT name FROM r2)":                                            "Чай зелёный, Чай чёрный",
	} {
		r, err := run(t, sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if got := shown(r); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", sql, got, want)
		}
		if _, err := r.Stored(); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func TestWhatIsNotExactOrNotTheSameUnitIsAnError(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT sum(price) FROM r1":             "RUB and USD do not add up: GROUP BY currency(",
		"SELECT sum(stock) FROM r1":             "do not add up: GROUP BY unit(",
		"SELECT avg(stock) FROM r1":             "do not add up",
		"SELECT max(price) FROM r1":             "cannot be compared",
		"SELECT price + stock FROM r1":          "do not add up",
		"SELECT price + margin_percent FROM r1": "do not add up",
		"SELECT sum(margin_percent) FROM r1":    "percentages do not add up",
		"SELECT price * value FROM r1":          "money times money",
		"SELECT price / b.p FROM r1, (SELECT price AS p FROM r1 WHERE name = 'Кофе') b": "cannot be divided",
		"SELECT name > 5 FROM r1":                                "is not a number",
		"SELECT sum(name) FROM r1":                               "is not a number",
		"SELECT group, price, sum(value) FROM r1 GROUP BY group": "'price' is neither grouped nor aggregated",
		"SELECT name, sum(value) FROM r1":                        "'name' is neither grouped nor aggregated",
		"SELECT revenues FROM r2":                                "no such column: \"revenues\"",
		"SELECT x FROM r9":                                       "there is no table 'r9'",
		"SELECT sum(value FROM r1":                               `near "FROM"`,
		"SELECT printf('%d', 1)":                                 "no function",
		"SELECT value FROM r1 UNION ALL SELECT name FROM r1":     "numbers and texts",
		"SELECT 99999999999999999999":                            "too many digits",
	} {
		r, err := run(t, sql)
		if stockhand.CodeOf(err) != stockhand.CodeValidation || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", sql, r, err, want)
			continue
		}
		if e, _ := errors.AsType[*stockhand.Error](err); !strings.Contains(e.Hint,
			"r1(name text, group text, stock quantity") {
			t.Errorf("%s: the hint is %q", sql, e.Hint)
		}
	}
}

func table(rows int) compute.Table {
	r := &tool.Result{Columns: []tool.Column{{Name: "id", Unit: tool.UnitText}, {Name: "group", Unit: tool.UnitText},
		{Name: "quantity", Unit: tool.UnitQuantity}, {Name: "price", Unit: tool.UnitMoney}}}
	for i := range rows {
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(fmt.Sprint("id", i)),
			tool.TextValue(fmt.Sprint("group ", i%500)),
			tool.Number(decimal.FromInt(int64(i % 97))), money(fmt.Sprintf("%d.%02d", i%10000, i%100), "RUB")})
	}
	return compute.Table{Name: "r1", Result: "res_1", Table: r.InPages()}
}

func BenchmarkCompute(b *testing.B) {
	tables := []compute.Table{table(100_000)}
	whole, err := tables[0].Whole()
	if err != nil {
		b.Fatal(err)
	}
	stored, err := whole.Stored()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("decode what is stored", func(b *testing.B) {
		for b.Loop() {
			t, err := tool.ReadTable(stored, func(yield func(stockhand.RowPage, error) bool) {
				for _, p := range stored.Pages {
					if !yield(p, nil) {
						return
					}
				}
			})
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range t.Pages {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for name, sql := range map[string]string{
		"group by, exact sum": "SELECT group, sum(price) AS s FROM r1 GROUP BY group",
		"group by, condition": "SELECT group, sum(price) / count(*) AS s FROM r1 WHERE quantity > 10 GROUP BY 1 " +
			"HAVING s > 5 ORDER BY s DESC LIMIT 10",
		"group by, in SQLite": "SELECT group, group_concat(quantity) AS n, sum(price) AS s FROM r1 GROUP BY group",
		"sum of products":     "SELECT sum(price * quantity) AS s FROM r1",
		"load":                "SELECT count(*) FROM (SELECT group, price FROM r1 LIMIT 1)",
		"running sum":         "SELECT sum(s) FROM (SELECT sum(price) OVER (ORDER BY id ROWS 6 PRECEDING) AS s FROM r1)",
		"join":                "SELECT count(*) FROM r1 JOIN r1 AS b ON r1.id = b.id",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := compute.Run(b.Context(), compute.Query{SQL: sql, Tables: tables}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
