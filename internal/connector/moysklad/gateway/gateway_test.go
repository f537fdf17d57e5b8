package gateway

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

const token = "0123456789abcdef0123456789abcdef01234567"

// For any path the request stays below the API root of the connection's host, or it is refused.
func FuzzNoPathLeadsOut(f *testing.F) {
	for _, seed := range []string{"entity/product", "../x", "%2e%2e/x", "//host/x", "http://host/x", `a\b`, "a#b",
		"a?b", "@host", "entity/..;/x", "", "entity/\x00", ".env", "%252e"} {
		f.Add(seed, "limit=1")
	}
	f.Add("entity/product", "x=%0d%0a")
	f.Add("entity/product", "filter=name=а;x#y")
	base, err := url.Parse("https://api.example/api/remap/1.2")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		if checkAddress(path, query) != nil {
			return
		}
		at, err := url.Parse(base.String() + "/" + path + "?" + query)
		if err != nil {
			t.Fatalf("%q %q was accepted but is not a URL: %v", path, query, err)
		}
		if at.Host != base.Host || at.Scheme != base.Scheme || at.User != nil || at.Fragment != "" ||
			at.Path != base.Path+"/"+path || at.RawQuery != query || at.JoinPath().Path != at.Path {
			t.Errorf("%q %q leads to %s", path, query, at)
		}
		if strings.ContainsAny(path, "%\\:@?#; \r\n\x00") {
			t.Errorf("%q was accepted", path)
		}
	})
}

func TestTheGatewayNeverReturnsTheAPIsCredentials(t *testing.T) {
	for _, path := range []string{"security", "security/token", "Security/token", "SECURITY/TOKEN", "securitY"} {
		if checkAddress(path, "") == nil {
			t.Errorf("%s was accepted", path)
		}
	}
	if err := checkAddress("entity/security", ""); err != nil {
		t.Error(err)
	}
}

// The transports enforce this, without an earlier check: neither sends the other's methods or contacts another host.
func TestReaderAndWriterRejectEachOthersMethods(t *testing.T) {
	var arrived atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { arrived.Add(1); w.WriteHeader(http.StatusOK) }))
	t.Cleanup(server.Close)
	config := connector.Config{BaseURL: server.URL + "/api/remap/1.2", Token: token}
	reader, writer := NewReader(config, "a"), NewWriter(config, "a")
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch,
		http.MethodConnect, "", "get"} {
		if _, err := reader.Pass(t.Context(),
			connector.GatewayRequest{Method: method, Path: "entity/product"}); stockhand.CodeOf(
			err) != stockhand.CodeMethodNotAllowed {
			t.Errorf("the reader, %s: %v", method, err)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPatch, http.MethodTrace} {
		if _, err := writer.Pass(t.Context(),
			connector.GatewayRequest{Method: method, Path: "entity/product"}); stockhand.CodeOf(
			err) != stockhand.CodeMethodNotAllowed {
			t.Errorf("the writer, %s: %v", method, err)
		}
	}
	for _, address := range []string{"http://elsewhere.example/api/remap/1.2/entity/product", server.URL +
		"/entity/product", server.URL + "/api/remap/1.2/security/token", server.URL + "/api/remap/1.2/entity/../x",
		strings.Replace(server.URL, "http:", "https:", 1) + "/api/remap/1.2/entity/product"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := writer.client.Do(req); err == nil {
			resp.Body.Close()
			t.Errorf("the writer's transport sent %s", address)
		}
	}
	if n := arrived.Load(); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
}

// Cancelling the context does not interrupt a write in flight, since that would make its outcome unknown.
func TestARunningWriteIsNotInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		cancel()
		_, _ = w.Write(append([]byte("got "), body...))
	}))
	t.Cleanup(server.Close)
	w := NewWriter(connector.Config{BaseURL: server.URL, Token: token}, "a")
	answer, err := w.Pass(ctx, connector.GatewayRequest{Method: http.MethodPost, Path: "entity/x",
		Body: []byte(`{"a":1}`), Type: "application/json; charset=utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != `got {"a":1}` {
		t.Errorf("%s, %v", body, err)
	}
}

func TestAnUnsentWriteIsReportedAsUnsent(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	w := NewWriter(connector.Config{BaseURL: server.URL, Token: token}, "a")
	_, err := w.Pass(t.Context(), connector.GatewayRequest{Method: http.MethodDelete, Path: "entity/x"})
	if stockhand.CodeOf(err) != stockhand.CodeExternalUnavailable ||
		!strings.Contains(err.Error(), "nothing was sent") || strings.Contains(err.Error(), token) {
		t.Errorf("%v", err)
	}
	for _, c := range []connector.Config{{BaseURL: "ftp://x", Token: token}, {BaseURL: server.URL, Token: "a b"},
		{BaseURL: server.URL}} {
		if _, err := NewWriter(c, "a").Pass(t.Context(),
			connector.GatewayRequest{Method: http.MethodDelete, Path: "entity/x"}); err == nil {
			t.Errorf("%v was accepted", c.BaseURL)
		}
	}
}

// Finding L7: a server that quotes a rejected token in its error leaked it to the caller.
func TestAttackAnErrorThatQuotesTheTokenIsScrubbed(t *testing.T) {
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(int(status.Load()))
		_, _ = io.WriteString(w, strings.Repeat("x", maxError-60)+"bad token "+r.Header.Get("Authorization")+" "+token)
	}))
	t.Cleanup(server.Close)
	config := connector.Config{BaseURL: server.URL, Token: token}
	for _, code := range []int64{400, 403, 404, 422, 499} {
		status.Store(code)
		for method, g := range map[string]connector.Gateway{http.MethodGet: NewReader(config, "a"),
			http.MethodPost: NewWriter(config, "a")} {
			answer, err := g.Pass(t.Context(), connector.GatewayRequest{Method: method, Path: "entity/x"})
			if err != nil {
				t.Errorf("%s %d: %v", method, code, err)
				continue
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil || strings.Contains(string(body), token[:8]) || !strings.Contains(string(body), "bad token") {
				t.Errorf("%s %d: …%s, %v", method, code, body[max(0, len(body)-100):], err)
			}
		}
	}
}
