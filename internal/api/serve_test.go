package api

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
)

func TestEveryAnswerCarriesARequestID(t *testing.T) {
	k := newCore(t, Config{}, echoRoute,
		route{"GET /panic", signedIn, "panic", "Panic",
			plain(func(http.ResponseWriter, *http.Request) error { panic("x") })})
	for _, path := range []string{"/healthz", "/docs", "/api/v1/openapi.json", "/nothing", "/api/v1/echo",
		"/api/v1/panic"} {
		a, b := k.do("GET", path, nil).header.Get("X-Request-Id"), k.do("GET", path, nil).header.Get("X-Request-Id")
		if !strings.HasPrefix(a, "req_") || a == b {
			t.Errorf("%s: %q, then %q", path, a, b)
		}
		if got := k.do("GET", path, nil, "X-Request-Id", "mine-1/2:3").header.Get("X-Request-Id"); got != "mine-1/2:3" {
			t.Errorf("%s: the caller's own became %q", path, got)
		}
	}
	for _, bad := range []string{"a b", strings.Repeat("a", 129), "\xff", "é"} {
		if got := k.do("GET", "/healthz", nil, "X-Request-Id", bad).header.Get("X-Request-Id"); !strings.HasPrefix(got,
			"req_") {
			t.Errorf("%q was kept as %q", bad, got)
		}
	}
}

func TestAFailedResponseIsAbortedRatherThanEndedNormally(t *testing.T) {
	begin := func(then func() error) handler {
		return plain(func(w http.ResponseWriter, _ *http.Request) error {
			_, _ = io.WriteString(w, "half of it")
			return then()
		})
	}
	k := newCore(t, Config{}, route{"GET /error", signedIn, "error", "Error",
		begin(func() error { return errors.New("late") })},
		route{"GET /panic", signedIn, "panic", "Panic", begin(func() error { panic("late") })})
	for _, path := range []string{"/error", "/panic"} {
		r, _ := http.NewRequest("GET", k.url+"/api/v1"+path, nil)
		r.Header.Set("Authorization", "Bearer "+k.token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			continue // cut off before a byte left
		}
		if b, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("%s: a whole answer: %q", path, b)
		}
		answer.Body.Close()
	}
}

// A client that closes its side of the connection, which ends the request's context, may still read the answer.
func TestAResponseToAClientThatClosedItsSideDoesNotLookWhole(t *testing.T) {
	wait := func(begin string) handler {
		return plain(func(w http.ResponseWriter, r *http.Request) error {
			if begin != "" {
				_, _ = io.WriteString(w, begin)
			}
			<-r.Context().Done()
			return r.Context().Err()
		})
	}
	k := newCore(t, Config{}, route{"GET /begun", signedIn, "begun", "X", wait("half of it")},
		route{"GET /waiting", signedIn, "waiting", "X", wait("")})
	for _, path := range []string{"/begun", "/waiting"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(k.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "GET /api/v1%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path,
			k.token)
		if err := errors.Join(err, conn.(*net.TCPConn).CloseWrite()); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			continue // cut off before a byte left
		}
		if b, err := io.ReadAll(answer.Body); err == nil {
			t.Errorf("%s: a whole answer: %d %q", path, answer.StatusCode, b)
		}
	}
}

func TestAnErrorHasNoHeadersOfTheResponseThatFailed(t *testing.T) {
	k := newCore(t, Config{}, route{"GET /file", signedIn, "file", "File",
		plain(func(w http.ResponseWriter, _ *http.Request) error {
			for _, name := range []string{"Content-Disposition", "Content-Language", "ETag"} {
				w.Header().Set(name, "x")
			}
			return invalid("rows", "are too many")
		})})
	r := k.do("GET", "/api/v1/file", nil)
	r.failure(t)
	for _, name := range []string{"Content-Disposition", "Content-Language", "ETag"} {
		if got := r.header.Get(name); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestHEADWorksWhereGETDoes(t *testing.T) {
	k := newCore(t, Config{}, route{"GET /things", signedIn, "things", "Things",
		typed(func(context.Context, *struct{}) (*Answer[thing], error) { return answerOf(thing{Name: "x"}) })})
	for _, path := range []string{"/healthz", "/docs", "/api/v1/things"} {
		r := k.do("HEAD", path, nil)
		if get := k.do("GET", path, nil); r.status != 200 || r.body != "" ||
			r.header.Get("Content-Type") != get.header.Get("Content-Type") {
			t.Errorf("%s: %d %q %v", path, r.status, r.body, r.header)
		}
	}
}

func TestResponsesAreCompressedOnRequest(t *testing.T) {
	long := strings.Repeat("stock ", 2000)
	k := newCore(t, Config{}, route{"GET /long", signedIn, "long", "Long",
		typed(func(context.Context, *struct{}) (*Answer[thing], error) { return answerOf(thing{Name: long}) })},
		route{"GET /events", signedIn, "events", "Events",
			plain(func(w http.ResponseWriter, _ *http.Request) error {
				w.Header().Set("Content-Type", "text/event-stream")
				_, err := io.WriteString(w, "data: "+long+"\n\n")
				return err
			})})
	r := k.do("GET", "/api/v1/long", nil, "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(strings.NewReader(r.body))
	if err != nil || r.header.Get("Content-Encoding") != "gzip" ||
		!strings.Contains(r.header.Get("Vary"), "Accept-Encoding") {
		t.Fatalf("%v, %v", err, r.header)
	}
	if b, err := io.ReadAll(z); err != nil || !strings.Contains(string(b), long) {
		t.Errorf("%v, %.50s", err, b)
	}
	if r := k.do("GET", "/api/v1/long", nil); r.header.Get("Content-Encoding") != "" ||
		!strings.Contains(r.body, long) {
		t.Errorf("unasked: %v", r.header)
	}
	if r := k.do("GET", "/api/v1/events", nil, "Accept-Encoding", "gzip"); r.header.Get("Content-Encoding") != "" {
		t.Errorf("an event stream: %v", r.header)
	}
}

// A stream is passed on event by event, also to those who take compression, and outlives the time that one write may
// take.
func TestAStreamArrivesEventByEvent(t *testing.T) {
	more := make(chan struct{})
	k := newCore(t, Config{}, route{"GET /events", signedIn, "events", "Events",
		plain(func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Content-Type", "text/event-stream")
			control := http.NewResponseController(w)
			for range 2 {
				if _, err := io.WriteString(w, "data: 1\n\n"); err != nil {
					return err
				}
				if err := control.Flush(); err != nil {
					return err
				}
				select {
				case <-more:
				case <-r.Context().Done():
				}
			}
			return nil
		})})
	r, _ := http.NewRequest("GET", k.url+"/api/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+k.token)
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	if !lines.Scan() || lines.Text() != "data: 1" { // arrives although the stream goes on
		t.Fatalf("%q %v", lines.Text(), lines.Err())
	}
	close(more)
	for lines.Scan() {
	}
	if lines.Err() != nil {
		t.Error(lines.Err())
	}
}

func TestOtherOriginsMayCallOnlyWhereConfigured(t *testing.T) {
	closed, open := newCore(t, Config{}, echoRoute),
		newCore(t, Config{Origins: []string{"https://shop.example"}}, echoRoute)
	ask := func(k *core, origin string) reply {
		return k.do("OPTIONS", "/api/v1/echo", nil, "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization,x-stainless-os,mcp-protocol-version",
			"Authorization", "")
	}
	if r := ask(closed, "https://shop.example"); r.status != 405 || r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("off by default: %d %v", r.status, r.header)
	}
	if r := ask(open, "https://shop.example"); r.status != 204 ||
		r.header.Get("Access-Control-Allow-Origin") != "https://shop.example" ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Headers"),
			"authorization,x-stainless-os,mcp-protocol-version") {
		t.Errorf("%d %v", r.status, r.header)
	}
	if r := ask(open, "https://elsewhere.example"); r.status != 405 ||
		r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another origin: %d %v", r.status, r.header)
	}
	if r := open.do("POST", "/api/v1/echo", `{"name":"x"}`, "Origin", "https://shop.example"); r.status != 200 ||
		r.header.Get("Access-Control-Allow-Origin") == "" || r.header.Get("Vary") == "" {
		t.Errorf("%d %v", r.status, r.header)
	}
}

func TestTheLogContainsEveryRequestAndNoSecret(t *testing.T) {
	k := newCore(t, Config{}, echoRoute,
		route{"DELETE /things/{id}", writeTools, "things", "Things", failing(errNoRoute)})
	key := k.key("write:tools")
	k.do("POST", "/api/v1/echo?token="+key, `{"name":"hunter2"}`, "Authorization", "Bearer "+key)
	k.do("DELETE", "/api/v1/things/"+key, nil, "Authorization", "Bearer "+key)
	k.do("GET", "/"+key, nil)
	log := k.log.String()
	if strings.Contains(log, key) || strings.Contains(log, "hunter2") {
		t.Errorf("the log has a secret: %s", log)
	}
	for _, want := range []string{"method=POST", "route=/api/v1/echo", "status=422", "status=404", "actor=key:key_",
		"org=" + string(k.org), "ip=127.0.0.1", "took="} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %s: %s", want, log)
		}
	}
}

func TestMetricsCountEveryRequest(t *testing.T) {
	heard := make(chan string, 10)
	k := newCore(t, Config{Observe: func(route string, status int, took time.Duration) {
		if took <= 0 {
			t.Errorf("%s took %s", route, took)
		}
		heard <- route + " " + http.StatusText(status)
	}}, echoRoute)
	k.do("POST", "/api/v1/echo", `{"name":"x"}`)
	k.do("GET", "/nothing", nil)
	for _, want := range []string{"/api/v1/echo OK", " Not Found"} {
		if got := <-heard; got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
}

func TestReadyzReportsReadiness(t *testing.T) {
	var why error
	k := newCore(t, Config{Ready: func(context.Context) error { return why }}, echoRoute)
	if r := k.do("GET", "/readyz", nil, "Authorization", ""); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
	why = errors.New("the database at 10.0.0.7 is gone")
	if r := k.do("GET", "/readyz", nil, "Authorization", ""); r.status != 503 || strings.Contains(r.body, "10.0.0.7") ||
		r.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", r.status, r.body)
	}
	why = &stockhand.Error{Code: stockhand.CodeDatabaseUnavailable, Message: "the disk is full", Err: why}
	if r := k.do("GET", "/readyz", nil, "Authorization", ""); r.status != 503 || strings.Contains(r.body, "10.0.0.7") ||
		!strings.Contains(r.body, `"reason":"the disk is full"`) {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := k.do("GET", "/healthz", nil, "Authorization", ""); r.status != 200 {
		t.Errorf("alive, if not ready: %d", r.status)
	}
}

func TestAMissingBodyTimesOut(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	c, err := net.Dial("tcp", strings.TrimPrefix(k.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// Nothing of the body is needed to refuse: the answer comes before it.
	_, _ = io.WriteString(c, "POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n")
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(line, "401") {
		t.Errorf("%q %v", line, err)
	}
}

// Review L21: a browser that once came over HTTPS must not come back over HTTP.
func TestAttackTLSAnswersDemandTLS(t *testing.T) {
	k := newCore(t, Config{}, echoRoute)
	encrypted := httptest.NewTLSServer(k.server)
	defer encrypted.Close()
	for client, want := range map[string]string{encrypted.URL: "max-age=31536000", k.url: ""} {
		answer, err := encrypted.Client().Get(client + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if got := answer.Header.Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: %q", client, got)
		}
	}
}

func TestAttackOldVersionsOfTLS(t *testing.T) {
	encrypted := httptest.NewUnstartedServer(nil)
	encrypted.Config = HTTPServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	encrypted.StartTLS()
	defer encrypted.Close()
	for version, want := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true,
		tls.VersionTLS13: true} {
		c, err := tls.Dial("tcp", encrypted.Listener.Addr().String(), &tls.Config{MinVersion: version,
			MaxVersion: version, InsecureSkipVerify: true})
		if (err == nil) != want {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			_ = c.Close()
		}
	}
}

func TestARequestThatEndsItsCallersAccessIsAnswered(t *testing.T) {
	t.Parallel()
	ends := func(contentType string) handler {
		return plain(func(w http.ResponseWriter, r *http.Request) error {
			c := callOf(r.Context())
			c.asked, c.still = time.Time{}, func() error { return errors.New("access ended") }
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(http.StatusOK)
			_, err := io.WriteString(w, "answer")
			return err
		})
	}
	k := newCore(t, Config{},
		route{"DELETE /myself", signedIn, "sign_out", "Sign out", ends("text/plain")},
		route{"GET /events", signedIn, "events", "Events", ends("text/event-stream")})
	if a := k.do("DELETE", "/api/v1/myself", nil); a.status != http.StatusOK || a.body != "answer" {
		t.Errorf("signing out: %d %q", a.status, a.body)
	}
	r, _ := http.NewRequest(http.MethodGet, k.url+"/api/v1/events", nil)
	r.Header.Set("Authorization", "Bearer "+k.token)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return // cut off before a byte left
	}
	defer func() { _ = a.Body.Close() }()
	if body, _ := io.ReadAll(a.Body); strings.Contains(string(body), "answer") {
		t.Errorf("an event reached a caller without access: %q", body)
	}
}
