package api_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// front stands before the sandbox as a proxy would: it remembers what arrived and answers some paths itself.
type front struct {
	mu    sync.Mutex
	seen  []*http.Request
	paths map[string]http.HandlerFunc // by the path below the API's root
	proxy http.Handler
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.seen = append(f.seen, r.Clone(r.Context()))
	own := f.paths[strings.TrimPrefix(r.URL.Path, sandbox.APIPath+"/")]
	f.mu.Unlock()
	if own != nil {
		own(w, r)
		return
	}
	f.proxy.ServeHTTP(w, r)
}

// last is the last request that arrived.
func (f *front) last() *http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.seen) == 0 {
		return nil
	}
	return f.seen[len(f.seen)-1]
}

func (f *front) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.seen)
}

// behind runs a service whose external system is reached through a front.
func behind(t *testing.T, paths map[string]http.HandlerFunc) (*apptest.Service, *front) {
	t.Helper()
	f := &front{paths: paths}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	s := apptest.Start(t, apptest.Options{Accounts: 1, Unconnected: true, Configure: func(c *app.Config) {
		to, err := url.Parse(c.Servers[sandbox.Connector])
		if err != nil {
			t.Fatal(err)
		}
		host := &url.URL{Scheme: to.Scheme, Host: to.Host}
		f.proxy = &httputil.ReverseProxy{Rewrite: func(
			r *httputil.ProxyRequest) {
			r.SetURL(host)
		}} //nolint:exhaustruct // a test's
		c.Servers[sandbox.Connector] = server.URL + sandbox.APIPath
	}})
	s.Connections = append(s.Connections, s.Connect(s.OrgID, s.Sandbox.Accounts()[0].Tokens.Owner, "Shop"))
	return s, f
}

// at is a path of the first connection's gateway.
func at(s *apptest.Service, path string) string {
	return "/connections/" + string(s.Connections[0].ID) + "/gateway/" + path
}

// direct asks the sandbox itself.
func direct(t *testing.T, s *apptest.Service, path string) (int, string, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.SandboxURL+"/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Sandbox.Accounts()[0].Tokens.Owner)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), body
}

// Rule R65: status, body and content type come back unchanged.
func TestTheGatewayReturnsTheResponseByteForByte(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	gatewayKey := key(t, s, "connector:gateway")
	for _, path := range []string{
		"entity/product?limit=100&expand=supplier",
		"report/stock/all?limit=1000&filter=stockMode%3Dall%3BquantityMode%3Dall", "report/stock/all/current",
		"entity/product/00000000-0000-0000-0000-000000000000", "entity/nothing", "entity/product?filter=nothing%3D1",
		"entity/product?limit=x", "report/nothing", "context/employee",
		"entity/product?search=%D0%BF%D0%B0%D0%B7%D0%BB",
	} {
		status, kind, body := direct(t, s, path)
		a := s.Do(http.MethodGet, at(s, path), gatewayKey, nil)
		if a.Status != status || a.Header.Get("Content-Type") != kind || !bytes.Equal(a.Body, body) {
			t.Errorf("%s: %d %s, %d bytes; the API itself: %d %s, %d bytes", path, a.Status,
				a.Header.Get("Content-Type"), len(a.Body), status, kind, len(body))
		}
	}
	head := s.Do(http.MethodHead, at(s, "entity/store"), gatewayKey, nil)
	if head.Status != http.StatusOK || len(head.Body) != 0 ||
		head.Header.Get("Content-Type") != "application/json;charset=utf-8" {
		t.Errorf("HEAD: %d %v", head.Status, head.Header)
	}
	for _, other := range []string{"read:data", "write:tools", "read:tools", "chat"} {
		a := s.Do(http.MethodGet, at(s, "entity/store"), key(t, s, other), nil)
		if f := wantFailure(t, other, a, http.StatusForbidden, stockhand.CodePermissionDenied); !strings.Contains(
			f.Detail.Hint+f.Detail.Message, "connector:gateway") {
			t.Errorf("the scope is not named: %s", a.Body)
		}
	}
	usage, err := s.Store.Usage(t.Context(), s.OrgID, "0000-00-00", "9999-99-99")
	if err != nil {
		t.Fatal(err)
	}
	requests := 0
	for _, u := range usage {
		if strings.HasPrefix(u.By, "key:") {
			requests += u.Requests
		}
	}
	if requests != 11 {
		t.Errorf("%d requests counted of 11: %+v", requests, usage)
	}
}

func TestTheGatewayForwardsNoHeadersOrCredentialsOfTheCaller(t *testing.T) {
	s, f := behind(t, map[string]http.HandlerFunc{"entity/echo": func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/plain")
		h.Set("X-Lognex-Reset", "7")
		h.Set("X-Lognex-Auth-Message", "token "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		h.Set("Set-Cookie", "a=b")
		h.Set("Www-Authenticate", "Basic")
		h.Set("Server", "them")
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Connection", "keep-alive")
		h.Set("Etag", `"1"`)
		_, _ = io.WriteString(w, "пример")
	}})
	sent := []string{
		"Cookie", "session=secret", "X-Lognex-Remap-Beta-Feature", "x", "X-Lognex-WebHook-Disable", "true",
		"X-Forwarded-For", "10.0.0.1", "Accept", "application/json",
		"Accept-Language", "en-US,en;q=0.9", "Referer", "https://elsewhere.example", "X-Org-Id", string(s.OrgID),
		"Proxy-Authorization", "Basic eDp5", "If-None-Match", `"1"`, "Origin", "https://elsewhere.example",
		"User-Agent", "their-program",
	}
	a := s.Do(http.MethodGet, at(s, "entity/echo"), s.AdminToken, nil, sent...)
	if a.Status != http.StatusOK || string(a.Body) != "пример" || a.Header.Get("Content-Type") != "text/plain" {
		t.Fatalf("%d %s %s", a.Status, a.Header.Get("Content-Type"), a.Body)
	}
	out := f.last()
	token := s.Sandbox.Accounts()[0].Tokens.Owner
	for name, want := range map[string]string{
		"Authorization": "Bearer " + token, "Accept": "application/json;charset=utf-8", "Accept-Encoding": "gzip",
		"Accept-Language": "en", "User-Agent": "Stockhand",
	} {
		if got := out.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s went out as %q", name, got)
		}
		out.Header.Del(name)
	}
	if len(out.Header) != 0 {
		t.Errorf("also sent: %v", out.Header)
	}
	if a.Header.Get("X-Lognex-Reset") != "7" || a.Header.Get("Etag") != `"1"` {
		t.Errorf("useful headers are missing: %v", a.Header)
	}
	for _, name := range []string{"Set-Cookie", "Www-Authenticate", "Server", "Access-Control-Allow-Origin",
		"X-Lognex-Auth-Message"} {
		if a.Header.Get(name) != "" {
			t.Errorf("%s came back: %q", name, a.Header.Get(name))
		}
	}
	if strings.Contains(fmt.Sprint(a.Header), token) {
		t.Error("the token came back")
	}
}

// sendRaw writes a request to the service's own socket, as no client library would.
func sendRaw(t *testing.T, s *apptest.Service, method, target, token string, lines ...string) (int, []byte) {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	head := method + " " + target + " HTTP/1.1\r\nHost: stockhand\r\nAuthorization: Bearer " + token +
		"\r\nConnection: close\r\n"
	for _, l := range lines {
		head += l + "\r\n"
	}
	if _, err := io.WriteString(c, head+"\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s: %v", target, err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, body
}

// Rule R66: only the connection's own host can be reached; redirects elsewhere, absolute URLs and path
// tricks are refused.
func TestNoPathLeadsTheGatewayOutsideTheAPI(t *testing.T) {
	var stranger atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stranger.Add(1) }))
	t.Cleanup(elsewhere.Close)
	host := strings.TrimPrefix(elsewhere.URL, "http://")
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}
	}
	s, f := behind(t, map[string]http.HandlerFunc{
		"entity/away":     redirect(elsewhere.URL + "/entity/product"),
		"entity/slashes":  redirect("//" + host + "/x"),
		"entity/userinfo": redirect("http://user:pass@" + host + "/"),
		"entity/above":    redirect("/_sandbox/requests"),
		"entity/dots":     redirect(sandbox.APIPath + "/entity/../../../../_sandbox/requests"),
		"entity/encoded":  redirect(sandbox.APIPath + "/entity/%2e%2e/%2e%2e/x"),
		"entity/scheme":   redirect("file:///etc/passwd"),
	})
	prefix := "/api/v1" + at(s, "")
	before := f.count()
	for _, path := range []string{
		"http://" + host + "/", "http:/" + host + "/", "https%3A%2F%2F" + host + "%2F", "//" + host + "/x", "/" + host +
			"/x", "%2F%2F" + host, "@" + host, "user:pass@" + host + "/entity",
		"../../../etc/passwd", "..", ".", "entity/..", "entity/../../x", "entity/./product", "entity//product",
		"entity/product/", "entity/product//",
		"%2e%2e/%2e%2e/x", "%2E%2E%2Fx", ".%2e/x", "entity/%2e%2e%2f%2e%2e/x", "%252e%252e/x", "entity%2F..%2Fproduct",
		"entity%2F%2Fproduct", "entity%252Fproduct",
		"..%2F..%2Fx", "%2Fentity%2Fproduct", "entity%2F", "entity%2F%2e%2e%2fx", "security%2Ftoken",
		"entity%5C..%5Cx", `entity\product`, `\\` + host + `\x`, "entity/..;/x", "entity/product;x=1",
		"entity/product%00", "entity/product%0d%0aX-Evil:%201", "entity/product%0a", "entity/pro%20duct",
		"entity/%D0%BF", "entity/product%23x", "entity/product#x", "entity/product%3Fx=1", "entity/{id}", "entity/*",
		"entity/~root/.env", ".env", "entity/product:8080",
		"", "security/token", "security", "entity/product?x=%0d%0aX-Evil:1", "entity/product?x=%00",
		`entity/product?x=\`, "entity/product?x=%zz", "entity/product?x#y", "entity/product?" +
			strings.Repeat("a", 9000), "entity/product?" + strings.Repeat("b", 30000),
		"entity/" + strings.Repeat("c", 9000), "entity/\xff", "entity/%ff",
	} {
		status, body := sendRaw(t, s, http.MethodGet, prefix+path, s.AdminToken)
		var f failed
		_ = json.Unmarshal(body, &f)
		if status < 400 || status > 499 || (f.Detail.Code == "" && status != http.StatusBadRequest) {
			t.Errorf("%.80q: %d %.200s", path, status, body)
		}
	}
	for _, target := range []string{"http://" + host + prefix + "entity/product", "http://" + host +
		"/entity/product"} {
		if status, body := sendRaw(t, s, http.MethodGet, target, s.AdminToken); status < 400 || status > 499 {
			t.Errorf("absolute %s: %d %.200s", target, status, body)
		}
	}
	for _, id := range []string{"con_%2e%2e", "..", "con_x%2Fgateway%2F..", "%63on_x"} {
		if status, body := sendRaw(t, s, http.MethodGet, "/api/v1/connections/"+id+"/gateway/entity/product",
			s.AdminToken); status < 400 || status > 499 {
			t.Errorf("connection %s: %d %.200s", id, status, body)
		}
	}
	if status, _ := sendRaw(t, s, http.MethodGet, prefix+"entity/product", s.AdminToken, "Transfer-Encoding: chunked",
		"", "2", "{}", "0", ""); status < 400 || status > 499 {
		t.Errorf("a read with a body: %d", status)
	}
	for _, method := range []string{"PATCH", "OPTIONS", "TRACE", "PROPFIND", "get"} {
		if status, body := sendRaw(t, s, method, prefix+"entity/product", s.AdminToken); status < 400 || status > 499 {
			t.Errorf("%s: %d %.200s", method, status, body)
		}
	}
	if n := f.count() - before; n != 0 {
		t.Errorf("%d requests went out, the last to %s", n, f.last().URL)
	}
	for _, path := range []string{"away", "slashes", "userinfo", "above", "dots", "encoded", "scheme"} {
		before := f.count()
		wantFailure(t, path, s.Do(http.MethodGet, at(s, "entity/"+path), s.AdminToken, nil),
			http.StatusUnprocessableEntity, stockhand.CodeValidation)
		if n := f.count() - before; n != 1 {
			t.Errorf("%s: %d requests", path, n)
		}
	}
	if n := stranger.Load(); n != 0 {
		t.Errorf("another host received %d requests", n)
	}
}

// A redirect within the API is followed, as the vendor's own for ids of its web interface are.
func TestARedirectWithinTheAPIIsFollowed(t *testing.T) {
	s, _ := behind(t, map[string]http.HandlerFunc{"entity/moved": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", sandbox.APIPath+"/entity/store?limit=1")
		w.WriteHeader(http.StatusPermanentRedirect)
	}})
	_, _, body := direct(t, s, "entity/store?limit=1")
	a := s.Do(http.MethodGet, at(s, "entity/moved"), s.AdminToken, nil)
	var through, itself struct{ Rows []struct{ ID string } }
	a.Decode(t, &through)
	_ = json.Unmarshal(body, &itself)
	if len(through.Rows) != 1 || through.Rows[0].ID != itself.Rows[0].ID {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

// What may pass is asked again; what it comes to in the end is passed on as it is.
func TestGatewayReadsAreRetriedAfterTemporaryFailures(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	for what, f := range map[string]sandbox.Fault{
		"limit": {Path: "entity/store$", Count: 1, Status: http.StatusTooManyRequests, RetryAfterMS: 50},
		"fault": {Path: "entity/store$", Count: 1, Status: http.StatusBadGateway},
		"cut":   {Path: "entity/store$", Count: 1, Cut: sandbox.CutBefore},
	} {
		if err := s.Sandbox.Fail(f); err != nil {
			t.Fatal(err)
		}
		before := len(s.Sandbox.Requests())
		if a := s.Do(http.MethodGet, at(s, "entity/store"), s.AdminToken, nil); a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", what, a.Status, a.Body)
		}
		if n := len(s.Sandbox.Requests()) - before; n != 2 {
			t.Errorf("%s: %d requests", what, n)
		}
	}
	if err := s.Sandbox.Fail(sandbox.Fault{Path: "entity/store$", Count: 100, Status: http.StatusTooManyRequests,
		RetryAfterMS: 10}); err != nil {
		t.Fatal(err)
	}
	before := len(s.Sandbox.Requests())
	a := s.Do(http.MethodGet, at(s, "entity/store"), s.AdminToken, nil)
	if a.Status != http.StatusTooManyRequests || a.Header.Get("X-Lognex-Retry-After") != "10" ||
		!strings.Contains(string(a.Body), "1049") {
		t.Errorf("the vendor's 429 came back as %d %v %s", a.Status, a.Header, a.Body)
	}
	if n := len(s.Sandbox.Requests()) - before; n != 4 {
		t.Errorf("%d requests", n)
	}
	s.Audit.Flush(t.Context())
	if n := count(audit(t, s), "request.refused"); n != 0 {
		t.Errorf("the vendor's 429 is %d refusals in the audit log", n)
	}
}

// An answer is streamed: its beginning is there before its end is made, and one that breaks off does not look whole.
func TestGatewayResponsesAreStreamedAndBrokenOnesAborted(t *testing.T) {
	received := make(chan struct{})
	s, _ := behind(t, map[string]http.HandlerFunc{
		"entity/slow": func(w http.ResponseWriter, r *http.Request) {
			z := gzip.NewWriter(w)
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/json;charset=utf-8")
			_, _ = z.Write(bytes.Repeat([]byte("beginning "), 10_000))
			_ = z.Flush()
			w.(http.Flusher).Flush()
			select {
			case <-received:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(z, "end")
			_ = z.Close()
		},
		"entity/broken": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write(make([]byte, 50_000))
			panic(http.ErrAbortHandler)
		},
	})
	resp, err := http.DefaultClient.Do(s.Request(http.MethodGet, at(s, "entity/slow"), s.AdminToken, nil,
		"Accept-Encoding", "identity"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 1000)); err != nil {
		t.Fatal("the beginning does not come before the end:", err)
	}
	close(received)
	rest, err := io.ReadAll(resp.Body)
	if err != nil || len(rest) != 100_000+3-1000 {
		t.Errorf("%d bytes more, %v", len(rest), err)
	}
	broken, err := http.DefaultClient.Do(s.Request(http.MethodGet, at(s, "entity/broken"), s.AdminToken, nil))
	if err == nil {
		defer broken.Body.Close()
		_, err = io.ReadAll(broken.Body)
	}
	if err == nil {
		t.Error("half an answer looks whole")
	}
}

// A request that fails for good is not repeated, whatever the caller does.
func TestAGatewayCallThatKeepsFailingIsBlocked(t *testing.T) {
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	before := len(s.Sandbox.Requests())
	var last apptest.Answer
	for range 70 {
		last = s.Do(http.MethodGet, at(s, "entity/product/00000000-0000-0000-0000-000000000000"), s.AdminToken, nil)
	}
	wantFailure(t, "the 70th", last, http.StatusTooManyRequests, stockhand.CodeRateLimited)
	if n := len(s.Sandbox.Requests()) - before; n != 60 {
		t.Errorf("%d requests went out", n)
	}
	if a := s.Do(http.MethodGet, at(s, "entity/store"), s.AdminToken, nil); a.Status != http.StatusOK {
		t.Errorf("another request: %d", a.Status)
	}
}
