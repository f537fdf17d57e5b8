package msapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
)

func TestDelaysInTheVendorsHeadersAreInMilliseconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r, c := open(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Limit", "45")
			w.Header().Set("X-RateLimit-Remaining", "3")
			w.Header().Set("X-Lognex-Retry-TimeInterval", "3000")
			w.Header().Set("Retry-After", "3600") // set by a proxy, in seconds
			if n++; n == 1 {
				w.Header().Set("X-Lognex-Retry-After", "2500")
				fail(w, http.StatusTooManyRequests, 1049,
					"Превышено ограничение на количество запросов в единицу времени")
				return
			}
			_, _ = io.WriteString(w, `[]`)
		})
		start := time.Now()
		if _, err := r.PriceTypes(t.Context()); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited < 2500*time.Millisecond || waited > 3*time.Second {
			t.Errorf("waited %v", waited)
		}
		want := []limit.Feedback{
			{Limit: 45, Remaining: 3, Interval: 3 * time.Second, Pause: 2500 * time.Millisecond},
			{Limit: 45, Remaining: 3, Interval: 3 * time.Second},
		}
		if len(c.feedback) != 2 || c.feedback[0] != want[0] || c.feedback[1] != want[1] {
			t.Errorf("feedback %+v", c.feedback)
		}
	})
}

func TestA429WithoutADelayMeansTooManyConcurrentRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r, c := open(func(w http.ResponseWriter, _ *http.Request) {
			if n++; n < 3 {
				fail(w, http.StatusTooManyRequests, 1073, "Превышено ограничение на одновременное количество запросов")
				return
			}
			_, _ = io.WriteString(w, `[]`)
		})
		start := time.Now()
		if _, err := r.PriceTypes(t.Context()); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited > 2*time.Second {
			t.Errorf("waited %v", waited)
		}
		if !c.feedback[0].Crowded || c.feedback[2].Crowded {
			t.Errorf("feedback %+v", c.feedback)
		}
	})
}

func TestStockReportsAreHeavy(t *testing.T) {
	r, c := open(func(w http.ResponseWriter, req *http.Request) { writePage(w, req, 0, nil) })
	_, _ = Collect(r.StockAll(t.Context(), StockQuery{}))
	_, _ = Collect(r.StockByStore(t.Context(), StockQuery{}))
	_, _ = Collect(r.StockCurrentByStore(t.Context(), TypeStock, CurrentQuery{}))
	_, _ = Collect(r.Profit(t.Context(), ProfitByProduct, ProfitQuery{Period: Days(time.Now(), time.Now())}))
	for i, want := range []bool{true, true, true, false} {
		if c.acquired[i].Heavy != want {
			t.Errorf("%s: heavy %v", c.received[i].URL.Path, c.acquired[i].Heavy)
		}
	}
}

func TestPersistent429sEndAfterLimitedAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := open(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Lognex-Retry-After", "1000")
			fail(w, http.StatusTooManyRequests, 1049, "")
		})
		_, err := r.Employee(t.Context())
		if !IsLimit(err) || stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable {
			t.Errorf("got %v", err)
		}
		if n := len(c.requests()); n != 8 {
			t.Errorf("%d requests, want 8", n)
		}
	})
}

// A short burst of 429s must not fail a call: the client allows more retries for rate limits than for server errors.
func TestAShortBurstOf429sIsRetriedUntilItEnds(t *testing.T) {
	for _, wait := range []string{"", "500"} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			r, _ := open(func(w http.ResponseWriter, _ *http.Request) {
				if n++; n > 6 {
					_, _ = io.WriteString(w, `[]`)
					return
				}
				if wait != "" {
					w.Header().Set("X-Lognex-Retry-After", wait)
				}
				fail(w, http.StatusTooManyRequests, 1049, "")
			})
			start := time.Now()
			if _, err := r.PriceTypes(t.Context()); err != nil || time.Since(start) > 20*time.Second {
				t.Errorf("%v after %v", err, time.Since(start))
			}
		})
	}
}

func TestARejectedTokenIsNeverRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := open(func(w http.ResponseWriter, _ *http.Request) {
			fail(w, http.StatusUnauthorized, 1056, "Ошибка аутентификации")
		})
		for i := range 10 {
			var err error
			if i%2 == 0 {
				_, err = r.Employee(t.Context())
			} else {
				_, err = Collect(r.Organizations(t.Context(), ListQuery{}))
			}
			if !IsAuth(err) || stockhand.CodeOf(err) != stockhand.CodeTokenRejected {
				t.Fatalf("got %v", err)
			}
		}
		if n := len(c.requests()); n != 3 {
			t.Errorf("%d requests, want 3", n)
		}
	})
}

func TestIdenticalFailuresStopRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := open(func(w http.ResponseWriter, _ *http.Request) { fail(w, http.StatusForbidden, 1016, "нет прав") })
		for range 50 {
			if _, err := r.Employee(t.Context()); !IsForbidden(err) {
				t.Fatal(err)
			}
		}
		if n := len(c.requests()); n != 3 {
			t.Errorf("%d identical requests, want 3", n)
		}
		if _, err := r.PriceTypes(t.Context()); !IsForbidden(err) || len(c.requests()) != 4 {
			t.Error("a different request must still be sent")
		}
		time.Sleep(time.Minute)
		if _, err := r.Employee(t.Context()); !IsForbidden(err) || len(c.requests()) != 5 {
			t.Error("the request must be sent again after a minute")
		}
	})
}

func TestServerErrorsAreLimitedAcrossCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, c := open(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		start := time.Now()
		for time.Since(start) < time.Minute {
			_, err := r.Employee(t.Context())
			if stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if n := len(c.requests()); n > 30 {
			t.Errorf("%d identical failing requests in a minute", n)
		}
	})
}

func TestATruncatedBodyIsRetried(t *testing.T) {
	n := 0
	r, c := openServer(t, func(w http.ResponseWriter, req *http.Request) {
		if n++; n == 2 { // truncate the second page
			w.Header().Set("Content-Length", "100000")
			_, _ = io.WriteString(w, `{"meta":{"size":1500,"limit":1000},"rows":[{"id":"`)
			panic(http.ErrAbortHandler)
		}
		writePage(w, req, 1500, idsUpTo(1500))
	})
	stores, err := Collect(r.Stores(t.Context(), ListQuery{}))
	if err != nil || len(stores) != 1500 || stores[1499].ID != testID(1500) {
		t.Fatalf("%d rows, %v", len(stores), err)
	}
	if len(c.requests()) != 3 || len(c.acquired) != 3 {
		t.Errorf("%d requests, %d acquired from the limiter", len(c.requests()), len(c.acquired))
	}
}

func TestMalformedResponsesAreErrors(t *testing.T) {
	for _, c := range []struct {
		body     string
		attempts int
	}{
		{``, 4}, {`{`, 4}, {`{"meta":{}`, 4}, {`{"meta":{},"rows":[{"id":`, 4}, {`<html>`, 4},
		{`{"meta":{"size":1},"rows":[}`, 4},
		{`[]`, 1}, {`null`, 1}, {`{"rows":{}}`, 1}, {`{"meta":{"size":"many"},"rows":[]}`, 1}, {`{"errors":[]}`, 1},
		{`{"rows":[{"id":5}]}`, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, rec := open(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, c.body) })
			rows, err := Collect(r.Stores(t.Context(), ListQuery{}))
			if stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable || len(rows) != 0 {
				t.Errorf("%q: %v, %v", c.body, rows, err)
			}
			if n := len(rec.requests()); n != c.attempts {
				t.Errorf("%q: %d attempts, want %d", c.body, n, c.attempts)
			}
		})
	}
}

func TestACancelledContextStopsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := open(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Lognex-Retry-After", "60000")
			fail(w, http.StatusTooManyRequests, 1049, "")
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := r.Employee(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestFailuresHaveTheRightCode(t *testing.T) {
	for _, c := range []struct {
		status, code int
		want         stockhand.Code
		is           func(error) bool
	}{
		{401, 1056, stockhand.CodeTokenRejected, IsAuth},
		{403, 1016, stockhand.CodePermissionDenied, IsForbidden},
		{403, 0, stockhand.CodePermissionDenied, IsForbidden},
		{400, 13004, stockhand.CodePermissionDenied, IsForbidden},
		{403, 1043, stockhand.CodePermissionDenied, IsTariff},
		{402, 47000, stockhand.CodePermissionDenied, IsTariff},
		{404, 1021, stockhand.CodeNotFound, IsNotFound},
		{412, 1034, stockhand.CodeExternalUnavailable,
			func(err error) bool { return !IsForbidden(err) && !IsTariff(err) }},
		{415, 0, stockhand.CodeExternalUnavailable, func(err error) bool { return !IsAuth(err) }},
		{503, 0, stockhand.CodeExternalUnavailable, func(err error) bool { return !IsLimit(err) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := open(func(w http.ResponseWriter, _ *http.Request) {
				if c.code == 0 {
					w.WriteHeader(c.status)
					return
				}
				fail(w, c.status, c.code, "text")
			})
			_, err := r.Employee(t.Context())
			userErr, _ := errors.AsType[*stockhand.Error](err)
			for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
				if w := userErr.In(l); w.Message == "" || w.Hint == "" {
					t.Errorf("%d/%d in %s: %+v: an error without a next step", c.status, c.code, l, w)
				}
			}
			if userErr.In(stockhand.Russian) == userErr.In(stockhand.English) {
				t.Errorf("%d/%d: the same text in both languages", c.status, c.code)
			}
			e, ok := errors.AsType[*APIError](err)
			if stockhand.CodeOf(err) != c.want || !c.is(err) || !ok || e.Status != c.status ||
				e.Path != "context/employee" {
				t.Errorf("%d/%d: %v", c.status, c.code, err)
			}
			if c.code == 0 && e.Code != c.status {
				t.Errorf("%d: code %d, want the status", c.status, e.Code)
			}
		})
	}
}

func TestTheFirstErrorOfABatchResponseIsRead(t *testing.T) {
	e := parseError([]byte(`[{"id":"x"},{"errors":[{"error":"Ошибка","code":3000,"parameter":"name"}]}]`))
	if e.Code != 3000 || e.Parameter != "name" || e.Message != "Ошибка" {
		t.Errorf("got %+v", e)
	}
}

func FuzzParseError(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `[]`, `null`, `<html>503</html>`, `{"errors":[]}`, `{"errors":[{"error":"x","code":1056}]}`,
		`[{"errors":[{"error":"x"}]},{"id":"y"}]`,
		`{"errors":[{"error":"x","code":"1056"}]}`, `{"errors":{"error":"x"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if e := parseError(b); e == nil || fmt.Sprint(e) == "" {
			t.Error("an error response gave no error")
		}
	})
}

// FuzzPage checks that any response gives rows or an error.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		`{"context":{"employee":{"href":"x"}},"meta":{"size":1,"limit":1000,"offset":0},"rows":[{"meta":{"href":"https://x/entity/product/00000000-0000-0000-0000-000000000001?expand=supplier","type":"product"},"barcodes":[{"ean13":"1"},5],"salePrices":[{"value":1.5e3}],"minimumStock":{"type":"WAREHOUSE_VARIED","storeBalances":{"meta":{"size":1}}}}]}`,
		`{"rows":[{"deliveryPlannedMoment":"2026-01-01 00:00:00.000","positions":{"meta":{},"rows":[{"quantity":1e400}]}}]}`,
		`[]`, `{"rows":[`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		items, err := decodePage[wireItem](bytes.NewReader(b))
		if err == nil {
			for _, w := range items.rows {
				_, _ = w.barcodes(), w.key()
			}
		}
		_, _ = decodePage[wireOrder](bytes.NewReader(b))
		_, _ = decodePage[wireProfit](bytes.NewReader(b))
	})
}
