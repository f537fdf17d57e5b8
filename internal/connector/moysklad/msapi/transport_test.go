package msapi

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/readonly"
)

func TestOnlyGETIsSent(t *testing.T) {
	var sent atomic.Int32
	r, _ := open(func(http.ResponseWriter, *http.Request) { sent.Add(1) })
	for _, c := range []struct{ method, url string }{
		{http.MethodPost, "https://api.example.test/api/remap/1.2/entity/product"},
		{http.MethodPut, "https://api.example.test/api/remap/1.2/entity/product"},
		{http.MethodDelete, "https://api.example.test/api/remap/1.2/entity/product"},
		{http.MethodPatch, "https://api.example.test/"},
		{http.MethodHead, "https://api.example.test/"},
		{"get", "https://api.example.test/"},
		{http.MethodGet, "https://elsewhere.example.test/"},
		{http.MethodGet, "http://api.example.test/"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, c.url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := r.client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if refused, ok := errors.AsType[*readonly.Error](err); !ok || refused.Method != c.method {
			t.Errorf("%s %s: %v", c.method, c.url, err)
		}
	}
	if n := sent.Load(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// compressed responds like the vendor: with 415 and an empty body to clients that do not accept gzip.
func compressed(body string, pack bool) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if !strings.Contains(req.Header.Get("Accept-Encoding"), "gzip") {
			w.WriteHeader(http.StatusUnsupportedMediaType)
			return
		}
		if !pack {
			_, _ = io.WriteString(w, body)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	}
}

func TestCompressionIsRequestedAndDecoded(t *testing.T) {
	for _, pack := range []bool{true, false} {
		r, _ := openServer(t, compressed(`[{"id":"00000000-0000-0000-0000-000000000001","name":"Цена продажи"}]`, pack))
		types, err := r.PriceTypes(t.Context())
		if err != nil || len(types) != 1 || types[0].Name != "Цена продажи" {
			t.Errorf("response compressed: %v; %v, %v", pack, types, err)
		}
	}
}

func TestOnlyOneSpellingOfAcceptIsSent(t *testing.T) {
	r, c := openServer(t, compressed(`[]`, true))
	if _, err := r.PriceTypes(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := c.requests()[0].Header
	if got.Get("Accept") != "application/json;charset=utf-8" || got.Get("Authorization") != "Bearer "+testToken ||
		got.Get("Content-Type") != "" {
		t.Errorf("headers %v", got)
	}
}

func TestRedirectsStayOnTheHostAndEachHopIsARequest(t *testing.T) {
	for _, status := range []int{301, 302, 303, 308} {
		r, c := openServer(t, func(w http.ResponseWriter, req *http.Request) {
			switch req.URL.Path {
			case "/api/remap/1.2/context/employee":
				w.Header().Set("Location", "/api/remap/1.2/report/stock/moved")
				w.WriteHeader(status)
			default:
				_, _ = io.WriteString(w, `{"id":"00000000-0000-0000-0000-000000000001","name":"Admin"}`)
			}
		})
		e, err := r.Employee(t.Context())
		if err != nil || e.Name != "Admin" {
			t.Fatalf("%d: %v, %v", status, e, err)
		}
		if len(c.acquired) != 2 || len(c.feedback) != 2 || c.acquired[0].Heavy || !c.acquired[1].Heavy {
			t.Errorf("%d: the limiter saw %+v", status, c.acquired)
		}
	}
	var leaked atomic.Int32
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	defer thief.Close()
	r, c := openServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", thief.URL+"/api/remap/1.2/context/employee")
		w.WriteHeader(http.StatusFound)
	})
	if _, err := r.Employee(t.Context()); stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable {
		t.Errorf("got %v", err)
	}
	if leaked.Load() != 0 || len(c.requests()) != 1 {
		t.Errorf("%d requests reached another host, %d the API", leaked.Load(), len(c.requests()))
	}
}

// TestNetHTTPNeverResends checks that every request that the server receives went through the limiter: by default
// net/http resends a GET when a reused connection breaks.
func TestNetHTTPNeverResends(t *testing.T) {
	var n atomic.Int32
	r, c := openServer(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%2 == 0 { // on the reused connection
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
			return
		}
		_, _ = io.WriteString(w, `[]`)
	})
	for range 4 {
		if _, err := r.PriceTypes(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if received := len(c.requests()); received != len(c.acquired) || received != 7 {
		t.Errorf("the server saw %d requests, the limiter %d, want 7 each", received, len(c.acquired))
	}
}

func TestNoErrorOrLogContainsTheToken(t *testing.T) {
	var log bytes.Buffer
	r, _ := open(func(w http.ResponseWriter, req *http.Request) {
		fail(w, http.StatusServiceUnavailable, 0, "who is "+req.Header.Get("Authorization"))
	})
	r.config.Attempts = 2
	r.log = slog.New(slog.NewTextHandler(&log, nil))
	_, err := r.Employee(t.Context())
	if err == nil || log.Len() == 0 {
		t.Fatal("want an error and a log entry")
	}
	if strings.Contains(err.Error()+log.String(), testToken) {
		t.Errorf("%q or %q contains the token", err, log.String())
	}
}

func TestAnInvalidConfigurationFailsEachCallAndSendsNothing(t *testing.T) {
	for _, c := range []Config{
		{Token: ""}, {Token: "two words"}, {Token: "a\r\nX-Evil: 1"}, {Token: "токен"},
		{Token: "t", BaseURL: "ftp://example.test"}, {Token: "t", BaseURL: "nonsense"},
		{Token: "t", BaseURL: "https://user:secret@example.test"},
	} {
		r := Open(c)
		_, err := r.Employee(t.Context())
		_, err2 := Collect(r.Stores(t.Context(), ListQuery{}))
		_, err3 := Collect(r.StockCurrentByStore(t.Context(), TypeStock, CurrentQuery{}))
		_, err4 := Collect(r.Profit(t.Context(), ProfitByEmployee,
			ProfitQuery{Period: anyPeriod, Goods: []Ref{{Type: "product", ID: testID(1)}}}))
		if err == nil || err2 == nil || err3 == nil || err4 == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, %v, %v", c, err, err2, err3)
		}
	}
}

func TestAttackABombIsReadOnceAndToItsLimit(t *testing.T) {
	var requests atomic.Int32
	r, _ := openServer(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, `{"rows":[{"name":"`)
		spaces := strings.Repeat(" ", 1<<20)
		for range 200 {
			if _, err := io.WriteString(z, spaces); err != nil {
				return
			}
		}
		_, _ = io.WriteString(z, `"}]}`)
		_ = z.Close()
	})
	_, err := r.PriceTypes(t.Context())
	if stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	for i, stage := range memory {
		if !stage.left.TryAcquire(256 << 20) {
			t.Errorf("stage %d was not given back", i)
			continue
		}
		stage.left.Release(256 << 20)
	}
}
