package sandbox

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// today is the fake clock's time: the generated history ends here, and the vendor's limits depend on the date.
var today = time.Date(2026, 11, 20, 12, 0, 0, 0, company.Moscow)

// newServer returns a small sandbox with a fixed clock and no request limits.
func newServer(t *testing.T, change ...func(*Options)) *Server {
	t.Helper()
	o := Options{
		Company:  company.Options{Seed: 1, Products: 120, Days: 60},
		Accounts: 1, NoLimits: true, Now: func() time.Time { return today },
	}
	for _, c := range change {
		c(&o)
	}
	return New(o)
}

// shared is the server of tests that only read.
var shared = sync.OnceValue(func() *Server {
	return New(Options{
		Company:  company.Options{Seed: 1, Products: 300, Days: 120},
		Accounts: 2, NoLimits: true, Now: func() time.Time { return today },
	})
})

// response is a response with its body decompressed.
type response struct {
	status int
	header http.Header
	body   []byte
}

// request sends a GET with valid headers and decompresses the response. Each change may alter the request.
func request(t testing.TB, s *Server, token, path string, change ...func(*http.Request)) response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://sandbox.test"+apiRoot+"/"+path, nil)
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Accept", contentType)
	r.Header.Set("Authorization", "Bearer "+token)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	a := response{status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	if w.Header().Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(a.body))
		if err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
		if a.body, err = io.ReadAll(z); err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
	}
	return a
}

// owner returns the token of the account owner, who sees everything.
func owner(s *Server) string { return s.Accounts()[0].Tokens.Owner }

// object decodes a successful response that is a JSON object.
func object(t testing.TB, s *Server, token, path string) map[string]any {
	t.Helper()
	a := request(t, s, token, path)
	var m map[string]any
	if err := json.Unmarshal(a.body, &m); err != nil || a.status != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v: %.300s", path, a.status, err, a.body)
	}
	return m
}

// rows decodes the rows of a list response.
func rows(t testing.TB, s *Server, token, path string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, r := range object(t, s, token, path)["rows"].([]any) {
		out = append(out, r.(map[string]any))
	}
	return out
}

// array decodes a response that is a bare JSON array.
func array(t testing.TB, s *Server, token, path string) []map[string]any {
	t.Helper()
	a := request(t, s, token, path)
	var m []map[string]any
	if err := json.Unmarshal(a.body, &m); err != nil || a.status != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v: %.300s", path, a.status, err, a.body)
	}
	return m
}

// wantError checks the status, code and shape of an error response.
func wantError(t testing.TB, a response, status, code int) {
	t.Helper()
	var body struct {
		Errors []struct {
			Error    string `json:"error"`
			Code     int    `json:"code"`
			MoreInfo string `json:"moreInfo"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(a.body, &body); err != nil {
		t.Fatalf("error body: %v: %s", err, a.body)
	}
	if len(body.Errors) != 1 || body.Errors[0].Error == "" ||
		!strings.HasPrefix(body.Errors[0].MoreInfo, "https://dev.moysklad.ru/doc/") {
		t.Errorf("error body %s", a.body)
	}
	if a.status != status || body.Errors[0].Code != code {
		t.Errorf("status %d, code %d; want %d, %d: %s", a.status, body.Errors[0].Code, status, code, a.body)
	}
}

func size(t testing.TB, s *Server, token, path string) int {
	t.Helper()
	n, ok := dig(object(t, s, token, path), "meta", "size").(float64)
	if !ok {
		t.Fatalf("GET %s: no size", path)
	}
	return int(n)
}

// escape encodes a whole filter for a query string, as clients do.
func escape(filter string) string { return url.QueryEscape(filter) }

func names(rows []map[string]any) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r["name"].(string))
	}
	return out
}

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
