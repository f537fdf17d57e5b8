package chart

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func rub(s string) tool.Value {
	if s == "" {
		return tool.Empty
	}
	return tool.Money(decimal.MustParse(s), "RUB")
}

// table returns a table of a text column and columns of the unit; a row is its cells.
func table(unit tool.Unit, columns []string, rows ...[]string) *tool.Result {
	r := &tool.Result{Columns: []tool.Column{{Name: "x", Label: columns[0], Unit: tool.UnitText}}}
	for i, label := range columns[1:] {
		r.Columns = append(r.Columns, tool.Column{Name: fmt.Sprint("y", i+1), Label: label, Unit: unit})
	}
	for _, cells := range rows {
		row := tool.Row{tool.TextValue(cells[0])}
		for _, s := range cells[1:] {
			switch {
			case s == "":
				row = append(row, tool.Empty)
			case unit == tool.UnitMoney:
				row = append(row, rub(s))
			default:
				row = append(row, tool.Number(decimal.MustParse(s)))
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func render(t *testing.T, c Chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := Figure("c1", c).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func days(l stockhand.Language) *tool.Result {
	var rows [][]string
	for d := 1; d <= 31; d++ {
		if d == 12 || d == 13 || d == 20 {
			continue
		}
		label := l.Pick(fmt.Sprintf("%02d.10.2026", d), fmt.Sprintf("%d Oct 2026", d))
		rows = append(rows, []string{label, fmt.Sprintf("%d.5", 40000+(d*d*7919)%90000)})
	}
	return table(tool.UnitMoney, []string{l.Pick("День", "Day"), l.Pick("Выручка", "Revenue")}, rows...)
}

// examples are charts of every kind in both languages. The pictures are looked at; see docs/console.md.
func examples(t *testing.T, l stockhand.Language) map[string]Chart {
	t.Helper()
	names := []string{
		"Кружка керамическая «Утро» 350 мл, белая", "Чай чёрный байховый", "Плед шерстяной 140×200", "Ложка",
	}
	one := func(r *tool.Result, s Spec) Chart {
		s.X = "x"
		c, ok := Of(r, s, l)
		if !ok {
			t.Fatalf("%+v is not drawn", s)
		}
		return c
	}
	percent := table(tool.UnitMoney, []string{"Товар", "Прибыль"}, []string{names[0], "410000"},
		[]string{names[1], "250300"},
		[]string{names[2], "91000.40"}, []string{names[3], "8000"})
	percent.Columns = append(percent.Columns, tool.Column{Name: "cumulative", Label: "%", Unit: tool.UnitPercent})
	for i, s := range []string{"54.0", "87.0", "98.9", "100"} {
		percent.Rows[i] = append(percent.Rows[i], tool.Number(decimal.MustParse(s)))
	}
	stores := table(tool.UnitMoney, []string{"Месяц", "Выручка", "Прибыль"}, []string{"2026-06", "1200000", "-80000"},
		[]string{"2026-07", "1420000", "110000"}, []string{"2026-08", "990000", ""},
		[]string{"2026-09", "1640000", "301000"},
		[]string{"2026-10", "1710500", "322000"})
	return map[string]Chart{
		"days":   one(days(l), Spec{Kind: Line, Title: l.Pick("Выручка по дням", "Revenue by day"), Y: []string{"y1"}}),
		"months": one(stores, Spec{Kind: Line, Title: "Выручка и прибыль", Y: []string{"y1", "y2"}}),
		"compare": one(table(tool.UnitMoney, []string{"Склад", "Выручка", "Выручка, было"},
			[]string{"Основной", "1234567.89", "1100000"},
			[]string{"Магазин на Ленина", "420000", "512000"}, []string{"Резерв", "", "2000"}),
			Spec{Kind: Bars, Title: "Выручка по складам", Y: []string{"y1", "y2"}, Before: "y2"}),
		"negative": one(table(tool.UnitMoney, []string{"Товар", "Прибыль"}, []string{names[0], "41200"},
			[]string{names[1], "-15300.5"},
			[]string{names[2], "900"}, []string{names[3], "-120"}),
			Spec{Kind: Bars, Title: "Прибыль по товарам", Y: []string{"y1"}}),
		"pareto": one(percent, Spec{Kind: Pareto, Title: "Прибыль: вклад товаров", Y: []string{"y1", "cumulative"}}),
		"shares": one(table(tool.UnitMoney, []string{"Группа", "Выручка"}, []string{"Посуда", "500000"},
			[]string{"Текстиль", "300000"},
			[]string{"Чай", "120000"}, []string{"Кофе", "60000"}, []string{"Декор", "30000"},
			[]string{"Разное", "12000"},
			[]string{"Свечи", "3000"}), Spec{Kind: Shares, Title: "Доли групп", Y: []string{"y1"}}),
		"weekdays": one(table(tool.UnitCount, []string{"День недели", "Чеки"}, []string{"понедельник", "12"},
			[]string{"вторник", "9"},
			[]string{"среда", "14"}, []string{"четверг", "11"}, []string{"пятница", "23"}, []string{"суббота", "31"},
			[]string{"воскресенье", "0"}), Spec{Kind: Columns, Title: "Чеки по дням недели", Y: []string{"y1"}}),
	}
}

// A chart is presentation attributes and classes, is described in words, and has its figures in a table (rule R390).
func TestEveryChartIsDescribedAndHasNoStyles(t *testing.T) {
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		for name, c := range examples(t, l) {
			got := render(t, c)
			wants := []string{`role="img"`, "<title id=", "<desc id=", `<table class="sr">`, `class="desk"`}
			for _, want := range wants {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %s", name, want)
				}
			}
			if bad := regexp.MustCompile(`style=|<script|NaN|Inf|="-?\d+e|width="-`).FindString(got); bad != "" {
				t.Errorf("%s: %q", name, bad)
			}
			for _, p := range c.Points {
				for _, v := range p.Values {
					if text := v.Format(c.Unit, l); !strings.Contains(got, text) {
						t.Errorf("%s: the exact figure %q is nowhere", name, text)
					}
				}
			}
			if dir := os.Getenv("STOCKHAND_SCREENSHOTS"); dir != "" {
				file := filepath.Join(dir, name+"."+string(l)+".svg.html")
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Goods by how long they have been lying or will last, in ranges of days.
func TestAHistogramCountsRangesOfDays(t *testing.T) {
	t.Parallel()
	r := &tool.Result{Columns: []tool.Column{{Name: "name", Unit: tool.UnitText},
		{Name: "stock_days", Label: "Days in stock", Unit: tool.UnitDays}, {Name: "cost_sum", Unit: tool.UnitMoney}}}
	for _, days := range []int64{7, 8, 100, 180, 400} {
		r.Rows = append(r.Rows, tool.Row{tool.TextValue("x"), tool.Number(decimal.FromInt(days)),
			tool.Money(decimal.FromInt(days), "RUB")})
	}
	r.Rows = append(r.Rows, tool.Row{tool.TextValue("unknown"), tool.Empty, tool.Money(decimal.FromInt(1), "RUB")})
	counted := func(amount string) (all []string) {
		table, _ := Histogram(r, "stock_days", amount, stockhand.English)
		for _, row := range table.Rows {
			all = append(all, row[0].Text()+": "+row[1].Format(table.Columns[1].Unit, stockhand.English))
		}
		return all
	}
	want := "[up to 7: 1 8–14: 1 15–30: 0 31–60: 0 61–90: 0 91–180: 2 181–365: 0 over 365: 1]"
	if got := fmt.Sprint(counted("stock_days")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := counted("cost_sum"); got[5] != "91–180: 280.00\u00a0₽" {
		t.Errorf("the money is %q", got)
	}
	r.Rows[0][2] = tool.Money(decimal.FromInt(1), "USD")
	if got := fmt.Sprint(counted("cost_sum")); got != want {
		t.Errorf("in several currencies: %s", got)
	}
}
