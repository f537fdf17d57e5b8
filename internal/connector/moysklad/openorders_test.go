package moysklad

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// openRow is what raw orders say is left to do.
type openRow struct {
	left          decimal.Decimal
	orders        int // to suppliers
	expected      tool.Day
	late, waiting int // days of suppliers, and of customers
}

// rawOpen returns what is left to do by a dimension; the key "*" is the total.
func rawOpen(facts []rawFact, dimension string) map[string]*openRow {
	today := tool.DayOf(noon)
	rows := map[string]*openRow{}
	seen := map[string]bool{}
	byGoods := slices.Contains(measures.OfGoods, dimension) || strings.HasPrefix(dimension, "product.")
	for _, f := range facts {
		d := f.of
		if f.kind != company.CustomerOrderDoc && f.kind != company.PurchaseOrderDoc ||
			d.State != nil && (d.State.StateType == "Successful" || d.State.StateType == "Unsuccessful") {
			continue
		}
		if byGoods && (f.position == nil || f.position.Shipped >= f.position.Quantity) ||
			!byGoods && d.ShippedSum >= d.Sum && d.Sum > 0 {
			continue
		}
		for _, key := range []string{f.keys[dimension], "*"} {
			if id := key + "/" + string(d.ID); !byGoods && seen[id] {
				continue
			} else {
				seen[id] = true
			}
			r := rows[key]
			if r == nil {
				r = &openRow{}
				rows[key] = r
			}
			late := 0
			day := tool.DayOf(d.Planned.In(msapi.Moscow))
			if !d.Planned.IsZero() && day < today {
				late = tool.Period{From: day, To: today}.Days() - 1
			}
			if f.kind == company.CustomerOrderDoc {
				r.waiting = max(r.waiting, late)
				continue
			}
			r.orders++
			rate := decimal.One
			if d.Rate != 0 {
				rate = d.Rate.Decimal()
			}
			r.left = r.left.Add(max(0, d.Sum-d.ShippedSum).Decimal().Major().Mul(rate))
			r.late = max(r.late, late)
			if !d.Planned.IsZero() && (r.expected == "" || day < r.expected) {
				r.expected = day
			}
		}
	}
	return rows
}

// What is left to do with orders, by every dimension, equals the raw orders.
func TestOpenOrdersEqualTheRawOrdersByEveryDimension(t *testing.T) { // rules R19 and R205
	s := openShop(t, sandbox.Options{})
	a, facts := s.owner(t), rawFacts(s.company)
	full, err := a.Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"open_orders", "expected_on", "supplier_overdue_days", "overdue_days"}
	compared := map[string]int{}
	for _, d := range full.Dimensions {
		if d.Name == measures.DimABC || d.Name == measures.DimXYZ { // classes have a test of their own
			continue
		}
		var of []string
		for _, name := range names {
			if m, _ := full.Measure(name); slices.Contains(m.Over, d.Name) {
				of = append(of, name)
			}
		}
		if len(of) == 0 {
			continue
		}
		r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":%s,"by":[%q]}`, asJSON(of), d.Name))
		want := rawOpen(facts, d.Name)
		for _, row := range append(slices.Clone(r.Rows), r.Totals) {
			key := "*"
			if &row[0] != &r.Totals[0] {
				key = cell(t, r, row, d.Name+"_id").Text()
			}
			w := want[key]
			if delete(want, key); w == nil {
				t.Errorf("by %s: no order is open in %v", d.Name, row)
				continue
			}
			for _, name := range of {
				expected := tool.Empty
				switch {
				case name == "open_orders" && w.orders > 0:
					expected = tool.Money(w.left.Round(2), "RUB")
				case name == "expected_on" && w.expected != "":
					expected = tool.Date(w.expected)
				case name == "supplier_overdue_days" && w.late > 0:
					expected = tool.Number(decimal.FromInt(int64(w.late)))
				case name == "overdue_days" && w.waiting > 0:
					expected = tool.Number(decimal.FromInt(int64(w.waiting)))
				}
				if got := cell(t, r, row, name); asJSON(got) != asJSON(expected) {
					t.Errorf("by %s, %v: %s is %s, want %s", d.Name, row[0], name, asJSON(got), asJSON(expected))
				} else if !got.IsEmpty() {
					compared[name]++
				}
			}
		}
		for key, w := range want {
			if w.orders > 0 || w.waiting > 0 { // customer orders that are not overdue are not read
				t.Errorf("by %s: the row %s is missing: %+v", d.Name, key, *w)
			}
		}
	}
	t.Log(compared)
	for _, name := range names {
		if compared[name] < 10 {
			t.Errorf("%d figures of %s", compared[name], name)
		}
	}
}

// Overdue orders alone are filtered by their date and state on the server.
func TestOverdueDaysReadOverdueOrdersOnly(t *testing.T) { // rules R19, R205 and R230
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["overdue_days"],"by":["document"]}`)
	late := callTool(t, s.owner(t), "moysklad_overdue_orders", `{}`)
	if len(r.Rows) == 0 || len(r.Rows) != len(late.Rows) {
		t.Errorf("%d overdue orders, the tool has %d", len(r.Rows), len(late.Rows))
	}
	for _, x := range r.Provenance.Sources {
		if x.Path == "entity/customerorder" && (x.Requests != 1 || !strings.Contains(x.Filter, "deliveryPlannedMoment<")) {
			t.Errorf("%+v", x)
		}
	}
	if !strings.Contains(r.Answer, ", сейчас") {
		t.Error(r.Answer)
	}
	_, err := tryTool(s.owner(t), "moysklad_analyze",
		`{"measures":["open_orders"],"compare":{"with":"previous"}}`, tool.Env{Now: noon})
	if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Errorf("open orders of another period: %v", err)
	}
}

// Where sums are hidden, nothing says which orders are done; the quantities of lines do.
func TestOpenOrdersWithHiddenSums(t *testing.T) { // rules R15 and R205, fact M91
	s := openShop(t, sandbox.Options{})
	keeper := s.as(t, s.info.Tokens.Storekeeper)
	r := callTool(t, keeper, "moysklad_analyze", `{"measures":["open_orders","expected_on"],"by":["counterparty"]}`)
	wantNotice(t, r, tool.NoticeRightMissing)
	for _, row := range append(slices.Clone(r.Rows), r.Totals) {
		for _, name := range []string{"open_orders", "expected_on"} {
			if row != nil && !cell(t, r, row, name).IsEmpty() {
				t.Errorf("%s is hidden, but shown as %v", name, row)
			}
		}
	}
	byGood := callTool(t, keeper, "moysklad_analyze", `{"measures":["expected_on"],"by":["product"]}`)
	owner := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["expected_on"],"by":["product"]}`)
	if len(byGood.Rows) == 0 || asJSON(byGood.Rows) != asJSON(owner.Rows) {
		t.Errorf("%d goods are expected, the owner sees %d", len(byGood.Rows), len(owner.Rows))
	}
}

// Without the states nothing says which orders were cancelled.
func TestHiddenStatesOfOrdersAreSaid(t *testing.T) { // rule R205, decision 51
	s := openShop(t, sandbox.Options{})
	a := s.behind(t, func(path string) (string, int) {
		if strings.HasSuffix(path, "entity/customerorder/metadata") {
			return `{"errors":[{"error":"no access","code":1016}]}`, http.StatusForbidden
		}
		return "", 0
	})
	r := callTool(t, a, "moysklad_analyze", `{"measures":["unshipped"],"by":["store"]}`)
	n := wantNotice(t, r, tool.NoticePartial)
	if !strings.Contains(n, "статусы сотруднику не видны") || len(r.Rows) == 0 {
		t.Errorf("%s %s", r.Answer, n)
	}
	whole := callTool(t, s.owner(t), "moysklad_analyze", `{"measures":["unshipped"],"by":["store"]}`)
	if !number(t, whole, whole.Totals, "unshipped").Less(number(t, r, r.Totals, "unshipped")) {
		t.Errorf("%v, with closed orders %v", whole.Totals, r.Totals)
	}
}

// Nothing more comes of an order that its state closes, and its card does not call it unshipped.
func TestTheCardOfACancelledOrderHasNothingLeft(t *testing.T) { // decision 51
	s := openShop(t, sandbox.Options{})
	for _, d := range s.company.Documents(company.CustomerOrderDoc) {
		if d.State == nil || d.State.StateType != "Unsuccessful" || d.ShippedSum >= d.Sum || d.PayedSum >= d.Sum {
			continue
		}
		r := callTool(t, s.owner(t), "moysklad_document", `{"id":"`+string(d.ID)+`","kind":"customerorder"}`)
		if strings.Contains(r.Answer, "не отгружено") || strings.Contains(r.Answer, "не оплачено") ||
			strings.Contains(r.Answer, "оплачено полностью") {
			t.Error(r.Answer)
		}
		return
	}
	t.Fatal("no order was cancelled")
}
