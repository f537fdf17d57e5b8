package msapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand/internal/limit"
)

const testToken = "0123456789abcdef0123456789abcdef01234567"

// handlerTransport calls a handler directly, without a network, so that tests can use the fake clock of synctest.
type handlerTransport struct{ http.Handler }

func (i handlerTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	i.ServeHTTP(w, req)
	resp := w.Result()
	resp.Request = req
	return resp, nil
}

// recorder records the requests of a server and, as a limiter, acquired slots and feedback.
type recorder struct {
	mu       sync.Mutex
	received []*http.Request
	acquired []limit.Request
	feedback []limit.Feedback
}

func (c *recorder) Acquire(_ context.Context, r limit.Request) (func(limit.Feedback), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acquired = append(c.acquired, r)
	return func(f limit.Feedback) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.feedback = append(c.feedback, f)
	}, nil
}

func (c *recorder) record(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c.mu.Lock()
		c.received = append(c.received, req)
		c.mu.Unlock()
		next(w, req)
	})
}

func (c *recorder) requests() []*http.Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.received
}

// open returns a reader that calls a handler without a network.
func open(h http.HandlerFunc) (*Reader, *recorder) {
	c := &recorder{}
	return Open(Config{BaseURL: "https://api.example.test/api/remap/1.2", Token: testToken, Limiter: c,
		Transport: handlerTransport{c.record(h)}}), c
}

// openServer returns a reader of a handler behind a real TCP connection.
func openServer(t *testing.T, h http.HandlerFunc) (*Reader, *recorder) {
	t.Helper()
	c := &recorder{}
	server := httptest.NewServer(c.record(h))
	t.Cleanup(server.Close)
	return Open(Config{BaseURL: server.URL + "/api/remap/1.2", Token: testToken, Limiter: c}), c
}

func fail(w http.ResponseWriter, status, code int, text string) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"errors":[{"error":%q,"code":%d}]}`, text, code)
}

func testID(n int) ID { return ID(fmt.Sprintf("00000000-0000-0000-0000-%012x", n)) }

// writePage writes the requested page of a list of ids whose meta states the given size.
func writePage(w http.ResponseWriter, req *http.Request, size int, ids []int) {
	offset, limit := pageRange(req)
	type row struct {
		ID   ID     `json:"id"`
		Name string `json:"name"`
	}
	list := []row{}
	for _, n := range ids[min(offset, len(ids)):min(offset+limit, len(ids))] {
		list = append(list, row{testID(n), fmt.Sprint("name ", n)})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"context": map[string]any{"employee": map[string]any{}},
		"meta":    map[string]any{"href": "x", "size": size, "limit": limit, "offset": offset},
		"rows":    list,
	})
}

func pageRange(req *http.Request) (offset, limit int) {
	offset, _ = strconv.Atoi(req.URL.Query().Get("offset"))
	limit, _ = strconv.Atoi(req.URL.Query().Get("limit"))
	return offset, limit
}

func idsUpTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// sample returns a response with the vendor's field names and types and generated values, from the sandbox's testdata
// (see shapewriter_test.go there).
func sample(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("../../../sandbox/testdata/answers/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// respondWith returns a handler that always responds with a body.
func respondWith(body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }
}

// openSample returns a reader whose server always responds with a sample.
func openSample(t *testing.T, name string) (*Reader, *recorder) {
	t.Helper()
	body := sample(t, name)
	return open(func(w http.ResponseWriter, req *http.Request) {
		if strings.Contains(req.URL.RawQuery, "offset=") {
			_, _ = w.Write([]byte(`{"meta":{},"rows":[]}`)) // after the sample's only page
			return
		}
		_, _ = w.Write(body)
	})
}
