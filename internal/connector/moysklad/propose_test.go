package moysklad

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	orders    = "moysklad_propose_supplier_orders"
	transfers = "moysklad_propose_transfers"
	prices    = "moysklad_propose_price_change"
)

// mustPropose calls a propose tool and checks the invariants of every proposal: unique ids, no empty document, and only
// GET requests.
func mustPropose(t *testing.T, s *shop, a opened, name string, arguments any) *tool.Proposal {
	t.Helper()
	p, err := tryProposal(t, a, name, arguments)
	if err != nil {
		t.Fatalf("%s %v: %v", name, arguments, err)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	if p.Answer == "" || p.Provenance.Method == "" && len(p.Documents) > 0 || p.Provenance.Requests == 0 {
		t.Errorf("%s: no answer or provenance: %q, %+v", name, p.Answer, p.Provenance)
	}
	ids := map[stockhand.DocumentID]bool{}
	for _, d := range p.Documents {
		if d.ID == "" || ids[d.ID] || len(d.Lines) == 0 || len(d.Lines) > 1000 || d.Title == "" ||
			d.Reason == "" || len(d.Consequences) == 0 {
			t.Errorf("document %+v", d)
		}
		ids[d.ID] = true
		goods := map[string]bool{}
		for i, l := range d.Lines {
			if l.ID != strconv.Itoa(i+1) || l.Reason == "" || goods[l.Product.ID] || l.Product.Type != "product" &&
				l.Product.Type != "variant" {
				t.Errorf("%s: line %+v", d.Title, l)
			}
			goods[l.Product.ID] = true
		}
	}
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("%s sent %s %s", name, r.Method, r.Path)
		}
	}
	return p
}

func tryProposal(t *testing.T, a opened, name string, arguments any) (*tool.Proposal, error) {
	t.Helper()
	text, ok := arguments.(string)
	if !ok {
		b, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		text = string(b)
	}
	for _, tl := range a.Tools() {
		if tl.Name == name {
			return tl.Propose(context.Background(), tool.Env{Now: noon}, json.RawMessage(text))
		}
	}
	panic("no tool " + name)
}

func noticeOf(p *tool.Proposal, code tool.NoticeCode) string {
	for _, n := range p.Notices {
		if n.Code == code {
			return n.Message
		}
	}
	return ""
}

func wantFieldError(t *testing.T, a opened, name string, arguments any, field string) *stockhand.Error {
	t.Helper()
	_, err := tryProposal(t, a, name, arguments)
	e, ok := err.(*stockhand.Error) //nolint:errorlint // not wrapped
	if !ok || e.Code != stockhand.CodeValidation || len(e.Fields) != 1 || e.Fields[0].Field != field {
		t.Fatalf("%v: %v, want an error for field %s", arguments, err, field)
	}
	return e
}

func goodOf(t *testing.T, s *shop, r tool.Ref) *company.Good {
	t.Helper()
	g, ok := s.company.Good(company.ID(r.ID))
	if !ok || string(g.Kind) != r.Type || g.Name != r.Name {
		t.Fatalf("no good matches %+v", r)
	}
	return g
}

// find returns the first active good that matches.
func find(t *testing.T, s *shop, what string, match func(*company.Good) bool) *company.Good {
	t.Helper()
	for _, g := range s.company.Catalogue().Goods {
		if !g.IsArchived() && match(g) {
			return g
		}
	}
	t.Fatalf("the fixture has no %s", what)
	return nil
}

func activeStores(s *shop) []*company.Store {
	return slices.DeleteFunc(slices.Clone(s.company.Catalogue().Stores),
		func(x *company.Store) bool { return x.Archived })
}

func TestOrdersRaiseEveryShortageToItsMinimum(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{"mode":"below_minimum"}`)
	b, all := stockFromDocuments(s.company), sumStores(stockFromDocuments(s.company))
	// A total minimum counts over all warehouses; the tool chooses the warehouse of delivery.
	want, got := map[place]decimal.Decimal{}, map[place]decimal.Decimal{}
	for w, minimum := range minimums(s.company) {
		h := b[w]
		if w.store == "" {
			h = all[w.good]
		}
		g, _ := s.company.Good(w.good)
		missing := (minimum - h.free() - h.transit).Decimal().Max(decimal.Zero)
		if !g.Weighed {
			missing = missing.Ceil(0)
		}
		if pack := packOf(g); decimal.One.Less(pack) {
			missing = missing.Div(pack).Ceil(0).Mul(pack)
		}
		if missing.Sign() > 0 && g.Root().Supplier != nil {
			want[w] = missing
		}
		if missing.Sign() > 0 && g.Root().Supplier == nil &&
			!strings.Contains(noticeOf(p, tool.NoticeNoSupplier), g.Name) {
			t.Errorf("%s has no supplier and is not mentioned", g.Name)
		}
	}
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			g := goodOf(t, s, l.Product)
			w := place{g.ID, company.ID(d.Store.ID)}
			if g.Root().Minimum != nil && g.Root().Minimum.Type == company.MinimumSum {
				w.store = ""
			}
			got[w] = got[w].Add(l.Quantity.Decimal)
			if string(g.Root().Supplier.ID) != d.Supplier.ID {
				t.Errorf("%s is ordered from %s", g.Name, d.Supplier.Name)
			}
		}
	}
	if len(want) < 10 {
		t.Fatalf("the fixture has only %d shortages", len(want))
	}
	for w, quantity := range want {
		g, _ := s.company.Good(w.good)
		wantEqual(t, g.Name+" in "+string(w.store), got[w], quantity)
		delete(got, w)
	}
	for w, quantity := range got {
		g, _ := s.company.Good(w.good)
		t.Errorf("%s in %q is not short, but %s are ordered", g.Name, w.store, quantity)
	}
}

func TestOrdersAreOneDocumentPerSupplierWarehouseAndLegalEntity(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{}`)
	made := map[string]map[string]int{}
	for _, o := range s.company.Documents(company.PurchaseOrderDoc) {
		if o.Applicable && o.Moment.After(account.DayStart(tool.DayOf(noon).Add(-180))) {
			if made[string(o.Agent.ID)] == nil {
				made[string(o.Agent.ID)] = map[string]int{}
			}
			made[string(o.Agent.ID)][string(o.Organization.ID)]++
		}
	}
	seen := map[[4]string]bool{}
	for _, d := range p.Documents {
		k := [4]string{d.Supplier.ID, d.Store.ID, d.Organization.ID, d.Currency}
		if seen[k] {
			t.Errorf("duplicate documents for %v", k)
		}
		seen[k] = true
		for usual, n := range made[d.Supplier.ID] {
			if n > made[d.Supplier.ID][d.Organization.ID] {
				t.Errorf("%s: for %s, although %d earlier orders are for %s", d.Title, d.Organization.Name, n, usual)
			}
		}
		if want := tool.DayOf(noon).Add(7); d.Kind != tool.SupplierOrder || d.Delivery != want {
			t.Errorf("%s: %s on %s, want %s", d.Title, d.Kind, d.Delivery, want)
		}
	}
	if len(seen) < 3 {
		t.Errorf("only %d documents", len(seen))
	}
}

func TestOrdersUsePurchasePrices(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{"days":60}`)
	b := stockFromDocuments(s.company)
	unpriced := 0
	for _, d := range p.Documents {
		total, known := decimal.Zero, true
		for _, l := range d.Lines {
			g := goodOf(t, s, l.Product)
			buy, ok := g.BuyPrice()
			if ok != l.Price.Known {
				t.Errorf("%s: price %v, has a purchase price: %t", g.Name, l.Price, ok)
			}
			if !ok {
				known = false
				unpriced++
				if !strings.Contains(noticeOf(p, tool.NoticeNoPrice), g.Name) {
					t.Errorf("%s has no purchase price and is not mentioned", g.Name)
				}
				continue
			}
			wantEqual(t, g.Name, l.Price.Decimal, buy.Value.Decimal().Major())
			total = total.Add(l.Quantity.Mul(buy.Value.Decimal().Major()).Round(2))
			h := b[place{g.ID, company.ID(d.Store.ID)}]
			wantEqual(t, g.Name+" stock seen", l.Seen.Stock.Decimal, h.stock.Decimal())
			wantEqual(t, g.Name+" reserve seen", l.Seen.Reserve.Decimal, h.reserve.Decimal())
			wantEqual(t, g.Name+" on the way seen", l.Seen.InTransit.Decimal, h.transit.Decimal())
			if l.Seen.Updated == "" || l.Seen.Price != l.Price {
				t.Errorf("%s: seen %+v", g.Name, l.Seen)
			}
		}
		if d.Total.Known != known {
			t.Errorf("%s: total %v, all prices known: %t", d.Title, d.Total, known)
		}
		if known {
			wantEqual(t, d.Title, d.Total.Decimal, total)
		}
	}
	if unpriced == 0 {
		t.Error("the fixture has no shortage without a purchase price")
	}
}

// The headline sum includes every priced line, even of documents that contain unpriced lines.
func TestTheHeadlineOfOrdersCountsEveryPricedLine(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{"days":60}`)
	var sum decimal.Decimal
	missing := 0
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			if worth := l.Sum(); worth.Known {
				sum = sum.Add(worth.Decimal)
			} else {
				missing++
			}
		}
		if _, unpriced := d.PricedSum(); unpriced > 0 && len(d.Lines) > unpriced {
			for _, l := range []stockhand.Language{"ru", "en"} {
				if text := d.TotalText(l); !strings.HasPrefix(text, l.Pick("не меньше ", "at least ")) {
					t.Errorf("%s: %s", d.Title, text)
				}
			}
		}
	}
	if missing == 0 {
		t.Fatal("the fixture has no unpriced line")
	}
	want := "не меньше чем на " + tool.FormatMoney(sum, "RUB", "ru") + ", " + tool.UnpricedLines(missing, "ru")
	if !strings.Contains(p.Answer, want) {
		t.Errorf("%s\nwant %s", p.Answer, want)
	}
	if p.Title != "Заказы поставщикам" {
		t.Errorf("title %q", p.Title)
	}
}

func TestAHiddenPurchasePriceIsNotZero(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	p := mustPropose(t, s, s.as(t, s.info.Tokens.Storekeeper), orders, `{}`)
	if len(p.Documents) == 0 || !strings.Contains(noticeOf(p, tool.NoticeRightMissing), account.SectionCost.RU) ||
		noticeOf(p, tool.NoticeNoPrice) != "" {
		t.Errorf("%d documents, notices %v", len(p.Documents), p.Notices)
	}
	for _, d := range p.Documents {
		if d.Total.Known {
			t.Errorf("%s: a total of %s", d.Title, d.Total)
		}
		for _, l := range d.Lines {
			if l.Price.Known || l.Seen.Price.Known {
				t.Errorf("%s: price %v", l.Product.Name, l.Price)
			}
		}
	}
}

func TestAListIsOrderedInWholeUnitsAndPacks(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	packed := find(t, s, "good in packs",
		func(g *company.Good) bool { return len(g.Packs) == 1 && g.Supplier != nil && len(g.Variants) == 0 })
	piece := find(t, s, "good in pieces", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Packs) == 0 && g.Supplier == packed.Supplier && !g.Weighed &&
			len(g.Variants) == 0
	})
	kilos := find(t, s, "good by weight", func(g *company.Good) bool { return g.Weighed && g.Supplier != nil })
	single := find(t, s, "good without a supplier", func(g *company.Good) bool {
		return g.Kind == company.Product && g.Supplier == nil && len(g.Variants) == 0
	})
	store := activeStores(s)[1]
	p := mustPropose(t, s, s.owner(t), orders,
		map[string]any{"store": store.Name, "delivery": "2026-12-01", "items": []map[string]any{
			{"product": packed.Code, "quantity": 1}, {"product": piece.Code, "quantity": "2.5", "price": "12.34"},
			{"product": string(kilos.ID), "quantity": 0.7},
			{"product": single.Code, "quantity": 3}, {"product": piece.Name, "quantity": 1},
		}})
	want := map[company.ID]decimal.Decimal{
		packed.ID: packed.Packs[0].Quantity.Decimal(), piece.ID: decimal.FromInt(4), kilos.ID: decimal.MustParse("0.7"),
	}
	for _, d := range p.Documents {
		if d.Store.ID != string(store.ID) || d.Delivery != "2026-12-01" {
			t.Errorf("%s on %s", d.Title, d.Delivery)
		}
		for _, l := range d.Lines {
			wantEqual(t, l.Product.Name, l.Quantity.Decimal, want[company.ID(l.Product.ID)])
			delete(want, company.ID(l.Product.ID))
			switch l.Product.ID {
			case string(piece.ID):
				wantEqual(t, "given price", l.Price.Decimal, decimal.MustParse("12.34"))
				if !l.Whole || l.Pack.Known {
					t.Errorf("%+v", l)
				}
			case string(packed.ID):
				wantEqual(t, "pack", l.Pack.Decimal, packed.Packs[0].Quantity.Decimal())
			case string(kilos.ID):
				if l.Whole {
					t.Errorf("%+v", l)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("missing from the order: %v", want)
	}
	if !strings.Contains(noticeOf(p, tool.NoticeNoSupplier), single.Name) {
		t.Errorf("%s is not mentioned: %v", single.Name, p.Notices)
	}

	supplier := s.company.Catalogue().Counterparties[0]
	p = mustPropose(t, s, s.owner(t), orders,
		map[string]any{"store": string(store.ID), "suppliers": []string{string(supplier.ID)},
			"items": []map[string]any{{"product": single.Code, "quantity": 3}}})
	if len(p.Documents) != 1 || p.Documents[0].Supplier.ID != string(supplier.ID) {
		t.Errorf("%+v", p.Documents)
	}
}

// A list without a warehouse goes to the one that all recent orders went to. If there is no such one, the answer asks.
func TestAListGoesToTheUsualWarehouse(t *testing.T) { // rule R356
	s := openShop(t, sandbox.Options{})
	good := find(t, s, "product", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Variants) == 0 && g.Supplier != nil
	})
	list := map[string]any{"items": []map[string]any{{"product": good.Code, "quantity": 2}}}
	past := s.company.Documents(company.PurchaseOrderDoc)
	usual := past[0].Store
	p := mustPropose(t, s, s.owner(t), orders, list)
	if len(p.Documents) != 1 || p.Documents[0].Store.ID != string(usual.ID) ||
		!slices.ContainsFunc(p.Notices, func(n tool.Notice) bool { return strings.Contains(n.Message, usual.Name) }) {
		t.Errorf("%+v %v", p.Documents, p.Notices)
	}
	other := slices.DeleteFunc(activeStores(s), func(x *company.Store) bool { return x.ID == usual.ID })[0]
	if _, err := s.company.Add(company.PurchaseOrderDoc, company.NewDocument{Organization: past[0].Organization,
		Agent: past[0].Agent, Store: other, Positions: []company.Position{{Good: good, Quantity: company.Units(1)}},
	}); err != nil {
		t.Fatal(err)
	}
	p = mustPropose(t, s, s.owner(t), orders, list)
	for _, x := range activeStores(s) {
		if len(p.Documents) > 0 || !strings.Contains(p.Answer, x.Name) {
			t.Errorf("the warehouse %s is not named in %q", x.Name, p.Answer)
		}
	}
}

// A product with variants cannot be listed itself; its variants are named.
func TestTheVariantsOfAListedProductAreNamed(t *testing.T) { // rule R356
	s := openShop(t, sandbox.Options{})
	parent := find(t, s, "product with variants", func(g *company.Good) bool { return len(g.Variants) > 0 })
	p := mustPropose(t, s, s.owner(t), orders, map[string]any{"store": activeStores(s)[0].Name,
		"items": []map[string]any{{"product": parent.Code, "quantity": 2}}})
	if len(p.Documents) > 0 || strings.Count(p.Answer, "«"+parent.Name+" (") != len(parent.Variants) {
		t.Errorf("%q", p.Answer)
	}
}

func TestAnAmbiguousListIsRejected(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	piece := find(t, s, "product", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Variants) == 0 && g.Supplier != nil
	})
	parent := find(t, s, "product with variants", func(g *company.Good) bool { return len(g.Variants) > 0 })
	bundle := find(t, s, "bundle", func(g *company.Good) bool { return g.Kind == company.Bundle })
	service := find(t, s, "service", func(g *company.Good) bool { return g.Kind == company.Service })
	store := activeStores(s)[0].Name
	items := func(product string, quantity any) []map[string]any {
		return []map[string]any{{"product": product, "quantity": quantity}}
	}
	for arguments, field := range map[string]any{
		"quantity": map[string]any{"store": store, "items": items(piece.Code, 0)},
		"bundle":   map[string]any{"store": store, "items": items(bundle.Code, 1)},
		"service":  map[string]any{"store": store, "items": items(service.Code, 1)},
		"modes":    map[string]any{"store": store, "items": items(piece.Code, 1), "mode": "all"},
		"nothing":  map[string]any{"store": store, "items": []any{}},
	} {
		t.Run(arguments, func(t *testing.T) { wantFieldError(t, a, orders, field, "items") })
	}
	p := mustPropose(t, s, a, orders, map[string]any{"store": store, "items": items(string(parent.ID), 1)})
	if len(p.Documents) != 0 || !strings.Contains(p.Answer, parent.Name) || !strings.Contains(p.Answer, "модификации") {
		t.Errorf("a product with variants: %d documents, %s", len(p.Documents), p.Answer)
	}
	wantFieldError(t, a, orders, map[string]any{"store": "нет такого", "items": items(piece.Code, 1)}, "store")
	wantFieldError(t, a, orders, map[string]any{"delivery": "2026-01-01"}, "delivery")
	wantFieldError(t, a, orders, map[string]any{"organization": "нет такой"}, "organization")
	wantFieldError(t, a, orders, map[string]any{"store": store, "items": items("нет такого товара", 1)}, "products")
}

func TestOrdersInAnotherCurrencyAreSeparateDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	var dollars *company.Currency
	for _, c := range s.company.Catalogue().Currencies {
		if !c.Default {
			dollars = c
		}
	}
	roubles := find(t, s, "product", func(g *company.Good) bool {
		_, ok := g.BuyPrice()
		return g.Kind == company.Product && len(g.Variants) == 0 && g.Supplier != nil && ok
	})
	foreign := find(t, s, "product of the same supplier", func(g *company.Good) bool {
		return g.Kind == company.Product && len(g.Variants) == 0 && g.Supplier == roubles.Supplier && g != roubles
	})
	if err := s.company.SetPrices(foreign.ID,
		company.NewPrices{Buy: &company.Price{Value: company.Kopecks(250), Currency: dollars}}); err != nil {
		t.Fatal(err)
	}
	p := mustPropose(t, s, s.owner(t), orders,
		map[string]any{"store": activeStores(s)[0].Name, "items": []map[string]any{
			{"product": roubles.Code, "quantity": 12}, {"product": foreign.Code, "quantity": 12},
		}})
	if len(p.Documents) != 2 {
		t.Fatalf("%d documents", len(p.Documents))
	}
	for _, d := range p.Documents {
		want := map[string]string{string(roubles.ID): "", string(foreign.ID): string(dollars.ID)}[d.Lines[0].Product.ID]
		if len(d.Lines) != 1 || d.CurrencyID != want || (want != "") != (d.Currency == dollars.ISOCode) {
			t.Errorf("%s: %s %s, %d lines", d.Title, d.Currency, d.CurrencyID, len(d.Lines))
		}
	}
}
