package moysklad

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestStockMatchesTheDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_stock", `{"only":"all"}`)
	want := sumStores(stockFromDocuments(s.company))
	rows := map[string]tool.Row{}
	for _, row := range r.Rows {
		rows[cell(t, r, row, "id").Text()] = row
	}
	checked := 0
	for id, h := range want {
		g, _ := s.company.Good(id)
		row, ok := rows[string(id)]
		if g.IsArchived() {
			if ok {
				t.Errorf("archived %s must not be listed", g.Name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s is missing", g.Name)
			continue
		}
		checked++
		wantEqual(t, g.Name+" stock", number(t, r, row, "stock"), h.stock.Decimal())
		wantEqual(t, g.Name+" reserve", number(t, r, row, "reserve"), h.reserve.Decimal())
		wantEqual(t, g.Name+" free", number(t, r, row, "free"), h.free().Decimal())
		wantEqual(t, g.Name+" on the way", number(t, r, row, "in_transit"), h.transit.Decimal())
		wantEqual(t, g.Name+" available", number(t, r, row, "available"), (h.free() + h.transit).Decimal())
	}
	if checked < 100 {
		t.Errorf("only %d goods were checked", checked)
	}
	wantNotice(t, r, tool.NoticeArchived)
}

func TestAFullyReservedProductIsNotHidden(t *testing.T) { // fact M71: the default quantityMode
	s := openShop(t, sandbox.Options{})
	callTool(t, s.owner(t), "moysklad_stock", `{}`)
	callTool(t, s.owner(t), "moysklad_stock_age", `{"min_days":10}`)
	callTool(t, s.owner(t), "moysklad_shortages", `{}`)
	for _, q := range s.Requests() {
		if query, _ := url.QueryUnescape(q.Query); strings.HasSuffix(q.Path, "report/stock/all") &&
			!strings.Contains(query, "quantityMode=all") {
			t.Errorf("no quantityMode=all in %s", query)
		}
	}
}

func TestOnlySelectsTheListedGoods(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	want := map[string]int{}
	for id, h := range sumStores(stockFromDocuments(s.company)) {
		g, _ := s.company.Good(id)
		switch {
		case g.IsArchived():
		case h.stock > 0:
			want["in_stock"]++
		case h.stock < 0:
			want["negative"]++
		}
	}
	if want["negative"] == 0 {
		t.Fatal("the fixture has no negative stock")
	}
	for only, n := range want {
		if r := callTool(t, a, "moysklad_stock", `{"only":"`+only+`"}`); len(r.Rows) != n {
			t.Errorf("%s: %d rows, want %d", only, len(r.Rows), n)
		}
	}
	for _, row := range callTool(t, a, "moysklad_stock", `{"only":"zero"}`).Rows {
		if d, _ := row[5].Decimal(); !d.IsZero() {
			t.Errorf("not zero: %v", row)
		}
	}
}

func TestLimitAppliesToRowsButNotTotals(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	all, some := callTool(t, a, "moysklad_stock", `{}`), callTool(t, a, "moysklad_stock", `{"limit":3}`)
	if len(some.Rows) != 3 {
		t.Fatalf("%d rows", len(some.Rows))
	}
	wantNotice(t, some, tool.NoticeTruncated)
	for _, name := range []string{"cost_sum", "sale_sum"} {
		wantEqual(t, name, number(t, some, some.Totals, name), number(t, all, all.Totals, name))
	}
	if some.Answer != all.Answer {
		t.Errorf("answers differ:\n%s\n%s", some.Answer, all.Answer)
	}
}

func TestAHiddenCostIsNeverZero(t *testing.T) { // fact M82; absent or zero in the response
	for _, zero := range []bool{false, true} {
		s := openShop(t, sandbox.Options{Switches: sandbox.Switches{HiddenCostIsZero: zero}})
		r := callTool(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_stock", `{}`)
		if !column(t, r, "cost").Hidden || !column(t, r, "cost_sum").Hidden {
			t.Error("cost is not marked hidden")
		}
		for _, row := range r.Rows {
			if !cell(t, r, row, "cost").IsEmpty() || !cell(t, r, row, "cost_sum").IsEmpty() {
				t.Fatalf("a hidden cost is exposed: %v", row)
			}
		}
		if !cell(t, r, r.Totals, "cost_sum").IsEmpty() {
			t.Error("a hidden total is exposed")
		}
		if m := wantNotice(t, r, tool.NoticeRightMissing); !strings.Contains(m,
			"«Видеть себестоимость, цену закупки и прибыль товаров»") {
			t.Errorf("the missing right is not mentioned: %s", m)
		}
	}
}

func TestUnknownCostIsNotCountedAsZero(t *testing.T) { // fact M82, for an employee who may see costs
	a := serve(t, respond(t, map[string]string{
		"report/stock/all": listJSON(
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001?expand=supplier","type":"product"},"name":"А","stock":2,"reserve":0,"inTransit":0,"quantity":2,"price":216174.974,"salePrice":0}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Б","stock":3,"reserve":1,"inTransit":5,"quantity":7,"price":0}`),
	}), "viewproductcostandprofit", "stock")
	r := callTool(t, a, "moysklad_stock", `{"order":"name"}`)
	wantEqual(t, "cost in main units", number(t, r, r.Rows[0], "cost"), decimal.MustParse("2161.74974"))
	wantEqual(t, "value", number(t, r, r.Rows[0], "cost_sum"), decimal.MustParse("4323.49948"))
	if !cell(t, r, r.Rows[1], "cost").IsEmpty() || !cell(t, r, r.Rows[1], "cost_sum").IsEmpty() ||
		!cell(t, r, r.Rows[0], "sale_price").IsEmpty() {
		t.Error("an unknown amount is shown")
	}
	wantEqual(t, "total", number(t, r, r.Totals, "cost_sum"), decimal.MustParse("4323.49948"))
	wantNotice(t, r, tool.NoticeCostPartial)
	if !strings.Contains(r.Answer, "4\u00a0323,50\u00a0₽") {
		t.Errorf("answer: %s", r.Answer)
	}
	wantEqual(t, "free excludes goods in transit", number(t, r, r.Rows[1], "free"), decimal.FromInt(2)) // fact M70
	if id := cell(t, r, r.Rows[0], "id").Text(); id != "00000000-0000-0000-0000-000000000001" {
		t.Errorf("the id must come from the href's path: %s", id) // fact M40
	}
}

func TestAgeIsTheVendorsStockDays(t *testing.T) { // rule R21
	a := serve(t, respond(t, map[string]string{ // the server ignores the filter; one row lacks the field
		"report/stock/all": listJSON(
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"Старый","stock":2,"price":100,"stockDays":120.5}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Новый","stock":2,"price":100,"stockDays":3}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000003","type":"product"},"name":"Без срока","stock":2,"price":100}`),
	}), "viewproductcostandprofit")
	r := callTool(t, a, "moysklad_stock_age", `{}`)
	if len(r.Rows) != 1 || cell(t, r, r.Rows[0], "name").Text() != "Старый" {
		t.Errorf("rows: %v", r.Rows)
	}
	wantNotice(t, r, tool.NoticePartial)
	wantNotice(t, r, tool.NoticeAssumption)

	s := openShop(t, sandbox.Options{})
	r = callTool(t, s.owner(t), "moysklad_stock_age", `{"min_days":30}`)
	want := 0
	days := decimal.FromInt(30)
	for _, row := range s.company.StockAll(
		company.StockQuery{StockMode: company.ModePositive, QuantityMode: company.ModeAll}) {
		if row.StockDays().Cmp(days) >= 0 && !row.Good.IsArchived() {
			want++
		}
	}
	if len(r.Rows) != want || want == 0 {
		t.Errorf("%d rows, want %d", len(r.Rows), want)
	}
}

func TestStockByStoreMatchesTheDocuments(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := callTool(t, s.owner(t), "moysklad_stock_by_store", `{}`)
	got := map[place]tool.Row{}
	storeless := false
	for _, row := range r.Rows {
		w := place{company.ID(cell(t, r, row, "id").Text()), company.ID(cell(t, r, row, "store_id").Text())}
		got[w] = row
		storeless = storeless || w.store == ""
	}
	for w, h := range stockFromDocuments(s.company) {
		g, _ := s.company.Good(w.good)
		row, ok := got[w]
		if g.IsArchived() || h == (balance{}) {
			if ok {
				t.Errorf("%s is listed", g.Name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s in %s is missing: %v", g.Name, w.store, h)
			continue
		}
		wantEqual(t, g.Name, number(t, r, row, "stock"), h.stock.Decimal())
		wantEqual(t, g.Name, number(t, r, row, "reserve"), h.reserve.Decimal())
		wantEqual(t, g.Name, number(t, r, row, "in_transit"), h.transit.Decimal())
		delete(got, w)
	}
	if len(got) != 0 {
		t.Errorf("%d unexpected rows", len(got))
	}
	if !storeless { // fact M76: reserves and arrivals without a warehouse are in a row of their own
		t.Error("no row for orders without a warehouse")
	}
}

func TestAProductBeingRecalculatedIsNotZero(t *testing.T) { // fact M74
	const good, store = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-00000000000a"
	a := serve(t, respond(t, map[string]string{
		"entity/store": listJSON(`{"id":"` + store + `","name":"Склад"}`),
		"entity/assortment": listJSON(`{"meta":{"href":"x/entity/product/` + good + `","type":"product"},"id":"` +
			good +
			`","name":"Товар"}`),
		"report/stock/bystore/current?stockType=reserve":   `[]`,
		"report/stock/bystore/current?stockType=inTransit": `[]`,
		"report/stock/bystore/current": `[{"assortmentId":"` + good + `","storeId":"` + store +
			`","stock":null}]`,
	}))
	r := callTool(t, a, "moysklad_stock_by_store", `{}`)
	if len(r.Rows) != 1 || !cell(t, r, r.Rows[0], "stock").IsEmpty() {
		t.Errorf("rows: %v", r.Rows)
	}
	wantNotice(t, r, tool.NoticePartial)
}

func TestWithoutTheStockRightTheReportByWarehouseIsRead(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	owner, sales := callTool(t, s.owner(t), "moysklad_stock_by_store", `{}`),
		callTool(t, s.as(t, s.info.Tokens.Sales), "moysklad_stock_by_store", `{}`)
	wantEqual(t, "stock", sumColumn(t, sales, "stock"), sumColumn(t, owner, "stock"))
}

func TestANamedProductIncludesItsVariants(t *testing.T) { // fact M72
	s := openShop(t, sandbox.Options{})
	var parent *company.Good
	for _, g := range s.company.Catalogue().Goods {
		if len(g.Variants) > 1 && !g.IsArchived() {
			parent = g
		}
	}
	if parent == nil {
		t.Fatal("the fixture has no variants")
	}
	a := s.owner(t)
	var want decimal.Decimal
	all := sumStores(stockFromDocuments(s.company))
	for _, g := range append([]*company.Good{parent}, parent.Variants...) {
		want = want.Add(all[g.ID].stock.Decimal())
	}
	for _, name := range []string{parent.Name, strings.ToUpper(parent.Name), string(parent.ID), parent.Code} {
		for _, toolName := range []string{"moysklad_stock", "moysklad_stock_by_store"} {
			r := callTool(t, a, toolName, `{"products":["`+name+`"]}`)
			wantEqual(t, toolName+" of "+name, number(t, r, r.Totals, "stock"), want)
		}
	}
}

func TestABundleHasNoStockOfItsOwn(t *testing.T) { // fact M55
	s := openShop(t, sandbox.Options{})
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Bundle && !g.IsArchived() {
			r := callTool(t, s.owner(t), "moysklad_stock", `{"products":["`+string(g.ID)+`"],"at":"2026-11-10"}`)
			if len(r.Rows) != 0 || !strings.Contains(wantNotice(t, r, tool.NoticePartial), g.Name) {
				t.Errorf("%s: %v", g.Name, r.Notices)
			}
			return
		}
	}
	t.Fatal("the fixture has no bundles")
}

func TestStockOnADayIsAtTheEndOfTheDay(t *testing.T) { // facts M35 and M37
	s := openShop(t, sandbox.Options{})
	callTool(t, s.owner(t), "moysklad_stock", `{"at":"2026-11-10"}`)
	requests := s.Requests()
	query, _ := url.QueryUnescape(requests[len(requests)-1].Query)
	for _, q := range requests {
		if strings.HasSuffix(q.Path, "report/stock/all") {
			query, _ = url.QueryUnescape(q.Query)
		}
	}
	if !strings.Contains(query, "moment=2026-11-10 23:59:59") {
		t.Errorf("query %s", query)
	}
}

func TestAnUnknownNameIsAnErrorWithSimilarNames(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	_, err := tryTool(s.owner(t), "moysklad_stock", `{"stores":["Нет такого"]}`, tool.Env{Now: noon})
	if err == nil || !strings.Contains(err.Error(), "Нет такого") {
		t.Errorf("error %v", err)
	}
}

// respond serves bodies by path. A key with a query takes precedence if the request contains that query. Other paths
// are empty lists, so that a test contains only relevant data.
func respond(t *testing.T, bodies map[string]string) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json;charset=utf-8")
		path := strings.Trim(q.URL.Path, "/")
		query, _ := url.QueryUnescape(q.URL.RawQuery)
		body, ok := bodies[path]
		for key, b := range bodies {
			if p, part, cut := strings.Cut(key, "?"); cut && p == path && strings.Contains(query, part) {
				body, ok = b, true
			}
		}
		switch {
		case !ok && path == "entity/currency":
			body = listJSON(`{"id":"00000000-0000-0000-0000-0000000000c1","name":"руб","isoCode":"RUB","default":true}`)
		case !ok:
			body = listJSON()
		case body == "403":
			w.WriteHeader(http.StatusForbidden)
			body = `{"errors":[{"error":"Доступ запрещен","code":1016}]}`
		}
		_, _ = w.Write([]byte(body))
	})
}

func listJSON(rows ...string) string {
	return `{"meta":{"size":` + decimal.FromInt(int64(len(rows))).String() + `,"limit":1000,"offset":0},"rows":[` +
		strings.Join(rows, ",") + `]}`
}

func TestALimitedStockByWarehouseDoesNotReadTheWholeCatalogue(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 1500, Days: 30}})
	a := s.owner(t)
	all, few := callTool(t, a, "moysklad_stock_by_store", `{}`),
		callTool(t, a, "moysklad_stock_by_store", `{"limit":5}`)
	if few.Provenance.Requests > 5 || few.Provenance.Requests >= all.Provenance.Requests+3 {
		t.Errorf("%d requests for 5 rows, %d for all", few.Provenance.Requests, all.Provenance.Requests)
	}
	if len(few.Rows) != 5 || few.Answer != all.Answer {
		t.Errorf("%d rows\n%s\n%s", len(few.Rows), few.Answer, all.Answer)
	}
	for _, row := range few.Rows {
		if row[0].IsEmpty() {
			t.Errorf("no name: %v", row)
		}
	}
}
