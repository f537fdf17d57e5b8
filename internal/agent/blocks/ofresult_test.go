package blocks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// table returns a result with these columns and n rows: text columns have "a0", "a1", …, others the number of the row.
func table(n int, columns ...tool.Column) *tool.Result {
	r := &tool.Result{Title: "Продажи", Answer: "Продано на 5 ₽.", Columns: columns}
	for i := range n {
		row := tool.Row{}
		for _, c := range columns {
			switch c.Unit {
			case tool.UnitText:
				row = append(row, tool.TextValue(fmt.Sprint("a", i)))
			case tool.UnitMoney:
				row = append(row, tool.Money(decimal.FromInt(int64(i)), "RUB"))
			default:
				row = append(row, tool.Count(i))
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func text(name string) tool.Column { return tool.Column{Name: name, Label: name, Unit: tool.UnitText} }
func money(name string) tool.Column {
	return tool.Column{Name: name, Label: name, Unit: tool.UnitMoney}
}
func days(name string) tool.Column { return tool.Column{Name: name, Label: name, Unit: tool.UnitDays} }
func share(name string) tool.Column {
	return tool.Column{Name: name, Label: name, Unit: tool.UnitPercent}
}

func blocksOf(t *testing.T, r *tool.Result) []Block {
	t.Helper()
	all, err := OfResult("res_1", r.InPages(), "Продано на 5 ₽.", stockhand.Russian)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAResultIsShownAsPeopleWouldLookAtIt(t *testing.T) { // rule R360
	count := tool.Column{Name: "sales", Label: "sales", Unit: tool.UnitCount}
	for _, c := range []struct {
		what  string
		in    *tool.Result
		kinds []Kind
		chart ChartKind
		y     []string
	}{
		{"no rows", table(0, text("good"), money("revenue")), []Kind{Text}, "", nil},
		{"figures of nothing in particular", table(1, money("revenue"), share("margin_percent")), []Kind{Text, KPI}, "",
			nil},
		{"one row of something", table(1, text("good"), money("revenue")), []Kind{Text, Table}, "", nil},
		{"rows of goods", table(40, text("good"), money("revenue")), []Kind{Text, Table}, "", nil},
		{"months", table(12, text("month"), money("revenue"), money("profit"), count), []Kind{Text, Chart, Table}, Line,
			[]string{"revenue", "profit"}},
		{"weeks", table(9, tool.Column{Name: "date", Unit: tool.UnitDate},
			tool.Column{Name: "through", Unit: tool.UnitDate}, money("sum")),
			[]Kind{Text, Chart, Table}, Line, []string{"sum"}},
		{"weekdays", table(7, text("weekday"), money("revenue")), []Kind{Text, Chart, Table}, Bar, []string{"revenue"}},
		{"two months", table(2, text("month"), money("revenue")), []Kind{Text, Table}, "", nil},
		{"months by store", table(12, text("month"), text("store"), money("revenue")), []Kind{Text, Table}, "", nil},
		{"a comparison", table(9, text("store"), money("revenue"), money("revenue_before"), money("revenue_change"),
			share("revenue_change_percent")), []Kind{Text, Chart, Table}, Bar, []string{"revenue", "revenue_before"}},
		{"shares", table(90, text("good"), money("profit"), share("share"), share("cumulative")),
			[]Kind{Text, Chart, Table}, Pareto, []string{"profit", "cumulative"}},
		{"an ABC analysis", table(90, text("name"), text("class"), money("value"), share("share_percent"),
			share("cumulative_percent")), []Kind{Text, Chart, Table}, Pareto, []string{"value", "cumulative_percent"}},
		{"goods that have been lying", table(40, text("name"), text("group"), count, days("stock_days"),
			money("cost_sum")), []Kind{Text, Chart, Table}, Histogram, []string{"cost_sum"}},
		{"how long goods last", table(40, text("good"), days("days_of_cover"), count), []Kind{Text, Chart, Table},
			Histogram, []string{"days_of_cover"}},
		{"percent only", table(5, text("month"), share("margin_percent")), []Kind{Text, Table}, "", nil},
	} {
		var kinds []Kind
		for _, b := range blocksOf(t, c.in) {
			kinds = append(kinds, b.Type)
			if b.Type == Chart && (b.Chart != c.chart || !slices.Equal(b.Y, c.y) ||
				c.chart != Histogram && b.X != c.in.Columns[0].Name) {
				t.Errorf("%s: %+v", c.what, b)
			}
			if b.Type == Table && (b.Limit != min(10, len(c.in.Rows)) || b.Result != "res_1") {
				t.Errorf("%s: %+v", c.what, b)
			}
		}
		if !slices.Equal(kinds, c.kinds) {
			t.Errorf("%s: %v, want %v", c.what, kinds, c.kinds)
		}
	}
}

func TestAKeyFigureNamesItsCell(t *testing.T) { // rule R360
	r := table(1, money("revenue"), share("margin_percent"),
		tool.Column{Name: "cost", Label: "cost", Unit: tool.UnitMoney, Hidden: true})
	b := blocksOf(t, r)[1]
	got, err := json.Marshal(b)
	want := `{"type":"kpi","title":"Продажи","figures":[` +
		`{"label":"revenue","text":"0,00 ₽","value":{"amount":"0.00","currency":"RUB","text":"0,00 ₽"},"unit":"money",` +
		`"class":"read","result_id":"res_1","column":"revenue","row":0},` +
		`{"label":"margin_percent","text":"0,0 %","value":"0","unit":"percent","class":"read","result_id":"res_1",` +
		`"column":"margin_percent","row":0}],` +
		`"files":{"csv":"/api/v1/results/res_1?format=csv","xlsx":"/api/v1/results/res_1?format=xlsx"}}`
	want = strings.ReplaceAll(want, " ₽", "\u00a0₽")
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
	r.Rows[0][0] = tool.Empty
	if f := blocksOf(t, r)[1].Figures[0]; f.Text != "—" || string(f.Value) != "null" {
		t.Errorf("an unknown figure: %+v", f)
	}
}

func TestEachPartOfAResultIsATable(t *testing.T) { // rule R360
	r := &tool.Result{Title: "Заказ 1", Answer: "Заказ."}
	column := func(name string) []tool.TableColumn[string] {
		return []tool.TableColumn[string]{{Name: name, Unit: tool.UnitText, Label: tool.Text{RU: name, EN: name},
			Cell: tool.TextValue}}
	}
	tool.AddPart(r, stockhand.Russian, tool.Text{RU: "Позиции"}, column("good"), []string{"a", "b", "c"})
	tool.AddPart(r, stockhand.Russian, tool.Text{RU: "Платежи"}, column("payment"), []string{"d", "e"})
	all := blocksOf(t, r)
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	lines, payments := all[1], all[2]
	if *lines.Part != 0 || lines.Offset != 0 || lines.Limit != 3 || lines.Title != "Позиции" ||
		!slices.Equal(lines.Columns, []string{"good"}) {
		t.Errorf("%+v", lines)
	}
	if *payments.Part != 1 || payments.Offset != 3 || payments.Limit != 2 || payments.Title != "Платежи" {
		t.Errorf("%+v", payments)
	}
}
