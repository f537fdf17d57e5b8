package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// Pieces and kilograms cannot be added. A table with several units of measure has no total quantity and explains why,
// and the answer states a sum for each unit.
func TestQuantitiesOfDifferentUnitsAreNeverAddedUp(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_stock", `{}`)
	for _, name := range []string{"stock", "free"} {
		if v := cell(t, r, r.Totals, name); !v.IsEmpty() {
			t.Errorf("%s has the total %s across units", name, v.Format(tool.UnitQuantity, "ru"))
		}
	}
	wantNotice(t, r, tool.NoticeUnits)
	for _, unit := range []string{"шт", "кг"} {
		sum := tool.FormatQuantity(sumColumn(t, r, "stock", unit), "ru") + " " + unit
		if !strings.Contains(r.Answer, sum) {
			t.Errorf("%q does not contain %q", r.Answer, sum)
		}
	}
	for name, columns := range map[string][]string{
		"moysklad_turnover":       {"start_quantity", "income_quantity", "outcome_quantity", "end_quantity"},
		"moysklad_profitability":  {"sold"},
		"moysklad_shortages":      {"to_order"},
		"moysklad_stock_by_store": {"stock", "free"},
		"moysklad_stock_age":      {"stock"},
	} {
		r := callTool(t, a, name, map[string]string{"moysklad_stock_age": `{"min_days":1}`}[name])
		for _, column := range columns {
			if r.Totals != nil && !cell(t, r, r.Totals, column).IsEmpty() {
				t.Errorf("%s: %s has a total across units", name, column)
			}
		}
		if strings.Contains(r.Answer, " ед.") {
			t.Errorf("%s: %s", name, r.Answer)
		}
	}
	one := callTool(t, a, "moysklad_stock_by_store", `{"products":["`+cell(t, r, r.Rows[0], "name").Text()+`"]}`)
	if cell(t, one, one.Totals, "stock").IsEmpty() {
		t.Error("a single product must have a total")
	}
}

// rule R720
func TestAConditionOnAQuantityByWarehouseSaysThatItCannotBeChecked(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_analyze",
		`{"measures":["quantity"],"by":["store"],"where":[{"field":"quantity","op":">","values":[0]}]}`)
	wantNotice(t, r, tool.NoticeUnits)
	if strings.Contains(r.Answer, "Ничего не найдено") || !strings.Contains(r.Answer, "не проверить") {
		t.Error(r.Answer)
	}
}
