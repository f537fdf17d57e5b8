package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzhttp"
)

// public mounts what needs no token: signs of life, metrics and the documentation; and what answers where nothing is.
func (s *Server) public() {
	s.mux.HandleFunc("/", s.unmatched)
	// until there is a console
	s.open("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/docs", http.StatusFound) })
	s.open("GET /healthz", func(w http.ResponseWriter, r *http.Request) { status(w, http.StatusOK, "ok") })
	s.open("GET /readyz", s.readyz)
	if s.Metrics != nil {
		s.open("GET /metrics", s.Metrics.ServeHTTP)
	}
	document := s.documentJSON()
	s.open("GET "+Base+"/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		serveTagged(w, r, document)
	})
	docs := sync.OnceValues(s.docsPage)
	s.open("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		html, policy := docs()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		serveTagged(w, r, html)
	})
}

// serveTagged answers with what never changes while the program runs, or with 304 to those who have it.
func serveTagged(w http.ResponseWriter, r *http.Request, content []byte) {
	sum := sha256.Sum256(content)
	w.Header().Set("Cache-Control", "no-cache")
	if notModified(w, r, hex.EncodeToString(sum[:8])) {
		return
	}
	_, _ = w.Write(content)
}

// notModified tags an answer, and answers 304 to those who have it already. The tag is weak, because compression
// changes the bytes and not the content. What is tagged may be kept by its caller alone.
func notModified(w http.ResponseWriter, r *http.Request, tag string) bool {
	tag = `W/"` + tag + `"`
	w.Header().Set("ETag", tag)
	if w.Header().Get("Cache-Control") == "no-store" {
		w.Header().Set("Cache-Control", "private, no-cache")
	}
	for have := range strings.SplitSeq(strings.Join(r.Header["If-None-Match"], ","), ",") {
		have = strings.TrimSpace(have)
		if have == "*" || have == tag || "W/"+have == tag {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// open mounts a handler that everybody may call.
func (s *Server) open(pattern string, h http.HandlerFunc) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		callOf(r.Context()).route = pattern[len("GET "):]
		h(w, r)
	})
}

// readyz tells whether requests should be sent here. Why not is for the log alone.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(r.Context()); err != nil {
			s.Logger.WarnContext(r.Context(), "not ready", "err", err)
			w.Header().Set("Retry-After", "1")
			status(w, http.StatusServiceUnavailable, "not ready")
			return
		}
	}
	status(w, http.StatusOK, "ready")
}

func status(w http.ResponseWriter, code int, word string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"status": word})
}

// compress compresses answers for those who take it; event streams pass as they are, because each event has to arrive
// at once.
func compress(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.ExceptContentTypes(
		[]string{"text/event-stream", "application/gzip", "application/zip",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(h)
}
