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

func TestStockIsWhatTheDocumentsLeft(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := ask(t, s.owner(t), "moysklad_stock", `{"only":"all"}`)
	want := together(books(s.company))
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
				t.Errorf("archived %s is listed", g.Name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s is missing", g.Name)
			continue
		}
		checked++
		equal(t, g.Name+" stock", number(t, r, row, "stock"), h.stock.Decimal())
		equal(t, g.Name+" reserve", number(t, r, row, "reserve"), h.reserve.Decimal())
		equal(t, g.Name+" free", number(t, r, row, "free"), h.free().Decimal())
		equal(t, g.Name+" on the way", number(t, r, row, "in_transit"), h.transit.Decimal())
		equal(t, g.Name+" available", number(t, r, row, "available"), (h.free() + h.transit).Decimal())
	}
	if checked < 100 {
		t.Errorf("only %d goods were compared", checked)
	}
	mustNotice(t, r, tool.NoticeArchived)
}

func TestAFullyReservedProductIsNotHidden(t *testing.T) { // fact M71: the default quantityMode
	s := openShop(t, sandbox.Options{})
	ask(t, s.owner(t), "moysklad_stock", `{}`)
	ask(t, s.owner(t), "moysklad_stock_age", `{"min_days":10}`)
	ask(t, s.owner(t), "moysklad_shortages", `{}`)
	for _, q := range s.Requests() {
		if query, _ := url.QueryUnescape(q.Query); strings.HasSuffix(q.Path, "report/stock/all") &&
			!strings.Contains(query, "quantityMode=all") {
			t.Errorf("asked without quantityMode=all: %s", query)
		}
	}
}

func TestOnlyDecidesWhichGoodsAreListed(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	want := map[string]int{}
	for id, h := range together(books(s.company)) {
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
		t.Fatal("the shop has no negative stock")
	}
	for only, n := range want {
		if r := ask(t, a, "moysklad_stock", `{"only":"`+only+`"}`); len(r.Rows) != n {
			t.Errorf("%s: %d rows, want %d", only, len(r.Rows), n)
		}
	}
	for _, row := range ask(t, a, "moysklad_stock", `{"only":"zero"}`).Rows {
		if d, _ := row[5].Decimal(); !d.IsZero() {
			t.Errorf("not zero: %v", row)
		}
	}
}

func TestLimitAppliesToRowsButNotTotals(t *testing.T) {
	a := openShop(t, sandbox.Options{}).owner(t)
	all, some := ask(t, a, "moysklad_stock", `{}`), ask(t, a, "moysklad_stock", `{"limit":3}`)
	if len(some.Rows) != 3 {
		t.Fatalf("%d rows", len(some.Rows))
	}
	mustNotice(t, some, tool.NoticeTruncated)
	for _, name := range []string{"cost_sum", "sale_sum"} {
		equal(t, name, number(t, some, some.Totals, name), number(t, all, all.Totals, name))
	}
	if some.Answer != all.Answer {
		t.Errorf("answers differ:\n%s\n%s", some.Answer, all.Answer)
	}
}

func TestAHiddenCostIsNeverZero(t *testing.T) { // fact M82, absent and as zero
	for _, zero := range []bool{false, true} {
		s := openShop(t, sandbox.Options{Switches: sandbox.Switches{HiddenCostIsZero: zero}})
		r := ask(t, s.as(t, s.info.Tokens.Storekeeper), "moysklad_stock", `{}`)
		if !column(t, r, "cost").Hidden || !column(t, r, "cost_sum").Hidden {
			t.Error("cost is not marked hidden")
		}
		for _, row := range r.Rows {
			if !cell(t, r, row, "cost").IsEmpty() || !cell(t, r, row, "cost_sum").IsEmpty() {
				t.Fatalf("a hidden cost is shown: %v", row)
			}
		}
		if !cell(t, r, r.Totals, "cost_sum").IsEmpty() {
			t.Error("a hidden total is shown")
		}
		if m := mustNotice(t, r, tool.NoticeRightMissing); !strings.Contains(m,
			"«Видеть себестоимость, цену закупки и прибыль товаров»") {
			t.Errorf("the right is not named: %s", m)
		}
	}
}

func TestUnknownCostIsNotCountedAsZero(t *testing.T) { // fact M82, with the right
	a := serve(t, answers(t, map[string]string{
		"report/stock/all": rowsOf(
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001?expand=supplier","type":"product"},"name":"А","stock":2,"reserve":0,"inTransit":0,"quantity":2,"price":216174.974,"salePrice":0}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Б","stock":3,"reserve":1,"inTransit":5,"quantity":7,"price":0}`),
	}), "viewproductcostandprofit", "stock")
	r := ask(t, a, "moysklad_stock", `{"order":"name"}`)
	equal(t, "cost in main units", number(t, r, r.Rows[0], "cost"), decimal.MustParse("2161.74974"))
	equal(t, "value", number(t, r, r.Rows[0], "cost_sum"), decimal.MustParse("4323.49948"))
	if !cell(t, r, r.Rows[1], "cost").IsEmpty() || !cell(t, r, r.Rows[1], "cost_sum").IsEmpty() ||
		!cell(t, r, r.Rows[0], "sale_price").IsEmpty() {
		t.Error("an unknown amount is shown")
	}
	equal(t, "total", number(t, r, r.Totals, "cost_sum"), decimal.MustParse("4323.49948"))
	mustNotice(t, r, tool.NoticeCostPartial)
	if !strings.Contains(r.Answer, "4\u00a0323,50\u00a0₽") {
		t.Errorf("the answer: %s", r.Answer)
	}
	equal(t, "free is without goods on the way", number(t, r, r.Rows[1], "free"), decimal.FromInt(2)) // fact M70
	if id := cell(t, r, r.Rows[0], "id").Text(); id != "00000000-0000-0000-0000-000000000001" {
		t.Errorf("the id is not taken from the path: %s", id) // fact M40
	}
}

func TestAgeIsTheVendorsDaysInStock(t *testing.T) { // rule R21
	a := serve(t, answers(t, map[string]string{ // a server that ignores the filter, and a row without the field
		"report/stock/all": rowsOf(
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000001","type":"product"},"name":"Старый","stock":2,"price":100,"stockDays":120.5}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000002","type":"product"},"name":"Новый","stock":2,"price":100,"stockDays":3}`,
			`{"meta":{"href":"x/entity/product/00000000-0000-0000-0000-000000000003","type":"product"},"name":"Без срока","stock":2,"price":100}`),
	}), "viewproductcostandprofit")
	r := ask(t, a, "moysklad_stock_age", `{}`)
	if len(r.Rows) != 1 || cell(t, r, r.Rows[0], "name").Text() != "Старый" {
		t.Errorf("rows: %v", r.Rows)
	}
	mustNotice(t, r, tool.NoticePartial)
	mustNotice(t, r, tool.NoticeAssumption)

	s := openShop(t, sandbox.Options{})
	r = ask(t, s.owner(t), "moysklad_stock_age", `{"min_days":30}`)
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

func TestStockByStoreIsWhatTheDocumentsLeft(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	r := ask(t, s.owner(t), "moysklad_stock_by_store", `{}`)
	got := map[where]tool.Row{}
	storeless := false
	for _, row := range r.Rows {
		w := where{company.ID(cell(t, r, row, "id").Text()), company.ID(cell(t, r, row, "store_id").Text())}
		got[w] = row
		storeless = storeless || w.store == ""
	}
	for w, h := range books(s.company) {
		g, _ := s.company.Good(w.good)
		row, ok := got[w]
		if g.IsArchived() || h == (held{}) {
			if ok {
				t.Errorf("%s is listed", g.Name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s in %s is missing: %v", g.Name, w.store, h)
			continue
		}
		equal(t, g.Name, number(t, r, row, "stock"), h.stock.Decimal())
		equal(t, g.Name, number(t, r, row, "reserve"), h.reserve.Decimal())
		equal(t, g.Name, number(t, r, row, "in_transit"), h.transit.Decimal())
		delete(got, w)
	}
	if len(got) != 0 {
		t.Errorf("%d rows too many", len(got))
	}
	if !storeless { // fact M76: what is bound to no warehouse belongs to none
		t.Error("no row without a warehouse, though orders without one exist")
	}
}

func TestAProductBeingRecalculatedIsNotZero(t *testing.T) { // fact M74
	const good, store = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-00000000000a"
	a := serve(t, answers(t, map[string]string{
		"entity/store": rowsOf(`{"id":"` + store + `","name":"Склад"}`),
		"entity/assortment": rowsOf(`{"meta":{"href":"x/entity/product/` + good + `","type":"product"},"id":"` + good +
			`","name":"Товар"}`),
		"report/stock/bystore/current?stockType=reserve":   `[]`,
		"report/stock/bystore/current?stockType=inTransit": `[]`,
		"report/stock/bystore/current": `[{"assortmentId":"` + good + `","storeId":"` + store +
			`","stock":null}]`,
	}))
	r := ask(t, a, "moysklad_stock_by_store", `{}`)
	if len(r.Rows) != 1 || !cell(t, r, r.Rows[0], "stock").IsEmpty() {
		t.Errorf("rows: %v", r.Rows)
	}
	mustNotice(t, r, tool.NoticePartial)
}

func TestWithoutTheStockRightTheReportByWarehouseIsRead(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	owner, sales := ask(t, s.owner(t), "moysklad_stock_by_store", `{}`),
		ask(t, s.as(t, s.info.Tokens.Sales), "moysklad_stock_by_store", `{}`)
	equal(t, "stock", added(t, sales, "stock"), added(t, owner, "stock"))
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
		t.Fatal("no variants in the shop")
	}
	a := s.owner(t)
	var want decimal.Decimal
	all := together(books(s.company))
	for _, g := range append([]*company.Good{parent}, parent.Variants...) {
		want = want.Add(all[g.ID].stock.Decimal())
	}
	for _, name := range []string{parent.Name, strings.ToUpper(parent.Name), string(parent.ID), parent.Code} {
		for _, toolName := range []string{"moysklad_stock", "moysklad_stock_by_store"} {
			r := ask(t, a, toolName, `{"products":["`+name+`"]}`)
			equal(t, toolName+" of "+name, number(t, r, r.Totals, "stock"), want)
		}
	}
}

func TestABundleHasNoStockOfItsOwn(t *testing.T) { // fact M55
	s := openShop(t, sandbox.Options{})
	for _, g := range s.company.Catalogue().Goods {
		if g.Kind == company.Bundle && !g.IsArchived() {
			r := ask(t, s.owner(t), "moysklad_stock", `{"products":["`+string(g.ID)+`"]}`)
			if len(r.Rows) != 0 || !strings.Contains(mustNotice(t, r, tool.NoticePartial), g.Name) {
				t.Errorf("%s: %v", g.Name, r.Notices)
			}
			return
		}
	}
	t.Fatal("no bundles in the shop")
}

func TestStockOnADayIsAtItsEnd(t *testing.T) { // facts M35 and M37
	s := openShop(t, sandbox.Options{})
	ask(t, s.owner(t), "moysklad_stock", `{"at":"2026-11-10"}`)
	requests := s.Requests()
	query, _ := url.QueryUnescape(requests[len(requests)-1].Query)
	for _, q := range requests {
		if strings.HasSuffix(q.Path, "report/stock/all") {
			query, _ = url.QueryUnescape(q.Query)
		}
	}
	if !strings.Contains(query, "moment=2026-11-10 23:59:59") {
		t.Errorf("asked %s", query)
	}
}

func TestAnUnknownNameIsAnErrorWithSimilarNames(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	_, err := try(s.owner(t), "moysklad_stock", `{"stores":["Нет такого"]}`, tool.Env{Now: noon})
	if err == nil || !strings.Contains(err.Error(), "Нет такого") {
		t.Errorf("error %v", err)
	}
}

// answers serves bodies by path; a path with a query is preferred when the query contains it. Lists not named are
// empty, so that a test writes only what it is about.
func answers(t *testing.T, bodies map[string]string) http.Handler {
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
			body = rowsOf(`{"id":"00000000-0000-0000-0000-0000000000c1","name":"руб","isoCode":"RUB","default":true}`)
		case !ok:
			body = rowsOf()
		case body == "403":
			w.WriteHeader(http.StatusForbidden)
			body = `{"errors":[{"error":"Доступ запрещен","code":1016}]}`
		}
		_, _ = w.Write([]byte(body))
	})
}

func rowsOf(rows ...string) string {
	return `{"meta":{"size":` + decimal.FromInt(int64(len(rows))).String() + `,"limit":1000,"offset":0},"rows":[` +
		strings.Join(rows, ",") + `]}`
}

func TestFewRowsByWarehouseNeedNoWholeCatalogue(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 7, Products: 1500, Days: 30}})
	a := s.owner(t)
	all, few := ask(t, a, "moysklad_stock_by_store", `{}`), ask(t, a, "moysklad_stock_by_store", `{"limit":5}`)
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
