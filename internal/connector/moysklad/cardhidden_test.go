package moysklad

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
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

// bundled returns a good that was sold in bundles in October, and they.
func bundled(t *testing.T, s *shop) (*company.Good, []*company.Good) {
	t.Helper()
	g := find(t, s, "a good sold in bundles", func(g *company.Good) bool {
		own, in, _ := netSales(s.company, g, october)
		return g.Stocked() && g.Product == nil && own.Sign() > 0 && in.Sign() > 0
	})
	return g, slices.DeleteFunc(slices.Clone(s.company.Catalogue().Goods), func(x *company.Good) bool {
		return !slices.ContainsFunc(x.Components, func(c company.Component) bool { return c.Good.Root().ID == g.ID })
	})
}

// Rule R244: what bundles took counts in the sales rate, whether the bundles are archived or too many to look through.
func TestTheSalesRateHasWhatAnyBundleTook(t *testing.T) { // facts M55 and M126
	s := openShop(t, sandbox.Options{})
	g, bundles := bundled(t, s)
	own, in, _ := netSales(s.company, g, october)
	check := func(what string, requests int) {
		t.Helper()
		r := callTool(t, s.owner(t), "moysklad_product", fmt.Sprintf(`{"product":%q,%s}`, g.ID, inOctober))
		pace := parts(t, r)["Продажи с 22.10.2026 по 20.11.2026"]
		wantEqual(t, what+": sold", number(t, pace, pace.Rows[0], "sold"), own)
		wantEqual(t, what+": in bundles", number(t, pace, pace.Rows[0], "in_bundles"), in)
		wantEqual(t, what+": a day", number(t, pace, pace.Rows[0], "per_day"),
			own.Add(in).Div(decimal.FromInt(30)).Round(3))
		if r.Provenance.Requests > requests {
			t.Errorf("%s: %d requests", what, r.Provenance.Requests)
		}
	}
	for _, b := range bundles {
		card := b.Card
		card.Archived = true
		if _, err := s.company.EditGood(b.ID, card); err != nil {
			t.Fatal(err)
		}
	}
	check("archived", 30)
	for i := range 1001 {
		s.company.AddGood(company.Bundle, company.Card{Name: fmt.Sprintf("Набор %04d", i)})
	}
	check("too many", 30)

	service := find(t, s, "a service", func(g *company.Good) bool {
		own, _, _ := netSales(s.company, g, october)
		return g.Kind == company.Service && own.Sign() > 0
	})
	r := callTool(t, s.owner(t), "moysklad_product", fmt.Sprintf(`{"product":%q,%s}`, service.ID, inOctober))
	pace := parts(t, r)["Продажи с 22.10.2026 по 20.11.2026"]
	if v := cell(t, pace, pace.Rows[0], "in_bundles"); !v.IsEmpty() {
		t.Errorf("bundles took %v of a service", v) // the sales rate is that of goods in stock
	}
}

// Rules R15 and R244: if bundles are hidden, what they took is unknown, and so are the rate and the days of cover.
func TestTheSalesRateIsUnknownWithoutBundles(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	g, _ := bundled(t, s)
	a := s.owner(t)
	if err := s.Fail(sandbox.Fault{Path: "entity/bundle", Count: 1000, Status: 403}); err != nil {
		t.Fatal(err)
	}
	r := callTool(t, a, "moysklad_product", fmt.Sprintf(`{"product":%q,%s}`, g.ID, inOctober))
	pace := parts(t, r)["Продажи с 22.10.2026 по 20.11.2026"]
	for _, name := range []string{"in_bundles", "per_day", "days_of_cover"} {
		if v := cell(t, pace, pace.Rows[0], name); !v.IsEmpty() {
			t.Errorf("%s is %v", name, v)
		}
	}
	if strings.Contains(r.Answer, "в день") || strings.Contains(r.Answer, "хватит") ||
		!strings.Contains(r.Answer, "сколько ещё ушло в комплектах, неизвестно") ||
		countNotices(r, "Сколько товара ушло в комплектах, неизвестно") != 1 {
		t.Errorf("%s %v", r.Answer, r.Notices)
	}
	unsold := callTool(t, a, "moysklad_product", fmt.Sprintf(`{"product":%q,"from":"2020-01-01","to":"2020-01-02"}`, g.ID))
	if n := countNotices(unsold, "Сколько товара ушло в комплектах"); n != 0 { // no bundle was sold
		t.Errorf("%v", unsold.Notices)
	}
}

// Rule R244: a good that is sold in bundles only was sold.
func TestAGoodSoldInBundlesOnlyWasSold(t *testing.T) {
	const id, set = "00000000-0000-0000-0000-0000000000a1", "00000000-0000-0000-0000-0000000000b1"
	good := `{"meta":{"type":"product","href":"x/entity/product/` + id + `"},"id":"` + id + `","name":"Лента"}`
	r := callTool(t, serve(t, respond(t, map[string]string{
		"entity/assortment": listJSON(good), "entity/product": listJSON(good), "report/stock/bystore/current": `[]`,
		"entity/bundle": listJSON(`{"id":"` + set + `","name":"Набор","components":` + listJSON(`{"quantity":2,`+
			`"assortment":{"meta":{"type":"product","href":"x/entity/product/`+id+`"}}}`) + `}`),
		"report/profit/byproduct": listJSON(`{"assortment":{"meta":{"type":"bundle","href":"x/entity/bundle/` + set +
			`"},"name":"Набор"},"sellQuantity":3,"sellSum":100}`),
	})), "moysklad_product", `{"product":"лента"}`)
	if strings.Contains(r.Answer, "продаж не было") || !strings.Contains(r.Answer, "вне комплектов не продавался") ||
		!strings.Contains(r.Answer, "ещё в комплектах 6") {
		t.Error(r.Answer)
	}
}
