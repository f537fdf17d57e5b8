package compute_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Every operation on random numbers of up to 19 digits gives what rational numbers give.
func TestFiguresEqualRationalNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	value := func() decimal.Decimal {
		digits := random.Int64N([]int64{10, 1000, 1e6, 1e12, 9e18}[random.IntN(5)])
		if random.IntN(2) == 0 {
			digits = -digits
		}
		d := decimal.FromInt(digits)
		for range random.IntN(4) {
			d = d.Major()
		}
		return d
	}
	rational := func(s string) *big.Rat {
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is not a number", s)
		}
		return r
	}
	const rows = 1000
	r := &tool.Result{Columns: []tool.Column{{Name: "i", Unit: tool.UnitNumber}, {Name: "a", Unit: tool.UnitNumber},
		{Name: "b", Unit: tool.UnitNumber}}}
	a, b := make([]*big.Rat, rows), make([]*big.Rat, rows)
	for i := range rows {
		x, y := value(), value()
		if i%10 == 0 {
			y = x
		}
		a[i], b[i] = rational(x.String()), rational(y.String())
		r.Rows = append(r.Rows, tool.Row{tool.Count(i), tool.Number(x), tool.Number(y)})
	}
	ask := func(sql string) *tool.Result {
		t.Helper()
		out, err := compute.Run(t.Context(), compute.Query{SQL: sql, Language: stockhand.English,
			Tables: []compute.Table{{Name: "r1", Result: "res_1", Table: r.InPages()}}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	exact := ask("SELECT CAST(a + b AS TEXT), CAST(a - b AS TEXT), CAST(a * b AS TEXT), CAST(a / b AS TEXT), a < b, " +
		"a = b, a >= b, CAST(-a AS TEXT), CAST(round(a, 1) AS TEXT), CAST(max(a, b) AS TEXT), a <> b FROM r1 ORDER BY i")
	for i, row := range exact.Rows {
		c := a[i].Cmp(b[i])
		quotient := ""
		if b[i].Sign() != 0 {
			quotient = new(big.Rat).Quo(a[i], b[i]).FloatString(20)
		}
		greater := a[i]
		if c < 0 {
			greater = b[i]
		}
		truth := map[bool]string{true: "1", false: "0"}
		for k, want := range []string{new(big.Rat).Add(a[i], b[i]).RatString(),
			new(big.Rat).Sub(a[i], b[i]).RatString(),
			new(big.Rat).Mul(a[i], b[i]).RatString(), quotient, truth[c < 0], truth[c == 0], truth[c >= 0],
			new(big.Rat).Neg(a[i]).RatString(), a[i].FloatString(1), greater.RatString(), truth[c != 0]} {
			got := row[k].Text()
			if d, ok := row[k].Decimal(); ok {
				got = d.String()
			}
			if want == "" && got == "" {
				continue
			}
			if got == "" || rational(got).Cmp(rational(want)) != 0 {
				t.Errorf("%s, %s: column %d is %s, want %s", a[i].RatString(), b[i].RatString(), k, got, want)
			}
		}
	}
	sum, moving := new(big.Rat), new(big.Rat)
	for i := range rows {
		sum.Add(sum, a[i])
		if moving.Add(moving, a[i]); i >= 3 {
			moving.Sub(moving, a[i-3])
		}
	}
	got := ask("SELECT CAST(sum(a) AS TEXT), CAST(avg(a) AS TEXT), (SELECT CAST(sum(a) OVER (ORDER BY i " +
		"ROWS 2 PRECEDING) AS TEXT) FROM r1 ORDER BY i DESC LIMIT 1) FROM r1").Rows[0]
	mean := new(big.Rat).Quo(sum, big.NewRat(rows, 1)).FloatString(20)
	for k, want := range []*big.Rat{sum, rational(mean), moving} {
		if rational(got[k].Text()).Cmp(want) != 0 {
			t.Errorf("aggregate %d is %s, want %s", k, got[k].Text(), want.FloatString(20))
		}
	}
	slices.SortFunc(a, (*big.Rat).Cmp)
	for i, row := range ask("SELECT CAST(a AS TEXT) FROM r1 ORDER BY a").Rows {
		if rational(row[0].Text()).Cmp(a[i]) != 0 {
			t.Fatalf("row %d in order is %s, want %s", i, row[0].Text(), a[i].RatString())
		}
	}
}

// What is rounded or left out is said.
func TestTheOutputSaysWhatWasRoundedLeftOutOrHidden(t *testing.T) {
	for sql, want := range map[string][]tool.NoticeCode{
		"SELECT 1 / 3 AS third":                                                   {tool.NoticeRounded},
		"SELECT sum(revenue) / 7 AS x FROM r2":                                    {tool.NoticeRounded},
		"SELECT 1 / 4 AS quarter, sum(revenue) s FROM r2":                         nil,
		"SELECT sum(value) FROM r1":                                               {tool.NoticePartial},
		"SELECT 1 / 0":                                                            {tool.NoticePartial},
		"SELECT name, coalesce(cost, 0) AS cost FROM r1":                          {tool.NoticeRightMissing},
		"SELECT name FROM r1 WHERE cost > 5":                                      {tool.NoticeRightMissing},
		"SELECT name, price FROM r1":                                              {tool.NoticeCurrency},
		"SELECT sold * 100 / (SELECT sum(sold) FROM r2) AS share_percent FROM r2": {tool.NoticeRounded},
	} {
		r, err := run(t, sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var codes []tool.NoticeCode
		for _, n := range r.Notices {
			codes = append(codes, n.Code)
		}
		if !slices.Equal(codes, want) {
			t.Errorf("%s: %s, want %s", sql, codes, want)
		}
	}
}

// The units of columns follow from the units of what they were computed from.
func TestTheUnitsOfColumnsFollowFromTheirInputs(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT revenue, sold, receipts, day, name, at FROM r2":                              "money quantity count date text moment",
		"SELECT sum(revenue), avg(sold), count(*), max(day), max(at) FROM r2":                "money quantity count date moment",
		"SELECT revenue / sold, revenue * 2, revenue / revenue, sold / sold FROM r2":         "money money number number",
		"SELECT coalesce(NULL, revenue), CASE WHEN sold > 1 THEN revenue ELSE 0 END FROM r2": "money money",
		"SELECT margin_percent, 100 * (value / value) AS share_percent FROM r1":              "percent percent",
		"SELECT number(revenue), currency(revenue), unit(stock) FROM r1, r2":                 "number text text",
		"SELECT sum(revenue) FROM r2 WHERE sold > 1000":                                      "text",
	} {
		r, err := run(t, sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		got := ""
		for _, c := range r.Columns {
			got += " " + string(c.Unit)
		}
		if got != " "+want {
			t.Errorf("%s:%s, want %s", sql, got, want)
		}
	}
	r, err := run(t, "SELECT name, sum(revenue) AS s FROM r2 GROUP BY name")
	if err != nil || r.Columns[0].Label != "Товар" || r.Columns[1].Label != "s" ||
		r.Provenance.Sources[0].Path != "results/res_2" || fmt.Sprint(r.Provenance.Method) == "" {
		t.Errorf("%+v, %v", r, err)
	}
}
