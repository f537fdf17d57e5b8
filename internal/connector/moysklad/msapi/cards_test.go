package msapi

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

func TestCardsMatchTheCatalogue(t *testing.T) {
	r := connect(t, shared(), owner, nil)
	shop := shared().Company(shared().Accounts()[0].AccountID)
	q := CardQuery{Named: true, Minimum: true}
	products, err := Collect(r.ProductCards(t.Context(), q))
	if err != nil {
		t.Fatal(err)
	}
	variants, err := Collect(r.VariantCards(t.Context(), CardQuery{Minimum: true}))
	if err != nil {
		t.Fatal(err)
	}
	packs, least, minimums := 0, 0, 0
	for _, c := range append(products, variants...) {
		g, ok := shop.Good(company.ID(c.ID))
		if !ok || string(g.Kind) != c.Type || g.Name != c.Name || c.Updated == "" || len(c.Packs) != len(g.Packs) {
			t.Fatalf("%+v", c)
		}
		if c.Type == "product" && (c.Unit.Name != g.Unit.Name || g.Supplier != nil &&
			c.Supplier.Name != g.Supplier.Name || c.Variants != len(g.Variants)) {
			t.Errorf("%s: unit %q, supplier %q, %d variants", c.Name, c.Unit.Name, c.Supplier.Name, c.Variants)
		}
		if c.Type == "variant" && c.Product.ID != ID(g.Product.ID) {
			t.Errorf("%s belongs to %s", c.Name, c.Product.ID)
		}
		for i, p := range c.Packs {
			packs++
			if p.Quantity.Cmp(g.Packs[i].Quantity.Decimal()) != 0 {
				t.Errorf("%s: pack of %s", c.Name, p.Quantity)
			}
		}
		if p := g.Prices().Minimum; p != nil {
			least++
			if c.MinPrice.Value.Cmp(p.Value.Decimal()) != 0 {
				t.Errorf("%s: minimum price %s, want %s", c.Name, c.MinPrice.Value, p.Value)
			}
		}
		if g.Minimum != nil && c.Minimum != nil {
			minimums++
		}
	}
	if packs == 0 || least == 0 || minimums == 0 || len(variants) == 0 {
		t.Errorf("%d packs, %d minimum prices, %d minimum stocks, %d variants", packs, least, minimums, len(variants))
	}
}

func TestCardsAreFilteredByTheServer(t *testing.T) {
	r := connect(t, shared(), owner, nil)
	shop := shared().Company(shared().Accounts()[0].AccountID)
	var parent *company.Good
	for _, g := range shop.Catalogue().Goods {
		if len(g.Variants) > 0 && !g.Archived && g.Supplier != nil {
			parent = g
		}
	}
	variants, err := Collect(r.VariantCards(t.Context(), CardQuery{Products: []ID{ID(parent.ID)}}))
	if err != nil || len(variants) != len(parent.Variants) {
		t.Errorf("%d variants of %d: %v", len(variants), len(parent.Variants), err)
	}
	path := parent.Folder.Path()
	products, err := Collect(r.ProductCards(t.Context(),
		CardQuery{Path: path, Suppliers: []ID{ID(parent.Supplier.ID)}}))
	if err != nil || len(products) == 0 {
		t.Fatalf("%d products: %v", len(products), err)
	}
	for _, c := range products {
		g, _ := shop.Good(company.ID(c.ID))
		if !strings.HasPrefix(g.Folder.Path(), path) || c.Supplier.ID != ID(parent.Supplier.ID) {
			t.Errorf("%s in %s", c.Name, g.Folder.Path())
		}
	}
	if none, err := Collect(r.VariantCards(t.Context(), CardQuery{Products: []ID{}})); err != nil || len(none) > 0 {
		t.Errorf("variants for an empty list of products: %d, %v", len(none), err)
	}
}

func TestMovesAreFilteredByTime(t *testing.T) {
	r := connect(t, shared(), owner, nil)
	shop := shared().Company(shared().Accounts()[0].AccountID)
	since := time.Now().AddDate(0, 0, -20).Truncate(time.Minute)
	want := map[ID]*company.Document{}
	for _, d := range shop.Documents(company.MoveDoc) {
		if !d.Moment.Before(since) {
			want[ID(d.ID)] = d
		}
	}
	moves, err := Collect(r.Documents(t.Context(), "move", DocumentQuery{From: since}))
	if err != nil || len(moves) != len(want) || len(want) == 0 {
		t.Fatalf("%d moves, want %d: %v", len(moves), len(want), err)
	}
	for _, m := range moves {
		d := want[m.ID]
		if d == nil || m.From.ID != ID(d.Store.ID) || m.To.ID != ID(d.Target.ID) ||
			m.Organization.ID != ID(d.Organization.ID) || m.Posted() != d.Applicable {
			t.Errorf("%+v", m)
		}
	}
}
