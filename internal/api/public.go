package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzhttp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/docs"
	"github.com/stockhand/stockhand/internal/api/signinpage"
)

// public mounts the endpoints that need no token (health, documentation, sign-in) and the 404 handler.
func (s *Server) public() {
	s.mux.HandleFunc("/", s.unmatched)
	s.pages()
	s.open("GET /healthz", func(w http.ResponseWriter,
		r *http.Request) {
		status(w, http.StatusOK, health{Status: "ok"})
	})
	s.open("GET /readyz", s.readyz)
	s.open("GET "+Base+"/openapi.json", static("application/json", s.document.JSON))
	s.open("GET "+Base+"/openapi.yaml", static("application/yaml", s.document.YAML))
	if s.SignIn != nil {
		for pattern, h := range (signinpage.Config{SignIn: s.SignIn, Proxies: s.TrustedProxies, Cookies: s.Cookies,
			WriteError: s.writeError, Language: func(r *http.Request) stockhand.Language {
				return languageOf(r.Context())
			}}).Routes() {
			s.open(pattern, h)
		}
	}
	page := sync.OnceValues(func() ([]byte, string) { return s.described().Page() })
	html := static("text/html; charset=utf-8", func() []byte { content, _ := page(); return content })
	s.open("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		_, policy := page()
		w.Header().Set("Content-Security-Policy", policy)
		html(w, r)
	})
}

// static serves content that does not change while the program runs, with an ETag. It creates the content at the first
// request. The tag is weak because compression changes the bytes.
func static(media string, content func() []byte) http.HandlerFunc {
	tagged := sync.OnceValues(func() ([]byte, string) {
		content := content()
		sum := sha256.Sum256(content)
		return content, `W/"` + hex.EncodeToString(sum[:8]) + `"`
	})
	return func(w http.ResponseWriter, r *http.Request) {
		content, tag := tagged()
		h := w.Header()
		h.Set("Content-Type", media)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if notModified(r, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(content)
	}
}

// notModified reports whether the client already has the content with the tag. Tags are compared weakly (RFC 9110,
// section 13.1.2).
func notModified(r *http.Request, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for given := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		given = strings.TrimPrefix(strings.TrimSpace(given), "W/")
		if given == "*" || given == tag {
			return true
		}
	}
	return false
}

// open mounts a handler without authentication.
func (s *Server) open(pattern string, h http.HandlerFunc) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		_, callOf(r.Context()).route, _ = strings.Cut(pattern, " ")
		h(w, r)
	})
}

// readyz reports whether the server accepts requests (rule R172). It says when the database is the reason; the log says
// more, such as where the database is.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(r.Context()); err != nil {
			s.Logger.WarnContext(r.Context(), "not ready", "err", err)
			w.Header().Set("Retry-After", "1")
			answer := health{Status: "not ready"}
			if e, ok := errors.AsType[*stockhand.Error](err); ok && e.Code == stockhand.CodeDatabaseUnavailable {
				answer.Reason = e.Message
			}
			status(w, http.StatusServiceUnavailable, answer)
			return
		}
	}
	status(w, http.StatusOK, health{Status: "ready"})
}

type health struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

func status(w http.ResponseWriter, code int, answer health) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

// compress compresses responses for clients that accept it, except event streams, whose events must arrive immediately.
func compress(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.ExceptContentTypes(
		[]string{"text/event-stream", "application/gzip", "application/zip",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(h)
}

// described describes the operations for people.
func (s *Server) described() *docs.Document {
	routes := make([]docs.Route, len(s.table))
	for i, r := range s.table {
		described := r.documented()
		routes[i] = docs.Route{ID: r.name, Method: r.method(), Path: r.path(), Tag: described.Tag(),
			Scope: described.ScopeName(), Summary: r.summary}
	}
	return docs.New(s.document.OpenAPI, Base, routes)
}
