package moysklad

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestTurnoverSaysThatItCountsOnlyGoodsThatMoved(t *testing.T) { // rule R194
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_turnover", `{"from":"2026-11-18","to":"2026-11-19"}`)
	whole := callTool(t, a, "moysklad_stock", `{"at":"2026-11-19","only":"all"}`)
	moved, all := sumColumn(t, r, "end_quantity"), sumColumn(t, whole, "stock")
	if moved.Cmp(all) >= 0 {
		t.Fatalf("all goods moved: %s of %s", moved, all)
	}
	if countNotices(r, "Товары без движения за период в отчёт «Обороты» не входят") != 1 ||
		!strings.Contains(r.Answer, "Остаток только этих товаров") {
		t.Errorf("%s %v", r.Answer, r.Notices)
	}
}

func TestEmptyShortagesSayWhatWasRead(t *testing.T) { // rule R194
	a := openShop(t, sandbox.Options{}).owner(t)
	r := callTool(t, a, "moysklad_shortages", `{"mode":"running_out","days":0}`)
	if len(r.Rows) != 0 || countNotices(r, "минимумы не проверялись") != 1 || countNotices(r, "ниже минимума") != 0 {
		t.Errorf("%d rows: %v", len(r.Rows), r.Notices)
	}
}

func TestACustomerNamedAsASupplierIsAnError(t *testing.T) { // rule R195
	s := openShop(t, sandbox.Options{})
	suppliers := map[string]bool{}
	for _, g := range s.company.Catalogue().Goods {
		if g.Supplier != nil {
			suppliers[g.Supplier.Name] = true
		}
	}
	a := s.owner(t)
	customer := ""
	for _, row := range callTool(t, a, "moysklad_profitability", `{"by":"counterparty",`+inOctober+`}`).Rows {
		if name := row[0].Text(); !suppliers[name] {
			customer = name
		}
	}
	for _, name := range []string{"moysklad_profitability", "moysklad_stock", "moysklad_turnover"} {
		_, err := tryTool(a, name, `{"suppliers":["`+customer+`"]}`, tool.Env{Now: noon, Language: "ru"})
		if err == nil || !strings.Contains(err.Error(), "покупатель, поставщиком товаров он не указан") {
			t.Errorf("%s for the supplier %s: %v", name, customer, err)
		}
	}
	if _, err := tryProposal(t, a, orders, `{"suppliers":["`+customer+`"]}`); err == nil {
		t.Error("nothing to order from a customer is not an error")
	}
}

func TestNestedWarehousesAreStated(t *testing.T) { // rule R194
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, store := range s.company.Catalogue().Stores {
		if store.Archived {
			continue
		}
		nested := false
		for _, other := range s.company.Catalogue().Stores {
			nested = nested || other.Parent == store
		}
		for _, name := range []string{"moysklad_stock", "moysklad_stock_by_store", "moysklad_shortages"} {
			r := callTool(t, a, name, `{"stores":["`+store.Name+`"]}`)
			if got := strings.Contains(r.Answer, "«"+store.Name+"» с вложенными"); got != nested {
				t.Errorf("%s in %s: %s", name, store.Name, r.Answer)
			}
		}
	}
	if r := callTool(t, a, "moysklad_stock_by_store", `{}`); countNotices(r,
		"Вложенные склады показаны отдельно") != 1 {
		t.Errorf("notices: %v", r.Notices)
	}
}

func TestDaysAreRoundedTheSameInTheSentenceAndTheTable(t *testing.T) { // rule R193
	a := openShop(t, sandbox.Options{}).owner(t)
	age := callTool(t, a, "moysklad_stock_age", `{"min_days":5}`)
	oldest := age.Rows[0]
	for _, row := range age.Rows {
		if number(t, age, oldest, "stock_days").Less(number(t, age, row, "stock_days")) {
			oldest = row
		}
	}
	if days := cell(t, age, oldest, "stock_days").Format(tool.UnitDays, "ru"); !strings.Contains(age.Answer,
		", "+days+" д") {
		t.Errorf("%s days in the table: %s", days, age.Answer)
	}
	half := decimal.MustParse("0.5")
	list := callTool(t, a, "moysklad_shortages", `{"mode":"running_out","days":60}`)
	for _, row := range list.Rows { // a good that lasts for more than a half over whole days
		lasts := number(t, list, row, "days_of_cover")
		if number(t, list, row, "free").Sign() <= 0 || lasts.Sub(lasts.Floor(0)).Cmp(half) < 0 {
			continue
		}
		r := callTool(t, a, "moysklad_shortages", `{"mode":"running_out","days":60,"products":["`+
			cell(t, list, row, "id").Text()+`"]}`)
		if want := cell(t, list, row, "days_of_cover").Format(tool.UnitDays, "ru"); !strings.Contains(r.Answer,
			"хватит на "+want+" д") {
			t.Errorf("%s in the table: %s", want, r.Answer)
		}
		return
	}
	t.Error("the fixture has no days to round up")
}

func TestUnsoldMeansWithoutASaleInThoseDays(t *testing.T) { // rule R194
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	sold := salesByGood(s.company, tool.Period{From: "2026-11-11", To: "2026-11-20"})
	old := callTool(t, a, "moysklad_stock_age", `{"min_days":10}`)
	unsold := callTool(t, a, "moysklad_stock_age", `{"min_days":10,"unsold":true}`)
	if len(unsold.Rows) == 0 || len(unsold.Rows) >= len(old.Rows) || countNotices(old, "не дни без продаж") != 1 {
		t.Errorf("%d of %d are unsold: %v", len(unsold.Rows), len(old.Rows), old.Notices)
	}
	for _, row := range unsold.Rows {
		g, _ := s.company.Good(company.ID(cell(t, unsold, row, "id").Text()))
		if x := sold[g.Root().ID]; g.Kind == company.Product && x.sold.Sign() > 0 {
			t.Errorf("%s: %s were sold", g.Name, x.sold)
		}
	}
}
