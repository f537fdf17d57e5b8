package moysklad

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
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

// Rule R244: the stock of archived variants is part of that of their product.
func TestStockOfArchivedVariantsIsShown(t *testing.T) { // fact M26
	s := openShop(t, sandbox.Options{})
	stock := map[company.ID]balance{}
	for at, b := range stockFromDocuments(s.company) {
		x := stock[at.good]
		stock[at.good] = balance{x.stock + b.stock, x.reserve + b.reserve, x.transit + b.transit}
	}
	product := find(t, s, "a product with variants in stock", func(g *company.Good) bool {
		return len(g.Variants) > 1 && stock[g.Variants[0].ID].stock > 0 && stock[g.Variants[1].ID].stock > 0
	})
	in := fmt.Sprintf(`{"product":%q}`, product.ID)
	before := callTool(t, s.owner(t), "moysklad_product", in)
	card := product.Variants[0].Card
	card.Archived = true
	if _, err := s.company.EditGood(product.Variants[0].ID, card); err != nil {
		t.Fatal(err)
	}
	check := func(r *tool.Result, want string) {
		t.Helper()
		if !strings.HasPrefix(r.Answer, want) {
			t.Errorf("%s, want %s", r.Answer, want)
		}
		list := parts(t, r)["Модификации"]
		for _, row := range list.Rows {
			id := company.ID(cell(t, list, row, "product_id").Text())
			wantEqual(t, string(id), number(t, list, row, "stock"), stock[id].stock.Decimal())
			wantEqual(t, string(id), number(t, list, row, "free"), stock[id].free().Decimal())
		}
	}
	said, _, _ := strings.Cut(before.Answer, ".")
	check(callTool(t, s.owner(t), "moysklad_product", in), said)
	places := parts(t, callTool(t, s.owner(t), "moysklad_product", in))["Остатки по складам"]
	last := places.Row(len(places.Rows) - 1)
	if n, _ := last["stock"].Decimal(); !strings.Contains(last["store"].Text(), "архив") ||
		n.Cmp(stock[product.Variants[0].ID].stock.Decimal()) != 0 {
		t.Errorf("%v", last)
	}

	whole := product.Card
	whole.Archived = true
	if _, err := s.company.EditGood(product.ID, whole); err != nil {
		t.Fatal(err)
	}
	check(callTool(t, s.owner(t), "moysklad_product", in), "")
}
