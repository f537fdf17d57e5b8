package moysklad

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R256.
func TestAnOrderSaysWhichOpenOrdersContainItsGoods(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	p := mustPropose(t, s, s.owner(t), orders, `{"days":60}`)
	open := map[place][]string{}
	for _, d := range s.company.Documents(company.PurchaseOrderDoc) {
		for _, l := range d.Positions {
			if d.Applicable && l.Shipped < l.Quantity && d.Moment.After(account.DayStart(tool.DayOf(noon).Add(-180))) {
				at := place{good: l.Good.ID}
				if d.Store != nil {
					at.store = d.Store.ID
				}
				open[at] = append(open[at], "№ "+d.Name+" — "+
					tool.FormatQuantity((l.Quantity-l.Shipped).Decimal(), "ru"))
			}
		}
	}
	overlaps := 0
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			text := ""
			for _, f := range l.Flags {
				if f.Code == tool.NoticeOverlap {
					text = f.Message
				}
			}
			want := append(open[place{company.ID(l.Product.ID), company.ID(d.Store.ID)}],
				open[place{good: company.ID(l.Product.ID)}]...)
			if text != "" {
				overlaps++
			}
			for _, order := range want {
				if !strings.Contains(text, order) {
					t.Errorf("%s: %q does not name %s", l.Product.Name, text, order)
				}
				number, _, _ := strings.Cut(strings.TrimPrefix(order, "№ "), " — ")
				if !slices.ContainsFunc(l.Named, func(r tool.Ref) bool {
					return r.Name == number && r.ID != "" && r.Type == "purchaseorder"
				}) {
					t.Errorf("%s: %s is not among %v", l.Product.Name, number, l.Named)
				}
			}
			if len(want) == 0 && text != "" {
				t.Errorf("%s: no open order, but %q", l.Product.Name, text)
			}
		}
	}
	if overlaps == 0 {
		t.Error("the fixture has no open order of goods that are short")
	}
}

// Rule R257.
func TestAListedBundleIsOrderedAsItsComponents(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	bundle := find(t, s, "bundle", func(g *company.Good) bool {
		for _, part := range g.Components {
			if part.Good.IsArchived() || part.Good.Root().Supplier == nil {
				return false
			}
		}
		return g.Kind == company.Bundle && len(g.Components) > 0
	})
	p := mustPropose(t, s, s.owner(t), orders, map[string]any{"store": string(activeStores(s)[0].ID),
		"components": true, "items": []map[string]any{{"product": bundle.Name, "quantity": 7}}})
	got := map[string]decimal.Decimal{}
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			got[l.Product.ID] = l.Quantity.Decimal
		}
	}
	for _, part := range bundle.Components {
		want := part.Quantity.Decimal().Mul(decimal.FromInt(7))
		if q := got[string(part.Good.ID)]; q.Less(want) || q.Sub(want).Cmp(packOf(part.Good)) >= 0 {
			t.Errorf("%s: %s are ordered, want %s", part.Good.Name, q, want)
		}
	}
	if len(got) != len(bundle.Components) {
		t.Errorf("%d goods are ordered", len(got))
	}
}

func TestAnOrderNamesTheOpenOrderOfAnotherSupplier(t *testing.T) { // rule R256
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	a := s.owner(t)
	overlapping := func() (found []*company.Good) {
		for _, d := range mustPropose(t, s, a, orders, `{"days":60}`).Documents {
			for _, l := range d.Lines {
				for _, f := range l.Flags {
					if g := goodOf(t, s, l.Product); f.Code == tool.NoticeOverlap && g.Product == nil {
						found = append(found, g)
					}
				}
			}
		}
		return found
	}
	before := overlapping()
	if len(before) == 0 {
		t.Fatal("no open order of a product that is short")
	}
	for _, c := range s.company.Catalogue().Counterparties {
		used := slices.ContainsFunc(s.company.Documents(company.PurchaseOrderDoc),
			func(d *company.Document) bool { return d.Agent == c })
		if !used && !c.Archived {
			for _, g := range before {
				g.Supplier = c
			}
			break
		}
	}
	if after := overlapping(); len(after) != len(before) {
		t.Errorf("%d lines name an open order of another supplier, want %d", len(after), len(before))
	}
}

func TestABundleIsFoundByItsCodeAndOrderedWithoutItsServices(t *testing.T) { // rule R257
	s := openShop(t, sandbox.Options{})
	bundle := find(t, s, "bundle", func(g *company.Good) bool {
		for _, part := range g.Components {
			if part.Good.IsArchived() || part.Good.Root().Supplier == nil {
				return false
			}
		}
		return g.Kind == company.Bundle && len(g.Components) > 0 && g.Code != ""
	})
	service := find(t, s, "service", func(g *company.Good) bool { return g.Kind == company.Service })
	goods := len(bundle.Components)
	part := bundle.Components[0]
	part.Good = service
	bundle.Components = append(bundle.Components, part)
	p := mustPropose(t, s, s.owner(t), orders, map[string]any{"store": string(activeStores(s)[0].ID),
		"components": true, "items": []map[string]any{{"product": bundle.Code, "quantity": 7}}})
	if got := len(goodsIn(p)); got != goods || !strings.Contains(noticeOf(p, tool.NoticePartial), bundle.Name) {
		t.Errorf("%d goods are ordered, want %d; %v", got, goods, p.Notices)
	}
}
