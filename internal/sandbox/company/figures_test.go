package company

import (
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

var monthAgo = now.AddDate(0, 0, -30)

func sumProfit(rows []ProfitRow) (sum ProfitRow) {
	for _, r := range rows {
		sum.SellSum += r.SellSum
		sum.ReturnSum += r.ReturnSum
		sum.SellCostSum += r.SellCostSum
		sum.ReturnCostSum += r.ReturnCostSum
		sum.SellQuantity += r.SellQuantity
		sum.ReturnQuantity += r.ReturnQuantity
	}
	return sum
}

func TestProfitTotalsAreTheSameForEveryGrouping(t *testing.T) {
	c := shop()
	for _, from := range []time.Time{monthAgo, {}} {
		want := sumProfit(c.Profit(ProfitQuery{By: ByProduct, From: from, To: now}))
		if want.SellSum <= 0 || want.SellCostSum <= 0 || want.ReturnSum <= 0 || want.ReturnCostSum <= 0 ||
			want.Profit() <= 0 {
			t.Errorf("total %+v", want)
		}
		for _, by := range []ProfitBy{ByVariant, ByEmployee, ByCounterparty} {
			if got := sumProfit(c.Profit(ProfitQuery{By: by, From: from, To: now})); got != want {
				t.Errorf("%s: %+v, want %+v", by, got, want)
			}
		}
		retail := ProfitQuery{By: ByEmployee, From: from, To: now, Types: []DocumentType{RetailDemandDoc}}
		wholesale := retail
		wholesale.Types = []DocumentType{DemandDoc}
		if got := sumProfit(append(append([]ProfitRow(nil), c.Profit(retail)...),
			c.Profit(wholesale)...)); got != want {
			t.Errorf("retail and wholesale: %+v, want %+v", got, want)
		}
	}
}

func TestProfitIsComputedFromDocuments(t *testing.T) {
	c := shop()
	var want ProfitRow
	for _, d := range append(append([]*Document(nil), c.Documents(DemandDoc)...), c.Documents(RetailDemandDoc)...) {
		want.SellSum += d.Sum
		for i := range d.Positions {
			want.SellCostSum += c.PositionCost(d, i)
		}
	}
	for _, d := range append(append([]*Document(nil), c.Documents(SalesReturnDoc)...),
		c.Documents(RetailSalesReturnDoc)...) {
		want.ReturnSum += d.Sum
		for i := range d.Positions {
			want.ReturnCostSum += c.PositionCost(d, i)
		}
	}
	got := sumProfit(c.Profit(ProfitQuery{By: ByProduct}))
	got.SellQuantity, got.ReturnQuantity = 0, 0
	if got != want {
		t.Errorf("%+v, want %+v from the documents", got, want)
	}
}

func TestAnUnknownCostShowsAMarginOfOne(t *testing.T) {
	r := ProfitRow{SellSum: Kopecks(500), SellQuantity: Units(2)}
	if r.Margin().Sign() != 0 || r.SalesMargin().Cmp(decimal.One) != 0 || r.Profit() != Kopecks(500) {
		t.Errorf("margin %v, sales margin %v, profit %v", r.Margin(), r.SalesMargin(), r.Profit())
	}
	r.SellCostSum, r.ReturnSum = Kopecks(300), Kopecks(100)
	if got := r.Margin().String() + " " + r.SalesMargin().String(); got != "0.3333333333333333333 0.25" {
		t.Errorf("margins %s", got)
	}
	unknown := 0
	for _, r := range shop().Profit(ProfitQuery{By: ByProduct}) {
		if r.SellSum > 0 && r.SellCostSum == 0 && r.Good.Kind == Product {
			unknown++
		}
	}
	if unknown == 0 {
		t.Error("the fixture has no sale with an unknown cost")
	}
}

func TestBundlesAndServicesAreInTheProfitReport(t *testing.T) {
	kinds := make(map[Kind]int)
	for _, r := range shop().Profit(ProfitQuery{By: ByProduct}) {
		kinds[r.Good.Kind]++
	}
	if kinds[Bundle] == 0 || kinds[Service] == 0 || kinds[Variant] != 0 {
		t.Errorf("rows by kind: %v", kinds)
	}
}

func TestTurnoverAddsUp(t *testing.T) {
	c := shop()
	stores := c.Catalogue().Stores
	for _, q := range []TurnoverQuery{
		{From: monthAgo, To: now},
		{From: monthAgo, To: now.AddDate(0, 0, -7), ByVariant: true, WithoutTurnover: true},
		{From: monthAgo, To: now, Stores: Choice{Only: []ID{stores[0].ID}}},
		{From: monthAgo, To: now, Stores: Choice{Except: []ID{stores[0].ID}}},
	} {
		rows := c.Turnover(q)
		if len(rows) == 0 {
			t.Error("no turnover")
		}
		for _, r := range rows {
			if r.Start.Quantity+r.Income.Quantity-r.Outcome.Quantity != r.End.Quantity || r.Start.Sum+
				r.Income.Sum-r.Outcome.Sum != r.End.Sum {
				t.Errorf("%s: %+v", r.Good.Name, r.Turnover)
			}
		}
	}
}

func TestTurnoverEndsWithTheStock(t *testing.T) {
	c := shop()
	stock := make(map[*Good]StockRow)
	for _, r := range c.StockAll(StockQuery{QuantityMode: ModeAll, ByProduct: true}) {
		stock[r.Good] = r
	}
	for _, r := range c.Turnover(TurnoverQuery{From: monthAgo, To: now, WithoutTurnover: true}) {
		s := stock[r.Good]
		if r.End.Quantity != s.Stock || r.End.Sum != s.CostSum {
			t.Errorf("%s: turnover ends with %v worth %v, stock is %v worth %v", r.Good.Name, r.End.Quantity, r.End.Sum,
				s.Stock, s.CostSum)
		}
	}
}

func TestTurnoverOfStoresAndOperationsAddsUpToTheTotal(t *testing.T) {
	c := shop()
	for _, r := range c.Turnover(TurnoverQuery{From: monthAgo, To: now})[:40] {
		q := TurnoverQuery{From: monthAgo, To: now, GoodFilter: GoodFilter{Products: Choice{Only: []ID{r.Good.ID}}}}
		var end, net Flow
		for _, row := range c.TurnoverByStore(q) {
			for _, s := range row.Stores {
				end.Quantity, end.Sum = end.Quantity+s.End.Quantity, end.Sum+s.End.Sum
			}
		}
		for _, o := range c.TurnoverByOperations(q) {
			net.Quantity, net.Sum = net.Quantity+o.Quantity, net.Sum+o.Sum
		}
		if end != r.End {
			t.Errorf("%s: stores end with %+v, want %+v", r.Good.Name, end, r.End)
		}
		if want := (Flow{r.End.Quantity - r.Start.Quantity, r.End.Sum - r.Start.Sum}); net != want {
			t.Errorf("%s: operations add up to %+v, want %+v", r.Good.Name, net, want)
		}
	}
}

func TestOutgoingCostOfSalesIsTheCostInTheProfitReport(t *testing.T) {
	c := shop()
	var out Money
	for _, r := range c.Turnover(TurnoverQuery{
		From: monthAgo, To: now, Types: []DocumentType{DemandDoc, RetailDemandDoc},
		GoodFilter: GoodFilter{Archived: ArchivedToo}}) {
		out += r.Outcome.Sum
	}
	if want := sumProfit(c.Profit(ProfitQuery{By: ByProduct, From: monthAgo, To: now})).SellCostSum; out != want {
		t.Errorf("outgoing cost of sales %v, profit report %v", out, want)
	}
}

func TestSeriesAddUpToTheirTotals(t *testing.T) {
	c := shop()
	for _, interval := range []Interval{Hour, Day, Month} {
		q := SeriesQuery{From: monthAgo, To: now, Interval: interval}
		var sales Money
		for _, p := range c.SalesSeries(q) {
			sales += p.Sum
		}
		if want := sumProfit(c.Profit(ProfitQuery{By: ByEmployee, From: monthAgo, To: now})).SellSum; sales != want {
			t.Errorf("by %s: sales %v, profit report %v", interval, sales, want)
		}
		flow := c.MoneyFlow(q)
		var credit, debit Money
		for _, p := range flow.Points {
			credit, debit = credit+p.Credit, debit+p.Debit
		}
		if credit != flow.Credit || debit != flow.Debit || credit <= 0 || debit <= 0 {
			t.Errorf("by %s: points %v and %v, totals %v and %v", interval, credit, debit, flow.Credit, flow.Debit)
		}
		orders := 0
		for _, p := range c.OrdersSeries(q) {
			orders += p.Quantity
		}
		want := 0
		for _, d := range c.Documents(CustomerOrderDoc) {
			if d.Applicable && !d.Moment.Before(monthAgo) && !d.Moment.After(now) {
				want++
			}
		}
		if orders != want {
			t.Errorf("by %s: %d orders, want %d", interval, orders, want)
		}
	}
}

func TestASeriesHasNoGaps(t *testing.T) {
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, Moscow)
	q := SeriesQuery{From: from, To: time.Date(2026, 11, 5, 23, 59, 59, 0, Moscow), Interval: Day}
	if n := len(shop().SalesSeries(q)); n != 5 {
		t.Errorf("%d days, want 5", n)
	}
	q.Interval = Hour
	if n := len(shop().SalesSeries(q)); n != 5*24 {
		t.Errorf("%d hours, want 120", n)
	}
	q.Location, q.Interval = time.FixedZone("", 7*60*60), Day
	if n := len(shop().SalesSeries(q)); n != 6 { // local time 1 November 04:00 to 6 November 03:59
		t.Errorf("%d days in the time zone UTC+7, want 6", n)
	}
}

func TestMoneyIsTheOpeningBalancePlusDocuments(t *testing.T) {
	c := shop()
	for _, b := range c.MoneyByAccount() {
		var want Money
		if b.Account != nil {
			want = b.Account.Opening
		}
		for _, kind := range moneyTypes {
			for _, d := range c.Documents(kind) {
				if d.Organization == b.Organization && d.OrganizationAccount == b.Account {
					want += d.sign() * d.Sum
				}
			}
		}
		if b.Balance != want {
			t.Errorf("%s: %v, want %v", b.Organization.Name, b.Balance, want)
		}
	}
}

func TestTheDashboardAgreesWithTheSeries(t *testing.T) {
	c := shop()
	month := time.Date(2026, 11, 1, 0, 0, 0, 0, Moscow)
	d := c.Dashboard(DashboardMonth)
	var sales Money
	for _, p := range c.SalesSeries(SeriesQuery{From: month, To: now, Interval: Day}) {
		sales += p.Sum
	}
	flow := c.MoneyFlow(SeriesQuery{From: month, To: now, Interval: Day})
	if d.Sales.Amount != sales || d.Money.Income != flow.Credit || d.Money.Outcome != flow.Debit || d.Sales.Count == 0 {
		t.Errorf("%+v, series %v, %v, %v", d, sales, flow.Credit, flow.Debit)
	}
	if day, week := c.Dashboard(DashboardDay), c.Dashboard(DashboardWeek); day.Sales.Amount > week.Sales.Amount ||
		day.Money.Balance != d.Money.Balance {
		t.Errorf("day %+v, week %+v", day, week)
	}
}

func TestCounterpartiesAgreeWithTheProfitReport(t *testing.T) {
	c := shop()
	profit := make(map[*Counterparty]ProfitRow)
	for _, r := range c.Profit(ProfitQuery{By: ByCounterparty}) {
		profit[r.Counterparty] = r
	}
	for _, r := range c.CounterpartyReport() {
		p := profit[r.Counterparty]
		if r.DemandsSum != p.SellSum || r.ReturnsSum != p.ReturnSum || r.Profit != p.Profit() ||
			r.DemandsCount != p.SalesCount {
			t.Errorf("%s: %+v, profit report %+v", r.Counterparty.Name, r, p)
		}
	}
}

func TestStockByDocumentAgreesWithTheStockReport(t *testing.T) {
	c := shop()
	orders := c.Documents(CustomerOrderDoc)
	for _, d := range orders[len(orders)-10:] {
		stock := c.StockByDocument(d.ID)
		for i, p := range d.Positions {
			if !p.Good.Stocked() {
				continue
			}
			q := everything
			q.Products, q.Variants = Choice{}, Choice{Only: []ID{p.Good.ID}}
			if d.Store != nil {
				q.Stores = Choice{Only: []ID{d.Store.ID}}
			}
			want := c.StockAll(q)[0]
			if stock[i].Stock != want.Stock || stock[i].Reserve != want.Reserve ||
				stock[i].InTransit != want.InTransit {
				t.Errorf("%s: %+v, report %+v", p.Good.Name, stock[i], want)
			}
		}
	}
}
