package sandbox

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// newLiveServer serves a new sandbox on a real TCP connection: Cut faults close it.
func newLiveServer(t *testing.T) (*Server, string) {
	t.Helper()
	s := newServer(t, func(o *Options) { o.Now = time.Now })
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return s, srv.URL
}

func send(t *testing.T, s *Server, method, url, body string) (int, []byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+owner(s))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, b, err
}

func TestFaultsFailTheNextMatchingRequests(t *testing.T) {
	s, url := newLiveServer(t)
	fault := func(body string) {
		t.Helper()
		if status, b, err := send(t, s, http.MethodPost, url+"/_sandbox/faults", body); err != nil ||
			status != http.StatusOK {
			t.Fatalf("%d %s %v", status, b, err)
		}
	}
	path := url + apiRoot + "/entity/store"

	fault(`{"path": "entity/store$", "count": 2, "status": 503}`)
	for i, want := range []int{503, 503, 200} {
		if status, b, err := send(t, s, http.MethodGet, path, ""); status != want || err != nil ||
			(want == 503) == json.Valid(b) {
			t.Errorf("request %d: %d %.80s %v, want %d", i, status, b, err, want)
		}
	}

	fault(`{"path": "entity/store", "count": 1, "status": 429, "retry_after_ms": 700}`)
	a := request(t, s, owner(s), "entity/store")
	if wantError(t, a, 429, 1049); a.header.Get("X-Lognex-Retry-After") != "700" {
		t.Errorf("headers %v", a.header)
	}
	fault(`{"path": "entity/store", "count": 1, "status": 429}`)
	if a := request(t, s, owner(s), "entity/store"); a.header.Get("X-Lognex-Retry-After") != "" {
		t.Errorf("headers %v", a.header)
	} else {
		wantError(t, a, 429, 1073)
	}

	fault(`{"path": "entity/store", "count": 1, "body": "{\"rows\": [{"}`)
	if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK || string(a.body) != `{"rows": [{` {
		t.Errorf("broken JSON: %d %s", a.status, a.body)
	}

	fault(`{"path": "entity/store", "method": "POST", "count": 1, "status": 500}`)
	if a := request(t, s, owner(s), "entity/store"); a.status != http.StatusOK {
		t.Errorf("a fault for another method was applied: status %d", a.status)
	}
	if status, _, _ := send(t, s, http.MethodDelete, url+"/_sandbox/faults", ""); status != http.StatusNoContent {
		t.Errorf("DELETE: %d", status)
	}
	if f := s.faults.take(httptest.NewRequest(http.MethodPost, path, nil)); f != nil {
		t.Error("a fault survived DELETE")
	}
}

func TestBadFaultsAreRefused(t *testing.T) {
	s, url := newLiveServer(t)
	for _, bad := range []string{
		`{"path": "(", "count": 1}`, `{"path": "x"}`, `{"path": "x", "count": 1, "cut": "sometimes"}`,
		`{"path": "x", "count": 1, "status": 1000}`, `{"path": "x", "count": 1, "wat": 1}`, `nonsense`,
	} {
		if status, b, err := send(t, s, http.MethodPost, url+"/_sandbox/faults", bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s %v", bad, status, b, err)
		}
	}
}

func TestCutsEndTheConnection(t *testing.T) {
	s, url := newLiveServer(t)
	for _, cut := range []Cut{CutBefore, CutAfterWrite} {
		if err := s.Fail(Fault{Path: "entity/store", Count: 10, Cut: cut}); err != nil {
			t.Fatal(err)
		}
		if status, _, err := send(t, s, http.MethodGet, url+apiRoot+"/entity/store", ""); err == nil {
			t.Errorf("%s: status %d", cut, status)
		}
		s.faults.clear()
	}
	if err := s.Fail(Fault{Path: "entity/product", Count: 1, Cut: CutMiddle}); err != nil {
		t.Fatal(err)
	}
	status, body, err := send(t, s, http.MethodGet, url+apiRoot+"/entity/product", "")
	if status != http.StatusOK || err == nil || len(body) == 0 {
		t.Errorf("middle: status %d, %d bytes, error %v; want a truncated body", status, len(body), err)
	}
}

// left returns how many faults no request has taken.
func left(s *Server) int {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	return len(s.faults.list)
}

func TestClearingTheFaultsEndsTheirDelays(t *testing.T) {
	s, url := newLiveServer(t)
	if err := s.Fail(Fault{Path: "entity/store", Count: 1, DelayMS: 600_000}); err != nil {
		t.Fatal(err)
	}
	answered := make(chan int)
	go func() {
		status, _, err := send(t, s, http.MethodGet, url+apiRoot+"/entity/store", "")
		if err != nil {
			t.Error(err)
		}
		answered <- status
	}()
	for left(s) > 0 { // until the request arrives
		time.Sleep(time.Millisecond)
	}
	s.ClearFaults()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("status %d", status)
	}
}

func TestDelayPostponesTheResponse(t *testing.T) {
	s, url := newLiveServer(t)
	if err := s.Fail(Fault{Path: "entity/store", Count: 1, DelayMS: 50}); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if status, _, err := send(t, s, http.MethodGet, url+apiRoot+"/entity/store", ""); status != http.StatusOK ||
		err != nil {
		t.Errorf("%d %v", status, err)
	}
	if d := time.Since(start); d < 50*time.Millisecond {
		t.Errorf("responded after %v", d)
	}
}

func TestRequestsAreRecordedAsTheyArrive(t *testing.T) {
	s, url := newLiveServer(t)
	if _, _, err := send(t, s, http.MethodGet, url+apiRoot+"/report/stock/all?limit=1", ""); err != nil {
		t.Fatal(err)
	}
	request(t, s, s.Accounts()[0].Tokens.Revoked, "entity/organization")
	_, b, err := send(t, s, http.MethodGet, url+"/_sandbox/requests", "")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Data []map[string]any `json:"data"`
	}
	if err := json.Unmarshal(b, &list); err != nil || len(list.Data) != 2 {
		t.Fatalf("%v: %s", err, b)
	}
	first, second := list.Data[0], list.Data[1]
	if first["method"] != "GET" || first["path"] != apiRoot+"/report/stock/all" || first["query"] != "limit=1" ||
		first["status"] != 200.0 || first["account_id"] != s.Accounts()[0].AccountID || first["employee"] == "" {
		t.Errorf("first %v", first)
	}
	if second["status"] != 401.0 || second["account_id"] != "" {
		t.Errorf("second %v", second)
	}
	if at, err := time.Parse(time.RFC3339Nano, first["at"].(string)); err != nil || time.Since(at) > time.Minute {
		t.Errorf("at %v: %v", first["at"], err)
	}
	if ids, ok := first["sync_ids"].([]any); !ok || len(ids) != 0 {
		t.Errorf("sync_ids %v", first["sync_ids"])
	}
}

func TestResetStartsOver(t *testing.T) {
	s, url := newLiveServer(t)
	before := rows(t, s, owner(s), "entity/product?limit=3")
	_ = s.Fail(Fault{Path: ".", Count: 100, Status: 500})
	if status, _, err := send(t, s, http.MethodPost, url+"/_sandbox/reset", ""); status != http.StatusNoContent ||
		err != nil {
		t.Fatalf("%d %v", status, err)
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests recorded after the reset", n)
	}
	after := rows(t, s, owner(s), "entity/product?limit=3")
	if names(before)[2] != names(after)[2] || before[2]["id"] != after[2]["id"] {
		t.Error("the reset generated a different company")
	}
}

func TestRecordEvictsTheOldestRequest(t *testing.T) {
	var r record
	for i := range recordLimit + 10 {
		r.arrive(Request{Status: i})
	}
	r.amend(3, func(*Request) { t.Error("amended an evicted request") })
	all := r.all()
	if len(all) != recordLimit || all[0].Status != 10 || all[len(all)-1].Status != recordLimit+9 {
		t.Errorf("%d requests, from %d to %d", len(all), all[0].Status, all[len(all)-1].Status)
	}
}

func TestAnswersAreStreamed(t *testing.T) {
	s := shared()
	r := httptest.NewRequest(http.MethodGet, apiRoot+"/entity/product", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	r.Header.Set("Authorization", "Bearer "+owner(s))
	w := &writeCounter{ResponseRecorder: httptest.NewRecorder()}
	s.ServeHTTP(w, r)
	if w.n < 5 {
		t.Errorf("%d writes, want at least 5: the page was buffered", w.n)
	}
	z, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || !json.Valid(b) {
		t.Errorf("%v", err)
	}
}

// writeCounter counts calls to Write.
type writeCounter struct {
	*httptest.ResponseRecorder
	n int
}

func (c *writeCounter) Write(b []byte) (int, error) {
	c.n++
	return c.ResponseRecorder.Write(b)
}

func TestEncoderWritesJSON(t *testing.T) {
	hard := "tab\t, quote\", back\\slash, line\n, bell\a, кириллица, \xff broken, <html>&\u2028"
	var b bytes.Buffer
	e := newEncoder(&b)
	e.object(func() {
		e.key("s")
		e.string(hard)
		e.key("n")
		e.array(func() {
			for _, n := range []int64{0, 1, -1, one, -one, 123456, -15000, 1 << 62} {
				e.fixed(n)
			}
			e.null()
			e.bool(true)
		})
		e.key("o")
		e.object(func() {})
	})
	if err := e.flush(); err != nil {
		t.Fatal(err)
	}
	var got struct {
		S string            `json:"s"`
		N []json.RawMessage `json:"n"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, b.Bytes())
	}
	if want := strings.ReplaceAll(hard, "\xff", "\ufffd"); got.S != want {
		t.Errorf("got %q, want %q", got.S, want)
	}
	want := []string{"0", "0.0001", "-0.0001", "1", "-1", "12.3456", "-1.5", "461168601842738.7904", "null", "true"}
	for i, w := range want {
		if string(got.N[i]) != w {
			t.Errorf("number %d: %s, want %s", i, got.N[i], w)
		}
	}
	e = newEncoder(failing{})
	e.string("x")
	if err := e.flush(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("write error: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestTheRecordIsInUTC(t *testing.T) {
	s := newServer(t) // its clock is in Moscow time
	request(t, s, owner(s), "entity/organization")
	b, err := json.Marshal(s.Requests()[0])
	if err != nil || !bytes.Contains(b, []byte(`"at":"2026-11-20T09:00:00Z"`)) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestAResponseInFlightAmendsNoRequestRecordedAfterAReset(t *testing.T) {
	var r record
	before := r.arrive(Request{Path: "before"})
	r.reset()
	r.arrive(Request{Path: "after"})
	r.amend(before, func(q *Request) { t.Errorf("amended request %s", q.Path) })
	for i := range recordLimit {
		r.arrive(Request{Status: i})
	}
	if all := r.all(); len(all) != recordLimit || all[0].Status != 0 || all[recordLimit-1].Status != recordLimit-1 {
		t.Errorf("%d requests, from %+v to %+v", len(all), all[0], all[len(all)-1])
	}
}

// Finding L18: any web page could reset the sandbox, including through a host name that resolves to 127.0.0.1.
func TestAttackAPageOfAnotherSiteControlsNothing(t *testing.T) {
	s := New(Options{})
	for name, c := range map[string]struct {
		host   string
		header [2]string
		want   int
	}{
		"a program":          {"127.0.0.1:9000", [2]string{}, http.StatusNoContent},
		"by name":            {"localhost:9000", [2]string{}, http.StatusNoContent},
		"over IPv6":          {"[::1]:9000", [2]string{}, http.StatusNoContent},
		"a simple POST":      {"127.0.0.1:9000", [2]string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"a hidden origin":    {"127.0.0.1:9000", [2]string{"Origin", "null"}, http.StatusForbidden},
		"no origin at all":   {"127.0.0.1:9000", [2]string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"a rebound name":     {"evil.example:9000", [2]string{}, http.StatusForbidden},
		"another address":    {"192.0.2.1:9000", [2]string{}, http.StatusForbidden},
		"an empty host name": {"", [2]string{}, http.StatusForbidden},
	} {
		r := httptest.NewRequest(http.MethodPost, "/_sandbox/reset", strings.NewReader(""))
		if r.Host = c.host; c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
}
