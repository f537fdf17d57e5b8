package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// change sends a write and returns the response.
func change(t *testing.T, s *Server, token, method, path, body string) response {
	t.Helper()
	return request(t, s, token, path, func(r *http.Request) {
		r.Method = method
		r.Header.Set("Content-Type", "application/json")
		r.Body = io.NopCloser(strings.NewReader(body))
	})
}

func decode[T any](t *testing.T, a response) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(a.body, &v); err != nil {
		t.Fatalf("status %d: %v: %.300s", a.status, err, a.body)
	}
	return v
}

// ref returns a JSON reference to the i-th object of a type, for use in a request body.
func ref(t *testing.T, s *Server, typ string, i int) string {
	t.Helper()
	href := dig(rows(t, s, owner(s), "entity/"+typ)[i], "meta", "href")
	return fmt.Sprintf(`{"meta": {"href": "%v", "type": "%s", "mediaType": "application/json"}}`, href, typ)
}

const (
	syncA = "11111111-2222-3333-4444-555555555555"
	syncB = "11111111-2222-3333-4444-666666666666"
)

func orderBody(t *testing.T, s *Server, sync, more string) string {
	t.Helper()
	return fmt.Sprintf(`{"syncId": %q, "organization": %s, "agent": %s, "store": %s,
		"positions": [{"quantity": 7.5, "price": 1050, "inTransit": 7.5, "assortment": %s}]%s}`,
		sync, ref(t, s, "organization", 0), ref(t, s, "counterparty", 0), ref(t, s, "store", 0),
		ref(t, s, "product", 0), more)
}

func expectedArrivals(t *testing.T, s *Server, good string) float64 {
	t.Helper()
	total := 0.0
	for _, r := range array(t, s, owner(s), "report/stock/all/current?stockType=inTransit&filter="+
		escape("assortmentId="+good)) {
		total += r["inTransit"].(float64)
	}
	return total
}

func TestOrderIsCreatedOnceBySyncIDAndChangesTheFigures(t *testing.T) {
	s := newServer(t)
	good := rows(t, s, owner(s), "entity/product")[0]["id"].(string)
	before := expectedArrivals(t, s, good)

	a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", orderBody(t, s, syncA, ""))
	first := decode[map[string]any](t, a)
	if a.status != http.StatusOK || first["syncId"] != syncA || first["sum"] != 7875.0 || first["applicable"] != true {
		t.Fatalf("%d: %v", a.status, first)
	}
	again := decode[map[string]any](t, change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, `, "name": "other"`)))
	if again["id"] != first["id"] || again["name"] != first["name"] {
		t.Errorf("the repeated create returned %v %v", again["id"], again["name"])
	}
	if got := expectedArrivals(t, s, good) - before; got != 7.5 {
		t.Errorf("the order adds %v to expected arrivals, want 7.5", got)
	}
	found := rows(t, s, owner(s), "entity/purchaseorder?filter="+escape("syncId="+syncA))
	if len(found) != 1 || found[0]["id"] != first["id"] {
		t.Errorf("%d orders by syncId", len(found))
	}

	if a := change(t, s, owner(s), http.MethodDelete, "entity/purchaseorder/"+first["id"].(string),
		""); a.status != http.StatusOK || len(a.body) != 0 {
		t.Errorf("DELETE: %d %s", a.status, a.body)
	}
	if got := expectedArrivals(t, s, good); got != before {
		t.Errorf("expected arrivals %v after the deletion, want %v as before the order", got, before)
	}
	wantError(t, change(t, s, owner(s), http.MethodDelete, "entity/purchaseorder/syncid/"+syncA, ""), 404, 1021)
}

func TestOrderNeedsItsFields(t *testing.T) {
	s := newServer(t)
	post := func(body string) response {
		return change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body)
	}
	org, agent, product := ref(t, s, "organization", 0), ref(t, s, "counterparty", 0), ref(t, s, "product", 0)
	line := func(position string) string {
		return fmt.Sprintf(`{"organization": %s, "agent": %s, "positions": [%s]}`, org, agent, position)
	}
	for body, want := range map[string][2]int{
		``:                                {400, 1027},
		`{"a"`:                            {400, 2001},
		`{}`:                              {412, 3000},
		`{"organization": ` + org + `}`:   {412, 3000},
		`{"syncId": "x"}`:                 {412, 1052},
		`{"id": "x"}`:                     {412, 1006},
		`{"name": 1}`:                     {400, 2016},
		`{"organization": ` + agent + `}`: {400, 2021},
		`{"organization": {}}`:            {400, 2010},
		strings.Replace(line(""), "sandbox.test", "elsewhere.test", 1):            {400, 1059},
		strings.Replace(line(""), `"type": "organization"`, `"type": "store"`, 1): {400, 1060},
		line(`{"assortment": ` + product + `}`):                                   {412, 3000},
		line(`{"quantity": 1}`):                                                   {412, 3000},
		line(`{"quantity": 0, "assortment": ` + product + `}`):                    {412, 3003},
		line(`{"quantity": 1, "inTransit": 2, "assortment": ` + product + `}`):    {412, 17004},
		line(`{"quantity": 1, "price": -1, "assortment": ` + product + `}`):       {412, 3002},
		line(`{"quantity": 1, "assortment": ` + ref(t, s, "bundle", 0) + `}`):     {412, 17016},
		`{"moment": "soon", "organization": ` + org + `, "agent": ` + agent + `}`: {400, 2016},
	} {
		t.Run(fmt.Sprintf("%d-%d", want[0], want[1]), func(t *testing.T) { wantError(t, post(body), want[0], want[1]) })
	}
	a := request(t, s, owner(s), "entity/purchaseorder", func(r *http.Request) {
		r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader("{}"))
		r.Header.Set("Content-Type", "text/plain")
	})
	wantError(t, a, 415, 1037)
	wantError(t, change(t, s, owner(s), http.MethodPut, "entity/purchaseorder", "{}"), 400, 1012)
}

func TestBatchAnswersElementByElementAndSavesTheGoodOnes(t *testing.T) {
	s := newServer(t)
	before := size(t, s, owner(s), "entity/purchaseorder")
	body := "[" + orderBody(t, s, syncA, "") + `, {"syncId": "` + syncB + `"}, ` + orderBody(t, s, "", "") + "]"
	a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body)
	elements := decode[[]map[string]any](t, a)
	if a.status != http.StatusBadRequest || len(elements) != 3 {
		t.Fatalf("%d: %d elements", a.status, len(elements))
	}
	if elements[0]["id"] == nil || elements[1]["errors"] == nil || len(elements[1]) != 1 || elements[2]["id"] == nil {
		t.Errorf("elements %v", elements)
	}
	if got := size(t, s, owner(s), "entity/purchaseorder"); got != before+2 {
		t.Errorf("%d orders, want %d", got, before+2)
	}
	requests := s.Requests()
	for _, q := range requests {
		if q.Method == http.MethodPost && fmt.Sprint(q.SyncIDs) != fmt.Sprint([]string{syncA, syncB}) {
			t.Errorf("recorded sync ids %v", q.SyncIDs)
		}
	}
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", "["+strings.Repeat("{},", 1000)+"{}]"),
		413, 2007)

	gone := decode[[]map[string]any](t, change(t, s, owner(s), http.MethodPost, "entity/purchaseorder/delete",
		fmt.Sprintf(`[{"meta": {"href": "%v", "type": "purchaseorder"}}]`, dig(elements[0], "meta", "href"))))
	if len(gone) != 1 || gone[0]["info"] == nil || size(t, s, owner(s), "entity/purchaseorder") != before+1 {
		t.Errorf("bulk delete returned %v", gone)
	}
}

func TestAMoveTransfersStockBetweenStores(t *testing.T) {
	s := newServer(t)
	good := rows(t, s, owner(s), "entity/product")[0]["id"].(string)
	at := func(store string) float64 {
		for _, r := range array(t, s, owner(s), "report/stock/bystore/current?include=zeroLines&filter="+
			escape("assortmentId="+good+";storeId="+store)) {
			return r["stock"].(float64)
		}
		return 0
	}
	stores := rows(t, s, owner(s), "entity/store")
	from, to := stores[0]["id"].(string), stores[1]["id"].(string)
	a, b := at(from), at(to)
	body := func(target int) string {
		return fmt.Sprintf(`{"organization": %s, "sourceStore": %s, "targetStore": %s, "positions": [{"quantity": 3,
			"assortment": %s}]}`,
			ref(t, s, "organization", 0), ref(t, s, "store", 0), ref(t, s, "store", target), ref(t, s, "product", 0))
	}
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/move", body(0)), 412, 21000)
	if r := change(t, s, owner(s), http.MethodPost, "entity/move", body(1)); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if at(from) != a-3 || at(to) != b+3 {
		t.Errorf("stock %v → %v and %v → %v, want three moved", a, at(from), b, at(to))
	}
}

func TestSalePricesAreMergedByPriceType(t *testing.T) {
	s := newServer(t)
	p := rows(t, s, owner(s), "entity/product")[0]
	prices := p["salePrices"].([]any)
	second := dig(prices[1], "priceType", "meta", "href")
	body := fmt.Sprintf(`{"salePrices": [{"value": 12345, "priceType": {"meta": {"href": "%v",
		"type": "pricetype"}}}]}`, second)
	a := change(t, s, owner(s), http.MethodPut, "entity/product/"+p["id"].(string), body)
	now := decode[map[string]any](t, a)["salePrices"].([]any)
	if a.status != http.StatusOK || dig(now[1], "value") != 12345.0 || dig(now[0], "value") != dig(prices[0], "value") {
		t.Errorf("%d: %v", a.status, now)
	}
	batch := fmt.Sprintf(`[{"meta": {"href": "%v", "type": "product"}, "buyPrice": {"value": 777.5}}]`,
		dig(p, "meta", "href"))
	changed := decode[[]map[string]any](t, change(t, s, owner(s), http.MethodPost, "entity/product", batch))
	if dig(changed[0], "buyPrice", "value") != 777.5 {
		t.Errorf("buyPrice %v", changed[0]["buyPrice"])
	}
	if got := object(t, s, owner(s), "entity/product/"+p["id"].(string)); dig(got, "buyPrice", "value") != 777.5 {
		t.Errorf("read back %v", got["buyPrice"])
	}
	foreign := strings.Replace(body, fmt.Sprint(second), fmt.Sprint(second)[:len(fmt.Sprint(second))-12]+"000000000000",
		1)
	wantError(t, change(t, s, owner(s), http.MethodPut, "entity/product/"+p["id"].(string), foreign), 404, 1021)
}

func TestWritesNeedTheirRight(t *testing.T) {
	s := newServer(t)
	tokens := s.Accounts()[0].Tokens
	wantError(t, change(t, s, tokens.Sales, http.MethodPost, "entity/purchaseorder", orderBody(t, s, syncA, "")), 403,
		1045)
	id := rows(t, s, owner(s), "entity/product")[0]["id"].(string)
	wantError(t, change(t, s, tokens.Storekeeper, http.MethodPut, "entity/product/"+id, "{}"), 403, 1017)
	if a := change(t, s, tokens.Storekeeper, http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, "")); a.status != http.StatusOK {
		t.Errorf("the storekeeper's order: %d %s", a.status, a.body)
	}
	linked := ""
	for _, r := range rows(t, s, owner(s), "entity/purchaseorder") {
		if r["supplies"] != nil {
			linked = r["id"].(string)
		}
	}
	wantError(t, change(t, s, owner(s), http.MethodDelete, "entity/purchaseorder/"+linked, ""), 409, 1028)
}

func TestClosedPeriodRefusesDocuments(t *testing.T) {
	s := newServer(t, func(o *Options) { o.ClosedBefore = today.AddDate(0, 0, -3) })
	wantError(t, change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, `, "moment": "2026-11-01 10:00:00"`)), 412, 17009)
	if a := change(t, s, owner(s), http.MethodPost, "entity/purchaseorder",
		orderBody(t, s, syncA, "")); a.status != http.StatusOK {
		t.Errorf("today: %d %s", a.status, a.body)
	}
	old := rows(t, s, owner(s), "entity/move?limit=1&order=moment")[0]["id"].(string)
	wantError(t, change(t, s, owner(s), http.MethodDelete, "entity/move/"+old, ""), 412, 17009)
}

func TestDefaultsOfOmittedFieldsAreASwitch(t *testing.T) {
	body := func(s *Server) string {
		return fmt.Sprintf(`{"organization": %s, "agent": %s, "unknown": 1, "positions": [{"quantity": 2,
			"assortment": %s}]}`,
			ref(t, s, "organization", 0), ref(t, s, "counterparty", 0), ref(t, s, "product", 0))
	}
	plain := newServer(t)
	made := decode[map[string]any](t, change(t, plain, owner(plain), http.MethodPost,
		"entity/purchaseorder?expand=positions", body(plain)))
	if made["applicable"] != true || dig(dig(made, "positions", "rows").([]any)[0], "inTransit") != 0.0 {
		t.Errorf("made %v", made)
	}
	other := newServer(t, func(o *Options) { o.Switches.CreatesDrafts, o.Switches.ExpectsAllOrdered = true, true })
	made = decode[map[string]any](t, change(t, other, owner(other), http.MethodPost,
		"entity/purchaseorder?expand=positions", body(other)))
	if made["applicable"] != false || dig(dig(made, "positions", "rows").([]any)[0], "inTransit") != 2.0 {
		t.Errorf("made %v", made)
	}
	strict := newServer(t, func(o *Options) { o.Switches.UnknownFieldsRefused = true })
	wantError(t, change(t, strict, owner(strict), http.MethodPost, "entity/purchaseorder", body(strict)), 412, 1007)
}

func TestCutAfterWriteLeavesTheDocument(t *testing.T) {
	s, url := newLiveServer(t)
	if err := s.Fail(Fault{Path: "entity/purchaseorder$", Method: http.MethodPost, Count: 1,
		Cut: CutAfterWrite}); err != nil {
		t.Fatal(err)
	}
	body := orderBody(t, s, syncA, "")
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url+apiRoot+"/entity/purchaseorder",
		strings.NewReader(strings.ReplaceAll(body, "http://sandbox.test", url)))
	req.Header.Set("Authorization", "Bearer "+owner(s))
	req.Header.Set("Content-Type", "application/json")
	if res, err := http.DefaultClient.Do(req); err == nil {
		res.Body.Close()
		t.Fatalf("got a response: %d", res.StatusCode)
	}
	if got := size(t, s, owner(s), "entity/purchaseorder?filter="+escape("syncId="+syncA)); got != 1 {
		t.Errorf("%d documents were created, want 1", got)
	}
}

func TestResetRevertsWrites(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Now = time.Now; o.Company.Now = today })
	before := size(t, s, owner(s), "entity/purchaseorder")
	change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", orderBody(t, s, syncA, ""))
	s.Reset()
	if got := size(t, s, owner(s), "entity/purchaseorder"); got != before {
		t.Errorf("%d orders after a reset, want %d", got, before)
	}
}

func TestReadsWritesAndResetsMayRunConcurrently(t *testing.T) {
	s := newServer(t)
	body := orderBody(t, s, "", "")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 5 {
				change(t, s, owner(s), http.MethodPost, "entity/purchaseorder", body)
			}
		})
		wg.Go(func() {
			for _, path := range []string{"entity/purchaseorder?limit=10&expand=positions", "report/stock/all?limit=10",
				"report/turnover/all?limit=10", "entity/assortment?limit=10"} {
				if a := request(t, s, owner(s), path); a.status != http.StatusOK || !json.Valid(a.body) {
					t.Errorf("GET %s: %d", path, a.status)
				}
			}
		})
	}
	wg.Go(s.Reset)
	wg.Wait()
}
