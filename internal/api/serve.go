package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
)

// HTTPServer returns a server with the API's timeouts. Bodies and writes have separate deadlines: a stream may last,
// but each of its writes must succeed in time.
func HTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      writeTime, // each write extends it; see answer
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.compressed.ServeHTTP(w, r) }

// serve assigns an ID to the request, routes it, and logs it.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	c := &call{id: s.requestID(r), begin: time.Now(), openai: openAIPath(r.URL.Path),
		accepts: caller.Accepts(r), log: s.Logger}
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	h := w.Header()
	h.Set("X-Request-Id", c.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	if r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000") // a year
	}
	h.Set("Cache-Control", "no-store") // responses are private; cacheable ones override it
	a := &answer{ResponseWriter: w, call: c, control: http.NewResponseController(w)}
	defer s.done(a, r)
	if r.ContentLength != 0 { // also for a body that no handler reads, because net/http reads it before it responds
		_ = a.control.SetReadDeadline(c.begin.Add(bodyTime))
	}
	if s.cors(a, r) {
		return
	}
	if err := checkHeader(r.Header); err != nil {
		s.writeError(a, r, err)
		return
	}
	if hasDotSegments(r) {
		s.writeError(a, r, errNoRoute)
		return
	}
	s.mux.ServeHTTP(a, r)
}

// hasDotSegments reports paths that ServeMux would clean and redirect. They are rejected, because at the gateway they
// could be an attack.
func hasDotSegments(r *http.Request) bool {
	p := r.URL.Path
	if p == "" || p[0] != '/' {
		return true
	}
	clean := path.Clean(p)
	return clean != p && clean+"/" != p
}

// done ends every request: it turns a panic into an INTERNAL error if no response has started, and logs and counts the
// request.
func (s *Server) done(a *answer, r *http.Request) {
	c := a.call
	cause := recover()
	aborted := cause == http.ErrAbortHandler //nolint:errorlint // the value itself is panicked
	if cause != nil && !aborted {
		s.Logger.ErrorContext(r.Context(), "panic", "request_id", c.id, "route", c.route, "panic", fmt.Sprint(cause),
			"stack", string(debug.Stack()))
		aborted = c.begun
		if !c.begun {
			s.writeError(a, r, errors.New("panic"))
		}
	}
	took := time.Since(c.begin)
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if s.Observe != nil {
		s.Observe(c.route, c.status, took)
	}
	if traced := trace.SpanFromContext(r.Context()); traced.IsRecording() {
		traced.SetAttributes(attribute.Int("http.response.status_code", c.status),
			attribute.Int64("http.response.body.size", c.bytes))
		if c.status >= http.StatusInternalServerError {
			traced.SetStatus(codes.Error, "")
		}
	}
	s.note(a, r)
	if c.apiRoute() {
		s.Requests.Note(cmp.Or(c.actor.Org, c.ended.Org), stockhand.APIRequest{Method: r.Method, Route: c.route,
			Status: c.status, Took: took, By: cmp.Or(c.actor.Name, c.ended.Name), Code: c.code, Request: c.id})
	}
	s.log(a, r, took)
	if aborted {
		panic(http.ErrAbortHandler) // net/http closes the connection
	}
}

// log writes the request's line, or leaves it out if there are many refusals.
func (s *Server) log(a *answer, r *http.Request, took time.Duration) {
	c, leftOut := a.call, int64(0)
	if c.status == http.StatusUnauthorized || c.status == http.StatusTooManyRequests {
		var ok bool
		if leftOut, ok = s.refusals.Next(); !ok {
			return
		}
	}
	attrs := []slog.Attr{
		slog.String("request_id", c.id), slog.String("method", r.Method), slog.String("route", c.route),
		slog.String("path", safePath(r.URL.Path)),
		slog.Int("status", c.status), slog.Int64("bytes", c.bytes), slog.Duration("took", took),
		slog.String("ip", s.TrustedProxies.Address(r).String()), slog.String("org", string(c.actor.Org)),
		slog.String("actor", c.actor.Name),
	}
	if leftOut > 0 {
		attrs = append(attrs, slog.Int64("refusals_left_out", leftOut))
	}
	s.Logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// safePath returns a path for the log, without the query and without anything that looks like a token.
func safePath(p string) string {
	if strings.Contains(p, "sk-") {
		return "(withheld)"
	}
	const most = 300
	if len(p) > most {
		return p[:most] + "…"
	}
	return p
}

// requestID returns the caller's ID if it is valid, or a new one (rule R42).
func (s *Server) requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	const most = 128
	if id != "" && len(id) <= most && !strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return id
	}
	return stockhand.NewID[string]("req")
}

var errNoRoute = &stockhand.Error{Code: stockhand.CodeNotFound, Message: "there is no such endpoint",
	RU: stockhand.Words{Message: "такого адреса нет"}}

// unmatched answers requests without a route: 405 if another method would match, 404 otherwise. ServeMux would send
// plain text.
func (s *Server) unmatched(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := s.mux.Handler(other); pattern != "/" && pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		s.writeError(w, r, errNoRoute)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.writeError(w, r, &stockhand.Error{Code: stockhand.CodeMethodNotAllowed, Message: "this endpoint supports " +
		strings.Join(allowed, ", "),
		RU: stockhand.Words{Message: "этот адрес поддерживает " + strings.Join(allowed, ", ")}})
}

// exposedHeaders are the response headers that scripts of other origins may read.
const exposedHeaders = "X-Request-Id, X-Session-Id, X-Provider-Request-Id, X-Notices, X-Dry-Run, Location, ETag, " +
	"Content-Disposition, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed, " +
	"Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate"

// cors allows requests from the configured origins. Any request header is allowed, because SDKs add their own
// (x-stainless-…, mcp-protocol-version) and requests are authenticated only by their token. It reports whether it
// answered a preflight request.
func (s *Server) cors(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if len(s.Origins) == 0 || origin == "" {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin, Access-Control-Request-Headers")
	if !slices.Contains(s.Origins, origin) && !slices.Contains(s.Origins, "*") {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
		h.Set("Access-Control-Allow-Headers", wanted)
	}
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
