package moysklad

import (
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
