package sandbox

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const contentType = "application/json;charset=utf-8"

// call is an API request: the caller, path, query, and the base of hrefs in the response.
type call struct {
	server   *Server
	request  *http.Request
	employee *employee
	account  *account
	base     string   // "https://host/api/remap/1.2", with the host that the client used
	path     []string // below the root, split
	query    url.Values

	childID   string                       // the last id of a path below an object
	withStock bool                         // fields=stock: positions show stock
	sales     map[company.ID]company.Money // per counterparty; computed on first use
}

// answer is the result of a handler. A nil body means an empty response.
type answer struct {
	status          int // 0 means 200
	location        string
	contentLocation string
	body            func(*encoder)
}

// ServeHTTP serves the API and /_sandbox.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := s.now()
	if strings.HasPrefix(r.URL.Path, "/_sandbox/") {
		s.routes.ServeHTTP(w, r)
		return
	}
	arrival := Request{At: arrived.UTC(), Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery,
		SyncIDs: []string{}}
	state := s.state.Load()
	who, known := state.authenticate(r)
	if known {
		arrival.AccountID, arrival.Employee = who.account.info.AccountID, who.UID
	}
	seq := s.record.arrive(arrival)
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		raw, _ := io.ReadAll(io.LimitReader(r.Body, maxBody+1)) // a truncated body is refused as invalid JSON
		r.Body = io.NopCloser(bytes.NewReader(raw))
		s.record.amend(seq, func(q *Request) { q.SyncIDs = syncIDs(raw) })
	}
	recorded := &statusRecorder{ResponseWriter: w, note: func(status int) {
		s.record.amend(seq, func(q *Request) { q.Status = status })
	}}
	handle := func(w http.ResponseWriter) { s.serveAPI(w, r, state, who) }
	if f := s.faults.take(r); f != nil {
		f.apply(recorded, r, handle)
		return
	}
	handle(recorded)
}

// statusRecorder adds the status of the response to the record.
type statusRecorder struct {
	http.ResponseWriter
	note func(status int)
}

func (n *statusRecorder) WriteHeader(status int) {
	n.note(status)
	n.ResponseWriter.WriteHeader(status)
}

func (n *statusRecorder) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// serveAPI checks compression, path, headers, token and limits of a request, then routes it. A nil employee means that
// the token was rejected.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request, state *state, who *employee) {
	if !acceptsGzip(r.Header) {
		w.WriteHeader(http.StatusUnsupportedMediaType) // with an empty body (fact M2)
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, apiRoot+"/")
	if !ok {
		notFound(w)
		return
	}
	// Exactly this value is refused, although the response has that type (fact M3).
	if r.Header.Get("Accept") == "application/json" {
		writeAnswer(w, r, answer{}, errAccept())
		return
	}
	if who == nil {
		w.Header().Set("X-Lognex-Auth", "1056")
		writeAnswer(w, r, answer{}, errAuth())
		return
	}
	path := strings.Trim(rest, "/")
	v, leave := state.limits.enter(s.now(), who.account.info.AccountID, string(who.ID), weightOf(path, s.now()))
	defer leave()
	if s.options.NoLimits {
		v.refusal = nil
	}
	v.headers(w.Header())
	if v.refusal != nil {
		writeAnswer(w, r, answer{}, v.refusal)
		return
	}
	if s.options.Latency > 0 && !sleep(r, s.options.Latency) {
		return
	}
	query, err := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B"))
	if err != nil {
		writeAnswer(w, r, answer{}, refuse(http.StatusBadRequest, 1058, "Строка запроса не закодирована"))
		return
	}
	c := &call{
		server: s, request: r, employee: who, account: who.account,
		base: scheme(r) + "://" + r.Host + apiRoot, path: strings.Split(path, "/"), query: query,
	}
	a, err := c.route()
	writeAnswer(w, r, a, err)
}

// scheme returns the scheme that the client used, even behind a proxy.
func scheme(r *http.Request) string {
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		return "https"
	}
	return "http"
}

// notFound responds to a path outside the API (fact M93).
func notFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, "<html><body><h1>404 Not Found</h1></body></html>")
}

// acceptsGzip reports whether the client accepts gzip, which the vendor requires.
func acceptsGzip(h http.Header) bool {
	for _, line := range h.Values("Accept-Encoding") {
		for coding := range strings.SplitSeq(line, ",") {
			name, quality, _ := strings.Cut(strings.TrimSpace(coding), ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") && strings.TrimSpace(quality) != "q=0" {
				return true
			}
		}
	}
	return false
}

// authenticate accepts user tokens only. The sandbox has no passwords, so Basic credentials are always wrong.
func (s *state) authenticate(r *http.Request) (*employee, bool) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return nil, false
	}
	e, ok := s.byToken[strings.TrimSpace(token)]
	return e, ok
}

// compressors reuses gzip writers, which take almost a megabyte each.
var compressors = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// writeAnswer streams a response, or the error in err, compressed.
func writeAnswer(w http.ResponseWriter, r *http.Request, a answer, err error) {
	if err != nil {
		refusal, ok := errors.AsType[*apiError](err)
		if !ok {
			refusal = refuse(http.StatusInternalServerError, 1999, "Неизвестная ошибка")
		}
		a = answer{status: refusal.status, body: refusal.body}
	}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if a.location != "" {
		w.Header().Set("Location", a.location)
	}
	if a.contentLocation != "" {
		w.Header().Set("Content-Location", a.contentLocation)
	}
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(a.status)

	z := compressors.Get().(*gzip.Writer)
	defer compressors.Put(z)
	z.Reset(w)
	if r.Header.Get("Lognex-Pretty-Print-JSON") == "true" {
		_ = indented(z, a.body) // the client may have disconnected
	} else {
		e := newEncoder(z)
		a.body(e)
		_ = e.flush() // likewise
	}
	_ = z.Close() // likewise
}

func indented(w io.Writer, body func(*encoder)) error {
	var plain, pretty bytes.Buffer
	e := newEncoder(&plain)
	body(e)
	if err := e.flush(); err != nil {
		return err
	}
	if err := json.Indent(&pretty, plain.Bytes(), "", "  "); err != nil {
		return err
	}
	_, err := pretty.WriteTo(w)
	return err
}

// sleep waits and reports whether the client is still connected.
func sleep(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
