package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// The first line names the share and the place of what a question is about, and what the first rows have together.
func TestTheFirstLineNamesTheHighlightedRow(t *testing.T) { // rule R500
	a := openShop(t, sandbox.Options{}).owner(t)
	of := `{"measures":["revenue"],"by":["group"],"share":true,` + inOctober
	all := callTool(t, a, "moysklad_analyze", of+`}`)
	name := cell(t, all, all.Rows[2], "group").Text()
	r := callTool(t, a, "moysklad_analyze", of+`,"highlight":["`+name+`"]}`)
	if want := "«" + name + "» — "; !strings.Contains(r.Answer, want) || !strings.Contains(r.Answer, "место 3 из ") ||
		!strings.Contains(r.Answer, " от всего, ") {
		t.Errorf("%s, want %q", r.Answer, want)
	}
	if r = callTool(t, a, "moysklad_analyze", of+`,"limit":2}`); !strings.Contains(r.Answer, "Первые 2 — ") {
		t.Error(r.Answer)
	}
}

// A condition may be on how much a figure changed, in percent.
func TestRowsAreSelectedByTheirChange(t *testing.T) { // rule R502
	a := openShop(t, sandbox.Options{}).owner(t)
	of := `{"measures":["revenue"],"by":["product"],"compare":{"with":"previous"},` + inOctober
	want := 0
	all := callTool(t, a, "moysklad_analyze", of+`}`)
	for _, row := range all.Rows {
		if n, ok := cell(t, all, row, "revenue_change_percent").Decimal(); ok && n.Cmp(decimal.FromInt(-50)) <= 0 {
			want++
		}
	}
	r := callTool(t, a, "moysklad_analyze",
		of+`,"where":[{"field":"revenue","op":"<=","values":[-50],"of":"change_percent"}]}`)
	if len(r.Rows) != want || want == 0 || want == len(all.Rows) {
		t.Errorf("%d rows, want %d of %d", len(r.Rows), want, len(all.Rows))
	}
	if !strings.Contains(r.Answer, "изменение не больше −50,0 %") {
		t.Error(r.Answer)
	}
}
