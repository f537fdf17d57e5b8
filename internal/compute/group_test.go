package compute_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// mixed is a table with unknown cells, several currencies and units of measure, and numbers of up to 19 digits.
func mixed(random *rand.Rand) compute.Table {
	r := &tool.Result{Title: "Mixed", Columns: []tool.Column{{Name: "name", Unit: tool.UnitText},
		{Name: "day", Unit: tool.UnitDate}, {Name: "q", Unit: tool.UnitQuantity}, {Name: "unit", Unit: tool.UnitText},
		{Name: "price", Unit: tool.UnitMoney}, {Name: "dear", Unit: tool.UnitMoney}, {Name: "n", Unit: tool.UnitNumber},
		{Name: "c", Unit: tool.UnitCount}, {Name: "big", Unit: tool.UnitNumber}}}
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	maybe := func(v tool.Value) tool.Value {
		if random.IntN(6) == 0 {
			return tool.Empty
		}
		return v
	}
	amount := func() string { return pick("0", "0.1", "0.20", "-3.30", "100", "12.345", "7") }
	for range 60 {
		big := decimal.FromInt(random.Int64N(9e18))
		if random.IntN(2) == 0 {
			big = big.Neg().Major()
		}
		r.Rows = append(r.Rows, tool.Row{maybe(tool.TextValue(pick("Чай", "чай", "Кофе", "a", "A"))),
			maybe(tool.Date(tool.Day(pick("2026-10-01", "2026-10-02", "2026-11-01")))), maybe(number(amount())),
			tool.TextValue(pick("шт", "шт", "кг")), maybe(money(amount(), "RUB")),
			maybe(money(amount(), pick("RUB", "USD"))), maybe(number(pick("1", "2", "0", "1.5", "-1"))),
			maybe(tool.Count(random.IntN(4))), maybe(tool.Number(big))})
	}
	return compute.Table{Name: "r1", Result: "res_1", Table: r.InPages()}
}

// Groups that are computed outside of SQLite are those of SQLite: rows in their order, columns, notices and errors.
func TestGroupsAreThoseOfSQLite(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	var value func(depth int) string
	value = func(depth int) string {
		if depth == 0 || random.IntN(3) == 0 {
			return pick("price", "price", "price", "n", "n", "q", "c", "big", "dear", "1", "2.5", "r1.price", "NULL")
		}
		x := value(depth - 1)
		return pick("("+x+" * "+value(depth-1)+")", "("+x+" + "+value(depth-1)+")", "("+x+" - "+value(depth-1)+")",
			"("+x+" / "+value(depth-1)+")", "-"+x, "abs("+x+")", "round("+x+", 1)", "coalesce("+x+", 0)",
			"number("+x+")",
			"CASE WHEN n > 1 THEN "+x+" END", "max("+x+", "+value(depth-1)+")", "CAST("+x+" AS INTEGER)")
	}
	term := func() string {
		return pick("name", "name", "day", "r1.name", "currency(dear)", "unit(q)", "substr(day, 1, 7)", "n", "price",
			"name || day", "lower(name)", "strftime('%Y', day)", "c > 1", "big")
	}
	var condition func(depth int) string
	condition = func(depth int) string {
		if depth > 0 && random.IntN(2) == 0 {
			return pick("NOT "+condition(depth-1), "("+condition(depth-1)+" AND "+condition(depth-1)+")",
				"("+condition(depth-1)+" OR "+condition(depth-1)+")")
		}
		return pick("name = 'Чай'", "name <> 'a'", "n > 0", "price >= 0.2", "day BETWEEN '2026-10-02' AND '2026-12-01'",
			"name IN ('a', 'чай')", "n IN (1, 1.5)", "price IS NULL", "day IS NOT NULL", "name LIKE 'ч%'", "name = day",
			"currency(dear) = 'RUB'", "unit = 'шт'", "q NOT IN (7)", "n IS NOT 1", "TRUE", "c", "name < day",
			"name IN (SELECT name FROM r1 WHERE n = 1)")
	}
	aggregate := func() string {
		x := value(2)
		return pick("sum("+x+")", "sum("+x+")", "avg("+x+")", "count(*)", "count("+x+")", "count(DISTINCT name)",
			"min("+x+")", "max("+x+")", "max(day)", "min(name)", "total("+x+")", "sum(DISTINCT "+x+")",
			"sum("+x+") FILTER (WHERE "+condition(1)+")", "sum("+x+") / count(*)", "coalesce(sum("+x+"), 0)",
			"sum("+x+") / (SELECT sum(price) FROM r1)", "group_concat(name)", "rank() OVER (ORDER BY count(*))",
			"100 * sum(price) / sum(sum(price)) OVER ()")
	}
	computed, failed := 0, 0
	for range 3000 {
		var items, terms []string
		for range random.IntN(3) {
			terms = append(terms, term())
		}
		for i, x := range terms {
			switch random.IntN(4) {
			case 0:
				items = append(items, fmt.Sprintf("%s AS t%d", x, i))
				if random.IntN(2) == 0 {
					terms[i] = fmt.Sprint("t", i)
				}
			case 1:
				items = append(items, x)
				terms[i] = fmt.Sprint(len(items))
			case 2:
				items = append(items, x)
			}
		}
		for i := range random.IntN(3) {
			items = append(items, aggregate()+pick("", fmt.Sprint(" AS s", i), " AS price", " name"))
		}
		if len(items) == 0 {
			items = append(items, "count(*)")
		}
		sql := "SELECT " + pick("", "", "DISTINCT ") + strings.Join(items, ", ") + " FROM r1" +
			pick("", "", " x", " AS r1")
		if random.IntN(2) == 0 {
			sql += " WHERE " + condition(2)
		}
		if len(terms) > 0 {
			sql += " GROUP BY " + strings.Join(terms, ", ")
		}
		sql += pick("", "", "", " HAVING count(*) > 1", " HAVING s0 > 1", " HAVING price > 1",
			" HAVING name IS NOT NULL")
		order := []string{"1", "name", "sum(n)", "s0", "price DESC", "t0", "count(*) DESC, 1", "-count(*)"}
		sql += pick("", "", " ORDER BY "+pick(order...), " ORDER BY "+pick(append(order, terms...)...))
		sql += pick("", "", "", " LIMIT 2", " LIMIT 3 OFFSET 1")
		if random.IntN(5) == 0 {
			sql = pick("SELECT count(*) FROM ("+sql+")", "WITH x AS ("+sql+") SELECT * FROM x",
				"SELECT n, ("+sql+") FROM r1 AS o LIMIT 2", "SELECT name, ("+sql+") AS y, sum(n) FROM r1 GROUP BY name")
		}
		q := compute.Query{SQL: sql, Tables: []compute.Table{mixed(random)}, Language: stockhand.English,
			Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
		got, err := compute.Run(t.Context(), q)
		want, wantErr := compute.RunBySQLite(t.Context(), q)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%s:\n%v\nwant\n%v", sql, err, wantErr)
		}
		if err != nil {
			failed++
			continue
		}
		if compute.Grouped(t.Context(), q) > 0 {
			computed++
		}
		if a, b := shown(got), shown(want); a != b {
			t.Fatalf("%s:\n%s\nwant\n%s", sql, a, b)
		}
		// SQLite may not see all that a notice is about: groups that nothing needs
		if strings.Contains(sql, "LIMIT") || strings.Contains(sql, "HAVING") || strings.Contains(sql, "(SELECT") {
			for _, n := range want.Notices {
				if !slices.Contains(got.Notices, n) {
					t.Errorf("%s: the notice %s is missing", sql, n.Code)
				}
			}
			got.Notices, want.Notices = nil, nil
		}
		if a, b := fmt.Sprint(got.Columns, got.Notices, got.Provenance), fmt.Sprint(want.Columns, want.Notices,
			want.Provenance); a != b {
			t.Fatalf("%s:\n%s\nwant\n%s", sql, a, b)
		}
	}
	if computed < 500 {
		t.Errorf("only %d queries were grouped outside of SQLite, %d failed", computed, failed)
	}
}

func TestGroupingEndsInTime(t *testing.T) {
	tables := []compute.Table{table(100_000)}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	_, err := compute.Run(ctx, compute.Query{SQL: "SELECT upper(id), count(*) FROM r1 GROUP BY 1",
		Tables: tables, Language: stockhand.English})
	if err == nil || !strings.Contains(err.Error(), "took longer than") {
		t.Error(err)
	}
}
