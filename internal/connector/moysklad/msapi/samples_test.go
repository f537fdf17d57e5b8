package msapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/decimal"
)

var anyPeriod = Days(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))

// collect reads a list and formats its rows.
func collect[T any](seq iter.Seq2[T, error]) (string, error) {
	rows, err := Collect(seq)
	return fmt.Sprintf("%+v", rows), err
}

// TestTheVendorsResponsesAreDecoded decodes sample responses and checks the relevant fields. An element of want is
// "Label:path" or "path", with the path of the expected value in the sample.
func TestTheVendorsResponsesAreDecoded(t *testing.T) {
	for _, c := range []struct {
		sample string
		read   func(ctx context.Context, r *Reader) (string, error)
		want   string
	}{
		{"organization_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Organizations(ctx, ListQuery{}))
		}, "LegalTitle:rows.0.legalTitle"},
		{"store_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Stores(ctx, ListQuery{First: 1}))
		}, "Name:rows.0.name ID:rows.0.id"},
		{"productfolder_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Folders(ctx, ListQuery{}))
		}, "rows.0.name rows.0.pathName"},
		{"counterparty_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Counterparties(ctx, ListQuery{First: 1}))
		}, "Name:rows.0.name"},
		{"employee_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Employees(ctx, ListQuery{First: 1}))
		}, "FullName:rows.0.fullName"},
		{"currency_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Currencies(ctx, ListQuery{}))
		}, "ISO:rows.0.isoCode Default:rows.0.default"},
		{"pricetype_list", func(ctx context.Context, r *Reader) (string, error) {
			p, err := r.PriceTypes(ctx)
			return fmt.Sprint(p), err
		}, "0.name 0.id"},
		{"customerorder_metadata", func(ctx context.Context, r *Reader) (string, error) {
			s, err := r.DocumentStates(ctx, "customerorder")
			return fmt.Sprint(s), err
		}, "states.0.id states.0.name"},
		{"product_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.ProductCards(ctx, CardQuery{}))
		}, "Name:rows.0.name rows.0.salePrices.0.value rows.0.buyPrice.value"},
		{"variant_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.VariantCards(ctx, CardQuery{}))
		}, "Name:rows.0.name rows.0.salePrices.0.value"},
		{"assortment_legacy_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Assortment(ctx, AssortmentQuery{}))
		}, "Type:rows.0.meta.type Type:rows.1.meta.type Type:rows.2.meta.type rows.0.stock rows.0.quantity"},
		{"report_stock_all", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.StockAll(ctx, StockQuery{First: 2}))
		}, "Name:rows.0.name Unit:rows.0.uom.name rows.0.stock rows.0.price"},
		{"report_stock_all_current", func(ctx context.Context, r *Reader) (string, error) {
			rows, err := Collect(r.StockCurrentByStore(ctx, TypeStock, CurrentQuery{}))
			return fmt.Sprintln(rows[0].Assortment.ID(), rows[0].Value), err
		}, "0.assortmentId 0.stock"},
		{"report_turnover_all", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Turnover(ctx, TurnoverQuery{Period: anyPeriod}))
		}, "Name:rows.0.assortment.name rows.0.income.sum rows.0.outcome.quantity"},
		{"report_profit_byproduct", func(ctx context.Context, r *Reader) (string, error) {
			rows, err := Collect(r.Profit(ctx, ProfitByProduct, ProfitQuery{Period: anyPeriod}))
			if rows[0].SalesCount.Known {
				err = errors.New("an absent count was decoded as a number")
			}
			return fmt.Sprint(rows[0].Subject.Name, " ", rows[0].SellSum, " ", rows[0].Unit), err
		}, "rows.0.assortment.name rows.0.sellSum rows.0.assortment.uom.name"},
		{"report_profit_byemployee", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Profit(ctx, ProfitByEmployee, ProfitQuery{Period: anyPeriod}))
		}, "Type:rows.0.employee.meta.type rows.0.sellSum"},
		{"report_profit_bycounterparty", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.Profit(ctx, ProfitByCounterparty, ProfitQuery{Period: anyPeriod}))
		}, "Type:rows.0.counterparty.meta.type rows.0.sellSum"},
		{"report_money_byaccount", func(ctx context.Context, r *Reader) (string, error) {
			a, err := r.MoneyAccounts(ctx)
			return fmt.Sprintf("%+v", a), err
		}, "rows.0.account.name rows.0.balance rows.0.organization.name"},
		{"report_money_plotseries", func(ctx context.Context, r *Reader) (string, error) {
			m, err := r.MoneySeries(ctx, SeriesQuery{Period: anyPeriod, Interval: Day})
			return fmt.Sprintf("Income:%v Outcome:%v Point:%v", m.Income, m.Outcome, m.Points[0].Income), err
		}, "Income:credit Outcome:debit Point:series.0.credit"}, // fact M84
		{"report_sales_plotseries", func(ctx context.Context, r *Reader) (string, error) {
			p, err := r.SalesSeries(ctx, SeriesQuery{Period: anyPeriod, Interval: Hour})
			return fmt.Sprint(p[0].At, ".000 ", p[0].Quantity, p[0].Sum), err
		}, "series.0.date series.0.quantity series.0.sum"},
		{"report_counterparty", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.CounterpartyReport(ctx, CounterpartyQuery{}))
		}, "ID:rows.0.counterparty.id Name:rows.0.counterparty.name rows.0.balance"},
		{"customerorder_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.CustomerOrders(ctx, OrderQuery{}))
		}, "Name:rows.0.name rows.0.sum"},
		{"purchaseorder_list", func(ctx context.Context, r *Reader) (string, error) {
			return collect(r.PurchaseOrders(ctx, OrderQuery{}))
		}, "Name:rows.0.name Applicable:rows.0.applicable rows.0.sum"},
	} {
		t.Run(c.sample, func(t *testing.T) {
			r, _ := openSample(t, c.sample)
			got, err := c.read(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var respondWith any
			if err := json.Unmarshal(sample(t, c.sample), &respondWith); err != nil {
				t.Fatal(err)
			}
			for path := range strings.FieldsSeq(c.want) {
				i := strings.Index(path, ":") + 1
				want := path[:i] + valueAt(respondWith, path[i:])
				if !strings.Contains(got, want) {
					t.Errorf("no %q (%s) in %s", want, path, got)
				}
			}
		})
	}
}

// valueAt returns the value at a path such as "rows.0.name", as text.
func valueAt(v any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		if list, ok := v.([]any); ok {
			i, _ := strconv.Atoi(key)
			v = list[i]
		} else {
			v = v.(map[string]any)[key]
		}
	}
	return fmt.Sprint(v)
}

func TestMinimumsOfAllThreeKindsAreRead(t *testing.T) {
	r, c := open(respondWith([]byte(fmt.Sprintf(`{"meta":{"size":3},"rows":[
		{"id":%q,"minimumBalance":5,"minimumStock":{"type":"ALL_WAREHOUSE_SUM","quantity":5}},
		{"id":%q,"minimumStock":{"type":"ALL_WAREHOUSE_SAME","quantity":2}},
		{"id":%q,"minimumStock":{"type":"WAREHOUSE_VARIED","storebalances":{"meta":{"size":0},"rows":[]}}}]}`,
		testID(1), testID(2), testID(3)))))
	products, err := Collect(r.ProductCards(t.Context(), CardQuery{Minimum: true}))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[MinimumKind]bool{}
	for _, p := range products {
		kinds[p.Minimum.Kind] = true
		if p.Flat.Known != (p.Minimum.Kind == MinimumSum) {
			t.Errorf("%s: the flat field's Known is %v", p.Minimum.Kind, p.Flat.Known)
		}
	}
	if len(kinds) != 3 {
		t.Errorf("kinds %v", kinds)
	}
	q := c.requests()[0].URL.Query()
	if q.Get("fields") != "minimumStock" || q.Get("expand") != "minimumStock.storebalances" || q.Get("limit") != "100" {
		t.Errorf("query %v", q)
	}
}

func TestBothSpellingsOfStoreBalancesAreRead(t *testing.T) {
	for _, name := range []string{"storebalances", "storeBalances"} {
		r, c := open(respondWith([]byte(fmt.Sprintf(`{"meta":{"size":1},"rows":[{"id":%q,"minimumStock":{"type":"WAREHOUSE_VARIED",
			"%s":{"meta":{"size":1},"rows":[{"quantity":2.5,"store":{"meta":{"href":"https://x/entity/store/%s"}}}]}}}]}`, testID(1), name, testID(9)))))
		products, err := Collect(r.ProductCards(t.Context(), CardQuery{Minimum: true}))
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := products[0].Minimum.In(testID(9)); !ok || q.String() != "2.5" || len(c.requests()) != 1 {
			t.Errorf("%s: %v", name, products[0].Minimum)
		}
		if _, ok := products[0].Minimum.In(testID(8)); ok {
			t.Error("a store without a minimum has one")
		}
	}
}

func TestRightsAreReadUnderBothSpellings(t *testing.T) {
	r, _ := openSample(t, "context_employee")
	e, err := r.Employee(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var shape map[string]any
	if err := json.Unmarshal(sample(t, "context_employee"), &shape); err != nil {
		t.Fatal(err)
	}
	if string(e.ID) != shape["id"] || string(e.AccountID) != shape["accountId"] || e.Login != shape["uid"] ||
		e.Rights.View("admin") != ViewAll || e.Rights.View("viewproductcostandprofit") != ViewAll {
		t.Errorf("%+v", e)
	}
	if e.Rights.View("purchaseOrder") != ViewAll || e.Rights.View("store") != ViewAll {
		t.Errorf("view rights %v", e.Rights.Keys())
	}
	r, _ = open(respondWith([]byte(`{"id":"x","permissions":{"good":{"view":"ALL"},"purchaseOrder":{"view":"OWN_GROUP"},"demand":{"view":"NO"},"stock":{"view":"ALL"}}}`)))
	e, err = r.Employee(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rights := e.Rights
	if rights.View("viewproductcostandprofit") != ViewNone || rights.View("stock") != ViewAll ||
		rights.View("product") != ViewAll || rights.View("purchaseorder") != "OWN_GROUP" ||
		rights.View("demand") != ViewNone {
		t.Errorf("%+v", rights)
	}
}

func TestQueriesMatchTheAPIDocumentation(t *testing.T) {
	r, c := open(respondWith([]byte(`{"meta":{"size":0},"rows":[]}`)))
	posted := true
	for _, q := range []struct {
		run  func() error
		want string
	}{
		{func() error { _, err := Collect(r.StockAll(t.Context(), StockQuery{})); return err },
			"filter=stockMode=all;quantityMode=all&limit=1000&order=name;code"},
		{func() error {
			_, err := Collect(r.StockAll(t.Context(),
				StockQuery{StockMode: ModeUnderMinimum, Stores: []ID{testID(1)}, StockDaysFrom: 90}))
			return err
		}, "filter=store=https://api.example.test/api/remap/1.2/entity/store/" + string(testID(1)) +
			";stockMode=underMinimum;quantityMode=all;stockDaysFrom=90&limit=1000&order=name;code"},
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

func TestQueriesThatTheAPIWouldMisinterpretAreRejected(t *testing.T) {
	r, c := open(respondWith(nil))
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

func TestAHiddenObjectIsMarkedAsHidden(t *testing.T) {
	r, _ := open(respondWith([]byte(fmt.Sprintf(
		`{"meta":{"size":1},"rows":[{"id":%q,"agent":{"meta":{"href":"https://x/entity/counterparty/%s","type":"counterparty","permitted":false}}}]}`, testID(1), testID(2)))))
	orders, err := Collect(r.CustomerOrders(t.Context(), OrderQuery{Positions: true}))
	if err != nil || !orders[0].Agent.Hidden || orders[0].Agent.ID != testID(2) {
		t.Errorf("%+v, %v", orders, err)
	}
	if o := orders[0]; o.Sum.Known || !o.State.IsZero() || !o.Planned.IsZero() {
		t.Errorf("absent fields have values: %+v", o)
	}
}

func TestSumsAreConvertedToTheAccountCurrency(t *testing.T) {
	sum := decimal.Some(decimal.FromInt(1000))
	if got := (Rate{}).Base(sum); got.String() != "1000" {
		t.Errorf("without a rate: %v", got)
	}
	if got := (Rate{Value: decimal.Some(decimal.MustParse("92.5"))}).Base(sum); got.String() != "92500" {
		t.Errorf("with a rate: %v", got)
	}
	if (Rate{Value: sum}).Base(decimal.Maybe{}).Known {
		t.Error("an unknown sum was converted to a number")
	}
}
