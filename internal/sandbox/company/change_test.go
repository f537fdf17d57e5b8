package company

import (
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// newSmallCompany returns a small company that the test may change.
func newSmallCompany() *Company { return New(Options{Seed: 3, Now: now, Products: 30, Days: 30}) }

// someGood returns the row of an ordinary good that the main store has in stock.
func someGood(t *testing.T, c *Company) StockRow {
	t.Helper()
	for _, r := range c.StockAll(StockQuery{Stores: Choice{Only: []ID{c.Catalogue().Stores[0].ID}},
		StockMode: ModePositive}) {
		if r.Good.Kind == Product && r.Stock >= Units(5) {
			return r
		}
	}
	t.Fatal("the fixture has no such good")
	return StockRow{}
}

func (c *Company) row(g *Good) StockRow {
	q := everything
	q.Variants = Choice{Only: []ID{g.ID}}
	return c.StockAll(q)[0]
}

func TestAPurchaseOrderIsInTransit(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	before := someGood(t, c)
	order := NewDocument{
		SyncID: "sync-1", Organization: cat.Organizations[0], Agent: cat.Counterparties[1], Store: cat.Stores[0],
		Positions: []Position{{Good: before.Good, Quantity: Units(10), InTransit: Units(10), Price: Kopecks(700)}},
	}
	d, err := c.Add(PurchaseOrderDoc, order)
	if err != nil {
		t.Fatal(err)
	}
	if d.Sum != Kopecks(7000) || d.WaitSum() != Kopecks(7000) || !d.Applicable || d.Name == "" || !d.Moment.Equal(now) {
		t.Errorf("document %+v", d)
	}
	if got := c.row(before.Good).InTransit; got != before.InTransit+Units(10) {
		t.Errorf("in transit %v, before %v", got, before.InTransit)
	}
	again, err := c.Add(PurchaseOrderDoc, order)
	if err != nil || again != d {
		t.Errorf("repeating the syncId: %v", err)
	}
	if err := c.Delete(d.ID); err != nil {
		t.Fatal(err)
	}
	if got := c.row(before.Good).InTransit; got != before.InTransit {
		t.Errorf("in transit after deletion %v, before %v", got, before.InTransit)
	}
	if err := c.Restore(d.ID); err != nil {
		t.Fatal(err)
	}
	if got := c.row(before.Good).InTransit; got != before.InTransit+Units(10) {
		t.Errorf("in transit after restoring %v, before %v", got, before.InTransit)
	}
	if err := c.Restore(d.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("restoring twice: %v", err)
	}
}

func TestAnOrderWithoutInTransitAddsNothingInTransit(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	before := someGood(t, c)
	_, err := c.Add(PurchaseOrderDoc, NewDocument{Organization: cat.Organizations[0], Agent: cat.Counterparties[1],
		Positions: []Position{{Good: before.Good, Quantity: Units(10)}}})
	if got := c.row(before.Good).InTransit; err != nil || got != before.InTransit {
		t.Errorf("in transit %v, before %v, error %v", got, before.InTransit, err)
	}
}

func TestAMoveKeepsTheTotal(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	there := someGood(t, c)
	before := c.row(there.Good)
	if _, err := c.Add(MoveDoc, NewDocument{Organization: cat.Organizations[0], Store: cat.Stores[0],
		Target:    cat.Stores[1],
		Positions: []Position{{Good: there.Good, Quantity: Units(3)}}}); err != nil {
		t.Fatal(err)
	}
	if after := c.row(there.Good); after != before {
		t.Errorf("total before %+v, after %+v", before, after)
	}
	q := StockQuery{QuantityMode: ModeAll, Stores: Choice{Only: []ID{cat.Stores[0].ID}},
		GoodFilter: GoodFilter{Products: Choice{Only: []ID{there.Good.ID}}}}
	if after := c.StockAll(q)[0]; after.Stock != there.Stock-Units(3) {
		t.Errorf("the source store has %v, before %v", after.Stock, there.Stock)
	}
}

func TestInvalidDocumentsAreRefused(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	o, agent, store := cat.Organizations[0], cat.Counterparties[1], cat.Stores[0]
	bundle := cat.Goods[slices.IndexFunc(cat.Goods, func(g *Good) bool { return g.Kind == Bundle })]
	version := c.Version()
	one := func(g *Good, q, transit Quantity) []Position {
		return []Position{{Good: g, Quantity: q, InTransit: transit}}
	}
	for name, test := range map[string]struct {
		got  func() (*Document, error)
		want error
	}{
		"no agent": {func() (*Document, error) { return c.Add(PurchaseOrderDoc, NewDocument{Organization: o}) },
			ErrRequired},
		"bundle": {func() (*Document, error) {
			return c.Add(PurchaseOrderDoc,
				NewDocument{Organization: o, Agent: agent, Positions: one(bundle, Units(1), 0)})
		}, ErrGood},
		"nothing": {func() (*Document, error) {
			return c.Add(PurchaseOrderDoc,
				NewDocument{Organization: o, Agent: agent, Positions: one(cat.Goods[0], 0, 0)})
		}, ErrQuantity},
		"more expected than ordered": {func() (*Document, error) {
			return c.Add(PurchaseOrderDoc, NewDocument{Organization: o, Agent: agent,
				Positions: one(cat.Goods[0], Units(1), Units(2))})
		}, ErrQuantity},
		"one store": {func() (*Document, error) {
			return c.Add(MoveDoc, NewDocument{Organization: o, Store: store, Target: store})
		}, ErrSameStore},
		"bundle moved": {func() (*Document, error) {
			return c.Add(MoveDoc, NewDocument{Organization: o, Store: store, Target: cat.Stores[1],
				Positions: one(bundle, Units(1), 0)})
		}, ErrGood},
	} {
		if _, err := test.got(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if err := c.Delete("no"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting an unknown id: %v", err)
	}
	linked := c.Documents(SupplyDoc)[slices.IndexFunc(c.Documents(SupplyDoc),
		func(d *Document) bool { return len(d.Links) > 0 })]
	if err := c.Delete(linked.ID); !errors.Is(err, ErrLinked) {
		t.Errorf("deleting a paid supply: %v", err)
	}
	if c.Version() != version {
		t.Error("a refused change modified the company")
	}
}

func TestSalePricesAreMergedByPriceType(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	g := cat.Goods[0]
	retail, wholesale := cat.PriceTypes[0], cat.PriceTypes[1]
	before := g.Prices()
	kept := g.SalePrice(wholesale)
	price := Price{Kopecks(12345), cat.Currencies[0]}
	if err := c.SetPrices(g.ID, NewPrices{Sale: map[*PriceType]Price{retail: price}}); err != nil {
		t.Fatal(err)
	}
	if g.SalePrice(retail) != price || g.SalePrice(wholesale) != kept {
		t.Errorf("prices %v and %v", g.SalePrice(retail), g.SalePrice(wholesale))
	}
	if before.Sale[0] == price || g.Prices().Buy != before.Buy {
		t.Error("the earlier snapshot or an unnamed price changed")
	}
	variant := cat.Goods[slices.IndexFunc(cat.Goods,
		func(g *Good) bool { return g.Kind == Variant && len(g.Prices().Sale) == 0 })]
	shown := variant.SalePrice(wholesale)
	if err := c.SetPrices(variant.ID, NewPrices{Sale: map[*PriceType]Price{retail: price}}); err != nil {
		t.Fatal(err)
	}
	if variant.SalePrice(retail) != price || variant.SalePrice(wholesale) != shown {
		t.Error("a variant lost its price")
	}
}

// After any sequence of additions and deletions the ledger equals one rebuilt from the remaining documents.
func TestAnUpdatedLedgerEqualsARebuiltOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := New(Options{Seed: 5, Now: now, Products: 12, Days: 12})
		cat := c.Catalogue()
		stocked := slices.DeleteFunc(slices.Clone(cat.Goods), func(g *Good) bool { return !g.Stocked() })
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			n := NewDocument{
				Organization: cat.Organizations[0], Agent: cat.Counterparties[1], Store: cat.Stores[0],
				Target: cat.Stores[1],
				Moment: now.AddDate(0, 0, -rapid.IntRange(0, 12).Draw(t, "days ago")),
				Positions: []Position{{Good: rapid.SampledFrom(stocked).Draw(t, "good"),
					Quantity: Quantity(rapid.Int64Range(1, 100*scale).Draw(t, "quantity")), InTransit: 1}},
			}
			switch rapid.IntRange(0, 2).Draw(t, "change") {
			case 0:
				if _, err := c.Add(MoveDoc, n); err != nil {
					t.Fatal(err)
				}
			case 1:
				if _, err := c.Add(PurchaseOrderDoc, n); err != nil {
					t.Fatal(err)
				}
			case 2:
				kind := rapid.SampledFrom(DocumentTypes).Draw(t, "type")
				if list := c.Documents(kind); len(list) > 0 {
					if err := c.Delete(rapid.SampledFrom(list).Draw(t, "document").ID); err != nil &&
						!errors.Is(err, ErrLinked) {
						t.Fatal(err)
					}
				}
			}
		}
		var all []*Document
		for _, kind := range DocumentTypes {
			all = append(all, c.Documents(kind)...)
		}
		slices.SortFunc(all, byMoment)
		rebuilt := newLedger(len(cat.Goods), len(cat.Stores), all)
		for i := range rebuilt.columns {
			a, b := rebuilt.columns[i], c.ledger.columns[i]
			a.changed, b.changed = 0, 0
			if a != b {
				t.Fatalf("column %d: %+v, rebuilt %+v", i, b, a)
			}
		}
		for _, d := range all {
			if !reflect.DeepEqual(rebuilt.costs[d.serial], c.ledger.costs[d.serial]) {
				t.Fatalf("%s %s costs %v, rebuilt %v", d.Type, d.Name, c.ledger.costs[d.serial],
					rebuilt.costs[d.serial])
			}
		}
	})
}

func TestConcurrentReadsAndWritesAreSafe(t *testing.T) {
	c := newSmallCompany()
	cat := c.Catalogue()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 20 {
				c.StockAll(StockQuery{})
				c.Current(CurrentQuery{ByStore: true})
				c.Profit(ProfitQuery{By: ByProduct})
				c.Dashboard(DashboardDay)
				for _, d := range c.Documents(PurchaseOrderDoc) {
					_ = d.WaitSum()
				}
				_ = cat.Goods[0].SalePrice(cat.PriceTypes[0])
			}
		})
	}
	all.Go(func() {
		for range 20 {
			d, err := c.Add(PurchaseOrderDoc,
				NewDocument{Organization: cat.Organizations[0], Agent: cat.Counterparties[1],
					Positions: []Position{{Good: cat.Goods[0], Quantity: Units(1), InTransit: Units(1)}}})
			if err != nil {
				t.Error(err)
				return
			}
			if err := c.SetPrices(cat.Goods[0].ID, NewPrices{Buy: &Price{Kopecks(5), cat.Currencies[0]}}); err != nil {
				t.Error(err)
			}
			if err := c.Delete(d.ID); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
}
