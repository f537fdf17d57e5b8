package api

import (
	"encoding/json"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// public mounts what needs no token: signs of life, metrics and the documentation; and what answers where nothing is.
func (s *Server) public() {
	s.mux.HandleFunc("/", s.unmatched)
	s.open("GET /healthz", func(w http.ResponseWriter, r *http.Request) { status(w, http.StatusOK, "ok") })
	s.open("GET /readyz", s.readyz)
	if s.Metrics != nil {
		s.open("GET /metrics", s.Metrics.ServeHTTP)
	}
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

// compress compresses answers for those who take it; event streams pass as they are, because each event has to arrive at once.
func compress(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.ExceptContentTypes([]string{"text/event-stream", "application/gzip", "application/zip",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(h)
}
