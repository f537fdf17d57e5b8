package moysklad

import (
	"context"
	"slices"
	"testing"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/tool"
)

// What the catalogue says of rights in advance is what a query then says: without a right that a measure needs, or with
// one to see part of the objects, the answer names a section; with all of them it does not.
func TestTheCatalogueTellsWhatAnEmployeeMayNotSee(t *testing.T) { // rule R249
	exempt := []string{
		"storekeeper purchase_orders",                     // the sums are hidden, not the number
		"sales card_purchase_price", "sales price_markup", // the sandbox shows these prices; see its roleRights
	}
	s := openShop(t, sandbox.Options{})
	for role, token := range map[string]string{"owner": s.info.Tokens.Owner, "storekeeper": s.info.Tokens.Storekeeper,
		"sales": s.info.Tokens.Sales} {
		a := s.as(t, token)
		full, err := a.Catalogue(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		said := map[analysis.Extent]int{}
		for _, m := range full.Measures {
			var worst analysis.Extent = analysis.HasRight
			for _, n := range m.Needs {
				said[n.Employee]++
				if n.Section.RU == "" || n.Section.EN == "" {
					t.Errorf("%s needs a right without a name", m.Name)
				}
				if n.Employee != analysis.HasRight && worst != analysis.LacksRight {
					worst = n.Employee
				}
			}
			r, err := tryTool(a, "moysklad_analyze", `{"measures":["`+m.Name+`"],"from":"2026-10-01","to":"2026-10-31"}`,
				tool.Env{Now: noon})
			if err != nil {
				t.Errorf("%s: %s: %v", role, m.Name, err)
				continue
			}
			limited, empty := false, false
			for _, n := range r.Notices {
				limited = limited || n.Code == tool.NoticeRightMissing || n.Code == tool.NoticeVisibility ||
					n.Code == tool.NoticePartial && m.Name == "shortage" // of the stock right
				empty = empty || n.Code == tool.NoticeEmpty
			}
			if empty || slices.Contains(exempt, role+" "+m.Name) {
				continue
			}
			if limited && worst == analysis.HasRight ||
				!limited && (worst == analysis.LacksRight || worst == analysis.SeesPart) {
				t.Errorf("%s: %s: %+v, notices: %v", role, m.Name, m.Needs, r.Notices)
			}
		}
		if role == "owner" && (said[analysis.HasRight] == 0 || len(said) > 1) ||
			role != "owner" && said[analysis.LacksRight] == 0 || role == "sales" && said[analysis.SeesPart] == 0 {
			t.Errorf("%s: %v", role, said)
		}
	}
	for _, m := range Kind.Catalogue.Measures {
		if len(m.Needs) == 0 && !slices.Contains([]string{"stock", "reserve", "in_transit", "free", "available",
			"stock_price", "days_in_stock"}, m.Name) || slices.ContainsFunc(m.Needs,
			func(n analysis.NeededRight) bool { return n.Employee != analysis.RightHidden }) {
			t.Errorf("%s: %+v", m.Name, m.Needs)
		}
	}
}
