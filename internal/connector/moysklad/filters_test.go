package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// An answer that omits a filter would appear to cover everything.
func TestTheAnswerNamesEveryFilter(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var supplier *company.Counterparty
	for _, g := range s.company.Catalogue().Goods {
		if g.Supplier != nil {
			supplier = g.Supplier
		}
	}
	group := s.company.Catalogue().Folders[0]
	for _, name := range []string{"moysklad_stock", "moysklad_stock_by_store", "moysklad_shortages",
		"moysklad_turnover",
		"moysklad_profitability", "moysklad_abc_xyz", "moysklad_stock_age"} {
		for argument, want := range map[string]string{
			`{"suppliers":["` + supplier.Name + `"]}`: "поставщик «", `{"groups":["` + group.Name + `"]}`: "группа «" +
				group.Name,
		} {
			if r := callTool(t, a, name, argument); !strings.Contains(r.Answer, want) {
				t.Errorf("%s %s: %s", name, argument, r.Answer)
			}
		}
	}
	if r := callTool(t, a, "moysklad_receivables", `{"direction":"both","counterparties":["`+supplier.Name+
		`"]}`); !strings.
		Contains(r.Answer, "«") {
		t.Errorf("%s", r.Answer)
	}
}

func TestAQuestionAboutOneProductIsAnsweredWithItsPrice(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	var good *company.Good
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Product && !g.IsArchived() && len(g.Variants) == 0 && g.Code != "" {
			good = g
		}
	}
	r := callTool(t, s.owner(t), "moysklad_find_products", `{"query":"`+good.Code+`"}`)
	price := cell(t, r, r.Rows[0], "sale_price")
	if len(r.Rows) != 1 || price.IsEmpty() || !strings.Contains(r.Answer, price.Format(tool.UnitMoney, "ru")) {
		t.Errorf("%d rows, price %v: %s", len(r.Rows), price, r.Answer)
	}
}
