package write

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	organizationID = "00000000-0000-0000-0001-000000000001"
	supplierID     = "00000000-0000-0000-0002-000000000001"
	storeID        = "00000000-0000-0000-0003-000000000001"
	targetID       = "00000000-0000-0000-0003-000000000002"
	productID      = "00000000-0000-0000-0004-000000000001"
	variantID      = "00000000-0000-0000-0005-000000000001"
	roublesID      = "00000000-0000-0000-0006-000000000001"
	dollarsID      = "00000000-0000-0000-0006-000000000002"
	retailID       = "00000000-0000-0000-0007-000000000001"
	madeID         = "00000000-0000-0000-0008-000000000001"
	token          = "0123456789abcdef0123456789abcdef01234567"
)

func some(s string) decimal.Maybe { return decimal.Some(decimal.MustParse(s)) }

func ref(kind, id, name string) *tool.Ref { return &tool.Ref{Type: kind, ID: id, Name: name} }

func order() tool.Document {
	return tool.Document{
		ID: "doc_order", Kind: tool.SupplierOrder, Title: "Заказ",
		Organization: ref("organization", organizationID, "Юрлицо"),
		Supplier:     ref("counterparty", supplierID, "Поставщик"),
		Store:        ref("store", storeID, "Основной"), Delivery: "2026-12-01", Currency: "RUB",
		Lines: []tool.Line{
			{ID: "1", Product: *ref("product", productID, "Товар"), Quantity: some("10"), Price: some("123.45"),
				Whole: true},
			{ID: "2", Product: *ref("variant", variantID, "Модификация"), Quantity: some("2.5"), Price: some("0.1")},
		},
	}
}

func move() tool.Document {
	return tool.Document{
		ID: "doc_move", Kind: tool.Transfer, Title: "Перемещение",
		Organization: ref("organization", organizationID, "Юрлицо"),
		Store:        ref("store", storeID, "Основной"), Target: ref("store", targetID, "Магазин"),
		Lines: []tool.Line{{
			ID: "1", Product: *ref("product", productID, "Товар"), Quantity: some("3"),
			Seen: tool.Seen{Stock: some("8"), Reserve: some("1")},
		}},
	}
}

func prices() tool.Document {
	return tool.Document{
		ID: "doc_prices", Kind: tool.PriceChange, Title: "Цены", PriceType: ref("pricetype", retailID, "Розничная"),
		Currency: "RUB", CurrencyID: roublesID,
		Lines: []tool.Line{
			{ID: "1", Product: *ref("product", productID, "Товар"), OldPrice: some("100"), Price: some("107")},
			{ID: "2", Product: *ref("variant", variantID, "Модификация"), OldPrice: some("50"), Price: some("53.5")},
		},
	}
}

func removal() tool.Document {
	return tool.Document{ID: "doc_removal", Kind: tool.Deletion, Deletes: ref("purchaseorder", madeID, "00042"),
		Currency: "RUB"}
}

// received is a request to the fake API.
type received struct {
	method, path, query, body, from string
	header                          http.Header
}

// fakeAPI serves handlers by "METHOD path", relative to the API root, and records requests.
type fakeAPI struct {
	*httptest.Server

	mu       sync.Mutex
	received []received
}

func (s *fakeAPI) requests() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received{}, s.received...)
}

// sent returns the number of requests with a method.
func (s *fakeAPI) sent(method string) (n int) {
	for _, r := range s.requests() {
		if r.method == method {
			n++
		}
	}
	return n
}

func serve(t *testing.T, answers map[string]http.HandlerFunc) *fakeAPI {
	t.Helper()
	s := &fakeAPI{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		path := strings.TrimPrefix(r.URL.Path, "/api/remap/1.2/")
		s.mu.Lock()
		s.received = append(s.received, received{r.Method, path, r.URL.Query().Encode(), string(body), r.RemoteAddr,
			r.Header.Clone()})
		s.mu.Unlock()
		if answer, ok := answers[r.Method+" "+path]; ok {
			answer(w, r)
			return
		}
		t.Errorf("unexpected request: %s %s", r.Method, path)
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *fakeAPI) writer(change ...func(*Config)) *Writer {
	c := Config{BaseURL: s.URL + "/api/remap/1.2", Token: token, Account: "account", Attempts: 2,
		Timeout: 5 * time.Second}
	for _, f := range change {
		f(&c)
	}
	return Open(c)
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func dropConnection(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// creates responds like the API to a create: with an entity, or an array of entities for an array.
func creates(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one := func(raw json.RawMessage, n int) string {
			var in struct {
				SyncID string `json:"syncId"`
			}
			_ = json.Unmarshal(raw, &in)
			return createdJSON(kind, in.SyncID, n)
		}
		var many []json.RawMessage
		if json.Unmarshal(body, &many) != nil {
			_, _ = io.WriteString(w, one(body, 1))
			return
		}
		var out []string
		for i, raw := range many {
			out = append(out, one(raw, i+1))
		}
		_, _ = io.WriteString(w, "["+strings.Join(out, ",")+"]")
	}
}

// createdJSON returns a created entity as the API returns it.
func createdJSON(kind, syncID string, n int) string {
	id := fmt.Sprintf("00000000-0000-0000-0008-%012d", n)
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s?expand=x","type":"%s","uuidHref":"https://ui/#%s"},"id":"%s","name":"%05d","syncId":"%s"}`,
		kind, id, kind, id, id, n, syncID)
}

func errorBody(code int, parameter string) string {
	return fmt.Sprintf(`{"errors":[{"error":"сказано сервером","code":%d,"parameter":"%s"}]}`, code, parameter)
}

func apply(t *testing.T, w *Writer, docs ...tool.Document) []tool.Outcome {
	t.Helper()
	outcomes := w.Apply(t.Context(), docs)
	if len(outcomes) != len(docs) {
		t.Fatalf("%d outcomes for %d documents", len(outcomes), len(docs))
	}
	for _, o := range outcomes {
		if strings.Contains(o.Problem, token) {
			t.Errorf("the token is in a problem: %s", o.Problem)
		}
		if o.State != stockhand.DocumentApplied && o.Problem == "" {
			t.Errorf("%s without a reason", o.State)
		}
	}
	return outcomes
}

func wantStates(t *testing.T, outcomes []tool.Outcome, want ...stockhand.DocumentState) {
	t.Helper()
	for i, o := range outcomes {
		if i >= len(want) || o.State != want[i] {
			t.Errorf("outcome %d: %s (%s), want %v", i, o.State, o.Problem, want)
		}
	}
}

// recordingLimiter is a limiter that allows everything and records requests and feedback.
type recordingLimiter struct {
	mu       sync.Mutex
	requests []limit.Request
	reported []limit.Feedback
}

func (c *recordingLimiter) Acquire(_ context.Context, r limit.Request) (func(limit.Feedback), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, r)
	return func(f limit.Feedback) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.reported = append(c.reported, f)
	}, nil
}
