package api

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/api/idempotency"
	"github.com/stockhand/stockhand/internal/api/openapi"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/auth"
)

// adapter mounts huma's operations on the server's mux, each behind the guard of its route.
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

// add mounts a route and documents it.
func (s *Server) add(r route, config huma.Config) {
	op := s.document.Operation(r.documented())
	if r.handler.register != nil {
		r.handler.register(huma.NewAPI(config, adapter{s, r}), op)
		return
	}
	op.Parameters = append(op.Parameters, openapi.PathParameters(r.path())...)
	s.document.Add(op)
	s.mount(r, &op, r.handler.plain)
}

// mount serves a handler behind its guard.
func (s *Server) mount(r route, op *huma.Operation, serve func(http.ResponseWriter, *http.Request) error) {
	g := guard{Server: s, route: r, serve: serve, body: op.RequestBody != nil, wildcards: wildcards(r.path())}
	if slices.Contains(g.wildcards, "org_id") &&
		!slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "org_id" }) {
		op.Parameters = append(op.Parameters, openapi.PathParameters("{org_id}")...) // only the guard reads it
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
		one := g
		one.pattern = base + r.path()
		s.mux.Handle(strings.TrimSpace(r.method()+" "+one.pattern), &one)
	}
}

// guard authenticates and authorizes requests to a route. 401, 403 and the 429 of the rate limits are decided only
// here, before any of the body is read.
type guard struct {
	*Server
	route     route
	pattern   string
	serve     func(http.ResponseWriter, *http.Request) error
	query     []string // the route's query parameters; nil accepts any
	body      bool     // a typed route takes a body
	wildcards []string
	fail      func(http.ResponseWriter, *http.Request, error) // nil is writeError
}

// ServeHTTP implements http.Handler. Many streams are in it at once, so its frame is small, as those of the functions
// below: what is large, such as an actor, is only in functions that have returned when a stream begins. They are not
// inlined, which would give their frames to the caller.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	admitted, err := g.begin(w, r, c)
	if err == nil {
		r = admitted
		err = g.answer(w, r, c)
	}
	switch {
	case err == nil:
	case g.fail != nil:
		g.fail(w, r, err)
	default:
		g.writeError(w, r, err)
	}
}

// begin notes the route of a call and admits its caller, who is in the context of the returned request.
//
//go:noinline
func (g *guard) begin(w http.ResponseWriter, r *http.Request, c *call) (_ *http.Request, err error) {
	c.route = g.pattern
	if traced := trace.SpanFromContext(r.Context()); traced.IsRecording() { // of the server, when requests are traced
		traced.SetName(r.Method + " " + g.pattern)
		traced.SetAttributes(attribute.String("http.route", g.pattern))
	}
	c.actor, err = g.admit(w, r)
	c.audits = g.route.handler.audits
	if err != nil {
		return nil, err
	}
	c.asked = time.Now()
	c.still = func() error { return g.stillMay(r, c.actor) }
	return r.WithContext(stockhand.WithActor(r.Context(), c.actor)), nil
}

// admit authenticates and authorizes the caller and applies the rate limit.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) (stockhand.Actor, error) {
	actor, refused := g.recognized(r)
	if actor.Name == "" {
		return actor, refused
	}
	if err := g.limits.Take(w.Header(), actor); err != nil {
		return actor, err
	}
	return actor, refused
}

// recognized authenticates the caller and checks the scope. A known caller without the scope is returned with the
// error.
func (g *guard) recognized(r *http.Request) (stockhand.Actor, error) {
	a := g.route.access
	actor, err := g.caller(r)
	if a.scope == "" && actor.Person && stockhand.CodeOf(err) == stockhand.CodeOrgRequired {
		err = nil // the route is not about an organization
	}
	if ended, ok := errors.AsType[auth.Ended](err); ok {
		callOf(r.Context()).ended = ended.Key
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

// stillMay returns an error if the caller would no longer be admitted. An unavailable database revokes nothing.
func (g *guard) stillMay(r *http.Request, was stockhand.Actor) error {
	now, err := g.recognized(r)
	switch stockhand.CodeOf(err) {
	case stockhand.CodeInternal, stockhand.CodeDatabaseUnavailable, stockhand.CodeOrgRequired:
		return nil
	default:
	}
	if err == nil && now.Org != was.Org {
		return errOtherOrg
	}
	return err
}

// mayStart reports whether the actor can have created anything itself.
func mayStart(a stockhand.Actor) bool {
	return a.May(stockhand.ScopeWriteTools) || a.May(stockhand.ScopeChat)
}

var errOtherOrg = &stockhand.Error{Code: stockhand.CodePermissionDenied,
	Message: "you do not belong to this organization",
	Hint:    "Use a key of that organization, or ask its administrator to invite you.",
	RU: stockhand.Words{Message: "это не ваша организация",
		Hint: "Возьмите ключ той организации или попросите её администратора пригласить вас."}}

// answer performs the checks common to all routes and calls the handler.
func (g *guard) answer(w http.ResponseWriter, r *http.Request, c *call) error {
	keyed, err := g.check(w, r, c)
	if err != nil {
		return err
	}
	if g.route.handler.lasts {
		if !g.takeStream(c) {
			return errTooManyStreams
		}
		defer g.giveStream(c)
	}
	body, release, err := g.read(w, r, c)
	if err != nil {
		return err
	}
	defer release()
	if keyed {
		return g.serveOnce(w, r, body)
	}
	return g.serve(w, r)
}

// check checks what is not in the body, and reports whether the request has an Idempotency-Key that counts.
//
//go:noinline
func (g *guard) check(w http.ResponseWriter, r *http.Request, c *call) (keyed bool, err error) {
	if err := errors.Join(checkPath(r, g.wildcards), checkQuery(r.URL.RawQuery, g.query)); err != nil {
		return false, err
	}
	if err := g.checkDryRun(r, c); err != nil {
		return false, err
	}
	if c.dry {
		w.Header().Set("X-Dry-Run", "1") // marks a response to a write that changed nothing
	}
	keyed = r.Header.Get(idempotency.Header) != "" && writes(r.Method) && !c.dry
	if keyed && !idempotency.ValidKey(r.Header.Get(idempotency.Header)) {
		return false, invalid(idempotency.Header, "must be 1 to 255 printable ASCII characters")
	}
	return keyed, nil
}

// takeStream counts a stream of the caller if they may open another.
//
//go:noinline
func (g *guard) takeStream(c *call) bool { return g.streams.TryTake(c.actor, 1) }

// giveStream ends what takeStream counted.
//
//go:noinline
func (g *guard) giveStream(c *call) { g.streams.Give(c.actor, 1) }

// read reads the body. Its memory counts until release is called.
//
//go:noinline
func (g *guard) read(w http.ResponseWriter, r *http.Request, c *call) (body []byte, release func(), err error) {
	release = func() {}
	if h := &g.route.handler; h.plain == nil {
		body, err = readJSON(w, r, g.body)
	} else if err = checkEncoding(r); err == nil {
		limit := cmp.Or(h.body, maxBody)
		if limit > maxBody {
			m := ratelimit.NewBody(r.Context(), r.Body, g.large, c.actor, maxBody)
			r.Body, release = m, m.Release
		}
		if body, err = readBody(w, r, limit); err == nil {
			putBack(r, body)
		}
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	c.called(g.Audit, r, body)
	return body, release, nil
}

// serveOnce serves a request with an Idempotency-Key. A typed handler continues after its client has disconnected.
func (g *guard) serveOnce(w http.ResponseWriter, r *http.Request, body []byte) error {
	h := &g.route.handler
	return g.once.Do(w, r, idempotency.Request{Body: body, Serve: g.serve, Secret: h.secret,
		ToEnd: h.plain == nil, Once: h.once})
}

// checkDryRun reads X-Dry-Run, and rejects it if the route does not support it.
func (g *guard) checkDryRun(r *http.Request, c *call) error {
	switch r.Header.Get("X-Dry-Run") {
	case "", "0", "false":
		return nil
	case "1", "true":
	default:
		return invalid("X-Dry-Run", "must be 1 or absent")
	}
	c.dry = writes(r.Method)
	if c.dry && !g.route.handler.tries {
		return invalid("X-Dry-Run", "this endpoint does not support dry runs; nothing was changed")
	}
	return nil
}

// caller authenticates a request. A user in several organizations may select one in the path or with X-Org-Id.
func (s *Server) caller(r *http.Request) (stockhand.Actor, error) {
	ip := s.TrustedProxies.Address(r)
	org := r.Header.Get("X-Org-Id")
	if org == "" {
		org = r.PathValue("org_id")
	}
	cookie := s.Cookies.SignIn(r)
	bearer, ok := caller.Bearer(r.Header)
	if !ok && cookie == "" {
		return stockhand.Actor{}, s.limits.Failed(ip, errNoToken)
	}
	if cookie != "" {
		if err := caller.SameOrigin(r); err != nil {
			return stockhand.Actor{}, err
		}
	}
	actor, err := s.Auth.Authenticate(r.Context(),
		auth.Caller{Bearer: bearer, Cookie: cookie, Org: stockhand.OrgID(org), IP: ip,
			MayLookUp: func() error { return s.limits.MayLookUp(ip) }})
	actor.Trial = caller.OnTrial(r.Context())
	if stockhand.CodeOf(err) == stockhand.CodeTokenExpired {
		err = s.limits.Failed(ip, err)
	}
	return actor, err
}

var errNoToken = &stockhand.Error{Code: stockhand.CodeTokenExpired,
	Message: "the request must carry exactly one bearer token",
	RU:      stockhand.Words{Message: "в запросе должен быть ровно один токен"}}
