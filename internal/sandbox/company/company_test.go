package company

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 21, 15, 30, 0, 0, Moscow)

// shop is the default company, shared and read-only. Tests that write create their own.
var shop = sync.OnceValue(func() *Company { return New(Options{Now: now}) })

// digest returns a checksum of all generated data.
func digest(c *Company) string {
	h := sha256.New()
	for _, g := range c.Catalogue().Goods {
		fmt.Fprintln(h, g.ID, g.InterfaceID, g.Name, g.Code, g.Root().Supplier.idOf(),
			g.SalePrice(c.Catalogue().PriceTypes[0]).Value)
		if g.Minimum != nil {
			fmt.Fprintln(h, g.Minimum.Type, g.Minimum.Quantity, len(g.Minimum.Stores))
		}
	}
	for _, t := range DocumentTypes {
		for i, d := range c.Documents(t) {
			fmt.Fprintln(h, d.ID, d.Name, d.Moment, d.Sum, d.PayedSum, d.ShippedSum, i)
			for i, p := range d.Positions {
				fmt.Fprintln(h, d.PositionID(i), p.Good.ID, p.Quantity, p.Price, p.Reserve, p.InTransit)
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestGenerationIsDeterministic(t *testing.T) {
	o := Options{Seed: 7, Now: now, Products: 120, Days: 60}
	first, second := New(o), New(o)
	if digest(first) != digest(second) {
		t.Error("the same seed gave different companies")
	}
	other := o
	other.Seed = 8
	if digest(New(o)) == digest(New(other)) {
		t.Error("two seeds gave the same company")
	}
}

func TestTwoAccountsShareOnlyTheirOrganizationNames(t *testing.T) {
	a, b := shop(), New(Options{Now: now, Account: 1})
	if a.AccountID() == b.AccountID() {
		t.Error("two accounts have the same id")
	}
	for i, o := range a.Catalogue().Organizations {
		if p := b.Catalogue().Organizations[i]; o.Name != p.Name || o.ID == p.ID {
			t.Errorf("organizations %q %s and %q %s", o.Name, o.ID, p.Name, p.ID)
		}
	}
	if digest(a) == digest(b) {
		t.Error("two accounts have the same data")
	}
	for _, g := range a.Catalogue().Goods {
		if _, ok := b.Good(g.ID); ok {
			t.Fatalf("good %s is in both accounts", g.ID)
		}
	}
}

func TestIDsLookLikeUUIDsButAreNotValidOnes(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-11[0-9a-f]{2}-0a80-[0-9a-f]{12}$`)
	c := shop()
	seen := make(map[ID]bool)
	for _, g := range c.Catalogue().Goods {
		if !shape.MatchString(string(g.ID)) || seen[g.ID] {
			t.Fatalf("id %q", g.ID)
		}
		seen[g.ID] = true
		if (g.ID != g.InterfaceID) != g.Stocked() {
			t.Errorf("%s: id %s, interface id %s", g.Kind, g.ID, g.InterfaceID)
		}
		if found, ok := c.GoodByInterfaceID(g.InterfaceID); !ok || found != g {
			t.Errorf("%s is not found by its interface id", g.Name)
		}
	}
}

// For every seed the company contains all the edge cases that naive clients get wrong.
func TestEveryCompanyHasTheEdgeCases(t *testing.T) {
	for seed := range uint64(4) {
		c := New(Options{Seed: seed, Now: now, Account: int(seed % 2)})
		has := make(map[string]int)
		for _, g := range c.Catalogue().Goods {
			has[string(g.Kind)]++
			if g.Archived {
				has["archived"]++
			}
			if g.Minimum != nil {
				has[string(g.Minimum.Type)]++
			}
			if g.Stocked() && g.Root().Supplier == nil {
				has["no supplier"]++
			}
			if _, ok := g.BuyPrice(); g.Kind == Product && !ok {
				has["no purchase price"]++
			}
			if len(g.Packs) > 0 {
				has["packs"]++
			}
			if strings.Contains(g.Name, "stockMode=all") || strings.HasPrefix(g.Name, "подтверди") {
				has["hostile"]++
			}
		}
		for _, r := range c.StockAll(StockQuery{GoodFilter: GoodFilter{Archived: ArchivedToo}, QuantityMode: ModeAll}) {
			switch {
			case r.Stock < 0:
				has["negative"]++
			case r.Stock == 0:
				has["zero"]++
			case r.CostSum == 0:
				has["unknown cost"]++
			}
			if r.Stock > 0 && r.Good.IsArchived() {
				has["archived in stock"]++
			}
		}
		for _, d := range c.Documents(CustomerOrderDoc) {
			if d.Planned.IsZero() || !d.Planned.Before(now) || d.ShippedSum >= d.Sum {
				continue
			}
			switch {
			case !d.Applicable:
				has["overdue draft"]++
			case d.State == nil && d.ShippedSum > 0:
				has["overdue without state, partly shipped"]++
			case d.State == nil:
				has["overdue without state"]++
			default:
				has["overdue "+d.State.StateType]++
			}
			if d.ReservedSum > 0 && d.Store == nil {
				has["reserve without a store"]++
			}
		}
		for _, d := range c.Documents(PurchaseOrderDoc) {
			if d.WaitSum() > 0 && d.Applicable {
				has["expected"]++
				if d.ShippedSum > 0 {
					has["partly received"]++
				}
				if d.Store == nil {
					has["expected without a store"]++
				}
				if d.Currency != nil {
					has["dollars"]++
				}
			}
		}
		for _, r := range c.CounterpartyReport() {
			if r.Balance > 0 {
				has["owes us"]++
			} else if r.Balance < 0 {
				has["is owed"]++
			}
		}
		for _, want := range []string{
			"product", "variant", "bundle", "service", "archived", "archived in stock", "packs", "no supplier",
			"no purchase price",
			string(MinimumSum), string(MinimumSame), string(MinimumVaried), "negative", "zero", "unknown cost",
			"overdue draft",
			"overdue without state, partly shipped", "overdue without state", "overdue Regular", "overdue Successful",
			"overdue Unsuccessful",
			"reserve without a store", "expected", "partly received", "expected without a store", "dollars", "owes us",
			"is owed",
		} {
			if has[want] == 0 {
				t.Errorf("seed %d: no case of %q", seed, want)
			}
		}
		if has["hostile"] != 2 {
			t.Errorf("seed %d: %d hostile goods, want 2", seed, has["hostile"])
		}
		for _, b := range c.MoneyByAccount() {
			if b.Balance < 0 {
				t.Errorf("seed %d: %s has the balance %v", seed, b.Organization.Name, b.Balance)
			}
		}
	}
}

func TestAboutATenthOfGoodsIsBelowItsMinimum(t *testing.T) {
	for seed := range uint64(4) {
		c := New(Options{Seed: seed, Now: now})
		all := len(c.StockAll(StockQuery{QuantityMode: ModeAll}))
		below := len(c.StockAll(StockQuery{QuantityMode: ModeAll, StockMode: ModeUnderMinimum}))
		if below*100 < all*6 || below*100 > all*17 {
			t.Errorf("seed %d: %d of %d goods are below their minimum", seed, below, all)
		}
	}
}

func TestHistoryEndsNowAndIsInOrder(t *testing.T) {
	c := shop()
	for _, kind := range DocumentTypes {
		list := c.Documents(kind)
		none := slices.Contains([]DocumentType{PurchaseReturnDoc, InternalOrderDoc, ProcessingDoc}, kind)
		if len(list) == 0 && !none {
			t.Errorf("no %s", kind)
		}
		if !slices.IsSortedFunc(list, byMoment) {
			t.Errorf("%s are not sorted", kind)
		}
		for _, d := range list {
			if d.Moment.After(now) || d.Moment.Second() != 0 || len(d.Positions) > bulk {
				t.Errorf("%s %s at %v with %d positions", kind, d.Name, d.Moment, len(d.Positions))
			}
			if d.Base != nil && d.Moment.Before(d.Base.Moment) {
				t.Errorf("%s %s is earlier than its sale", kind, d.Name)
			}
			var sum Money
			for _, p := range d.Positions {
				sum += p.Sum()
				if p.Quantity <= 0 || p.Shipped > p.Quantity || p.Reserve > p.Quantity-p.Shipped ||
					p.InTransit > p.Quantity-p.Shipped {
					t.Errorf("%s %s: position %+v", kind, d.Name, p)
				}
			}
			if len(d.Positions) > 0 && sum != d.Sum {
				t.Errorf("%s %s: sum %v, positions %v", kind, d.Name, d.Sum, sum)
			}
		}
	}
}

func TestTinyCompaniesWork(t *testing.T) {
	for _, o := range []Options{
		{Products: 1, Stores: 1, Days: 1}, {Products: 2, Stores: 2, Days: 3}, {Products: 40, Stores: 12, Days: 10},
		{Products: 18, Stores: 1, Days: 400},
	} {
		for _, end := range []time.Time{now, now.Truncate(24 * time.Hour),
			time.Date(2026, 12, 31, 23, 59, 0, 0, Moscow), time.Date(2026, 3, 1, 0, 5, 0, 0, Moscow)} {
			o.Now = end
			c := New(o)
			c.StockAll(StockQuery{})
			c.Dashboard(DashboardMonth)
			c.Profit(ProfitQuery{By: ByProduct})
			c.CounterpartyReport()
			for _, kind := range DocumentTypes {
				for _, d := range c.Documents(kind) {
					if d.Moment.After(end) {
						t.Errorf("%+v: %s at %v", o, kind, d.Moment)
					}
				}
			}
		}
	}
}

// BenchmarkNew measures the time.
func TestABigCompanyFitsInALaptopsMemory(t *testing.T) {
	before := heap()
	c := New(Options{Now: now, Products: 100_000})
	all := c.StockAll(StockQuery{QuantityMode: ModeAll})
	below := c.StockAll(StockQuery{QuantityMode: ModeAll, StockMode: ModeUnderMinimum})
	if share := len(below) * 1000 / len(all); share < 20 || share > 40 {
		t.Errorf("%d ‰ of goods are below their minimum, want 20 to 40", share)
	}
	if used := heap() - before; used > 400<<20 {
		t.Errorf("%d MB of heap", used>>20)
	}
	runtime.KeepAlive(c)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{300, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				New(Options{Now: now, Products: n})
			}
		})
	}
}

// A few goods are sold before they arrive on purpose, and none by accident.
func TestFewGoodsAreEverNegative(t *testing.T) {
	for seed := range uint64(3) {
		c := New(Options{Seed: seed, Now: now})
		negative := make(map[*Good]bool)
		for _, g := range c.Catalogue().Goods {
			there := make(map[int32]Quantity)
			for _, e := range c.ledger.entries[g.Index] {
				if there[e.store] += e.qty; there[e.store] < 0 {
					negative[g] = true
				}
			}
		}
		if n := len(negative); n < 2 || n > 15 {
			t.Errorf("seed %d: %d goods were negative", seed, n)
		}
	}
}
