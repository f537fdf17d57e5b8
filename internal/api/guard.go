package api

import (
	"cmp"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
)

// adapter registers what huma serves on the server's mux, each operation behind its route's guard.
type adapter struct {
	*Server
	route route
}

// Handle implements huma.Adapter.
func (a adapter) Handle(op *huma.Operation, serve func(huma.Context)) {
	a.mount(a.route, op, func(w http.ResponseWriter, r *http.Request) error {
		serve(humago.NewContext(op, r, w))
		return nil
	})
}

// add puts a route on the mux and into the document.
func (s *Server) add(r route, config huma.Config) {
	op := s.operation(r)
	if r.handler.register != nil {
		r.handler.register(huma.NewAPI(config, adapter{s, r}), op)
		return
	}
	op.Parameters = append(op.Parameters, parameters(r.path)...)
	s.describe(op)
	s.mount(r, &op, r.handler.plain)
}

// mount puts a handler behind its guard.
func (s *Server) mount(r route, op *huma.Operation, serve func(http.ResponseWriter, *http.Request) error) {
	g := guard{Server: s, route: r, serve: serve, body: op.RequestBody != nil, wildcards: wildcards(r.path)}
	if slices.Contains(g.wildcards, "org_id") &&
		!slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "org_id" }) {
		op.Parameters = append(op.Parameters, parameters("{org_id}")...) // the guard reads it; handlers have the actor
	}
	if !r.handler.anyQuery {
		g.query = []string{}
		for _, p := range op.Parameters {
			if p.In == "query" {
				g.query = append(g.query, p.Name)
			}
		}
	}
	for _, base := range r.bases() {
		g.pattern = base + r.path
		s.mux.Handle(strings.TrimSpace(r.method+" "+g.pattern), g)
	}
}

// guard stands before a handler and decides who may pass: 401, 403 and 429 are decided here and nowhere else, before a
// byte of the body is read.
type guard struct {
	*Server
	route     route
	pattern   string
	serve     func(http.ResponseWriter, *http.Request) error
	query     []string // the parameters that the route knows; nil lets all pass
	body      bool     // a typed route takes one
	wildcards []string
}

func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	c.route = g.pattern
	actor, err := g.admit(w, r)
	if err == nil {
		c.actor, c.asked = actor, time.Now()
		c.still = func() error { return g.stillMay(r, actor) }
		r = r.WithContext(stockhand.WithActor(r.Context(), actor))
		err = g.answer(w, r, c)
	}
	if err != nil {
		g.writeError(w, r, err)
	}
}

// admit decides who is calling, how often they may, and whether this is theirs to do.
func (g guard) admit(w http.ResponseWriter, r *http.Request) (stockhand.Actor, error) {
	actor, refused := g.recognized(r)
	if actor.Name == "" {
		return actor, refused
	}
	if err := g.limits.take(w.Header(), actor); err != nil {
		return stockhand.Actor{}, err
	}
	return actor, refused
}

// recognized decides who is calling and whether this is theirs to do. Who is known and may not is named beside the
// error.
func (g guard) recognized(r *http.Request) (stockhand.Actor, error) {
	a := g.route.access
	actor, err := g.caller(r)
	if a.scope == "" && actor.Person && stockhand.CodeOf(err) == stockhand.CodeOrgRequired {
		err = nil // what is about no organization needs none
	}
	if err != nil {
		return stockhand.Actor{}, err
	}
	if a.scope != "" {
		if err := g.Auth.Allow(actor, a.scope); err != nil && (!a.own || actor.Org == "" || !mayStart(actor)) {
			return actor, err
		}
	}
	if org := r.PathValue("org_id"); org != "" && stockhand.OrgID(org) != actor.Org {
		return actor, errOtherOrg
	}
	return actor, nil
}

// stillMay tells whether a caller who was admitted would be again, as the same. A record that cannot be asked takes
// nothing away.
func (g guard) stillMay(r *http.Request, was stockhand.Actor) error {
	now, err := g.recognized(r)
	switch stockhand.CodeOf(err) {
	case stockhand.CodeInternal, stockhand.CodeOrgRequired:
		return nil
	default:
	}
	if err == nil && now.Org != was.Org {
		return errOtherOrg
	}
	return err
}

// mayStart tells whether the actor can have anything that it started itself.
func mayStart(a stockhand.Actor) bool {
	return a.May(stockhand.ScopeWriteTools) || a.May(stockhand.ScopeChat)
}

var errOtherOrg = &stockhand.Error{Code: stockhand.CodePermissionDenied,
	Message: "the organization is not the caller's",
	Hint:    "use a key of that organization, or ask one of its administrators to make you a member",
	RU: stockhand.Words{Message: "это не ваша организация",
		Hint: "возьмите ключ той организации или попросите её администратора добавить вас"}}

// answer checks what is the same for all requests and lets the handler answer.
func (g guard) answer(w http.ResponseWriter, r *http.Request, c *call) error {
	if err := errors.Join(checkPath(r, g.wildcards), checkQuery(r.URL.RawQuery, g.query)); err != nil {
		return err
	}
	if err := g.checkDryRun(r, c); err != nil {
		return err
	}
	if c.dry {
		w.Header().Set("X-Dry-Run", "1") // what looks like the answer to a write says that nothing was done
	}
	keyed := r.Header.Get(idempotentKey) != "" && writes(r.Method) && !c.dry
	if g.route.handler.plain != nil {
		if err := checkEncoding(r); err != nil {
			return err
		}
		most := cmp.Or(g.route.handler.body, maxBody)
		held, err := g.holdLarge(r, most)
		if err != nil {
			return err
		}
		defer func() { g.large.Release(held) }()
		body, err := readBody(w, r, most)
		if err != nil {
			return err
		}
		if n := int64(len(body)); held > 0 && n < held { // it was not as large as it might have been
			if n <= maxBody {
				n = 0
			}
			g.large.Release(held - n)
			held = n
		}
		putBack(r, body)
		if keyed {
			return g.once(w, r, body)
		}
		return g.serve(w, r)
	}
	body, err := readJSON(w, r, g.body)
	if err != nil {
		return err
	}
	if keyed {
		return g.once(w, r, body)
	}
	return g.serve(w, r)
}

// writes tells of the methods that change something.
func writes(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// checkDryRun reads X-Dry-Run. A write that cannot be tried is refused rather than done.
func (g guard) checkDryRun(r *http.Request, c *call) error {
	switch r.Header.Get("X-Dry-Run") {
	case "", "0", "false":
		return nil
	case "1", "true":
	default:
		return invalid("X-Dry-Run", "is 1, or left out")
	}
	c.dry = writes(r.Method)
	if c.dry && !g.route.handler.tries {
		return invalid("X-Dry-Run", "this request cannot be tried without doing it; nothing was done")
	}
	return nil
}

// caller finds out who sends a request. A person in several organizations may name theirs by the path as well as by
// X-Org-Id; what is theirs as a person needs none.
func (s *Server) caller(r *http.Request) (stockhand.Actor, error) {
	ip := s.clientIP(r)
	org := r.Header.Get("X-Org-Id")
	if org == "" {
		org = r.PathValue("org_id")
	}
	bearer, ok := bearer(r.Header["Authorization"])
	if !ok {
		return stockhand.Actor{}, s.limits.failed(ip, errNoToken)
	}
	actor, err := s.Auth.Authenticate(r.Context(), auth.Caller{Bearer: bearer, Org: stockhand.OrgID(org), IP: ip})
	if stockhand.CodeOf(err) == stockhand.CodeTokenExpired {
		err = s.limits.failed(ip, err)
	}
	return actor, err
}

var errNoToken = &stockhand.Error{Code: stockhand.CodeTokenExpired,
	Message: "the request does not carry one bearer token",
	RU:      stockhand.Words{Message: "в запросе нет токена, или он не один"}}

// bearer takes the token of exactly one Authorization header, as in "Bearer sk-org-…"; the scheme's case does not
// matter.
func bearer(values []string) (string, bool) {
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false
	}
	return token, true
}

// clientIP is where a request comes from. X-Forwarded-For is believed as far as trusted proxies wrote it: its last
// address that is not one of them is the client's.
func (s *Server) clientIP(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	ip := at.Addr().Unmap()
	if !s.trusted(ip) {
		return ip
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			return ip
		}
		if ip = before.Unmap(); !s.trusted(ip) {
			return ip
		}
	}
	return ip
}

func (s *Server) trusted(ip netip.Addr) bool {
	return slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}
