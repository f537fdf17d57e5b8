package msapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

var anyPeriod = Days(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))

// drain reads a list and describes what came.
func drain[T any](seq iter.Seq2[T, error]) (string, error) {
	rows, err := Collect(seq)
	return fmt.Sprintf("%+v", rows), err
}

// TestSamplesOfTheVendorAreRead: each recorded body decodes, and the fields that matter are where they should be.
func TestSamplesOfTheVendorAreRead(t *testing.T) {
	for _, c := range []struct {
		sample string
		read   func(ctx context.Context, r *Reader) (string, error)
		want   []string
	}{
		{"organization_list", func(ctx context.Context, r *Reader) (string,
			error) {
			return drain(r.Organizations(ctx, ListQuery{}))
		}, []string{"LegalTitle"}},
		{"store_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Stores(ctx, ListQuery{First: 1}))
		}, []string{"Name:002", "ID:caf46ce5-0569-11e6-9464-e4de00000000"}},
		{"productfolder_list", func(ctx context.Context, r *Reader) (string,
			error) {
			return drain(r.Folders(ctx, ListQuery{}))
		}, []string{"Овощи"}},
		{"counterparty_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Counterparties(ctx, ListQuery{First: 1}))
		}, []string{"CompanyType:legal"}},
		{"employee_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Employees(ctx, ListQuery{First: 1}))
		}, []string{"FullName:Администратор"}},
		{"currency_list", func(ctx context.Context, r *Reader) (string,
			error) {
			return drain(r.Currencies(ctx, ListQuery{}))
		}, []string{"ISO:RUB", "Default:true"}},
		{"pricetype_list", func(ctx context.Context, r *Reader) (string, error) {
			p, err := r.PriceTypes(ctx)
			return fmt.Sprint(p), err
		}, []string{"Цена продажи"}},
		{"companysettings", func(ctx context.Context, r *Reader) (string, error) {
			s, err := r.CompanySettings(ctx)
			return fmt.Sprintf("%+v", s), err
		}, []string{"ISO:RUB", "Цена для друзей", "CheckShippingStock:true"}},
		{"customerorder_metadata", func(ctx context.Context, r *Reader) (string, error) {
			s, err := r.CustomerOrderStates(ctx)
			return fmt.Sprint(len(s) > 0 && s[0].ID != ""), err
		}, []string{"true"}},
		{"product_list", func(ctx context.Context, r *Reader) (string,
			error) {
			return drain(r.Products(ctx, ProductQuery{}))
		}, []string{"Name:", "SalePrices:[{"}},
		{"variant_list", func(ctx context.Context, r *Reader) (string,
			error) {
			return drain(r.Variants(ctx, VariantQuery{}))
		}, []string{"ID:671402e4-f7d2-11e5-8a84-bae50000007c", "Name:Цвет Value:красны",
			"Product:{Type:product ID:66ccbc9f-f7d2-11e5-8a84-bae500000076", "20000000"}},
		{"assortment_legacy_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Assortment(ctx, AssortmentQuery{}))
		}, []string{"Type:product ID:35427052-36e7-11e7-8a7f-40d0000000d1", "Type:service", "Type:bundle"}},
		{"report_stock_all", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.StockAll(ctx, StockQuery{First: 2}))
		}, []string{"ID:c02e3a5c-007e-11e6-9464-e4de00000006 Name:Товар", "Unit:шт"}},
		{"report_stock_all_current", func(ctx context.Context, r *Reader) (string, error) {
			rows, err := Collect(r.StockCurrent(ctx, TypeStock, CurrentQuery{}))
			return fmt.Sprintln(rows[0].Assortment.ID(), rows[1].Value), err
		}, []string{"12345678-5838-aaeb-0a80-003a003ef439 46.5"}},
		{"report_turnover_all", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Turnover(ctx, TurnoverQuery{Period: anyPeriod}))
		}, []string{"ID:66990dc7-bdfe-11eb-c0a8-800c00000016 Name:товар 2", "Type:variant"}},
		{"report_profit_byproduct", func(ctx context.Context, r *Reader) (string, error) {
			rows, err := Collect(r.Profit(ctx, ProfitByProduct, ProfitQuery{Period: anyPeriod}))
			return fmt.Sprint(rows[0].Subject.Name, rows[0].SellPrice, rows[0].SalesCount.Known, rows[0].Unit), err
		}, []string{"Курево", "216174.97396737244", "false", "шт"}},
		{"report_profit_byemployee", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Profit(ctx, ProfitByEmployee, ProfitQuery{Period: anyPeriod}))
		}, []string{"Subject:{Type:employee"}},
		{"report_profit_bycounterparty", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.Profit(ctx, ProfitByCounterparty, ProfitQuery{Period: anyPeriod}))
		}, []string{"Subject:{Type:counterparty"}},
		{"report_money_byaccount", func(ctx context.Context, r *Reader) (string, error) {
			a, err := r.MoneyAccounts(ctx)
			return fmt.Sprintln(a[0].Account.IsZero(), a[0].Balance, a[0].Organization.Name), err
		}, []string{"true 100 OOO Ромашка"}},
		{"report_sales_plotseries", func(ctx context.Context, r *Reader) (string, error) {
			p, err := r.SalesSeries(ctx, SeriesQuery{Period: anyPeriod, Interval: Hour})
			return fmt.Sprint(p[1].At, p[1].Quantity, p[1].Sum), err
		}, []string{"2018-09-06 01:00:00 4 400"}},
		{"report_dashboard_day", func(ctx context.Context, r *Reader) (string, error) {
			d, err := r.Dashboard(ctx, DashboardDay)
			return fmt.Sprint(d.Money.Balance, d.Sales.Movement), err
		}, []string{"69700 -80000"}},
		{"report_counterparty", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.CounterpartyReport(ctx, CounterpartyQuery{}))
		}, []string{"ID:b80ea81b-7058-11e6-8a84-bae500000000 Name:ООО Радуга"}},
		{"customerorder_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.CustomerOrders(ctx, OrderQuery{}))
		}, []string{"Name:00001", "State:{Type:state ID:fb56c504-2e58-11e6-8a84-bae500000069"}},
		{"purchaseorder_list", func(ctx context.Context, r *Reader) (string, error) {
			return drain(r.PurchaseOrders(ctx, OrderQuery{}))
		}, []string{"Name:00002", "Applicable:true"}},
	} {
		t.Run(c.sample, func(t *testing.T) {
			r, _ := serving(t, c.sample)
			got, err := c.read(t.Context(), r)
			// the documentation counts more rows than it prints
			if _, short := IsIncomplete(err); err != nil && !short {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in %s", want, got)
				}
			}
		})
	}
}

func TestTrap6MinimumsOfAllThreeKindsAreRead(t *testing.T) {
	r, c := serving(t, "product_list__fields_minimumStock")
	products, err := Collect(r.Products(t.Context(), ProductQuery{MinimumStock: true}))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[MinimumKind]bool{}
	for _, p := range products {
		kinds[p.MinimumStock.Kind] = true
		if p.MinimumBalance.Known != (p.MinimumStock.Kind == MinimumSum) {
			t.Errorf("%s: the flat field is known: %v", p.MinimumStock.Kind, p.MinimumBalance.Known)
		}
	}
	if len(kinds) != 3 {
		t.Errorf("kinds %v", kinds)
	}
	q := c.requests()[0].URL.Query()
	if q.Get("fields") != "minimumStock" || q.Get("expand") != "minimumStock.storebalances" || q.Get("limit") != "100" {
		t.Errorf("asked %v", q)
	}
}

func TestBothSpellingsOfStoreBalancesAreRead(t *testing.T) {
	for _, name := range []string{"storebalances", "storeBalances"} {
		r, c := open(answer([]byte(fmt.Sprintf(`{"meta":{"size":1},"rows":[{"id":%q,"minimumStock":{"type":"WAREHOUSE_VARIED",
			"%s":{"meta":{"size":1},"rows":[{"quantity":2.5,"store":{"meta":{"href":"https://x/entity/store/%s"}}}]}}}]}`, testID(1), name, testID(9)))))
		products, err := Collect(r.Products(t.Context(), ProductQuery{MinimumStock: true}))
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := products[0].MinimumStock.In(testID(9)); !ok || q.String() != "2.5" || len(c.requests()) != 1 {
			t.Errorf("%s: %v", name, products[0].MinimumStock)
		}
		if _, ok := products[0].MinimumStock.In(testID(8)); ok {
			t.Error("another store has no minimum")
		}
	}
}

func TestTrap17CreditIsIncome(t *testing.T) {
	r, _ := serving(t, "report_money_plotseries")
	m, err := r.MoneySeries(t.Context(), SeriesQuery{Period: anyPeriod, Interval: Day})
	if err != nil || m.Income.String() != "400" || m.Outcome.String() != "200" || m.Points[0].Income.String() != "100" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestRightsAreReadFromTheSampleAndFromTheDocumentationsNames(t *testing.T) {
	r, _ := serving(t, "context_employee")
	e, err := r.Employee(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "5bf6430e-204c-11ec-c0a8-300d00000042" || e.AccountID != "59de7a4b-204c-11ec-c0a8-300e00000002" ||
		e.Login != "admin@f1" || !e.Rights.Admin || !e.Rights.Cost {
		t.Errorf("%+v", e)
	}
	if e.Rights.View("purchaseOrder") != ViewAll || e.Rights.View("store") != ViewAll {
		t.Errorf("views of %v", e.Rights.Keys())
	}
	r, _ = open(answer([]byte(`{"id":"x","permissions":{"good":{"view":"ALL"},"purchaseOrder":{"view":"OWN_GROUP"},"demand":{"view":"NO"},"stock":{"view":"ALL"}}}`)))
	e, err = r.Employee(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rights := e.Rights
	if rights.Admin || rights.Cost || rights.Money || !rights.Stock || rights.View("product") != ViewAll ||
		rights.View("demand") != ViewNone {
		t.Errorf("%+v", rights)
	}
	if got := rights.Partial("product", "purchaseorder", "demand"); !slices.Equal(got,
		[]string{"demand", "purchaseorder"}) {
		t.Errorf("partial %v", got)
	}
}

func TestQueriesAreWhatTheReferenceDocuments(t *testing.T) {
	r, c := open(answer([]byte(`{"meta":{"size":0},"rows":[]}`)))
	posted := true
	for _, q := range []struct {
		run  func() error
		want string
	}{
		{func() error { _, err := Collect(r.StockAll(t.Context(), StockQuery{})); return err },
			"filter=stockMode=all;quantityMode=all&limit=1000&order=name;code"},
		{func() error {
			_, err := Collect(r.StockAll(t.Context(),
				StockQuery{StockMode: ModeUnderMinimum, Stores: []ID{testID(1)}, GroupBy: ByProduct,
					StockDaysFrom: 90}))
			return err
		}, "filter=store=https://api.example.test/api/remap/1.2/entity/store/" + string(testID(1)) +
			";stockMode=underMinimum;quantityMode=all;stockDaysFrom=90&groupBy=product&limit=1000&order=name;code"},
		{func() error { _, err := Collect(r.StockByStore(t.Context(), StockQuery{})); return err }, "limit=1000"},
		{func() error {
			_, err := Collect(r.Assortment(t.Context(), AssortmentQuery{Search: "гвоздь", First: 20}))
			return err
		},
			"filter=search=гвоздь&limit=20"},
		{func() error {
			_, err := Collect(r.Profit(t.Context(), ProfitByEmployee, ProfitQuery{Period: anyPeriod}))
			return err
		},
			"limit=1000&momentFrom=2026-01-01 00:00:00&momentTo=2026-01-31 23:59:59"},
		{func() error {
			_, err := Collect(r.CustomerOrders(t.Context(),
				OrderQuery{Posted: &posted, States: []ID{testID(5)}, NoState: true, PlannedBefore: anyPeriod.From}))
			return err
		}, "filter=applicable=true;state=https://api.example.test/api/remap/1.2/entity/customerorder/metadata/states/" +
			string(testID(5)) + ";state=;deliveryPlannedMoment<2026-01-01 00:00:00&limit=1000&order=id"},
		{func() error { _, err := Collect(r.Stores(t.Context(), ListQuery{Archived: ArchivedAlso})); return err },
			"filter=archived=true;archived=false&limit=1000&order=id"},
		{func() error {
			_, err := Collect(r.CounterpartyReport(t.Context(), CounterpartyQuery{Balances: OwedToUs}))
			return err
		},
			"filter=balance>0&limit=1000"},
	} {
		if err := q.run(); err != nil {
			t.Fatal(err)
		}
		values := c.requests()[len(c.requests())-1].URL.Query()
		var parts []string
		for name, v := range values {
			parts = append(parts, name+"="+v[0])
		}
		slices.Sort(parts)
		if got := strings.Join(parts, "&"); got != q.want {
			t.Errorf("got  %s\nwant %s", got, q.want)
		}
	}
}

func TestQueriesThatTheAPIWouldMisreadAreRefused(t *testing.T) {
	r, c := open(answer(nil))
	for name, err := range map[string]error{
		"profit without a period": second(Collect(r.Profit(t.Context(), ProfitByProduct, ProfitQuery{}))),
		"turnover with half a period": second(
			Collect(r.Turnover(t.Context(), TurnoverQuery{Period: Period{To: time.Now()}}))),
		"a series without an interval": second(r.SalesSeries(t.Context(), SeriesQuery{Period: anyPeriod})),
		"money by store": second(
			r.MoneySeries(t.Context(), SeriesQuery{Period: anyPeriod, Interval: Day, Stores: []ID{testID(1)}})),
		"by store, two kinds of goods": second(
			Collect(r.StockByStore(t.Context(), StockQuery{Products: []ID{testID(1)}, Folders: []ID{testID(2)}}))),
		"by store with a quantity mode": second(
			Collect(r.StockByStore(t.Context(), StockQuery{QuantityMode: ModeAll}))),
		"profit of goods and of folders": second(
			Collect(r.Profit(t.Context(), ProfitByProduct,
				ProfitQuery{Period: anyPeriod, Goods: []Ref{{Type: "product", ID: testID(1)}},
					Folders: []ID{testID(2)}}))),
		"an id that is a path": second(
			Collect(r.CounterpartyReport(t.Context(),
				CounterpartyQuery{Counterparties: []ID{"../../entity/product"}}))),
		"an id that is a condition": second(
			Collect(r.Stores(t.Context(), ListQuery{IDs: []ID{"x;archived=true"}}))),
	} {
		if !errors.Is(err, ErrQuery) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(c.requests()) != 0 {
		t.Errorf("%d requests were sent", len(c.requests()))
	}
}

func second[T any](_ T, err error) error { return err }

func TestObjectThatMayNotBeSeenIsHiddenNotNameless(t *testing.T) {
	r, _ := open(answer([]byte(fmt.Sprintf(
		`{"meta":{"size":1},"rows":[{"id":%q,"agent":{"meta":{"href":"https://x/entity/counterparty/%s","type":"counterparty","permitted":false}}}]}`, testID(1), testID(2)))))
	orders, err := Collect(r.CustomerOrders(t.Context(), OrderQuery{ExpandAgent: true}))
	if err != nil || !orders[0].Agent.Hidden || orders[0].Agent.ID != testID(2) {
		t.Errorf("%+v, %v", orders, err)
	}
	if o := orders[0]; o.Sum.Known || !o.State.IsZero() || !o.Planned.IsZero() || o.PositionsNumber != -1 {
		t.Errorf("absent fields became values: %+v", o)
	}
}

func TestTrap21SumsMeetInTheAccountCurrency(t *testing.T) {
	sum := decimal.Some(decimal.FromInt(1000))
	if got := (Rate{}).Base(sum); got.String() != "1000" {
		t.Errorf("without a rate: %v", got)
	}
	if got := (Rate{Value: decimal.Some(decimal.MustParse("92.5"))}).Base(sum); got.String() != "92500" {
		t.Errorf("with a rate: %v", got)
	}
	if (Rate{Value: sum}).Base(decimal.Maybe{}).Known {
		t.Error("an unknown sum became a number")
	}
}
