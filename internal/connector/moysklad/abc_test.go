package moysklad

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestABCOfTheShop(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	want := salesByGood(s.company, october)
	for _, by := range []string{"revenue", "profit", "quantity"} {
		r := callTool(t, a, "moysklad_abc_xyz", `{"by":"`+by+`",`+inOctober+`}`)
		if len(r.Rows) != len(want) {
			t.Errorf("%s: %d rows, want %d", by, len(r.Rows), len(want))
		}
		cumulated := decimal.Zero
		for _, row := range r.Rows {
			w := want[company.ID(cell(t, r, row, "id").Text())]
			value := cell(t, r, row, "value")
			g, _ := s.company.Good(company.ID(cell(t, r, row, "id").Text()))
			switch {
			case by == "profit" && w.cost.Sign() == 0 && g.Kind != company.Service:
				if !value.IsEmpty() || cell(t, r, row, "abc").Text() != "" {
					t.Errorf("a class from an unknown profit: %v", row)
				}
				continue
			case by == "profit":
				wantNear(t, by, number(t, r, row, "value"), w.revenue.Sub(w.cost))
			case by == "quantity":
				wantEqual(t, by, number(t, r, row, "value"), w.sold.Sub(w.returned))
			default:
				wantNear(t, by, number(t, r, row, "value"), w.revenue)
			}
			if c := cell(t, r, row, "cumulative_percent"); !c.IsEmpty() {
				d, _ := c.Decimal()
				if d.Less(cumulated) {
					t.Errorf("%s: the cumulative share decreases", by)
				}
				cumulated = d
			}
		}
		if by == "profit" {
			wantNotice(t, r, tool.NoticeCostPartial)
		}
	}
}

// The classes of a query are those of the tool, add up to the total, and hold for conditions and comparisons.
func TestABCClassesOfAQuery(t *testing.T) { // rule R207
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, measure := range []string{"revenue", "profit", "quantity"} {
		classes := map[string]string{}
		tools := callTool(t, a, "moysklad_abc_xyz", `{"by":"`+measure+`",`+inOctober+`}`)
		for _, row := range tools.Rows {
			classes[cell(t, tools, row, "id").Text()] = cell(t, tools, row, "abc").Text()
		}
		r := callTool(t, a, "moysklad_analyze", fmt.Sprintf(`{"measures":[%q],"by":["abc","product"],%s}`, measure,
			inOctober))
		differ, sums := 0, map[string]decimal.Decimal{}
		for _, row := range r.Rows {
			id, class := cell(t, r, row, "product_id").Text(), cell(t, r, row, "abc_id").Text()
			if v, ok := cell(t, r, row, measure).Decimal(); ok {
				sums[class] = sums[class].Add(v)
			}
			if class != classes[id] && measure != "quantity" { // the tool orders equal quantities by revenue
				differ++
			}
			delete(classes, id)
		}
		if differ > 0 || len(classes) > 0 || len(r.Rows) == 0 {
			t.Errorf("%s: %d of %d goods are in another class than the tool's, %d are missing", measure, differ,
				len(r.Rows), len(classes))
		}
		if measure == "quantity" {
			continue // in several units
		}
		byClass := callTool(t, a, "moysklad_analyze", fmt.Sprintf(
			`{"measures":[%q],"by":["abc"],%s,"compare":{"with":"previous"}}`, measure, inOctober))
		for _, row := range byClass.Rows {
			if cell(t, byClass, row, "abc_id").Text() == "" { // not sold in this period
				continue
			}
			wantNear(t, measure+" of "+cell(t, byClass, row, "abc").Text(), number(t, byClass, row, measure),
				sums[cell(t, byClass, row, "abc_id").Text()])
		}
		only := callTool(t, a, "moysklad_analyze", fmt.Sprintf(
			`{"measures":[%q],"where":[{"field":"abc","op":"in","values":["A","B"]}],%s}`, measure, inOctober))
		wantNear(t, measure+" of A and B", number(t, only, only.Totals, measure), sums["A"].Add(sums["B"]))
	}
	for _, query := range []string{`{"measures":["margin"],"by":["abc"]}`, `{"measures":["sale_price"],"by":["abc"]}`} {
		if _, err := tryTool(a, "moysklad_analyze", query, tool.Env{Now: noon}); err == nil {
			t.Errorf("%s has classes", query)
		}
	}
	_, err := tryTool(s.as(t, s.info.Tokens.Storekeeper), "moysklad_analyze",
		`{"measures":["stock_cost"],"by":["abc"]}`, tool.Env{Now: noon})
	if err == nil {
		t.Error("classes by a hidden cost")
	}
	group := callTool(t, a, "moysklad_analyze", `{"measures":["stock_cost"],"by":["abc"]}`)
	if !slices.ContainsFunc(group.Rows, func(row tool.Row) bool { return cell(t, group, row, "abc").Text() == "A" }) {
		t.Errorf("stock has no class: %v", group.Rows)
	}
}

// The classes of a query are those of the tool: over all goods, and in a warehouse.
func TestXYZClassesOfAQuery(t *testing.T) { // rule R219
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	stores := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"by":["store"],`+inOctober+`}`)
	store := cell(t, stores, stores.Rows[0], "store").Text()
	for where, narrowed := range map[string]string{"": "", fmt.Sprintf(
		`"where":[{"field":"store","op":"=","values":[%q]}],`, store): fmt.Sprintf(`"stores":[%q],`, store)} {
		classes := map[string]string{}
		tools := callTool(t, a, "moysklad_abc_xyz", `{`+narrowed+inOctober+`}`)
		for _, row := range tools.Rows {
			classes[cell(t, tools, row, "id").Text()] = cell(t, tools, row, "xyz").Text()
		}
		r := callTool(t, a, "moysklad_analyze", `{"measures":["quantity"],"by":["xyz","product"],`+where+inOctober+`}`)
		if p := r.Provenance.Period; p == nil || p.From != "2026-10-22" || p.To != "2026-11-20" {
			t.Errorf("the provenance has the period %v", p)
		}
		for _, row := range r.Rows {
			id, class := cell(t, r, row, "product_id").Text(), cell(t, r, row, "xyz_id").Text()
			if class != classes[id] {
				t.Errorf("%s is %q, the tool says %q", cell(t, r, row, "product").Text(), class, classes[id])
			}
			delete(classes, id)
		}
		if len(classes) > 0 || len(r.Rows) == 0 {
			t.Errorf("%d goods of the tool are missing", len(classes))
		}
	}
	both := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],"by":["abc","xyz"],`+inOctober+`}`)
	stock := callTool(t, a, "moysklad_analyze", `{"measures":["stock_cost"],"by":["xyz"],`+inOctober+`}`)
	if len(both.Rows) < 3 || len(stock.Rows) < 2 {
		t.Errorf("%d and %d rows", len(both.Rows), len(stock.Rows))
	}
	total := callTool(t, a, "moysklad_analyze", `{"measures":["revenue"],`+inOctober+`}`)
	wantNear(t, "revenue", sumColumn(t, both, "revenue"), number(t, total, total.Totals, "revenue"))
	only := callTool(t, a, "moysklad_analyze",
		`{"measures":["revenue"],"where":[{"field":"xyz","op":"!=","values":["Х"]}],`+inOctober+`}`)
	if len(only.Rows) == 0 {
		t.Error(only.Answer)
	}
	for _, bad := range []string{`{"measures":["stock"],"by":["xyz"]}`,
		`{"measures":["revenue"],"where":[{"field":"xyz","op":"=","values":["A"]}],` + inOctober + `}`} {
		if _, err := tryTool(a, "moysklad_analyze", bad, tool.Env{Now: noon}); err == nil {
			t.Errorf("%s is answered", bad)
		}
	}
}

// Customers are classed among all customers, whatever the conditions on them.
func TestRFMClassesAreThirdsOfAllCustomers(t *testing.T) { // rule R227
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	r := callTool(t, a, "moysklad_analyze", `{"measures":["latest_sale","purchases_count","purchases_sum"],`+
		`"by":["counterparty","rfm"]}`)
	type customer struct {
		class string
		of    [3]string
	}
	var list []customer
	for _, row := range r.Rows {
		if cell(t, r, row, "latest_sale").IsEmpty() {
			if class := cell(t, r, row, "rfm_id").Text(); class != "" {
				t.Errorf("no customer has the class %s", class)
			}
			continue
		}
		c := customer{class: cell(t, r, row, "rfm_id").Text()}
		for i, name := range []string{"latest_sale", "purchases_count", "purchases_sum"} {
			if c.of[i] = cell(t, r, row, name).Text(); i > 0 {
				c.of[i] = fmt.Sprintf("%020s", number(t, r, row, name).Mul(decimal.Hundred).Round(0).String())
			}
		}
		list = append(list, c)
	}
	if len(list) < 10 {
		t.Fatalf("%d customers", len(list))
	}
	for i := range 3 {
		for _, c := range list {
			worse := 0
			for _, other := range list {
				if other.of[i] < c.of[i] {
					worse++
				}
			}
			if want := byte('1' + 3*worse/len(list)); c.class[i] != want {
				t.Errorf("digit %d of %s, which is better than %d of %d", i, c.class, worse, len(list))
			}
		}
	}
	best := list[0].class
	only := callTool(t, a, "moysklad_analyze", fmt.Sprintf(
		`{"measures":["purchases_sum"],"by":["counterparty"],"where":[{"field":"rfm","op":"=","values":[%s]}]}`, best))
	want := 0
	for _, c := range list {
		if c.class == best {
			want++
		}
	}
	if len(only.Rows) != want {
		t.Errorf("%d customers of class %s, want %d", len(only.Rows), best, want)
	}
}
