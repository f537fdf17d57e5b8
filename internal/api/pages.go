package api

import (
	"net/http"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/docs"
	"github.com/stockhand/stockhand/internal/console"
	files "github.com/stockhand/stockhand/internal/console/static"
)

// pages mounts the console behind the guard that the API has (rule R380).
func (s *Server) pages() {
	s.open("GET "+files.Prefix, func(w http.ResponseWriter, r *http.Request) {
		if !files.Serve(w, r) {
			s.writeError(w, r, errNoRoute)
		}
	})
	for _, path := range files.AppPaths() {
		s.open("GET "+path, files.ServeApp)
	}
	if s.Console == nil {
		s.open("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/docs", http.StatusFound)
		})
		return
	}
	s.open("/o/", func(w http.ResponseWriter, r *http.Request) { s.failPage(w, r, errNoRoute) })
	own := struct {
		*docs.Document
		http.Handler
	}{s.described(), s}
	for _, p := range s.Console.Routes(own) {
		r := route{pattern: p.Pattern, access: access{scope: p.Scope}, handler: plain(inPerson(p.Serve)).passesQuery()}
		if p.Notes != "" {
			r.handler = r.handler.notes(p.Notes)
		}
		if strings.HasSuffix(p.Pattern, "/stream") {
			r.handler = r.handler.streams()
		}
		g := &guard{Server: s, route: r, pattern: r.path(), serve: r.handler.plain, wildcards: wildcards(r.path()),
			fail: s.failPage}
		s.open(p.Pattern, func(w http.ResponseWriter, r *http.Request) {
			if s.Cookies.SignIn(r) == "" && len(r.Header["Authorization"]) == 0 { // no attempt at anything
				s.failPage(w, r, errNoToken)
				return
			}
			g.ServeHTTP(w, r)
		})
	}
}

// inPerson refuses callers who did not sign in with a browser: programs have the API.
func inPerson(serve func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !byBrowser(r) {
			return errNoSignIn
		}
		return serve(w, r)
	}
}

// byBrowser is not inlined, because the caller would have an actor in its frame while a stream lasts.
//
//go:noinline
func byBrowser(r *http.Request) bool { return stockhand.ActorOf(r.Context()).SignIn != "" }

var errNoSignIn = &stockhand.Error{Code: stockhand.CodePermissionDenied,
	Message: "the console is for people who signed in with a browser",
	Hint:    "Programs use the API under " + Base + ".",
	RU: stockhand.Words{Message: "консоль — для людей, которые вошли через браузер",
		Hint: "Для программ есть API: " + Base + "."}}

// failPage writes an error as a page.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	c := callOf(r.Context())
	if c.begun || r.Context().Err() != nil {
		s.writeError(w, r, err)
		return
	}
	b := errorBody(r.Context(), err)
	drain(w, r, c)
	if after := b.Header().Get("Retry-After"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	words := []string{b.Detail.Message}
	for _, f := range b.Detail.Errors {
		if !strings.Contains(b.Detail.Message, f.Message) {
			words = append(words, f.Message)
		}
	}
	s.Console.ShowProblem(w, r, console.Problem{Status: b.GetStatus(), Message: strings.Join(words, "; "),
		Hint: b.Detail.Hint, Request: c.id})
}
