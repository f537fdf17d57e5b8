package msapi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
)

func TestPagesAreCompleteInOrderAndPrefetched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, peak atomic.Int32
		r, c := open(func(w http.ResponseWriter, req *http.Request) {
			peak.Store(max(peak.Load(), now.Add(1)))
			time.Sleep(100 * time.Millisecond)
			now.Add(-1)
			writePage(w, req, 9500, idsUpTo(9500))
		})
		m := meter.New(nil)
		n := 0
		for s, err := range r.Stores(meter.With(t.Context(), m), ListQuery{}) {
			n++
			if err != nil || s.ID != testID(n) {
				t.Fatalf("row %d: %v, %v", n, s.ID, err)
			}
		}
		if n != 9500 || len(c.requests()) != 10 || m.Requests() != 10 || m.Planned() != 10 {
			t.Errorf("%d rows, %d requests, metered %d of %d", n, len(c.requests()), m.Requests(), m.Planned())
		}
		if peak.Load() != 4 {
			t.Errorf("%d concurrent page requests, want 4", peak.Load())
		}
		if got, want := fmt.Sprint(m.Sources()), "[{entity/store  10 9500}]"; got != want {
			t.Errorf("sources %s, want %s", got, want)
		}
		for _, req := range c.requests() {
			if q := req.URL.Query(); q.Get("limit") != "1000" || q.Get("order") != "id" {
				t.Errorf("query %s", req.URL.RawQuery)
			}
		}
	})
}

func TestAListWithASmallerPageSizeIsReadCompletely(t *testing.T) {
	for _, announced := range []bool{true, false} {
		r, c := open(func(w http.ResponseWriter, req *http.Request) {
			offset, _ := pageRange(req)
			limit := `"limit":1000,`
			if announced {
				limit = `"limit":100,`
			}
			var rows []string
			for i := offset; i < min(offset+100, 250); i++ {
				rows = append(rows, fmt.Sprintf(`{"id":%q}`, testID(i)))
			}
			_, _ = fmt.Fprintf(w, `{"meta":{%s"size":250},"rows":[%s]}`, limit, strings.Join(rows, ","))
		})
		stores, err := Collect(r.Stores(t.Context(), ListQuery{}))
		if err != nil || len(stores) != 250 || len(c.requests()) != 3 {
			t.Errorf("%d rows, %d requests, %v", len(stores), len(c.requests()), err)
		}
	}
}

func TestAConsumerThatStopsCausesNoMoreRequests(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, req *http.Request) { writePage(w, req, 90000, idsUpTo(90000)) })
	m := meter.New(nil)
	for range r.Stores(meter.With(t.Context(), m), ListQuery{}) {
		break
	}
	if n := len(c.requests()); n != 1 || m.Planned() != 1 {
		t.Errorf("%d requests, %d planned", n, m.Planned())
	}
	rows, err := Collect(r.Stores(t.Context(), ListQuery{First: 5}))
	if last := c.requests()[1].URL.Query(); err != nil || len(rows) != 5 || last.Get("limit") != "5" ||
		len(c.requests()) != 2 {
		t.Errorf("%d rows, %v, last request %v", len(rows), err, last)
	}
	rows, err = Collect(r.Stores(t.Context(), ListQuery{First: 1500}))
	if err != nil || len(rows) != 1500 || len(c.requests()) != 4 {
		t.Errorf("%d rows, %v, %d requests", len(rows), err, len(c.requests()))
	}
}

func TestRowsThatMoveBetweenPagesAreReturnedOnce(t *testing.T) {
	for name, change := range map[string]func(ids []int) []int{
		"one deleted":  func(ids []int) []int { return slices.Delete(slices.Clone(ids), 0, 1) },
		"one inserted": func(ids []int) []int { return append([]int{5000}, ids...) },
		"several deleted, one added": func(ids []int) []int {
			return append(slices.Delete(slices.Clone(ids), 10, 15), 5000)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			ids := idsUpTo(2500)
			n := 0
			r, c := open(func(w http.ResponseWriter, req *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if n++; n == 2 {
					ids = change(ids)
				}
				writePage(w, req, len(ids), ids)
			})
			r.config.Ahead = 1
			stores, err := Collect(r.Stores(t.Context(), ListQuery{}))
			if err != nil {
				t.Fatal(err)
			}
			got := map[ID]int{}
			for _, s := range stores {
				got[s.ID]++
			}
			for _, id := range ids {
				if got[testID(id)] != 1 {
					t.Errorf("id %d was returned %d times, after %d requests", id, got[testID(id)], len(c.requests()))
				}
			}
		})
	}
}

func TestAnIncompleteListIsReported(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, req *http.Request) { writePage(w, req, 1200, idsUpTo(1190)) })
	stores, err := Collect(r.Stores(t.Context(), ListQuery{}))
	short, ok := IsIncomplete(err)
	if !ok || short.Got != 1190 || short.Size != 1200 || short.Path != "entity/store" || len(stores) != 1190 {
		t.Errorf("%d rows, %v", len(stores), err)
	}
	if len(c.requests()) != 4 {
		t.Errorf("%d requests: want exactly two passes", len(c.requests()))
	}
}

func TestManyIDsAreSplitIntoShortURLs(t *testing.T) {
	requested := map[string]int{}
	r, c := open(func(w http.ResponseWriter, req *http.Request) {
		var ids []int
		for _, part := range strings.Split(req.URL.Query().Get("filter"), ";") {
			requested[part]++
			var n int
			if _, err := fmt.Sscanf(part, "id=00000000-0000-0000-0000-%012x", &n); err == nil {
				ids = append(ids, n)
			}
		}
		writePage(w, req, len(ids), ids)
	})
	r.config.Ahead = 1
	var ids []ID
	for i := range 1000 {
		ids = append(ids, testID(i+1))
	}
	m := meter.New(nil)
	products, err := Collect(r.ProductCards(meter.With(t.Context(), m),
		CardQuery{ListQuery: ListQuery{IDs: ids}, Minimum: true}))
	if err != nil || len(products) != 1000 || len(requested) != 1000 {
		t.Fatalf("%d products for %d requested ids, %v", len(products), len(requested), err)
	}
	for _, req := range c.requests() {
		if n := len(req.URL.String()); n > maxURL {
			t.Errorf("the URL has %d bytes", n)
		}
	}
	if n := len(c.requests()); n != 10 {
		t.Errorf("%d requests", n)
	}
	if s := m.Sources(); len(s) != 1 || len(s[0].Filter) > 100 || s[0].Rows != 1000 {
		t.Errorf("sources %v", s)
	}
	none, err := Collect(r.ProductCards(t.Context(), CardQuery{ListQuery: ListQuery{IDs: []ID{}}}))
	if err != nil || len(none) != 0 {
		t.Errorf("without ids: %v, %v", none, err)
	}
}

func TestExpandIsRequestedWithAtMostAHundredRows(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, req *http.Request) { writePage(w, req, 0, nil) })
	_, _ = Collect(r.CustomerOrders(t.Context(), OrderQuery{Positions: true}))
	_, _ = Collect(r.PurchaseOrders(t.Context(), OrderQuery{Positions: true}))
	_, _ = Collect(r.ProductCards(t.Context(), CardQuery{Named: true}))
	_, _ = Collect(r.VariantCards(t.Context(), CardQuery{Minimum: true}))
	for _, req := range c.requests() {
		if q := req.URL.Query(); q.Get("expand") == "" || q.Get("limit") != "100" {
			t.Errorf("%s?%s", req.URL.Path, req.URL.RawQuery)
		}
	}
}

func TestPositionsBeyondTheFirstHundredAreRead(t *testing.T) {
	for name, positions := range map[string]string{
		"first hundred": `{"meta":{"size":1200,"limit":100,"offset":0},"rows":[{"id":"00000000-0000-0000-0000-000000000001","quantity":1}]}`,
		"not expanded":  `{"meta":{"size":1200,"limit":1000,"offset":0}}`,
	} {
		r, c := open(func(w http.ResponseWriter, req *http.Request) {
			if strings.HasSuffix(req.URL.Path, "/positions") {
				writePage(w, req, 1200, idsUpTo(1200))
				return
			}
			_, _ = fmt.Fprintf(w, `{"meta":{"size":1},"rows":[{"id":%q,"name":"7","positions":%s}]}`, testID(7),
				positions)
		})
		orders, err := Collect(r.CustomerOrders(t.Context(), OrderQuery{Positions: true}))
		if err != nil || len(orders) != 1 || len(orders[0].Positions) != 1200 || len(c.requests()) != 3 {
			t.Errorf("%s: %v, %d requests", name, err, len(c.requests()))
		}
	}
}

func TestAnUnsupportedOrderIsLeftOut(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Query().Has("order") {
			fail(w, http.StatusPreconditionFailed, 1063, "")
			return
		}
		writePage(w, req, 3, idsUpTo(3))
	})
	stores, err := Collect(r.Stores(t.Context(), ListQuery{}))
	if err != nil || len(stores) != 3 || len(c.requests()) != 2 {
		t.Errorf("%d rows, %v", len(stores), err)
	}
}

func TestProgressNeverDecreases(t *testing.T) {
	r, _ := open(func(w http.ResponseWriter, req *http.Request) { writePage(w, req, 5000, idsUpTo(5000)) })
	var last [2]int
	calls := 0
	m := meter.New(func(p meter.Progress) {
		done, planned := p.Done, p.Planned
		if calls++; done < last[0] || planned < last[1] || done > planned {
			t.Errorf("%d of %d follows %v", done, planned, last)
		}
		last = [2]int{done, planned}
	})
	if _, err := Collect(r.Stores(meter.With(t.Context(), m), ListQuery{})); err != nil {
		t.Fatal(err)
	}
	if last != [2]int{5, 5} {
		t.Errorf("ended at %v", last)
	}
}

func TestBackgroundIsPassedToTheLimiter(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[]`) })
	_, _ = r.PriceTypes(t.Context())
	_, _ = r.PriceTypes(WithBackground(t.Context()))
	if c.acquired[0].Background || !c.acquired[1].Background || strings.Contains(c.acquired[0].Employee, testToken) ||
		c.acquired[0].Employee == "" {
		t.Errorf("acquired %+v", c.acquired)
	}
}

func TestATruncatedCurrentReportYieldsEachRowOnce(t *testing.T) {
	n := 0
	r, _ := openServer(t, func(w http.ResponseWriter, _ *http.Request) {
		n++
		var b strings.Builder
		for i := range 6000 {
			fmt.Fprintf(&b, `,{"assortmentId":%q,"storeId":null,"freeStock":%d.5}`, testID(i+1), i)
		}
		body := "[" + b.String()[1:] + "]"
		if n == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			_, _ = io.WriteString(w, body[:len(body)/2])
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, body)
	})
	rows, err := Collect(r.StockCurrentByStore(t.Context(), TypeFree, CurrentQuery{}))
	if err != nil || len(rows) != 6000 || n != 2 {
		t.Fatalf("%d rows, %v, %d requests", len(rows), err, n)
	}
	if last := rows[5999]; last.Value.String() != "5999.5" || last.Assortment.ID() != testID(6000) {
		t.Errorf("last row %+v", last)
	}
}

func TestRecalculatedAndUnboundRowsAreReported(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `[{"assortmentId":%q,"storeId":null,"reserve":-5},{"assortmentId":%q,"storeId":%q,"reserve":null}]`, testID(1), testID(2), testID(9))
	})
	rows, err := Collect(r.StockCurrentByStore(t.Context(), TypeReserve,
		CurrentQuery{Assortment: []ID{testID(1), testID(2)}, Stores: []ID{testID(9)}}))
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	if rows[0].Store != (Key{}) || rows[0].Value.String() != "-5" || rows[1].Value.Known ||
		rows[1].Store.ID() != testID(9) {
		t.Errorf("rows %+v", rows)
	}
	q := c.requests()[0].URL.Query()
	want := url.Values{
		"stockType": {"reserve"}, "withRecalculate": {"true"},
		"filter": {fmt.Sprintf("storeId=%s;assortmentId=%s,%s", testID(9), testID(1), testID(2))},
	}
	if q.Encode() != want.Encode() {
		t.Errorf("query %v", q)
	}
}

func TestAHundredThousandRowsAreStreamed(t *testing.T) {
	const n = 100_000
	r, _ := openServer(t, func(w http.ResponseWriter, _ *http.Request) {
		b := bufio.NewWriter(w)
		for i := range n {
			sep := ','
			if i == 0 {
				sep = '['
			}
			_, _ = fmt.Fprintf(b, `%c{"assortmentId":%q,"stock":%d}`, sep, testID(i+1), i)
		}
		_, _ = b.WriteString("]")
		_ = b.Flush()
	})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows := 0
	for _, err := range r.StockCurrentByStore(context.Background(), TypeStock, CurrentQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if rows == 0 {
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
		rows++
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); rows != n || grown > 16<<20 {
		t.Errorf("%d rows, heap grew by %d bytes", rows, grown)
	}
}
