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
