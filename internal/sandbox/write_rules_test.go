package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestARepeatedCreateReturnsTheFirstDocumentWhateverItsBody(t *testing.T) {
	s := newServer(t)
	first := decode[map[string]any](t, change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, "")))
	for _, body := range []string{
		`{"syncId": "` + syncA + `"}`, // required fields are missing
		`{"syncId": "` + strings.ToUpper(syncA) + `", "organization": ` + ref(t, s, "organization", 0) + `, "agent": ` +
			ref(t, s, "counterparty", 1) + `}`,
	} {
		a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body)
		if again := decode[map[string]any](t, a); a.status != http.StatusOK || again["id"] != first["id"] ||
			dig(again, "agent", "meta", "href") != dig(first, "agent", "meta", "href") {
			t.Errorf("%d: %v", a.status, again)
		}
	}
	// A syncId is unique per document type: a move may use the order's.
	a := change(t, s, owner(s), http.MethodPost, "entity/move",
		fmt.Sprintf(`{"syncId": %q, "organization": %s, "sourceStore": %s, "targetStore": %s, "positions": []}`,
			syncA, ref(t, s, "organization", 0), ref(t, s, "store", 0), ref(t, s, "store", 1)))
	if m := decode[map[string]any](t, a); a.status != http.StatusOK || dig(m, "meta", "type") != "move" {
		t.Errorf("%d: %v", a.status, m)
	}
	// It also holds within a batch: both elements give the same order.
	body := orderBody(t, s, syncB, "")
	pair := decode[[]map[string]any](t,
		change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", "["+body+","+body+"]"))
	if pair[0]["id"] != pair[1]["id"] {
		t.Errorf("one syncId created %v and %v", pair[0]["id"], pair[1]["id"])
	}
}

func TestPositionsAreCheckedOneByOne(t *testing.T) {
	s := newServer(t)
	org, agent := ref(t, s, "organization", 0), ref(t, s, "counterparty", 0)
	from, to := ref(t, s, "store", 0), ref(t, s, "store", 1)
	product, service := ref(t, s, "product", 0), ref(t, s, "service", 0)
	order := func(position string) (string, string) {
		return "entity/purchaseorder", fmt.Sprintf(`{"organization": %s, "agent": %s, "positions": [%s]}`, org, agent,
			position)
	}
	move := func(position string) (string, string) {
		return "entity/move", fmt.Sprintf(
			`{"organization": %s, "sourceStore": %s, "targetStore": %s, "positions": [%s]}`, org, from, to, position)
	}
	nowhere := strings.Replace(product, dig(decode[map[string]any](t, response{body: []byte(product)}), "meta",
		"href").(string)[len("http://sandbox.test"+apiRoot+"/entity/product/"):],
		"00000000-0000-0000-0000-00000000dead", 1)
	for name, c := range map[string]struct {
		make     func(string) (string, string)
		position string
		status   int
		code     int
	}{
		"negative quantity":         {order, `{"quantity": -1, "assortment": ` + product + `}`, 412, 3003},
		"quantity that rounds to 0": {order, `{"quantity": 0.00004, "assortment": ` + product + `}`, 412, 3003},
		"negative price": {order, `{"quantity": 1, "price": -0.5, "assortment": ` + product + `}`, 412,
			3002},
		"negative expectation": {order, `{"quantity": 1, "inTransit": -1, "assortment": ` + product + `}`, 412,
			3002},
		"more expected than ordered": {order, `{"quantity": 1, "inTransit": 1.5, "assortment": ` + product + `}`, 412,
			17004},
		"a discount over 100": {order, `{"quantity": 1, "discount": 101, "assortment": ` + product + `}`, 412,
			17008},
		"a quantity that is a word": {order, `{"quantity": "many", "assortment": ` + product + `}`, 400, 2016},
		"a good that is not there":  {order, `{"quantity": 1, "assortment": ` + nowhere + `}`, 412, 2013},
		"a store for a good":        {order, `{"quantity": 1, "assortment": ` + from + `}`, 400, 2021},
		"a foreign host": {order, `{"quantity": 1, "assortment": ` +
			strings.Replace(product, "sandbox.test", "elsewhere.test", 1) + `}`, 400, 1059},
		"a bundle on the move": {move, `{"quantity": 1, "assortment": ` + ref(t, s, "bundle", 0) + `}`, 412,
			17016},
		"a service on the move": {move, `{"quantity": 1, "assortment": ` + service + `}`, 412, 17016},
		"nothing on the move":   {move, `{"quantity": 0, "assortment": ` + product + `}`, 412, 3003},
	} {
		t.Run(name, func(t *testing.T) {
			path, body := c.make(c.position)
			before := size(t, s, owner(s), path)
			wantError(t, change(t, s, owner(s), http.MethodPost, path, body), c.status, c.code)
			if size(t, s, owner(s), path) != before {
				t.Error("a refused document was saved")
			}
		})
	}
	path, body := order(`{"quantity": 1, "inTransit": 0, "assortment": ` + service + `}`)
	if a := change(t, s, owner(s), http.MethodPost, path, body); a.status != http.StatusOK {
		t.Errorf("a service in an order: %d %s", a.status, a.body)
	}
}

func TestMovesNeedTheirFields(t *testing.T) {
	s := newServer(t)
	org, store := ref(t, s, "organization", 0), ref(t, s, "store", 0)
	for field, body := range map[string]string{
		"organization": `{"sourceStore": ` + store + `, "targetStore": ` + ref(t, s, "store", 1) + `}`,
		"sourceStore":  `{"organization": ` + org + `, "targetStore": ` + store + `}`,
		"targetStore":  `{"organization": ` + org + `, "sourceStore": ` + store + `}`,
	} {
		a := change(t, s, owner(s), http.MethodPost, "entity/move", body)
		wantError(t, a, 412, 3000)
		if !strings.Contains(string(a.body), field) {
			t.Errorf("the error does not name %s: %s", field, a.body)
		}
	}
}

func TestAnUnpostedDocumentChangesNoReport(t *testing.T) {
	s := newServer(t)
	good := rows(t, s, owner(s), "entity/product")[0]["id"].(string)
	before := expectedArrivals(t, s, good)
	a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, `, "applicable": false`))
	if made := decode[map[string]any](t, a); a.status != http.StatusOK || made["applicable"] != false ||
		expectedArrivals(t, s, good) != before {
		t.Errorf("%d, applicable %v, expected %v → %v", a.status, made["applicable"], before,
			expectedArrivals(t, s, good))
	}
}

func TestAnOrderInAnotherCurrencyKeepsItsRate(t *testing.T) {
	s := newServer(t)
	currencies := rows(t, s, owner(s), "entity/currency")
	for i, c := range currencies {
		if c["default"] == true {
			continue
		}
		a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
			orderBody(t, s, syncA, `, "rate": {"currency": `+ref(t, s, "currency", i)+`}`))
		made := decode[map[string]any](t, a)
		if a.status != http.StatusOK || dig(made, "rate", "currency", "meta", "href") != dig(c, "meta", "href") ||
			dig(made, "rate", "value") != c["rate"] {
			t.Errorf("%d: rate %v, want %v of %v", a.status, made["rate"], c["rate"], c["name"])
		}
		return
	}
	t.Fatal("the fixture has one currency")
}

func TestAVariantKeepsItsOwnPricesOnceChanged(t *testing.T) {
	s := newServer(t)
	v := rows(t, s, owner(s), "entity/variant")[0]
	prices := v["salePrices"].([]any)
	body := fmt.Sprintf(`[{"meta": {"href": "%v", "type": "variant"}, "salePrices": [{"value": 4242.5,
		"currency": %s, "priceType": {"meta": {"href": "%v", "type": "pricetype"}}}], "minPrice": {"value": 100}}]`,
		dig(v, "meta", "href"), ref(t, s, "currency", 0), dig(prices[0], "priceType", "meta", "href"))
	a := change(t, s, owner(s), http.MethodPost, "entity/variant", body)
	if a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	now := object(t, s, owner(s), "entity/variant/"+v["id"].(string))
	if got := now["salePrices"].([]any); dig(got[0], "value") != 4242.5 || len(got) != len(prices) ||
		dig(got[1], "value") != dig(prices[1], "value") {
		t.Errorf("sale prices %v, before %v", got, prices)
	}
	if dig(now, "minPrice", "value") != 100.0 {
		t.Errorf("minimum price %v", now["minPrice"])
	}
	parent := object(t, s, owner(s), "entity/product/"+idOfHref(dig(v, "product", "meta", "href").(string)))
	if dig(parent["salePrices"].([]any)[0], "value") == 4242.5 {
		t.Error("changing a variant's price changed the product's")
	}
}

func idOfHref(href string) string { return href[strings.LastIndex(href, "/")+1:] }

func TestChangedSalePricesAreInTheReports(t *testing.T) {
	s := newServer(t)
	row := rows(t, s, owner(s), "report/stock/all?limit=1&groupBy=product&filter="+escape("stockMode=positiveOnly"))[0]
	id := strings.Split(idOfHref(dig(row, "meta", "href").(string)), "?")[0]
	p := object(t, s, owner(s), "entity/product/"+id)
	body := fmt.Sprintf(`{"salePrices": [{"value": 777700, "priceType": {"meta": {"href": "%v",
		"type": "pricetype"}}}]}`, dig(p["salePrices"].([]any)[0], "priceType", "meta", "href"))
	if a := change(t, s, owner(s), http.MethodPut, "entity/product/"+id, body); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	filter := "filter=" + escape("product=http://sandbox.test"+apiRoot+"/entity/product/"+id)
	if now := rows(t, s, owner(s), "report/stock/all?groupBy=product&"+filter); len(now) != 1 ||
		now[0]["salePrice"] != 777700.0 {
		t.Errorf("the report has %v", now)
	}
}

func TestPricesAreRefusedOneByOne(t *testing.T) {
	s := newServer(t)
	products := rows(t, s, owner(s), "entity/product")
	element := func(i int, value string) string {
		return fmt.Sprintf(`{"meta": {"href": "%v", "type": "product"}, "buyPrice": {"value": %s}}`,
			dig(products[i], "meta", "href"), value)
	}
	nowhere := fmt.Sprintf(`{"meta": {"href": "http://sandbox.test%s/entity/product/00000000-0000-0000-0000-00000000dead", "type": "product"}, "buyPrice": {"value": 1}}`, apiRoot)
	a := change(t, s, owner(s), http.MethodPost, "entity/product", "["+element(0, "100")+","+element(1, "-1")+","+
		nowhere+","+element(2, "200")+"]")
	got := decode[[]map[string]any](t, a)
	if a.status != http.StatusBadRequest || len(got) != 4 || got[0]["id"] == nil || got[3]["id"] == nil {
		t.Fatalf("%d: %v", a.status, got)
	}
	for i, code := range map[int]float64{1: 3002, 2: 1021} {
		if list, ok := got[i]["errors"].([]any); !ok || len(got[i]) != 1 || dig(list[0], "code") != code {
			t.Errorf("element %d: %v, want code %v", i, got[i], code)
		}
	}
}

func TestDeletingNeedsTheRight(t *testing.T) {
	s := newServer(t)
	tokens := s.Accounts()[0].Tokens
	made := decode[map[string]any](t, change(t, s, tokens.Owner, http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, "")))
	path := "entity/purchaseorder/" + made["id"].(string)
	if a := change(t, s, tokens.Sales, http.MethodDelete, path, ""); a.status != http.StatusForbidden {
		t.Errorf("the sales manager deleted an order: %d %s", a.status, a.body)
	}
	wantError(t, change(t, s, tokens.Sales, http.MethodPost, "entity/move", "{}"), 403, 1045)
	wantError(t, change(t, s, tokens.Storekeeper, http.MethodPost, "entity/product", ref(t, s, "product", 0)), 403,
		1017)
	if a := change(t, s, tokens.Storekeeper, http.MethodDelete, "entity/purchaseorder/syncid/"+syncA,
		""); a.status != http.StatusOK {
		t.Errorf("the storekeeper deleted by syncId: %d %s", a.status, a.body)
	}
	wantError(t, change(t, s, tokens.Storekeeper, http.MethodDelete, path, ""), 404, 1021)
}

func TestAReplacedResponseDoesNotUndoTheWrite(t *testing.T) {
	s := newServer(t)
	for i, f := range []Fault{{Status: 500}, {Status: 504}, {Status: 200, Body: "<html>"}} {
		id := fmt.Sprintf("11111111-2222-3333-4444-00000000000%d", i)
		f.Path, f.Method, f.Count, f.Cut = "/purchaseorder$", http.MethodPost, 1, CutAfterWrite
		if err := s.Fail(f); err != nil {
			t.Fatal(err)
		}
		a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", orderBody(t, s, id, ""))
		if a.status != f.Status || strings.Contains(string(a.body), id) {
			t.Errorf("%+v: %d %s", f, a.status, a.body)
		}
		if n := size(t, s, owner(s), "entity/purchaseorder?filter="+escape("syncId="+id)); n != 1 {
			t.Errorf("%+v: %d orders were created", f, n)
		}
	}
}

func TestAWriteCompletesAfterTheClientTimesOut(t *testing.T) {
	s, url := newLiveServer(t)
	if err := s.Fail(Fault{Path: "/purchaseorder$", Method: http.MethodPost, Count: 1, DelayMS: 10_000,
		Cut: CutAfterWrite}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	body := strings.ReplaceAll(orderBody(t, s, syncA, ""), "http://sandbox.test", url)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+apiRoot+"/entity/purchaseorder",
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+owner(s))
	req.Header.Set("Content-Type", "application/json")
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
		t.Fatalf("got a response: %d", res.StatusCode)
	}
	for began := time.Now(); size(t, s, owner(s), "entity/purchaseorder?filter="+
		escape("syncId="+syncA)) != 1; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 30*time.Second { // the client may time out before a slow server is done
			t.Fatal("the order was not created")
		}
	}
}

func TestConcurrentCreatesWithOneSyncIDMakeOneDocument(t *testing.T) {
	s := newServer(t)
	body := orderBody(t, s, syncA, "")
	ids := make([]string, 20)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			var made struct{ ID string }
			if a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body); json.Unmarshal(a.body,
				&made) == nil {
				ids[i] = made.ID
			}
		})
	}
	all.Wait()
	if slices.Sort(ids); ids[0] == "" || len(slices.Compact(ids)) != 1 {
		t.Errorf("made %v", ids)
	}
	if n := size(t, s, owner(s), "entity/purchaseorder?filter="+escape("syncId="+syncA)); n != 1 {
		t.Errorf("%d orders", n)
	}
}

// TestWrittenObjectsHaveTheVendorsShapes compares the responses to writes and to later reads with the vendor's shapes.
func TestWrittenObjectsHaveTheVendorsShapes(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct{ name, body string }{
		{"purchaseorder", orderBody(t, s, syncA,
			`, "deliveryPlannedMoment": "2026-12-01 00:00:00", "description": "по черновику"`)},
		{"move", fmt.Sprintf(`{"syncId": %q, "organization": %s, "sourceStore": %s, "targetStore": %s,
			"positions": [{"quantity": 1.5, "price": 100.5, "assortment": %s}]}`,
			syncB, ref(t, s, "organization", 0), ref(t, s, "store", 0), ref(t, s, "store", 1),
			ref(t, s, "product", 0))},
	} {
		written := "POST /entity/" + c.name
		for _, path := range []string{"entity/" + c.name, "entity/" + c.name +
			"?expand=positions.assortment,organization"} {
			a := change(t, s, owner(s), http.MethodPost, path, c.body)
			if a.status != http.StatusOK {
				t.Fatalf("%s: %d %s", path, a.status, a.body)
			}
			wantShape(t, written, decode[any](t, a), "POST "+path)
		}
		batch := decode[[]any](t, change(t, s, owner(s), http.MethodPost, "entity/"+c.name, "["+c.body+", {}]"))
		wantShape(t, written, batch[0], "batch "+c.name)
		wantShape(t, "error", batch[1], "batch "+c.name)
		id := batch[0].(map[string]any)["id"].(string)
		wantShape(t, "GET /entity/"+c.name+"/{id}",
			object(t, s, owner(s), "entity/"+c.name+"/"+id+"?expand=positions"), c.name)
		positions := any(decode[map[string]any](t, request(t, s, owner(s), "entity/"+c.name+"/"+id+"/positions")))
		wantShape(t, "GET /entity/"+c.name+"/{id}/positions", positions, c.name+" positions")
	}
	p := rows(t, s, owner(s), "entity/product")[0]
	wantShape(t, "PUT /entity/product/{id}", decode[any](t,
		change(t, s, owner(s), http.MethodPut, "entity/product/"+p["id"].(string),
			`{"buyPrice": {"value": 12.5}}`)), "PUT product")
}

// With the setting on, a posted move of more than the stock is refused; the same move as a draft is accepted.
func TestAnAccountMayCheckStockBeforeShipping(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Company.CheckShippingStock = true })
	if object(t, s, owner(s), "context/companysettings")["checkShippingStock"] != true {
		t.Error("checkShippingStock is not in the settings")
	}
	body := func(quantity int, posted bool) string {
		return fmt.Sprintf(`{"organization": %s, "sourceStore": %s, "targetStore": %s, "applicable": %t,
			"positions": [{"quantity": %d, "assortment": %s}]}`, ref(t, s, "organization", 0), ref(t, s, "store", 0),
			ref(t, s, "store", 1), posted, quantity, ref(t, s, "product", 0))
	}
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/move", body(1e6, true)), 412, 3007)
	if a := change(t, s, owner(s), http.MethodPost, "entity/move", body(1e6, false)); a.status != http.StatusOK {
		t.Errorf("draft: %d %s", a.status, a.body)
	}
}

func TestAnInvalidBodyIsRefused(t *testing.T) {
	s := newServer(t)
	for body, want := range map[string][2]int{
		"": {400, 1027}, "  ": {400, 1027}, "{": {400, 2001}, "[{}": {400, 2001}, `"text"`: {400, 2016}, "[]": {200, 0},
		"null": {412, 3000},
	} {
		a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body)
		if want[1] == 0 {
			if a.status != want[0] || strings.TrimSpace(string(a.body)) != "[]" {
				t.Errorf("%q: %d %s", body, a.status, a.body)
			}
			continue
		}
		wantError(t, a, want[0], want[1])
	}
	a := request(t, s, owner(s), "entity/move", func(r *http.Request) {
		r.Method, r.Body = http.MethodPost,
			io.NopCloser(strings.NewReader("["+strings.Repeat(`{"name": "x"},`, 3)+"1]"))
		r.Header.Set("Content-Type", "application/json;charset=utf-8")
	})
	if list := decode[[]json.RawMessage](t, a); a.status != 400 || len(list) != 4 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestPlannedMomentsAreTruncatedToTheMinute(t *testing.T) {
	s := newServer(t)
	a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, `, "deliveryPlannedMoment": "2026-12-01 10:20:30"`))
	if got := decode[map[string]any](t, a)["deliveryPlannedMoment"]; got != "2026-12-01 10:20:00.000" {
		t.Errorf("status %d: %v", a.status, got)
	}
}

func TestDeletionBySyncIDIsCaseInsensitive(t *testing.T) {
	const sync = "abcdef00-2222-3333-4444-555555555555"
	s := newServer(t)
	change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", orderBody(t, s, sync, ""))
	if a := change(t, s, owner(s), http.MethodDelete, "entity/purchaseorder/syncid/"+strings.ToUpper(sync),
		""); a.status != http.StatusOK {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}

func TestAPriceTypeOnAnotherHostIsRefused(t *testing.T) {
	s := newServer(t)
	id := rows(t, s, owner(s), "entity/product?limit=1")[0]["id"]
	a := change(t, s, owner(s), http.MethodPut, fmt.Sprintf("entity/product/%v", id),
		`{"salePrices": [{"value": 1, "priceType": {"meta": {"href": "https://elsewhere.test`+apiRoot+
			`/context/companysettings/pricetype/11111111-2222-3333-4444-555555555555", "type": "pricetype"}}}]}`)
	if a.status != http.StatusBadRequest || !strings.Contains(string(a.body), "1059") {
		t.Errorf("status %d: %s", a.status, a.body)
	}
}
