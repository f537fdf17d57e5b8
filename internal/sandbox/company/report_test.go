package company

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

type cell struct {
	good  ID
	store ID
}

// countDocuments computes the stock of every good in every store from documents, independently of the ledger.
func countDocuments(c *Company, until time.Time) map[cell]Quantity {
	out := make(map[cell]Quantity)
	put := func(g *Good, s *Store, q Quantity) {
		if g.Kind != Bundle {
			if g.Stocked() {
				out[cell{g.ID, s.ID}] += q
			}
			return
		}
		for _, part := range g.Components {
			out[cell{part.Good.ID, s.ID}] += q * part.Quantity / scale
		}
	}
	for _, t := range DocumentTypes {
		for _, d := range c.Documents(t) {
			if !d.Applicable || d.Moment.After(until) {
				continue
			}
			for _, p := range d.Positions {
				switch t {
				case SupplyDoc, EnterDoc, SalesReturnDoc, RetailSalesReturnDoc:
					put(p.Good, d.Store, p.Quantity)
				case DemandDoc, RetailDemandDoc, LossDoc:
					put(p.Good, d.Store, -p.Quantity)
				case MoveDoc:
					put(p.Good, d.Store, -p.Quantity)
					put(p.Good, d.Target, p.Quantity)
				}
			}
		}
	}
	return out
}

var everything = StockQuery{GoodFilter: GoodFilter{Archived: ArchivedToo}, QuantityMode: ModeAll, StockMode: ModeAll}

func TestStockIsComputedFromDocuments(t *testing.T) {
	c := shop()
	for _, moment := range []time.Time{{}, now.AddDate(0, 0, -30), now.AddDate(0, 0, -179)} {
		until := moment
		if moment.IsZero() {
			until = now
		}
		want := make(map[ID]Quantity)
		for at, q := range countDocuments(c, until) {
			want[at.good] += q
		}
		q := everything
		q.Moment = moment
		for _, r := range c.StockAll(q) {
			if r.Stock != want[r.Good.ID] {
				t.Errorf("at %v: %s is %v, want %v from the documents", until, r.Good.Name, r.Stock, want[r.Good.ID])
			}
			delete(want, r.Good.ID)
		}
		for id, n := range want {
			t.Errorf("at %v: no row for %s, want %v", until, id, n)
		}
	}
}

func TestStockAtTheCurrentMomentIsTheCurrentStock(t *testing.T) {
	c := shop()
	q := everything
	q.Moment = now
	want := c.StockAll(everything)
	for i, got := range c.StockAll(q) {
		if got != want[i] {
			t.Errorf("at the current moment %+v, want %+v", got, want[i])
		}
	}
}

func TestByStoreIsComputedFromDocuments(t *testing.T) {
	c := shop()
	want := countDocuments(c, now)
	q := everything
	for _, r := range c.StockByStore(q) {
		for _, s := range r.Stores {
			if at := (cell{r.Good.ID, s.Store.ID}); s.Stock != want[at] {
				t.Errorf("%s in %s is %v, want %v from the documents", r.Good.Name, s.Store.Name, s.Stock, want[at])
			}
		}
	}
}

func TestTheCurrentReportEqualsTheExtendedReport(t *testing.T) {
	c := shop()
	figures := map[StockType]func(StockRow) Quantity{
		TypeStock:     func(r StockRow) Quantity { return r.Stock },
		TypeReserve:   func(r StockRow) Quantity { return r.Reserve },
		TypeInTransit: func(r StockRow) Quantity { return r.InTransit },
		TypeQuantity:  StockRow.Quantity,
		TypeFreeStock: func(r StockRow) Quantity { return r.Stock - r.Reserve },
	}
	for kind, figure := range figures {
		want := make(map[ID]Quantity)
		for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll}) {
			if figure(r) != 0 {
				want[r.Good.ID] = figure(r)
			}
		}
		all, stores := make(map[ID]Quantity), make(map[ID]Quantity)
		for _, r := range c.Current(CurrentQuery{Type: kind}) {
			all[r.Good.ID] = r.Value
		}
		for _, r := range c.Current(CurrentQuery{Type: kind, ByStore: true}) {
			if stores[r.Good.ID] += r.Value; stores[r.Good.ID] == 0 {
				delete(stores, r.Good.ID)
			}
		}
		if !reflect.DeepEqual(all, want) {
			t.Errorf("%s of all stores differs from the extended report", kind)
		}
		if !reflect.DeepEqual(stores, want) {
			t.Errorf("%s by store does not add up to the extended report", kind)
		}
	}
}

func TestReservesAndArrivalsWithoutAStoreBelongToNoStore(t *testing.T) {
	c := shop()
	for _, kind := range []StockType{TypeReserve, TypeInTransit} {
		if !slices.ContainsFunc(c.Current(CurrentQuery{Type: kind, ByStore: true}),
			func(r CurrentRow) bool { return r.Store == nil }) {
			t.Errorf("no %s without a store", kind)
		}
	}
}

func TestZeroLinesNeverShowGoodsWithoutAnyOperation(t *testing.T) {
	c := shop()
	shown := make(map[*Good]bool)
	for _, r := range c.Current(CurrentQuery{ZeroLines: true}) {
		shown[r.Good] = true
	}
	if n := len(c.Current(CurrentQuery{})); len(shown) <= n {
		t.Errorf("%d rows with zero lines, %d without", len(shown), n)
	}
	never := 0
	for _, g := range c.Catalogue().Goods {
		if g.Stocked() && !g.IsArchived() && !shown[g] {
			never++
		}
	}
	if never == 0 {
		t.Error("the fixture has no good without operations")
	}
}

func TestChangedSinceReturnsCurrentValues(t *testing.T) {
	c := shop()
	present := make(map[*Good]Quantity)
	for _, r := range c.Current(CurrentQuery{ZeroLines: true}) {
		present[r.Good] = r.Value
	}
	rows := c.Current(CurrentQuery{ChangedSince: now.AddDate(0, 0, -1)})
	if len(rows) == 0 || len(rows) >= len(present) {
		t.Fatalf("%d of %d goods changed within a day", len(rows), len(present))
	}
	for _, r := range rows {
		if r.Value != present[r.Good] {
			t.Errorf("%s is %v, want %v", r.Good.Name, r.Value, present[r.Good])
		}
	}
}

func TestOnlyTheExtendedReportAddsNestedStoresToTheirParent(t *testing.T) {
	c := shop()
	stores := c.Catalogue().Stores
	nested := stores[slices.IndexFunc(stores, func(s *Store) bool { return s.Parent != nil })]
	sum := func(q Choice) (n Quantity) {
		for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll, Stores: q}) {
			n += r.Stock
		}
		return n
	}
	var own, inside Quantity
	for _, r := range c.Current(CurrentQuery{ByStore: true, Stores: []ID{nested.Parent.ID}}) {
		own += r.Value
	}
	for _, r := range c.Current(CurrentQuery{ByStore: true, Stores: []ID{nested.ID}}) {
		inside += r.Value
	}
	if got := sum(Choice{Only: []ID{nested.Parent.ID}}); inside == 0 || got != own+inside {
		t.Errorf("the parent has %v, want its own %v plus nested %v", got, own, inside)
	}
	if got := sum(Choice{Except: []ID{nested.Parent.ID}}) +
		sum(Choice{Only: []ID{nested.Parent.ID}}); got != sum(Choice{}) {
		t.Errorf("a choice of stores and its complement have %v, want %v", got, sum(Choice{}))
	}
}

func TestGroupingVariantsKeepsTheTotals(t *testing.T) {
	c := shop()
	folded, single := everything, everything
	folded.ByProduct = true
	var a, b StockRow
	for _, r := range c.StockAll(folded) {
		if r.Good.Kind == Variant {
			t.Errorf("%s was not grouped with its product", r.Good.Name)
		}
		a.Stock, a.CostSum = a.Stock+r.Stock, a.CostSum+r.CostSum
	}
	for _, r := range c.StockAll(single) {
		b.Stock, b.CostSum = b.Stock+r.Stock, b.CostSum+r.CostSum
	}
	if a != b {
		t.Errorf("grouped %v worth %v, ungrouped %v worth %v", a.Stock, a.CostSum, b.Stock, b.CostSum)
	}
}

// A total minimum is compared with the total stock, a per-store minimum with that store's stock (fact M58).
func TestUnderMinimumUsesTheMinimumThatApplies(t *testing.T) {
	c := shop()
	stock := countDocuments(c, now)
	stores := c.Catalogue().Stores
	for _, chosen := range [][]*Store{nil, {stores[0]}, {stores[1]}} {
		at, choice := stores[:len(stores)-1], Choice{}
		if chosen != nil {
			at, choice = chosen, Choice{Only: []ID{chosen[0].ID}}
		}
		want := make(map[ID]bool)
		for _, g := range c.Catalogue().Goods {
			if g.Minimum == nil || g.IsArchived() || len(g.Variants) > 0 {
				continue
			}
			var sum Quantity
			for _, s := range stores {
				sum += stock[cell{g.ID, s.ID}]
			}
			if g.Minimum.Type == MinimumSum && sum < g.Minimum.Quantity {
				want[g.ID] = true
			}
			for _, s := range at {
				have := stock[cell{g.ID, s.ID}]
				if g.Minimum.Type == MinimumSame && have < g.Minimum.Quantity {
					want[g.ID] = true
				}
				for _, m := range g.Minimum.Stores {
					if m.Store == s && have < m.Quantity {
						want[g.ID] = true
					}
				}
			}
		}
		got := make(map[ID]bool)
		for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll, StockMode: ModeUnderMinimum, Stores: choice}) {
			got[r.Good.ID] = true
		}
		if len(got) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%d goods below, want %d", len(got), len(want))
		}
	}
}

func TestModesAndFiltersOfStock(t *testing.T) {
	c := shop()
	supplier := c.Catalogue().Counterparties[1]
	from := decimal.FromInt(90)
	for name, test := range map[string]struct {
		q    StockQuery
		want func(StockRow) bool
	}{
		"default hides what is not available": {StockQuery{}, func(r StockRow) bool { return r.Quantity() != 0 }},
		"negative": {StockQuery{StockMode: ModeNegative},
			func(r StockRow) bool { return r.Stock < 0 && r.Quantity() != 0 }},
		"positive": {StockQuery{StockMode: ModePositive, QuantityMode: ModeAll},
			func(r StockRow) bool { return r.Stock > 0 }},
		"empty": {StockQuery{StockMode: ModeEmpty, QuantityMode: ModeAll},
			func(r StockRow) bool { return r.Stock == 0 }},
		"reserve": {StockQuery{ReserveOnly: true, QuantityMode: ModeAll},
			func(r StockRow) bool { return r.Reserve != 0 }},
		"transit": {StockQuery{TransitOnly: true, QuantityMode: ModeAll},
			func(r StockRow) bool { return r.InTransit != 0 }},
		"days": {StockQuery{DaysFrom: &from, QuantityMode: ModeAll},
			func(r StockRow) bool { return !r.StockDays().Less(from) }},
		"supplier": {StockQuery{GoodFilter: GoodFilter{Suppliers: Choice{Only: []ID{supplier.ID}}},
			QuantityMode: ModeAll},
			func(r StockRow) bool { return r.Good.Root().Supplier == supplier }},
		"no supplier": {StockQuery{GoodFilter: GoodFilter{Suppliers: Choice{Only: []ID{""}}}, QuantityMode: ModeAll},
			func(r StockRow) bool { return r.Good.Root().Supplier == nil }},
		"search": {StockQuery{GoodFilter: GoodFilter{Search: "ЧАЙ"}, QuantityMode: ModeAll},
			func(r StockRow) bool { return strings.Contains(strings.ToLower(r.Good.Name), "чай") }},
		"unknown good": {StockQuery{GoodFilter: GoodFilter{Products: Choice{Only: []ID{"no"}}}, QuantityMode: ModeAll},
			func(StockRow) bool { return false }},
	} {
		t.Run(name, func(t *testing.T) {
			want := 0
			for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll}) {
				if test.want(r) {
					want++
				}
			}
			got := c.StockAll(test.q)
			if len(got) != want || (want == 0 && name != "unknown good") {
				t.Errorf("%d rows, want %d", len(got), want)
			}
			for _, r := range got {
				if !test.want(r) {
					t.Errorf("unexpected row %s", r.Good.Name)
				}
			}
		})
	}
}

func TestAFolderIncludesItsSubfolders(t *testing.T) {
	c := shop()
	folders := c.Catalogue().Folders
	parent := folders[slices.IndexFunc(folders, func(f *Folder) bool { return f.Parent != nil })].Parent
	q := StockQuery{QuantityMode: ModeAll, GoodFilter: GoodFilter{Folders: Choice{Only: []ID{parent.ID}}}}
	rows := c.StockAll(q)
	if len(rows) == 0 {
		t.Error("no good in the folder or its subfolders")
	}
	for _, r := range rows {
		if path := r.Good.Root().Folder.Path(); !strings.HasPrefix(path, parent.Name) {
			t.Errorf("%s is in %s", r.Good.Name, path)
		}
	}
	q.WithoutSubfolder = true
	if n := len(c.StockAll(q)); n >= len(rows) {
		t.Errorf("%d rows without subfolders, %d with", n, len(rows))
	}
}

func TestRowsHaveTheRequestedOrder(t *testing.T) {
	c := shop()
	rows := c.StockAll(StockQuery{QuantityMode: ModeAll, Order: []OrderKey{{Key: "stock", Desc: true}, {Key: "name"}}})
	if !slices.IsSortedFunc(rows, func(a, b StockRow) int {
		if a.Stock != b.Stock {
			return int(b.Stock - a.Stock)
		}
		return strings.Compare(a.Good.Name, b.Good.Name)
	}) {
		t.Error("not sorted by stock, then by name")
	}
	rows = c.StockAll(StockQuery{QuantityMode: ModeAll})
	if !slices.IsSortedFunc(rows, func(a, b StockRow) int {
		if n := strings.Compare(a.Good.Root().Folder.Path(), b.Good.Root().Folder.Path()); n != 0 {
			return n
		}
		return strings.Compare(a.Good.Name, b.Good.Name)
	}) {
		t.Error("not sorted by folder, then by name")
	}
}

func TestDaysInStockAreTheAgeOfTheGoodsOnHand(t *testing.T) {
	c := shop()
	for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll, StockMode: ModePositive}) {
		var minutes, quantity int64
		for _, o := range c.StockByOperations(r.Good.ID, TypeStock) {
			if o.Quantity > 0 {
				minutes += o.age * int64(o.Quantity)
				quantity += int64(o.Quantity)
			}
		}
		want := ratio(minutes, quantity).Div(decimal.FromInt(24 * 60))
		if got := r.StockDays(); got.Round(6).Cmp(want.Round(6)) != 0 || got.Sign() < 0 ||
			decimal.FromInt(181).Less(got) {
			t.Errorf("%s: %v days, want %v from the operations", r.Good.Name, got, want)
		}
	}
}

func TestOperationsAddUpToTheFigure(t *testing.T) {
	c := shop()
	for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll}) {
		for kind, want := range map[StockType]Quantity{TypeStock: r.Stock, TypeReserve: r.Reserve,
			TypeInTransit: r.InTransit} {
			var sum Quantity
			for _, o := range c.StockByOperations(r.Good.ID, kind) {
				sum += o.Quantity
			}
			if sum != want {
				t.Errorf("%s: operations of %s add up to %v, want %v", r.Good.Name, kind, sum, want)
			}
		}
	}
}
