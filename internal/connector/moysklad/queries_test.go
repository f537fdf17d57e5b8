package moysklad

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// A condition on a debt is sent to the server, which lists those who have one. A formula of debts may be met without.
func TestAConditionOnAFormulaOfDebtsKeepsThoseWithoutDebts(t *testing.T) { // rules R208, R215
	a := openShop(t, sandbox.Options{}).owner(t)
	query := `{"define":[{"name":"credit","formula":"1000 - owed_to_us"}],"measures":["credit","owed_to_us"],` +
		`"by":["counterparty"]%s}`
	want, all := 0, callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, ""))
	for _, row := range all.Rows {
		if number(t, all, row, "credit").Cmp(decimal.FromInt(500)) > 0 {
			want++
		}
	}
	got := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, `,"where":[{"field":"credit","op":">","values":[500]}]`))
	if len(got.Rows) != want || want == 0 || want == len(all.Rows) {
		t.Errorf("%d rows, want %d of %d", len(got.Rows), want, len(all.Rows))
	}
}

// Goods that were not sold are part of what a formula over stock and sales says.
func TestAFormulaOverStockAndSalesHasGoodsThatWereNotSold(t *testing.T) { // rule R208
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_analyze", `{"define":[{"name":"after","formula":"stock - quantity"}],`+
		`"measures":["after","stock","quantity"],"by":["variant"],`+inOctober+`}`)
	unsold := 0
	for _, row := range r.Rows {
		stock, _ := cell(t, r, row, "stock").Decimal()
		sold, ok := cell(t, r, row, "quantity").Decimal()
		if !ok {
			unsold++
		}
		wantNear(t, "after", number(t, r, row, "after"), stock.Sub(sold))
	}
	if unsold == 0 {
		t.Error("every good was sold")
	}
}

// Goods that are not in a warehouse have no row in the report, and none in stock there.
func TestRule749_NothingInAWarehouseIsZero(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	store := `{"field":"store","op":"in","values":["Магазин на Мира"]}`
	query := `{"measures":["stock"],"by":["product"],"where":[` + store + `,{"field":"stock","op":"%s","values":[%s]}]}`
	none := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, "=", "0"))
	some := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, "!=", "0"))
	few := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, "<=", "0"))
	all := callTool(t, a, "moysklad_analyze", `{"measures":["stock"],"by":["product"]}`)
	if len(none.Rows) == 0 || len(few.Rows) < len(none.Rows) || len(none.Rows)+len(some.Rows) < len(all.Rows) {
		t.Errorf("%d goods with none, %d with some, %d with none or less, %d in all", len(none.Rows), len(some.Rows),
			len(few.Rows), len(all.Rows))
	}
}

// What is only hidden is not said to be nothing.
func TestHiddenFiguresAreNotSaidToBeNothing(t *testing.T) { // rules R15, R205
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze", `{"measures":["open_orders"],"by":["state"]}`)
	if strings.Contains(r.Answer, "Ничего") || !strings.Contains(r.Answer, "Ответить нельзя") {
		t.Error(r.Answer)
	}
	if n, ok := r.Notice(tool.NoticeEmpty); ok {
		t.Error(n)
	}
	none := callTool(t, s.owner(t), "moysklad_analyze",
		`{"measures":["open_orders"],"by":["state"],"where":[{"field":"open_orders","op":">","values":[1000000000000]}]}`)
	if n := wantNotice(t, none, tool.NoticeEmpty); strings.Contains(n, "за период") {
		t.Errorf("figures of now: %s", n)
	}
}

// Units that the employee may not see are still different units.
func TestHiddenUnitsAreNotAddedUp(t *testing.T) { // decision 19
	for _, measure := range []string{"stock", "minimum", "quantity"} {
		s := openShop(t, sandbox.Options{})
		if err := s.Fail(sandbox.Fault{Path: "entity/uom", Status: 403, Count: 9}); err != nil {
			t.Fatal(err)
		}
		r := callTool(t, s.owner(t), "moysklad_analyze", fmt.Sprintf(`{"measures":[%q],"by":["kind"]}`, measure))
		if !cell(t, r, r.Totals, measure).IsEmpty() {
			t.Errorf("%s has a total over hidden units", measure)
		}
	}
}

func TestClassesMayBeWrittenInRussianAndOthersAreRefused(t *testing.T) { // rule R207
	a := openShop(t, sandbox.Options{}).owner(t)
	query := `{"measures":["revenue"],"where":[{"field":"abc","op":"=","values":[%q]}],` + inOctober + `}`
	latin, russian := callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, "A")),
		callTool(t, a, "moysklad_analyze", fmt.Sprintf(query, "а"))
	if len(latin.Rows) == 0 || asJSON(latin.Rows) != asJSON(russian.Rows) {
		t.Errorf("%v and %v", latin.Rows, russian.Rows)
	}
	for _, bad := range []string{fmt.Sprintf(query, "Z"), `{"measures":["receipts"],"by":["abc"]}`,
		`{"measures":["deliveries"],"by":["abc"]}`} {
		if _, err := tryTool(a, "moysklad_analyze", bad, tool.Env{Now: noon}); stockhand.CodeOf(err) !=
			stockhand.CodeValidation {
			t.Errorf("%s: %v", bad, err)
		}
	}
	kilos := callTool(t, a, "moysklad_analyze", `{"measures":["quantity"],"by":["abc"],`+inOctober+`}`)
	if n := wantNotice(t, kilos, tool.NoticeUnits); !strings.Contains(n, "килограммами") {
		t.Errorf("classes compare pieces with kilograms, and the notice says %s", n)
	}
}

// The bound on the values of a condition is for callers of the query, not for tools that ask it in their own words.
func TestAPresetTakesMoreValuesThanAQuery(t *testing.T) { // decision 53
	a := openShop(t, sandbox.Options{Company: company.Options{Products: 700}}).owner(t)
	all := callTool(t, a, "moysklad_analyze", `{"measures":["sale_price"],"by":["product"]}`)
	var ids []string
	for _, row := range all.Rows {
		ids = append(ids, cell(t, all, row, "product_id").Text())
	}
	if len(ids) <= analysis.MaxValues {
		t.Fatalf("%d goods", len(ids))
	}
	if _, err := tryTool(a, "moysklad_profitability", fmt.Sprintf(`{"products":%s,%s}`, asJSON(ids), inOctober),
		tool.Env{Now: noon}); err != nil {
		t.Error(err)
	}
}

// The profitability report is only the cheaper source of quantities: an employee who may not see it gets the same from
// the documents.
func TestQuantitiesNeedNoProfitabilityReport(t *testing.T) { // rules R15, R198
	s := openShop(t, sandbox.Options{})
	query := `{"measures":["quantity","average_price"],"by":["product"],` + inOctober + `}`
	want := callTool(t, s.owner(t), "moysklad_analyze", query)
	if err := s.Fail(sandbox.Fault{Path: "report/profit", Status: 403, Count: 50}); err != nil {
		t.Fatal(err)
	}
	got := callTool(t, s.owner(t), "moysklad_analyze", query)
	if len(got.Rows) == 0 || asJSON(got.Rows) != asJSON(want.Rows) {
		t.Errorf("%d rows, want %d: %s", len(got.Rows), len(want.Rows), got.Answer)
	}
	if n, ok := got.Notice(tool.NoticeRightMissing); ok {
		t.Error(n)
	}
}

// Hidden sums do not concern a question about numbers of documents.
func TestNumbersOfDocumentsDoNotNameHiddenSums(t *testing.T) { // rule R15
	s := openShop(t, sandbox.Options{})
	a := s.as(t, s.info.Tokens.Storekeeper)
	r := callTool(t, a, "moysklad_analyze", `{"measures":["purchase_orders"],`+inOctober+`}`)
	if n, ok := r.Notice(tool.NoticeRightMissing); ok || len(r.Rows) == 0 {
		t.Error(r.Answer, n)
	}
	wantNotice(t, callTool(t, a, "moysklad_analyze", `{"measures":["ordered"],`+inOctober+`}`), tool.NoticeRightMissing)
}

// A condition that the report's server applies holds for goods whose cards are read, too.
func TestSalesOfAWarehouseByPropertiesOfGoods(t *testing.T) { // rule R198
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	stores := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"by":["store"],`+inOctober+`}`)
	where := fmt.Sprintf(`"where":[{"field":"store","op":"=","values":[%q]}],`,
		cell(t, stores, stores.Rows[0], "store_id").Text())
	total := callTool(t, a, "moysklad_analyze", `{"measures":["revenue","profit"],`+where+inOctober+`}`)
	for _, by := range []string{"article", "barcode", "group", "supplier", "country", "price_band", "abc", "kind"} {
		r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":["revenue","profit"],"by":[%q],%s}`, by,
			where+inOctober))
		for _, measure := range []string{"revenue", "profit"} {
			wantNear(t, measure+" by "+by, number(t, r, r.Totals, measure), number(t, total, total.Totals, measure))
		}
	}
}
