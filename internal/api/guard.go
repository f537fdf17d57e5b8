package api

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// guarded is the mux as huma sees it: what it registers for a route is served behind the route's guard.
type guarded struct {
	*Server
	route route
}

// HandleFunc implements humago.Mux.
func (g guarded) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	g.mux.Handle(pattern, g.guard(g.route.access, func(w http.ResponseWriter, r *http.Request) error { h(w, r); return nil }))
}

// add puts a route on the mux.
func (s *Server) add(api huma.API, r route) {
	if r.handler.plain != nil {
		pattern := Base + r.path
		if r.method != anyMethod {
			pattern = r.method + " " + pattern
		}
		s.mux.Handle(pattern, s.guard(r.access, r.handler.plain))
		return
	}
	r.handler.register(api, huma.Operation{OperationID: r.name, Method: r.method, Path: r.path, Summary: r.summary})
}

// guard decides who may pass: 401 and 403 are written here and nowhere else.
func (s *Server) guard(a access, next func(w http.ResponseWriter, r *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		actor, err := s.caller(r)
		if err == nil && a.scope != "" && !a.own {
			err = s.Auth.Allow(actor, a.scope)
		}
		if err == nil {
			err = next(w, r.WithContext(stockhand.WithActor(r.Context(), actor)))
		}
		if err != nil {
			s.writeError(w, r, err)
		}
	})
}

// caller finds out who sends a request.
func (s *Server) caller(r *http.Request) (stockhand.Actor, error) {
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return s.Auth.Authenticate(r.Context(), auth.Caller{Bearer: bearer, Org: stockhand.OrgID(r.Header.Get("X-Org-Id")), IP: at.Addr()})
}

// mayRead tells whether the caller may see a thing that the named actor started: whoever has read:data may see everything of the
// organization, a key without it what it started itself (product.md, section 3).
func mayRead(ctx context.Context, by string) bool {
	a := stockhand.ActorOf(ctx)
	return a.May(stockhand.ScopeReadData) || (by != "" && by == a.Name)
}

var errUnwritten = errors.New("unwritten")
