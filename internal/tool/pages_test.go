package tool_test

import (
	"context"
	"encoding/json"
	"errors"
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

// What is not a row of the result's columns is an error, because a wrong figure is worse than none.
func TestDamagedRowsAreNotRead(t *testing.T) {
	head := `{"tool":"t","title":"t","columns":[{"name":"a","label":"a","unit":"text"},` +
		`{"name":"n","label":"n","unit":"quantity"},{"name":"m","label":"m","unit":"money"}],"totals":null,"rows":`
	for rows, whole := range map[string]bool{
		`[]`: true, `[{}]`: true, `[{"a":null,"n":"","new":5}]`: true,
		`[{"m":{"amount":"1.50","currency":"RUB"},"n":"2","a":"\u0447ай"}]`: true,
		`{}`: false, `5`: false, `[5]`: false, `[[]]`: false, `[null]`: false, `[{"a":5}]`: false, `[{"a":true}]`: false,
		`[{"n":"x"}]`: false, `[{"m":[]}]`: false, `[{"m":{}}]`: false, `[{"m":{"amount":1.5}}]`: false,
	} {
		var r tool.Result
		if err := json.Unmarshal([]byte(head+rows+"}"), &r); (err == nil) != whole {
			t.Errorf("%s: %v", rows, err)
		}
		table, err := tool.ReadTable(stockhand.StoredResult{Head: json.RawMessage(head + "[]}"), Rows: 1},
			func(yield func(stockhand.RowPage, error) bool) {
				yield(stockhand.RowPage{Rows: json.RawMessage(rows)}, nil)
			})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Whole(); (err == nil) != whole {
			t.Errorf("%s as a page: %v", rows, err)
		}
		for cut := range rows { // half a page
			half, _ := tool.ReadTable(stockhand.StoredResult{Head: json.RawMessage(head + "[]}"), Rows: 1},
				func(yield func(stockhand.RowPage, error) bool) {
					yield(stockhand.RowPage{Rows: json.RawMessage(rows[:cut])}, nil)
				})
			if _, err := half.Whole(); err == nil {
				t.Errorf("%s is read", rows[:cut])
			}
		}
	}
}

func BenchmarkReadTable(b *testing.B) {
	r := &tool.Result{Tool: "t", Columns: []tool.Column{
		{Name: "name", Unit: tool.UnitText}, {Name: "code", Unit: tool.UnitText}, {Name: "store", Unit: tool.UnitText},
		{Name: "stock", Unit: tool.UnitQuantity}, {Name: "reserve", Unit: tool.UnitQuantity},
		{Name: "cost", Unit: tool.UnitMoney}, {Name: "price", Unit: tool.UnitMoney}, {Name: "id", Unit: tool.UnitText}}}
	for i := range int64(1_000) {
		n := decimal.FromInt(i)
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(fmt.Sprint("Чай чёрный байховый крупнолистовой, партия ", i)),
			tool.TextValue(fmt.Sprint("ART-", i)), tool.TextValue("Основной склад"), tool.Number(n), tool.Number(n),
			tool.Money(n, "RUB"), tool.Money(n, "RUB"), tool.TextValue(fmt.Sprint("5d3a-11f0-0a80-", i))})
	}
	s, err := r.Stored()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		table, err := tool.ReadTable(s, func(yield func(stockhand.RowPage, error) bool) {
			for _, p := range s.Pages {
				if !yield(p, nil) {
					return
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		for rows, err := range table.Pages {
			if err != nil || len(rows) == 0 {
				b.Fatal(err)
			}
		}
	}
}

// Finding L8.
func TestAttackThousandsOfUnknownArguments(t *testing.T) {
	type input struct {
		Limit int `json:"limit,omitempty"`
	}
	fn := tool.Read("t", tool.Text{}, tool.Text{}, func(context.Context, tool.Env, input) (*tool.Result, error) {
		return &tool.Result{}, nil
	})
	arguments := map[string]int{strings.Repeat("x", 10_000): 1}
	for i := range 5_000 { // arguments of more than 64 KiB are refused whole
		arguments[fmt.Sprint("f", i)] = 1
	}
	b, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fn.Input.Check(b)
	e, ok := errors.AsType[*stockhand.Error](err)
	if !ok || e.Code != stockhand.CodeValidation || len(e.Fields) != 20 {
		t.Fatalf("%v", err)
	}
	_, err = fn.Input.Check(json.RawMessage(`{"` + strings.Repeat("x", 60_000) + `":1}`))
	if e, ok := errors.AsType[*stockhand.Error](err); !ok || len(e.Error())+len(e.Fields[0].Field) > 1_000 {
		t.Errorf("a long name makes an error of %d bytes", len(err.Error()))
	}
}
