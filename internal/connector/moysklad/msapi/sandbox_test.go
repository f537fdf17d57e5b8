package msapi

import (
	"context"
	"errors"
	"iter"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// shared is a sandbox for tests that only read.
var shared = sync.OnceValue(func() *sandbox.Server {
	return sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 1500, Days: 60}, Accounts: 1,
		NoLimits: true})
})

// connect returns a reader of a sandbox, with the token of one of its employees.
func connect(t *testing.T, s *sandbox.Server, token func(sandbox.Tokens) string, l limit.Limiter) *Reader {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	account := s.Accounts()[0]
	return Open(Config{BaseURL: server.URL + sandbox.APIPath, Token: token(account.Tokens), Account: account.AccountID,
		Limiter: l})
}

func owner(t sandbox.Tokens) string       { return t.Owner }
func storekeeper(t sandbox.Tokens) string { return t.Storekeeper }
func revoked(t sandbox.Tokens) string     { return t.Revoked }

func lastMonth() Period { return Days(time.Now().AddDate(0, 0, -30), time.Now()) }

// size reads a list and returns the number of rows.
func size[T any](t *testing.T, name string, seq iter.Seq2[T, error]) int {
	t.Helper()
	rows, err := Collect(seq)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return len(rows)
}

func TestEveryReadWorksAgainstTheSandbox(t *testing.T) {
	r := connect(t, shared(), owner, nil)
	ctx := t.Context()
	orders, err := Collect(r.CustomerOrders(ctx, OrderQuery{Positions: true}))
	if err != nil || len(orders) == 0 || len(orders[0].Positions) == 0 {
		t.Fatalf("%d orders, %v", len(orders), err)
	}
	products, err := Collect(r.ProductCards(ctx, CardQuery{Minimum: true, Named: true}))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[MinimumKind]int{}
	var parents, ids []ID
	for _, p := range products {
		if p.Minimum != nil {
			kinds[p.Minimum.Kind]++
			if p.Minimum.Kind == MinimumVaried && len(p.Minimum.Stores) == 0 {
				t.Errorf("%s has per-store minimums but no values", p.Name)
			}
		}
		if p.Variants > 0 {
			parents = append(parents, p.ID)
		}
		ids = append(ids, p.ID)
	}
	if len(kinds) != 3 {
		t.Errorf("minimums %v", kinds)
	}
	if n := size(t, "products by id", r.ProductCards(ctx, CardQuery{ListQuery: ListQuery{IDs: ids}})); n != len(ids) {
		t.Errorf("%d products for %d ids", n, len(ids))
	}
	for name, n := range map[string]int{
		"organizations":  size(t, "organizations", r.Organizations(ctx, ListQuery{})),
		"stores":         size(t, "stores", r.Stores(ctx, ListQuery{Archived: ArchivedAlso})),
		"folders":        size(t, "folders", r.Folders(ctx, ListQuery{})),
		"counterparties": size(t, "counterparties", r.Counterparties(ctx, ListQuery{})),
		"employees":      size(t, "employees", r.Employees(ctx, ListQuery{})),
		"currencies":     size(t, "currencies", r.Currencies(ctx, ListQuery{})),
		"channels":       size(t, "channels", r.SalesChannels(ctx, ListQuery{})),
		"variants":       size(t, "variants", r.VariantCards(ctx, CardQuery{Minimum: true})),
		"variants of":    size(t, "variants of", r.VariantCards(ctx, CardQuery{Products: parents})),
		"assortment":     size(t, "assortment", r.Assortment(ctx, AssortmentQuery{})),
		"search":         size(t, "search", r.Assortment(ctx, AssortmentQuery{Search: products[0].Name, First: 5})),
		"name contains":  size(t, "name contains", r.Assortment(ctx, AssortmentQuery{NameContains: products[0].Name})),
		"stock":          size(t, "stock", r.StockAll(ctx, StockQuery{})),
		"under minimum":  size(t, "under minimum", r.StockAll(ctx, StockQuery{StockMode: ModeUnderMinimum})),
		"stock of":       size(t, "stock of", r.StockAll(ctx, StockQuery{Products: ids[:200]})),
		"old stock":      size(t, "old stock", r.StockAll(ctx, StockQuery{StockDaysFrom: 5, StockMode: ModePositive})),
		"by store":       size(t, "by store", r.StockByStore(ctx, StockQuery{})),
		"current":        size(t, "current", r.StockCurrentByStore(ctx, TypeStock, CurrentQuery{})),
		"current of": size(t, "current of",
			r.StockCurrentByStore(ctx, TypeQuantity, CurrentQuery{Assortment: ids})),
		"turnover":    size(t, "turnover", r.Turnover(ctx, TurnoverQuery{Period: lastMonth()})),
		"profit":      size(t, "profit", r.Profit(ctx, ProfitByProduct, ProfitQuery{Period: lastMonth()})),
		"by variant":  size(t, "by variant", r.Profit(ctx, ProfitByVariant, ProfitQuery{Period: lastMonth()})),
		"by employee": size(t, "by employee", r.Profit(ctx, ProfitByEmployee, ProfitQuery{Period: lastMonth()})),
		"by customer": size(t, "by customer", r.Profit(ctx, ProfitByCounterparty, ProfitQuery{Period: lastMonth()})),
		"by channel":  size(t, "by channel", r.Profit(ctx, ProfitBySalesChannel, ProfitQuery{Period: lastMonth()})),
		"purchases":   size(t, "purchases", r.PurchaseOrders(ctx, OrderQuery{Positions: true})),
		"debtors":     size(t, "debtors", r.CounterpartyReport(ctx, CounterpartyQuery{Balances: OwedToUs})),
	} {
		if n == 0 {
			t.Errorf("%s: no rows", name)
		}
	}
	who, err := r.Employee(ctx)
	if err != nil || who.Rights.View("admin") != ViewAll || string(who.AccountID) != shared().Accounts()[0].AccountID {
		t.Errorf("%+v, %v", who, err)
	}
	if types, err := r.PriceTypes(ctx); err != nil || len(types) == 0 {
		t.Errorf("%v, %v", types, err)
	}
	if s, err := r.DocumentStates(ctx, "customerorder"); err != nil || len(s) == 0 || s[0].Type == "" {
		t.Errorf("%v, %v", s, err)
	}
	if a, err := r.MoneyAccounts(ctx); err != nil || len(a) == 0 || !a[0].Balance.Known {
		t.Errorf("%v, %v", a, err)
	}
	for _, q := range []SeriesQuery{{Period: lastMonth(), Interval: Day}} {
		m, err1 := r.MoneySeries(ctx, q)
		s, err2 := r.SalesSeries(ctx, q)
		o, err3 := r.OrdersSeries(ctx, q)
		if err := errors.Join(err1, err2, err3); err != nil || len(m.Points) == 0 || len(s) == 0 || len(o) == 0 {
			t.Errorf("series: %v", err)
		}
	}
}

func TestRightsOfTheSandboxsEmployees(t *testing.T) {
	r := connect(t, shared(), storekeeper, nil)
	who, err := r.Employee(t.Context())
	if err != nil || who.Rights.View("viewproductcostandprofit") != ViewNone ||
		who.Rights.View("pnl") != ViewNone || who.Rights.View("dashboardmoney") != ViewNone ||
		who.Rights.View("stock") == ViewNone {
		t.Errorf("%+v, %v", who.Rights, err)
	}
	if _, err := Collect(r.Profit(t.Context(), ProfitByProduct, ProfitQuery{Period: lastMonth()})); !IsForbidden(err) {
		t.Errorf("profit: %v", err)
	}
	for row, err := range r.StockAll(t.Context(), StockQuery{}) {
		if err != nil || row.Cost.Known {
			t.Errorf("cost without the right: %v, %v", row.Cost, err)
		}
		break
	}
	r = connect(t, shared(), revoked, nil)
	if _, err := Collect(r.Organizations(t.Context(), ListQuery{})); !IsAuth(err) {
		t.Errorf("revoked token: %v", err)
	}
}

func TestTransientFaultsAreRetried(t *testing.T) {
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 60, Days: 20}, Accounts: 1,
		NoLimits: true})
	r := connect(t, s, owner, nil)
	want := size(t, "stores", r.Stores(t.Context(), ListQuery{}))
	for _, f := range []sandbox.Fault{
		{Path: "entity/store", Count: 1, Cut: sandbox.CutMiddle},
		{Path: "entity/store", Count: 1, Cut: sandbox.CutBefore},
		{Path: "entity/store", Count: 2, Status: 503},
		{Path: "entity/store", Count: 1, Body: `{"meta":{"size":5},"rows":[{"id`},
		{Path: "entity/store", Count: 1, Status: 429, RetryAfterMS: 50},
	} {
		if err := s.Fail(f); err != nil {
			t.Fatal(err)
		}
		if n := size(t, "stores", r.Stores(t.Context(), ListQuery{})); n != want {
			t.Errorf("%+v: %d rows, want %d", f, n, want)
		}
	}
}

// TestLimitsHoldAtTheSandbox runs concurrent tasks against a sandbox with limits on. It must never receive more than
// six requests or two stock reports in any second, and must refuse none.
func TestLimitsHoldAtTheSandbox(t *testing.T) {
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 1200, Days: 10}, Accounts: 1})
	l := limit.New(limit.Config{})
	r := connect(t, s, owner, l)
	other := connect(t, s, storekeeper, l)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { size(t, "products", r.ProductCards(ctx, CardQuery{})) })
		wg.Go(func() { size(t, "stock", r.StockAll(ctx, StockQuery{})) })
		wg.Go(func() { size(t, "current", other.StockCurrentByStore(ctx, TypeStock, CurrentQuery{})) })
		wg.Go(func() { size(t, "assortment", other.Assortment(ctx, AssortmentQuery{})) })
	}
	wg.Wait()
	var all, heavies []time.Time
	for _, req := range s.Requests() {
		if req.Status == 429 {
			t.Errorf("refused: %s", req.Path)
		}
		all = append(all, req.At)
		if StockReport(req.Path[len(sandbox.APIPath)+1:]) {
			heavies = append(heavies, req.At)
		}
	}
	for _, c := range []struct {
		moments []time.Time
		limit   int
	}{{all, 6}, {heavies, 2}} {
		for i := c.limit; i < len(c.moments); i++ {
			if gap := c.moments[i].Sub(c.moments[i-c.limit]); gap < time.Second {
				t.Errorf("%d requests within %v", c.limit+1, gap)
			}
		}
	}
}
