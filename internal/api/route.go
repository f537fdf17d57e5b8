package api

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
)

// route is one row of the table.
type route struct {
	method  string // anyMethod for all
	path    string // under /api/v1
	access  access
	name    string // the operation's id in the OpenAPI document
	summary string
	handler handler
}

const anyMethod = ""

// access says who may call a route: whoever has the scope.
type access struct {
	scope stockhand.Scope // empty: whoever is signed in
	own   bool            // without the scope, what the caller started itself; the handler sees to it by maySee
}

var (
	signedIn   = access{}
	readTools  = access{scope: stockhand.ScopeReadTools}
	writeTools = access{scope: stockhand.ScopeWriteTools}
	readData   = access{scope: stockhand.ScopeReadData}
	readOwn    = access{scope: stockhand.ScopeReadData, own: true}
	chat       = access{scope: stockhand.ScopeChat}
	gateway    = access{scope: stockhand.ScopeGateway}
	admin      = access{scope: stockhand.ScopeAdmin}
)

// handler is how a route is served: typed ones are decoded, validated and documented by huma, plain ones do it
// themselves.
type handler struct {
	register func(api huma.API, op huma.Operation) // of a typed one
	plain    func(w http.ResponseWriter, r *http.Request) error
	status   int   // of a success; 0 is 200
	tries    bool  // honours X-Dry-Run
	secret   bool  // the answer holds a secret
	anyQuery bool  // of a plain one that takes every query parameter
	body     int64 // how large the body of a plain one may be, in bytes; 0 is maxBody
}

// typed makes a handler of a function from a decoded request to an answer.
func typed[In, Out any](f func(ctx context.Context, in *In) (*Out, error)) handler {
	return handler{register: func(api huma.API, op huma.Operation) { huma.Register(api, op, f) }}
}

// plain makes a handler of a function that writes its own answer; an error that it returns before writing is written
// for it. Its parameters and answers are documented in openapi.go.
func plain(f func(w http.ResponseWriter, r *http.Request) error) handler { return handler{plain: f} }

// returns says the status of a success.
func (h handler) returns(status int) handler { h.status = status; return h }

// showsSecret says that the answer holds a secret, which is returned once and never again (specification, section 2):
// the same request under the same Idempotency-Key is answered without it.
func (h handler) showsSecret() handler { h.secret = true; return h }

// dryRun says that the handler asks dryRun(ctx) and then tells what it would do instead of doing it. A write whose row
// does not say so is refused with 422 when it is to be tried.
func (h handler) dryRun() handler { h.tries = true; return h }

// takes says how large the body of a plain handler may be, where that is more than of others.
func (h handler) takes(bytes int64) handler { h.body = bytes; return h }

// passesQuery says that the handler takes every query parameter.
func (h handler) passesQuery() handler { h.anyQuery = true; return h }

// bases are the prefixes under which the route answers: the OpenAI paths have no prefix for clients that put /v1 behind
// the service's address, and the specification's own.
func (r route) bases() []string {
	if strings.HasPrefix(r.path, "/v1/") {
		return []string{Base, ""}
	}
	return []string{Base}
}

var wildcard = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// wildcards are the names in a path's braces.
func wildcards(path string) []string {
	var names []string
	for _, m := range wildcard.FindAllStringSubmatch(path, -1) {
		names = append(names, m[1])
	}
	return names
}
