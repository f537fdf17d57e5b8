package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Cut is the point at which the server drops the connection.
type Cut string

// The points at which a connection may be dropped.
const (
	CutBefore Cut = "before" // before handling the request: no response
	CutMiddle Cut = "middle" // after half of the response body
	// the request is handled but the response is lost; the fault's status or body, if set, is sent instead
	CutAfterWrite Cut = "after_write"
)

// Fault makes matching requests fail.
type Fault struct {
	Path         string `json:"path"`             // regular expression for the request's path
	Method       string `json:"method,omitempty"` // empty: any
	Count        int    `json:"count"`            // how many matching requests fail
	Status       int    `json:"status,omitempty"` // respond with this status and a vendor-style error
	DelayMS      int    `json:"delay_ms,omitempty"`
	Cut          Cut    `json:"cut,omitempty"`
	RetryAfterMS int    `json:"retry_after_ms,omitempty"` // sent as X-Lognex-Retry-After
	Body         string `json:"body,omitempty"`           // respond with exactly this text, such as broken JSON

	path    *regexp.Regexp
	cleared chan struct{} // closed when the faults are cleared, which ends the delay
}

func (f *Fault) check() error {
	var err error
	if f.path, err = regexp.Compile(f.Path); err != nil {
		return fmt.Errorf("path: %w", err)
	}
	switch {
	case f.Count < 1:
		return errors.New("count: at least 1")
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return errors.New("status: from 200 to 599")
	case f.DelayMS < 0 || f.RetryAfterMS < 0:
		return errors.New("delay_ms and retry_after_ms: not negative")
	case !slices.Contains([]Cut{"", CutBefore, CutMiddle, CutAfterWrite}, f.Cut):
		return errors.New("cut: before, middle or after_write")
	}
	return nil
}

// faults are applied in the order in which they were added.
type faults struct {
	mu      sync.Mutex
	list    []*Fault
	cleared chan struct{} // of the faults in the list and those that requests took from it
}

func (fs *faults) add(f Fault) error {
	if err := f.check(); err != nil {
		return err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.cleared == nil {
		fs.cleared = make(chan struct{})
	}
	f.cleared = fs.cleared
	fs.list = append(fs.list, &f)
	return nil
}

// take returns the first matching fault and decrements its count, or returns nil.
func (fs *faults) take(r *http.Request) *Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for i, f := range fs.list {
		if (f.Method != "" && f.Method != r.Method) || !f.path.MatchString(r.URL.Path) {
			continue
		}
		if f.Count--; f.Count == 0 {
			fs.list = slices.Delete(fs.list, i, i+1)
		}
		return f
	}
	return nil
}

func (fs *faults) clear() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.list = nil; fs.cleared != nil {
		close(fs.cleared)
		fs.cleared = nil
	}
}

// Fail makes the next matching requests fail, as POST /_sandbox/faults does.
func (s *Server) Fail(f Fault) error { return s.faults.add(f) }

// ClearFaults makes requests succeed again, and ends the delays of those that wait, as DELETE /_sandbox/faults does.
func (s *Server) ClearFaults() { s.faults.clear() }

// control serves /_sandbox/…: recorded requests, faults, reset. It needs no token: [Listen] binds to loopback.
func (s *Server) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /_sandbox/requests", func(w http.ResponseWriter, _ *http.Request) {
		writeControl(w, http.StatusOK, map[string]any{"data": s.Requests()})
	})
	mux.HandleFunc("POST /_sandbox/faults", func(w http.ResponseWriter, r *http.Request) {
		dec := json.NewDecoder(io.LimitReader(r.Body, 1<<20))
		dec.DisallowUnknownFields()
		var f Fault
		err := dec.Decode(&f)
		if err == nil {
			err = s.Fail(f)
		}
		if err != nil {
			writeControl(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
			return
		}
		writeControl(w, http.StatusOK, f)
	})
	mux.HandleFunc("DELETE /_sandbox/faults", func(w http.ResponseWriter, _ *http.Request) {
		s.faults.clear()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /_sandbox/reset", func(w http.ResponseWriter, _ *http.Request) {
		s.Reset()
		w.WriteHeader(http.StatusNoContent)
	})
	return ownMachine(mux)
}

// ownMachine refuses requests that another site's page makes a browser send: from another origin, or for a host name
// that resolves to this machine.
func ownMachine(next http.Handler) http.Handler {
	sameSite := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if host != "localhost" && (err != nil || !ip.IsLoopback()) || r.Header.Get("Origin") != "" {
			writeControl(w, http.StatusForbidden, map[string]string{"error": "only programs of this machine may do " +
				"this"})
			return
		}
		sameSite.ServeHTTP(w, r)
	})
}

func writeControl(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
}

// apply applies the fault to the response of handle. It returns after the response, or panics with
// [http.ErrAbortHandler] to drop the connection.
func (f *Fault) apply(w http.ResponseWriter, r *http.Request, handle func(http.ResponseWriter)) {
	answer := &bufferedAnswer{header: http.Header{}, status: http.StatusOK}
	if f.Cut == CutAfterWrite {
		handle(answer) // before the delay, so that the change is saved even if the client stops waiting
	}
	if f.DelayMS > 0 && !f.delay(r) {
		panic(http.ErrAbortHandler)
	}
	if f.Cut == CutBefore {
		panic(http.ErrAbortHandler)
	}
	own := f.Status != 0 || f.Body != ""
	if !own && f.Cut != CutAfterWrite {
		handle(answer)
	}
	switch {
	case own:
		answer = &bufferedAnswer{header: http.Header{}}
		f.answer(answer)
	case f.Cut == CutAfterWrite:
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	if f.RetryAfterMS > 0 {
		w.Header().Set("X-Lognex-Retry-After", fmt.Sprint(f.RetryAfterMS))
	}
	w.WriteHeader(answer.status)
	if f.Cut == CutMiddle {
		_, _ = w.Write(answer.body[:len(answer.body)/2])
		_ = http.NewResponseController(w).Flush() // send the first half before dropping the connection
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(answer.body)
}

// delay waits for the fault's delay, unless the faults are cleared before. It reports false if the client went away.
func (f *Fault) delay(r *http.Request) bool {
	t := time.NewTimer(time.Duration(f.DelayMS) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-f.cleared:
	case <-r.Context().Done():
		return false
	}
	return true
}

// answer writes the fault's status and body. Gateways respond with HTML or an empty body, the API with an error object
// (fact M4).
func (f *Fault) answer(w *bufferedAnswer) {
	w.status = f.Status
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.header.Set("Content-Type", contentType)
	switch {
	case f.Body != "":
		w.body = []byte(f.Body)
		return
	case w.status >= http.StatusBadGateway:
		w.header.Set("Content-Type", "text/html")
		w.body = fmt.Appendf(nil, "<html><body><h1>%d %s</h1></body></html>", w.status, http.StatusText(w.status))
		return
	case w.status == http.StatusUnsupportedMediaType:
		w.header.Del("Content-Type")
		return
	}
	e := newEncoder(w)
	f.refusal().body(e)
	_ = e.flush() // into memory
}

// refusal returns the API error for the status. A 429 without Retry-After is the limit on parallel requests.
func (f *Fault) refusal() *apiError {
	switch f.Status {
	case http.StatusUnauthorized:
		return errAuth()
	case http.StatusForbidden:
		return errForbidden("объекта")
	case http.StatusNotFound:
		return errNotFound("entity", "")
	case http.StatusTooManyRequests:
		if f.RetryAfterMS > 0 {
			return refuse(f.Status, 1049, "Превышено ограничение на количество запросов в единицу времени")
		}
		return refuse(f.Status, 1073, "Превышено ограничение на одновременное количество запросов")
	default:
		return refuse(f.Status, 1999, "Неизвестная ошибка")
	}
}

// bufferedAnswer holds a response in memory, so that a fault can send part of it.
type bufferedAnswer struct {
	header http.Header
	status int
	body   []byte
}

func (h *bufferedAnswer) Header() http.Header    { return h.header }
func (h *bufferedAnswer) WriteHeader(status int) { h.status = status }
func (h *bufferedAnswer) Write(b []byte) (int, error) {
	h.body = append(h.body, b...)
	return len(b), nil
}
