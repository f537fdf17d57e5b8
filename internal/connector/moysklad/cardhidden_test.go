package moysklad

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// Rules R15 and R244: without the right to see stock, that of an archived good is hidden, and not zero.
func TestHiddenStockOfAnArchivedGoodIsNotZero(t *testing.T) {
	const id = "00000000-0000-0000-0000-0000000000a1"
	good := `{"meta":{"type":"product","href":"x/entity/product/` + id + `"},"id":"` + id + `","name":"Чай",` +
		`"archived":true}`
	r := callTool(t, serve(t, respond(t, map[string]string{"entity/assortment": listJSON(good),
		"entity/product": listJSON(good), "report/stock/all": "403"})), "moysklad_product", `{"product":"чай"}`)
	if strings.Contains(r.Answer, "остаток 0") || strings.Contains(r.Answer, "себестоимость неизвестна") ||
		!strings.Contains(r.Answer, "«Остатки»") || parts(t, r)["Остатки по складам"] != nil {
		t.Error(r.Answer)
	}
	if n := countNotices(r, "остаток и себестоимость не показаны"); n != 1 {
		t.Errorf("%v", r.Notices)
	}
	if n := countNotices(r, "показан общим") + countNotices(r, "цену закупки"); n != 0 {
		t.Errorf("%v", r.Notices)
	}
}

// Rules R15 and R244: a service has no cost, but a purchase price, which may be hidden.
func TestTheHiddenPurchasePriceOfAServiceIsNamed(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	service := find(t, s, "a service", func(g *company.Good) bool { return g.Kind == company.Service })
	in := fmt.Sprintf(`{"product":%q}`, service.ID)
	for token, want := range map[string]int{s.info.Tokens.Owner: 0, s.info.Tokens.Storekeeper: 1} {
		r := callTool(t, s.as(t, token), "moysklad_product", in)
		if n := countNotices(r, "закупочная цена, наценка и маржа не показаны"); n != want {
			t.Errorf("%d notices, want %d: %v", n, want, r.Notices)
		}
	}
}
