package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// sales is a result of n goods that sold for 1, 2, 3 … roubles, with a detail and an ID.
func sales(n int, name string) *tool.Result {
	r := &tool.Result{Answer: "Продажи.", Columns: []tool.Column{{Name: "id", Unit: tool.UnitText},
		{Name: "good", Unit: tool.UnitText}, {Name: "revenue", Unit: tool.UnitMoney},
		{Name: "price", Unit: tool.UnitMoney},
		{Name: "sales", Unit: tool.UnitCount}, {Name: "barcode", Unit: tool.UnitText, Detail: true}},
		Provenance: tool.Provenance{Account: "acc-1",
			Period: &tool.Period{From: "2026-10-01", To: "2026-10-31"}}}
	total := decimal.Decimal{}
	for i := range n {
		sum := decimal.FromInt(int64(i + 1))
		total = total.Add(sum)
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(fmt.Sprint("id-", i)), tool.TextValue(fmt.Sprint(name, i)),
			tool.Money(sum, "RUB"), tool.Money(sum, "RUB"), tool.Count(2), tool.TextValue("460")})
	}
	r.Totals = tool.Row{tool.Empty, tool.Empty, tool.Money(total, "RUB"), tool.Empty, tool.Count(2 * n), tool.Empty}
	return r
}

// A model reads the first rows, how to read on, what the others come to, and what the table is: its name, the call with
// its conditions, the period and the account.
func TestAModelReadsTheFirstRowsAndTheSumOfTheOthers(t *testing.T) {
	s, err := render.ForModel("res_1", "r3", `analyze {"where":"group = 'Чай'"}`, sales(250, "Товар ").InPages())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(s, "\n")
	if want := `Result res_1 = r3: analyze {"where":"group = 'Чай'"}, 2026-10-01 to 2026-10-31, account acc-1`; lines[0] != want {
		t.Errorf("the first line is %q, want %q", lines[0], want)
	}
	for _, want := range []string{
		"Rows: 250, the first 60; query_result with offset 60 goes on; more columns: barcode",
		"good|revenue,RUB|price,RUB|sales",
		"Товар 59|60|60|2",
		"190 OTHER ROWS, SUM|29545||380", // 61 + … + 250; prices do not add up
		"TOTAL|31375||500",
	} {
		if !strings.Contains(s, "\n"+want+"\n") {
			t.Errorf("there is no line %q in\n%s", want, s)
		}
	}
	if strings.Contains(s, "Товар 60|") {
		t.Error("more than 60 rows")
	}
	all, err := render.ForModel("res_1", "r3", "stock {}", sales(60, "Товар ").InPages())
	if err != nil || strings.Contains(all, "OTHER ROWS") || strings.Contains(all, "goes on") {
		t.Errorf("a table that is shown completely: %v\n%s", err, all)
	}
	short := render.ForModelShort("res_1", "r3", "stock {}", sales(250, "Товар "))
	if strings.Contains(short, "\n") || !strings.Contains(short, "r3: stock {}, shortened; query_result shows its rows") {
		t.Errorf("the caption of an older result: %s", short)
	}
}

// However long the names are, the rows of a result are about 1,500 tokens.
func TestTheRowsOfAResultCostABoundedNumberOfTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Товар ", "Сковорода чугунная с деревянной ручкой, диаметр ",
		"Выключатель ВА47-29 3P 16А 4,5кА «C» IEK MVA20-3-016-C, арт. ", strings.Repeat("очень длинно ", 40)} {
		s, err := render.ForModel("res_1", "r1", "stock {}", sales(5000, name).InPages())
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.Count(s, "\n"+render.Clip(name, 8)[:6])
		n, err := codec.Count(s)
		t.Logf("%.20s: %d tokens, %d rows", name, n, rows)
		// beside the rows there are about 150 tokens
		if err != nil || n > 1800 || rows < 10 || rows > 60 {
			t.Errorf("%.20s: %d tokens, %d rows, %v", name, n, rows, err)
		}
	}
}
