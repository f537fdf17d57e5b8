package sandbox

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestQuantityModeHidesZeroAvailableByDefault(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "report/stock/all") {
		if r["quantity"] == 0.0 {
			t.Errorf("the default report includes %v with nothing available", r["name"])
		}
	}
	standard := size(t, s, owner(s), "report/stock/all?limit=1")
	complete := size(t, s, owner(s), "report/stock/all?limit=1&filter="+escape("quantityMode=all;stockMode=all"))
	if complete <= standard {
		t.Errorf("%d rows in mode all, %d by default", complete, standard)
	}
	wantError(t, request(t, s, owner(s), "report/stock/all?filter="+escape("stockMode=some")), 412, 1041)
	wantError(t, request(t, s, owner(s), "report/stock/all?filter="+escape("stockMode=all;stockMode=empty")), 412, 1030)
}

func TestParametersOutsideFilterAreIgnored(t *testing.T) {
	s := shared()
	store := dig(rows(t, s, owner(s), "entity/store?limit=1")[0], "meta", "href").(string)
	all := size(t, s, owner(s), "report/stock/all?limit=1")
	for _, query := range []string{"stockMode=negativeOnly", "moment=2020-01-01", "search=unfindable", "stockStore=" +
		escape(store)} {
		if got := size(t, s, owner(s), "report/stock/all?limit=1&"+query); got != all {
			t.Errorf("?%s changes the report: %d rows of %d", query, got, all)
		}
	}
	if got := size(t, s, owner(s), "report/stock/all?limit=1&filter="+escape("store="+store)); got == all {
		t.Error("filter=store changes nothing")
	}
}

func TestStockReportHrefsCarryAQuery(t *testing.T) {
	s := shared()
	for _, path := range []string{"report/stock/all?limit=3", "report/stock/bystore?limit=3"} {
		m := object(t, s, owner(s), path)
		for _, r := range m["rows"].([]any) {
			if href := dig(r, "meta", "href").(string); !strings.HasSuffix(href, "?expand=supplier") {
				t.Errorf("GET %s: %s", path, href)
			}
		}
		if dig(m, "context", "employee", "href") == nil || dig(m, "context", "employee", "meta") != nil {
			t.Errorf("GET %s: context %v, want the employee's meta without its wrapper", path, m["context"])
		}
	}
}

func TestQuantityIsStockLessReservePlusTransit(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "report/stock/all") {
		f := func(key string) float64 { return r[key].(float64) }
		if math.Abs(f("quantity")-(f("stock")-f("reserve")+f("inTransit"))) > 1e-6 {
			t.Errorf("row %v", r)
		}
	}
}

func TestStockByStoreHasAnElementForEachStoreAndNoUnboundRow(t *testing.T) {
	s := shared()
	stores := len(rows(t, s, owner(s), "entity/store"))
	for _, r := range rows(t, s, owner(s), "report/stock/bystore?limit=20") {
		if got := len(r["stockByStore"].([]any)); got < stores {
			t.Errorf("%d elements, want one for each of %d stores", got, stores)
		}
	}
	for _, filter := range []string{"store!=" + rowHref(t, s), "supplier=", "quantityMode=all", "archived=true"} {
		wantError(t, request(t, s, owner(s), "report/stock/bystore?filter="+escape(filter)), 412, 1034)
	}
}

func rowHref(t *testing.T, s *Server) string {
	t.Helper()
	return dig(rows(t, s, owner(s), "entity/store?limit=1")[0], "meta", "href").(string)
}

func TestShortReportsAreBareArraysKeyedByStockType(t *testing.T) {
	s := shared()
	for _, typ := range []string{"stock", "freeStock", "quantity", "reserve", "inTransit"} {
		for _, r := range array(t, s, owner(s), "report/stock/all/current?stockType="+typ) {
			if v, ok := r[typ].(float64); !ok || v == 0 || len(r) != 2 {
				t.Fatalf("stockType=%s: row %v", typ, r)
			}
		}
	}
	wantError(t, request(t, s, owner(s), "report/stock/all/current?stockType=some"), 400, 1040)
	some, all := array(t, s, owner(s), "report/stock/all/current"),
		array(t, s, owner(s), "report/stock/all/current?include=zeroLines")
	if len(all) <= len(some) {
		t.Errorf("%d rows with zeroLines, %d without", len(all), len(some))
	}
}

func TestStockBoundToNoStoreIsNull(t *testing.T) {
	s := shared()
	unbound := 0
	for _, typ := range []string{"reserve", "inTransit"} {
		for _, r := range array(t, s, owner(s), "report/stock/bystore/current?stockType="+typ) {
			if store, there := r["storeId"]; !there {
				t.Fatalf("row without storeId: %v", r)
			} else if store == nil {
				unbound++
			}
		}
	}
	if unbound == 0 {
		t.Error("no reserve or incoming goods without a store")
	}
}

func TestShortReportsFilterByRawIDs(t *testing.T) {
	s := shared()
	all := array(t, s, owner(s), "report/stock/bystore/current")
	good, store := all[0]["assortmentId"].(string), all[0]["storeId"].(string)
	for _, r := range array(t, s, owner(s), "report/stock/bystore/current?filter="+
		escape("assortmentId="+good+","+all[9]["assortmentId"].(string)+";storeId="+store)) {
		if r["storeId"] != store || r["assortmentId"] != good && r["assortmentId"] != all[9]["assortmentId"] {
			t.Errorf("row %v", r)
		}
	}
	wantError(t, request(t, s, owner(s), "report/stock/all/current?filter="+escape("assortmentId=http://x/"+good)), 412,
		1014)
}

func TestChangedSinceGoesBackADay(t *testing.T) {
	s := shared()
	at := func(d time.Duration) string { return escape(today.Add(-d).Format(time.DateTime)) }
	wantError(t, request(t, s, owner(s), "report/stock/all/current?changedSince="+at(25*time.Hour)), 400, 1040)
	recent := array(t, s, owner(s), "report/stock/all/current?changedSince="+at(23*time.Hour))
	if all := array(t, s, owner(s), "report/stock/all/current?include=zeroLines"); len(recent) >= len(all) {
		t.Errorf("%d goods changed in a day, of %d", len(recent), len(all))
	}
}

func TestGoodsInRecalculationAreMissingForAWhile(t *testing.T) {
	now := today
	s := newServer(t, func(o *Options) { o.Now, o.RecalculationDelay = func() time.Time { return now }, time.Minute })
	good := rows(t, s, owner(s), "entity/product")[0]["id"].(string)
	now = now.Add(time.Hour) // the last documents of the history are recalculated by then
	change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", orderBody(t, s, syncA, ""))
	filter := "filter=" + escape("assortmentId="+good)
	for _, path := range []string{"report/stock/all/current?" + filter, "report/stock/bystore/current?" + filter} {
		if got := array(t, s, owner(s), path); len(got) != 0 {
			t.Errorf("GET %s: %v", path, got)
		}
	}
	for _, r := range array(t, s, owner(s), "report/stock/bystore/current?withRecalculate=true&"+filter) {
		if v, there := r["stock"]; !there || v != nil {
			t.Errorf("withRecalculate: %v", r)
		}
	}
	now = now.Add(time.Minute)
	if got := array(t, s, owner(s), "report/stock/all/current?"+filter); len(got) != 1 {
		t.Errorf("after a minute: %v", got)
	}
}

func TestProfitWithoutAPeriodCoversTheLastMonth(t *testing.T) {
	s := shared()
	sum := func(query string) float64 {
		total := 0.0
		for _, r := range rows(t, s, owner(s), "report/profit/bysaleschannel?"+query) {
			total += r["sellSum"].(float64)
		}
		return total
	}
	from := func(t time.Time) string { return "momentFrom=" + escape(t.Format(time.DateTime)) }
	to := "momentTo=" + escape(today.Format(time.DateTime))
	month := today.AddDate(0, -1, 0)
	year := time.Date(2026, 1, 1, 0, 0, 0, 0, moscow)
	if a, b := sum(""), sum(from(month)+"&"+to); a != b || a == 0 {
		t.Errorf("no dates: %v, last month: %v", a, b)
	}
	if a, b := sum(to), sum(from(year)+"&"+to); a != b {
		t.Errorf("only an end: %v, since January: %v", a, b)
	}
	if a, b := sum(from(year)), sum(from(year)+"&"+to); a != b || a <= sum("") {
		t.Errorf("only a start: %v, until today: %v", a, b)
	}
	wantError(t, request(t, s, owner(s), "report/profit/byproduct?momentFrom=2026-02-01&momentTo=2026-01-01"), 412,
		3052)
}

func TestProfitColumnsAreConsistent(t *testing.T) {
	s := shared()
	unknown := 0
	for _, r := range rows(t, s, owner(s), "report/profit/byproduct") {
		f := func(key string) float64 { return r[key].(float64) }
		revenue, cost := f("sellSum")-f("returnSum"), f("sellCostSum")-f("returnCostSum")
		if math.Abs(f("profit")-(revenue-cost)) > 0.01 {
			t.Errorf("profit of %v", r)
		}
		switch {
		case cost == 0:
			unknown++
			if f("margin") != 0 || f("salesMargin") != 1 {
				t.Errorf("margins with a cost of zero: %v, %v", f("margin"), f("salesMargin"))
			}
		case math.Abs(f("margin")-f("profit")/cost) > 1e-9:
			t.Errorf("margin %v is not the fraction profit ÷ cost", f("margin"))
		}
	}
	if unknown == 0 {
		t.Error("the fixture has no sale with an unknown cost")
	}
}

func TestProfitListTypes(t *testing.T) {
	s := shared()
	for path, want := range map[string]string{
		"byproduct": "salesbyproduct", "byvariant": "salesbyvariant", "byemployee": "salesbyemployee",
		"bycounterparty": "salesbyCounterparty", "bysaleschannel": "salesbysaleschannel",
	} {
		if got := dig(object(t, s, owner(s), "report/profit/"+path), "meta", "type"); got != want {
			t.Errorf("%s is of type %v, want %s", path, got, want)
		}
	}
	folder := dig(rows(t, s, owner(s), "entity/productfolder?limit=1")[0], "meta", "href").(string)
	good := dig(rows(t, s, owner(s), "entity/product?limit=1")[0], "meta", "href").(string)
	wantError(t, request(t, s, owner(s), "report/profit/byproduct?filter="+
		escape("product="+good+";productFolder="+folder)),
		412, 1034)
}

func TestTurnoverSumsAreCosts(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "report/turnover/all?limit=100") {
		f := func(part, key string) float64 { return dig(r, part, key).(float64) }
		for _, key := range []string{"quantity", "sum"} {
			if math.Abs(f("onPeriodStart", key)+f("income", key)-f("outcome", key)-f("onPeriodEnd", key)) > 1 {
				t.Errorf("%s does not add up: %v", key, r)
			}
		}
	}
	wantError(t, request(t, s, owner(s), "report/turnover/byoperations"), 412, 1040)
	wantError(t, request(t, s, owner(s), "report/turnover/bystore"), 412, 1034)
}

func TestPlotseriesNeedsItsParameters(t *testing.T) {
	s := shared()
	for _, report := range []string{"money", "sales", "orders"} {
		path := "report/" + report + "/plotseries"
		wantError(t, request(t, s, owner(s), path+"?momentFrom=2026-11-01&interval=day"), 412, 39000)
		wantError(t, request(t, s, owner(s), path+"?momentFrom=2026-11-01&momentTo=2026-11-02"), 412, 39000)
		wantError(t, request(t, s, owner(s), path+"?momentFrom=2026-11-01&momentTo=2026-11-02&interval=week"), 412,
			39002)
		m := object(t, s, owner(s), path+"?momentFrom=2026-11-01&momentTo=2026-11-03&interval=day")
		if n := len(m["series"].([]any)); n != 3 {
			t.Errorf("%s: %d days from the first to the third", report, n)
		}
	}
}

func TestCreditIsIncomeAndDebitExpense(t *testing.T) {
	s := shared()
	m := object(t, s, owner(s), "report/money/plotseries?momentFrom=2026-10-01&momentTo=2026-11-01&interval=month")
	var paid float64
	for _, kind := range []string{"paymentin", "cashin"} {
		for _, r := range rows(t, s, owner(s), "entity/"+kind+"?filter="+
			escape("applicable=true;moment>=2026-10-01;moment<=2026-11-01")) {
			rate := 1.0
			if v, ok := dig(r, "rate", "value").(float64); ok {
				rate = v
			}
			paid += r["sum"].(float64) * rate
		}
	}
	if math.Abs(m["credit"].(float64)-paid) > 1 || paid == 0 {
		t.Errorf("credit %v, payments received %v", m["credit"], paid)
	}
}

func TestMoneyByAccountIsNotPaged(t *testing.T) {
	s := shared()
	m := object(t, s, owner(s), "report/money/byaccount")
	if dig(m, "meta", "size") != nil || dig(m, "meta", "limit") != nil {
		t.Errorf("meta %v", m["meta"])
	}
	cash := 0
	for _, r := range m["rows"].([]any) {
		if dig(r, "account") == nil {
			cash++
		}
	}
	if cash == 0 || cash == len(m["rows"].([]any)) {
		t.Errorf("%d of %d rows are cash desks", cash, len(m["rows"].([]any)))
	}
}

func TestByOperationsAddsUpToTheReport(t *testing.T) {
	s := shared()
	for _, r := range rows(t, s, owner(s), "report/stock/all?limit=20&filter="+escape("stockMode=positiveOnly")) {
		total := 0.0
		for _, o := range rows(t, s, owner(s), "report/byoperations/stock?filter="+
			escape("assortment="+dig(r, "meta", "href").(string))) {
			total += o["stock"].(float64)
		}
		if math.Abs(total-r["stock"].(float64)) > 1e-6 {
			t.Errorf("%v: operations add up to %v, the report says %v", r["name"], total, r["stock"])
		}
	}
	wantError(t, request(t, s, owner(s), "report/byoperations/stock"), 412, 1034)
}

func TestStockByOperation(t *testing.T) {
	s := shared()
	d := rows(t, s, owner(s), "entity/demand?limit=1")[0]
	m := object(t, s, owner(s), "report/stock/byoperation?operation.id="+d["id"].(string))
	positions := dig(m["rows"].([]any)[0], "positions").([]any)
	if len(positions) != int(dig(d, "positions", "meta", "size").(float64)) {
		t.Errorf("%d positions", len(positions))
	}
	wantError(t, request(t, s, owner(s), "report/stock/byoperation?operation.id=x"), 404, 1021)
}

func TestCounterpartyReportCanBeFilteredAndSorted(t *testing.T) {
	s := shared()
	last := math.Inf(1)
	for _, r := range rows(t, s, owner(s), "report/counterparty?order=balance,desc&filter="+escape("balance>0")) {
		b := r["balance"].(float64)
		if b <= 0 || b > last {
			t.Errorf("not sorted: balance %v after %v", b, last)
		}
		last = b
	}
	if math.IsInf(last, 1) {
		t.Error("no counterparty owes anything")
	}
	negated := newServer(t, func(o *Options) { o.Switches.PartyBalanceNegated = true })
	plain := newServer(t)
	a, b := rows(t, plain, owner(plain), "report/counterparty"), rows(t, negated, owner(negated), "report/counterparty")
	for i := range a {
		if a[i]["balance"].(float64) != -b[i]["balance"].(float64) {
			t.Errorf("balance %v, with the sign switch %v", a[i]["balance"], b[i]["balance"])
		}
	}
}

func TestDocumentsOfForeignCurrencyShowTheRate(t *testing.T) {
	s := shared()
	foreign := 0
	for _, list := range []string{"purchaseorder", "supply"} {
		for _, r := range rows(t, s, owner(s), "entity/"+list) {
			if v, ok := dig(r, "rate", "value").(float64); ok {
				foreign++
				if v == 1 {
					t.Error("a rate of 1 must be omitted")
				}
			}
		}
	}
	if foreign == 0 {
		t.Error("no document in a foreign currency")
	}
}

func TestPlainSalesPlotNeedsARightUnlessSwitched(t *testing.T) {
	path := "report/sales/plotseries?momentFrom=2026-11-01&momentTo=2026-11-02&interval=day"
	strict, open := newServer(t), newServer(t, func(o *Options) { o.Switches.SalesPlotIsOpen = true })
	wantError(t, request(t, strict, strict.Accounts()[0].Tokens.Sales, path), 403, 1016)
	if a := request(t, open, open.Accounts()[0].Tokens.Sales, path); a.status != http.StatusOK || !json.Valid(a.body) {
		t.Errorf("status %d", a.status)
	}
}
