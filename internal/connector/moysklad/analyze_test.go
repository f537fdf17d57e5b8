package moysklad

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// what a query explains: the effects of the sentence add up to the change of the total.
func TestTheChangeOfRevenueAndProfitIsExplained(t *testing.T) { // rule R201
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, measure := range []string{"revenue", "profit"} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["`+measure+`","quantity"],"by":["product"],`+inOctober+
			`,"compare":{"with":"previous"},"explain":true,"limit":3}`)
		t.Log(r.Answer)
		if !strings.Contains(r.Answer, "Изменение") || !strings.Contains(r.Answer, "цены") {
			t.Errorf("%s: %s", measure, r.Answer)
		}
	}
	_, err := tryTool(a, "moysklad_analyze", `{"measures":["margin"],"by":["store"],"compare":{"with":"previous"},`+
		`"explain":true}`, tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("margin explained: %v", err)
	}
}

func TestContributionsOfRowsAddUpToTheChange(t *testing.T) { // rule R201
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, c := range []struct{ measure, by string }{{"revenue", "store"}, {"profit", "store"}, {"receipts", "weekday"},
		{"revenue", "counterparty"}, {"money_in", "counterparty"}} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["`+c.measure+`"],"by":["`+c.by+`"],`+inOctober+
			`,"compare":{"with":"previous"},"explain":true}`)
		_, said, _ := strings.Cut(r.Answer, "Изменение ")
		t.Log(c.measure, said)
		at := slices.IndexFunc(r.Columns, func(x tool.Column) bool { return x.Name == c.measure+"_change" })
		unit := r.Columns[at].Unit
		shown := func(v tool.Value) string { return strings.TrimPrefix(v.Format(unit, stockhand.Russian), "+") }
		if !strings.HasPrefix(strings.TrimPrefix(said, "+"), shown(r.Totals[at])+": ") {
			t.Errorf("%s by %s: the change is %s", c.measure, c.by, shown(r.Totals[at]))
		}
		left, _ := r.Totals[at].Decimal()
		rows := slices.Clone(r.Rows)
		size := func(row tool.Row) decimal.Decimal { n, _ := row[at].Decimal(); return n.Abs() }
		slices.SortStableFunc(rows, func(x, y tool.Row) int { return size(y).Cmp(size(x)) })
		rows = slices.DeleteFunc(rows, func(row tool.Row) bool { return size(row).Sign() == 0 })
		for i, row := range rows {
			if i == 4 {
				others := fmt.Sprintf("остальные (%d) ", len(rows)-4)
				sign := map[bool]string{true: "+"}[left.Sign() > 0]
				v := tool.Number(left)
				if unit == tool.UnitMoney {
					v = tool.Money(left, "RUB")
				}
				if !strings.Contains(said, others+sign+shown(v)) {
					t.Errorf("%s by %s: the others are %s: %s", c.measure, c.by, left, said)
				}
				break
			}
			if !strings.Contains(said, shown(row[at])) {
				t.Errorf("%s by %s: %s is missing in %s", c.measure, c.by, shown(row[at]), said)
			}
			n, _ := row[at].Decimal()
			left = left.Sub(n)
		}
		if rounding := "округление "; len(rows) <= 4 && (left.Sign() != 0) != strings.Contains(said, rounding) {
			t.Errorf("%s by %s: %s is left: %s", c.measure, c.by, left, said)
		}
	}
}

func TestAQueryMayMixReportsAndDocuments(t *testing.T) { // rule R199
	a := openShop(t, sandbox.Options{}).owner(t)
	both := callTool(t, a, "moysklad_analyze", `{"measures":["profit","receipts","revenue"],"by":["store"],`+inOctober+
		`}`)
	for measure, of := range map[string]*tool.Result{
		"profit":   callTool(t, a, "moysklad_analyze", `{"measures":["profit"],"by":["store"],`+inOctober+`}`),
		"receipts": callTool(t, a, "moysklad_analyze", `{"measures":["receipts"],"by":["store"],`+inOctober+`}`),
		"revenue":  callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"by":["store"],`+inOctober+`}`),
	} {
		alone := map[string]decimal.Decimal{}
		for _, row := range of.Rows {
			alone[cell(t, of, row, "store_id").Text()] = number(t, of, row, measure)
		}
		for _, row := range both.Rows {
			id := cell(t, both, row, "store_id").Text()
			wantEqual(t, measure+" of "+id, number(t, both, row, measure), alone[id])
		}
		wantEqual(t, "total "+measure, number(t, both, both.Totals, measure), number(t, of, of.Totals, measure))
	}
}

func TestAQueryShowsNoProfitToThoseWhoMayNotSeeIt(t *testing.T) { // rules R15, R198
	s := openShop(t, sandbox.Options{})
	for role, token := range map[string]string{"sales": s.info.Tokens.Sales, "storekeeper": s.info.Tokens.Storekeeper} {
		r := callTool(t, s.as(t, token), "moysklad_analyze", `{"measures":["profit","margin"],"by":["product"],`+
			inOctober+`}`)
		wantNotice(t, r, tool.NoticeRightMissing)
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			for i, c := range r.Columns {
				if strings.HasPrefix(c.Name, "profit") && i < len(row) && !row[i].IsEmpty() {
					t.Fatalf("%s sees a profit: %v", role, row)
				}
			}
		}
	}
}

func TestHiddenSumsOfDocumentsAreNotZero(t *testing.T) { // rules R15, R198, fact M91
	s := openShop(t, sandbox.Options{})
	for _, measure := range []string{"ordered", "not_received"} {
		r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze", `{"measures":["`+measure+
			`","purchase_orders"],"by":["counterparty"],`+inOctober+`}`)
		wantNotice(t, r, tool.NoticeRightMissing)
		if len(r.Rows) == 0 || strings.Contains(r.Answer, "₽") {
			t.Errorf("%s: %d rows, %s", measure, len(r.Rows), r.Answer)
		}
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			if !cell(t, r, row, measure).IsEmpty() {
				t.Errorf("%s is hidden, but shown as %v", measure, row)
			}
		}
	}
}

func TestANameThatAQueryDoesNotKnowIsAnErrorWithSimilarOnes(t *testing.T) { // rule R198
	a := openShop(t, sandbox.Options{}).owner(t)
	for _, condition := range []string{`"field":"store","op":"=","values":["Мира"]`,
		`"field":"group","op":"!=","values":["Посуд"]`, `"field":"employee","op":"in","values":["Никто"]`} {
		_, err := tryTool(a, "moysklad_analyze", `{"measures":["revenue"],"where":[{`+condition+`}]}`,
			tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %v", condition, err)
		}
	}
}

func TestAConditionOnAWarehouseIncludesThoseNestedInIt(t *testing.T) { // rule R198, fact M97
	s := openShop(t, sandbox.Options{})
	for _, nested := range s.company.Catalogue().Stores {
		if nested.Parent == nil {
			continue
		}
		for _, measure := range []string{"receipts", "profit"} {
			r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["`+measure+
				`"],"where":[{"field":"store","op":"=",`+
				`"values":["`+nested.Parent.Name+`"]}],`+inOctober+`}`)
			for _, from := range r.Provenance.Sources {
				if strings.HasPrefix(from.Path, "entity/currency") || strings.HasPrefix(from.Path, "entity/store") {
					continue
				}
				if !strings.Contains(from.Filter, string(nested.ID)) ||
					!strings.Contains(from.Filter, string(nested.Parent.ID)) {
					t.Errorf("%s was read with the filter %q, without a nested warehouse", from.Path, from.Filter)
				}
			}
		}
		return
	}
	t.Fatal("the fixture has no nested warehouse")
}

func TestTwoStepsOfTimeDoNotMixUp(t *testing.T) { // rule R198
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_analyze",
		`{"measures":["quantity","revenue"],"by":["day"],"where":[{"field":"month",`+
			`"op":"=","values":["2026-11"]}],`+inOctober+`}`)
	if len(r.Rows) < 10 {
		t.Errorf("%d days", len(r.Rows))
	}
	_, err := tryTool(a, "moysklad_analyze", `{"measures":["profit"],"by":["day"],"where":[{"field":"month","op":"=",`+
		`"values":["2026-11"]}]}`, tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("profit by day within a month of another division: %v", err)
	}
}
